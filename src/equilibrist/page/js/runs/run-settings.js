// Settings of a run: when it stops, how it is solved, and what is recorded.
import { field, h } from "../base/dom.js";
import { count } from "../base/format.js";
import { spelledOut } from "../base/words.js";
import { choice, setValue } from "../parts/choice.js";
import { carriedList } from "./carried-list.js";
import { samplingFields } from "./sampling.js";
import { settingsStore } from "./settings-store.js";

/** @typedef {import("./settings-store.js").SettingsStore} SettingsStore */

const number = (attributes = {}) =>
  h("input", { type: "text", inputmode: "decimal", autocomplete: "off", ...attributes });
const text = (placeholder) => h("input", { type: "text", autocomplete: "off", spellcheck: "false", placeholder });
const orAuto = (names) =>
  choice(
    names.map((name) => [name === "auto" ? "" : name, name]),
    "",
  );

const WIDE = ["until", "gap", "iterations", "seconds", "answers", "temperature", "name", "tags", "note"];

/** @returns {Record<string, any>} */
function makeControls(known, spot) {
  const algorithms = known.algorithms.map(({ name, source }) => [name, `${name} · ${spelledOut(name) ?? source}`]);
  return {
    until: number({ placeholder: "no goal" }),
    gap: number({ value: "0.001", placeholder: "no goal" }),
    iterations: number({ inputmode: "numeric", placeholder: "no limit" }),
    seconds: number({ placeholder: "no limit" }),
    algorithm: choice([["", `auto (${spot ? known.auto.cards : known.auto.sequence})`], ...algorithms], ""),
    threads: number({ inputmode: "numeric", placeholder: "all, where that is faster" }),
    precision: orAuto(known.precisions),
    form: orAuto(known.forms),
    alternating: choice(
      [
        ["", "in turn"],
        ["no", "all at once"],
      ],
      "",
    ),
    seed: number({ inputmode: "numeric", placeholder: "0" }),
    cce_distance: number({ placeholder: "no goal" }),
    nodes: number({ inputmode: "numeric", placeholder: "no limit" }),
    max_memory_gb: number({ placeholder: "what is free" }),
    record: text("nothing"),
    record_every: number({ inputmode: "numeric", placeholder: "each checkpoint" }),
    answers: h("input", { type: "checkbox" }),
    concept: text("nash"),
    temperature: number({ value: spot ? "1" : "0.1" }),
    name: text("after the game"),
    tags: text("none"),
    note: h("textarea", { rows: "2" }),
  };
}

/** @returns {Record<string, [string, string?]>} label and help by name */
const words = (known, spot) => ({
  until: [
    spot ? "Goal, % of the pot" : "Exploitability",
    spot ? "0.5 is usual" : "payoff per game; of three players and more the largest gain",
  ],
  gap: ["Largest error", "of a probability"],
  iterations: ["Iterations"],
  seconds: ["Seconds"],
  algorithm: ["Algorithm"],
  threads: [`Threads (this machine: ${known.cores})`, "change no bit of the result"],
  precision: ["Numbers are stored in"],
  form: ["Form"],
  alternating: ["Players update"],
  seed: ["Seed"],
  cce_distance: ["Distance from a CCE", "more players, or general-sum"],
  nodes: ["Nodes touched"],
  max_memory_gb: ["Memory, GB"],
  record: ["Record", "all, or infosets: J, Qpb. For pictures of the strategy over time."],
  record_every: ["Record after every", "iterations"],
  answers: ["Answers everywhere", "also where play never comes (quantal responses); its price is known afterwards"],
  concept: ["Concept", "floors(0.01): every action keeps a probability of 1 %; qre(0.1)"],
  temperature: [
    spot ? "Temperature, % of the pot" : "Temperature, payoff per game",
    "a mistake that costs this much is 2.7 times rarer",
  ],
  name: ["Name of the run"],
  tags: ["Tags", "with commas between them"],
  note: ["Notes"],
});

/** Return the fields of a form by name, each around its control. */
function makeFields(controls, labels) {
  const entries = Object.entries(controls).map(([name, control]) => {
    const [label, help] = labels[name];
    return [name, field(label, control, { name, help })];
  });
  return Object.fromEntries(entries);
}

/** Give controls what they begin with. */
function fillControls(controls, begin) {
  for (const [name, value] of Object.entries(begin))
    if (controls[name] && name !== "answers") setValue(controls[name], value);
  if (controls.answers) controls.answers.checked = Boolean(begin.answers);
}

