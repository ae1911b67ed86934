// A person at the table. All state is on the server; this page shows it and says what is wanted.

import { showAdvice } from "./advice.js";
import { announce } from "./announce.js";
import { Connection, named, untilReady } from "./connection.js";
import { layout, onLayoutChange, showBoard, showHint } from "./board.js";
import { capital, make } from "./dom.js";
import { DraftPanel } from "./draft.js";
import { Cards, offerPlaces } from "./explain.js";
import { keepFocus } from "./focus.js";
import { listenToKeys } from "./keys.js";
import { followLog, showLog } from "./log.js";
import { Games, JoinDialog, rememberedName } from "./games.js";
import { inLanguage, language, listLanguages, loadMessages, t } from "./messages.js";
import { Lobby, showSeats, showUndoRequest } from "./lobby.js";
import { moveButtons, showMoves } from "./moves.js";
import { NewGame } from "./new_game.js";
import { askedDecision, openPlayOn } from "./play_on.js";
import { showResult } from "./result.js";
import { PERSON, seatName } from "./seats.js";
import { closeWhole } from "./whole_boards.js";

const PAUSES = { slow: 1400, fast: 350, instant: 0 };
const FIRST_LOOK = 400; // milliseconds after which it is told that an agent still thinks
const NEXT_LOOK = 700;
const LARGEST_RECORD = 1_900_000;
const opened = named(); // what the address of the page asked for
const $ = (id) => document.getElementById(id);

let state = { version: 0, game: null, table: null };
let hint = null;
let isPaused = false;
let waiting = 0; // requests that are under way or in line
let asking = 0; // hints that are under way; the newest one is wanted
let looking = 0; // the timer of the next look at how far an agent is
let line = Promise.resolve();
let timer = 0;
const draft = new DraftPanel($("draft"), $("board"), {
  arrange: (body) => ask(withLayout("/api/draft"), body).catch(showFailure),
  suggest: askSuggestion,
  send: (actions) => send({ actions }),
  show,
});
let cards = null; // what explains the board
const connection = new Connection(catchUp, (isLost) => { $("connection").hidden = !isLost; });
const lobby = new Lobby($("lobby"), $("open-seats"), {
  seat: (seat, player) => inLine(() => change("/api/seat", { seat, player })),
  rename: (seat, name) => inLine(() => change("/api/name", { seat, name })),
});

const games = new Games($("games"), {
  open: openTable,
  leave: (id) => leave(id).catch(showFailure),
  join: (code) => invite(code).catch(showFailure),
});
const joining = new JoinDialog($("join"), sitDown);

// -- asking the server ----------------------------------------------------------------------------

class Refusal extends Error {}
class CalledOff extends Refusal {}

async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  let response;
  try {
    response = await fetch(inLanguage(connection.at(path)), options);
  } catch {
    throw new Refusal(t("no_answer"));
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) {
    if (answer.called_off) throw new CalledOff(answer.error);
    if (answer.game) take(answer);
    throw new Refusal(answer.error ?? t("strange_answer", { status: response.status }));
  }
  return answer;
}

/** Do one thing after the other, so that each starts from what the one before has left. */
function inLine(task) {
  waiting += 1;
  clearTimeout(timer);
  showStatus();
  lookAfter(FIRST_LOOK);
  line = line.then(task).catch(showFailure).finally(() => {
    waiting -= 1;
    showStatus();
    goOn();
    catchUp();
  });
  return line;
}

/** Ask for what stands on the table if others have changed it. */
function catchUp() {
  if (state.game) showSeats($("seats"), state, connection.presence);
  if (state.game) lobby.show(state, connection.presence);
  if (waiting) return; // what is under way may bring it
  if (connection.isBehind(state)) inLine(look);
  else goOn();
}

async function look() {
  connection.news = null; // or what cannot be shown would be asked for again and again
  take(await ask(withLayout("/api/game")));
}

/** Look after a while how far an agent is, and again until nobody waits for it. */
function lookAfter(pause) {
  clearTimeout(looking);
  looking = setTimeout(async () => {
    const { thinking } = state.game ? await ask("/api/thinking").catch(() => ({})) : {};
    if (!waiting && !asking) return;
    showThinking(thinking);
    lookAfter(NEXT_LOOK);
  }, pause);
}

/** Let no agent think any more, so that what is wanted next need not wait for it. */
function cancel() {
  if (state.game && (waiting || asking)) ask("/api/cancel", {}).catch(() => {});
}

function withLayout(path) {
  return `${path}${path.includes("?") ? "&" : "?"}layout=${layout()}`;
}

