// A new run: a built-in game by a form made of its parameters, a game of OpenSpiel, or a file.
import { href } from "../base/address.js";
import { del, get, post, upload } from "../base/api.js";
import { clear, h } from "../base/dom.js";
import { failed, toast } from "../parts/toast.js";
import { settingsInAddress } from "../runs/carried.js";
import { gameList } from "../runs/game-list.js";
import { builtIn, files, gameText, openSpiel } from "../runs/game-sources.js";
import { onDrop, runPanel } from "../runs/run-panel.js";

const SPOT = /\.(toml|json|txt)$/i;

export async function show(root, { query, navigate, signal }) {
  document.title = "New run · Equilibrist";
  let [known, algorithms] = await Promise.all([get("/games", {}, { signal }), get("/algorithms", {}, { signal })]);
  let game = query.get("game") ?? "kuhn";
  let uploaded = query.get("file") ?? "";
  let refused = ""; // why the last file that was dropped was not taken
  let form = null; // the source of the game

  const list = gameList((name) => ((refused = ""), pick(name)));
  const middle = h("div", { class: "card game" });
  const many = h("a", { class: "button" }, "Many runs …"); // of this game, with these settings
  const panel = runPanel({
    known: algorithms,
    given: settingsInAddress(query),
    onChange: () => change(),
    path: "/games/estimate",
    request: () => form.request(),
    place: (error) => form.has(error.field) && (form.fail(error), true),
    onFacts: linkMany,
    navigate,
    signal,
  });
  panel.card.classList.add("side");
  const page = h(
    "form",
    { class: "columns", novalidate: true, onsubmit: panel.submit },
    h("div", { class: "card list" }, h("h2", {}, "Game"), list),
    middle,
    panel.card,
  );
  root.append(
    h(
      "div",
      { class: "toolbar" },
      h("h1", {}, "New run"),
      h("span", { class: "grow" }),
      many,
      h("a", { class: "button", href: "/new/spot" }, "A hold'em spot …"),
    ),
    page,
  );
  onDrop(root, takeFile); // anywhere on the page

  /** Take a file: a spot is shown in the form of spots, any other kept; a refusal is told where files are dropped. */
  async function takeFile(file) {
    refused = "";
    try {
      if (SPOT.test(file.name)) {
        const { settings: spot, warnings } = await post("/spots/read", { text: await file.text(), name: file.name });
        warnings.forEach((sentence) => toast(sentence, { seconds: 15 }));
        return navigate("/new/spot", { spot: JSON.stringify(spot) });
      }
      uploaded = (await upload(file)).name;
      known = await get("/games", {}, { signal });
    } catch (error) {
      if (!(error.status >= 0)) return failed(error);
      refused = `${file.name}: ${error.message}`;
    }
    return pick("file");
  }

  async function remove(one) {
    try {
      await del("/uploads/{name}", { name: one.name });
      known = await get("/games", {}, { signal });
      pick("file");
    } catch (error) {
      failed(error);
    }
  }

  function pick(name) {
    game = name;
    draw({});
    change();
  }

  /** Return the source of the chosen game, with values to begin with. */
  function source(values) {
    if (game === "openspiel") return openSpiel(values);
    if (game === "file") {
      const onPick = (name) => ((uploaded = name), pick("file"));
      return files(known, values, { uploaded, refused, onFile: takeFile, onPick, onRemove: remove });
    }
    const about = known.games.find(({ name }) => name === game) ?? known.games[0];
    game = about.name;
    return builtIn(about, values);
  }

  function draw(values) {
    form = source(values);
    const entries = known.games.map(({ name, about }) => {
      const [text, rest] = about.split(/: (.*)/);
      return { name, text, about: rest };
    });
    const sources = [{ name: "file", text: known.uploads.length ? `A file (${known.uploads.length})` : "A file …" }];
    if (known.openspiel) sources.unshift({ name: "openspiel", text: "OpenSpiel …" });
    list.update(entries, sources, game);
    clear(middle, form.body);
  }

  /** Let the link to many runs lead to those of this game; of a file only what it takes tells the game. */
  function linkMany(facts) {
    const text = gameText(form.lacks ? {} : form.request()) ?? facts?.game;
    many.hidden = !text;
    many.setAttribute("href", href("/batches/new", { kind: "games", games: text, ...panel.settings.address() }));
  }

  function change() {
    panel.reset();
    for (const box of middle.querySelectorAll(".field")) box.fail?.("");
    history.replaceState(null, "", href("/new", { game, ...form.query(), ...panel.settings.address() }));
    linkMany(null);
    if (form.lacks) panel.empty();
    else panel.estimate();
  }
  middle.addEventListener(
    "input",
    (event) => event.target.type !== "file" && event.target.type !== "radio" && change(),
  );

  draw(Object.fromEntries(query));
  list.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest", inline: "nearest" });
  change();
}
