import assert from "node:assert/strict";
import { test } from "node:test";

import { drawnRows, tableStore } from "../../../src/equilibrist/page/js/parts/table-store.js";

const COLUMNS = [
  { key: "name", title: "Name" },
  { key: "gap", title: "Gap", numeric: true, descending: true },
  { key: "size", title: "Size", value: (row) => row.size.length },
];
const ROWS = [
  { id: 1, name: "run 10", gap: null, size: "ab" },
  { id: 2, name: "run 9", gap: 0.5, size: "abc" },
  { id: 3, name: "Run 2", gap: NaN, size: "" },
  { id: 4, name: "run 1", gap: 0.125, size: "a" },
];

/** Return a store of four rows, and what its listener has been told. */
function filledStore({ sort = null, chosen } = {}) {
  const told = [];
  const store = tableStore({ columns: COLUMNS, rows: ROWS, key: (row) => row.id, sort, chosen });
  store.subscribe((what) => told.push(what));
  store.arrange();
  return { store, told, ids: () => store.state.order.map((row) => row.id) };
}

test("rows stand as they came until they are sorted, and the rows that were given stay as they are", () => {
  const { store, told, ids } = filledStore();
  assert.deepEqual(ids(), [1, 2, 3, 4]);
  store.sortBy(COLUMNS[0]);
  assert.deepEqual(ids(), [4, 3, 2, 1]); // numbers in words by what they are, capitals as small letters
  assert.deepEqual(
    ROWS.map((row) => row.id),
    [1, 2, 3, 4],
  );
  assert.deepEqual(told, ["order", "sort", "order"]);
});

test("a column begins as it is declared and turns round; what is missing stays last", () => {
  const { store, ids } = filledStore();
  store.sortBy(COLUMNS[1]);
  assert.deepEqual(store.state.sort, { key: "gap", descending: true });
  assert.deepEqual(ids(), [2, 4, 1, 3]);
  store.sortBy(COLUMNS[1]);
  assert.deepEqual(ids(), [4, 2, 1, 3]);
  store.sortBy(COLUMNS[2]); // by its value, not by what the row holds
  assert.deepEqual(store.state.sort, { key: "size", descending: false });
  assert.deepEqual(ids(), [3, 4, 1, 2]);
});

test("an order that is given holds for other rows", () => {
  const { store, ids } = filledStore({ sort: { key: "gap", descending: false } });
  assert.deepEqual(ids(), [4, 2, 1, 3]);
  store.setRows(ROWS.slice(0, 2));
  assert.deepEqual(ids(), [2, 1]);
});

test("all are chosen, or none of them where all are; those that are not listed stay", () => {
  const chosen = new Set([2, 7]);
  const { store } = filledStore({ chosen });
  store.chooseAll();
  assert.deepEqual([...chosen], [2, 7, 1, 3, 4]);
  assert.ok(store.isAllChosen());
  store.choose(ROWS[0]);
  assert.ok(!store.isAllChosen());
  assert.ok(!store.isChosen(ROWS[0]));
  store.chooseAll();
  store.chooseAll();
  assert.deepEqual([...chosen], [7]);
  store.setRows([]);
  assert.ok(!store.isAllChosen()); // no row is not all rows
});

test("a table without boxes chooses nothing and tells nothing of it", () => {
  const { store, told } = filledStore();
  store.choose(ROWS[0]);
  store.chooseAll();
  assert.deepEqual(told, ["order"]);
  assert.ok(!store.isChosen(ROWS[0]));
});

test("keys walk within the rows; others lead nowhere", () => {
  const { store } = filledStore();
  const after = (place, name) => store.placeAfter(place, name, 2);
  assert.deepEqual([after(0, "ArrowDown"), after(3, "ArrowDown"), after(0, "ArrowUp")], [1, 3, 0]);
  assert.deepEqual([after(0, "PageDown"), after(3, "PageUp"), after(2, "Home"), after(1, "End")], [2, 1, 0, 3]);
  assert.equal(after(1, "a"), null);
});

test("Tab leads to the first row until another one had the focus", () => {
  const { store } = filledStore();
  const currents = () => store.state.order.filter((row, place) => store.isCurrent(row, place)).map((row) => row.id);
  assert.deepEqual(currents(), [1]);
  store.state.current = "3";
  assert.deepEqual(currents(), [3]);
});

test("150 rows are drawn as they are, more only where they are seen", () => {
  const sight = { top: 3_400, seen: 340, size: 34 };
  assert.deepEqual(drawnRows(150, sight, 4), [0, 150]);
  assert.deepEqual(drawnRows(151, sight, 4), [96, 114]);
  assert.deepEqual(drawnRows(1_000, { ...sight, top: 0 }, 4), [0, 18]);
  assert.deepEqual(drawnRows(1_000, { ...sight, top: 34_000 }, 4), [982, 1_000]);
  assert.deepEqual(drawnRows(1_000, sight, 0), [100, 110]);
});
