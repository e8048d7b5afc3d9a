// Settings of a run: when it stops, how it is solved, and what is recorded.
import { field, h } from "../dom.js";
import { count } from "../format.js";
import { decimal, goal, share, whole } from "../numbers.js";
import { spelledOut } from "../words.js";
import { choice } from "./choice.js";
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
const QUANTAL = ["gap", "temperature"];
const NOT_QUANTAL = ["until", "concept", "algorithm", "precision", "alternating", "seed", "cce_distance"];
const QRE = /^qre\(['"]?([\d.e-]+)['"]?\)$/; // as the address has it
const QRE_OF_SPOTS = /^qre\(['"]?([\d.e-]+)%['"]?\)$/; // a share of the pot; others stay as they are typed
const NOT_OF_SPOTS = ["form", "seed", "cce_distance", "record", "record_every"];
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
 * Return the settings of a run as an element, with values() for the API and fail(error), which shows an error at its
 * field (false where there is none).
 *
 * @param {object} options
 * @param {any} options.known the answer of /algorithms
 * @param {boolean} [options.spot] whether goals are % of the pot
 * @param {Record<string, any>} [options.given] values to begin with
 * @param {() => void} [options.onChange]
 */
export function runSettings({ known, spot = false, given = {}, onChange = () => {} }) {
  const controls = makeControls(known, spot);
  for (const [name, value] of Object.entries(given))
    if (controls[name] && value !== undefined && value !== null) controls[name].value = value;
  const fields = Object.fromEntries(
    Object.entries(words(known, spot)).map(([name, [label, help]]) => [
      name,
      field(label, controls[name], { name, help }),
    ]),
  );
  const sampling = spot && !given.sampling ? null : samplingFields(known.samplings, given.sampling);
  const unused = spot ? NOT_OF_SPOTS.filter((name) => !given[name]) : []; // what is given is shown
  for (const name of unused) fields[name].hidden = true;
  const quantal = (spot ? QRE_OF_SPOTS : QRE).exec(given.concept ?? "");
  if (quantal) {
    controls.answers.checked = true;
    controls.concept.value = "";
    controls.temperature.value = quantal[1];
    if (given.until) controls.gap.value = given.until;
  }
  const rest = Object.keys(fields).filter((name) => !WIDE.includes(name));
  const boxes = rest.flatMap((name) =>
    name === "threads" && sampling ? [...sampling.boxes, fields[name]] : [fields[name]],
  );
  const changed = rest.some((name) => controls[name].value) || Boolean(given.sampling);
  const element = h(
    "div",
    { class: "run-settings" },
    h("h3", {}, "Stop at the first of"),
    h("div", { class: "fields three" }, fields.until, fields.gap, fields.iterations, fields.seconds),
    h("div", { class: "fields answers" }, fields.answers, fields.temperature),
    h("details", { open: changed }, h("summary", {}, "Solver"), h("div", { class: "fields" }, boxes)),
    fields.name,
    h(
      "details",
      { class: "own", open: Boolean(given.tags || given.note) },
      h("summary", {}, "Notes and tags"),
      h("div", { class: "fields" }, fields.tags, fields.note),
    ),
  );
  const usual = () => {
    const { checked } = controls.answers;
    for (const name of QUANTAL) fields[name].hidden = !checked;
    for (const name of NOT_QUANTAL) fields[name].hidden = checked || unused.includes(name);
    for (const box of sampling?.boxes ?? []) box.classList.toggle("not-quantal", checked);
    const limited = LIMITS.some((name) => !fields[name].hidden && controls[name].value.trim());
    controls.iterations.placeholder = limited ? "no limit" : count(known.iterations);
  };
  usual();
  element.addEventListener("input", () => {
    usual();
    sampling?.changed();
    for (const box of element.querySelectorAll(".field")) /** @type {any} */ (box).fail("");
    onChange();
  });

  element.values = () => {
    const values = {};
    for (const [name, control] of Object.entries(controls)) {
      const typed = control.value.trim();
      if (!typed || fields[name].hidden || name === "answers") continue;
      if (name === "alternating") values[name] = false;
      else values[name] = name === "until" && spot ? share(typed) : (READ[name]?.(typed) ?? typed);
    }
    const { cce_distance: distance, gap, temperature } = values;
    for (const name of ["cce_distance", "gap", "temperature"]) delete values[name];
    if (controls.answers.checked) {
      const qre = { concept: `qre(${temperature}${spot ? "%" : ""})` };
      return { ...values, ...qre, ...(gap === undefined ? {} : { until: gap }) };
    }
    if (distance !== undefined) values.until = [values.until ?? [], `cce_distance(${distance})`].flat();
    const sampled = sampling?.value();
    return sampled ? { ...values, sampling: sampled } : values;
  };
  element.fail = (error) => {
    const quantalFields = controls.answers.checked ? { until: fields.gap, concept: fields.temperature } : {};
    const box = error.field === "sampling" ? sampling : (quantalFields[error.field] ?? fields[error.field]);
    if (!box) return false;
    (fields[error.field]?.closest("details") ?? element.querySelector("details")).open = true;
    box.fail(error.message);
    return true;
  };
  return element;
}
