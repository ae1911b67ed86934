// The board: a drawing in which the anchors where something can be done are marked and clickable.

import { t } from "./messages.js";
import { offerWholeBoards } from "./whole_boards.js";

const SVG = "http://www.w3.org/2000/svg";
const EDGE = 1; // how far a mark stands out from its anchor
const TARGET = 24; // pixels that a place has at least, so that it can be hit
const TALL = matchMedia("(max-width: 1019px)");
const TABLET = matchMedia("(max-width: 1179px), (max-height: 795px)");

/** The drawing that fits the window: for a phone, a small window, or a large one. */
export function layout() {
  if (TALL.matches) return "tall";
  return TABLET.matches ? "tablet" : "desk";
}

/** Call something whenever another drawing fits the window. */
export function onLayoutChange(listener) {
  for (const query of [TALL, TABLET]) query.addEventListener("change", listener);
}

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
  growTargets(svg, svg);
  offerWholeBoards(svg, (name) => t("enlarge", { name }), (whole) => {
    if (!whole.querySelector(".room")) growTargets(svg, whole);
  });
  for (const [anchor, moves] of byAnchor(legal)) {
    const spot = markAnchor(svg, anchor);
    if (!spot) continue;
    spot.classList.add("legal");
    const label = moves.map((move) => move.words).join("\n");
    makeButton(spot, label, () => onPick(moves, spot));
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

/**
 * Mark places of a draft: their free circles, where a tap adds a unit, and those that are taken,
 * where it takes one away.
 *
 * @param {SVGElement} svg the drawing
 * @param {{anchor: string, count: number, isChanged: boolean, add?: object, take?: object}[]} places
 *   with how many circles are taken, and what a tap does: {label, onPick}
 */
export function markPlaces(svg, places) {
  for (const { anchor, count, isChanged, add, take } of places) {
    const part = svg.querySelector(`[data-anchor="${CSS.escape(anchor)}"]`);
    if (!part) continue;
    const boxes = anchor.startsWith("island-")
      ? [...part.querySelectorAll(":scope > rect:not(.room)")].map((tile) => tile.getBBox()) : [];
    const whole = part.getBBox();
    const both = boxes.length ? [boxes.slice(0, count), boxes.slice(count)] : split(whole, add && take);
    if (isChanged) layMark(svg, part, `${anchor}:changed`, [whole], null).classList.add("changed");
    if (take) layMark(svg, part, `${anchor}:take`, both[0], take);
    if (add) layMark(svg, part, `${anchor}:add`, both[1], add);
  }
}

/** The halves of a building: circles that are taken come first. */
function split(box, isSplit) {
  if (!isSplit) return [[box], [box]];
  const width = box.width / 2 - 1;
  return [0, 1].map((half) => [{ x: box.x + half * (width + 2), y: box.y, width, height: box.height }]);
}

function layMark(svg, part, name, boxes, pick) {
  const mark = document.createElementNS(SVG, "g");
  mark.setAttribute("class", "spot");
  mark.dataset.spot = name;
  const least = pick ? TARGET / (svg.getScreenCTM()?.a || 1) : 0;
  mark.append(...boxes.map((box) => frame(box, least)));
  part.append(mark);
  if (pick) offer(mark, name.endsWith(":take") ? "take" : "add", pick);
  return mark;
}

/** Let a mark be tapped or chosen by keyboard. */
function offer(mark, kind, { label, onPick }) {
  mark.classList.add("legal", kind);
  makeButton(mark, label, () => onPick());
}

/** Let a part of the drawing do something by a click, Enter or the space bar. */
function makeButton(spot, label, onPick) {
  spot.setAttribute("tabindex", "0");
  spot.setAttribute("role", "button");
  spot.setAttribute("aria-label", label.replaceAll("\n", "; "));
  spot.addEventListener("click", onPick);
  spot.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onPick();
  });
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
  const tiles = anchor.startsWith("island-") ? [...part.querySelectorAll(":scope > rect:not(.room)")] : [];
  const mark = document.createElementNS(SVG, "g");
  mark.setAttribute("class", "spot");
  mark.dataset.spot = anchor;
  const least = TARGET / (svg.getScreenCTM()?.a || 1);
  mark.append(...(tiles.length ? tiles : [part]).map((one) => frame(one.getBBox(), least)));
  part.append(mark);
  return mark;
}

/** Lay clear ground under small places, so that each can be pointed at and tapped. */
function growTargets(svg, part) {
  const least = TARGET / (svg.getScreenCTM()?.a || 1);
  const small = [...part.querySelectorAll("[data-anchor]")].map((place) => [place, place.getBBox()])
    .filter(([, box]) => box.width && Math.min(box.width, box.height) < least);
  for (const [place, box] of small) {
    const room = frame(box, least);
    room.setAttribute("class", "room");
    place.prepend(room);
  }
}

/** A frame around a box, and large enough to be hit. */
function frame(box, least) {
  const rect = document.createElementNS(SVG, "rect");
  const width = Math.max(least, box.width + 2 * EDGE);
  const height = Math.max(least, box.height + 2 * EDGE);
  rect.setAttribute("x", box.x - (width - box.width) / 2);
  rect.setAttribute("y", box.y - (height - box.height) / 2);
  rect.setAttribute("width", width);
  rect.setAttribute("height", height);
  rect.setAttribute("rx", 4);
  return rect;
}
