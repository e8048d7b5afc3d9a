// Play: a table against a run, or against an equilibrium that is found at once.
import { href, pathOfId, runPath } from "../base/address.js";
import { ApiError } from "../base/api-error.js";
import { get, post } from "../base/api.js";
import { clear, field, h } from "../base/dom.js";
import { ago } from "../base/format.js";
import { isSpot, liveUnitSwitch, payoffAt, settingsIn, useUnit } from "../base/units.js";
import { gameInWords, lineInWords, titleOf } from "../base/words.js";
import { lineChart } from "../parts/chart.js";
import { failed, toast } from "../parts/toast.js";
import { felt } from "../play/felt.js";
import { drill, lostReport } from "../play/lost.js";
import { nameField, openTable, ownName } from "../play/new-table.js";
import { playStore } from "../play/play-store.js";
import { amount, scoreOf, totalsOf } from "../play/score.js";
import { readRun } from "../runs/read-run.js";

/** @import { TableRow, TableSettings, TableState, TracedRun } from "../base/answers.js" */

const PATIENCE = 200; // ms after which it is said that the opponent searches
const LEAST_HANDS = 3; // of which a chart is drawn
const NONE = "-"; // in the place of a run, where there is none

/**
 * Return the address of a table.
 *
 * @param {Pick<TableRow, "kind" | "run" | "id">} table
 */
export const tablePath = (table) => [
  `/${table.kind === "train" ? "train" : "play"}/${encodeURIComponent(table.run ?? NONE)}`,
  { table: table.id },
];

export async function show(root, { params, query, navigate, signal }) {
  const run = params.run === NONE ? null : params.run;
  document.title = `Play ${run ?? query.get("game") ?? ""} · Equilibrist`;
  const table = query.get("table");
  if (table) {
    const state = await get("/tables/{table}", { table }, { signal });
    await atTable(root, state, { query, navigate, signal, ask: "Next hand" });
  } else await setUp(root, { run, query, navigate, signal });
}

/**
 * Return the fields of a new table; `known` is the run, or null for a game that is solved at once.
 *
 * @param {TracedRun | null} known
 * @param {string | null} given
 */
function tableFields(known, given) {
  const game = h("input", { type: "text", value: given ?? "kuhn", autocomplete: "off", spellcheck: "false" });
  const seat = h(
    "select",
    {},
    h("option", { value: "" }, "each in turn"),
    Array.from({ length: known?.players ?? 2 }, (_, player) => h("option", { value: player }, `player ${player}`)),
  );
  const seed = h("input", { type: "number", min: 0, step: 1, placeholder: "drawn" });
  const search = h(
    "select",
    {},
    h("option", { value: "" }, "plays as the run does"),
    h("option", { value: "search" }, "searches while it plays"),
  );
  const pupil = nameField();
  const all = [
    pupil.box,
    !known && field("Game", game, { name: "game", help: "A small two-player game; its equilibrium is found at once." }),
    field("Your seat", seat, { name: "seat" }),
    field("Seed", seed, { name: "seed", help: "The same seed deals the same cards." }),
    known?.players === 2 &&
      field("Opponent", search, {
        name: "search",
        help: "To search is to solve again where play comes, for some seconds at most. What choices cost is then unknown.",
      }),
  ];
  const whole = (input) => (input.value === "" ? null : Number(input.value));
  return {
    boxes: all.filter(Boolean),
    values: () => ({
      game: known ? null : game.value.trim(),
      seat: whole(seat),
      seed: whole(seed),
      search: search.value !== "",
      pupil: pupil.value(),
    }),
  };
}

async function setUp(root, { run, query, navigate, signal }) {
  const known = run ? await readRun(run, signal) : null;
  if (known?.spot) useUnit(query, settingsIn(known.game));
  const { tables } = await get("/tables", { run, pupil: ownName(), most: 8 }, { signal });
  const fields = tableFields(known, query.get("game"));
  const wrong = h("p", { class: "wrong", role: "alert" });
  const form = h(
    "form",
    { class: "card set-up", onsubmit: open },
    h("h2", {}, run ? `Play against ${pathOfId(run)}` : "Play a game"),
    known && h("p", { class: "note" }, titleOf(known)),
    h("div", { class: "fields" }, fields.boxes),
    wrong,
    h(
      "div",
      { class: "toolbar" },
      h("button", { class: "button primary", type: "submit" }, "Deal"),
      run && h("a", { class: "button", href: `/train/${encodeURIComponent(run)}` }, "Train a line"),
      run && h("a", { class: "button", href: known?.spot ? runPath(run, "spot") : runPath(run) }, "Study"),
    ),
  );

  async function open(event) {
    event.preventDefault();
    wrong.textContent = "";
    for (const one of fields.boxes) one.fail("");
    try {
      navigate(...tablePath(await openTable({ run, ...fields.values() }, { signal })));
    } catch (error) {
      const place = fields.boxes.find((one) => one.dataset.field === error.field);
      if (place) place.fail(error.message);
      else if (error instanceof ApiError) wrong.textContent = error.message;
      else failed(error);
    }
  }

  const others =
    tables.length > 0 && h("section", { class: "card" }, h("h2", {}, "Continue at a table"), tableList(tables));
  root.append(h("h1", {}, "Play"), h("div", { class: "at-table" }, form, h("aside", { class: "side" }, others || "")));
  form.querySelector("button[type=submit]").focus({ preventScroll: true });
}