/**
 * Return the settings without a field, each of which can be removed.
 *
 * @param {SettingsStore} store
 * @param {() => void} onRemove
 */
function othersPanel(store, onRemove) {
  const list = carriedList({
    title: "Also in this run",
    heading: "h3",
    kind: "also",
    words: (settings) =>
      Object.entries(settings).map(([name, value]) => ({ name, text: `${name} ${value}`, details: [] })),
    onChange: () => {
      store.carry(list.settings);
      onRemove();
    },
  });
  list.set(store.state.carried);
  return list;
}

/**
 * Return the fields that say how a run is solved, folded up where nobody has chosen anything.
 *
 * @param {{controls: Record<string, any>, fields: Record<string, any>, sampling: any, isSampled: boolean}} form
 */
function solverPanel({ controls, fields, sampling, isSampled }) {
  const names = Object.keys(fields).filter((name) => !WIDE.includes(name));
  const boxes = names.flatMap((name) =>
    name === "threads" && sampling ? [...sampling.boxes, fields[name]] : [fields[name]],
  );
  const open = isSampled || names.some((name) => controls[name].value);
  return h("details", { open }, h("summary", {}, "Solver"), h("div", { class: "fields" }, boxes));
}

/** Return what is noted of a run, folded up where nothing is. */
const notesPanel = (fields, given) =>
  h(
    "details",
    { class: "own", open: Boolean(given.tags || given.note) },
    h("summary", {}, "Notes and tags"),
    h("div", { class: "fields" }, fields.tags, fields.note),
  );

/**
 * Return the settings of a run as an element, with values() for the API, address() for the page, and fail(error), which
 * shows an error at its field (false where there is none).
 *
 * @param {object} options
 * @param {any} options.known the answer of /algorithms
 * @param {boolean} [options.spot] whether goals are % of the pot
 * @param {Record<string, any>} [options.given] settings to begin with, as an address has them
 * @param {string[]} [options.without] names of fields that this form has not
 * @param {() => void} [options.onChange]
 */
export function runSettings({ known, spot = false, given = {}, without = [], onChange = () => {} }) {
  const all = makeControls(known, spot);
  const present = Object.keys(all).filter((name) => !without.includes(name));
  const controls = Object.fromEntries(present.map((name) => [name, all[name]]));
  const fields = makeFields(controls, words(known, spot));
  const withSampling = !without.includes("sampling") && (!spot || given.sampling);
  const sampling = withSampling ? samplingFields(known.samplings, given.sampling) : null;
  const names = sampling ? [...present, "sampling"] : present;
  const store = settingsStore({ names, spot, given });
  fillControls(controls, store.begin);
  const solver = solverPanel({ controls, fields, sampling, isSampled: Boolean(given.sampling) });
  const others = othersPanel(store, () => element.dispatchEvent(new Event("input", { bubbles: true })));
  const element = h(
    "div",
    { class: "run-settings", oninput: change },
    h("h3", {}, "Stop at the first of"),
    h("div", { class: "fields three" }, fields.until, fields.gap, fields.iterations, fields.seconds),
    fields.answers && h("div", { class: "fields answers" }, fields.answers, fields.temperature),
    solver,
    others,
    fields.name,
    fields.tags && notesPanel(fields, given),
  );

  /** Take over what is typed. */
  function read() {
    const texts = Object.fromEntries(Object.entries(controls).map(([name, control]) => [name, control.value]));
    store.type({ texts, answers: Boolean(controls.answers?.checked), sampling: sampling?.value() });
  }

  /** Show the fields that there are for what is typed. */
  function show() {
    for (const [name, box] of Object.entries(fields)) box.hidden = !store.isShown(name);
    for (const box of sampling?.boxes ?? []) box.classList.toggle("not-quantal", !store.isSampled());
    controls.iterations.placeholder = store.isLimited() ? "no limit" : count(known.iterations);
  }

  function change() {
    sampling?.changed();
    read();
    show();
    for (const box of element.querySelectorAll(".field")) /** @type {any} */ (box).fail("");
    others.fail("");
    onChange();
  }

  element.values = store.values;
  element.address = store.address;
  element.fail = (error) => {
    if (error.field in others.settings) return others.fail(error.message);
    const box = error.field === "sampling" ? sampling : fields[store.fieldOf(error.field)];
    if (!box) return false;
    (fields[error.field]?.closest("details") ?? solver).open = true;
    box.fail(error.message);
    return true;
  };
  read();
  show();
  return element;
}
