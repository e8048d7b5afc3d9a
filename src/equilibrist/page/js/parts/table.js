// A table that is sorted by its headings, walked by keys, and drawn only where it is seen.
import { clear, h, later } from "../base/dom.js";
import { explain, meaningOf } from "./explain.js";
import { hintScroll } from "./scroll-hint.js";
import { drawnRows, isVirtual, tableStore, valueOf } from "./table-store.js";

/** @typedef {import("./table-store.js").TableStore} TableStore */

const AROUND = 4; // rows that are drawn above and below those in sight, for one who scrolls
let usual = { seen: 0, size: 34 }; // height of a table and of its rows, as measured last: what a new one is drawn by

const classOf = (column) => `${column.numeric ? "num" : ""} ${column.class ?? ""}`;

/** Return the cells of a row. */
const cellsOf = (columns, row) =>
  columns.map((column) => {
    const shown = column.show ? column.show(row) : valueOf(column, row);
    return h("td", { class: classOf(column), title: column.tip?.(row) }, shown ?? "–");
  });

/**
 * Return the headings, by which rows are sorted and all of them chosen.
 *
 * @param {TableStore} store
 * @param {{columns: any[], chosen?: Set<any>}} options
 */
function headPanel(store, { columns, chosen }) {
  const heading = (column) => {
    const cell = h("th", { scope: "col", class: classOf(column) });
    if (column.sort === false) cell.append(column.title);
    else cell.append(h("button", { type: "button", onclick: () => store.sortBy(column) }, column.title));
    return explain(cell, column.meaning ?? (typeof column.title === "string" ? meaningOf(column.title) : null));
  };
  const headings = columns.map(heading);
  const everything =
    chosen && h("input", { type: "checkbox", "aria-label": "Choose all", onchange: () => store.chooseAll() });
  const row = h("tr", {}, chosen && h("th", { class: "pick", scope: "col" }, everything), headings);
  const element = h("thead", {}, row);

  /** Show by which column rows are sorted. */
  function showSort() {
    const sorted = store.sortedColumn();
    const direction = store.state.sort?.descending ? "descending" : "ascending";
    columns.forEach((column, place) => {
      if (column === sorted) headings[place].setAttribute("aria-sort", direction);
      else headings[place].removeAttribute("aria-sort");
    });
  }

  /** Show whether all rows are chosen, or some. */
  function showChosen() {
    if (!everything) return;
    everything.checked = store.isAllChosen();
    everything.indeterminate = !everything.checked && chosen.size > 0;
  }

  /** Show a row of means below the headings, or none. */
  function showSummary(summary) {
    const cells = () => [chosen && h("td", { class: "pick" }), cellsOf(columns, summary)];
    clear(element, row, summary && h("tr", { class: "summary" }, cells()));
  }
  return { element, showSort, showChosen, showSummary };
}

/**
 * Return a function that makes the element of a row.
 *
 * @param {TableStore} store
 * @param {{columns: any[], isSelected?: (row: any) => boolean, onOpen?: (row: any) => void, chosen?: Set<any>}} options
 */
function rowMaker(store, { columns, isSelected, onOpen, chosen }) {
  const pick = (row, id) =>
    h("input", {
      type: "checkbox",
      tabindex: "-1",
      checked: store.isChosen(row),
      "aria-label": `Choose ${id}`,
      onchange: () => store.choose(row),
    });
  return (row) => {
    const id = store.keyOf(row);
    const selected = chosen ? store.isChosen(row) : isSelected?.(row);
    const attributes = {
      dataset: { key: id },
      "aria-selected": selected === undefined ? null : String(selected),
      onclick: (event) => !event.target.closest("a, button, input, .pick") && onOpen?.(row),
      onfocus: () => (store.state.current = id),
    };
    return h("tr", attributes, chosen && h("td", { class: "pick" }, pick(row, id)), cellsOf(columns, row));
  };
}

/**
 * Return the rows in sight. `sight` is how far the table is scrolled, its height and that of a row: to ask the page for
 * them would lay it out.
 *
 * @param {TableStore} store
 * @param {any} options those of the table
 * @param {{top: number, seen: number, size: number}} sight
 */
function bodyPanel(store, options, sight) {
  const { columns, empty = "Nothing here." } = options;
  const element = h("tbody");
  const makeRow = rowMaker(store, options);
  const width = columns.length + 1;
  let range = ""; // what is drawn
  let drawn = new Map(); // its rows, each with its element

  /** Return a row as high as rows that are not drawn. */
  const space = (rows) =>
    rows > 0 &&
    h(
      "tr",
      { class: "space", "aria-hidden": "true" },
      h("td", { colspan: width, css: { height: `${rows * sight.size}px` } }),
    );
  const emptyRow = () => {
    const words = typeof empty === "function" ? empty() : empty;
    return h("tr", {}, h("td", { class: "note wide", colspan: width }, words));
  };

  /** Return the key of the row that has the focus, or null. */
  function focusedKey() {
    const active = document.activeElement;
    if (!active || !element.contains(active)) return null;
    return /** @type {HTMLElement | null} */ (active.closest("tr"))?.dataset.key ?? null;
  }

  /** Give the row with a key the focus, if it is drawn. */
  function focus(id, { preventScroll }) {
    store.state.current = id;
    for (const row of element.querySelectorAll("tr[data-key]")) row.tabIndex = row.dataset.key === id ? 0 : -1;
    element.querySelector(`tr[data-key="${CSS.escape(id)}"]`)?.focus({ preventScroll });
  }

  /** Draw the rows in sight and so many around them; return whether others were drawn before. */
  function draw(around) {
    const { order } = store.state;
    const [first, last] = drawnRows(order.length, sight, around);
    if (range === `${first} ${last}`) return false;
    range = `${first} ${last}`;
    const focused = focusedKey();
    const before = drawn;
    drawn = new Map(order.slice(first, last).map((row) => [row, before.get(row) ?? makeRow(row)]));
    [...drawn].forEach(([row, line], k) => {
      line.setAttribute("aria-rowindex", first + k + 2);
      line.tabIndex = store.isCurrent(row, first + k) ? 0 : -1;
    });
    clear(element, space(first), [...drawn.values()], space(order.length - last), !order.length && emptyRow());
    if (focused && store.placeOf(focused) >= 0) focus(focused, { preventScroll: true });
    return true;
  }

  return {
    element,
    draw,
    focus,

    /** Look at the order anew when it is drawn next. */
    forgetRange() {
      range = "";
    },

    /** Make all rows anew when they are drawn next. */
    forgetRows() {
      range = "";
      drawn = new Map();
    },
  };
}

