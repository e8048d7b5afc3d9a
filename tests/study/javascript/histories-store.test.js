import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.addEventListener ??= () => {}; // the connection to the server listens to the page
const { historiesStore, sendFiles } = await import("../../../src/equilibrist/page/js/poker/histories-store.js");
const { isOfHands, chosenFiles } = await import("../../../src/equilibrist/page/js/poker/dropped-files.js");

const REPORT = { hands: 3, graded: 2, players: [{ name: "hero", decisions: 2 }], runs: [], skipped: [], uncovered: [] };
const GRADED = { decisions: 2, wrong: 1, cost_percent: 5, sums: [], rows: [] };

/** Return what is asked of a server that gives answers by method and path, in turn where there are several. */
function serve(answers) {
  const requests = [];
  globalThis.fetch = async (address, { method, body }) => {
    const url = new URL(String(address), "http://here");
    const key = `${method} ${url.pathname.replace("/api", "")}`;
    const sent = body instanceof Blob ? await body.text() : JSON.parse(body ?? "null");
    requests.push({ key, query: Object.fromEntries(url.searchParams), sent });
    const answer = answers[key];
    return new Response(JSON.stringify(Array.isArray(answer) ? answer.shift() : answer));
  };
  return requests;
}

const state = (name) => ({ collection: { state: name }, report: name === "done" ? REPORT : null });

test("files of hands are known by their names, hidden ones are none", () => {
  const names = ["a.txt", "day/B.PHHS", "a.exe", ".a.txt", ".git/a.txt"];
  assert.deepEqual(names.map(isOfHands), [true, true, false, false, false]);
});

test("files of a chosen folder have their path in it", () => {
  const input = /** @type {any} */ ({ files: [{ name: "a.txt", webkitRelativePath: "day/a.txt" }, { name: "b.txt" }] });
  assert.deepEqual(
    chosenFiles(input).map(({ name }) => name),
    ["day/a.txt", "b.txt"],
  );
});

test("a file is sent in parts, each with its offset", async () => {
  const requests = serve({ "POST /hands/x/files": {} });
  const told = [];
  const files = [
    { name: "day/a.txt", file: new File(["a".repeat(4_500_000)], "a.txt") },
    { name: "a.exe", file: new File(["b"], "a.exe") },
  ];
  const result = await sendFiles("x", files, (sent, total) => told.push(sent / total));
  assert.deepEqual(result, { sent: 1, left: 1 });
  assert.deepEqual(
    requests.map(({ query }) => query),
    [0, 2_000_000, 4_000_000].map((offset) => ({ name: "day/a.txt", offset: String(offset) })),
  );
  assert.equal(requests.map(({ sent }) => sent).join("").length, 4_500_000);
  assert.equal(told.at(-1), 1);
});

test("a grading is followed to its end, and then the decisions are asked for", async () => {
  const requests = serve({
    "POST /hands/x/grade": { state: "waiting" },
    "GET /hands/x": [state("running"), state("done")],
    "GET /hands/x/decisions": GRADED,
  });
  const store = historiesStore("x", { wait: async () => {} });
  const told = [];
  store.subscribe((what) => told.push(what));
  await store.grade({ ranges: "river" });
  assert.deepEqual(requests[0].sent, { ranges: "river" });
  assert.deepEqual(told, ["collection", "collection", "collection", "graded"]);
  assert.equal(store.state.graded?.decisions, 2);
});

test("decisions are those of the player with most of them, unless the address says otherwise", async () => {
  const requests = serve({ "GET /hands/x": state("done"), "GET /hands/x/decisions": GRADED });
  const store = historiesStore("x");
  await store.read();
  for (const query of ["", "by=line&street=turn&player=*", "player=other"])
    await store.choose(new URLSearchParams(query));
  assert.deepEqual(
    requests.slice(1).map(({ query: { most: _, ...query } }) => query),
    [
      { by: "street", player: "hero" },
      { by: "line", street: "turn" },
      { by: "street", player: "other" },
    ],
  );
  await assert.rejects(store.choose(new URLSearchParams("by=moon")), /no group of decisions “moon”/);
});

test("runs are trained at in the order of what was lost in them", async () => {
  const rows = [
    { run: "a", cost_percent: 1 },
    { run: "b", cost_percent: 3 },
    { run: "a", cost_percent: 1 },
    { run: "c", cost_percent: 0 },
  ];
  serve({ "GET /hands/x": state("done"), "GET /hands/x/decisions": { ...GRADED, rows } });
  const store = historiesStore("x");
  await store.read();
  await store.choose(new URLSearchParams());
  assert.deepEqual(store.runsToTrain(), ["b", "a"]);
});
