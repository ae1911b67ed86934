// The final score.

import { capital, chip, make } from "./dom.js";
import { inLanguage, t } from "./messages.js";
import { seatName } from "./seats.js";

/** Show the final score as a table, who won first; nothing while the game goes on. */
export function showResult(section, game, table) {
  section.hidden = !game.result;
  if (!game.result) return;
  const { items, places } = game.result;
  const order = places.map((_, seat) => seat).sort((one, other) => places[one] - places[other]);
  const row = (title, cells) => make(
    "tr", {}, make("th", { scope: "row" }, title), ...cells.map((cell) => make("td", {}, String(cell))));
  const head = make("tr", {}, make("td"), ...order.map((seat) =>
    make("th", { scope: "col" }, chip(seat), make("span", { class: "sr-only" }, seatName(game, seat)))));
  const lines = items.slice(0, -1);
  const total = items.at(-1);
  const title = make("h2", { id: "result-title", tabindex: "-1" }, t("final_score"));
  section.replaceChildren(title, make("table", {},
    make("thead", {}, head),
    make("tbody", {}, ...lines.map((item) =>
      row(capital(item.title), order.map((seat) => item.points[seat])))),
    make("tfoot", {}, row(capital(total.title), order.map((seat) => total.points[seat])),
      row(t("place"), order.map((seat) => places[seat])))), replayLink(table));
}

/** The way to the replay of a game that is over; making it takes a few seconds, which it says. */
function replayLink(table) {
  const href = inLanguage(`/replay?table=${encodeURIComponent(table.id)}`);
  const link = make("a", { id: "replay", class: "button", href }, t("replay_open"));
  link.addEventListener("click", () => { link.textContent = t("replay_opening"); });
  addEventListener("pagehide", () => { link.textContent = t("replay_open"); }, { once: true });
  return make("p", {}, link);
}
