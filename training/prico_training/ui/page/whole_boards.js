// Boards that are drawn in a few lines, each of which can be enlarged over what lies there.

const HOVER = 250; // milliseconds after which a board is enlarged that somebody points at

let enlarged = null; // the seat whose board was enlarged by a click, until it is closed

/**
 * Let boards that are shown in a few lines be enlarged: by pointing at one, or for good by a click.
 *
 * @param {SVGElement} svg the drawing; a board that was enlarged in the one before it still is
 * @param {(name: string) => string} label says what a player's board does when it is clicked
 * @param {(whole: Element) => void} onShow called with the whole board whenever it is shown
 */
export function offerWholeBoards(svg, label, onShow = () => {}) {
  for (const compact of svg.querySelectorAll("[data-compact]")) {
    compact.setAttribute("tabindex", "0");
    compact.setAttribute("role", "button");
    compact.setAttribute("aria-label", label(compact.querySelectorAll("text")[1].textContent));
    offerWhole(svg, compact, onShow);
  }
}

/** Close the board that was enlarged; says whether there was one. */
export function closeWhole(home) {
  const open = home.querySelector('[data-compact][aria-expanded="true"]');
  enlarged = null;
  if (open) enlarge(home.querySelector("svg"), open, false);
  return Boolean(open);
}

function offerWhole(svg, compact, onShow) {
  const seat = compact.dataset.compact;
  let timer = 0;
  const show = () => onShow(enlarge(svg, compact, true));
  const toggle = () => {
    const isOpen = enlarged === seat;
    closeWhole(svg.parentElement);
    if (isOpen) return;
    enlarged = seat;
    show();
  };
  compact.addEventListener("click", toggle);
  compact.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    toggle();
  });
  compact.addEventListener("pointerenter", (event) => {
    if (event.pointerType === "mouse" && enlarged === null) timer = setTimeout(show, HOVER);
  });
  compact.addEventListener("pointerleave", () => {
    clearTimeout(timer);
    if (enlarged !== seat) enlarge(svg, compact, false);
  });
  if (enlarged === seat) show();
  else enlarge(svg, compact, false);
}

/** Show the whole board of a player, or hide it; returns it. */
function enlarge(svg, compact, isLarge) {
  const whole = svg.querySelector(`[data-whole="${compact.dataset.compact}"]`);
  if (isLarge) whole.removeAttribute("display");
  else whole.setAttribute("display", "none");
  compact.setAttribute("aria-expanded", String(isLarge));
  return whole;
}
