// A table that is sorted by its headings, walked by keys, and drawn only where it is seen.
import { clear, h, later } from "../base/dom.js";
import { explain, meaningOf } from "./explain.js";
import { hintScroll } from "./scroll-hint.js";

const VIRTUAL = 150; // rows from which only those in sight are drawn
const AROUND = 4; // rows that are drawn above and below those in sight, for one who scrolls
let usual = { seen: 0, size: 34 }; // height of a table and of its rows, as measured last: what a new one is drawn by

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
export function table({
  columns,
  rows = [],
  key = (row) => row.id,
  sort = null,
  onSort,
  onOrder,
  isSelected,
  onOpen,
  chosen,
  onChoose,
  empty = "Nothing here.",
  label,
  height,
}) {
  let all = rows;
  let order = [];
  let range = ""; // what is drawn
  let drawn = new Map(); // its rows, each with its element
  let top = 0; // how far it is scrolled; to ask for it would lay out the page
  let { seen, size } = usual;
  let current = null; // key of the row that has the focus
  let order_by = sort;
  const body = h("tbody");
  const heads = columns.map((column) => {
    const head = h("th", { scope: "col", class: `${column.numeric ? "num" : ""} ${column.class ?? ""}` });
    if (column.sort === false) head.append(column.title);
    else head.append(h("button", { type: "button", onclick: () => by(column) }, column.title));
    return explain(head, column.meaning ?? (typeof column.title === "string" ? meaningOf(column.title) : null));
  });
  const everything = chosen && h("input", { type: "checkbox", "aria-label": "Choose all", onchange: chooseAll });
  const headings = h("tr", {}, chosen && h("th", { class: "pick", scope: "col" }, everything), heads);
  const head = h("thead", {}, headings);
  const grid = h("table", { "aria-label": label }, head, body);
  const box = h("div", { class: "table", onscroll: scrolled, css: height ? { "max-height": height } : {} }, grid);

  const valueOf = (column, row) => (column.value ? column.value(row) : row[column.key]);

  function by(column) {
    const same = order_by?.key === column.key;
    const descending = same ? !order_by?.descending : Boolean(column.numeric && column.descending);
    order_by = { key: column.key, descending };
    onSort?.(order_by);
    arrange();
  }

  function arrange() {
    const column = columns.find((one) => one.key === order_by?.key);
    const descending = Boolean(order_by?.descending);
    order = [...all];
    if (column) {
      const sign = descending ? -1 : 1;
      const none = (value) => value === null || value === undefined || Number.isNaN(value);
      const valued = all.map((row) => ({ row, value: valueOf(column, row) }));
      valued.sort(({ value: a }, { value: b }) => {
        if (none(a) || none(b)) return Number(none(a)) - Number(none(b));
        return (
          sign * (typeof a === "string" ? a.localeCompare(b, "en", { numeric: true, sensitivity: "base" }) : a - b)
        );
      });
      order = valued.map(({ row }) => row);
    }
    columns.forEach((one, place) => {
      if (column === one) heads[place].setAttribute("aria-sort", descending ? "descending" : "ascending");
      else heads[place].removeAttribute("aria-sort");
    });
    grid.setAttribute("aria-rowcount", order.length + 1);
    range = "";
    drawInSight();
    onOrder?.(order);
  }

  function scrolled() {
    top = box.scrollTop;
    draw();
  }

  /** Draw the rows in sight, and those around them when the page is shown. */
  function drawInSight() {
    draw(0);
    drawAround();
  }
  const drawAround = later(() => box.isConnected && draw());

  function draw(around = AROUND) {
    const virtual = order.length > VIRTUAL;
    const most = Math.ceil(seen / size) + 2 * around;
    const first = virtual ? Math.max(0, Math.min(Math.floor(top / size) - around, order.length - most)) : 0;
    const last = virtual ? Math.min(order.length, first + most) : order.length;
    if (range === `${first} ${last}`) return;
    range = `${first} ${last}`;
    const active = document.activeElement;
    const focused = active && body.contains(active) ? active.closest("tr")?.dataset.key : null;
    const before = drawn;
    drawn = new Map(order.slice(first, last).map((row) => [row, before.get(row) ?? line(row)]));
    [...drawn].forEach(([row, element], k) => {
      const place = first + k;
      element.setAttribute("aria-rowindex", place + 2);
      element.tabIndex = (current === null ? place === 0 : current === String(key(row))) ? 0 : -1;
    });
    const space = (rows) =>
      rows > 0 &&
      h(
        "tr",
        { class: "space", "aria-hidden": "true" },
        h("td", { colspan: columns.length + 1, css: { height: `${rows * size}px` } }),
      );
    clear(body, space(first), [...drawn.values()], space(order.length - last));
    const nothing = () => (typeof empty === "function" ? empty() : empty);
    if (!order.length)
      body.append(h("tr", {}, h("td", { class: "note wide", colspan: columns.length + 1 }, nothing())));
    if (focused) focusRow(focused, false);
    if (everything) {
      everything.checked = order.length > 0 && order.every((row) => chosen.has(key(row)));
      everything.indeterminate = !everything.checked && chosen.size > 0;
    }
  }

  function measure() {
    seen = box.clientHeight;
    size = Number.parseFloat(getComputedStyle(box).getPropertyValue("--row")) || 34;
    if (seen) usual = { seen, size };
    if (order.length > VIRTUAL) drawInSight();
  }

  function line(row) {
    const id = String(key(row));
    const pick =
      chosen &&
      h(
        "td",
        { class: "pick" },
        h("input", {
          type: "checkbox",
          tabindex: "-1",
          checked: chosen.has(key(row)),
          "aria-label": `Choose ${id}`,
          onchange: () => choose(row),
        }),
      );
    const selected = chosen ? chosen.has(key(row)) : isSelected?.(row);
    return h(
      "tr",
      {
        dataset: { key: id },
        "aria-selected": selected === undefined ? null : String(selected),
        onclick: (event) => !event.target.closest("a, button, input, .pick") && onOpen?.(row),
        onfocus: () => (current = id),
      },
      pick,
      cellsOf(row),
    );
  }

  function cellsOf(row) {
    return columns.map((column) => {
      const shown = column.show ? column.show(row) : valueOf(column, row);
      return h(
        "td",
        { class: `${column.numeric ? "num" : ""} ${column.class ?? ""}`, title: column.tip?.(row) },
        shown ?? "–",
      );
    });
  }

  function choose(row) {
    if (!chosen) return;
    const id = key(row);
    if (chosen.has(id)) chosen.delete(id);
    else chosen.add(id);
    redraw();
    onChoose?.(chosen);
  }

  function chooseAll() {
    if (!chosen) return;
    const keys = order.map(key);
    const whole = keys.every((one) => chosen.has(one));
    for (const one of keys) whole ? chosen.delete(one) : chosen.add(one);
    redraw();
    onChoose?.(chosen);
  }

  function redraw() {
    range = "";
    drawn = new Map();
    draw();
  }

  function focusRow(id, scroll = true) {
    const place = order.findIndex((row) => String(key(row)) === id);
    if (place < 0) return;
    current = id;
    if (scroll && order.length > VIRTUAL) {
      const at = place * size;
      if (at < top) box.scrollTop = at;
      else if (at + 2 * size > top + seen) box.scrollTop = at + 2 * size - seen;
      scrolled();
    }
    for (const one of body.querySelectorAll("tr[data-key]")) one.tabIndex = one.dataset.key === id ? 0 : -1;
    body.querySelector(`tr[data-key="${CSS.escape(id)}"]`)?.focus({ preventScroll: !scroll });
  }

  box.addEventListener("keydown", (event) => {
    const row = event.target.closest?.("tbody tr[data-key]");
    if (!row || (event.target !== row && event.target.type !== "checkbox")) return;
    const place = order.findIndex((one) => String(key(one)) === row.dataset.key);
    const page = Math.max(1, Math.floor(seen / size) - 2);
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -order.length, End: order.length };
    if (event.key in moves && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const next = Math.min(order.length - 1, Math.max(0, place + moves[event.key]));
      focusRow(String(key(order[next])));
    } else if (event.key === "Enter" && event.target === row) onOpen?.(order[place]);
    else if (event.key === " " && chosen && event.target === row) choose(order[place]);
    else return;
    event.preventDefault();
  });

  /** @param {any[]} next @param {{same?: boolean, summary?: any}} how */
  box.update = (next, { same = false, summary = null } = {}) => {
    all = next;
    clear(
      head,
      headings,
      summary && h("tr", { class: "summary" }, chosen && h("td", { class: "pick" }), cellsOf(summary)),
    );
    if (!same) drawn = new Map();
    arrange();
  };
  new ResizeObserver(measure).observe(box);
  arrange();
  return hintScroll(box, grid);
}
