// The moves of the person whose turn it is, as buttons.

import { capital, make } from "./dom.js";
import { t } from "./messages.js";

const NUMBERED = 9; // moves that a key chooses

/** What all moves have in front in common, such as the name of the phase. */
export function commonHead(moves) {
  const head = moves[0]?.words.match(/^[^:]+: /)?.[0] ?? "";
  return moves.every((move) => move.words.startsWith(head)) ? head : "";
}

/** Buttons for moves, without what they have in front in common. */
export function moveButtons(moves, onMove, hinted = null) {
  const head = commonHead(moves);
  return moves.map((move) => {
    const button = make("button", {
      type: "button", "data-action": move.action, "data-name": move.name, "data-explain": move.anchor || null,
    });
    button.textContent = capital(move.words.slice(head.length));
    if (move.action === hinted) {
      button.classList.add("hinted-move");
      button.dataset.hint = t("hinted");
    }
    button.addEventListener("click", () => onMove(move));
    return button;
  });
}

/**
 * Show the moves that are allowed, in a list; its room stays while there are none, so that nothing
 * else moves. The first nine have the number that chooses them.
 */
export function showMoves(section, game, legal, onMove, hinted) {
  section.hidden = game.over;
  section.classList.toggle("idle", game.legal.length === 0);
  const list = section.querySelector(":scope > ul");
  list.lang = game.language;
  list.replaceChildren(
    ...moveButtons(legal, onMove, hinted).map((button, place) => make("li", {}, numbered(button, place))));
}

function numbered(button, place) {
  if (place >= NUMBERED) return button;
  button.setAttribute("aria-keyshortcuts", String(place + 1));
  button.prepend(make("kbd", { "aria-hidden": "true" }, String(place + 1)));
  return button;
}
