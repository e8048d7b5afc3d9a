// A new batch: a spot on many boards, a spot with settings that vary, or games × algorithms × samplings.
import { href } from "../base/address.js";
import { get, post } from "../base/api.js";
import { clear, field, h, later, relink } from "../base/dom.js";
import { count } from "../base/format.js";
import { timeSpan } from "../base/progress.js";
import { choice, setValue } from "../parts/choice.js";
import { toast } from "../parts/toast.js";
import { carriedInWords, formOf, spotInAddress } from "../poker/spot-settings.js";
import { settingsOf, valuesOf } from "../runs/batches.js";
import { settingsInAddress } from "../runs/carried.js";
import { lineOfCode, memory } from "../runs/estimate.js";
import { runSettings } from "../runs/run-settings.js";

const LIST = "list";
const OWN = "own";
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
const KINDS = { spot: "A spot of hold'em", games: "Games" };
/** Fields of a single run that a batch has not. */
const NOT_OF_BATCHES = [
  ...["algorithm", "sampling", "record", "record_every", "name", "tags", "note", "answers", "temperature"],
];

const area = (rows, placeholder) => h("textarea", { rows: String(rows), spellcheck: "false", placeholder });
const text = (placeholder) => h("input", { type: "text", autocomplete: "off", spellcheck: "false", placeholder });
const lines = (control) =>
  control.value
    .split("\n")
    .map((row) => row.trim())
    .filter(Boolean);

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

/** Return the usual boards of a spot: flops, or the next cards. */
const usualBoards = ({ board }) => ({ 3: "25", 4: "rivers" })[(board ?? "").replaceAll(" ", "").length / 2] ?? OWN;

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
const OF_SPOTS = ["boards", "list", "lines", "stack", "bets"];
const OF_GAMES = ["games", "samplings", "seeds"];

