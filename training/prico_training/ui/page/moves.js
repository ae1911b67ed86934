// The moves of the person whose turn it is, as buttons.

import { capital, make } from "./dom.js";
import { t } from "./messages.js";

const NUMBERED = 9; // moves that a key chooses

/** What all moves have in front in common, such as the name of the phase. */
export function commonHead(moves) {
  const head = moves[0]?.words.match(/^[^:]+: /)?.[0] ?? "";
  return moves.every((move) => move.words.startsWith(head)) ? head : "";
}

/**
 * Buttons for moves, without what they have in front in common. The first nine have the number that
 * chooses them.
 */
export function moveButtons(moves, onMove, hinted = null) {
  const head = commonHead(moves);
  return moves.map((move, place) => {
    const button = make("button", {
      type: "button", "data-action": move.action, "data-name": move.name, "data-explain": move.anchor || null,
    });
    button.append(make("span", {}, capital(move.words.slice(head.length)),
      ...(move.about ? [make("small", {}, move.about)] : [])));
    if (move.action === hinted) {
      button.classList.add("hinted-move");
      button.dataset.hint = t("hinted");
    }
    button.addEventListener("click", () => onMove(move));
    return place < NUMBERED ? numbered(button, place + 1) : button;
  });
}

/** Show the moves that are allowed, in a list; its room stays while there are none, so that nothing else moves. */
export function showMoves(section, game, legal, onMove, hinted) {
  section.hidden = game.over;
  section.classList.toggle("idle", game.legal.length === 0);
  const list = section.querySelector(":scope > ul");
  list.lang = game.language;
  list.replaceChildren(
    ...moveButtons(legal, onMove, hinted).map((button) => make("li", {}, button)));
}

function numbered(button, number) {
  button.setAttribute("aria-keyshortcuts", String(number));
  button.prepend(make("kbd", { "aria-hidden": "true" }, String(number)));
  return button;
}
