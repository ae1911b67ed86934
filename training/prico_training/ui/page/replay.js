// Replays a game: the data in the page tells the board, the words and the figures at every decision.
// Position n is the one after n decisions; the board shows it, and the log marks decision n.

const CURVES = ["score", "chances", "coins", "vp", "goods", "workers", "tiles", "buildings"];
const ABOUT = ["score", "chances"];  // curves that need a word about what they are

class Replay {
  constructor(data) {
    this.data = data;
    this.moves = data.moves.map(([seat, round, words, forced, role]) => ({ seat, round, words, forced, role }));
    this.last = this.moves.length;
    this.now = -1;
    this.timer = null;
    this.narrow = matchMedia("(max-width: 1019px)");  // as in the style
    this.starts = this.roundStarts();
    this.chances = this.chancesOverGame();
  }

  bareName(seat) {
    return this.data.names[seat];
  }

  name(seat) {
    const name = this.bareName(seat);
    return name ? `P${seat} ${name}` : `P${seat}`;
  }

  /** Positions in which a round begins: [round, position]. */
  roundStarts() {
    const starts = [];
    this.moves.forEach(({ round }, place) => {
      if (!starts.length || starts[starts.length - 1][0] !== round) starts.push([round, place]);
    });
    return starts;
  }

  begin() {
    find("replay").hidden = false;
    find("result").textContent = this.result();
    this.buildLog();
    find("legend").append(...this.data.players.map((_, seat) => this.legend(seat)));
    this.charts = this.buildCharts();
    this.buildTicks();
    showStudy(this);
    this.playOn = new PlayOn(this);
    this.listen();
    const asked = parseInt(location.hash.slice(1), 10);
    this.go(Number.isFinite(asked) ? asked : 0);
  }

  result() {
    const places = this.data.places;
    if (!places) return t(this.data.over ? "cut" : "unfinished");
    const winners = places.flatMap((place, seat) => (place === 1 ? [seat] : []));
    const named = winners.map((seat) => {
      const score = this.data.curves.score[seat][this.last];
      return score === null ? this.name(seat) : `${this.name(seat)} (${score})`;
    });
    return t(winners.length > 1 ? "tie" : "won", { names: named.join(t("and")) });
  }

  legend(seat) {
    const item = make("span", `seat-${seat}`);
    item.append(make("span", "chip", `P${seat}`));
    if (this.bareName(seat)) item.append(` ${this.bareName(seat)}`);
    if (this.data.seat === seat) item.append(` ${t("view")}`);
    return item;
  }

  // -- going somewhere ----------------------------------------------------------------------------

  go(position) {
    const now = clamp(position, 0, this.last);
    if (now === this.now) return;
    this.now = now;
    this.showBoard();
    this.showStatus();
    this.showEntry();
    this.showAnalysis();
    this.playOn.show();
    for (const chart of this.charts) chart.point(now);
    if (now === this.last) this.pause();
    try {
      history.replaceState(null, "", now ? `#${now}` : location.pathname + location.search);
    } catch { /* a page inside another one has no address of its own */ }
  }

  step(by) {
    let next = this.now + by;
    const skips = !find("forced").checked;
    while (skips && next > 0 && next < this.last && this.moves[next - 1].forced) next += by;
    this.go(next);
  }

  stepRound(by) {
    const starts = this.starts.map(([, place]) => place);
    const next = by > 0
      ? starts.find((place) => place > this.now) ?? this.last
      : starts.filter((place) => place < this.now).pop() ?? 0;
    this.go(next);
  }

  play() {
    if (this.timer !== null) return this.pause();
    if (this.now === this.last) this.go(0);
    document.body.classList.add("playing");
    find("play").setAttribute("aria-label", t("pause"));
    find("status").setAttribute("aria-live", "off");
    const tick = () => {
      this.timer = setTimeout(tick, Number(find("speed").value));
      this.step(1);
    };
    this.timer = setTimeout(tick, Number(find("speed").value));
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    document.body.classList.remove("playing");
    find("play").setAttribute("aria-label", t("play"));
    find("status").setAttribute("aria-live", "polite");
  }

  do(what) {
    if (what !== "play") this.pause();
    const deeds = {
      first: () => this.go(0),
      last: () => this.go(this.last),
      back: () => this.step(-1),
      forward: () => this.step(1),
      roundBack: () => this.stepRound(-1),
      roundOn: () => this.stepRound(1),
      play: () => this.play(),
    };
    deeds[what]();
  }

