// Train: one line, dealt again and again, each answer scored.
import { pathOfId } from "../base/address.js";
import { ApiError } from "../base/api-error.js";
import { get, post } from "../base/api.js";
import { field, h, later } from "../base/dom.js";
import { payoff, percent } from "../base/format.js";
import { liveUnitSwitch, settingsIn } from "../base/units.js";
import { lineInWords } from "../base/words.js";
import { table } from "../parts/table.js";
import { failed } from "../parts/toast.js";
import { drill } from "../play/lost.js";
import { nameField, openTable, ownName } from "../play/new-table.js";
import { readRun } from "../runs/read-run.js";
import { atTable, tableList, tablePath } from "./play.js";

const STREETS = ["flop", "turn", "river"];

export async function show(root, { params, query, navigate, signal }) {
  document.title = `Train ${params.run} · Equilibrist`;
  const among = query.getAll("among");
  const table = query.get("table");
  if (table) {
    const state = query.get("deal")
      ? await post("/tables/{table}/hands", { table }, { signal })
      : await get("/tables/{table}", { table }, { signal });
    await atTable(root, state, {
      query,
      navigate,
      signal,
      ask: "Next",
      train: true,
      onNext: among.length > 1 ? () => navigate(...nextTable(among)) : null,
    });
  } else await choose(root, { run: params.run, query, navigate, signal });
}

/** Train at decisions that are drawn from several runs: a table for each, dealt from one hand to the next by chance. */
export async function trainAnywhere(runs, navigate) {
  try {
    trainAmong(await Promise.all(runs.map((run) => openTable({ run, line: "*", answers: 1 }))), navigate);
  } catch (error) {
    failed(error);
  }
}

/** Train at tables, dealt from one hand to the next by chance. */
export const trainAmong = (tables, navigate) => navigate(...nextTable(tables.map(({ id, run }) => `${id} ${run}`)));

/** Return the address of one of several tables, "id run", at which the next hand is dealt. */
function nextTable(tables) {
  const [id, run] = tables[Math.floor(Math.random() * tables.length)].split(" ");
  return [`/train/${encodeURIComponent(run)}`, { table: id, among: tables, deal: 1 }];
}

/** Return the fields of a training table: where hands are dealt, and what is asked. */
function placeFields(spot, begin) {
  const text = (value, placeholder) =>
    h("input", { type: "text", value, placeholder, autocomplete: "off", spellcheck: "false" });
  const line = text(begin.line);
  const board = text(begin.board, "dealt");
  const hands = text("", "all");
  const answers = h(
    "select",
    {},
    h("option", { value: "1" }, "one answer"),
    h("option", { value: "" }, "the hand to its end"),
  );
  const select = (rows) =>
    h(
      "select",
      {},
      rows.map(([value, words]) => h("option", { value }, words)),
    );
  const sizes = select([
    ["each", "each by itself"],
    ["grouped", "any size of bet"],
  ]);
  const mixing = select([
    ["", "none"],
    ["1", "1 to 100"],
  ]);
  const timer = h("input", { type: "number", min: 1, max: 3600, step: 1, placeholder: "no limit" });
  const lineHelp = spot
    ? "The actions before, X-B120-C | X; empty is the first decision. ? is any character, * any text."
    : "A name, or a pattern: ? is any character, * any text.";
  const pupil = nameField();
  const all = [
    pupil.box,
    field(spot ? "Line" : "Infoset", line, { name: "line", help: lineHelp }),
    spot && field("Board", board, { name: "board", help: "All public cards there, once a street was dealt." }),
    spot && field("Only these hands", hands, { name: "hands", help: "A range: QQ+,AKs." }),
    field("Ask for", answers, { name: "answers" }),
    spot &&
      field("Sizes", sizes, {
        name: "sizes",
        help: "Of any size: graded by the one that the strategy plays most, else by the best.",
      }),
    field("Random number", mixing, { name: "mixing", help: "To mix by: low numbers for the first actions." }),
    field("Seconds for a choice", timer, { name: "timer", help: "Then you check, or fold." }),
  ];
  const plain = (input) => input.value.trim() || null;
  return {
    line,
    boxes: all.filter(Boolean),
    values: () => ({
      line: line.value.trim(),
      answers: answers.value ? Number(answers.value) : null,
      board: spot ? plain(board) : null,
      hands: spot ? plain(hands) : null,
      sizes: sizes.value,
      mixing: mixing.value !== "",
      timer: timer.value === "" ? null : Number(timer.value),
      pupil: pupil.value(),
    }),
  };
}

/** Return the columns of the places at which hands can be dealt. */
function placeColumns(spot) {
  const name = (place) => (spot ? lineInWords(place.line) || "the first decision" : place.line);
  const stake = {
    key: "at_stake",
    title: "At stake",
    numeric: true,
    descending: true,
    show: (place) => payoff(place.at_stake),
    tip: () => "What the worst action costs against the best",
  };
  return [
    {
      key: "line",
      title: spot ? "Line" : "Infoset",
      show: (place) => h("span", { class: "place", title: place.line }, name(place)),
    },
    { key: "seat", title: "Who", show: (place) => place.position ?? `player ${place.seat}` },
    spot && { key: "street", title: "Street", show: (place) => STREETS[place.street], class: "hide-narrow" },
    {
      key: "actions",
      title: "Actions",
      sort: false,
      show: (place) => h("span", { class: "place note" }, place.actions.join(", ")),
      class: "hide-narrow",
    },
    { key: "reach", title: "Reached", numeric: true, descending: true, show: (place) => percent(place.reach) },
    !spot && stake,
  ].filter(Boolean);
}

