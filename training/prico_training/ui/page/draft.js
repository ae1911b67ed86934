// A draft: a run of small decisions that is prepared on the board and in a panel, and sent as one.
//
// The page keeps how many pieces are to be where. The server says how the board would look, what is
// wrong, and which decisions lead there; nothing changes in the game before the draft is done.

import { markPlaces, showBoard } from "./board.js";
import { capital, make } from "./dom.js";
import { t } from "./messages.js";

const ONE_BY_ONE = "prico-one-by-one";
const ON_CIRCLES = ["staffing", "handout", "guests"]; // others count pieces that are given or kept

/** The draft of the person whose turn it is, if the decision that waits is one of a run. */
export class DraftPanel {
  /**
   * @param {HTMLElement} home where the panel belongs
   * @param {HTMLElement} board where the drawing is
   * @param {{arrange: Function, suggest: Function, send: Function, show: Function}} wanted what is
   *   asked of the server, and `show` for when the page has to be shown anew
   */
  constructor(home, board, wanted) {
    this.home = home;
    this.board = board;
    this.wanted = wanted;
    this.version = null;
    this.draft = null;
    this.latest = Promise.resolve();
    this.asked = 0;
    this.isBusy = false;
  }

  /** Take what the server says of the table; a draft of the same decision is kept. */
  take(version, game) {
    const draft = game?.draft ?? null;
    const isSame = draft && this.draft && version === this.version && draft.kind === this.draft.kind;
    this.version = version;
    this.draft = draft;
    if (isSame) return;
    this.isWanted = false;
    this.steps = [];
    this.undone = [];
    this.unit = null;
    this.isBusy = false;
    this.begin();
  }

  begin() {
    const { draft } = this;
    this.counts = draft && { ...draft.counts };
    this.answer = draft && { problem: draft.problem, actions: draft.actions, moves: draft.moves, board: null };
    this.note = "";
  }

  /** Whether the panel is open: by itself where there is nothing else to decide. */
  get isOpen() {
    if (!this.draft) return false;
    return this.isWanted || (this.draft.is_all && localStorage.getItem(ONE_BY_ONE) !== "yes");
  }

  // -- numbers --------------------------------------------------------------------------------------

  /** How much is left of each pool. */
  hand() {
    const left = Object.fromEntries(this.draft.pools.map((pool) => [pool.name, pool.size]));
    for (const place of this.draft.places) {
      if (place.pool in left) left[place.pool] -= this.counts[place.key];
    }
    return left;
  }

  mayAdd(place) {
    const { rooms, places } = this.draft;
    const left = this.hand()[place.pool] ?? Infinity;
    const there = places.filter((one) => one.spot === place.spot)
      .reduce((sum, one) => sum + this.counts[one.key], 0);
    return left > 0 && this.counts[place.key] < place.most && there < (rooms[place.spot] ?? Infinity);
  }

  mayTake(place) {
    return this.counts[place.key] > place.least;
  }

  /** The place of a spot that a tap adds to, or takes from: that of the chosen unit, if it may be. */
  placeAt(spot, may) {
    const places = this.draft.places.filter((place) => place.spot === spot && may(place));
    return places.find((place) => place.unit === this.unit) ?? places[0];
  }

  set(counts, note = "") {
    this.steps.push(this.counts);
    this.undone = [];
    this.note = note;
    return this.arrange(counts);
  }

  /** Put or take a piece; where one is all there is to choose, that decides. */
  async change(place, by) {
    await this.set({ ...this.counts, [place.key]: this.counts[place.key] + by });
    if (by > 0 && this.draft?.is_single && !this.isBusy) this.done();
  }

  /** Give one more piece, or none again when there are no more to give. */
  cycle(place) {
    if (this.mayAdd(place)) return this.change(place, 1);
    return this.set({ ...this.counts, [place.key]: place.least });
  }

  /** Take the last step of the draft back; says whether there was one. */
  back() {
    if (!this.isOpen || !this.steps.length) return false;
    this.undone.push(this.counts);
    this.arrange(this.steps.pop());
    return true;
  }

  /** Do what was taken back again; says whether there was anything. */
  forth() {
    if (!this.isOpen || !this.undone.length) return false;
    this.steps.push(this.counts);
    this.arrange(this.undone.pop());
    return true;
  }

  // -- what the server says -------------------------------------------------------------------------

  /** Show new numbers at once, and the board as soon as the server has drawn it. */
  arrange(counts, fill = false) {
    this.counts = counts;
    this.answer = { ...this.answer, actions: null, moves: null, problem: "" };
    this.asked += 1;
    this.isBusy = true;
    const { asked, version } = this;
    this.showPanel();
    this.latest = this.wanted.arrange({ version, counts, fill }).then((answer) => {
      if (asked !== this.asked || version !== this.version) return;
      this.isBusy = false;
      if (answer) this.use(answer.draft);
    });
    return this.latest;
  }

