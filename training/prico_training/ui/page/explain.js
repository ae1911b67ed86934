// Cards that explain what is on the board: what a place does, costs and would bring, and why not.

import { make } from "./dom.js";
import { has, language, t } from "./messages.js";

const HOVER = 350; // milliseconds that a mouse rests on a place before its card shows
const FOCUS = 700; // the same for the focus, which passes many places on its way
const LEAVE = 200; // in which a mouse may go from a place to its card
const PRESS = 500; // of a finger that stays where it is
const GAP = 10; // pixels between a place and its card
const RULES_LANGUAGE = "en"; // what the rulebook is written in
const EDGE = 8; // pixels between a card and the edge of the window

/**
 * Shows a card at a time: beside the place that it is about, and never over it.
 *
 * Whoever rests on a place is shown its card until they go on. A card that was asked for, by a key,
 * a tap or a long press, stays until it is closed; it has the rules in full, and takes the focus.
 */
export class Cards {
  /**
   * @param {HTMLElement} card where cards are written
   * @param {HTMLElement[]} homes what has places: elements with data-anchor or data-explain
   * @param {(anchor: string) => Promise<{version: number, card: object}>} ask gets a card
   */
  constructor(card, homes, ask) {
    Object.assign(this, { card, ask });
    this.kept = new Map();
    this.version = null;
    this.place = null; // the element that the card is about
    this.before = null; // what had the focus before the card took it
    this.isAsked = false; // whether it stays until it is closed
    this.timer = 0;
    this.press = 0;
    for (const home of homes) this.#listen(home);
    card.addEventListener("pointerenter", () => clearTimeout(this.timer));
    card.addEventListener("pointerleave", () => this.#leave());
    card.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      this.close();
    });
    document.addEventListener("pointerdown", (event) => {
      if (this.isOpen && !card.contains(event.target)) this.close(false);
    }, { capture: true });
    for (const gone of ["scroll", "resize"]) {
      window.addEventListener(gone, ({ target }) => {
        if (target === window || !card.contains(target)) this.close(false);
      }, { capture: true, passive: true });
    }
  }

  get isOpen() {
    return this.card.matches(":popover-open");
  }

  /** Take note that the table has changed: cards of before are not true any more. */
  renew(version) {
    if (version !== this.version) this.kept.clear();
    this.version = version;
    clearTimeout(this.timer);
    if (this.place && !this.place.isConnected) {
      const same = placeOf(this.place) && find(placeOf(this.place));
      if (same && this.isAsked) this.#show(same, true);
      else this.close(false);
    }
  }

  /** Explain what an element is about, or its part of the board; else what is decided now. */
  open(target) {
    this.#show(placeAt(target) ?? document.querySelector("[data-explain=phase]"), true);
  }

  /** Close the card; says whether one was open. */
  close(hasFocus = this.card.contains(document.activeElement)) {
    clearTimeout(this.timer);
    clearTimeout(this.press);
    if (!this.isOpen) return false;
    const { place, before } = this;
    this.card.hidePopover();
    describe(place, false);
    this.place = null;
    const back = before?.isConnected ? before : place?.isConnected && focusable(place);
    if (hasFocus && back) back.focus({ preventScroll: true });
    return true;
  }

  #listen(home) {
    home.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") this.#rest(event.target, HOVER);
    });
    home.addEventListener("pointerout", (event) => {
      if (event.pointerType === "mouse") this.#leave();
    });
    home.addEventListener("focusin", (event) => {
      if (event.target.matches("#board :focus-visible")) this.#rest(event.target, FOCUS);
    });
    home.addEventListener("focusout", () => this.#leave());
    home.addEventListener("click", (event) => {
      const place = placeAt(event.target);
      if (this.wasPressed) event.stopPropagation();
      else if (place && !isMove(event.target)) this.#show(place, true);
      this.wasPressed = false;
    }, { capture: true });
    this.#listenToFingers(home);
  }

  /** A finger that stays explains a place where a tap would decide. */
  #listenToFingers(home) {
    const end = () => clearTimeout(this.press);
    home.addEventListener("pointerdown", (event) => {
      this.wasPressed = false;
      const place = placeAt(event.target);
      if (event.pointerType === "mouse" || !place) return;
      clearTimeout(this.press);
      this.press = setTimeout(() => {
        this.wasPressed = true; // the click that follows is none
        this.#show(place, true);
      }, PRESS);
    });
    for (const name of ["pointerup", "pointercancel", "pointermove", "pointerleave"]) {
      home.addEventListener(name, (event) => {
        if (name !== "pointermove" || Math.hypot(event.movementX, event.movementY) > 6) end();
      });
    }
    home.addEventListener("contextmenu", (event) => {
      if (event.pointerType !== "mouse" && placeAt(event.target)) event.preventDefault();
    });
  }

  /** Show the card of a place if somebody stays on it. */
  #rest(target, delay) {
    const place = placeAt(target);
    if (!place || (this.isOpen && this.isAsked)) return;
    clearTimeout(this.timer);
    if (this.isOpen && place === this.place) return;
    this.timer = setTimeout(() => this.#show(place, false), delay);
  }

  #leave() {
    if (this.isAsked && this.isOpen) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.close(false), LEAVE);
  }

  async #show(place, isAsked) {
    clearTimeout(this.timer);
    if (!place) return;
    const anchor = placeOf(place);
    describe(this.place, false);
    Object.assign(this, { place, isAsked });
    const found = await this.#get(anchor).catch((error) => ({ error: error.message }));
    if (this.place !== place || !place.isConnected) return;
    this.#write(found, isAsked);
    if (!this.isOpen) this.card.showPopover();
    this.#lay(place);
    describe(place, true);
    if (!isAsked) return;
    const active = document.activeElement;
    if (!this.card.contains(active)) this.before = active === document.body ? null : active;
    this.card.focus({ preventScroll: true });
  }

  async #get(anchor) {
    const { version } = this;
    if (!this.kept.has(anchor)) {
      const answer = await this.ask(anchor);
      if (version !== this.version) return this.#get(anchor);
      this.kept.set(anchor, answer.card);
    }
    return this.kept.get(anchor);
  }

  #write(found, isAsked) {
    const { card } = this;
    card.setAttribute("role", isAsked ? "dialog" : "tooltip");
    card.classList.toggle("asked", isAsked);
    if (found.error) {
      card.replaceChildren(make("p", { id: "card-title" }, found.error));
      return;
    }
    card.replaceChildren(...parts(found, isAsked, () => this.close(true)));
  }

  /** Lay the card beside its place: where there is most room for it, on that side. */
  #lay(place) {
    const { card } = this;
    const at = focusable(place).getBoundingClientRect();
    const { clientWidth: wide, clientHeight: high } = document.documentElement;
    card.style.maxHeight = "";
    const rooms = {
      right: wide - at.right, left: at.left, below: high - at.bottom, above: at.top,
    };
    const fits = (side) => rooms[side] >= GAP + EDGE
      + (side === "right" || side === "left" ? card.offsetWidth : card.offsetHeight);
    const most = rooms.below >= rooms.above ? "below" : "above";
    const side = ["right", "left", "below", "above"].find(fits) ?? most;
    if (side === "below" || side === "above") {
      card.style.maxHeight = `${Math.max(80, rooms[side] - GAP - EDGE)}px`;
    }
    const { offsetWidth: width, offsetHeight: height } = card;
    const left = { right: at.right + GAP, left: at.left - GAP - width }[side] ?? at.left;
    const top = { below: at.bottom + GAP, above: at.top - GAP - height }[side] ?? at.top;
    card.style.left = `${Math.max(EDGE, Math.min(left, wide - width - EDGE))}px`;
    card.style.top = `${Math.max(EDGE, Math.min(top, high - height - EDGE))}px`;
    card.dataset.side = side;
  }
}

