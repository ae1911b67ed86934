// What happened so far.

import { chip, make } from "./dom.js";
import { t } from "./messages.js";
import { commonHead } from "./moves.js";

const NEAR = 24; // pixels from the end of the log within which it goes on by itself

const unfolded = new Set(); // the first entries of the folds that somebody has opened
let follows = true; // whether what is new is scrolled to

/** Let the log stay at its end, however high it is, until somebody scrolls up in it. */
export function followLog(log) {
  log.addEventListener("scroll", () => {
    follows = log.scrollTop + log.clientHeight >= log.scrollHeight - NEAR;
  });
  new ResizeObserver(() => toEnd(log)).observe(log);
}

function toEnd(log) {
  if (follows) log.scrollTop = log.scrollHeight;
}

/** Show all decisions by round, those since the last one of this browser marked. */
export function showLog(game, log) {
  const own = game.yours.length
    ? game.log.findLastIndex((entry) => game.yours.includes(entry.seat) && !entry.forced)
    : game.log.length - 1;
  const place = log.scrollTop;
  log.lang = game.language;
  log.replaceChildren(...paragraphs(game.log, own));
  // Who has scrolled up reads there; only who is at the end sees what is new at once.
  log.scrollTop = place;
  toEnd(log);
}

/** The rounds with their decisions; those made as one are folded, and those without a choice. */
function paragraphs(entries, own) {
  const parts = [];
  let round = 0;
  let fold = null;
  for (const entry of entries) {
    if (entry.round !== round) {
      round = entry.round;
      fold = null;
      parts.push(make("p", { class: "round" }, round > 0 ? t("round", { round }) : t("before_first_round")));
    }
    const together = entry.group === null
      ? [] : entries.filter((one) => one.group === entry.group);
    if (together.length > 1) {
      fold = null;
      if (entry === together[0]) parts.push(asOne(together, own));
      continue;
    }
    const line = paragraph(entry, own);
    if (!entry.forced) {
      fold = null;
      parts.push(line);
      continue;
    }
    if (!fold) {
      fold = folded(entry.number);
      parts.push(fold);
    }
    fold.append(line);
    const count = fold.children.length - 1;
    fold.firstChild.textContent = t(count === 1 ? "forced_one" : "forced_many", { count });
  }
  return parts;
}

/** Decisions that were made as one, in a line: what all have in front in common, then each. */
function asOne(entries, own) {
  const group = folded(entries[0].number);
  const head = commonHead(entries);
  const words = head + entries.map((entry) => entry.words.slice(head.length)).join(", ");
  const summary = group.firstChild;
  summary.append(chip(entries[0].seat), make("span", { class: "words" }, words));
  summary.title = t("made_as_one", { count: entries.length });
  group.classList.add("group");
  group.classList.toggle("new", entries.at(-1).number >= own && own >= 0);
  group.append(...entries.map((entry) => paragraph(entry, own)));
  return group;
}

function paragraph(entry, own) {
  const names = ["entry", entry.number >= own && own >= 0 ? "new" : "", entry.forced ? "forced" : ""];
  return make("p", { class: names.join(" ").trim() }, chip(entry.seat),
    make("span", { class: "words" }, entry.words));
}

function folded(first) {
  const fold = make("details", { class: "fold", open: unfolded.has(first) },
    make("summary", { title: t("nothing_else") }));
  fold.addEventListener("toggle", () => {
    if (fold.open) unfolded.add(first);
    else unfolded.delete(first);
  });
  return fold;
}
