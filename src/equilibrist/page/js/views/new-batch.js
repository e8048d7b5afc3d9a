// A new batch: a spot on many boards, a spot with settings that vary, or games × algorithms × samplings.
import { get, post } from "../base/api.js";
import { clear, field, h, relink } from "../base/dom.js";
import { count } from "../base/format.js";
import { timeSpan } from "../base/progress.js";
import { choice, setValue } from "../parts/choice.js";
import { failed, toast } from "../parts/toast.js";
import { carriedInWords, formOf, spotInAddress } from "../poker/spot-settings.js";
import { batchStore, LIST, OF_SPOTS, OWN } from "../runs/batch-form.js";
import { estimateStore } from "../runs/estimate-store.js";
import { lineOfCode, memory } from "../runs/estimate.js";
import { runSettings } from "../runs/run-settings.js";

/** @typedef {import("../runs/batch-form.js").BatchStore} BatchStore */

const BOARDS = [
  ["25", "25 flops"],
  ["49", "49 flops"],
  ["95", "95 flops"],
  ["184", "184 flops"],
  ["all", "all 1,755 flops"],
  ["turns", "all turns"],
  ["rivers", "all rivers"],
  [LIST, "these boards …"],
  [OWN, "its own board alone"],
];
const PAUSE = 400; // ms without a change before the server is asked what it takes
const KINDS = { spot: "A spot of hold'em", games: "Games" };
/** Fields of a single run that a batch has not. */
const NOT_OF_BATCHES = [
  ...["algorithm", "sampling", "record", "record_every", "name", "tags", "note", "answers", "temperature"],
];

const area = (rows, placeholder) => h("textarea", { rows: String(rows), spellcheck: "false", placeholder });
const text = (placeholder) => h("input", { type: "text", autocomplete: "off", spellcheck: "false", placeholder });
/** Return boxes of which several may be checked, with values() and set(values). */
function boxes(label, options) {
  const inputs = options.map(({ name, title }) => [name, h("input", { type: "checkbox", value: name, title })]);
  const group = h(
    "fieldset",
    { class: "boxes" },
    h("legend", {}, label),
    inputs.map(([name, input]) => h("label", {}, input, ` ${name}`)),
  );
  group.values = () => inputs.filter(([, input]) => input.checked).map(([name]) => name);
  group.set = (names) => inputs.forEach(([name, input]) => (input.checked = names.includes(name)));
  return group;
}

function makeControls(known) {
  return {
    boards: choice(BOARDS, "25"),
    list: area(2, "QsJh2h:12, AhKd2c"),
    lines: text("the first, and after X"),
    stack: text("100, 200, 300"),
    bets: area(2, "50%; 3x\n33%, 75%; 3x"),
    games: area(4, "kuhn\nleduc\nliars_dice(sides=4)"),
    vary: area(2, "ante = 1 | 2"),
    algorithms: boxes(
      "Algorithms",
      known.algorithms.map(({ name, source }) => ({ name, title: source })),
    ),
    samplings: area(3, "full\nexternal\noutcome(epsilon=0.4)"),
    seeds: text("1"),
    processes: text("1"),
    name: text("after what is solved"),
  };
}

const LABELS = {
  boards: ["Boards", "each is solved with the ranges and the pot of the spot, not with those that get there"],
  list: ["Which", "with weights where they stand for several"],
  lines: ["Decisions reported", "of the first street: X, X-B50"],
  stack: ["Stacks", "several make a report each"],
  bets: ["Bet sizes", "a row for each, as in spot files"],
  games: ["Games", "one a row, with parameters: kuhn(cards=4)"],
  vary: ["Other settings", "a row for each: oop.bets = 50% | 75%, a"],
  samplings: ["Samplings", "one a row; those that an algorithm does not take are left out"],
  seeds: ["Seeds", "for each sampled run"],
  processes: ["At a time", "runs, each in a process of its own"],
  name: ["Name of the batch"],
};
/**
 * Return the fields of a batch, filled with what the store has: `controls` and `fields` by name, typed() and show().
 *
 * @param {BatchStore} store
 * @param {any} known the algorithms that there are
 */
