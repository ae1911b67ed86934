// Keys: what each does, and the dialog that lists them.

import { make } from "./dom.js";
import { isShown } from "./focus.js";
import { t } from "./messages.js";

const ARROWS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** All keys as they are listed: how they are written, and the message that says what they do. */
const LISTED = [
  [["1", "…", "9"], "key_move"],
  [["↑", "↓", "←", "→"], "key_arrows"],
  [["Enter"], "key_enter"],
  [["h"], "key_hint"],
  [["u"], "key_undo", ["Ctrl", "Z"]],
  [["Ctrl", "Shift", "Z"], "key_redo", ["Ctrl", "Y"]],
  [["?"], "key_explain"],
  [["k"], "key_list"],
  [["Esc"], "key_close"],
];

/**
 * Listen to keys.
 *
 * @param {{hint: Function, undo: Function, redo: Function, explain: (target: Element) => void,
 *   close: () => boolean}} wanted what the keys of a game do; `close` says whether there was
 *   anything to close
 */
export function listenToKeys(wanted) {
  const dialog = document.querySelector("#keys");
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.isComposing || isTyping(event.target)) return;
    const isOpen = document.querySelector("dialog[open]");
    if (isOpen) return; // a dialog has keys of its own
    const command = event.ctrlKey || event.metaKey ? withControl(event, wanted) : plain(event, wanted);
    if (!command) return;
    event.preventDefault();
    command();
  });
  dialog.querySelector("dl").replaceChildren(...list());
  document.querySelector("#open-keys").addEventListener("click", () => dialog.showModal());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
}

function withControl(event, wanted) {
  const key = event.key.toLowerCase();
  if (key === "z") return event.shiftKey ? wanted.redo : wanted.undo;
  return key === "y" && !event.shiftKey ? wanted.redo : null;
}

function plain(event, wanted) {
  const { key, target } = event;
  if (/^[1-9]$/.test(key)) return moveOfNumber(Number(key));
  if (key in ARROWS) return step(target, key);
  if (event.repeat) return null;
  switch (key) {
    case "h": return wanted.hint;
    case "u": return wanted.undo;
    case "k": return () => document.querySelector("#keys").showModal();
    case "?": return wanted.explain ? () => wanted.explain(target) : null;
    case "Escape": return wanted.close() ? () => {} : null;
    default: return null;
  }
}

/** The n-th move of the menu of a place, if it is open, or of the list. */
function moveOfNumber(number) {
  const button = moves()[number - 1];
  return button ? () => button.click() : null;
}

function moves() {
  const menu = document.querySelector("#menu:popover-open");
  const home = menu ?? document.querySelector("#moves");
  return [...home.querySelectorAll("button[data-action]")].filter(isShown);
}

/** Go to the next or the one before of what the focus is among: moves, or places of the board. */
function step(target, key) {
  if (target.closest?.("#log")) return null; // it scrolls
  const isOnBoard = target.closest?.("#board");
  const among = isOnBoard
    ? [...document.querySelectorAll("#board :is(.legal, [data-compact], [data-place])")].filter(isShown)
    : moves();
  if (!among.length) return null;
  const at = among.findIndex((one) => one.contains(target));
  if (isOnBoard && at >= 0) {
    const next = nearest(among[at], among, key);
    return () => next?.focus();
  }
  const next = at < 0 ? (ARROWS[key] > 0 ? 0 : among.length - 1) : at + ARROWS[key];
  return () => among[(next + among.length) % among.length].focus();
}

/** The place of the board that lies nearest in the direction of an arrow. */
function nearest(from, among, key) {
  const isLevel = key === "ArrowLeft" || key === "ArrowRight";
  const middle = (one) => {
    const box = one.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const start = middle(from);
  let best = null;
  let least = Infinity;
  for (const one of among) {
    const { x, y } = middle(one);
    const along = (isLevel ? x - start.x : y - start.y) * ARROWS[key];
    const across = Math.abs(isLevel ? y - start.y : x - start.x);
    const far = along + 2 * across;
    if (one !== from && along > 1 && far < least) [best, least] = [one, far];
  }
  return best;
}

function isTyping(target) {
  return Boolean(target.closest?.("input:not([type=checkbox]), select, textarea, [contenteditable]"));
}

function list() {
  return LISTED.flatMap(([keys, message, other]) => [
    make("dt", {}, ...written(keys), ...(other ? [t("or"), ...written(other)] : [])),
    make("dd", {}, t(message)),
  ]);
}

function written(keys) {
  const isChord = keys[0] === "Ctrl";
  return keys.flatMap((key, place) => [
    ...(place ? [isChord ? " + " : " "] : []), make("kbd", {}, key),
  ]);
}