/** Return how training works. */
function howItWorks(spot) {
  const [place, hands] = spot ? ["line", "ranges that arrive there"] : ["infoset", "hands that the others hold there"];
  return h(
    "section",
    { class: "card" },
    h("h2", {}, "How it works"),
    h(
      "p",
      { class: "note" },
      `Each hand is dealt at this ${place}, with the ${hands}, as often as in play; anywhere, each street comes equally often, and each of its lines. My mistakes are decisions that you answered wrong the last time, each as often as it is part of what they cost. The score is the share of what was at stake that you kept: 1 − cost / what the worst action would have cost. An action that the strategy itself plays with 3 % or more is never a mistake.`,
    ),
  );
}

const orderInWords = (spot, shown, total) =>
  total > shown
    ? `the ${shown} most worth training, of ${total}`
    : spot
      ? "in the order of the streets"
      : "most worth training first: reached often, much at stake";

async function choose(root, { run, query, navigate, signal }) {
  const [{ kind, places, total, mistakes }, { tables }] = await Promise.all([
    get("/runs/{run}/training", { run, pupil: ownName(), most: 500 }, { signal }),
    get("/tables", { run, pupil: ownName(), most: 30 }, { signal }),
  ]);
  const spot = kind === "lines";
  const game = spot ? (await readRun(run, signal)).game : "";
  const units =
    spot &&
    liveUnitSwitch(
      query,
      () => settingsIn(game),
      () => list.update(matching()),
    );
  let seat = null; // of the place that was picked: the same name may be an infoset of several players
  const fields = placeFields(spot, {
    line: query.get("line") ?? places[0]?.line ?? "",
    board: query.get("board") ?? "",
  });
  fields.line.addEventListener("input", () => (seat = null));
  const wrong = h("p", { class: "wrong", role: "alert" });
  const search = h("input", {
    type: "search",
    placeholder: spot ? "Search lines" : "Search infosets",
    "aria-label": "Search",
    oninput: later(() => list.update(matching()), 100),
  });
  const matching = () => {
    const wanted = search.value.trim().toLowerCase();
    return places.filter(({ line, actions }) =>
      [line, actions.join(" ")].some((one) => one.toLowerCase().includes(wanted)),
    );
  };
  const list = table({
    columns: placeColumns(spot),
    rows: places,
    key: (place) => `${place.seat} ${place.line}`,
    onOpen: (place) => {
      fields.line.value = place.line;
      seat = place.seat;
      open();
    },
    label: spot ? "Lines" : "Infosets",
    height: "calc(100vh - 330px)",
  });

  const open = () => trainAt({ ...fields.values(), seat });
  const anywhere = () => trainAt({ ...fields.values(), line: "*", board: null });

  /** Deal what who plays here answered wrong: of nobody in particular where no name is given. */
  function mine() {
    const settings = fields.values();
    return trainAt(drill(run, settings.pupil ? { pupil: settings.pupil } : {}, settings));
  }

  async function trainAt(settings) {
    wrong.textContent = "";
    for (const one of fields.boxes) one.fail("");
    try {
      navigate(...tablePath(await openTable({ run, ...settings }, { signal })));
    } catch (error) {
      const names = ({ dataset }) => dataset.field === error.field || error.message?.startsWith(`${dataset.field}:`);
      const place = fields.boxes.find(names);
      if (place) place.fail(error.message);
      else if (error instanceof ApiError) wrong.textContent = error.message;
      else failed(error);
    }
  }

  const form = h(
    "form",
    { class: "card", onsubmit: (event) => (event.preventDefault(), open()) },
    h("h2", {}, "Deal a decision again and again"),
    h("div", { class: "fields" }, fields.boxes),
    wrong,
    h(
      "div",
      { class: "toolbar" },
      h("button", { class: "button primary", type: "submit" }, "Train"),
      h("button", { class: "button", type: "button", onclick: anywhere }, "Anywhere, at random"),
      mistakes > 0 && h("button", { class: "button", type: "button", onclick: mine }, `My mistakes (${mistakes})`),
    ),
  );
  const trained = tables.filter((one) => one.kind === "train");
  const before =
    trained.length > 0 && h("section", { class: "card" }, h("h2", {}, "Trained before"), tableList(trained));
  const note = h("span", { class: "note" }, orderInWords(spot, places.length, total));
  root.append(
    h(
      "div",
      { class: "toolbar" },
      h("h1", {}, "Train"),
      h("span", { class: "note" }, pathOfId(run)),
      h("span", { class: "grow" }),
      units,
    ),
    h(
      "div",
      { class: "at-table" },
      h("section", { class: "side" }, form, h("div", { class: "toolbar" }, search, note), list),
      h("aside", { class: "side" }, howItWorks(spot), before),
    ),
  );
}
