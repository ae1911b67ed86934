// What stands beside the board: moves, advice, log, final score, and the panel for a new game.

export const PERSON = "human";
const SHOWN_CANDIDATES = 6;

/** Make an element: its name, its attributes, and what is inside. */
export function make(name, attributes = {}, ...inside) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...inside);
  return element;
}

/** How a seat is called: "you", "you (seat 2)" if several people play, or the agent's name. */
export function seatName(game, seat) {
  const name = game.players[seat];
  if (name !== PERSON) return name;
  return game.players.filter((one) => one === PERSON).length > 1 ? `you (seat ${seat})` : "you";
}

function chip(seat) {
  return make("span", { class: `chip seat-${seat}` }, String(seat));
}

/** What all moves have in front in common, such as the name of the phase. */
function commonHead(moves) {
  const head = moves[0]?.words.match(/^[^:]+: /)?.[0] ?? "";
  return moves.every((move) => move.words.startsWith(head)) ? head : "";
}

export function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Buttons for moves, without what they have in front in common. */
export function moveButtons(moves, onMove, hinted = null) {
  const head = commonHead(moves);
  return moves.map((move) => {
    const button = make("button", { type: "button", "data-action": move.action });
    button.textContent = capital(move.words.slice(head.length));
    button.classList.toggle("hinted-move", move.action === hinted);
    button.addEventListener("click", () => onMove(move));
    return button;
  });
}

export function showMoves(section, game, onMove, hinted) {
  section.hidden = game.legal.length === 0;
  const list = section.querySelector("ul");
  list.lang = game.language;
  list.replaceChildren(
    ...moveButtons(game.legal, onMove, hinted).map((button) => make("li", {}, button)));
}

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
      parts.push(make("p", { class: "round" }, round > 0 ? `Round ${round}` : "Before the first round"));
    }
    const names = ["entry", entry.number >= own && own >= 0 ? "new" : "", entry.forced ? "forced" : ""];
    const words = make("span", { class: "words" }, entry.words);
    const line = make("p", { class: names.join(" ").trim() }, chip(entry.seat), words);
    if (entry.forced) {
      line.append(make("span", { class: "tag", title: "Nothing else was possible" }, "forced"));
    }
    parts.push(line);
  }
  log.lang = game.language;
  log.replaceChildren(...parts);
  log.scrollTop = log.scrollHeight;
}

// -- advice ---------------------------------------------------------------------------------------

function percent(part) {
  return `${(100 * part).toFixed(1)}%`;
}

function bar(part, inside) {
  const filled = make("i");
  filled.style.width = `${100 * Math.min(1, Math.max(0, part))}%`;
  return make("li", inside, make("span", { class: "bar" }, filled));
}

