// Settings of a run: when it stops, and how it is solved. And what it takes: size, memory, time, told before it starts.
import { clear, field, h } from "../dom.js";
import { count, duration } from "../format.js";

/** Return a select of texts, or of [value, text]. */
export function choice(options, value) {
  const select = h(
    "select",
    {},
    options.map((option) =>
      h("option", { value: Array.isArray(option) ? option[0] : option }, Array.isArray(option) ? option[1] : option),
    ),
  );
  select.value = value;
  return select;
}

const number = (attributes = {}) =>
  h("input", { type: "text", inputmode: "decimal", autocomplete: "off", ...attributes });

/**
 * Return the settings of a run as an element, with values() for the API, fail(error) for an error at its field (false
 * where there is none), and onChange. `known` is the answer of /algorithms; `spot` says that goals are % of the pot;
 * `given` are values to begin with.
 */
export function runSettings({ known, spot = false, given = {}, onChange = () => {} }) {
  const controls = {
    until: number({ placeholder: "no goal" }),
    iterations: number({ inputmode: "numeric", placeholder: "no limit" }),
    seconds: number({ placeholder: "no limit" }),
    algorithm: choice(
      [
        ["", `auto (${spot ? known.auto.cards : known.auto.sequence})`],
        ...known.algorithms.map(({ name, source }) => [name, `${name} · ${source}`]),
      ],
      "",
    ),
    sampling: choice(
      [
        ["", "full: every history"],
        ...known.samplings
          .filter(({ name }) => name !== "full")
          .map(({ name, source }) => [name, `${name} · ${source}`]),
      ],
      "",
    ),
    threads: number({ inputmode: "numeric", placeholder: "1" }),
    precision: choice(
      known.precisions.map((name) => [name === "auto" ? "" : name, name]),
      "",
    ),
    form: choice(
      known.forms.map((name) => [name === "auto" ? "" : name, name]),
      "",
    ),
    alternating: choice(
      [
        ["", "in turn"],
        ["no", "all at once"],
      ],
      "",
    ),
    seed: number({ inputmode: "numeric", placeholder: "0" }),
    until_cce: number({ placeholder: "no goal" }),
    nodes: number({ inputmode: "numeric", placeholder: "no limit" }),
    max_memory_gb: number({ placeholder: "what is free" }),
    name: h("input", { type: "text", autocomplete: "off", spellcheck: "false", placeholder: "after the game" }),
  };
  for (const [name, value] of Object.entries(given))
    if (controls[name] && value !== undefined && value !== null) controls[name].value = value;
  const wide = (name) => ["until", "iterations", "seconds", "name"].includes(name);
  const labels = {
    until: spot ? "Goal, % of the pot" : "Exploitability",
    iterations: "Iterations",
    seconds: "Seconds",
    algorithm: "Algorithm",
    sampling: "Sampling",
    threads: `Threads (this machine: ${known.cores})`,
    precision: "Numbers are stored in",
    form: "Form",
    alternating: "Players update",
    seed: "Seed",
    until_cce: "Distance from a CCE",
    nodes: "Nodes touched",
    max_memory_gb: "Memory, GB",
    name: "Name of the run",
  };
  const help = {
    until: spot ? "0.5 is usual" : "payoff per game; exact",
    sampling: "what an iteration visits",
    threads: "change no bit of the result",
    until_cce: "more players, or general-sum",
  };
  const fields = Object.fromEntries(
    Object.keys(controls).map((name) => [name, field(labels[name], controls[name], { name, help: help[name] })]),
  );
  for (const name of spot ? ["sampling", "form", "seed", "until_cce"] : []) fields[name].hidden = true;
  const rest = Object.keys(fields).filter((name) => !wide(name));
  const changed = rest.some((name) => controls[name].value);
  const element = h(
    "div",
    { class: "run-settings" },
    h("h3", {}, "Stop at the first of"),
    h("div", { class: "fields three" }, fields.until, fields.iterations, fields.seconds),
    h(
      "details",
      { open: changed },
      h("summary", {}, "Solver"),
      h(
        "div",
        { class: "fields" },
        rest.map((name) => fields[name]),
      ),
    ),
    fields.name,
  );
  const usual = () => {
    const limited = ["until", "seconds", "nodes", "until_cce"].some((name) => controls[name].value.trim());
    controls.iterations.placeholder = limited ? "no limit" : count(known.iterations);
  };
  usual();
  element.addEventListener("input", () => {
    usual();
    for (const one of Object.values(fields)) one.fail("");
    onChange();
  });

  element.values = () => {
    const values = {};
    for (const [name, control] of Object.entries(controls)) {
      const text = control.value.trim();
      if (!text || fields[name].hidden) continue;
      if (name === "alternating") values[name] = false;
      else if (name === "until" && spot) values[name] = `${text.replace("%", "").trim()}%`;
      else values[name] = text.replaceAll(/[\s,_](?=\d{3})/g, "");
    }
    return values;
  };
  element.fail = (error) => {
    const box = fields[error.field];
    if (!box) return false;
    box.closest("details")?.setAttribute("open", "");
    box.fail(error.message);
    return true;
  };
  return element;
}

