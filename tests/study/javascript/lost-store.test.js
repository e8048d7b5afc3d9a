import assert from "node:assert/strict";
import { test } from "node:test";

import { lostStore } from "../../../src/equilibrist/page/js/play/lost-store.js";

test("what was lost is summed up by the choice that was made last, whichever is answered first", async () => {
  const asked = [];
  const shown = [];
  const read = (by) => new Promise((answer) => asked.push({ by, answer: () => answer({ by, rows: [] }) }));
  const store = lostStore({ groups: ["line", "street", "class"], read });
  store.subscribe(() => shown.push(store.state.found.by));
  const loads = [store.load(), store.sumBy("street"), store.sumBy("class")];
  assert.deepEqual(
    asked.map(({ by }) => by),
    ["line", "street", "class"],
  );
  asked[2].answer();
  asked[0].answer();
  asked[1].answer();
  await Promise.all(loads);
  assert.deepEqual([shown, store.state.by], [["class"], "class"]);
});
