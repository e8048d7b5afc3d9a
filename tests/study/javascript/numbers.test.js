// Numbers as people type them.
import assert from "node:assert/strict";
import { test } from "node:test";

import { decimal, goal, share, whole } from "../../../src/equilibrist/page/js/base/numbers.js";

test("a comma is decimal unless it groups digits", () => {
  const read = {
    "0,5": "0.5",
    "0,125": "0.125",
    "12,5": "12.5",
    "12,500": "12500",
    "1,234,567.5": "1234567.5",
    "1e-4": "1e-4",
  };
  for (const [typed, plain] of Object.entries(read)) assert.equal(decimal(typed), plain, typed);
});

test("what is no number goes as it is", () => {
  for (const typed of ["five", "1,2,3", ""]) assert.equal(decimal(typed), typed);
});

test("whole numbers lose what groups their digits", () => {
  assert.equal(whole(" 1,000,000 "), "1000000");
  assert.equal(whole("1 000"), "1000");
  assert.equal(whole("1,5"), "1,5"); // the server says what is wrong
});

test("a share of the pot is written with its sign", () => {
  assert.equal(share("0,5 %"), "0.5%");
  assert.equal(share("1"), "1%");
  assert.equal(goal("0,5%"), "0.5%");
  assert.equal(goal("0,001"), "0.001");
});
