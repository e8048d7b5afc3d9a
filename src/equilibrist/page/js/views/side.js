// Two strategies side by side: infosets of two runs, or two decisions of spots, with the differences.
import { href, runPath } from "../base/address.js";
import { address, get } from "../base/api.js";
import { actionColour } from "../base/colours.js";
import { clear, h, later } from "../base/dom.js";
import { changeBy, count, payoff, percent } from "../base/format.js";
import { ev, liveUnitSwitch } from "../base/units.js";
import { inWords, legendNames, lineInWords } from "../base/words.js";
import { cardRow } from "../cards/cards.js";
import { rangeGrid } from "../cards/grid.js";
import { mixBar } from "../cards/line-columns.js";
import { differenceInWords, infosetsBesideStore } from "../infosets/infosets-beside.js";
import { choice } from "../parts/choice.js";
import { MEANINGS } from "../parts/explain.js";
import { captionOf, saveMenu } from "../parts/save-view.js";
import { table } from "../parts/table.js";
import { failed } from "../parts/toast.js";
import { besideStore, measuresOf } from "../poker/beside-store.js";
import { changeCells, sideCells } from "../poker/beside.js";
import { PLAYERS } from "../poker/players.js";

/** @typedef {import("../poker/beside-store.js").BesideStore} BesideStore */
/** @typedef {import("../infosets/infosets-beside.js").InfosetsBesideStore} InfosetsBesideStore */

const MOST_INFOSETS = 1000;
const MEANING_OF_DIFFERENCE =
  "A difference is the share of the time that the two act differently, at least: ½ Σ |p − q|.";
const PLACES = ["line", "line2", "board", "board2"];

export async function show(root, { query, navigate, signal }) {
  document.title = "Side by side · Equilibrist";
  const fields = Object.fromEntries(query);
  const ids = query.getAll("run");
  const known = await get("/runs", {}, { signal });
  const usable = known.runs.filter((run) => !run.error);
  const runs = ids.map((id) => usable.find((run) => run.id === id));
  if (runs.length !== 2 || runs.some((run) => !run)) return root.append(pickTwo(usable, ids, navigate));
  const names = ids[0] === ids[1] ? ["first", "second"] : legendNames(runs);
  const view = {
    ...{ ids, runs, names, fields, query, navigate, signal },
    to: (changes) => href("/side", { run: ids, ...fields, ...changes, ...(changes.run ? { run: changes.run } : {}) }),
    set: (changes) => {
      Object.assign(fields, changes);
      history.replaceState(null, "", href("/side", { ...fields, run: ids }));
    },
  };
  const isSpot = runs.every((run) => run.spot && run.hole_cards === 2);
  const body = h("div", { class: "stack" });
  root.append(
    h(
      "div",
      { class: "toolbar" },
      h("h1", {}, "Side by side"),
      names.map((name, k) => [
        k > 0 && h("span", { class: "note" }, "beside"),
        h("a", { href: isSpot ? runPath(ids[k], "spot") : runPath(ids[k]) }, name),
      ]),
      h("span", { class: "grow" }),
      h("a", { class: "button", href: swapped(view) }, "Swap"),
      h("a", { class: "button", href: href("/compare", { run: [...new Set(ids)] }) }, "Curves"),
    ),
    body,
  );
  await (isSpot ? showNodes(body, view) : showInfosets(body, view));
  return {};
}

/** Return the address with both sides changed over. */
function swapped({ ids, fields, to }) {
  const { line = "", line2 = line, board = "", board2 = board } = fields;
  const places =
    "line2" in fields || "board2" in fields ? { line: line2, line2: line, board: board2, board2: board } : {};
  return to({ ...places, run: [...ids].reverse() });
}

/** Return the choice of two runs. */
function pickTwo(runs, ids, navigate) {
  const options = runs.map((run) => [run.id, run.id.replaceAll("~1", "/")]);
  const selects = [0, 1].map((k) => {
    const select = choice(options, ids[k] ?? runs[Math.min(k, runs.length - 1)]?.id);
    select.setAttribute("aria-label", ["First run", "Second run"][k]);
    return select;
  });
  const open = () => navigate("/side", { run: selects.map((select) => select.value) });
  return h(
    "div",
    { class: "card notice" },
    h("h1", {}, "Side by side"),
    h("p", {}, "Two runs of a game, infoset by infoset; or two decisions of spots, hand by hand."),
    runs.length > 0 && h("div", { class: "toolbar" }, selects),
    runs.length > 0 && h("button", { type: "button", class: "button primary", onclick: open }, "Show"),
  );
}