const GB = (value) =>
  value < 0.001
    ? "under 1 MB"
    : value < 1
      ? `${Number((1000 * value).toPrecision(2))} MB`
      : `${Number(value.toPrecision(3))} GB`;

/** Return the times that a run takes, in words: to its limit of iterations, and of 100. */
function times(facts, values) {
  if (!facts.seconds) return [];
  const limit = Number(values.iterations);
  const rows = [["An iteration", `about ${duration(facts.seconds)}`]];
  if (limit > 0) rows.push([`${count(limit)} iterations`, `about ${duration(facts.seconds * limit)}`]);
  else rows.push(["100 iterations", `about ${duration(100 * facts.seconds)}`]);
  return rows;
}

/** Return a forecast in words: "1.2 to 4 s", about the same both ways as one. */
function span([least, most]) {
  const [from, to] = [least, most].map((seconds) => duration(Number(seconds.toPrecision(seconds < 60 ? 1 : 2))));
  return most < 1 ? "under a second" : from === to ? `about ${to}` : `${from} to ${to}`;
}

/**
 * Return an element with update(facts, values) and wait(): what a run takes, and the lines that would do the same; and
 * goal(forecast), about how long it takes to the goal: "…" while that is found out, null where it is not known.
 */
export function takesPanel() {
  const goal = h("dd", {});
  const goalRow = h("div", { class: "goal", hidden: true }, h("dt", {}, "To the goal"), goal);
  const body = h("div", { class: "takes", "aria-live": "polite" });
  body.goal = (forecast) => {
    goalRow.hidden = !forecast;
    if (!forecast) return;
    goal.textContent = forecast === "…" ? "…" : span(forecast.seconds);
    goal.title =
      forecast === "…"
        ? ""
        : `About ${forecast.iterations.map((number) => count(Number(number.toPrecision(2)))).join(" to ")} iterations, ${forecast.measured ? "by the first ones" : "as other spots of this kind took"}; without compiling.`;
  };
  body.wait = () => body.classList.add("waiting");
  body.update = (facts, values = {}) => {
    body.classList.remove("waiting");
    body.goal(null);
    if (!facts) return clear(body);
    const rows = [];
    const add = (name, value, note) => value !== undefined && value !== null && rows.push([name, value, note]);
    if (facts.hands) add("Hands", `${count(facts.hands[0])} OOP, ${count(facts.hands[1])} IP`);
    if (facts.nodes) add("Betting tree", `${count(facts.nodes)} nodes`);
    if (facts.infosets !== undefined) add("Infosets", count(facts.infosets));
    if (facts.histories && !facts.hands) add("Histories", count(facts.histories));
    if (facts.boards?.length > 1)
      add(
        "Boards",
        facts.boards.map(count).join(" · "),
        "from street to street, those that differ by suits alone once",
      );
    if (facts.players > 2) add("Players", count(facts.players));
    if (facts.form) add("Form", facts.form === "none" ? "not compiled" : facts.form);
    for (const row of times(facts, values)) rows.push(row);
    const fits = !(facts.gigabytes > facts.free);
    clear(
      body,
      h(
        "dl",
        { class: "facts" },
        rows.map(([name, value, note]) => [h("dt", {}, name), h("dd", { title: note ?? null }, value)]),
        goalRow,
      ),
      facts.gigabytes !== undefined &&
        h(
          "div",
          { class: "memory" },
          h(
            "div",
            { class: "toolbar" },
            h("span", {}, "Memory"),
            h("span", { class: "grow" }),
            h("b", {}, GB(facts.gigabytes)),
            h("span", { class: "note" }, `of ${GB(facts.free)} free`),
          ),
          h(
            "div",
            { class: "bar-of", role: "img", "aria-label": `${GB(facts.gigabytes)} of ${GB(facts.free)}` },
            h("span", {
              css: {
                "--share": Math.min(1, facts.gigabytes / facts.free),
                "--colour": fits ? "var(--accent)" : "var(--wrong)",
              },
            }),
          ),
          !fits &&
            h(
              "p",
              { class: "wrong" },
              `This machine has not enough memory free. Less is needed if you ${facts.smaller}.`,
            ),
        ),
      facts.warnings?.map((sentence) => h("p", { class: "warn help" }, sentence)),
      facts.command &&
        h(
          "details",
          { class: "lines" },
          h("summary", {}, "The same elsewhere"),
          line("Command", facts.command),
          line("Python", facts.python),
        ),
    );
  };
  return body;
}

function line(label, text) {
  const button = h(
    "button",
    {
      type: "button",
      class: "button small quiet",
      onclick: async () => {
        await navigator.clipboard?.writeText(text);
        button.textContent = "Copied";
      },
    },
    "Copy",
  );
  return h(
    "div",
    {},
    h("div", { class: "toolbar" }, h("span", { class: "note" }, label), h("span", { class: "grow" }), button),
    h("code", { class: "block" }, text),
  );
}
