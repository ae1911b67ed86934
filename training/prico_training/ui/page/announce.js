// What a screen reader says: once a turn, what others did since and what is asked, and the result.

import { capital } from "./dom.js";
import { t } from "./messages.js";
import { seatName } from "./seats.js";

const MOST = 8; // of what happened; more would only be waited through

let told = { key: "", entries: 0 };

/**
 * Say whose turn it is when it has come to a person, and how a game ended.
 *
 * @param {HTMLElement} home a live region
 * @param {object} game the game as the page has it
 * @param {string} status how the page says whose turn it is
 */
export function announce(home, game, status) {
  if (!game) return;
  const isDecided = game.over || game.waits_for_you;
  if (!isDecided) return;
  const key = `${game.over} ${game.turn} ${game.phase}`;
  const happened = game.log.slice(told.key ? told.entries : lastOwn(game) + 1)
    .filter((entry) => !game.yours.includes(entry.seat) && !entry.forced);
  const isNew = key !== told.key || happened.length > 0;
  told = { key, entries: game.log.length };
  if (!isNew) return;
  home.lang = game.language;
  home.textContent = [...since(game, happened), game.over ? result(game, status) : status].join(". ");
}

function lastOwn(game) {
  return game.log.findLastIndex((entry) => game.yours.includes(entry.seat));
}

function since(game, happened) {
  const shown = happened.slice(-MOST);
  const more = happened.length - shown.length;
  return [
    ...(more > 0 ? [t("happened_before", { count: more })] : []),
    ...shown.map((entry) => `${capital(seatName(game, entry.seat))}${t("colon")}${entry.words}`),
  ];
}

function result(game, status) {
  const { places, items } = game.result;
  const { points } = items.at(-1); // the total
  const order = places.map((_, seat) => seat).sort((one, other) => places[one] - places[other]);
  return [status, ...order.map((seat) => t("place_of", {
    place: places[seat], name: seatName(game, seat), points: points[seat],
  }))].join(". ");
}
