// The moves of the person whose turn it is, as buttons.

import { capital, make } from "./dom.js";
import { t } from "./messages.js";

/** What all moves have in front in common, such as the name of the phase. */
export function commonHead(moves) {
  const head = moves[0]?.words.match(/^[^:]+: /)?.[0] ?? "";
  return moves.every((move) => move.words.startsWith(head)) ? head : "";
}

/** Buttons for moves, without what they have in front in common. */
export function moveButtons(moves, onMove, hinted = null) {
  const head = commonHead(moves);
  return moves.map((move) => {
    const button = make("button", { type: "button", "data-action": move.action });
    button.textContent = capital(move.words.slice(head.length));
    if (move.action === hinted) {
      button.classList.add("hinted-move");
      button.dataset.hint = t("hinted");
    }
    button.addEventListener("click", () => onMove(move));
    return button;
  });
}

/** Show the moves that are allowed, in a list; nothing if there are none. */
export function showMoves(section, game, onMove, hinted) {
  section.hidden = game.legal.length === 0;
  const list = section.querySelector("ul");
  list.lang = game.language;
  list.replaceChildren(
    ...moveButtons(game.legal, onMove, hinted).map((button) => make("li", {}, button)));
}
