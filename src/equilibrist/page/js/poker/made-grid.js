// The grid of a range of Omaha: made hands in rows, draws in columns; walked by keys like that of classes.
import { clear, h } from "../base/dom.js";
import { percent } from "../base/format.js";
import { gradient } from "../cards/grid.js";

const NO_DRAW = "no draw";
const TITLES = { "": NO_DRAW };
const TOGETHER = "flush draw and ";

/** Return what a column is headed by: of a flush draw with another draw a plus and that one. */
const headOf = (draw) => TITLES[draw] ?? draw.replace(TOGETHER, "flush + ");

/**
 * Return the rows and the columns of cells, in the order of the names of made hands and draws; only those that there are.
 *
 * @param {{made: string, draw: string}[]} cells @param {string[]} made @param {string[]} draws
 */
export function axesOf(cells, made, draws) {
  const rows = made.filter((name) => cells.some((cell) => cell.made === name));
  const columns = ["", ...draws].filter((name) => cells.some((cell) => cell.draw === name));
  return { rows, columns };
}

/**
 * Return a grid; onSelect(cell name) is told of a click, Enter or the arrow keys. The element has
 * update({rows, columns, cells}) with cells a Map by name of {made, draw, segments, label, title}, and select(name).
 *
 * @param {{onSelect: (name: string) => void, label: string}} options
 */
export function madeGrid({ onSelect, label }) {
  const grid = h("div", { class: "made-grid", role: "grid", "aria-label": label });
  /** @type {Map<string, HTMLElement>} */
  let boxes = new Map();
  /** @type {string[][]} */
  let places = []; // names by row and column, "" where there is no hand
  let current = "";
  let chosen = "";

  function cellAt(cells, made, draw) {
    for (const [name, cell] of cells) if (cell.made === made && cell.draw === draw) return [name, cell];
    return ["", null];
  }

  function box(name, cell) {
    if (!cell) return h("div", { class: "cell none", role: "gridcell" });
    const { segments, label: text, title } = cell;
    const element = h(
      "div",
      {
        class: "cell",
        role: "gridcell",
        tabindex: "-1",
        title,
        "aria-label": `${name} ${text}: ${title}`,
        dataset: { name },
        css: { background: gradient(segments) },
      },
      h("span", {}, text),
    );
    boxes.set(name, element);
    return element;
  }

  function update({ rows, columns, cells }) {
    const hadFocus = grid.contains(document.activeElement);
    boxes = new Map();
    grid.style.setProperty("--columns", String(columns.length));
    const found = rows.map((made) => columns.map((draw) => cellAt(cells, made, draw)));
    places = found.map((row) => row.map(([name]) => name));
    const heads = columns.map((draw) => h("div", { role: "columnheader" }, headOf(draw)));
    const body = rows.map((made, k) =>
      h(
        "div",
        { role: "row" },
        h("div", { role: "rowheader" }, made),
        found[k].map(([name, cell]) => box(name, cell)),
      ),
    );
    clear(
      grid,
      h("div", { role: "row" }, h("div", { role: "columnheader" }, h("span", { class: "sr" }, "Hand")), heads),
      body,
    );
    if (!boxes.has(current)) current = boxes.keys().next().value ?? "";
    mark({ focus: hadFocus });
  }

  function mark({ focus = false } = {}) {
    for (const [name, element] of boxes) {
      element.tabIndex = name === current ? 0 : -1;
      element.toggleAttribute("aria-selected", false);
      if (name === chosen) element.setAttribute("aria-selected", "true");
    }
    if (focus) boxes.get(current)?.focus({ preventScroll: true });
  }

  /** Mark a cell as chosen; none of an empty name. */
  function select(name) {
    chosen = name;
    if (boxes.has(name)) current = name;
    mark();
  }

  /** Return the next cell with hands from the current one in a direction; "" where there is none. */
  function next([down, right]) {
    let row = places.findIndex((names) => names.includes(current));
    let column = places[row]?.indexOf(current) ?? 0;
    for (;;) {
      row += down;
      column += right;
      const name = places[row]?.[column];
      if (name === undefined) return "";
      if (name) return name;
    }
  }

  const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  grid.addEventListener("click", (event) => {
    const name = /** @type {HTMLElement} */ (event.target).closest("[data-name]")?.getAttribute("data-name");
    if (name) onSelect(name);
  });
  grid.addEventListener("keydown", (event) => {
    if (event.key === "Enter") onSelect(current);
    else if (event.key in STEPS) {
      const name = next(STEPS[event.key]);
      if (!name) return;
      current = name;
      mark({ focus: true });
      onSelect(name);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return Object.assign(grid, { update, select });
}

/** Return what a cell is of the range, in words. */
export const shareInWords = (cell) => `${percent(cell.probability)} of the range`;