export function showAdvice(home, game, hint) {
  const parts = [make("p", {}, make("strong", {}, `${hint.agent}: `), hint.words)];
  if (hint.note) parts.push(make("p", { class: "note" }, hint.note));
  if (hint.reasons.length) {
    parts.push(make("ul", { class: "reasons" }, ...hint.reasons.map((reason) => make("li", {}, reason))));
  }
  if (hint.candidates.length > 1) parts.push(...candidateList(hint));
  if (hint.chances.length) {
    parts.push(make("h2", {}, "Chance to win now"));
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
  let title = "Moves, the best first";
  if (hasShares) title = "How much it favours each move";
  else if (hasChances) title = "Chance to win after each move";
  const more = hint.candidates.length - shown.length;
  return [
    make("h2", {}, title),
    ...(hasShares && hasChances ? [make("p", { class: "legend" }, "and the chance to win after it")] : []),
    list,
    ...(more > 0 ? [make("p", { class: "legend" }, `and ${more} more`)] : []),
  ];
}

// -- the end --------------------------------------------------------------------------------------

export function showResult(section, game) {
  section.hidden = !game.result;
  if (!game.result) return;
  const { items, places } = game.result;
  const order = places.map((_, seat) => seat).sort((one, other) => places[one] - places[other]);
  const row = (title, cells) => make(
    "tr", {}, make("th", { scope: "row" }, title), ...cells.map((cell) => make("td", {}, String(cell))));
  const head = make("tr", {}, make("th", { scope: "col" }, ""), ...order.map((seat) =>
    make("th", { scope: "col" }, chip(seat), make("span", { class: "sr-only" }, seatName(game, seat)))));
  const total = items.find((item) => item.title === "total");
  const lines = items.filter((item) => item !== total);
  section.replaceChildren(make("h2", {}, "Final score"), make("table", {},
    make("thead", {}, head),
    make("tbody", {}, ...lines.map((item) =>
      row(capital(item.title), order.map((seat) => item.points[seat])))),
    make("tfoot", {}, row("Total", order.map((seat) => total.points[seat])),
      row("Place", order.map((seat) => places[seat])))));
}

// -- a new game -----------------------------------------------------------------------------------

const REMEMBERED = "prico-new-game";

/** The panel where a game is put together; it calls onStart with what the server is to be asked. */
export class NewGame {
  constructor(dialog, choices, onStart) {
    this.dialog = dialog;
    this.form = dialog.querySelector("form");
    this.choices = choices;
    this.memory = recall();
    const { edition, players } = this.form.elements;
    edition.replaceChildren(...choices.editions.map((one) =>
      make("option", { value: one.name }, capital(one.title))));
    players.replaceChildren(...choices.players.map((count) => make("option", { value: count }, count)));
    edition.value = choices.editions.some((one) => one.name === this.memory.edition)
      ? this.memory.edition : choices.usual_edition;
    players.value = choices.players.includes(this.memory.players?.length)
      ? this.memory.players.length : 3;
    this.form.elements.board.value = this.memory.board === "random" ? "random" : "draft";
    edition.addEventListener("change", () => this.showExpansions());
    players.addEventListener("change", () => this.showChairs());
    this.showExpansions();
    this.showChairs();
    dialog.addEventListener("close", () => {
      if (dialog.returnValue === "play" || dialog.returnValue === "watch") {
        onStart(this.asked(dialog.returnValue === "watch"));
      }
    });
  }

  open() {
    this.dialog.returnValue = "";
    this.dialog.showModal();
  }

  showExpansions() {
    const edition = this.choices.editions.find((one) => one.name === this.form.elements.edition.value);
    const home = this.dialog.querySelector("#expansions");
    home.replaceChildren(...edition.expansions.map((one) => {
      const box = make("input", { type: "checkbox", name: "expansion", value: one.name });
      box.checked = this.memory.expansions?.includes(one.name) ?? false;
      box.addEventListener("change", () => this.showBoardChoice());
      return make("label", {}, box, ` ${one.title}`);
    }));
    this.showBoardChoice();
  }

  showBoardChoice() {
    this.dialog.querySelector("#choose-board").hidden = !this.expansions().includes("buildings");
  }

  showChairs() {
    const home = this.dialog.querySelector("#chairs");
    const before = home.children.length ? this.players() : this.memory.players ?? [];
    const { agents, usual_agent: usual } = this.choices;
    home.replaceChildren(...Array.from({ length: Number(this.form.elements.players.value) }, (_, seat) => {
      const select = make("select", { name: "seat" }, make("option", { value: PERSON }, "you"),
        ...agents.map((agent) => make("option", { value: agent.name }, agent.name)));
      select.value = before[seat] ?? (seat === 0 ? PERSON : usual);
      if (!select.value) select.value = usual;
      select.addEventListener("change", () => this.showAbouts());
      return make("label", {}, seat === 0 ? "Seat 0, governor" : `Seat ${seat}`, select);
    }));
    this.showAbouts();
  }

  /** Say in a sentence who each of the chosen agents is. */
  showAbouts() {
    const chosen = this.choices.agents.filter((agent) => this.players().includes(agent.name));
    this.dialog.querySelector("#abouts").replaceChildren(...chosen.flatMap((agent) =>
      [make("dt", {}, agent.name), make("dd", {}, agent.about)]));
  }

  expansions() {
    return [...this.form.querySelectorAll("[name=expansion]:checked")].map((box) => box.value);
  }

  players() {
    return [...this.form.querySelectorAll("[name=seat]")].map((select) => select.value);
  }

  asked(isWatching) {
    const { edition, board, seed } = this.form.elements;
    const asked = {
      edition: edition.value,
      expansions: this.expansions(),
      board: board.value,
      players: this.players(),
    };
    if (isWatching) {
      asked.players = asked.players.map((name) => name === PERSON ? this.choices.usual_agent : name);
    } else {
      localStorage.setItem(REMEMBERED, JSON.stringify(asked));
    }
    return seed.value ? { ...asked, seed: Number(seed.value) } : asked;
  }
}

function recall() {
  try {
    return JSON.parse(localStorage.getItem(REMEMBERED)) ?? {};
  } catch {
    return {};
  }
}