const csv = (path, params) =>
  h("a", { class: "button small", href: address(path, { ...params, format: "csv" }), download: "" }, "CSV");

/** Return a menu that saves what an element shows as a file. */
const saved = (element, caption) => saveMenu(element, () => document.title.replace(" · Equilibrist", ""), caption);

/** Return a column for the mix of one side. */
const mixOfSide = (title, k, colours) => ({
  key: `mix${k}`,
  meaning: MEANINGS.Mix,
  title,
  sort: false,
  class: "mix",
  show: (row) =>
    row.mixes[k].some((share) => share !== null) &&
    mixBar(
      row.mixes[k].map((share) => share ?? 0),
      colours(row),
      row.actions.map((action, n) => `${action} ${percent(row.mixes[k][n])}`).join(", "),
    ),
  tip: (row) => row.actions.map((action, n) => `${action} ${percent(row.mixes[k][n])}`).join(", "),
});

// --- Infosets ---

/** Return the columns of infosets side by side. */
function infosetColumns(names) {
  const colours = (row) => row.actions.map((action) => actionColour(action, row.actions));
  const frequencies = (row, k) => row.actions.map((action, n) => `${action} ${percent(row.mixes[k][n])}`).join(" · ");
  const descending = { numeric: true, descending: true };
  const shares = (k) => ({
    key: `p${k}`,
    title: `Frequencies ${k + 1}`,
    sort: false,
    class: "hide-narrow note",
    show: (row) => frequencies(row, k),
  });
  const value = (k) => ({
    key: `v${k}`,
    title: `Value ${k + 1}`,
    meaning: MEANINGS["Value of an infoset"],
    numeric: true,
    class: "hide-narrow",
    value: (row) => row.values[k],
    show: (row) => payoff(row.values[k], 4),
  });
  return [
    { key: "infoset", title: "Infoset" },
    { key: "player", title: "Player", numeric: true },
    mixOfSide(names[0], 0, colours),
    mixOfSide(names[1], 1, colours),
    { key: "difference", title: "Difference", ...descending, show: (row) => percent(row.difference) },
    { key: "reach", title: "Reach", ...descending, show: (row) => percent(row.reach) },
    ...[0, 1].map(shares),
    ...[0, 1].map(value),
  ];
}

/**
 * Return the field of the search, which asks once nothing is typed any more.
 *
 * @param {InfosetsBesideStore} store
 * @param {(changes: any) => void} set
 */
function infosetSearch(store, set) {
  const input = h("input", {
    type: "search",
    value: store.state.search,
    placeholder: "Search infosets",
    "aria-label": "Search infosets",
    oninput: later(() => {
      set({ search: input.value });
      store.searchFor(input.value).catch(failed);
    }, 200),
  });
  return input;
}

async function showInfosets(body, { ids, names, fields, set, navigate, signal }) {
  const paramsOf = (search) => ({ run: ids, search, count: MOST_INFOSETS });
  const store = infosetsBesideStore({
    read: (search) => get("/compare/infosets", paramsOf(search), { signal }),
    search: fields.search ?? "",
  });
  const list = table({
    columns: infosetColumns(names),
    key: (row) => `${row.player} ${row.infoset}`,
    sort: { key: "difference", descending: true },
    onOpen: (row) => navigate(runPath(ids[0]), { of: row.player, infoset: row.infoset }),
    label: "Infosets side by side",
    height: "calc(100vh - 240px)",
    empty: "No infoset fits.",
  });
  const words = h("p", { class: "note", role: "status" });
  const search = infosetSearch(store, set);
  const save = saved(() => list);
  const tools = h("div", { class: "toolbar" });

  function show() {
    const { found, search: text } = store.state;
    if (!found) return;
    words.textContent = differenceInWords(found, names);
    clear(tools, search, words, h("span", { class: "grow" }), save, csv("/compare/infosets", paramsOf(text)));
    list.update(found.rows);
  }
  store.subscribe(show);
  body.append(tools, list, h("p", { class: "note" }, MEANING_OF_DIFFERENCE));
  await store.load();
}

// --- Decisions of spots ---

/** Return a number of a side in small words, with by how much it is more than that of the first. */
const sideStat = (title, text, change) => h("div", { class: "stat" }, h("dt", {}, title), h("dd", {}, text, change));

/**
 * Return a side: where it is, what players earn there, how often each action is taken, and a grid of its hands.
 *
 * @param {BesideStore} store
 * @param {{name: string, sides: any[], k: number, grid: HTMLElement}} options
 */
