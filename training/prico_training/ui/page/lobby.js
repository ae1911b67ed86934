// Who sits at the table: the seats, their links and codes, and what may be done about them.

import { chip, make } from "./dom.js";
import { t } from "./messages.js";
import { seatName } from "./seats.js";

const CODE_PART = 5;
const COPIED = 2000; // milliseconds for which it is said that a link was copied

/** A code as it is read out: in two parts. */
export function spacedCode(code) {
  return `${code.slice(0, CODE_PART)}-${code.slice(CODE_PART)}`;
}

/** The address of a page of this server, as others reach it. */
function addressOf(table, path) {
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  return `${isLocal && table.address ? table.address : location.origin}${path}`;
}

/** Show who plays: each seat with its name, whether the person is there, and who sits in. */
export function showSeats(list, { game, table }, news) {
  list.replaceChildren(...game.players.map((_, seat) => {
    const isTurn = seat === game.turn;
    return make("li", { class: isTurn ? "turn" : null }, chip(seat), ` ${seatName(game, seat)}`,
      sitsInFor(game, seat), ...presence(table, seat, news));
  }));
}

/** Whom a record names at a seat where somebody else plays on; nothing where it is the same. */
function sitsInFor(game, seat) {
  const whom = game.sits_in_for[seat];
  return whom && ` (${t("sits_in_for", { whom })})`;
}

function presence(table, seat, news) {
  const { is_person: isPerson, is_free: isFree, is_yours: isYours } = table.seats[seat];
  if (isFree) return [make("span", { class: "note" }, ` (${t("seat_is_free")})`)];
  if (!isPerson || isYours || !news) return [];
  const isHere = news.here.includes(seat);
  const words = t(isHere ? "is_here" : "is_not_here");
  return [make("span", { class: isHere ? "here" : "gone", role: "img", title: words, "aria-label": words })];
}

/**
 * The panel of the table: there when other people play, and for a host alone behind a button.
 *
 * `wanted` says what is done: seat(seat, player), rename(seat, name); `agents` are those
 * who may sit in, each by its name and the title it is shown by.
 */
export class Lobby {
  constructor(panel, opener, wanted) {
    this.panel = panel;
    this.summary = panel.querySelector("summary");
    this.opener = opener;
    this.wanted = wanted;
    this.agents = [];
    this.usual = "";
    this.shown = "";
    this.table = null;
    this.asked = ""; // the table whose panel was asked for, though nobody else plays there
    opener.addEventListener("click", () => this.ask(this.panel.hidden));
    panel.addEventListener("toggle", () => !panel.open && this.asked && this.ask(false));
  }

  /** Show the panel to a host who plays with agents alone, or hide it again. */
  ask(isWanted) {
    this.asked = isWanted ? this.table.id : "";
    if (isWanted) this.panel.open = true;
    const hadFocus = this.panel.contains(document.activeElement);
    this.place();
    if (isWanted) this.summary.focus();
    else if (hadFocus && this.panel.hidden) this.opener.focus();
  }

  /** Let the panel or its button be where they belong. */
  place() {
    const isQuiet = !this.table || (this.table.is_alone && !this.table.seats.some((seat) => seat.is_away));
    this.panel.hidden = isQuiet && !this.isAsked();
    this.opener.hidden = !isQuiet || !this.mayAsk;
    this.opener.setAttribute("aria-expanded", String(!this.panel.hidden));
  }

  isAsked() {
    return Boolean(this.table) && this.asked === this.table.id;
  }

  /** There is no table any more. */
  clear() {
    this.table = null;
    this.mayAsk = false;
    this.place();
  }

  /** Show what may be done about the seats; a panel that stays the same keeps its focus. */
  show({ game, table }, news) {
    this.table = table;
    this.mayAsk = table.is_host && !game.over;
    this.place();
    const isFree = table.seats.some((seat) => seat.is_free);
    const told = news && { watching: news.watching };
    const key = JSON.stringify([table, game.names, game.over, told, document.documentElement.lang]);
    if (key === this.shown) return;
    this.shown = key;
    const hadFocus = this.panel.contains(document.activeElement);
    this.summary.textContent = t(isFree ? "lobby_free" : "lobby");
    const isOffered = isFree && table.is_host;
    if (this.offered !== `${table.id} ${isOffered}`) this.panel.open = isOffered || this.isAsked();
    this.offered = `${table.id} ${isOffered}`;
    const seats = table.seats.map((_, seat) => this.seat(game, table, seat));
    this.panel.querySelector("div").replaceChildren(
      ...(table.sits ? [] : [make("p", {}, t("you_watch"))]),
      ...(table.is_host && isFree ? [make("p", { class: "note" }, t("link_warning"))] : []),
      ...seats.filter(Boolean),
      ...this.about(table, news));
    if (hadFocus && !this.panel.contains(document.activeElement)) this.summary.focus({ preventScroll: true });
  }

