// Who plays, and what happened so far.

import { chip, make } from "./dom.js";
import { t } from "./messages.js";
import { PERSON, seatName } from "./seats.js";

/** Show the seats, and all decisions by round, those since the last one of a person marked. */
export function showLog(game, seats, log) {
  seats.replaceChildren(...game.players.map((_, seat) => make(
    "li", { class: seat === game.turn ? "turn" : null }, chip(seat), ` ${seatName(game, seat)}`)));
  const own = game.players.includes(PERSON)
    ? game.log.findLastIndex((entry) => game.players[entry.seat] === PERSON && !entry.forced)
    : game.log.length - 1;
  const parts = [];
  let round = 0;
  for (const entry of game.log) {
    if (entry.round !== round) {
      round = entry.round;
      parts.push(make("p", { class: "round" }, round > 0 ? t("round", { round }) : t("before_first_round")));
    }
    const names = ["entry", entry.number >= own && own >= 0 ? "new" : "", entry.forced ? "forced" : ""];
    const words = make("span", { class: "words" }, entry.words);
    const line = make("p", { class: names.join(" ").trim() }, chip(entry.seat), words);
    if (entry.forced) {
      line.append(make("span", { class: "tag", title: t("nothing_else") }, t("forced")));
    }
    parts.push(line);
  }
  log.lang = game.language;
  log.replaceChildren(...parts);
  log.scrollTop = log.scrollHeight;
}