  use(draft) {
    this.counts = draft.counts;
    this.answer = draft;
    this.show();
  }

  fill() {
    this.steps.push(this.counts);
    this.undone = [];
    this.note = "";
    return this.arrange(this.counts, true);
  }

  async suggest() {
    const { version } = this;
    const answer = await this.wanted.suggest({ version });
    if (!answer || version !== this.version) return;
    this.asked += 1; // what is still being drawn is not wanted any more
    this.isBusy = false;
    this.steps.push(this.counts);
    this.undone = [];
    this.note = [t("draft_by", { agent: answer.agent }), answer.note].join(" ").trim();
    this.use(answer.draft);
  }

  /** Send the draft; a board that is still being drawn is waited for. */
  async done() {
    const { version } = this;
    if (this.isBusy) await this.latest;
    if (version !== this.version || !this.answer.actions?.length) return;
    this.wanted.send(this.answer.actions);
  }

  // -- showing it -----------------------------------------------------------------------------------

  /** Show the panel and, if it is open, the board with what is drafted. */
  show() {
    this.showPanel();
    if (!this.isOpen) return;
    const spot = document.activeElement?.closest?.("#board [data-spot]")?.dataset.spot;
    if (this.answer.board) showBoard(this.board, this.answer.board, []);
    const places = ON_CIRCLES.includes(this.draft.kind) ? this.circles() : this.givers();
    markPlaces(this.board.querySelector("svg"), places);
    if (!spot) return;
    const twin = spot.replace(/:(add|take)$/, (_, mode) => (mode === "add" ? ":take" : ":add"));
    const at = (name) => this.board.querySelector(`[data-spot="${CSS.escape(name)}"]`);
    (at(spot) ?? at(twin))?.focus({ preventScroll: true });
  }

  /** The circles of each spot: those that are free take a unit, those that are not give one. */
  circles() {
    const spots = new Map(this.draft.places.map((place) => [place.spot, place]));
    return [...spots.values()].map(({ spot, anchor, title }) => {
      const places = this.draft.places.filter((place) => place.spot === spot);
      const count = places.reduce((sum, place) => sum + this.counts[place.key], 0);
      const adding = this.placeAt(spot, (place) => this.mayAdd(place));
      const taking = this.placeAt(spot, (place) => this.mayTake(place));
      return {
        anchor,
        count,
        isChanged: places.some((place) => this.counts[place.key] !== this.draft.before[place.key]),
        add: adding && {
          label: this.label("draft_more", adding, title), onPick: () => this.change(adding, 1),
        },
        take: taking && {
          label: this.label("draft_fewer", taking, title), onPick: () => this.change(taking, -1),
        },
      };
    });
  }

  /** Where pieces are kept or paid: a tap gives one more, and the one after the last none. */
  givers() {
    return this.draft.places.map((place) => ({
      anchor: place.anchor,
      count: 0,
      isChanged: this.counts[place.key] > 0,
      add: this.mayAdd(place) || this.mayTake(place)
        ? { label: this.label("draft_more", place, place.title), onPick: () => this.cycle(place) } : null,
    }));
  }

  label(key, place, title) {
    return t(key, { place: capital(title), unit: this.draft.units[place.unit] });
  }

  showPanel() {
    const { home, draft } = this;
    home.hidden = !draft;
    home.setAttribute("aria-busy", String(this.isBusy));
    home.parentElement.classList.toggle("drafting", this.isOpen);
    home.parentElement.querySelector("h2").textContent = this.isOpen ? capital(draft.title) : t("your_moves");
    if (!draft) {
      home.replaceChildren();
      return;
    }
    const held = home.contains(document.activeElement) ? document.activeElement.dataset.draft : null;
    home.replaceChildren(...(this.isOpen ? this.parts() : [this.opener()]));
    if (held) (home.querySelector(`[data-draft="${CSS.escape(held)}"]:not(:disabled)`)
      ?? home.querySelector("[data-draft]:not(:disabled)"))?.focus({ preventScroll: true });
  }

  opener() {
    return this.button("open", capital(this.draft.is_all ? t("draft_together") : this.draft.title), () => {
      localStorage.removeItem(ONE_BY_ONE);
      this.isWanted = true;
      this.wanted.show();
    });
  }

  parts() {
    const { draft, answer } = this;
    const list = make("ul", { class: "places" }, ...this.openPlaces().map((place) => this.row(place)));
    list.addEventListener("keydown", (event) => this.steer(event));
    const problem = make("p", { class: "problem", role: "status" }, answer.problem || this.note);
    problem.classList.toggle("wrong", Boolean(answer.problem) && !this.isBegun());
    return [
      ...(draft.rule ? [make("p", { class: "rule" }, draft.rule)] : []),
      make("div", { class: "hand" }, ...this.counters()),
      list,
      problem,
      this.review(),
      make("div", { class: "tools" }, ...this.tools()),
    ];
  }

