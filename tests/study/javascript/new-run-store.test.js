import assert from "node:assert/strict";
import { test } from "node:test";

import { newRunStore } from "../../../src/equilibrist/page/js/runs/new-run-store.js";

const GAMES = [
  { name: "kuhn", about: "Kuhn poker: three cards: a bet", text: "", parameters: [] },
  { name: "leduc", about: "Leduc", text: "", parameters: [] },
];
const refused = (message) => Object.assign(new Error(message), { status: 400 });

/** Return a store, what it asks of the server with functions that answer, and how often it was shown. */
function givenStore(query = "", known = {}) {
  const uploads = [];
  const asked = [];
  const opened = [];
  const games = () => ({ games: GAMES, openspiel: false, trust_files: false, uploads: [...uploads], ...known });
  const ask = (what) => (file) =>
    new Promise((answer, refuse) => asked.push({ what, name: file.name ?? file, answer, refuse }));
  const store = newRunStore({
    known: games(),
    query: new URLSearchParams(query),
    readGames: async () => games(),
    upload: ask("upload"),
    drop: ask("drop"),
    readSpot: ask("spot"),
    openSpot: (spot) => opened.push(spot),
  });
  const shown = [];
  store.subscribe(() => shown.push(store.state.game));
  return { store, asked, opened, shown, uploads };
}

test("a game of an address is chosen, and the first one where there is none of its name", () => {
  const { store } = givenStore("game=chess&file=a.efg");
  assert.deepEqual([store.state.game, store.state.uploaded], ["chess", "a.efg"]);
  assert.equal(store.builtIn().name, "kuhn");
  assert.equal(store.state.game, "kuhn");
  assert.equal(givenStore().store.builtIn().name, "kuhn");
});

test("games are listed by their titles, sources after them", () => {
  const { store, uploads } = givenStore("", { openspiel: true });
  assert.deepEqual(store.games(), [
    { name: "kuhn", text: "Kuhn poker", about: "three cards: a bet" },
    { name: "leduc", text: "Leduc", about: undefined },
  ]);
  assert.deepEqual(
    store.sources().map(({ text }) => text),
    ["OpenSpiel …", "A file …"],
  );
  uploads.push({ name: "a.efg" });
  const { store: other } = givenStore("", { uploads });
  assert.deepEqual(other.sources(), [{ name: "file", text: "A file (1)" }]);
});

test("a file is kept and chosen", async () => {
  const { store, asked, shown, uploads } = givenStore();
  const take = store.take({ name: "a.efg" });
  uploads.push({ name: "a.efg" });
  asked[0].answer({ name: "a.efg" });
  await take;
  assert.deepEqual([store.state.game, store.state.uploaded, shown], ["file", "a.efg", ["file"]]);
  assert.equal(store.state.known.uploads.length, 1);
});

test("a file that is kept late leads nobody back from another game", async () => {
  const { store, asked, shown, uploads } = givenStore();
  const take = store.take({ name: "a.efg" });
  store.pick("leduc");
  uploads.push({ name: "a.efg" });
  asked[0].answer({ name: "a.efg" });
  await take;
  assert.deepEqual([store.state.game, store.state.uploaded, shown], ["leduc", "", ["leduc"]]);
  assert.equal(store.state.known.uploads.length, 1);
});

test("of two files the one that was given last is chosen, whichever is kept first", async () => {
  const { store, asked } = givenStore("game=file");
  const takes = [store.take({ name: "a.efg" }), store.take({ name: "b.efg" })];
  asked[1].answer({ name: "b.efg" });
  await takes[1];
  asked[0].answer({ name: "a.efg" });
  await takes[0];
  assert.equal(store.state.uploaded, "b.efg");
});

test("a refusal is told where files are dropped, and thrown to who has gone on", async () => {
  const { store, asked } = givenStore();
  const take = store.take({ name: "a.efg" });
  asked[0].refuse(refused("no game"));
  await take;
  assert.deepEqual([store.state.game, store.state.refused], ["file", "a.efg: no game"]);
  store.pick("kuhn");
  assert.equal(store.state.refused, "");
  const late = store.take({ name: "b.efg" });
  store.pick("leduc");
  asked[1].refuse(refused("no game"));
  await assert.rejects(late, /no game/);
  assert.deepEqual([store.state.game, store.state.refused], ["leduc", ""]);
});

test("what is no refusal is thrown", async () => {
  const { store, asked } = givenStore();
  const take = store.take({ name: "a.efg" });
  asked[0].refuse(new TypeError("a mistake of ours"));
  await assert.rejects(take, TypeError);
  assert.equal(store.state.refused, "");
});

test("the file of a spot opens its form, unless somebody has gone on", async () => {
  const { store, asked, opened } = givenStore();
  const takes = [store.take({ name: "river.TOML" }), store.take({ name: "turn.json" })];
  asked[0].answer("river");
  asked[1].answer("turn");
  await Promise.all(takes);
  assert.deepEqual(opened, ["turn"]);
  assert.deepEqual(
    asked.map(({ what }) => what),
    ["spot", "spot"],
  );
});

test("the list is shown anew without a file that was deleted, where files are still in sight", async () => {
  const { store, asked, shown } = givenStore("game=file");
  const removes = [store.remove("a.efg"), store.remove("b.efg")];
  asked[0].answer();
  await removes[0];
  assert.deepEqual(shown, ["file"]);
  store.pick("kuhn");
  asked[1].answer();
  await removes[1];
  assert.deepEqual(shown, ["file", "kuhn"]);
});
