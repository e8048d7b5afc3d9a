import assert from "node:assert/strict";
import { test } from "node:test";

import { asFraction, decimal, exact, factor, parse, signed } from "../../../../src/equilibrist/learn/lab/fraction.js";

test("a number that is a fraction is shown as one", () => {
  const cases = {
    "−1/18": -1 / 18,
    "1/3": 1 / 3,
    0: 0,
    1: 1,
    "−2": -2,
    "5/6": 0.5 + 1 / 3,
    "11/24": 11 / 24,
    "999/1000": 0.999,
  };
  for (const [text, value] of Object.entries(cases)) assert.equal(exact(value), text);
  assert.equal(exact(0.1 + 0.2), "3/10");
  assert.equal(exact(-1e-17), "0");
});

test("a number that is none is shown in digits", () => {
  assert.equal(exact(Math.PI), "3.142");
  assert.equal(exact(Math.SQRT1_2, 6), "0.707107");
  assert.equal(exact(1.234e-9), "1.234e−9");
  assert.equal(exact(1 / 1009), "0.0009911");
  assert.equal(decimal(NaN), "–");
  assert.equal(exact(Infinity), "–");
});

test("every fraction up to the largest denominator is found again", () => {
  for (let denominator = 1; denominator <= 1000; denominator++) {
    for (let numerator = -denominator; numerator <= denominator; numerator += 7) {
      const [above, below] = asFraction(numerator / denominator);
      assert.equal(above * denominator, numerator * below);
      assert.ok(below <= denominator && below > 0);
    }
  }
});

test("signs and brackets", () => {
  assert.equal(signed(0.25), "+1/4");
  assert.equal(signed(-0.25), "−1/4");
  assert.equal(signed(0), "0");
  assert.equal(factor(-1), "(−1)");
  assert.equal(factor(0.5), "1/2");
});

test("what people type is read", () => {
  const cases = {
    "1/3": 1 / 3,
    " 2 / 4 ": 0.5,
    0.25: 0.25,
    "0,25": 0.25,
    ".5": 0.5,
    "25 %": 0.25,
    "−2": -2,
    "-1/4": -0.25,
    1: 1,
  };
  for (const [text, value] of Object.entries(cases)) assert.equal(parse(text), value);
  for (const text of ["", "a", "1/", "1/2/3", "1 2"]) assert.ok(Number.isNaN(parse(text)), text);
});