export async function show(root, { query, navigate, signal }) {
  document.title = "New batch · Equilibrist";
  const known = await get("/algorithms", {}, { signal });
  const { settings: spot, problem } = spotInAddress(query);
  let kind = query.get("kind") === "games" ? "games" : "spot";
  const controls = makeControls(known);
  for (const [name, control] of Object.entries(controls)) {
    const given = query.get(name);
    if (name === "algorithms") control.set(query.getAll(name));
    else if (given !== null) setValue(control, given);
  }
  if (query.get("boards") === null) controls.boards.value = usualBoards(spot);
  if (!query.get("games")) controls.games.value = "kuhn\nleduc";
  const { name: _, ...given } = settingsInAddress(query);
  const { algorithm } = given;
  if (algorithm && known.algorithms.some(({ name }) => name === algorithm)) {
    controls.algorithms.set([...controls.algorithms.values(), algorithm]);
    delete given.algorithm;
  }
  if (kind === "games" && given.sampling && !controls.samplings.value.trim()) {
    controls.samplings.value = given.sampling;
    delete given.sampling;
  }
  const kept = { [kind]: given }; // settings of a run by kind, as they were left
  const fields = Object.fromEntries(
    Object.entries(LABELS).map(([name, [label, help]]) => [name, field(label, controls[name], { name, help })]),
  );
  let settings = null; // of a run, for the kind
  const settingsBox = h("div", {});
  const takes = h("div", { class: "takes", "aria-live": "polite" });
  const wrong = h("p", { class: "wrong", role: "alert" });
  const start = h("button", { type: "submit", class: "button primary" }, "Begin");
  const about = h(
    "p",
    { class: "spot-about" },
    h("b", {}, `Hold'em ${spot.board}, pot ${spot.pot}, stacks ${spot.stack} `),
    carriedInWords(formOf(spot).carried).map(({ text }) => `${text}. `),
    h("a", { href: () => spotAddress() }, "change"),
  );
  const tabs = h(
    "div",
    { class: "segmented", role: "group", "aria-label": "What is solved" },
    Object.entries(KINDS).map(([name, words]) =>
      h("button", { type: "button", class: "button", dataset: { name }, onclick: () => pick(name) }, words),
    ),
  );

  const request = () => {
    const isSpot = kind === "spot";
    const { boards } = controls;
    const isReport = isSpot && boards.value !== OWN;
    const vary = settingsOf(controls.vary.value);
    if (isSpot && controls.stack.value.trim()) vary.stack = valuesOf(controls.stack.value);
    if (isSpot && lines(controls.bets).length) vary.bets = lines(controls.bets);
    const sides = controls.lines.value.trim();
    return {
      ...settings.values(),
      vary,
      algorithms: controls.algorithms.values(),
      ...(controls.processes.value.trim() ? { processes: controls.processes.value.trim() } : {}),
      ...(controls.name.value.trim() ? { name: controls.name.value.trim() } : {}),
      ...(isSpot ? { spot } : { games: lines(controls.games), samplings: lines(controls.samplings) }),
      ...(!isSpot && controls.seeds.value.trim() ? { seeds: controls.seeds.value.trim() } : {}),
      ...(isReport ? { boards: boards.value === LIST ? controls.list.value : boards.value } : {}),
      ...(isReport && sides ? { lines: ["", ...sides.split(",").map((one) => one.trim())] } : {}),
    };
  };

  function fit() {
    for (const button of tabs.children) button.setAttribute("aria-pressed", String(button.dataset.name === kind));
    const isSpot = kind === "spot";
    for (const name of OF_SPOTS) fields[name].hidden = !isSpot;
    for (const name of OF_GAMES) fields[name].hidden = isSpot;
    about.hidden = !isSpot;
    fields.list.hidden ||= controls.boards.value !== LIST;
    fields.lines.hidden ||= controls.boards.value === OWN;
  }

  function pick(name) {
    if (settings) kept[kind] = settings.address();
    kind = name;
    settings = runSettings({ known, spot: kind === "spot", given: kept[kind] ?? {}, without: NOT_OF_BATCHES });
    clear(settingsBox, settings);
    changed();
  }

  /** Return what was typed, of which an address begins again: the batch, and the settings of its runs. */
  function typed() {
    const texts = Object.fromEntries(
      Object.entries(controls)
        .filter(([name]) => name !== "algorithms")
        .map(([name, control]) => [name, control.value.trim()]),
    );
    return { ...texts, algorithms: controls.algorithms.values() };
  }

  /** Return the address of the form of the spot, which leads back here with all that was typed. */
  function spotAddress() {
    const { algorithms, ...texts } = typed();
    const batch = href("", algorithms.length > 1 ? { ...texts, algorithms } : texts).slice(1);
    const run = algorithms.length === 1 ? { algorithm: algorithms[0] } : {};
    return href("/new/spot", { spot: JSON.stringify(spot), ...settings?.address(), ...run, batch });
  }

  function remember() {
    const isGiven = kind === "spot" || query.has("spot"); // for the other tab
    const what = { spot: isGiven && JSON.stringify(spot), kind: kind === "games" && kind };
    history.replaceState(null, "", href("/batches/new", { ...what, ...typed(), ...settings.address() }));
    relink(about);
  }

  function changed() {
    fit();
    wrong.textContent = "";
    for (const box of root.querySelectorAll(".field")) box.fail?.("");
    remember();
    ask();
  }

  function tell(error, focus = false) {
    if (error.name === "AbortError") return;
    clear(takes);
    const name = { "": "", vary: "vary", boards: "boards", games: "games" }[error.field ?? ""] ?? error.field;
    if (fields[name] && !fields[name].hidden) fields[name].fail(error.message, { focus });
    else if (!settings.fail(error)) wrong.textContent = error.message;
    if (!(error.status >= 0)) console.error(error);
  }

  let asked = 0;
  const ask = later(async () => {
    const number = ++asked;
    takes.classList.add("waiting");
    try {
      const facts = await post("/batches/estimate", request(), { signal });
      if (number === asked) drawFacts(takes, facts);
    } catch (error) {
      if (number === asked) tell(error);
    } finally {
      if (number === asked) takes.classList.remove("waiting");
    }
  }, 400);

  async function submit(event) {
    event.preventDefault();
    start.disabled = true;
    try {
      const { jobs } = await post("/batches", request());
      if (jobs.length === 1) navigate(`/batches/${encodeURIComponent(jobs[0].id)}`);
      else navigate("/jobs", { job: jobs[0].id });
    } catch (error) {
      tell(error, true);
    } finally {
      start.disabled = false;
    }
  }

  const form = h(
    "form",
    { class: "columns", novalidate: true, onsubmit: submit },
    h(
      "div",
      { class: "card what" },
      h("div", { class: "toolbar" }, tabs),
      about,
      h(
        "div",
        { class: "fields" },
        [...OF_SPOTS, "games", "vary"].map((name) => fields[name]),
      ),
      controls.algorithms,
      h(
        "div",
        { class: "fields" },
        ["samplings", "seeds", "processes"].map((name) => fields[name]),
      ),
    ),
    h(
      "div",
      { class: "card side" },
      h("h2", {}, "What it takes"),
      takes,
      wrong,
      settingsBox,
      fields.name,
      h("div", { class: "toolbar start" }, start, h("span", { class: "note" }, "Continues when this page is closed.")),
    ),
  );
  form.addEventListener("input", changed);
  root.append(h("div", { class: "toolbar" }, h("h1", {}, "New batch")), form);
  pick(kind);
  if (problem) toast(problem, { kind: "wrong" });
  const unknown = query.getAll("algorithms").filter((name) => !known.algorithms.some((one) => one.name === name));
  if (unknown.length) toast(`There is no algorithm ${unknown.join(", ")}: left out.`, { kind: "wrong" });
}

/** Draw what batches take, and the lines that would do the same. */
function drawFacts(box, facts) {
  const rows = [
    ...(facts.batches > 1 ? [["Reports", count(facts.batches), facts.titles.join("\n")]] : []),
    ["Runs", count(facts.runs), facts.titles_of_runs.join("\n")],
    ["Time", facts.seconds ? timeSpan(facts.seconds) : "not known", `by ${facts.measured} of them; without compiling`],
  ];
  clear(
    box,
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
  );
}
