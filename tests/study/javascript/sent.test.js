import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import ts from "typescript";

const FOLDER = new URL("../../../src/equilibrist/page/js/", import.meta.url);

/** Return the texts between backticks of a module, without what is calculated in them. */
function templateTexts(source) {
  const file = ts.createSourceFile("module.js", source, ts.ScriptTarget.Latest);
  const texts = [];
  const visit = (node) => {
    if (ts.isTemplateLiteralToken(node)) texts.push(node.getText(file)); // as it is written

    ts.forEachChild(node, visit);
  };
  visit(file);
  return texts;
}

test("templates are read without their expressions", () => {
  assert.deepEqual(templateTexts("`one ${2 +\n 3}\n  four`; `five`"), ["`one ${", "}\n  four`", "`five`"]);
});

test("no text of the page runs over a line, as lines are sent without their indentation", () => {
  const names = readdirSync(FOLDER, { recursive: true }).filter((name) => String(name).endsWith(".js"));
  assert.ok(names.length > 100);
  for (const name of names)
    for (const text of templateTexts(readFileSync(new URL(String(name), FOLDER), "utf-8")))
      assert.ok(!text.includes("\n"), `${name}: ${text}`);
});