  about(table, news) {
    const parts = [];
    if (table.deal_is_chosen && !table.is_alone) parts.push(t("deal_was_chosen"));
    if (news?.watching) parts.push(t("watching", { count: news.watching }));
    const words = parts.length ? [make("p", { class: "note" }, parts.join(" "))] : [];
    if (!table.sits) return words;
    const address = addressOf(table, `/table/${table.id}`);
    return [...words, make("p", { class: "note" }, t("watch_link", { address }))];
  }

  /** A seat with its link and what may be done about it; nothing where that is nothing. */
  seat(game, table, seat) {
    const about = table.seats[seat];
    const parts = [...this.link(table, about, seat), ...this.doings(table, about, seat)];
    if (!parts.length && !about.is_away) return null;
    const name = about.is_away ? [make("span", { class: "note" }, t("is_away", { name: seatName(game, seat) }))]
      : [make("strong", {}, seatName(game, seat))];
    return make("div", { class: "chair" }, chip(seat), ...name, ...parts);
  }

  link(table, about, seat) {
    if (!about.code || (about.is_yours && table.is_alone)) return [];
    const address = addressOf(table, `/join/${about.code}`);
    const field = make("input", {
      readonly: true, value: address, "aria-label": about.is_yours ? t("my_link") : t("link_of_seat", { seat }),
      title: about.is_yours ? t("my_link") : null,
    });
    field.addEventListener("focus", () => field.select());
    const copy = make("button", { type: "button", class: "copy" }, t("copy"));
    copy.addEventListener("click", () => copyLink(field, copy));
    return [make("span", { class: "code" }, t("code_is", { code: spacedCode(about.code) })),
      make("span", { class: "link" }, field, copy)];
  }

  doings(table, about, seat) {
    const parts = [];
    const may = about.is_yours || table.is_host;
    if (about.is_person && may) parts.push(this.replacement(seat));
    if (about.is_yours && !about.is_person) parts.push(this.button("take_back_seat", seat, "human"));
    if (table.is_host && !about.is_person && !about.is_yours && !about.is_away) {
      parts.push(this.button("take_seat", seat, "human"));
    }
    if (table.is_host && !about.is_free) parts.push(this.button("offer_seat", seat, "open"));
    if (about.is_yours && about.is_person) parts.push(this.naming(seat));
    return parts;
  }

  button(words, seat, player) {
    const button = make("button", { type: "button", "data-seat": seat, "data-player": player }, t(words));
    button.addEventListener("click", () => this.wanted.seat(seat, player));
    return button;
  }

  replacement(seat) {
    const select = make("select", { "aria-label": t("agent_for_seat", { seat }), "data-seat": seat },
      make("option", { value: "" }, t("let_agent_play")),
      ...this.agents.map((agent) => make("option", { value: agent.name }, agent.title)));
    select.addEventListener("change", () => select.value && this.wanted.seat(seat, select.value));
    return select;
  }

  naming(seat) {
    const field = make("input", {
      maxlength: 24, placeholder: t("your_name"), "aria-label": t("name_of_seat", { seat }), autocomplete: "off",
    });
    const button = make("button", { type: "submit" }, t("rename"));
    const form = make("form", { class: "link" }, field, button);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (field.value.trim()) this.wanted.rename(seat, field.value);
    });
    return form;
  }
}

async function copyLink(field, button) {
  try {
    await navigator.clipboard.writeText(field.value);
  } catch { // no clipboard without TLS, where the page is not local
    field.select();
    document.execCommand("copy");
  }
  button.textContent = t("copied");
  setTimeout(() => { button.textContent = t("copy"); }, COPIED);
}

/** Show who asks to take a decision back, and whom; `wanted` answers it. */
export function showUndoRequest(home, { game, table }, answer) {
  const request = table.undo;
  home.hidden = !request;
  home.replaceChildren();
  if (!request) return;
  const name = seatName(game, request.seat);
  const names = request.waiting.map((seat) => seatName(game, seat)).join(t("and"));
  const button = (words, accepts, isMain) => {
    const made = make("button", { type: "button", class: isMain ? "main" : null }, t(words));
    made.addEventListener("click", () => answer(accepts));
    return made;
  };
  if (request.is_yours) home.append(t("undo_waits", { names }), " ", button("withdraw", false));
  else if (request.asks_you) {
    home.append(t("undo_asked", { name }), " ", button("accept", true, true), " ", button("decline", false));
  } else home.append(t("undo_others", { name, names }));
}
