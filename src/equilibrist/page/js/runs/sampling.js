// The sampling of a run: its scheme, and the options that have a meaning for it.
import { field, h } from "../base/dom.js";
import { decimal } from "../base/numbers.js";
import { choice } from "../parts/choice.js";

const number = (placeholder) =>
  h("input", { type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false", placeholder });

const WORDS = {
  infoset: "by infoset",
  history: "by history",
  "zero-reach": "what the others never reach",
  regret: "moves of low regret",
};

/** Labels, help, and controls of options; those with a fixed value are a choice of it or nothing. */
const OPTIONS = {
  tree: {
    label: "Game",
    help: "A game too large to be compiled is sampled without a tree; its exploitability is unknown then.",
    control: () =>
      choice(
        [
          ["", "compiled"],
          ["False", "not compiled"],
        ],
        "",
      ),
  },
  gigabytes: {
    label: "Memory of infosets, GB",
    help: "stops before they take more",
    control: () => number("no limit"),
  },
  batch: { label: "Batch", help: "traversals against the same strategies", control: () => number("1") },
  average: { label: "Average", help: "how the average strategy is summed up" },
  baseline: { label: "Baseline", help: "estimated values that lower the variance" },
  epsilon: { label: "Exploration ε", help: "share of uniform play in the draws", control: () => number("usual") },
  pruning: { label: "Pruning", help: "what is left out" },
  low_discrepancy: {
    label: "Outcomes of chance",
    help: "",
    control: () =>
      choice(
        [
          ["", "random"],
          ["True", "low-discrepancy sequence"],
        ],
        "",
      ),
  },
  one_deal: {
    label: "Deals of an iteration",
    help: "one for all is more even where moves are compared",
    control: () =>
      choice(
        [
          ["", "one for each path"],
          ["True", "one"],
        ],
        "",
      ),
  },
};

/**
 * Read the text of a sampling: "outcome(epsilon=0.4)" → {scheme: "outcome", options: {epsilon: "0.4"}}.
 * @param {string} text
 * @returns {{scheme: string, options: Record<string, string>}}
 */
export function readSampling(text) {
  const [, scheme, inside] = /^([\w-]*)(?:\((.*)\))?$/s.exec(text.trim()) ?? [null, text, ""];
  const parts = [...(inside ?? "").matchAll(/(\w+)\s*=\s*('[^']*'|[^,]+)/g)];
  return {
    scheme,
    options: Object.fromEntries(parts.map(([, name, value]) => [name, value.trim().replaceAll("'", "")])),
  };
}

/**
 * Write a sampling as the command takes it; undefined for full-width iterations.
 * @param {string} scheme
 * @param {Record<string, string>} options
 * @returns {string | undefined}
 */
export function writeSampling(scheme, options) {
  const quoted = (value) => (/^[a-z]/.test(value) ? `'${value}'` : value);
  const parts = Object.entries(options)
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}=${quoted(value)}`);
  const name = scheme || "full";
  return parts.length ? `${name}(${parts.join(", ")})` : name === "full" ? undefined : name;
}

/** Whether the fields hold a sampling: its scheme, each of its options, and their values where there is a choice. */
function isKnown({ scheme, options }, samplings) {
  const known = samplings.find(({ name }) => name === (scheme || "full"))?.options;
  const isHeld = ([name, value]) => {
    if (!known?.[name] || !OPTIONS[name]) return false;
    const values = known[name].map((one) => (typeof one === "boolean" ? (one ? "True" : "False") : String(one)));
    const isTyped = ["epsilon", "batch", "gigabytes"].includes(name);
    return isTyped || values.includes(value);
  };
  return Boolean(known) && Object.entries(options).every(isHeld);
}

/**
 * Return the fields of a sampling: `boxes`, value() as the API takes it, and fail(message).
 *
 * @param {{name: string, source: string, options: Record<string, any[]>}[]} samplings of the answer of /algorithms
 * @param {string} given what to begin with
 */
export function samplingFields(samplings, given = "") {
  let begin = readSampling(given);
  const schemes = samplings
    .filter(({ name }) => name !== "full")
    .map(({ name, source }) => [name, `${name} · ${source}`]);
  if (!isKnown(begin, samplings)) {
    schemes.push([given, given]); // as it was given: the server says what it thinks of it
    begin = { scheme: given, options: {} };
  }
  const scheme = choice([["", "full: every history"], ...schemes], begin.scheme === "full" ? "" : begin.scheme);
  const main = field("Sampling", scheme, { name: "sampling", help: "what an iteration visits" });
  const fitting = () => samplings.find(({ name }) => name === (scheme.value || "full"))?.options ?? {};
  const rows = Object.entries(OPTIONS).map(([name, { label, help, control }]) => {
    const input = control ? control() : h("select", {});
    input.value = begin.options[name] ?? "";
    return { name, input, fixed: Boolean(control), box: field(label, input, { name: `sampling-${name}`, help }) };
  });

  /** Show the options that fit the scheme, with the values that they may have. */
  function fit(options = {}) {
    const all = fitting();
    for (const { name, input, fixed, box } of rows) {
      box.hidden = !all[name];
      if (fixed || !all[name]) continue;
      const before = options[name] ?? input.value;
      const values = all[name].map((value) => h("option", { value }, WORDS[value] ?? value));
      input.replaceChildren(h("option", { value: "" }, name === "average" ? "usual" : "none"), ...values);
      input.value = all[name].includes(before) ? before : "";
    }
    const tree = rows.find(({ name }) => name === "tree");
    const memory = rows.find(({ name }) => name === "gigabytes");
    if (memory) memory.box.hidden ||= tree?.input.value === "";
  }
  fit(begin.options);

  return {
    boxes: [main, ...rows.map(({ box }) => box)],
    changed: () => fit(),
    value: () => {
      const shown = rows.filter(({ box }) => !box.hidden);
      return writeSampling(
        scheme.value,
        Object.fromEntries(shown.map(({ name, input }) => [name, decimal(input.value)])),
      );
    },
    fail: (message) => main.fail(message),
  };
}
