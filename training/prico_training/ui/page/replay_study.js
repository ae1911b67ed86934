// What there is to learn from a game: its score, how close everybody came to the adviser's choices, the
// decisions that cost most, and the way to play on from any of them.

/** Fill the sections for study; replay is the page's `Replay`, which goes where a click wants. */
function showStudy(replay) {
  showScore(replay);
  showCostly(replay);
  showAccuracy(replay);
}

function table(heads, rows, foot = []) {
  const row = (cells, head) => make("tr", "", "", cells.map((cell, place) => {
    const isTitle = cell !== "" && (head || !place); // a title without words says nothing
    const one = make(isTitle ? "th" : "td", "", "", [cell]);
    if (isTitle) one.scope = head ? "col" : "row";
    return one;
  }));
  return make("table", "", "", [
    make("thead", "", "", [row(heads, true)]),
    make("tbody", "", "", rows.map((cells) => row(cells, false))),
    make("tfoot", "", "", foot.map((cells) => row(cells, false))),
  ]);
}

// -- the score ------------------------------------------------------------------------------------

function showScore(replay) {
  const { score, places, players } = replay.data;
  find("score-head").textContent = t(places ? "score" : "score_so_far");
  const seats = players.map((_, seat) => seat);
  if (places) seats.sort((one, other) => places[one] - places[other]);
  else seats.sort((one, other) => (score.total[other] ?? -1) - (score.total[one] ?? -1));
  const line = (title, values) => [title, ...seats.map((seat) => String(values[seat] ?? "–"))];
  const head = ["", ...seats.map((seat) => {
    const cell = make("span", "who", "", [chip(seat), make("span", "name", replay.bareName(seat))]);
    cell.title = replay.name(seat);
    return cell;
  })];
  const foot = [line(t("total"), score.total), line(score.tieBreakTitle, score.tieBreak)];
  if (places) foot.push(line(t("place"), places));
  find("score").replaceChildren(table(head, score.items.map(([title, points]) => line(capital(title), points)), foot));
}

// -- decisions that cost most ---------------------------------------------------------------------

function showCostly(replay) {
  const { costliest, judgements, reviewer } = replay.data;
  find("costly-about").textContent = t(costliest.length ? "costly_about" : "costly_none", { name: reviewer });
  find("costly").replaceChildren(...costliest.map((place) =>
    costly(replay, place, replay.moves[place], judgements[place])));
}

function costly(replay, place, move, { loss, line }) {
  const jump = make("button", "jump", "", [
    chip(move.seat),
    make("span", "words", move.words),
    make("span", "loss", percent(-loss, 1)),
    make("span", "when", `${replay.name(move.seat)} · ${t("where", { round: move.round, now: place + 1, last: replay.last })}`),
  ]);
  jump.type = "button";
  jump.dataset.position = place + 1;
  jump.addEventListener("click", () => { replay.pause(); replay.go(place + 1); });
  return make("li", `seat-${move.seat}`, "", [jump, ...variation(replay, line)]);
}

/** How the game would have gone on by the adviser's choices; nothing where it is not told. */
function variation(replay, line) {
  if (!line.length) return [];
  const steps = make("ol", "line", "", line.map(([seat, words]) =>
    make("li", "", "", [chip(seat), ` ${words}`])));
  return [make("p", "none", t("line", { name: replay.data.reviewer })), steps];
}

// -- how close everybody came ---------------------------------------------------------------------

function showAccuracy(replay) {
  const { accuracies, reviewer } = replay.data;
  const head = ["", t("accuracy"), t("accuracy_agreed"), t("accuracy_loss"), t("accuracy_decisions")];
  const rows = accuracies.flatMap((each, seat) => each === null ? [] : [[
    make("span", "who", "", [chip(seat), make("span", "name", replay.bareName(seat))]),
    decimal(each.accuracy),
    percent(each.agreed / each.decisions),
    percent(each.loss, 2),
    String(each.decisions),
  ]]);
  find("accuracy").replaceChildren(table(head, rows));
  find("accuracy-about").textContent = t("accuracy_about", { name: reviewer });
}

// -- playing on -----------------------------------------------------------------------------------

/** The button that plays on from where the page stands: on the server that gave the page, else by a file. */
class PlayOn {
  constructor(replay) {
    this.replay = replay;
    this.dialog = find("play-on-dialog");
    this.url = "";
    find("play-on").addEventListener("click", () => this.open());
    find("play-on-close").addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("close", () => URL.revokeObjectURL(this.url));
  }

  open() {
    const { data, now } = this.replay;
    this.replay.pause();
    if (data.playOn) {
      location.assign(`${data.playOn}${this.place()}`);
      return;
    }
    const name = `prico-decision-${now}.jsonl`;
    this.url = URL.createObjectURL(new Blob([this.record()], { type: "application/x-ndjson" }));
    const link = find("play-on-file");
    link.href = this.url;
    link.download = name;
    find("play-on-command").textContent = `prico play --load ${name}`;
    this.dialog.showModal();
  }

  /** There is nothing to play on from where the game is over. */
  show() {
    find("play-on").disabled = this.replay.data.over && this.place() === this.replay.last;
  }

  /** The decision to play on from: forced ones go along, which the game carries out by itself. */
  place() {
    const { moves, now } = this.replay;
    let place = now;
    while (moves[place]?.forced) place += 1;
    return place;
  }

  record() {
    return this.replay.data.record.slice(0, this.place() + 1).map((line) => `${line}\n`).join("");
  }
}