async function change(path, body) {
  const answer = await ask(withLayout(path), body);
  showError("");
  take(answer);
}

function take(answer) {
  if (answer.version !== state.version) hint = null;
  state = answer;
  if (answer.table) connection.follow(answer.table);
  show();
  cards.renew(`${answer.version} ${language()}`);
}

// -- what a person wants --------------------------------------------------------------------------

function choose(move) {
  send({ action: move.action });
}

/** Make a decision, or several as one. */
function send(decided) {
  if (!state.game || waiting) return; // a second click means the same move
  $("menu").hidePopover();
  isPaused = false;
  const { version } = state;
  inLine(() => change("/api/act", { version, ...decided }));
}

/** Let agents play until a person has to decide: one by one, with time to look. */
function goOn() {
  clearTimeout(timer);
  const { game } = state;
  if (!game || waiting || isStopped() || game.over || game.waits_for_person) return;
  if (!connection.drives || !state.table.sits) return;
  const pace = $("pace").value;
  timer = setTimeout(() => inLine(() => advance(pace === "instant")), PAUSES[pace]);
}

async function advance(all) {
  const { version } = state;
  try {
    await change("/api/advance", { version, all });
  } catch (error) {
    if (state.version !== version) return; // somebody else was quicker, and it is shown already
    isPaused = true; // or it would be tried again and again
    throw error;
  }
}

/** Whether agents are to wait: here, for the host, or for an answer of somebody who is asked. */
function isStopped() {
  return isPaused || state.table?.is_paused || Boolean(state.table?.undo);
}

function pause() {
  if (!state.table.is_alone) {
    const paused = !state.table.is_paused;
    isPaused = false;
    inLine(() => change("/api/pause", { paused }));
    return;
  }
  isPaused = !isPaused;
  showStatus();
  goOn();
}

function answerUndo(accept) {
  inLine(() => change("/api/consent", { version: state.version, accept }));
}

function undo() {
  cancel();
  inLine(() => {
    isPaused = false;
    return change("/api/undo", { version: state.version });
  });
}

function redo() {
  if (!state.game?.can_redo || waiting) return;
  inLine(() => change("/api/redo", { version: state.version }));
}

function begin(asked) {
  cancel();
  inLine(() => {
    isPaused = false;
    return change("/api/new", asked);
  });
}

/** Show another table, or the one that was opened last. */
function openTable(id) {
  cancel();
  isPaused = false;
  connection.close();
  connection.table = id;
  return inLine(look);
}

async function leave(id) {
  await ask("/api/leave", { table: id });
  if (id !== connection.table) return listGames();
  state = { version: 0, game: null, table: null };
  connection.close();
  connection.table = "";
  history.replaceState(null, "", "/");
  $("games").close();
  return inLine(look);
}

async function listGames() {
  const { tables } = await ask("/api/tables");
  games.open(tables, state.table?.id);
}

/** Ask who wants to sit down at the seat of a code; who sits there already is just let in. */
async function invite(code) {
  const invitation = await ask(`/api/invitation?code=${encodeURIComponent(code)}`);
  if (invitation.is_yours) return openTable(invitation.table);
  joining.open({ ...invitation, code });
  return null;
}

function sitDown(asked) {
  return inLine(() => change("/api/join", asked));
}

/** Begin a game at a decision of the one that is shown. */
function playOn(asked) {
  const table = encodeURIComponent(state.table.id);
  inLine(() => change(`/api/play_on?table=${table}`, asked));
}

function askHint() {
  if (!state.game.waits_for_you) isPaused = true; // who watches wants to read it
  lookAfter(FIRST_LOOK);
  asking += 1;
  const adviser = $("adviser").value;
  // Only decisions that are under way are waited for: while an agent thinks one can play on.
  line.then(() => ask(`/api/hint?agent=${encodeURIComponent(adviser)}`)).then((answer) => {
    showError("");
    if (answer.version !== state.version) return;
    hint = answer.hint;
    show();
  }).catch(showFailure).finally(() => {
    asking -= 1;
    showStatus();
  });
}

/** Ask the adviser for a whole run of decisions; nothing where it has been called off. */
async function askSuggestion({ version }) {
  lookAfter(FIRST_LOOK);
  asking += 1;
  try {
    await line;
    const answer = await ask(withLayout("/api/suggest"), { version, agent: $("adviser").value });
    showError("");
    return answer;
  } catch (error) {
    showFailure(error);
    return null;
  } finally {
    asking -= 1;
    showStatus();
  }
}