/** Make the places of a board reachable by arrow keys, and one of them by Tab. */
export function offerPlaces(board, game) {
  let isFirst = true;
  for (const place of board.querySelectorAll("[data-anchor]")) {
    if (place.querySelector("[data-spot][tabindex]")) continue; // it has a button of its own
    place.dataset.place = place.dataset.anchor;
    place.setAttribute("tabindex", isFirst ? "0" : "-1");
    isFirst = false;
    place.setAttribute("role", "button");
    place.setAttribute("aria-haspopup", "dialog");
    place.setAttribute("aria-label", wordsOf(place) || nameOf(place.dataset.anchor, game));
    place.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        place.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      }
    });
  }
}

function wordsOf(place) {
  return [...place.querySelectorAll("text")].map((one) => one.textContent).join(" ");
}

/** What a place is called that has no words: the island of somebody, their barrels of a kind. */
function nameOf(anchor, game) {
  const [kind, seat, ...rest] = anchor.split("-");
  const key = has(`place_${kind}`) ? `place_${kind}` : "place_other";
  const home = t(key, { name: game.names[seat] ?? "" });
  const tile = game.tiles[rest.at(-1) ?? seat];
  return tile ? `${home}${t("colon")}${tile}` : home;
}

function placeAt(target) {
  return target.closest?.("[data-anchor], [data-explain]");
}