  listen() {
    const slider = find("slider");
    slider.max = this.last;
    slider.addEventListener("input", () => { this.pause(); this.go(Number(slider.value)); });
    for (const button of document.querySelectorAll("[data-go]")) {
      button.addEventListener("click", () => this.do(button.dataset.go));
    }
    find("play").addEventListener("click", () => this.do("play"));
    find("log").addEventListener("click", (event) => {
      const entry = event.target.closest(".entry");
      if (entry) { this.pause(); this.go(Number(entry.dataset.position)); }
    });
    find("forced").addEventListener("change", (event) => {
      find("log").classList.toggle("few", !event.target.checked);
      this.showEntry();
    });
    find("forced-choice").hidden = !this.moves.some((move) => move.forced);
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => this.go(parseInt(location.hash.slice(1), 10) || 0));
    this.narrow.addEventListener("change", () => this.showBoard());
    new ResizeObserver(() => {
      for (const chart of this.charts) chart.fit(this.now);
    }).observe(find("charts"));
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (event.key === "Escape") closeWhole(find("board"));
    const target = event.target;
    if (target.tagName === "SELECT") return;
    const isPressed = target.tagName === "BUTTON" || target.type === "checkbox";
    if (event.key === " " && isPressed) return;
    const keys = {
      ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last",
      PageUp: "roundBack", PageDown: "roundOn", " ": "play",
    };
    if (target === find("log")) Object.assign(keys, { ArrowUp: "back", ArrowDown: "forward" });
    if (target === find("slider")) Object.assign(keys, { ArrowUp: "forward", ArrowDown: "back" });
    const what = keys[event.key];
    if (!what) return;
    event.preventDefault();
    this.do(what);
  }

  // -- showing where we are -----------------------------------------------------------------------

  showBoard() {
    const { boards } = this.data;
    const { pieces, frames } = boards[this.narrow.matches ? "tall" : "tablet"] ?? Object.values(boards)[0];
    const board = find("board");
    const focused = document.activeElement.closest("[data-compact]")?.dataset.compact;
    board.innerHTML = frames[this.now].map((piece) => pieces[piece]).join("");
    const svg = board.querySelector("svg");
    svg.setAttribute("role", "group");
    offerWholeBoards(svg, (name) => t("enlarge", { name }));
    if (focused) svg.querySelector(`[data-compact="${focused}"]`)?.focus();
    board.setAttribute("aria-label", svg.querySelector("title").textContent);
  }

  showStatus() {
    const move = this.moves[this.now - 1];
    const round = (move ?? this.moves[0])?.round ?? 1;
    const where = make("span", "where", t("where", { round, now: this.now, last: this.last }));
    const words = make("span", "words", move ? move.words : t("dealt"));
    const status = find("status");
    status.className = move ? `status seat-${move.seat}` : "status";
    status.replaceChildren(where, ...(move ? [make("span", "chip", `P${move.seat}`)] : []), words);
    if (move?.forced) status.append(make("span", "tag", t("forced")));
    words.title = words.textContent;
    const slider = find("slider");
    slider.value = this.now;
    const forced = move?.forced ? `, ${t("forced")}` : "";
    const what = move ? `${this.name(move.seat)}${t("colon")}${move.words}${forced}` : t("dealt");
    slider.setAttribute("aria-valuetext", t("where_spoken", { now: this.now, last: this.last, round, what }));
    for (const button of document.querySelectorAll("[data-go]")) {
      const back = ["first", "back", "roundBack"].includes(button.dataset.go);
      button.setAttribute("aria-disabled", String(this.now === (back ? 0 : this.last)));
    }
  }

  buildTicks() {
    const step = Math.ceil(this.starts.length / 8);
    const room = 0.17 * this.last;  // for the words of the first
    const shown = this.starts.filter(([, place], number) => !(number % step) && (!number || place > room));
    find("ticks").append(...shown.map(([round, place]) => {
      const tick = make("span", "", round === shown[0][0] ? t("round", { round }) : String(round));
      tick.style.left = `${(100 * place) / Math.max(1, this.last)}%`;
      return tick;
    }));
  }

  buildLog() {
    const log = find("log");
    let group = null;
    this.entries = [this.startEntry()];
    log.append(this.entries[0]);
    this.moves.forEach((move, place) => {
      if (!group || this.moves[place - 1].round !== move.round) {
        const head = make("div", "round", t("round", { round: move.round }));
        head.setAttribute("aria-hidden", "true");  // the group says it
        group = make("div", "", "", [head]);
        group.setAttribute("role", "group");
        group.setAttribute("aria-label", t("round", { round: move.round }));
        log.append(group);
      }
      const entry = this.entry(move, place);
      this.entries.push(entry);
      group.append(entry);
    });
  }

  startEntry() {
    return this.asOption(make("div", "entry", t("dealt")), 0);
  }

  entry(move, place) {
    const entry = make("div", `entry seat-${move.seat}`, "", [
      make("span", "chip", `P${move.seat}`),
      make("span", "words", move.words),
    ]);
    if (move.role) entry.classList.add("role");
    if (move.forced) {
      entry.classList.add("forced");
      entry.append(make("span", "tag", t("forced")));
    }
    const judgement = this.data.judgements[place];
    if (judgement && !judgement.agrees) {
      const mark = make("span", "otherwise", judgement.loss ? percent(-judgement.loss, 1) : "≠");
      mark.title = t("rather", { name: this.data.reviewer, choice: judgement.choice });
      entry.append(mark, make("span", "sr-only", mark.title));
    }
    return this.asOption(entry, place + 1);
  }

  asOption(entry, position) {
    entry.id = `position-${position}`;
    entry.dataset.position = position;
    entry.setAttribute("role", "option");
    entry.setAttribute("aria-selected", "false");
    return entry;
  }

  showEntry() {
    const log = find("log");
    log.querySelector('[aria-selected="true"]')?.setAttribute("aria-selected", "false");
    const entry = this.entries[this.now];
    entry.setAttribute("aria-selected", "true");
    log.setAttribute("aria-activedescendant", entry.id);
    const top = entry.offsetTop - log.clientHeight * 0.4;  // scrolls the log, never the page
    log.scrollTop = Math.max(0, top);
  }

  // -- what was thought ---------------------------------------------------------------------------

  showAnalysis() {
    const move = this.moves[this.now - 1];
    const [judgement, note] = [this.data.judgements, this.data.notes].map((all) => all[this.now - 1]);
    const body = find("analysis-body");
    find("analysis-head").textContent = t("reviewer", { name: this.data.reviewer });
    body.scrollTop = 0;
    const parts = judgement ? this.judged(judgement, move) : this.notJudged(move);
    if (note) parts.push(make("h2", "", this.thinker(move.seat)), ...this.candidates(note, move), ...this.reasons(note));
    body.replaceChildren(...parts);
  }

  judged(judgement, move) {
    const cost = judgement.loss && !judgement.agrees ? [make("p", "cost", t("cost", { loss: percent(judgement.loss, 1) }))] : [];
    return [
      ...cost,
      ...this.candidates(judgement, move),
      ...variation(this, judgement.line),
      ...this.reasons(judgement),
      ...this.shownChances(t("chance_before"), judgement.chances),
    ];
  }

  notJudged(move) {
    const reason = !move ? "nothing_yet" : move.forced ? "nothing_else" : "no_analysis";
    const chances = this.chances?.map((row) => row[this.now]) ?? [];
    const shown = chances.includes(null) ? [] : chances;
    return [make("p", "none", t(reason)), ...this.shownChances(t("chance_last"), shown)];
  }

  /** Whose recorded opinion it is: a hint that was asked for, or what the player thought. */
  thinker(seat) {
    return t(this.data.players[seat] === "human" ? "hint_for" : "thought", { name: this.name(seat) });
  }

  candidates(analysis, move) {
    const { candidates, choice, agrees, others } = analysis;
    const said = [];
    if (!candidates.some(({ chosen }) => chosen)) said.push(make("p", "", t("would_choose", { choice })));
    if (!agrees && !candidates.some(({ played }) => played)) said.push(make("p", "", t("played_instead", { choice: move.words })));
    if (!candidates.length) return said;
    const head = sharedHead(candidates.map(({ words }) => words));
    const list = make("ul", `bars seat-${move.seat}`);
    list.append(...candidates.map((each) => this.candidate(each, head.length)));
    const title = make("h3", "", "", [make("span", "words", head ? t("choices_of", { what: head.slice(0, -2) }) : t("choices"))]);
    if (candidates.some(({ share }) => share !== null)) title.append(make("span", "number", t("weight")));
    if (candidates.some(({ chance }) => chance !== null)) title.append(make("span", "number", t("wins")));
    const more = others ? [make("p", "none", t("more", { count: others }))] : [];
    return [...said, title, list, ...more];
  }

  candidate({ words, share, chance, chosen, played }, cut) {
    const text = make("span", "words", words.slice(cut));
    if (chosen) text.append(make("span", "tag", t("best")));
    if (played) text.append(make("span", "mark", t("played")));
    const numbers = [share, chance].filter((number) => number !== null);
    const item = make("li", played ? "chosen" : "", "", [
      text, ...numbers.map((number) => make("span", "number", percent(number, 1))),
    ]);
    if (numbers.length) item.append(this.bar(numbers[0]));
    return item;
  }

  shownChances(title, chances) {
    if (!chances.length) return [];
    const list = make("ul", "bars chances");
    chances.forEach((chance, seat) => {
      const item = make("li", `seat-${seat}`, "", [
        make("span", "words", this.name(seat)),
        make("span", "number", chance === null ? "" : percent(chance, 1)),
        this.bar(chance ?? 0),
      ]);
      list.append(item);
    });
    return [make("h3", "", title), list];
  }

  bar(share) {
    const fill = make("i");
    fill.style.width = `${100 * share}%`;
    return make("span", "bar", "", [fill]);
  }

  reasons(analysis) {
    if (!analysis.reasons.length) return [];
    const list = make("ul", "reasons", "", analysis.reasons.map((reason) => make("li", "", reason)));
    return [make("h3", "", t("why")), list];
  }

  // -- curves -------------------------------------------------------------------------------------

  buildCharts() {
    const curves = { ...this.data.curves, chances: this.chances };
    find("charts").classList.toggle("paired", Boolean(this.chances));
    return CURVES.filter((name) => curves[name]).map((name) => new Chart(this, name, curves[name]));
  }

  /** Every seat's chance to win as the adviser saw it at each decision, and how it ended. */
  chancesOverGame() {
    const rows = this.data.players.map(() => Array(this.last + 1).fill(null));
    let known = 0;
    for (const [place, { chances }] of Object.entries(this.data.judgements)) {
      chances.forEach((chance, seat) => { rows[seat][Number(place)] = chance; });
      known += chances.length ? 1 : 0;
    }
    if (!known) return null;
    const places = this.data.places;
    const winners = places?.filter((place) => place === 1).length;
    rows.forEach((row, seat) => {
      if (places) row[this.last] = places[seat] === 1 ? 1 / winners : 0;
      for (let at = 1; at < row.length; at += 1) row[at] ??= row[at - 1];
    });
    return rows;
  }
}