function sideCard(store, { name, sides, k, grid }) {
  const side = sides[k];
  const earned = (player, who) => {
    const change = store.changeOfEv([sides[0].ev[who], sides[1].ev[who]]);
    return sideStat(`EV ${player}`, ev(side.ev[who], side.pot), k > 0 && delta(change, two));
  };
  const taken = ([action, share]) => {
    const change = changeBy(share, sides[0].frequencies[action]);
    return sideStat(action, percent(share), k > 0 && change !== null && delta(change, percent));
  };
  return h(
    "section",
    { class: "card" },
    h("h2", {}, name),
    h(
      "p",
      { class: "note" },
      cardRow(side.board, { size: "small" }),
      ` ${side.line ? lineInWords(side.line) : "the start"}`,
    ),
    h("dl", { class: "stats" }, PLAYERS.map(earned), Object.entries(side.frequencies).map(taken)),
    grid,
  );
}

/**
 * Return the map of what differs; `three` is what stands beside it, which is saved as a picture with `caption()`.
 *
 * @param {BesideStore} store
 * @param {{actions: string[], three: HTMLElement, caption: () => any}} options
 */
function changePanel(store, { actions, three, caption }) {
  const { measure: first } = store.state;
  const grid = rangeGrid({ label: "What differs", onSelect: (name) => store.pick(name) });
  const measure = choice(measuresOf(actions), first);
  measure.setAttribute("aria-label", "What differs");
  measure.addEventListener("change", () => store.showMeasure(measure.value));
  const element = h(
    "section",
    { class: "card" },
    h(
      "div",
      { class: "toolbar" },
      h("h2", { class: "grow" }, "Difference"),
      measure,
      saved(() => three, caption),
    ),
    h("p", { class: "note" }, legend()),
    grid,
  );
  const show = () => grid.update(changeCells(store.state.classes, store.state.measure, actions));
  return { element, grid, show };
}

/**
 * Return the list of hands.
 *
 * @param {BesideStore} store
 * @param {{view: any, found: any, params: any, colours: string[]}} options
 */
function handsPanel(store, { view, found, params, colours }) {
  const { names, fields, to } = view;
  const { player, sides } = found;
  const heading = h("h2", {});
  const all = h("button", { type: "button", class: "button small quiet", onclick: () => store.pick("") }, "All hands");
  const list = handTable(colours, names, sides);
  const other = h(
    "a",
    { class: "button small", href: to({ player: 1 - player, hand: "" }) },
    `The range of ${PLAYERS[1 - player]}`,
  );
  const save = saved(() => list);
  const tools = [heading, all, h("span", { class: "grow" }), other, save, csv("/compare/node", params)];

  function show() {
    const rows = store.listed();
    const hands = `${count(rows.length)} ${rows.length === 1 ? "hand" : "hands"}`;
    heading.textContent = `${fields.hand || PLAYERS[player]}: ${hands}`;
    all.hidden = !fields.hand;
    list.update(rows);
  }
  return { element: h("section", { class: "card" }, h("div", { class: "toolbar" }, tools), list), show };
}

async function showNodes(body, view) {
  const { ids, names, fields, query, set, signal } = view;
  const about = await get("/runs/{run}/spot", { run: ids[0] }, { signal });
  const params = { run: ids, ...Object.fromEntries(PLACES.map((name) => [name, fields[name]])), player: fields.player };
  const found = await get("/compare/node", params, { signal });
  const { sides, actions, player } = found;
  const units = liveUnitSwitch(
    query,
    () => about.settings,
    (changes) => store.tellIn(changes),
  );
  const store = besideStore({ found, fields, set }); // in the unit that the switch has found
  const colours = actions.map((action) => actionColour(action, actions));
  const legends = actions.map((action, k) => ({ colour: colours[k], text: inWords(action, actions) }));
  const title = h("b", {}, `Side by side: ${names.join(" beside ")}, ${PLAYERS[player]}`);
  const path = h("div");
  const three = h("div", { class: "three" });
  const grids = names.map((name) => rangeGrid({ label: `Strategy of ${name}`, onSelect: store.pick }));
  const change = changePanel(store, { actions, three, caption: () => captionOf([title.cloneNode(true)], legends) });
  const hands = handsPanel(store, { view, found, params, colours });

  function showHands() {
    const { classes } = store.state;
    grids.forEach((grid, k) => grid.update(sideCells(classes, k, colours, actions, sides[k].board)));
    change.show();
    for (const grid of [...grids, change.grid]) if (fields.hand) grid.select(fields.hand);
    hands.show();
  }

  /** Show all that is told in a unit. */
  function showAll() {
    const cards = sides.map((_, k) => sideCard(store, { name: names[k], sides, k, grid: grids[k] }));
    clear(path, way(view, sides, about, units));
    clear(three, cards, change.element);
    showHands();
  }

  store.subscribe((what) => (what === "unit" ? showAll() : showHands()));
  body.append(path, three, hands.element);
  showAll();
}

