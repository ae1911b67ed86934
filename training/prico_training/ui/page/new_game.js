// The panel where a new game is put together.

import { capital, make } from "./dom.js";
import { t } from "./messages.js";
import { PERSON } from "./seats.js";

const REMEMBERED = "prico-new-game";

/** The panel where a game is put together; it calls onStart with what the server is to be asked. */
export class NewGame {
  constructor(dialog, choices, onStart) {
    this.dialog = dialog;
    this.form = dialog.querySelector("form");
    this.memory = recall();
    const { edition, players } = this.form.elements;
    this.choices = choices;
    this.listEditions();
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

  /** Show what there is to choose, in the words of a language; what was chosen stays. */
  show(choices) {
    const { edition } = this.form.elements;
    const { value } = edition;
    this.memory = { ...this.memory, expansions: this.expansions() };
    this.choices = choices;
    this.listEditions();
    edition.value = value;
    this.showExpansions();
    this.showChairs();
  }

  listEditions() {
    this.form.elements.edition.replaceChildren(...this.choices.editions.map((one) =>
      make("option", { value: one.name }, capital(one.title))));
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
      const select = make("select", { name: "seat" }, make("option", { value: PERSON }, t("you")),
        ...agents.map((agent) => make("option", { value: agent.name }, agent.name)));
      select.value = before[seat] ?? (seat === 0 ? PERSON : usual);
      if (!select.value) select.value = usual;
      select.addEventListener("change", () => this.showAbouts());
      return make("label", {}, t(seat === 0 ? "seat_of_governor" : "seat", { seat }), select);
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
