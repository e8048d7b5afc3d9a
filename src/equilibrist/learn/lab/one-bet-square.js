// The square of the lab of one bet as it is touched: the point by mouse, finger and keys, and the scale of its colours.

import { clear, h, svg } from "../../page/js/base/dom.js";
import { judged } from "./one-bet-game.js";
import { clamped, layout, marks, paint, paletteOf, rangeOf, scale, SURFACES } from "./one-bet-plane.js";
import { choice, panel } from "./regret-controls.js";
import { fixed, small } from "./regret-numbers.js";

/** @typedef {import("./one-bet-store.js").OneBetStore} OneBetStore */
/** @typedef {import("./one-bet-store.js").OneBetState} OneBetState */

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Return where an arrow key moves the point; null for another key. */
function pointAfterKey({ key, shiftKey }, { bluff, call }) {
  const step = STEPS[key];
  if (!step) return null;
  const size = shiftKey ? 0.1 : 0.01;
  const moved = (value, by) => clamped(Math.round((value + by * size) * 1000) / 1000);
  return { bluff: moved(bluff, step[0]), call: moved(call, step[1]) };
}

/** Have mouse and finger drag the point, and arrow keys move it. */
function followPointer({ plane, canvas, point }, store, move) {
  const drag = (event) => {
    const frame = plane.getBoundingClientRect();
    move(layout(frame.width).at(event.clientX - frame.left, event.clientY - frame.top));
  };
  plane.addEventListener("pointerdown", (event) => {
    if (event.button || (event.target !== canvas && event.target !== point)) return;
    event.preventDefault();
    plane.setPointerCapture(event.pointerId);
    point.focus({ preventScroll: true });
    drag(event);
    plane.addEventListener("pointermove", drag);
  });
  for (const end of ["pointerup", "pointercancel"])
    plane.addEventListener(end, () => plane.removeEventListener("pointermove", drag));
  point.addEventListener("keydown", (event) => {
    const moved = pointAfterKey(event, store.state);
    if (!moved) return;
    event.preventDefault();
    move(moved);
  });
}

/** Put a canvas into the square. */
function placeCanvas(canvas, { left, top, side }) {
  Object.assign(canvas.style, {
    left: `${left}px`,
    top: `${top}px`,
    width: `${side}px`,
    height: `${side}px`,
  });
}

/** Draw the scale of the colours: least and largest value, its bands, and what a line stands for. */
function drawScale(box, { surface, S }, palette, pushes) {
  const [least, most] = rangeOf(surface, S);
  const { colour, step, middle } = scale(surface, S, palette);
  const [first, last] = [least, most].map((value) => Math.round((value - middle) / step));
  const bands = Array.from({ length: last - first + 1 }, (_, i) => middle + (first + i) * step);
  clear(
    box,
    h("span", {}, fixed(least)),
    h(
      "span",
      { class: "ramp" },
      bands.map((value) => h("i", { css: { background: `rgb(${colour(value).map(Math.round).join()})` } })),
    ),
    h("span", {}, fixed(most)),
    h("span", {}, `a line every ${Number(step.toPrecision(3))}`),
    h("label", { class: "check" }, pushes, "small arrows"),
  );
}

/** Say to those who do not see it where the point is. */
function describePoint(point, { S, bluff, call }) {
  const { exploitability } = judged(S, bluff, call);
  point.setAttribute("aria-valuenow", fixed(bluff, 2));
  point.setAttribute(
    "aria-valuetext",
    `bluff ${fixed(bluff, 2)}, call ${fixed(call, 2)}, exploitability ${small(exploitability)}`,
  );
}

/**
 * Return the panel of the square. `show(repaint)` draws it, its surface only where that has changed; it returns false
 * while the square has no width.
 *
 * @param {OneBetStore} store
 * @param {{lab: HTMLElement, move: (change: {bluff: number, call: number}) => void}} context
 *   lab has the colours of the style sheet; move is called when the reader moves the point
 */
export function squarePanel(store, { lab, move }) {
  const { state } = store;
  const point = h("div", { class: "point", tabindex: 0, role: "slider", "aria-label": "The point: bluff and call" });
  const canvas = h("canvas", { "aria-hidden": "true" });
  const overlay = svg("svg", { "aria-hidden": "true" });
  const plane = h("div", { class: "plane" }, canvas, overlay, point);
  const legend = h("div", { class: "scale" });
  const pushes = h("input", {
    type: "checkbox",
    checked: true,
    onchange: () => store.showPushes(pushes.checked),
  });
  const labels = Object.entries(SURFACES).map(([name, { label }]) => [name, label]);
  const surface = choice("What colour shows", Object.fromEntries(labels), store.colourBy);
  followPointer({ plane, canvas, point }, store, move);

  function show(repaint = false) {
    const width = plane.clientWidth;
    if (!width) return false;
    const place = layout(width);
    plane.style.height = `${place.height}px`;
    const pixels = Math.round(place.side * Math.min(2, devicePixelRatio || 1));
    if (repaint || canvas.width !== pixels) {
      const palette = paletteOf(lab);
      canvas.width = pixels;
      canvas.height = pixels;
      paint(canvas, state, palette);
      drawScale(legend, state, palette, pushes);
    }
    placeCanvas(canvas, place);
    overlay.setAttribute("viewBox", `0 0 ${width} ${place.height}`);
    overlay.replaceChildren(...marks(place, state));
    Object.assign(point.style, { left: `${place.x(state.bluff)}px`, top: `${place.y(state.call)}px` });
    surface.show(state.surface);
    describePoint(point, state);
    return true;
  }

  return { element: panel("The square", surface.box, plane, legend), plane, show };
}