async function load(file) {
  if (!file) return;
  if (file.size > LARGEST_RECORD) {
    showError(t("too_large", { file: file.name }));
    return;
  }
  const record = await file.text();
  cancel();
  inLine(() => change("/api/load", { record }));
}

function pickPlace(moves, spot) {
  if (moves.length === 1) {
    choose(moves[0]);
    return;
  }
  const menu = $("menu");
  menu.lang = state.game.language;
  menu.replaceChildren(...moveButtons(moves, choose, hint?.action));
  menu.showPopover();
  const at = spot.getBoundingClientRect();
  const left = Math.min(at.left, innerWidth - menu.offsetWidth - 8);
  const below = at.bottom + 4 + menu.offsetHeight <= innerHeight;
  menu.style.left = `${Math.max(8, left)}px`;
  menu.style.top = `${Math.max(8, below ? at.bottom + 4 : at.top - menu.offsetHeight - 4)}px`;
  menu.querySelector("button").focus();
}

// -- showing it -----------------------------------------------------------------------------------

function show() {
  const { game, table } = state;
  const restoreFocus = keepFocus();
  for (const part of ["events", "seats"]) $(part).hidden = !game;
  $("save").hidden = !game || game.deal_is_hidden;
  $("save").href = connection.at("/api/record");
  $("what").textContent = game ? describe(game) : "";
  $("undo").disabled = !game?.can_undo;
  $("redo").hidden = !game?.can_redo;
  $("pause").hidden = !game || game.over || !mayPause();
  showStatus();
  linkRules(game);
  if (!game) {
    lobby.clear();
    $("board").replaceChildren(make("p", { class: "notice" }, t("no_game_notice")));
    return;
  }
  draft.take(state.version, game);
  const legal = draft.isOpen ? [] : game.legal; // what is drafted is marked by the draft
  showBoard($("board"), game.board, legal, pickPlace);
  showHint($("board"), hint?.anchor);
  showMoves($("moves"), game, legal, choose, hint?.action);
  draft.show();
  offerPlaces($("board"), game);
  showResult($("result"), game, state.table);
  const mayAsk = !game.over && (game.waits_for_you || (table.is_host && !game.players.includes(PERSON)));
  $("hint").hidden = game.over;
  $("ask-hint").disabled = !mayAsk;
  if (hint) showAdvice($("advice"), game, hint);
  else $("advice").replaceChildren();
  showSeats($("seats"), state, connection.presence);
  lobby.show(state, connection.presence);
  showUndoRequest($("consent"), state, answerUndo);
  showLog(game, $("log"));
  announce($("announcement"), game, $("status").textContent);
  restoreFocus();
}

/** Close what lies over the board, the topmost first; says whether there was anything. */
function closeTopmost() {
  if (cards.close() || closeWhole($("board"))) return true;
  const isShown = !$("error").hidden;
  showError("");
  return isShown;
}

/** Let the page of how to play be that of this game, in the language of the page. */
function linkRules(game) {
  const asked = new URLSearchParams({ language: language() });
  if (game) {
    asked.set("edition", game.edition);
    asked.set("players", game.players.length);
  }
  $("how-to-play").href = `/how-to-play?${asked}`;
}

/** Whether this page may stop the game: the host, or whoever watches agents alone. */
function mayPause() {
  const { game, table } = state;
  if (!table.is_alone) return table.is_host;
  return game.players.some((name) => name !== PERSON);
}

function describe(game) {
  const expansions = game.expansions.map((name) => t(`expansion_${name}`));
  const dealt = game.seed === null ? t("from_position") : t("seed_of", { seed: game.seed });
  const began = game.deal_is_hidden ? t("deal_hidden") : dealt;
  return [game.edition, ...expansions, t("count_players", { count: game.players.length }), began].join(", ");
}

function showStatus() {
  const { game } = state;
  const isHeld = isPaused || Boolean(state.table?.is_paused);
  $("pause").textContent = t(isHeld ? "go_on" : "pause");
  $("pause").setAttribute("aria-pressed", String(isHeld));
  if (!waiting && !asking) showThinking(null);
  document.body.dataset.turn = waiting ? "thinking" : whoseTurn(game);
  if (!game) {
    $("status").textContent = t("no_game_yet");
  } else if (game.over) {
    const first = game.result.places.flatMap((place, seat) => place === 1 ? [seatName(game, seat)] : []);
    $("status").textContent = t(first.length > 1 ? "tied" : "has_won", { names: first.join(t("and")) });
  } else {
    const held = state.table.is_paused ? [t("host_paused")] : [];
    $("status").textContent = [t("round", { round: game.round }), game.phase, whoDecides(game), ...held].join(" · ");
  }
  $("status").title = $("status").textContent; // where its room is too small for all of it
}