/**
 * Return where hands are dealt in training, in words.
 *
 * @param {TableSettings} settings
 */
const placeInWords = ({ line, mistakes }) =>
  mistakes
    ? `${mistakes} ${mistakes === 1 ? "mistake" : "mistakes"}`
    : line === "*"
      ? "any decision"
      : lineInWords(line ?? "") || "the first decision";

/**
 * Return who plays at a table, and what.
 *
 * @param {TableRow} table
 */
export function tableInWords({ game, kind, settings }) {
  const place = kind === "train" ? placeInWords(settings) : "";
  return [settings.pupil, gameInWords(game), place].filter(Boolean).join(": ");
}

/**
 * Return links to tables.
 *
 * @param {TableRow[]} tables
 */
export function tableList(tables) {
  return h(
    "ul",
    { class: "plain-list ruled" },
    tables.map((table) =>
      h(
        "li",
        {},
        h("a", { class: "grow place", href: href(...tablePath(table)) }, tableInWords(table)),
        h(
          "span",
          { class: "note nowrap" },
          `${table.hands ?? 0} ${table.hands === 1 ? "hand" : "hands"}`,
          table.payoff !== null && `, ${amount(table.payoff, table)}`,
          ` · ${ago(table.played ?? table.created)}`,
        ),
      ),
    ),
  );
}

/**
 * Return what stands above a table.
 *
 * @param {TableState} state
 */
function tableHead(state, train, units) {
  const run = state.run && runPath(state.run, ...(isSpot(state.game) ? ["spot"] : []));
  const again = `/${train ? "train" : "play"}/${encodeURIComponent(state.run ?? NONE)}`;
  const link = (path, text) => h("a", { class: "button small", href: path }, text);
  return h(
    "div",
    { class: "toolbar" },
    h("h1", {}, train ? "Train" : "Play"),
    state.settings.pupil && h("span", { class: "tag", title: "Who plays here" }, state.settings.pupil),
    h("span", { class: "note place", title: state.game }, gameInWords(state.game)),
    h(
      "span",
      { class: "note" },
      state.run ? `against ${pathOfId(state.run)}${state.search ? ", which searches" : ""}` : state.opponent,
    ),
    h("span", { class: "grow" }),
    units,
    h(
      "span",
      { class: "toolbar" },
      run && link(run, "Study"),
      link(href("/history", { table: state.id }), "History"),
      link(again, train ? "Another line" : "New table"),
    ),
  );
}

/** Return where hands are dealt, in training. */
const dealtAt = (settings, { board, hands } = settings) =>
  h(
    "p",
    { class: "note" },
    "Dealt at ",
    h("strong", {}, placeInWords(settings)),
    board && [" on ", h("code", {}, board)],
    hands && [" with ", h("code", {}, hands)],
  );

const KEYS = () =>
  h(
    "p",
    { class: "note keys" },
    h("kbd", {}, "1"),
    "–",
    h("kbd", {}, "9"),
    " or the first letter chooses, ",
    h("kbd", {}, "Enter"),
    " continues",
  );
const SEARCHING = "The opponent is searching: it solves the part of the game below again.";
const SEARCHES =
  "The opponent solves again, safely, the parts to which play comes. After the hand you see which, and what it played.";
const HINT =
  "After the hand you see what each of your actions was worth against this opponent, with the best play after it, and how often the strategy takes it.";

/** Return what the opponent solved again, in this hand and before. */
function searchOf(search) {
  if (!search) return "";
  const parts = (count) => `${count} ${count === 1 ? "part" : "parts"}`;
  const now = search.new && `${parts(search.new)} solved again in this hand, in ${search.seconds.toFixed(1)} s. `;
  return [
    h("p", { class: "note" }, now || "", search.parts ? `${parts(search.parts)} in all.` : "Nothing solved again yet."),
    search.sentences.map((sentence) => h("p", { class: "note" }, sentence)),
  ];
}

