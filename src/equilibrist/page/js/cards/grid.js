// The grid of classes of hands, 13 × 13 or of a shorter deck: shares of actions or one weight in each cell, walked by keys, painted by dragging.
import { clear, h, svg } from "../base/dom.js";
import { RANKS, SUITS } from "./cards.js";

/** Return the classes of the hands of some ranks row by row: pairs on the diagonal, suited hands above it. */
const listClasses = (ranks) =>
  [...ranks].flatMap((one, row) =>
    [...ranks].map((other, column) =>
      row === column ? one + other : row < column ? `${one}${other}s` : `${other}${one}o`,
    ),
  );

const classes = new Map();

/** Return the classes of the hands of some ranks, the highest first: 169 of "AKQJT98765432", 81 of "AKQJT9876". */
export function classesOf(ranks) {
  if (!classes.has(ranks)) classes.set(ranks, listClasses(ranks));
  return classes.get(ranks);
}

/** The 169 classes row by row: pairs on the diagonal, suited hands above it, offsuit ones below. */
export const CLASSES = classesOf(RANKS);

const hands = new Map();

/** Return the hands of a class, as the API names them: "AKs" → ["AsKs", …]; the suit that is named first is the higher. */
export function handsOf(name) {
  if (!hands.has(name)) hands.set(name, listHands(name));
  return hands.get(name);
}

function listHands(name) {
  const [one, other, kind] = name;
  const pairs = [...SUITS].flatMap((a, i) => [...SUITS].map((b, k) => ({ a, b, i, k })));
  const wanted = one === other ? ({ i, k }) => i < k : kind === "s" ? ({ i, k }) => i === k : ({ i, k }) => i !== k;
  return pairs.filter(wanted).map(({ a, b }) => one + a + other + b);
}

/**
 * Return a grid.
 *
 * cells: a Map, or object, of class → {segments: [{colour, share}], weight, title, label, muted}: how high the cell is
 *   filled (0 to 1), with what colours side by side, what it is called to screen readers and in its tooltip, and a second
 *   line of text. A class without a cell is empty.
 * onSelect(class): a click, Enter, or the arrow keys. onPaint(class, first, event): pressed, then dragged over (`first` is
 *   false), or the space bar; where it is given, dragging paints.
 * label(number of classes) is what the grid is called.
 * The element has update(cells), select(class), and setRanks(ranks) for another deck, the highest rank first.
 *
 * @param {{
 *   cells?: Map<string, any>, label?: string | ((classes: number) => string), onSelect?: (name: string) => void,
 *   onPaint?: (name: string, first: boolean, event: Event) => void,
 * }} options
 */
