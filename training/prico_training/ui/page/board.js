// The board: a drawing in which the anchors where something can be done are marked and clickable.

const SVG = "http://www.w3.org/2000/svg";
const EDGE = 1; // how far a mark stands out from its anchor

/**
 * Show a drawing and mark its anchors.
 *
 * @param {HTMLElement} home where the drawing belongs
 * @param {string} drawing the board as SVG, its anchors named by data-anchor
 * @param {{action: number, words: string, anchor: string}[]} legal what can be done
 * @param {(moves: object[], spot: Element) => void} onPick called with the moves of a anchor
 */
export function showBoard(home, drawing, legal, onPick) {
  const svg = document.importNode(
    new DOMParser().parseFromString(drawing, "image/svg+xml").documentElement, true);
  svg.setAttribute("role", "group");
  home.replaceChildren(svg);
  for (const [anchor, moves] of byAnchor(legal)) {
    const spot = markAnchor(svg, anchor);
    if (!spot) continue;
    spot.classList.add("legal");
    spot.setAttribute("tabindex", "0");
    spot.setAttribute("role", "button");
    spot.setAttribute("aria-label", moves.map((move) => move.words).join("; "));
    const title = document.createElementNS(SVG, "title");
    title.textContent = moves.map((move) => move.words).join("\n");
    spot.append(title);
    spot.addEventListener("click", () => onPick(moves, spot));
    spot.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      onPick(moves, spot);
    });
  }
}

/** Make the anchor that a hint is about stand out. */
export function showHint(home, anchor) {
  const svg = home.querySelector("svg");
  if (!svg || !anchor) return;
  const spot = svg.querySelector(`[data-spot="${CSS.escape(anchor)}"]`) ?? markAnchor(svg, anchor);
  if (!spot) return;
  spot.classList.add("hinted");
  const star = document.createElementNS(SVG, "text");
  star.textContent = "★";
  star.setAttribute("class", "star");
  const { x, y, width } = spot.firstChild.getBBox();
  star.setAttribute("x", x + width - 3);
  star.setAttribute("y", y + 20);
  spot.append(star);
}

function byAnchor(legal) {
  const anchors = new Map();
  for (const move of legal) {
    if (!move.anchor) continue;
    if (!anchors.has(move.anchor)) anchors.set(move.anchor, []);
    anchors.get(move.anchor).push(move);
  }
  return anchors;
}

/** Lay a mark over a anchor: one frame, or one for each tile of an island that is of its kind. */
function markAnchor(svg, anchor) {
  const part = svg.querySelector(`[data-anchor="${CSS.escape(anchor)}"]`);
  if (!part) return null;
  const tiles = anchor.startsWith("island-") ? [...part.querySelectorAll(":scope > rect")] : [];
  const mark = document.createElementNS(SVG, "g");
  mark.setAttribute("class", "spot");
  mark.dataset.spot = anchor;
  mark.append(...(tiles.length ? tiles : [part]).map((one) => frame(one.getBBox())));
  part.append(mark);
  return mark;
}

function frame(box) {
  const rect = document.createElementNS(SVG, "rect");
  rect.setAttribute("x", box.x - EDGE);
  rect.setAttribute("y", box.y - EDGE);
  rect.setAttribute("width", box.width + 2 * EDGE);
  rect.setAttribute("height", box.height + 2 * EDGE);
  rect.setAttribute("rx", 4);
  return rect;
}