const card = (title, ...children) => h("section", { class: "card" }, h("h2", {}, title), children);

/** Return what was won at a table, how much of it was luck, and how both came about. */
function luckPanel() {
  const totals = h("div");
  const chart = lineChart({ x: { label: "hands" }, y: {}, height: 150, title: "What was won, and without luck" });
  const heading = h("div", {}, h("h2", {}, "Luck and skill"), totals);
  const element = h("section", { class: "card luck-card" }, heading, chart);

  /** @param {TableState} table */
  function show(table) {
    const points = (place) => table.course.map((row) => [row[0], payoffAt(row[place], table)]);
    clear(totals, totalsOf(table));
    chart.hidden = table.course.length < LEAST_HANDS;
    chart.update({
      series: [
        { name: "won", points: points(1) },
        { name: "without luck", points: points(2) },
      ],
    });
  }
  return { element, show };
}

/**
 * Return the score of the choices at a table, or what an opponent that searches has solved again.
 *
 * @param {TableState} first
 * @param {boolean} train
 */
function scorePanel(first, train) {
  const body = h("div", { class: first.search ? "review" : null });
  const title = first.search ? "Search" : train ? "Score" : "Choices";
  const note = (text) => h("p", { class: "note" }, text);

  /** @param {TableState} table */
  function show({ search, score, grading }) {
    if (first.search) clear(body, searchOf(search));
    else clear(body, scoreOf(score), grading?.note && note(grading.note));
  }
  return { element: card(title, body), show };
}

/**
 * Show a table, at which hands are dealt until somebody leaves; `onNext` takes the place of dealing the next one here.
 *
 * @param {HTMLElement} root @param {any} first its state
 * @param {{query: URLSearchParams, navigate: (...place: any[]) => any, signal: AbortSignal, ask: string,
 *   train?: boolean, onNext?: (() => any) | null}} options
 */
export async function atTable(root, first, { query, navigate, signal, ask, train = false, onNext = null }) {
  const place = { table: first.id };
  const store = playStore({
    first,
    read: () => get("/tables/{table}", place, { signal }),
    deal: () => post("/tables/{table}/hands", place, { signal }),
    move: (choice) => post("/tables/{table}/moves", { ...place, ...choice }, { signal }),
  });
  const act = (action) => store.act(action).catch(failed);
  const next = onNext ?? (() => store.next().catch(failed));
  const table = felt({ act, next, signal, ask });
  const hint = h("p", { class: "note hint" }, first.search ? SEARCHES : HINT);
  const luck = luckPanel();
  const score = scorePanel(first, train);
  const lost = train && first.run && lostReport({ table: first, onDrill: drillAgain, signal });
  const units =
    isSpot(first.game) &&
    liveUnitSwitch(
      query,
      () => settingsIn(first.game),
      () => draw(),
    );

  function draw() {
    const { table: state } = store.state;
    table.update(state);
    hint.hidden = table.review.childElementCount > 0;
    luck.show(state);
    score.show(state);
    if (lost && !state.turn) lost.update().catch(failed);
  }

  let searching; // what says after a moment that the opponent does
  function showBusy() {
    const { isBusy, table: state } = store.state;
    table.busy(isBusy);
    clearTimeout(searching);
    if (isBusy && state.search) searching = setTimeout(() => table.say(SEARCHING), PATIENCE);
  }

  /** Deal the mistakes of this table again, at a new one. */
  async function drillAgain() {
    const { answers, sizes, mixing, timer, pupil } = store.state.table.settings;
    try {
      const again = await openTable(drill(first.run, place, { answers, sizes, mixing, timer, pupil: pupil ?? "" }));
      navigate(...tablePath(again));
    } catch (error) {
      failed(error);
    }
  }

  store.subscribe((what) => {
    if (what === "table") draw();
    else if (what === "busy") showBusy();
    else toast(store.state.told);
  });
  const isDrilled = train && first.settings.answers; // of one answer nothing is won
  root.append(
    tableHead(first, train, units),
    train ? dealtAt(first.settings) : "",
    h(
      "div",
      { class: "at-table" },
      h("div", { class: "side" }, table, !isDrilled && luck.element),
      h("aside", { class: "side" }, card("This hand", table.review, hint), score.element, lost, KEYS()),
    ),
  );
  draw();
  await store.begin().catch(failed);
}
