// Playing on from a decision of a game that is over, which the replay of that game has asked for.

import { make } from "./dom.js";
import { t } from "./messages.js";
import { PERSON } from "./seats.js";

/** The decision that the address of this page names; null where it names none. */
export function askedDecision() {
  const asked = new URLSearchParams(location.search).get("play-on");
  return asked !== null && /^[0-9]{1,6}$/.test(asked) ? Number(asked) : null;
}

/**
 * Ask who sits where, and begin.
 *
 * @param {object} game the game that is over
 * @param {object} choices what the server offers
 * @param {number} decision the decision to go on from
 * @param {(asked: object) => void} onStart called with what the server is to be asked
 */
export function openPlayOn(game, choices, decision, onStart) {
  const dialog = make("dialog", { id: "play-on", "aria-labelledby": "play-on-title" });
  const selects = game.players.map((player, seat) => {
    const select = make("select", { name: "seat" }, make("option", { value: PERSON }, t("you")),
      ...choices.agents.map((agent) => make("option", { value: agent.name }, agent.title)));
    select.value = player;
    if (!select.value) select.value = choices.usual_agent;
    return make("label", {}, t("replay_seat", { seat }), select);
  });
  const button = (value, key, kind) => make("button", { type: "submit", value, class: kind }, t(key));
  dialog.append(make("form", { method: "dialog" },
    make("h2", { id: "play-on-title" }, t("replay_play_on")),
    make("p", {}, t("replay_go_on_from", { decision })),
    make("fieldset", {}, make("legend", {}, t("replay_seats")), ...selects),
    make("div", { class: "tools" }, button("play", "replay_go_on", "main"), button("cancel", "replay_cancel", null))));
  dialog.addEventListener("close", () => {
    const players = [...dialog.querySelectorAll("select")].map((select) => select.value);
    dialog.remove();
    history.replaceState(null, "", location.pathname);
    if (dialog.returnValue === "play") onStart({ decision, players });
  });
  document.body.append(dialog);
  dialog.showModal();
}
