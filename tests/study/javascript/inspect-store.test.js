import assert from "node:assert/strict";
import { test } from "node:test";

import { inspectStore } from "../../../src/equilibrist/page/js/infosets/inspect-store.js";

const CLASSES = [{ line: "", player: 0, actions: [] }];
const fields = (text) => new URLSearchParams(text);
const store = (query = "", about = {}) =>
  inspectStore({ about: { classes: [], histories: 58, ...about }, query: fields(query) });

test("the first tab has no name in the address; what is no tab is the first one", () => {
  assert.deepEqual([store().tab(), store("tab=tree").tab(), store("tab=moon").tab()], ["infosets", "tree", "infosets"]);
  const ofClasses = store("", { classes: CLASSES });
  assert.deepEqual([ofClasses.tab(), ofClasses.tabs.grid], ["grid", "Grid"]);
  assert.deepEqual(ofClasses.changesTo("grid"), { tab: "" });
  assert.deepEqual(ofClasses.changesTo("infosets"), { tab: "infosets" });
  assert.deepEqual(store("tab=grid").tab(), "infosets");
});

test("the infoset goes along to other tabs, but for histories that cannot be looked for", () => {
  for (const histories of [1_000_001, null]) {
    const large = store("infoset=J&of=0", { histories });
    assert.deepEqual(large.fieldsWith(large.changesTo("tree")), { tab: "tree", infoset: "", of: "" });
    assert.deepEqual(large.fieldsWith(large.changesTo("exploit")), { tab: "exploit", infoset: "J", of: "0" });
  }
  const small = store("infoset=J&of=0");
  assert.deepEqual(small.fieldsWith(small.changesTo("tree")), { tab: "tree", infoset: "J", of: "0" });
});

test("a place that cannot be shown leads back to the one before", () => {
  const inspected = store();
  assert.ok(inspected.open(fields("infoset=J")).keep());
  assert.ok(inspected.open(fields("infoset=moon")).goBack());
  assert.equal(inspected.state.fields.get("infoset"), "J");
});

test("where nothing was shown before there is no way back", () => {
  assert.ok(!store().open(fields("infoset=moon")).goBack());
});

test("what comes of a place that somebody has left comes too late", () => {
  const inspected = store();
  inspected.open(fields("infoset=J")).keep();
  const [refused, found] = [inspected.open(fields("infoset=moon")), inspected.open(fields("infoset=Q"))];
  assert.ok(!refused.goBack());
  assert.equal(inspected.state.fields.get("infoset"), "Q");
  found.keep();
  assert.ok(!refused.keep());
  assert.equal(inspected.state.drawn?.get("infoset"), "Q");
});
