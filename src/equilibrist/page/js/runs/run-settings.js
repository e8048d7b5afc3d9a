// Settings of a run: when it stops, how it is solved, and what is recorded.
import { field, h } from "../base/dom.js";
import { count } from "../base/format.js";
import { decimal, goal, share, whole } from "../base/numbers.js";
import { spelledOut } from "../base/words.js";
import { choice, setValue } from "../parts/choice.js";
import { carriedList } from "./carried-list.js";
import { addressOfSettings, goalsIn, isQuantalConcept, RUN_SETTINGS } from "./carried.js";
import { samplingFields } from "./sampling.js";

const number = (attributes = {}) =>
  h("input", { type: "text", inputmode: "decimal", autocomplete: "off", ...attributes });
const text = (placeholder) => h("input", { type: "text", autocomplete: "off", spellcheck: "false", placeholder });
const orAuto = (names) =>
  choice(
    names.map((name) => [name === "auto" ? "" : name, name]),
    "",
  );

const WIDE = ["until", "gap", "iterations", "seconds", "answers", "temperature", "name", "tags", "note"];
const LIMITS = ["until", "gap", "seconds", "nodes", "cce_distance"];
const NOT_QUANTAL = ["until", "concept", "algorithm", "precision", "alternating", "seed", "cce_distance"];
const QRE = /^qre\(['"]?([\d.e-]+)['"]?\)$/; // as the address has it
const QRE_OF_SPOTS = /^qre\(['"]?([\d.e-]+)%['"]?\)$/; // a share of the pot; others stay as they are typed
const NOT_OF_SPOTS = ["form", "seed", "cce_distance", "record", "record_every"];
const USUAL_GOAL_OF_SPOTS = "0.5"; // % of the pot
const READ = {
  until: goal,
  gap: decimal,
  seconds: decimal,
  cce_distance: decimal,
  max_memory_gb: decimal,
  iterations: whole,
  nodes: whole,
  threads: whole,
  seed: whole,
  record_every: whole,
};

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
  until: [spot ? "Goal, % of the pot" : "Exploitability", spot ? "0.5 is usual" : "payoff per game; exact"],
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

/**
 * Return what fields begin with, of settings in an address, and what is carried along as it has no field here.
 *
 * @param {Record<string, any>} given
 * @param {{controls: Record<string, any>, spot: boolean}} form
 */
function beginning(given, { controls, spot }) {
  const { goal: typed, distance } = goalsIn(given.until);
  const isQuantal = isQuantalConcept(given.concept);
  const usual = spot && !isQuantal && given.until === undefined ? USUAL_GOAL_OF_SPOTS : "";
  /** @type {Record<string, any>} */
  const begin = { ...given, until: typed || usual, cce_distance: distance };
  if (isQuantal) Object.assign(begin, { until: "" }, given.until === undefined ? {} : { gap: typed });
  const temperature = (spot ? QRE_OF_SPOTS : QRE).exec(given.concept ?? "");
  if (temperature && controls.answers)
    Object.assign(begin, { answers: true, temperature: temperature[1], concept: "" });
  const isSimultaneous = /^(no|false|0)$/i.test(String(given.alternating ?? ""));
  const isInTurn = /^(yes|true|1)$/i.test(String(given.alternating ?? ""));
  if (isSimultaneous) begin.alternating = "no";
  if (isInTurn) begin.alternating = "";
  const names = Object.keys(given).filter((name) => RUN_SETTINGS.includes(name) && name !== "sampling");
  const carried = names.filter((name) => !controls[name]).map((name) => [name, given[name]]);
  return { begin, carried: Object.fromEntries(carried) };
}

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
  const has = (/** @type {[string, any]} */ [name]) => !without.includes(name);
  const controls = Object.fromEntries(Object.entries(makeControls(known, spot)).filter(has));
  const { begin, carried } = beginning(given, { controls, spot });
  for (const [name, value] of Object.entries(begin))
    if (controls[name] && name !== "answers") setValue(controls[name], value);
  if (controls.answers) controls.answers.checked = Boolean(begin.answers);
  const fields = Object.fromEntries(
    Object.entries(words(known, spot))
      .filter(has)
      .map(([name, [label, help]]) => [name, field(label, controls[name], { name, help })]),
  );
  const withSampling = !without.includes("sampling") && (!spot || given.sampling);
  const sampling = withSampling ? samplingFields(known.samplings, given.sampling) : null;
  if (!withSampling && given.sampling) carried.sampling = given.sampling;
  const unused = spot ? NOT_OF_SPOTS.filter((name) => !begin[name]) : []; // what is given is shown
  for (const name of unused) if (fields[name]) fields[name].hidden = true;
  const startsQuantal = isQuantalConcept(given.concept);
  const together = startsQuantal ? NOT_QUANTAL.filter((name) => name !== "concept" && begin[name]) : []; // for the server to judge
  const rest = Object.keys(fields).filter((name) => !WIDE.includes(name));
  const boxes = rest.flatMap((name) =>
    name === "threads" && sampling ? [...sampling.boxes, fields[name]] : [fields[name]],
  );
  const changed = rest.some((name) => controls[name].value) || Boolean(given.sampling);
  const others = carriedList({
    title: "Also in this run",
    heading: "h3",
    kind: "also",
    words: (settings) =>
      Object.entries(settings).map(([name, value]) => ({ name, text: `${name} ${value}`, details: [] })),
    onChange: () => element.dispatchEvent(new Event("input", { bubbles: true })),
  });
  others.set(carried);
  const element = h(
    "div",
    { class: "run-settings" },
    h("h3", {}, "Stop at the first of"),
    h("div", { class: "fields three" }, fields.until, fields.gap, fields.iterations, fields.seconds),
    fields.answers && h("div", { class: "fields answers" }, fields.answers, fields.temperature),
    h("details", { open: changed }, h("summary", {}, "Solver"), h("div", { class: "fields" }, boxes)),
    others,
    fields.name,
    fields.tags &&
      h(
        "details",
        { class: "own", open: Boolean(given.tags || given.note) },
        h("summary", {}, "Notes and tags"),
        h("div", { class: "fields" }, fields.tags, fields.note),
      ),
  );
  const isChecked = () => Boolean(controls.answers?.checked);
  const isQuantal = () => isChecked() || isQuantalConcept(controls.concept.value);
  const usual = () => {
    const checked = isChecked();
    for (const name of NOT_QUANTAL)
      if (fields[name]) fields[name].hidden = (checked && !together.includes(name)) || unused.includes(name);
    if (fields.temperature) fields.temperature.hidden = !checked;
    fields.gap.hidden = !isQuantal();
    fields.until.hidden = isQuantal();
    for (const box of sampling?.boxes ?? [])
      box.classList.toggle("not-quantal", checked && !(startsQuantal && given.sampling));
    const limited = LIMITS.some((name) => fields[name] && !fields[name].hidden && controls[name].value.trim());
    controls.iterations.placeholder = limited ? "no limit" : count(known.iterations);
  };
  usual();
  element.addEventListener("input", () => {
    usual();
    sampling?.changed();
    for (const box of element.querySelectorAll(".field")) /** @type {any} */ (box).fail("");
    others.fail("");
    onChange();
  });

  element.values = () => {
    const values = { ...others.settings };
    for (const [name, control] of Object.entries(controls)) {
      const typed = control.value.trim();
      if (!typed || fields[name].hidden || name === "answers") continue;
      if (name === "alternating") values[name] = typed === "no" ? false : typed;
      else values[name] = name === "until" && spot ? share(typed) : (READ[name]?.(typed) ?? typed);
    }
    const { cce_distance: distance, gap, temperature } = values;
    for (const name of ["cce_distance", "gap", "temperature"]) delete values[name];
    if (isChecked()) values.concept = `qre(${temperature}${spot ? "%" : ""})`;
    if (gap !== undefined) values.until = gap;
    if (distance !== undefined) values.until = [values.until ?? [], `cce_distance(${distance})`].flat();
    const isSampled = sampling && !sampling.boxes[0].classList.contains("not-quantal");
    const sampled = isSampled ? sampling.value() : undefined;
    return sampled ? { ...values, sampling: sampled } : values;
  };
  element.address = () => addressOfSettings(element.values(), { spot });
  element.fail = (error) => {
    if (error.field in others.settings) return others.fail(error.message);
    const quantalFields = isQuantal()
      ? { until: fields.gap, qre_gap: fields.gap, ...(isChecked() ? { concept: fields.temperature } : {}) }
      : {};
    const box = error.field === "sampling" ? sampling : (quantalFields[error.field] ?? fields[error.field]);
    if (!box) return false;
    (fields[error.field]?.closest("details") ?? element.querySelector("details")).open = true;
    box.fail(error.message);
    return true;
  };
  return element;
}
