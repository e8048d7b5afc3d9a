// The rows of a table in their order, which of them are chosen, and which one has the focus.
import { makeListeners } from "../base/listeners.js";

const VIRTUAL = 150; // rows from which only those in sight are drawn

/** Return what a row is sorted by in a column. */
export const valueOf = (column, row) => (column.value ? column.value(row) : row[column.key]);

const isMissing = (value) => value === null || value === undefined || Number.isNaN(value);

/** Return which of two values of a column comes first; what is missing comes last, whichever way is sorted. */
function compareValues(one, other, isDescending) {
  if (isMissing(one) || isMissing(other)) return Number(isMissing(one)) - Number(isMissing(other));
  const words = { numeric: true, sensitivity: /** @type {const} */ ("base") };
  const difference = typeof one === "string" ? one.localeCompare(other, "en", words) : one - other;
  return isDescending ? -difference : difference;
}

/** Return rows sorted by a column, whose value is asked once a row. */
function sortRows(rows, column, isDescending) {
  const valued = rows.map((row) => ({ row, value: valueOf(column, row) }));
  valued.sort((one, other) => compareValues(one.value, other.value, isDescending));
  return valued.map(({ row }) => row);
}

/** Return whether so many rows are drawn only where they are seen. */
export const isVirtual = (count) => count > VIRTUAL;

/**
 * Return which rows are drawn, from … up to, not with, …: all of a few, else those in sight.
 *
 * @param {number} count of rows
 * @param {{top: number, seen: number, size: number}} sight how far the table is scrolled, its height and that of a row
 * @param {number} around rows that are drawn above and below those in sight
 * @returns {[number, number]}
 */
export function drawnRows(count, { top, seen, size }, around) {
  if (!isVirtual(count)) return [0, count];
  const most = Math.ceil(seen / size) + 2 * around;
  const first = Math.max(0, Math.min(Math.floor(top / size) - around, count - most));
  return [first, Math.min(count, first + most)];
}

/**
 * Return the store of a table. `subscribe` has a function called after every change, with what has changed: "sort",
 * "order" or "chosen".
 *
 * @param {{
 *   columns: any[], rows: any[], key: (row: any) => any, sort: {key: string, descending?: boolean} | null,
 *   chosen?: Set<any>,
 * }} options
 */
export function tableStore({ columns, rows, key, sort, chosen }) {
  const { subscribe, changed } = makeListeners();
  const state = { rows, order: rows, sort, current: /** @type {string | null} */ (null) };

  /** Return the column by which rows are sorted, if any. */
  const sortedColumn = () => columns.find((column) => column.key === state.sort?.key);
  const keyOf = (row) => String(key(row));

  function arrange() {
    const column = sortedColumn();
    state.order = column ? sortRows(state.rows, column, Boolean(state.sort?.descending)) : [...state.rows];
    changed("order");
  }

  return {
    state,
    arrange,
    keyOf,
    sortedColumn,

    subscribe,
    setRows(rows) {
      state.rows = rows;
      arrange();
    },

    /** Sort by a column; the other way round where rows are sorted by it. */
    sortBy(column) {
      const isSame = state.sort?.key === column.key;
      const isDescending = isSame ? !state.sort?.descending : Boolean(column.numeric && column.descending);
      state.sort = { key: column.key, descending: isDescending };
      changed("sort");
      arrange();
    },

    isChosen: (row) => Boolean(chosen?.has(key(row))),
    isAllChosen: () => state.order.length > 0 && state.order.every((row) => chosen?.has(key(row))),

    /** Choose a row, or no longer. */
    choose(row) {
      if (!chosen) return;
      const id = key(row);
      if (!chosen.delete(id)) chosen.add(id);
      changed("chosen");
    },

    /** Choose all rows, or none of them where all are chosen. */
    chooseAll() {
      if (!chosen) return;
      const keys = state.order.map(key);
      const isWhole = keys.every((id) => chosen.has(id));
      for (const id of keys) {
        if (isWhole) chosen.delete(id);
        else chosen.add(id);
      }
      changed("chosen");
    },

    /** Return the place of the row with a key in the order, or -1. */
    placeOf: (id) => state.order.findIndex((row) => keyOf(row) === id),

    /** Return whether Tab leads to the row at a place: that which had the focus last, else the first. */
    isCurrent: (row, place) => (state.current === null ? place === 0 : state.current === keyOf(row)),

    /** Return the place to which a key of the keyboard leads, or null; a page is so many rows. */
    placeAfter(place, name, page) {
      const { length } = state.order;
      const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -length, End: length };
      if (!(name in moves)) return null;
      return Math.min(length - 1, Math.max(0, place + moves[name]));
    },
  };
}

/** @typedef {ReturnType<typeof tableStore>} TableStore */