function whoDecides(game) {
  const name = seatName(game, game.turn);
  if (state.table.seats[game.turn].is_free) return t("waits_for_seat", { seat: game.turn });
  if (!game.waits_for_you) return t("to_decide", { name });
  return game.yours.length > 1 ? t("your_turn_of", { name }) : t("your_turn");
}

function whoseTurn(game) {
  if (!game) return "nobody";
  if (game.over) return "over";
  if (game.waits_for_you) return "person";
  return game.waits_for_person ? "others" : "agent";
}

/** Show how far the server is with what it does once, before the first game. */
function showPreparation({ step, share, seconds }) {
  const figures = t("preparing_figures", { share: Math.round(100 * share), seconds: Math.round(seconds) });
  const bar = make("progress", { max: 1, value: share, "aria-label": t("preparing") });
  $("status").textContent = "…";
  $("board").replaceChildren(make("div", { class: "notice", id: "preparing" },
    make("p", {}, t("preparing")), bar, make("p", {}, `${t(`preparing_${step}`)}${t("colon")}${figures}`)));
}

function showThinking(thinking) {
  $("thinking").hidden = !thinking;
  if (!thinking) return;
  $("thinking").lang = state.game?.language ?? "en";
  $("thinking").querySelector("span").textContent = thinking.words;
  const bar = $("thinking").querySelector("progress");
  if (thinking.share == null) bar.removeAttribute("value");
  else bar.value = thinking.share;
  $("cancel").textContent = thinking.cancel;
}

/** Say why something failed; who called a search off knows that it has no result. */
function showFailure(error) {
  if (!(error instanceof CalledOff)) showError(error.message);
}

function showError(words) {
  $("error").hidden = !words;
  $("error").querySelector("span").textContent = capital(words);
}

// -- the start ------------------------------------------------------------------------------------

function remember(select, key, usual) {
  select.value = localStorage.getItem(key) ?? usual;
  if (!select.value) select.value = usual;
  select.addEventListener("change", () => {
    localStorage.setItem(key, select.value);
    goOn();
  });
}

/** Say everything anew, in the language that has just been chosen. */
async function speak(newGame) {
  const choices = await ask("/api/choices");
  newGame.show(choices);
  listAdvisers(choices);
  hint = null; // it was given in other words
  await inLine(look);
}

function listAdvisers(choices) {
  const { value } = $("adviser");
  lobby.agents = choices.agents;
  $("adviser").replaceChildren(...choices.agents.filter((agent) => agent.name !== "random").map((agent) =>
    make("option", { value: agent.name, title: agent.about }, agent.title)));
  if (value) $("adviser").value = value;
}

async function start() {
  await loadMessages();
  await untilReady(showPreparation);
  const choices = await ask("/api/choices");
  const newGame = new NewGame($("new"), choices, begin);
  listAdvisers(choices);
  cards = new Cards($("card"), [$("board"), $("moves"), $("menu"), $("status")],
    (anchor) => ask(`/api/card?anchor=${encodeURIComponent(anchor)}`));
  listLanguages($("language"), () => speak(newGame));
  remember($("adviser"), "prico-adviser", choices.usual_agent);
  remember($("pace"), "prico-pace", "fast");
  $("open-new").addEventListener("click", () => newGame.open());
  $("cancel").addEventListener("click", cancel);
  $("undo").addEventListener("click", undo);
  $("redo").addEventListener("click", redo);
  $("ask-hint").addEventListener("click", askHint);
  $("open-load").addEventListener("click", () => $("load").click());
  $("load").addEventListener("change", async () => {
    await load($("load").files[0]);
    $("load").value = "";
  });
  $("load-instead").addEventListener("click", () => {
    $("new").close("cancel");
    $("load").click();
  });
  $("pause").addEventListener("click", pause);
  $("open-games").addEventListener("click", () => listGames().catch(showFailure));
  followLog($("log"));
  listenToKeys({
    hint: () => $("ask-hint").click(),
    undo: () => draft.back() || $("undo").click(),
    redo: () => draft.forth() || redo(),
    explain: (target) => cards.open(target),
    close: closeTopmost,
  });
  $("error").querySelector("button").addEventListener("click", () => showError(""));
  onLayoutChange(() => inLine(look));
  await inLine(look);
  if (opened.code) {
    await invite(opened.code);
    return;
  }
  const decision = askedDecision();
  if (decision !== null && state.game?.over) openPlayOn(state.game, choices, decision, playOn);
  else if (!state.game && !opened.table) newGame.open();
}

start().catch((error) => showError(error.message));
