// A new run: a built-in game by a form made of its parameters, a game of OpenSpiel, or a file.
import { href } from "../base/address.js";
import { del, get, post, upload } from "../base/api.js";
import { clear, h } from "../base/dom.js";
import { failed, toast } from "../parts/toast.js";
import { settingsInAddress } from "../runs/carried.js";
import { gameList } from "../runs/game-list.js";
import { builtIn, files, gameText, openSpiel } from "../runs/game-sources.js";
import { newRunStore } from "../runs/new-run-store.js";
import { onDrop, runPanel } from "../runs/run-panel.js";

/** @typedef {import("../runs/new-run-store.js").NewRunStore} NewRunStore */

const SECONDS = 15; // that a warning of a file stays

/**
 * Return the list of games, as it is after each choice.
 *
 * @param {NewRunStore} store
 */
function gamesPanel(store) {
  const list = gameList(store.pick);
  const show = () => list.update(store.games(), store.sources(), store.state.game);
  const scroll = () =>
    list.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest", inline: "nearest" });
  return { element: h("div", { class: "card list" }, h("h2", {}, "Game"), list), show, scroll };
}

/**
 * Return the card of the chosen game, whose form begins with values of the address. `source()` is what it says, onInput()
 * is told of every change, and takeFile(file) of a file.
 *
 * @param {NewRunStore} store
 * @param {{values: Record<string, string>, onInput: () => void, takeFile: (file: File) => any}} options
 */
function gamePanel(store, { values, onInput, takeFile }) {
  let begin = values;
  let source = null;
  const isTyped = ({ target }) => target.type !== "file" && target.type !== "radio";
  const element = h("div", { class: "card game", oninput: (event) => isTyped(event) && onInput() });
  const remove = (file) => store.remove(file.name).catch(failed);

  /** Return the source of the chosen game. */
  function makeSource() {
    const { known, game, uploaded, refused } = store.state;
    if (game === "openspiel") return openSpiel(begin);
    if (game !== "file") return builtIn(store.builtIn(), begin);
    return files(known, begin, { uploaded, refused, onFile: takeFile, onPick: store.pickFile, onRemove: remove });
  }

  /** Show the form of the chosen game. */
  function show() {
    source = makeSource();
    begin = {};
    clear(element, source.body);
  }

  /** Show no error. */
  function reset() {
    for (const box of element.querySelectorAll(".field")) /** @type {any} */ (box).fail?.("");
  }
  return { element, show, reset, source: () => source };
}

export async function show(root, { query, navigate, signal }) {
  document.title = "New run · Equilibrist";
  const readGames = () => get("/games", {}, { signal });
  const [known, algorithms] = await Promise.all([readGames(), get("/algorithms", {}, { signal })]);
  const store = newRunStore({
    known,
    query,
    readGames,
    upload,
    drop: (name) => del("/uploads/{name}", { name }),
    readSpot: async (file) => post("/spots/read", { text: await file.text(), name: file.name }, { signal }),
    openSpot({ settings, warnings }) {
      warnings.forEach((sentence) => toast(sentence, { seconds: SECONDS }));
      navigate("/new/spot", { spot: JSON.stringify(settings) });
    },
  });
  const takeFile = (file) => store.take(file).catch(failed);
  const games = gamesPanel(store);
  const game = gamePanel(store, { values: Object.fromEntries(query), onInput: change, takeFile });
  const many = h("a", { class: "button" }, "Many runs …"); // of this game, with these settings
  const panel = runPanel({
    known: algorithms,
    given: settingsInAddress(query),
    onChange: change,
    path: "/games/estimate",
    request: () => game.source().request(),
    place: (error) => game.source().has(error.field) && (game.source().fail(error), true),
    onFacts: linkMany,
    navigate,
    signal,
  });
  panel.card.classList.add("side");

  /** Let the link to many runs lead to those of this game; of a file only what it takes tells the game. */
  function linkMany(facts) {
    const source = game.source();
    const text = gameText(source.lacks ? {} : source.request()) ?? facts?.game;
    many.hidden = !text;
    many.setAttribute("href", href("/batches/new", { kind: "games", games: text, ...panel.settings.address() }));
  }

  function change() {
    const source = game.source();
    panel.reset();
    game.reset();
    const fields = { game: store.state.game, ...source.query(), ...panel.settings.address() };
    history.replaceState(null, "", href("/new", fields));
    linkMany(null);
    if (source.lacks) panel.empty();
    else panel.estimate();
  }

  function showGame() {
    game.show();
    games.show();
    change();
  }

  const spot = h("a", { class: "button", href: "/new/spot" }, "A hold'em spot …");
  const page = { class: "columns", novalidate: true, onsubmit: panel.submit };
  root.append(
    h("div", { class: "toolbar" }, h("h1", {}, "New run"), h("span", { class: "grow" }), many, spot),
    h("form", page, games.element, game.element, panel.card),
  );
  onDrop(root, takeFile); // anywhere on the page
  store.subscribe(showGame);
  showGame();
  games.scroll();
}