/** The curves of one figure: a line for each seat over the positions of the game. */
class Chart {
  constructor(replay, name, rows) {
    this.replay = replay;
    this.rows = rows;
    this.isShare = name === "chances";
    this.isLarge = name === "score" || this.isShare;
    const [title, about] = [capital(t(`curve_${name}`)), ABOUT.includes(name) ? t(`about_${name}`, { name: replay.data.reviewer }) : ""];
    this.values = make("div", "values");
    const head = make("h3", "", title);
    if (about) head.append(make("small", "", ` ${about}`));
    this.svg = draw("svg", { role: "img", "aria-label": t("curve_label", { title }) });
    const box = make("div", this.isLarge ? "chart large" : "chart", "", [
      make("div", "head", "", [head, this.values]), this.svg,
    ]);
    find("charts").append(box);
    const follow = (event) => {
      if (event.buttons) { replay.pause(); replay.go(this.positionAt(event)); }
    };
    this.svg.addEventListener("pointerdown", (event) => {
      this.svg.setPointerCapture(event.pointerId);
      follow(event);
    });
    this.svg.addEventListener("pointermove", follow);
    const known = rows.flat().filter((value) => value !== null);
    this.low = this.isShare ? 0 : Math.min(0, ...known);
    this.high = this.isShare ? 1 : Math.max(1, ...known);
    this.width = 0;
  }

