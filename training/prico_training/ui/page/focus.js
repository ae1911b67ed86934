// Where the focus goes when the table is shown anew: it is never lost, and never falls on a pass.

const PASSES = new Set(["pass"]);

/**
 * Remember what has the focus; what comes back puts it there again when all is drawn anew.
 *
 * A move or a place of the board that is still there keeps the focus. Otherwise it goes to what the
 * person is asked, to the final score, or waits where the turn is told until either is there.
 */
export function keepFocus() {
  const active = document.activeElement;
  const isHeld = active && active !== document.body;
  const move = active?.closest?.("#moves button, #menu button");
  const spot = active?.closest?.("[data-spot]")?.dataset.spot;
  const compact = active?.closest?.("[data-compact]")?.dataset.compact;
  const quiet = active?.closest?.("[data-place]")?.dataset.place;
  const wasParked = isParking(active);
  return () => {
    if (!isHeld) return;
    const now = document.activeElement;
    if (now && now !== document.body && !now.disabled && !wasParked && isShown(now)) return;
    const same = move && !PASSES.has(move.dataset.name)
      && shown(`#moves [data-action="${move.dataset.action}"]`);
    const place = spot && document.querySelector(`#board .legal[data-spot="${CSS.escape(spot)}"]`);
    const board = compact && document.querySelector(`#board [data-compact="${compact}"]`);
    const there = quiet && document.querySelector(`#board [data-anchor="${CSS.escape(quiet)}"]`);
    (same || place || board || there?.querySelector(".legal") || there || parking()).focus({ preventScroll: true });
  };
}

/** Whether an element is one where the focus waits for something to do. */
export function isParking(element) {
  return ["moves-title", "result-title", "status"].includes(element?.id);
}

function parking() {
  const moves = document.querySelector("#moves:not([hidden], .idle) h2");
  return document.querySelector("#result:not([hidden]) h2") ?? moves ?? document.querySelector("#status");
}

/** Whether an element is where it can be seen. */
export function isShown(element) {
  return element.getClientRects().length > 0;
}

function shown(selector) {
  const element = document.querySelector(selector);
  return element && isShown(element) ? element : null;
}