/**
 * Return a table.
 *
 * columns: [{key, title, meaning (by default that of the title in the glossary), numeric, value(row), show(row), sort: false, class, title of a cell: tip(row)}]; `value` is what is
 *   sorted by (default row[key]), `show` a text or an element (default the value). Nulls come last.
 * rows: objects; key(row) tells them apart (default row.id).
 * sort: {key, descending}; onSort(sort) is told.
 * onOrder(rows): told of the rows in their order, whenever that may have changed.
 * onOpen(row): Enter or a click; isSelected(row): whether it is the one that is open. chosen: a Set of keys that can be picked with a box or the space bar; onChoose(set).
 * empty: what is said where there are no rows, or a function that returns it. The element has update(rows, {same, summary});
 *   where it is the `same`, rows that are drawn already look as before; `summary` is a row of means, which stays below the headings.
 *
 * @param {{
 *   columns: any[], rows?: any[], key?: (row: any) => any, sort?: {key: string, descending?: boolean} | null,
 *   onSort?: (sort: any) => void, onOrder?: (rows: any[]) => void,
 *   isSelected?: (row: any) => boolean, onOpen?: (row: any) => void, chosen?: Set<any>, onChoose?: (chosen: Set<any>) => void,
 *   empty?: any, label?: string, height?: string,
 * }} options
 */
export function table(options) {
  const { columns, rows = [], key = (row) => row.id, sort = null, chosen, label, height } = options;
  const store = tableStore({ columns, rows, key, sort, chosen });
  const sight = { top: 0, ...usual };
  const head = headPanel(store, options);
  const body = bodyPanel(store, options, sight);
  const grid = h("table", { "aria-label": label }, head.element, body.element);
  const box = h("div", { class: "table", onscroll: scrolled, css: height ? { "max-height": height } : {} }, grid);
  const drawAround = later(() => box.isConnected && draw());

  function draw(around = AROUND) {
    if (body.draw(around)) head.showChosen();
  }

  /** Draw the rows in sight, and those around them when the page is shown. */
  function drawInSight() {
    draw(0);
    drawAround();
  }

  function scrolled() {
    sight.top = box.scrollTop;
    draw();
  }

  function measure() {
    sight.seen = box.clientHeight;
    sight.size = Number.parseFloat(getComputedStyle(box).getPropertyValue("--row")) || 34;
    if (sight.seen) usual = { seen: sight.seen, size: sight.size };
    if (isVirtual(store.state.order.length)) drawInSight();
  }

  /** Give the row at a place the focus, and scroll to it. */
  function focusPlace(place) {
    const { top, seen, size } = sight;
    const id = store.keyOf(store.state.order[place]);
    store.state.current = id;
    if (isVirtual(store.state.order.length)) {
      const above = place * size;
      if (above < top) box.scrollTop = above;
      else if (above + 2 * size > top + seen) box.scrollTop = above + 2 * size - seen;
      scrolled();
    }
    body.focus(id, { preventScroll: false });
  }

  /** Walk with the keys of a row: to another one, into it, or choose it. */
  function walk(event) {
    const row = event.target.closest?.("tbody tr[data-key]");
    if (!row || (event.target !== row && event.target.type !== "checkbox")) return;
    const place = store.placeOf(row.dataset.key);
    const page = Math.max(1, Math.floor(sight.seen / sight.size) - 2);
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const next = isPlain ? store.placeAfter(place, event.key, page) : null;
    if (next !== null) focusPlace(next);
    else if (event.key === "Enter" && event.target === row) options.onOpen?.(store.state.order[place]);
    else if (event.key === " " && chosen && event.target === row) store.choose(store.state.order[place]);
    else return;
    event.preventDefault();
  }

  store.subscribe((what) => {
    if (what === "sort") options.onSort?.(store.state.sort);
    else if (what === "order") {
      head.showSort();
      grid.setAttribute("aria-rowcount", store.state.order.length + 1);
      body.forgetRange();
      drawInSight();
      options.onOrder?.(store.state.order);
    } else {
      body.forgetRows();
      draw();
      options.onChoose?.(/** @type {Set<any>} */ (chosen));
    }
  });
  box.addEventListener("keydown", walk);

  /** @param {any[]} next @param {{same?: boolean, summary?: any}} how */
  box.update = (next, { same = false, summary = null } = {}) => {
    head.showSummary(summary);
    if (!same) body.forgetRows();
    store.setRows(next);
  };
  new ResizeObserver(measure).observe(box);
  store.arrange();
  return hintScroll(box, grid);
}
