// The connection to a table: which one the page shows, and what it is told of it as it happens.

const RETRY = 2000; // milliseconds until the page tries again to be told
const LOOK = 400; // milliseconds between two looks at how far the server has prepared itself

/** Wait until the server has compiled what a game needs; `show` is called with how far it is. */
export async function untilReady(show) {
  for (;;) {
    const progress = await fetch("/api/ready").then((answer) => answer.json()).catch(() => null);
    if (progress?.ready) return;
    if (progress) show(progress);
    await new Promise((resolve) => setTimeout(resolve, LOOK));
  }
}

/** What the address of the page names: a table, or the code of a seat. */
export function named() {
  const [, kind, name] = location.pathname.split("/");
  return {
    table: kind === "table" ? decodeURIComponent(name) : "",
    code: kind === "join" ? decodeURIComponent(name) : "",
  };
}

/**
 * The table that the page shows.
 *
 * The server tells only that something has changed, and who is there; the page then asks for what
 * it may see. `onNews` is called with that, `onLost` whenever the connection is lost or back.
 */
export class Connection {
  constructor(onNews, onLost) {
    this.onNews = onNews;
    this.onLost = onLost;
    this.table = named().table;
    this.news = null; // what was told last, and is not shown yet
    this.presence = null; // who was there then
    this.source = null;
    this.retry = 0;
    document.addEventListener("visibilitychange", () => document.hidden || this.open());
    addEventListener("focus", () => this.open());
    addEventListener("pagehide", () => this.close());
  }

  /** Whether this page lets agents play on: one page of a table does. */
  get drives() {
    return this.presence?.drives ?? true;
  }

  /** An address that says which table is meant. */
  at(path) {
    if (!this.table) return path;
    return `${path}${path.includes("?") ? "&" : "?"}table=${encodeURIComponent(this.table)}`;
  }

  /** Follow the table of an answer, and say in the address which one it is if it is shared. */
  follow(table) {
    const path = table.is_alone ? "/" : `/table/${encodeURIComponent(table.id)}`;
    if (location.pathname !== path) history.replaceState(null, "", path + location.search);
    if (table.id === this.table && this.source) return;
    this.close();
    this.table = table.id;
    this.open();
  }

  /** Whether what was told is newer than what the page shows. */
  isBehind(state) {
    const { news } = this;
    if (!news || state.table?.id !== this.table) return false;
    return news.version > state.version || news.revision > state.table.revision;
  }

  open() {
    if (this.source || !this.table) return;
    clearTimeout(this.retry);
    const source = new EventSource(this.at("/api/events"));
    this.source = source;
    source.addEventListener("message", (event) => {
      this.news = JSON.parse(event.data);
      this.presence = this.news;
      this.onLost(false);
      this.onNews();
    });
    // Another tab is told instead, or nobody asked for this table in a while.
    source.addEventListener("replaced", () => this.close());
    source.addEventListener("closed", () => this.tryAgain());
    source.addEventListener("error", () => this.tryAgain());
  }

  close() {
    clearTimeout(this.retry);
    this.source?.close();
    this.source = null;
    this.news = null;
    this.presence = null;
  }

  tryAgain() {
    this.close();
    this.onLost(true);
    this.retry = setTimeout(() => this.open(), RETRY);
  }
}