function batchFields(store, known) {
  const controls = makeControls(known);
  const { algorithms, ...texts } = controls;
  for (const [name, control] of Object.entries(texts)) setValue(control, store.state.texts[name]);
  algorithms.set(store.state.algorithms);
  const fields = Object.fromEntries(
    Object.entries(LABELS).map(([name, [label, help]]) => [name, field(label, texts[name], { name, help })]),
  );

  /** Return what is typed and checked. */
  const typed = () => ({
    texts: Object.fromEntries(Object.entries(texts).map(([name, control]) => [name, control.value])),
    algorithms: algorithms.values(),
  });

  /** Show the fields that have a place. */
  function show() {
    for (const [name, box] of Object.entries(fields)) box.hidden = !store.isShown(name);
  }

  return { algorithms, fields, typed, show };
}

/**
 * Return what is solved as buttons, and what is said of the spot.
 *
 * @param {BatchStore} store
 * @param {{pick: (kind: string) => void, spotAddress: () => string}} context
 */
function kindPanel(store, { pick, spotAddress }) {
  const { spot } = store.state;
  const about = h(
    "p",
    { class: "spot-about" },
    h("b", {}, `Hold'em ${spot.board}, pot ${spot.pot}, stacks ${spot.stack} `),
    carriedInWords(formOf(spot).carried).map(({ text }) => `${text}. `),
    h("a", { href: spotAddress }, "change"),
  );
  const tabs = h(
    "div",
    { class: "segmented", role: "group", "aria-label": "What is solved" },
    Object.entries(KINDS).map(([name, words]) =>
      h("button", { type: "button", class: "button", dataset: { name }, onclick: () => pick(name) }, words),
    ),
  );

  function show() {
    const { kind } = store.state;
    for (const button of tabs.children) button.setAttribute("aria-pressed", String(button.dataset.name === kind));
    about.hidden = kind !== "spot";
  }

  return { tabs, about, show };
}

/**
 * Return the settings of a run of the batch, which are others for another kind.
 *
 * @param {BatchStore} store
 * @param {any} known the algorithms that there are
 */
function settingsPanel(store, known) {
  const element = h("div", {});
  let settings = null;

  /** Show the settings of the kind that is picked. */
  function renew() {
    const { kind, runs } = store.state;
    settings = runSettings({ known, spot: kind === "spot", given: runs[kind] ?? {}, without: NOT_OF_BATCHES });
    clear(element, settings);
  }

  renew();
  return {
    element,
    renew,
    values: () => settings.values(),
    address: () => settings.address(),
    fail: (error) => settings.fail(error),
  };
}

/**
 * Return what shows an error: at its field, at a setting of a run, or in a line of its own.
 *
 * @param {{fields: Record<string, any>, settings: {fail: (error: any) => boolean}, wrong: HTMLElement}} places
 */
const errorTeller =
  ({ fields, settings, wrong }) =>
  (error, focus = false) => {
    const box = fields[error.field ?? ""];
    if (box && !box.hidden) box.fail(error.message, { focus });
    else if (!settings.fail(error)) wrong.textContent = error.message;
    if (!(error.status >= 0)) console.error(error);
  };

/** Say what of an address is left out. */
function tellUnknown(query, names, problem) {
  if (problem) toast(problem, { kind: "wrong" });
  const unknown = query.getAll("algorithms").filter((name) => !names.includes(name));
  if (unknown.length) toast(`There is no algorithm ${unknown.join(", ")}: left out.`, { kind: "wrong" });
}