  x(position) {
    return this.left + ((this.right - this.left) * position) / Math.max(1, this.replay.last);
  }

  y(value) {
    return this.bottom - ((this.bottom - this.top) * (value - this.low)) / (this.high - this.low);
  }

  positionAt(event) {
    const offset = event.clientX - this.svg.getBoundingClientRect().left;
    return Math.round(((offset - this.left) / (this.right - this.left)) * this.replay.last);
  }

  shown(value) {
    if (value === null || value === undefined) return "–";
    return this.isShare ? percent(value) : String(value);
  }

  /** Draw for the room there is now. */
  fit(now) {
    const width = this.svg.clientWidth;
    if (!width || width === this.width) return;
    this.width = width;
    this.height = this.isLarge ? 210 : 130;
    [this.left, this.right] = [30, width - 34];
    [this.top, this.bottom] = [10, this.height - 20];
    this.svg.setAttribute("viewBox", `0 0 ${width} ${this.height}`);
    this.svg.setAttribute("height", this.height);
    this.svg.replaceChildren(...this.scale(), ...this.rows.map((row, seat) => this.curve(row, seat)), ...this.labels());
    this.cursor = draw("line", { class: "cursor", y1: this.top, y2: this.bottom });
    this.dots = this.rows.map((_, seat) => draw("circle", { class: `dot seat-${seat}`, r: 4 }));
    this.svg.append(this.cursor, ...this.dots);
    this.point(now);
  }