function placeOf(place) {
  return place.dataset.anchor ?? place.dataset.explain;
}

/** Whether a click on it decides something, or opens something of its own. */
function isMove(target) {
  return Boolean(target.closest("[data-spot][tabindex], button"));
}

function find(anchor) {
  return document.querySelector(`#board [data-anchor="${CSS.escape(anchor)}"]`);
}

/** What of a place can have the focus: the mark of where something can be done, or itself. */
function focusable(place) {
  return place.querySelector?.("[data-spot][tabindex]") ?? place;
}

function describe(place, isShown) {
  if (!place) return;
  if (isShown) focusable(place).setAttribute("aria-describedby", "card");
  else focusable(place).removeAttribute("aria-describedby");
}

function parts(found, isAsked, close) {
  const list = (name, lines) => lines.length ? [make("ul", { class: name }, ...lines)] : [];
  return [
    ...(isAsked ? [closing(close)] : []),
    make("h3", { id: "card-title" }, found.title, " ", make("small", {}, found.sort)),
    ...found.effect.map((line) => make("p", {}, line)),
    ...(found.facts.length ? [make("dl", {}, ...found.facts.flatMap(({ label, value }) =>
      [make("dt", {}, label), make("dd", {}, value)]))] : []),
    ...list("outcomes", found.outcomes.map(outcome)),
    ...list("refusals", found.refusals.map(({ words, reason }) =>
      make("li", {}, ...(words ? [make("b", {}, words), t("colon")] : []), reason))),
    ...(found.rules.length ? [rules(found.rules, isAsked)] : []),
  ];
}

function closing(close) {
  const button = make("button", { type: "button", "aria-label": t("card_close") }, "✕");
  button.addEventListener("click", close);
  return button;
}

function outcome({ words, changes, notes }) {
  const line = make("li", {}, make("b", {}, words));
  if (changes.length) line.append(t("colon"), ...changes.flatMap((change, place) =>
    [place ? ", " : "", make("span", { class: change.startsWith("+") ? "gain" : "cost" }, change)]));
  if (notes.length) line.append(make("span", { class: "note" }, notes.join(" ")));
  return line;
}

function rules(found, isAsked) {
  if (!isAsked) return make("p", { class: "more" }, t("card_more"));
  const note = language() === RULES_LANGUAGE ? [] : [make("p", { class: "more" }, t("card_rules_language"))];
  const texts = make("dl", { lang: RULES_LANGUAGE, class: "rules" },
    ...found.flatMap(({ number, text }) =>
      [make("dt", {}, number), make("dd", {}, text.replaceAll(/\*\*|`/g, ""))]));
  return make("details", {}, make("summary", {}, t("card_rules")), ...note, texts);
}