  /** The places where there is anything to change: none for units of which there are none. */
  openPlaces() {
    const fixed = new Set(this.draft.pools.filter((pool) => !this.isOpenPool(pool)).map((one) => one.name));
    return this.draft.places.filter((place) => !fixed.has(place.pool) && place.least < place.most);
  }

  isOpenPool({ name, size }) {
    const places = this.draft.places.filter((place) => place.pool === name);
    return size > places.reduce((sum, place) => sum + place.least, 0);
  }

  /** Whether pieces are still in hand: then what is wrong is only that it is not finished. */
  isBegun() {
    const left = Object.values(this.hand());
    return left.some((count) => count > 0) && left.every((count) => count >= 0);
  }

  counters() {
    const hand = this.hand();
    if (!this.draft.pools.length) {
      const kept = Object.values(this.counts).reduce((sum, count) => sum + count, 0);
      const held = this.draft.places.reduce((sum, place) => sum + place.most, 0);
      return [make("output", {}, t("draft_kept", { kept, held }))];
    }
    const shown = this.draft.pools.filter((pool, place) => this.isOpenPool(pool) || place === 0)
      .map((pool) => [pool, this.counter(pool, hand[pool.name])]);
    if (shown.length === 1) return shown.map(([, words]) => make("output", {}, words));
    return shown.map(([pool, words]) => {
      const button = this.button(`unit-${pool.name}`, words, () => {
        this.unit = pool.name;
        this.show();
      });
      const active = this.unit ?? shown.find(([one]) => hand[one.name] > 0)?.[0].name;
      button.setAttribute("aria-pressed", String(active === pool.name));
      return button;
    });
  }

  counter(pool, count) {
    if (this.draft.kind === "payment") return t("draft_to_pay", { count });
    return t("draft_in_hand", { units: capital(pool.title), count });
  }

  row(place) {
    const { draft, counts } = this;
    const units = new Set(this.openPlaces().map((one) => one.unit));
    const unit = units.size > 1 && ON_CIRCLES.includes(draft.kind) ? ` · ${draft.units[place.unit]}` : "";
    const isChanged = counts[place.key] !== draft.before[place.key];
    const step = (name, sign, by, may) => {
      const label = this.label(by > 0 ? "draft_more" : "draft_fewer", place, place.title);
      const button = this.button(`${name}-${place.key}`, sign, () => this.change(place, by));
      button.setAttribute("aria-label", label);
      button.disabled = !may;
      return button;
    };
    const room = draft.rooms[place.spot] ?? place.most;
    return make("li", { class: isChanged ? "changed" : null, "data-place": place.key },
      make("span", { class: "words" }, capital(place.title), unit),
      step("fewer", "−", -1, this.mayTake(place)),
      make("span", { class: "number" }, `${counts[place.key]}/${room}`),
      step("more", "+", 1, this.mayAdd(place)));
  }

  review() {
    const moves = this.answer.moves ?? [];
    const review = make("details", { class: "review", open: this.isReviewed },
      make("summary", {}, t("draft_review", { count: moves.length })),
      make("ol", {}, ...moves.map((words) => make("li", {}, capital(words)))));
    review.addEventListener("toggle", () => {
      this.isReviewed = review.open;
    });
    return review;
  }

  tools() {
    const { draft } = this;
    const done = this.button("done", t("draft_done"), () => this.done());
    done.classList.add("main");
    done.disabled = Boolean(this.answer.problem) || this.answer.actions?.length === 0;
    return [
      done,
      this.button("fill", t("draft_fill"), () => this.fill()),
      this.button("suggest", t("draft_suggest"), () => this.suggest()),
      ...(draft.kind === "staffing"
        ? [this.button("before", t("draft_before"), () => this.set({ ...draft.before }))] : []),
      this.button("clear", t("draft_clear"), () => this.set({ ...draft.cleared })),
      this.button("list", t(draft.is_all ? "draft_single" : "draft_close"), () => this.close()),
    ];
  }

  /** Go back to the list of single moves. */
  close() {
    if (this.draft.is_all) localStorage.setItem(ONE_BY_ONE, "yes");
    this.isWanted = false;
    this.begin();
    this.wanted.show();
  }

  /** Arrows in the list: up and down to the places, left and right for fewer and more. */
  steer(event) {
    const at = event.target.closest("li");
    const to = { ArrowUp: at?.previousElementSibling, ArrowDown: at?.nextElementSibling }[event.key];
    const sign = { ArrowLeft: "fewer", ArrowRight: "more" }[event.key];
    if (!at || (!to && !sign && !(event.key in { ArrowUp: 1, ArrowDown: 1 }))) return;
    event.preventDefault();
    if (sign) at.querySelector(`[data-draft^="${sign}-"]`).click();
    else to?.querySelector("button:not(:disabled)")?.focus();
  }

  button(name, words, onClick) {
    const button = make("button", { type: "button", "data-draft": name }, words);
    button.addEventListener("click", onClick);
    return button;
  }
}