export function rangeGrid({ cells = new Map(), onSelect, onPaint, label = "Hands" }) {
  let current = "AA";
  let [names, side, shownRanks] = [CLASSES, RANKS.length, ""];
  const boxes = new Map();
  const fills = svg("svg", { preserveAspectRatio: "none", "aria-hidden": "true" });
  const lines = svg("path", { class: "lines" });
  const grid = h("div", { class: `grid13 ${onPaint ? "paints" : ""}`, role: "grid" }, fills);

  function setRanks(ranks) {
    if (ranks === shownRanks) return;
    [names, side, shownRanks] = [classesOf(ranks), ranks.length, ranks];
    if (!names.includes(current)) current = "AA";
    grid.setAttribute("aria-label", typeof label === "string" ? label : label(names.length));
    grid.style.setProperty("--side", String(side));
    fills.setAttribute("viewBox", `0 0 ${side} ${side}`);
    lines.setAttribute("d", [...Array(side - 1).keys()].map((k) => `M0 ${k + 1}H${side}M${k + 1} 0V${side}`).join(""));
    boxes.clear();
    const rows = [...Array(side).keys()].map((row) =>
      h("div", { role: "row" }, names.slice(side * row, side * (row + 1)).map(makeBox)),
    );
    clear(grid, fills, rows);
  }

  function makeBox(name) {
    const tabindex = name === current ? "0" : "-1";
    const box = h("div", { class: "cell", role: "gridcell", tabindex, dataset: { name } }, name);
    boxes.set(name, box);
    return box;
  }

  const placeOf = (name) => [Math.floor(names.indexOf(name) / side), names.indexOf(name) % side];

  /** Return the classes from one to another, without the first: a fast pointer leaves none out. */
  function path(from, to) {
    const [[a, b], [c, d]] = [placeOf(from), placeOf(to)];
    const steps = Math.max(Math.abs(c - a), Math.abs(d - b));
    const at = (k) => side * Math.round(a + ((c - a) * k) / steps) + Math.round(b + ((d - b) * k) / steps);
    return Array.from({ length: steps }, (_, k) => names[at(k + 1)]);
  }

  function update(next) {
    const shown = new Map(
      names.map((name) => [name, (next instanceof Map ? next.get(name) : next[name]) ?? { weight: 0 }]),
    );
    clear(
      fills,
      layers(shown, names).map(({ colour, muted, d }) =>
        svg("path", { d, class: muted && "muted", css: { fill: colour } }),
      ),
      lines,
    );
    for (const [name, box] of boxes) {
      const { weight = 1, label = "", muted = false, title = name } = shown.get(name);
      const look = [weight === 0, label, muted, title].join("\n");
      if (look === box.look) continue; // of a filter, or a mode, many cells stay as they are
      box.look = look;
      const said = box.lastElementChild?.textContent ?? "";
      if (said !== label) clear(box, box.firstChild, label && [" ", h("small", {}, label)]);
      box.classList.toggle("none", weight === 0);
      box.classList.toggle("muted", muted);
      box.title = title;
      box.setAttribute("aria-label", label ? title.replace(`${name}:`, `${name} ${label}:`) : title);
    }
  }

  function select(name, { focus = false } = {}) {
    if (!boxes.has(name)) return; // an address may name anything
    boxes.get(current).tabIndex = -1;
    boxes.get(current).removeAttribute("aria-selected");
    current = name;
    const box = boxes.get(name);
    box.tabIndex = 0;
    box.setAttribute("aria-selected", "true");
    if (focus) box.focus();
  }

  const under = (event) =>
    document.elementFromPoint(event.clientX, event.clientY)?.closest(".cell")?.getAttribute("data-name");
  let last = null;
  grid.addEventListener("pointerdown", (event) => {
    const name = event.target.closest(".cell")?.dataset.name;
    if (!name || event.button !== 0) return;
    select(name);
    onSelect?.(name);
    if (!onPaint) return;
    event.preventDefault();
    boxes.get(name).focus({ preventScroll: true });
    grid.setPointerCapture(event.pointerId);
    last = name;
    onPaint(name, true, event);
  });
  grid.addEventListener("pointermove", (event) => {
    if (last === null || !onPaint) return;
    const name = under(event);
    if (!name || name === last || !boxes.has(name) || !grid.contains(boxes.get(name))) return;
    for (const between of path(last, name)) onPaint(between, false, event);
    last = name;
    select(name);
    onSelect?.(name);
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"])
    grid.addEventListener(end, () => (last = null));
  grid.addEventListener("keydown", (event) => {
    const [row, column] = placeOf(current);
    const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[
      event.key
    ] ?? [0, 0];
    if (down || right) {
      const [i, k] = [row + down, column + right];
      if (i >= 0 && i < side && k >= 0 && k < side) {
        const before = current;
        select(names[side * i + k], { focus: true });
        onSelect?.(current);
        if (event.shiftKey && onPaint && before !== current) onPaint(current, false, event);
      }
    } else if (event.key === " " && onPaint) onPaint(current, true, event);
    else if (event.key === "Enter") onSelect?.(current);
    else return;
    event.preventDefault();
  });

  grid.update = update;
  grid.select = select;
  grid.setRanks = setRanks;
  setRanks(RANKS);
  update(cells);
  return grid;
}

/**
 * Return what is drawn behind the names of the classes, as a few paths in the order in which they are drawn:
 * {colour, muted, d}. A background for each of 169 cells takes the browser as long as all the rest of a decision.
 *
 * A colour reaches from the left edge of its cell to its own right end, below those before it: nothing shines through
 * between two of them.
 */
export function layers(cells, names = CLASSES) {
  const side = Math.sqrt(names.length);
  const drawn = new Map();
  const add = (order, colour, muted, rectangle) => {
    const key = `${order} ${muted} ${colour}`;
    if (!drawn.has(key)) drawn.set(key, { order, colour, muted, d: "" });
    drawn.get(key).d += rectangle;
  };
  for (const [place, name] of names.entries()) {
    const { weight = 1, segments = [], muted = false } = cells.get(name);
    const [x, bottom] = [place % side, Math.floor(place / side) + 1];
    if (!weight) add(0, "var(--sunk)", muted, `M${x} ${bottom}v-1h1v1z`);
    const high = weight.toFixed(4);
    for (const [k, { colour, end }] of (weight ? spans(segments) : []).entries())
      add(k, colour, muted, `M${x} ${bottom}v-${high}h${end.toFixed(4)}v${high}z`);
  }
  return [...drawn.values()].sort((one, two) => two.order - one.order);
}

/** Return the colours side by side, each with where it begins and ends, as shares of the whole. */
function spans(segments) {
  const known = segments.filter(({ share }) => share > 0);
  const total = known.reduce((sum, { share }) => sum + share, 0);
  let at = 0;
  return known.map(({ colour, share }) => ({ colour, begin: at / total, end: (at += share) / total }));
}

/** Return a background image of colours side by side. */
export function gradient(segments) {
  const stops = spans(segments).map(({ colour, begin, end }) => `${colour} ${100 * begin}% ${100 * end}%`);
  return stops.length ? `linear-gradient(to right, ${stops.join(", ")})` : "none";
}