const two = (value) => payoff(value, 2);
const delta = (value, show) => h("small", { class: "note" }, ` ${value > 0 ? "+" : ""}${show(value)}`);
const legend = () => "Blue is less in the second, amber more; pale is about the same.";

/** Return where both sides lead on, an action that both have taken on both, and back. */
function way({ fields, to }, sides, about, units) {
  const apart = (fields.line2 ?? fields.line ?? "") !== (fields.line ?? "");
  const step = (line, action) => (line ? `${line}-${action}` : action);
  const shared = sides[0].next.filter(({ action, next }) => next === "decision" && sides[1].actions.includes(action));
  const after = (action) => ({
    line: step(sides[0].line, action),
    ...(apart || "line2" in fields ? { line2: step(sides[1].line, action) } : {}),
    hand: "",
    player: "",
  });
  const back = (line) => line.split("-").slice(0, -1).join("-");
  const input = (name, label, value) => {
    const field = h("input", {
      type: "text",
      value,
      "aria-label": label,
      title: label,
      spellcheck: "false",
      autocomplete: "off",
      placeholder: label,
    });
    field.name = name;
    return field;
  };
  const form = h(
    "form",
    {
      class: "toolbar",
      onsubmit: (event) => {
        event.preventDefault();
        const given = Object.fromEntries(new FormData(form));
        location.assign(to({ ...given, hand: "", player: "" }));
      },
    },
    input("line", "Line of the first", sides[0].line),
    input("board", "Cards dealt since the start", fields.board ?? ""),
    input("line2", "Line of the second", fields.line2 ?? sides[0].line),
    input("board2", "Cards of the second", fields.board2 ?? fields.board ?? ""),
    h("button", { type: "submit", class: "button small" }, "Show"),
  );
  return h(
    "nav",
    { class: "card way", "aria-label": `Where to, from ${about.board}` },
    h(
      "div",
      { class: "toolbar" },
      sides[0].line &&
        h(
          "a",
          {
            class: "button small",
            href: to({
              line: back(sides[0].line),
              ...("line2" in fields ? { line2: back(sides[1].line) } : {}),
              hand: "",
              player: "",
            }),
          },
          "Back",
        ),
      shared.map(({ action }) =>
        h("a", { class: "button small", href: to(after(action)) }, `${inWords(action, sides[0].actions)} on both`),
      ),
      h("span", { class: "grow" }),
      units,
    ),
    h("details", {}, h("summary", {}, "Other decisions"), form),
  );
}

function handTable(colours, names, sides) {
  const both = (key, title, show, more = {}) =>
    [0, 1].map((k) => ({
      ...{ key: `${key}${k}`, title: `${title} ${k + 1}`, numeric: true, descending: true },
      value: (row) => row[key][k],
      show: (row) => show(row[key][k], k),
      ...more,
    }));
  return table({
    columns: [
      {
        key: "hand",
        title: "Hand",
        show: (row) => cardRow([row.hand.slice(0, 2), row.hand.slice(2)], { size: "small" }),
      },
      mixOfSide(h("span", { title: names[0] }, "First"), 0, () => colours),
      mixOfSide(h("span", { title: names[1] }, "Second"), 1, () => colours),
      {
        key: "difference",
        title: "Difference",
        numeric: true,
        descending: true,
        show: (row) => percent(row.difference),
      },
      {
        key: "ev_difference",
        title: "EV, 2 − 1",
        numeric: true,
        descending: true,
        show: (row) => two(row.ev_difference),
      },
      ...both("ev", "EV", (value, k) => ev(value, sides[k].pot), { class: "hide-narrow" }),
      ...both("equity", "Equity", (value) => percent(value), { class: "hide-narrow" }),
      ...both("range", "Weight", (value) => percent(value, 0), { class: "hide-narrow" }),
    ],
    key: (row) => row.hand,
    sort: { key: "difference", descending: true },
    label: `Hands side by side`,
    height: "60vh",
    empty: "No hand comes here.",
  });
}