  scale() {
    const marks = this.isShare ? [0, 0.25, 0.5, 0.75, 1] : this.ticks();
    const lines = marks.flatMap((value) => [
      draw("line", { class: "grid", x1: this.left, x2: this.right, y1: this.y(value), y2: this.y(value) }),
      draw("text", { x: this.left - 5, y: this.y(value) + 4, "text-anchor": "end" }, this.isShare ? Math.round(value * 100) : value),
    ]);
    const starts = this.replay.starts;
    const room = (this.right - this.left) / Math.max(1, starts.length);
    const step = Math.max(1, Math.ceil(22 / room));
    const rounds = starts.flatMap(([round, place], number) => number % step ? [] : [
      draw("line", { class: "grid", x1: this.x(place), x2: this.x(place), y1: this.top, y2: this.bottom }),
      draw("text", { x: this.x(place), y: this.height - 5, "text-anchor": "middle" }, round),
    ]);
    const axis = draw("line", { class: "axis", x1: this.left, x2: this.right, y1: this.y(Math.max(0, this.low)), y2: this.y(Math.max(0, this.low)) });
    return [...lines, ...rounds, axis];
  }

  ticks() {
    const span = this.high - this.low;
    const step = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500].find((each) => span / each <= (this.isLarge ? 6 : 4)) ?? 1000;
    const marks = [];
    for (let value = Math.ceil(this.low / step) * step; value <= this.high; value += step) marks.push(value);
    return marks;
  }

  /** Lines of equal value lie beside each other, a little apart, so that none hides another. */
  aside(seat) {
    return (seat - (this.rows.length - 1) / 2) * 1.3;
  }

  curve(row, seat) {
    let path = "";
    row.forEach((value, position) => {
      if (value === null) return;
      const [x, y] = [this.x(position).toFixed(1), (this.y(value) + this.aside(seat)).toFixed(1)];
      const begins = position === 0 || row[position - 1] === null;
      if (begins) path += `M${x} ${y}`;
      else if (value !== row[position - 1]) path += `H${x}V${y}`;
      if (position === row.length - 1 || row[position + 1] === null) path += `H${x}`;
    });
    return draw("path", { class: `curve seat-${seat}`, d: path });
  }

  /** Each seat's name beside the end of its line, moved apart where lines end together. */
  labels() {
    const ends = this.rows.map((row, seat) => ({ seat, y: this.y(row[row.length - 1] ?? this.low) + 4 }));
    ends.sort((one, other) => one.y - other.y);
    const gap = 12;
    ends.forEach((end, number) => {
      if (number) end.y = Math.max(end.y, ends[number - 1].y + gap);
    });
    let lowest = this.bottom + 6;
    for (const end of [...ends].reverse()) {
      end.y = Math.min(end.y, lowest);
      lowest = end.y - gap;
    }
    return ends.map(({ seat, y }) => draw("text", { class: `label seat-${seat}`, x: this.right + 7, y }, `P${seat}`));
  }

  /** Move the cursor. */
  point(now) {
    this.values.replaceChildren(...this.rows.map((row, seat) =>
      make("span", `seat-${seat}`, `P${seat} ${this.shown(row[now])}`)));
    if (!this.width) return this.fit(now);
    this.cursor.setAttribute("x1", this.x(now));
    this.cursor.setAttribute("x2", this.x(now));
    this.dots.forEach((dot, seat) => {
      const value = this.rows[seat][now];
      dot.setAttribute("visibility", value === null ? "hidden" : "visible");
      dot.setAttribute("cx", this.x(now));
      dot.setAttribute("cy", this.y(value ?? this.low) + this.aside(seat));
    });
  }
}

function complain(text) {
  find("notice").textContent = text;
  find("notice").hidden = false;
}

(async () => {
  if (!("DecompressionStream" in window)) {
    complain(find("notice").dataset.oldBrowser);
    return;
  }
  try {
    const data = await unpack(find("data").textContent);
    speak(data.language, data.messages);
    new Replay(data).begin();
  } catch (error) {
    complain(`${find("notice").dataset.damaged} ${error.message}`);
    throw error;
  }
})();
