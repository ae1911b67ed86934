// The panel where a new game is put together.

import { capital, make } from "./dom.js";
import { rememberedName, rememberName } from "./games.js";
import { t } from "./messages.js";
import { PERSON } from "./seats.js";

const OPEN = "open"; // a seat for somebody who gets its link
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
    this.form.elements.points.value = this.memory.points ?? "";
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
    const names = home.children.length ? this.names() : [rememberedName()];
    const { agents, usual_agent: usual } = this.choices;
    home.replaceChildren(...Array.from({ length: Number(this.form.elements.players.value) }, (_, seat) => {
      const select = make("select", { name: "seat" },
        make("option", { value: PERSON }, t(seat === 0 ? "you" : "person_here")),
        make("option", { value: OPEN }, t("somebody_by_link")),
        ...agents.map((agent) => make("option", { value: agent.name }, agent.title)));
      select.value = before[seat] ?? (seat === 0 ? PERSON : usual);
      if (!select.value) select.value = usual;
      const name = make("input", {
        name: "name", maxlength: 24, autocomplete: "off", placeholder: t("your_name"), value: names[seat] ?? "",
        "aria-label": t("name_of_seat", { seat }),
      });
      const showName = () => { name.hidden = select.value !== PERSON; };
      select.addEventListener("change", () => {
        showName();
        this.showAbouts();
      });
      showName();
      return make("div", { class: "chair" },
        make("label", {}, t(seat === 0 ? "seat_of_governor" : "seat", { seat }), select), name);
    }));
    this.showAbouts();
  }

  /** Say in a sentence who each of the chosen agents is. */
  showAbouts() {
    const chosen = this.choices.agents.filter((agent) => this.players().includes(agent.name));
    this.dialog.querySelector("#abouts").replaceChildren(...chosen.flatMap((agent) =>
      [make("dt", {}, agent.title), make("dd", {}, agent.about)]));
  }

  expansions() {
    return [...this.form.querySelectorAll("[name=expansion]:checked")].map((box) => box.value);
  }

  players() {
    return [...this.form.querySelectorAll("[name=seat]")].map((select) => select.value);
  }

  names() {
    return [...this.form.querySelectorAll("[name=name]")].map((field) => field.value.trim());
  }

  asked(isWatching) {
    const { edition, board, seed } = this.form.elements;
    const chosen = this.players();
    const points = this.form.elements.points.value;
    const asked = {
      edition: edition.value,
      expansions: this.expansions(),
      board: board.value,
      players: chosen.map((player) => player === OPEN ? PERSON : player),
    };
    if (points) asked.vp_hidden = points === "hidden";
    if (seed.value) asked.seed = Number(seed.value);
    if (isWatching) {
      return { ...asked, players: asked.players.map((name) => name === PERSON ? this.choices.usual_agent : name) };
    }
    localStorage.setItem(REMEMBERED, JSON.stringify({ ...asked, seed: undefined, players: chosen, points }));
    rememberName(this.names()[0]);
    return {
      ...asked,
      open: chosen.flatMap((player, seat) => player === OPEN ? [seat] : []),
      names: this.names().map((name, seat) => chosen[seat] === PERSON && name ? name : null),
    };
  }
}

function recall() {
  try {
    return JSON.parse(localStorage.getItem(REMEMBERED)) ?? {};
  } catch {
    return {};
  }
}
