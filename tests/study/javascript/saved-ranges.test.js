import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.addEventListener ??= () => {}; // the connection to the server listens to the page
const { rangeStore } = await import("../../../src/equilibrist/page/js/poker/saved-ranges.js");

const ROWS = {
  range: [
    { name: "mine/call", position: "BB", text: "AA,KQs:0.5" },
    { name: "10 bb/SB pushes", position: "SB", text: "22+", usual: "push_fold(stack=10)" },
  ],
  spot: [{ name: "river", position: "", settings: {} }],
};

/** Return a store that has read its rows, what its listener has been told, and what is asked of the server. */
async function readStore(answer = (_request) => ({})) {
  const requests = [];
  const told = [];
  globalThis.fetch = async (path, { method, body }) => {
    const request = { path: String(path), method, body: JSON.parse(body ?? "null") };
    requests.push(request);
    const content = answer(request);
    return new Response(JSON.stringify(content), { status: content.error ? 400 : 200 });
  };
  const store = rangeStore({ readRows: async (kind) => ROWS[kind] });
  store.subscribe((what) => told.push(what));
  await store.read();
  return { store, told, requests };
}

const open = (store, query) => store.open(new URLSearchParams(query));

test("a saved range is opened with its name, a usual one without", async () => {
  const { store, told } = await readStore();
  open(store, { name: "mine/call" });
  assert.deepEqual([store.state.name, store.state.position, store.state.text], ["mine/call", "BB", "AA,KQs:0.5"]);
  assert.equal(store.isOwn(), true);
  open(store, { name: "10 bb/SB pushes" });
  assert.deepEqual([store.state.name, store.state.position, store.state.text], ["", "SB", "22+"]);
  assert.equal(store.isOwn(), false);
  assert.deepEqual(told, ["ranges", "spots", "loaded", "loaded"]);
});

test("an address may have a text besides a name, or a name that nothing has", async () => {
  const { store } = await readStore();
  open(store, { name: "mine/call", text: "QQ" });
  assert.equal(store.state.text, "QQ");
  assert.equal(store.addressOf("QQ"), "/ranges?name=mine%2Fcall&text=QQ");
  assert.equal(store.addressOf("AA,KQs:0.5"), null);
  open(store, { name: "gone" });
  assert.deepEqual([store.state.missing, store.state.loaded, store.state.text], ["gone", null, ""]);
  assert.equal(store.isOwn(), false);
  assert.equal(store.addressOf("QQ"), "/ranges?text=QQ");
  open(store, {});
  assert.equal(store.state.missing, "");
});

test("what is typed names what is saved and renamed", async () => {
  const { store, requests, told } = await readStore(({ body }) => ({ name: body.to ?? body.name }));
  open(store, { name: "mine/call" });
  store.type({ name: "mine/raise" });
  assert.equal((await store.save("KK")).name, "mine/raise");
  assert.equal((await store.rename()).name, "mine/raise");
  assert.deepEqual(
    requests.map(({ method, body }) => [method, body]),
    [
      ["PUT", { kind: "range", name: "mine/raise", position: "BB", text: "KK", hole_cards: 2 }],
      ["PATCH", { kind: "range", name: "mine/call", to: "mine/raise" }],
    ],
  );
  assert.deepEqual(told.slice(2), ["loaded", "typed", "ranges", "spots", "ranges", "spots"]);
});

test("what was deleted is saved again as it was", async () => {
  const gone = { kind: "range", name: "mine/call", position: "BB", text: "AA,KQs:0.5", combos: 8 };
  const { store, requests } = await readStore(() => gone);
  open(store, { name: "mine/call" });
  await store.restore(await store.remove());
  const { combos: _, ...saved } = gone;
  assert.deepEqual(requests.at(-1), { path: "/api/presets", method: "PUT", body: { ...saved, hole_cards: 2 } });
});

test("a range of Omaha is opened, saved, restored and linked as one of four cards", async () => {
  const four = { name: "aces", position: "", text: "AA:xxyy", hole_cards: 4 };
  ROWS.range.push(four);
  const { store, requests } = await readStore(() => four);
  open(store, { name: "aces" });
  assert.equal(store.state.holeCards, 4);
  assert.equal(store.addressOf("KK"), "/ranges?name=aces&text=KK&cards=4");
  await store.save("KK");
  assert.equal(requests.at(-1).body.hole_cards, 4);
  await store.restore(four);
  assert.equal(requests.at(-1).body.hole_cards, 4);
  open(store, { text: "KK", cards: "4" });
  assert.equal(store.state.holeCards, 4);
  open(store, { name: "mine/call" });
  assert.equal(store.state.holeCards, 2);
  ROWS.range.pop();
});

test("rows are read again after a file that is refused, and its reason is told", async () => {
  const { store, told } = await readStore(({ body }) =>
    body.name === "bad.txt"
      ? { error: { message: "bad.txt is no range.", field: null } }
      : { added: [{ kind: "range", name: "good" }] },
  );
  const files = ["good.txt", "bad.txt"].map((name) => new File(["AA"], name));
  await assert.rejects(store.importFiles(files), /bad\.txt is no range/);
  assert.deepEqual(told.slice(2), ["ranges", "spots"]);
  assert.deepEqual(await store.importFiles(files.slice(0, 1)), [{ kind: "range", name: "good" }]);
});