export async function show(root, { query, navigate, signal }) {
  document.title = "New batch · Equilibrist";
  const known = await get("/algorithms", {}, { signal });
  const names = known.algorithms.map(({ name }) => name);
  const { settings: spot, problem } = spotInAddress(query);
  const store = batchStore({ query, spot, known: names });
  const { algorithms, fields, typed, show: showFields } = batchFields(store, known);
  const settings = settingsPanel(store, known);
  const request = () => store.request(settings.values());
  const kinds = kindPanel(store, { pick, spotAddress: () => store.spotAddress(settings.address()) });
  const wrong = h("p", { class: "wrong", role: "alert" });
  const takes = h("div", { class: "takes", "aria-live": "polite" });
  const estimate = estimateStore({
    question: request,
    estimate: (question) => post("/batches/estimate", question, { signal }),
    pause: PAUSE,
  });
  const tell = errorTeller({ fields, settings, wrong });
  const start = h("button", { type: "submit", class: "button primary" }, "Begin");

  function pick(kind) {
    store.pick(kind, settings.address());
    settings.renew();
    store.type(typed());
  }

  async function submit(event) {
    event.preventDefault();
    start.disabled = true;
    try {
      const { jobs } = await post("/batches", request());
      if (signal.aborted) return; // somebody has gone on since
      if (jobs.length === 1) navigate(`/batches/${encodeURIComponent(jobs[0].id)}`);
      else navigate("/jobs", { job: jobs[0].id });
    } catch (error) {
      if (signal.aborted) return failed(error);
      estimate.forget();
      tell(error, true);
    } finally {
      start.disabled = false;
    }
  }

  estimate.subscribe((what) => {
    const { isWaiting, facts, error } = estimate.state;
    if (what === "waiting") takes.classList.toggle("waiting", isWaiting);
    else if (what === "facts") clear(takes, facts && factsOf(facts));
    else if (what === "problem") tell(error);
  });
  store.subscribe(() => {
    kinds.show();
    showFields();
    wrong.textContent = "";
    for (const box of root.querySelectorAll(".field")) box.fail?.("");
    history.replaceState(null, "", store.address(settings.address()));
    relink(kinds.about);
    estimate.ask();
  });
  const boxesOf = (list) =>
    h(
      "div",
      { class: "fields" },
      list.map((name) => fields[name]),
    );
  const form = h(
    "form",
    { class: "columns", novalidate: true, onsubmit: submit, oninput: () => store.type(typed()) },
    h(
      "div",
      { class: "card what" },
      h("div", { class: "toolbar" }, kinds.tabs),
      kinds.about,
      boxesOf([...OF_SPOTS, "games", "vary"]),
      algorithms,
      boxesOf(["samplings", "seeds", "processes"]),
    ),
    h(
      "div",
      { class: "card side" },
      h("h2", {}, "What it takes"),
      takes,
      wrong,
      settings.element,
      fields.name,
      h("div", { class: "toolbar start" }, start, h("span", { class: "note" }, "Continues when this page is closed.")),
    ),
  );
  root.append(h("div", { class: "toolbar" }, h("h1", {}, "New batch")), form);
  store.type(typed());
  tellUnknown(query, names, problem);
}

/** Return what batches take, and the lines that would do the same. */
function factsOf(facts) {
  const rows = [
    ...(facts.batches > 1 ? [["Reports", count(facts.batches), facts.titles.join("\n")]] : []),
    ["Runs", count(facts.runs), facts.titles_of_runs.join("\n")],
    ["Time", facts.seconds ? timeSpan(facts.seconds) : "not known", `by ${facts.measured} of them; without compiling`],
  ];
  return [
    h(
      "dl",
      { class: "facts" },
      rows.map(([name, value, title]) => [h("dt", {}, name), h("dd", { title }, value)]),
    ),
    memory({ ...facts, smaller: facts.smaller ?? "choose fewer sizes, or fewer at a time" }),
    facts.left_out.map(({ algorithm, sampling, reason }) =>
      h("p", { class: "note", title: reason }, `Left out: ${algorithm} with ${sampling ?? "full"}.`),
    ),
    h(
      "details",
      { class: "lines" },
      h("summary", {}, "The same elsewhere"),
      facts.file && lineOfCode("Study file", facts.file),
      lineOfCode(facts.batches > 1 ? "Command, of the first" : "Command", facts.command),
      lineOfCode("Python", facts.python),
    ),
  ];
}
