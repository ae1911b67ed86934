// The dialogs of the games of this browser, and of sitting down at a seat.

import { make } from "./dom.js";
import { language, t } from "./messages.js";

const NAME = "prico-name";

/** What a person calls themselves, as they said last. */
export function rememberedName() {
  return localStorage.getItem(NAME) ?? "";
}

export function rememberName(name) {
  if (name) localStorage.setItem(NAME, name);
}

/** The list of games; `wanted` opens one, leaves one, or takes a code. */
export class Games {
  constructor(dialog, wanted) {
    this.dialog = dialog;
    this.wanted = wanted;
    const form = dialog.querySelector("form.code");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      dialog.close();
      wanted.join(form.elements.code.value);
    });
    dialog.querySelector(".close").addEventListener("click", () => dialog.close());
  }

  open(tables, current) {
    const list = this.dialog.querySelector("ul");
    list.replaceChildren(...tables.map((one) => this.entry(one, current)));
    this.dialog.querySelector(".none").hidden = tables.length > 0;
    if (!this.dialog.open) this.dialog.showModal();
  }

  entry(one, current) {
    const when = new Intl.DateTimeFormat(language() || undefined, { dateStyle: "medium", timeStyle: "short" })
      .format(new Date(one.decided * 1000));
    const stands = one.over ? t("game_over")
      : [t("round", { round: one.round }), t("to_decide", { name: one.names[one.turn] })].join(" · ");
    const open = make("button", { type: "button", class: "open", disabled: one.id === current },
      one.id === current ? t("this_game") : t("open_game"));
    open.addEventListener("click", () => {
      this.dialog.close();
      this.wanted.open(one.id);
    });
    const leave = make("button", { type: "button", class: "leave", "aria-label": t("leave_game", { title: one.title }) },
      t("leave_short"));
    leave.addEventListener("click", () => confirm(t("leave_warning")) && this.wanted.leave(one.id));
    return make("li", {}, make("div", {}, make("strong", {}, one.title), make("span", {}, one.names.join(", ")),
      make("span", { class: "note" }, `${stands} · ${when}`)), open, leave);
  }
}

/** The dialog of sitting down; `onJoin` is called with what the server is to be asked. */
export class JoinDialog {
  constructor(dialog, onJoin) {
    this.dialog = dialog;
    const form = dialog.querySelector("form");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      dialog.close();
      const name = form.elements.name.value.trim();
      rememberName(name);
      const { code, is_taken: takeOver } = this.invitation;
      onJoin({ code, name: name || null, take_over: takeOver });
    });
    dialog.querySelector(".close").addEventListener("click", () => dialog.close());
  }

  open(invitation) {
    this.invitation = invitation;
    const { seat, title, names, name, is_taken: isTaken } = invitation;
    const others = names.filter((_, other) => other !== seat).join(", ");
    const words = [t("join_where", { seat, title, names: others }), ...(isTaken ? [t("join_taken", { name: names[seat] })] : [])];
    this.dialog.querySelector(".where").textContent = words.join(". ");
    this.dialog.querySelector("[type=submit]").textContent = t(isTaken ? "take_over" : "join");
    this.dialog.querySelector("input").value = name || rememberedName();
    this.dialog.showModal();
  }
}
