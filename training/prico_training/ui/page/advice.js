// What an agent advises.

import { bar, capital, make, percent } from "./dom.js";
import { t } from "./messages.js";
import { commonHead } from "./moves.js";
import { seatName } from "./seats.js";

const SHOWN_CANDIDATES = 6;

/** Show a hint: the move, its reasons, the moves that were weighed, and the chances to win. */
export function showAdvice(home, game, hint) {
  const parts = [make("p", {}, make("strong", {}, `${hint.agent}${t("colon")}`), hint.words)];
  if (hint.note) parts.push(make("p", { class: "note" }, hint.note));
  if (hint.reasons.length) {
    parts.push(make("ul", { class: "reasons" }, ...hint.reasons.map((reason) => make("li", {}, reason))));
  }
  if (hint.candidates.length > 1) parts.push(...candidateList(hint));
  if (hint.chances.length) {
    parts.push(make("h2", {}, t("chance_now")));
    parts.push(make("ul", { class: "bars" }, ...hint.chances.map((chance, seat) => {
      const line = bar(chance, { class: `seat-${seat}` });
      line.prepend(make("span", { class: "words" }, seatName(game, seat)),
        make("span", { class: "number" }, percent(chance)));
      return line;
    })));
  }
  home.replaceChildren(...parts);
}

/** The moves that were weighed, the best first: by share, or by chance to win, or in order only. */
function candidateList(hint) {
  const shown = hint.candidates.slice(0, SHOWN_CANDIDATES);
  const hasShares = shown.some((one) => one.share != null);
  const hasChances = shown.some((one) => one.chances.length);
  const head = commonHead(hint.candidates);
  const list = make("ol", { class: "bars" }, ...shown.map((one) => {
    const words = make("span", { class: "words" }, capital(one.words.slice(head.length)));
    const chance = one.chances[hint.seat] ?? null;
    const figures = [one.share, chance].filter((figure) => figure != null);
    const line = figures.length ? bar(figures[0], {}) : make("li");
    line.classList.toggle("chosen", one.action === hint.action);
    line.prepend(words, ...figures.map((figure) => make("span", { class: "number" }, percent(figure))));
    return line;
  }));
  let title = "best_first";
  if (hasShares) title = "favours";
  else if (hasChances) title = "chance_after";
  const more = hint.candidates.length - shown.length;
  return [
    make("h2", {}, t(title)),
    ...(hasShares && hasChances ? [make("p", { class: "legend" }, t("and_chance_after"))] : []),
    list,
    ...(more > 0 ? [make("p", { class: "legend" }, t("and_more", { count: more }))] : []),
  ];
}
