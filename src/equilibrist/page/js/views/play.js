// Play: a table against a run, or against an equilibrium that is found at once.
import { href, pathOfId, runPath } from "../base/address.js";
import { ApiError, get, post } from "../base/api.js";
import { clear, field, h } from "../base/dom.js";
import { ago } from "../base/format.js";
import { isSpot, liveUnitSwitch, payoffAt, settingsIn, useUnit } from "../base/units.js";
import { gameInWords, lineInWords, titleOf } from "../base/words.js";
import { lineChart } from "../parts/chart.js";
import { failed, toast } from "../parts/toast.js";
import { felt } from "../play/felt.js";
import { drill, lostReport } from "../play/lost.js";
import { amount, scoreOf, totalsOf } from "../play/score.js";
import { readRun } from "../runs/read-run.js";

/** @import { TableRow, TableSettings, TableState, TracedRun } from "../base/answers.js" */

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
  const all = [
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
    }),
  };
}

async function setUp(root, { run, query, navigate, signal }) {
  const known = run ? await readRun(run, signal) : null;
  if (known?.spot) useUnit(query, settingsIn(known.game));
  const { tables } = await get("/tables", { run, most: 8 }, { signal });
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
      navigate(...tablePath(await post("/tables", { run, ...fields.values() }, { signal })));
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
 * Return what is played at a table.
 *
 * @param {TableRow} table
 */
export const tableInWords = ({ game, kind, settings }) =>
  kind === "train" ? `${gameInWords(game)}: ${placeInWords(settings)}` : gameInWords(game);

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

/**
 * Show a table, at which hands are dealt until somebody leaves; `onNext` takes the place of dealing the next one here.
 *
 * @param {HTMLElement} root @param {any} first its state
 * @param {{query: URLSearchParams, navigate: (...place: any[]) => any, signal: AbortSignal, ask: string,
 *   train?: boolean, onNext?: (() => any) | null}} options
 */
export async function atTable(root, first, { query, navigate, signal, ask, train = false, onNext = null }) {
  let state = first;
  const place = { table: state.id };
  const table = felt({ act, next: onNext ?? next, signal, ask });
  const [totals, score] = [h("div"), h("div")];
  const hint = h("p", { class: "note hint" }, state.search ? SEARCHES : HINT);
  const chart = lineChart({ x: { label: "hands" }, y: {}, height: 150, title: "What was won, and without luck" });
  const units =
    isSpot(state.game) &&
    liveUnitSwitch(
      query,
      () => settingsIn(state.game),
      () => draw(),
    );
  const card = (title, ...children) => h("section", { class: "card" }, h("h2", {}, title), children);
  const luck = h("section", { class: "card luck-card" }, h("div", {}, h("h2", {}, "Luck and skill"), totals), chart);
  const search = h("div", { class: "review" });
  const lost = train && state.run && lostReport({ table: state, onDrill: drillAgain, signal });
  const aside = [
    card("This hand", table.review, hint),
    state.search ? card("Search", search) : card(train ? "Score" : "Choices", score),
    lost,
    KEYS(),
  ];
  root.append(
    tableHead(state, train, units),
    train ? dealtAt(state.settings) : "",
    h(
      "div",
      { class: "at-table" },
      h("div", { class: "side" }, table, !(train && state.settings.answers) && luck),
      h("aside", { class: "side" }, aside),
    ),
  );
  draw();
  if (!state.turn && !state.last) await next();

  function draw() {
    table.update(state);
    hint.hidden = table.review.childElementCount > 0;
    clear(totals, totalsOf(state));
    clear(search, searchOf(state.search));
    clear(score, scoreOf(state.score), state.grading?.note && h("p", { class: "note" }, state.grading.note));
    if (lost && !state.turn) lost.update().catch(failed);
    chart.hidden = state.course.length < 3;
    chart.update({
      series: [
        { name: "won", points: state.course.map(([hands, won]) => [hands, payoffAt(won, state)]) },
        {
          name: "without luck",
          points: state.course.map(([hands, , skill]) => [hands, payoffAt(skill, state)]),
        },
      ],
    });
  }

  async function send(request) {
    table.busy(true);
    const searching = setTimeout(() => state.search && table.say(SEARCHING), 200);
    try {
      state = await request();
      draw();
    } catch (error) {
      const tell = (problem) => (table.busy(false), failed(problem));
      if (error.status === 409)
        await catchUp(error.message).catch(tell); // nothing can be chosen until it is shown
      else tell(error);
    } finally {
      clearTimeout(searching);
    }
  }

  /** Show the table as it stands at the server, where it is another than the one here, and say why; deal where no hand is. */
  async function catchUp(sentence) {
    toast(sentence);
    state = await get("/tables/{table}", place, { signal });
    if (!state.turn && !state.last) state = await post("/tables/{table}/hands", place, { signal });
    draw();
  }

  function act(action) {
    if (!state.turn) return undefined;
    const { hand, step } = state.turn;
    return send(() => post("/tables/{table}/moves", { ...place, hand, step, action }, { signal }));
  }

  /** Deal the mistakes of this table again, at a new one. */
  async function drillAgain() {
    const { answers, sizes, mixing, timer } = state.settings;
    try {
      const again = await post("/tables", drill(state.run, { table: state.id }, { answers, sizes, mixing, timer }));
      navigate(...tablePath(again));
    } catch (error) {
      failed(error);
    }
  }

  function next() {
    return send(() => post("/tables/{table}/hands", place, { signal }));
  }
}
