import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { TEXTURES } from "../../../src/equilibrist/page/js/poker/board-rows.js";
import { MEANINGS, meaningOf } from "../../../src/equilibrist/page/js/parts/explain.js";

const CODE = new URL("../../../src/equilibrist/page/js/", import.meta.url);
const HEADINGS = [
  /(?:key|name): "[\w ]+",\s*title: "([^"]+)"/g, // columns of parts/table.js
  /\b(?:number|largest)\(\s*"[\w ]+",\s*"([^"]+)"/g, // the same, in short
  /\bhead(?:ing)?\("([^"]+)"/g, // of plain tables
];

/** Return the headings of tables that the page's code spells out. */
function headings() {
  const files = readdirSync(CODE, { recursive: true }).filter((file) => String(file).endsWith(".js"));
  const texts = files.map((file) => readFileSync(new URL(String(file), CODE), "utf8"));
  return texts.flatMap((text) => HEADINGS.flatMap((one) => [...text.matchAll(one)].map(([, name]) => name)));
}

test("every heading of a table is in the glossary", () => {
  const all = [...new Set([...headings(), ...Object.values(TEXTURES), "EV OOP", "EQR IP", "Value 1"])];
  assert.ok(all.length > 60, `${all.length} headings`);
  assert.deepEqual(
    all.filter((name) => !meaningOf(name)),
    [],
  );
});

test("the last word of a heading may name a player", () => {
  assert.equal(meaningOf("EV OOP"), MEANINGS.EV);
  assert.equal(meaningOf("per hand"), MEANINGS["Per hand"]);
  assert.equal(meaningOf("Regret sum"), MEANINGS["Regret sum"]);
  assert.equal(meaningOf("B120"), undefined);
});

test("a plural means what the word means", () => {
  assert.equal(meaningOf("Infosets"), MEANINGS.Infoset);
  assert.equal(meaningOf("Pairs"), MEANINGS.Pairs); // which is another thing than a pair
});
