// Puzzles: a position, its moves, and what is said to the one that somebody chooses.

import { layout, onLayoutChange, showBoard, showHint } from "./board.js";
import { capital, make } from "./dom.js";
import { Cards, offerPlaces } from "./explain.js";
import { inLanguage, language as spoken, listLanguages, loadMessages, t } from "./messages.js";
import { moveButtons, showMoves } from "./moves.js";

const REMEMBERED = "prico-puzzles";
const $ = (id) => document.getElementById(id);

let puzzle = null;
let cards = null; // what explains the board
let verdict = null; // what was said to the answer, if there was one
let chosen = null;
let kind = "";
let isJudging = false; // an answer is under way
let asked = 0; // requests; only the newest one is shown

async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  const response = await fetch(inLanguage(path), options).catch(() => {
    throw new Error(t("no_answer"));
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error ?? t("strange_answer", { status: response.status }));
  return answer;
}

/** Whether each puzzle was answered rightly the first time, by its key; kept in the browser. */
function answers() {
  try {
    return JSON.parse(localStorage.getItem(REMEMBERED)) ?? {};
  } catch {
    return {};
  }
}

const withKind = (path) => `${path}${path.includes("?") ? "&" : "?"}${kind ? `kind=${kind}&` : ""}layout=${layout()}`;

/** Show a puzzle by its number; without one, the first that was not answered yet. */
async function show(number = null) {
  asked += 1;
  const mine = asked;
  try {
    let found = await ask(withKind(`/api/puzzle?number=${number ?? 0}`));
    const known = answers();
    const next = found.keys.findIndex((key) => !(key in known));
    if (number === null && next > 0) found = await ask(withKind(`/api/puzzle?number=${next}`));
    if (mine !== asked) return;
    if (found.number !== puzzle?.number || found.keys[0] !== puzzle?.keys[0]) [verdict, chosen] = [null, null];
    puzzle = found;
    showError("");
    draw();
  } catch (error) {
    showError(error.message);
  }
}

function draw() {
  const { number, keys, about, legal, language } = puzzle;
  showBoard($("board"), puzzle.board, verdict ? [] : legal, pickPlace);
  const best = legal.find((move) => move.action === verdict?.best);
  if (best) showHint($("board"), best.anchor);
  $("title").textContent = t("puzzle_title", { number: number + 1, count: keys.length });
  $("about").textContent = about;
  $("about").lang = language;
  showMoves($("moves"), { over: false, legal, language }, legal, answer, best?.action);
  for (const button of $("moves").querySelectorAll("button")) {
    button.disabled = verdict !== null;
    if (Number(button.dataset.action) === best?.action) button.dataset.hint = t("puzzle_best");
    button.classList.toggle("chosen", !verdict?.right && Number(button.dataset.action) === chosen);
  }
  offerPlaces($("board"), puzzle);
  cards.renew(`${keys[number]} ${spoken()}`);
  showKinds();
  showScore();
  showVerdict();
  $("back").disabled = number === 0;
  $("forward").disabled = number === keys.length - 1;
}

function showKinds() {
  const every = make("option", { value: "" }, t("puzzle_every_kind"));
  $("kind").replaceChildren(every, ...puzzle.kinds.map(({ name, words }) => make("option", { value: name }, words)));
  $("kind").value = kind;
}

function showScore() {
  const known = answers();
  const done = puzzle.keys.filter((key) => key in known);
  const right = done.filter((key) => known[key]).length;
  $("score").textContent = done.length ? t("puzzle_score", { right, asked: done.length }) : "";
}

function showVerdict() {
  const home = $("verdict");
  home.className = verdict ? (verdict.right ? "right" : "wrong") : "";
  home.lang = puzzle.language;
  if (!verdict) {
    home.replaceChildren();
    return;
  }
  const next = make("button", { type: "button", class: "main" }, t("puzzle_forward"));
  next.addEventListener("click", () => show(puzzle.number + 1));
  next.hidden = puzzle.number === puzzle.keys.length - 1;
  home.replaceChildren(
    make("strong", {}, verdict.headline),
    make("ul", {}, ...verdict.reasons.map((reason) => make("li", {}, reason))),
    next,
  );
}

async function answer(move) {
  if (verdict || isJudging) return;
  const key = puzzle.keys[puzzle.number];
  isJudging = true;
  for (const button of $("moves").querySelectorAll("button")) button.disabled = true;
  try {
    const said = await ask(withKind("/api/puzzle_answer"), { number: puzzle.number, action: move.action });
    if (key !== puzzle.keys[puzzle.number]) return;
    [verdict, chosen] = [said, move.action];
    const known = answers();
    known[key] ??= said.right;
    localStorage.setItem(REMEMBERED, JSON.stringify(known));
    showError("");
    draw();
    $("verdict").querySelector("button:not([hidden])")?.focus({ preventScroll: true });
  } catch (error) {
    draw();
    showError(error.message);
  } finally {
    isJudging = false;
  }
}

function pickPlace(moves, spot) {
  if (moves.length === 1) {
    answer(moves[0]);
    return;
  }
  const menu = $("menu");
  menu.lang = puzzle.language;
  menu.replaceChildren(...moveButtons(moves, (move) => {
    menu.hidePopover();
    answer(move);
  }));
  menu.showPopover();
  const at = spot.getBoundingClientRect();
  menu.style.left = `${Math.max(8, Math.min(at.left, innerWidth - menu.offsetWidth - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(at.bottom + 4, innerHeight - menu.offsetHeight - 8))}px`;
  menu.querySelector("button").focus();
}

function showError(words) {
  $("error").hidden = !words;
  $("error").querySelector("span").textContent = capital(words);
}

function listenToKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    if (event.key === "?") cards.open(event.target);
    if (event.key === "Escape") cards.close();
    const button = $("moves").querySelector(`[aria-keyshortcuts="${CSS.escape(event.key)}"]`);
    if (button && !button.disabled) button.click();
  });
}

async function start() {
  await loadMessages();
  listLanguages($("language"), async () => {
    const [number, move] = [puzzle.number, chosen];
    verdict = null;
    await show(number);
    if (move !== null) answer({ action: move });
  });
  $("kind").addEventListener("change", () => {
    kind = $("kind").value;
    puzzle = null;
    show();
  });
  $("back").addEventListener("click", () => show(puzzle.number - 1));
  $("forward").addEventListener("click", () => show(puzzle.number + 1));
  $("error").querySelector("button").addEventListener("click", () => showError(""));
  onLayoutChange(() => show(puzzle?.number ?? null));
  cards = new Cards($("card"), [$("board"), $("moves"), $("menu"), $("about")], (anchor) =>
    ask(withKind(`/api/puzzle_card?number=${puzzle.number}&anchor=${encodeURIComponent(anchor)}`)));
  listenToKeys();
  await show();
}

start().catch((error) => showError(error.message));
