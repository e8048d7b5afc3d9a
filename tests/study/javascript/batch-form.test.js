import assert from "node:assert/strict";
import { test } from "node:test";

import { batchStore } from "../../../src/equilibrist/page/js/runs/batch-form.js";

const FLOP = { board: "QsJh2h", pot: 200, stack: 900 };
const KNOWN = ["cfr", "cfr+", "dcfr"];

const storeOf = (query = "", spot = FLOP) => batchStore({ query: new URLSearchParams(query), spot, known: KNOWN });

/** Type into some fields. */
const type = (store, texts, algorithms = store.state.algorithms) =>
  store.type({ texts: { ...store.state.texts, ...texts }, algorithms });

test("boards are those that come next", () => {
  const boards = ["QsJh2h", "Qs Jh 2h 3c", "QsJh2h3c4d", ""].map((board) => storeOf("", { board }).state.texts.boards);
  assert.deepEqual(boards, ["25", "rivers", "own", "own"]);
  assert.equal(storeOf("boards=all").state.texts.boards, "all");
});

test("a report asks for boards and decisions, a spot alone for none", () => {
  const store = storeOf("boards=49");
  type(store, { lines: "X, X-B50 ", stack: "100, 200", bets: "50%\n\n 75%; a ", vary: "rake = 0 | 0.05" }, ["dcfr"]);
  assert.deepEqual(store.request({ until: "0.5%" }), {
    until: "0.5%",
    vary: { rake: [0, 0.05], stack: [100, 200], bets: ["50%", "75%; a"] },
    algorithms: ["dcfr"],
    spot: FLOP,
    boards: "49",
    lines: ["", "X", "X-B50"],
  });
  type(store, { boards: "list", list: "QsJh2h:12, AhKd2c" });
  assert.equal(store.request({}).boards, "QsJh2h:12, AhKd2c");
  type(store, { boards: "own" });
  assert.deepEqual(Object.keys(store.request({})), ["vary", "algorithms", "spot"]);
});

test("games are asked for without what is typed for a spot", () => {
  const store = storeOf("kind=games&stack=100&bets=50%25&lines=X");
  type(store, { samplings: "full\nexternal", seeds: " 1, 2 ", processes: "2", name: " grid " }, ["cfr", "cfr+"]);
  assert.deepEqual(store.request({}), {
    vary: {},
    algorithms: ["cfr", "cfr+"],
    processes: "2",
    name: "grid",
    games: ["kuhn", "leduc"],
    samplings: ["full", "external"],
    seeds: "1, 2",
  });
});

test("fields are shown where they have a place", () => {
  const store = storeOf();
  const shown = (...names) => names.map((name) => store.isShown(name));
  assert.deepEqual(shown("boards", "list", "lines", "games", "vary", "name"), [true, false, true, false, true, true]);
  type(store, { boards: "list" });
  assert.deepEqual(shown("list", "lines"), [true, true]);
  type(store, { boards: "own" });
  assert.deepEqual(shown("list", "lines"), [false, false]);
  store.pick("games", {});
  assert.deepEqual(shown("boards", "list", "games", "seeds", "vary"), [false, false, true, true, true]);
});

test("an address is read as it was written", () => {
  const store = storeOf("kind=games");
  type(store, { games: "kuhn(cards=4)", seeds: "1, 2", vary: "ante = 1 | 2" }, ["cfr", "dcfr"]);
  const address = store.address({ iterations: "100" });
  assert.ok(!address.includes("spot="), address);
  const again = storeOf(address.split("?")[1]);
  assert.deepEqual(again.state.texts, store.state.texts);
  assert.deepEqual(again.state.algorithms, ["cfr", "dcfr"]);
  assert.deepEqual(again.state.runs, { games: { iterations: "100" } });
});

test("the algorithm and the sampling of a run are those of its batch; what is not known is left out", () => {
  const store = storeOf("kind=games&algorithms=cfr&algorithms=sarsa&algorithm=dcfr&sampling=external&until=0.01");
  assert.deepEqual(store.state.algorithms, ["cfr", "dcfr"]);
  assert.equal(store.state.texts.samplings, "external");
  assert.deepEqual(store.state.runs, { games: { until: "0.01" } });
});

test("the settings of a run stay with their kind", () => {
  const store = storeOf("iterations=100");
  store.pick("games", { iterations: "200" });
  store.pick("spot", { until: "0.1" });
  assert.deepEqual(store.state.runs, { spot: { iterations: "200" }, games: { until: "0.1" } });
});

test("the form of the spot leads back with all that was typed", () => {
  const store = storeOf("boards=49");
  type(store, { name: "report" }, ["dcfr"]);
  const one = new URLSearchParams(store.spotAddress({ until: "0.5%" }).split("?")[1]);
  assert.deepEqual([one.get("algorithm"), one.get("until"), JSON.parse(one.get("spot"))], ["dcfr", "0.5%", FLOP]);
  const batch = new URLSearchParams(one.get("batch"));
  assert.deepEqual([batch.get("boards"), batch.get("name"), batch.get("algorithms")], ["49", "report", null]);
  type(store, {}, ["cfr", "dcfr"]);
  const several = new URLSearchParams(store.spotAddress({}).split("?")[1]);
  assert.equal(several.get("algorithm"), null);
  assert.deepEqual(new URLSearchParams(several.get("batch")).getAll("algorithms"), ["cfr", "dcfr"]);
});
