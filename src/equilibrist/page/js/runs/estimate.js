// What a run takes: size, memory, time, told before it starts; and the lines that would do the same.
import { clear, h } from "../base/dom.js";
import { count, duration } from "../base/format.js";
import { timeSpan } from "../base/progress.js";
import { FINDING } from "./estimate-store.js";

/** @import { GameEstimate, SpotEstimate } from "../base/answers.js" */
/** @typedef {Partial<SpotEstimate> & Partial<GameEstimate>} Facts what an estimate says */

const GB = (value) =>
  value < 0.001
    ? "under 1 MB"
    : value < 1
      ? `${Number((1000 * value).toPrecision(2))} MB`
      : `${Number(value.toPrecision(3))} GB`;

/**
 * Return the times that a run takes, in words: to its limit of iterations, and of 100.
 *
 * @param {Facts} facts
 */
function times(facts, values) {
  if (!facts.seconds) return [];
  const limit = Number(values.iterations);
  const rows = [["An iteration", `about ${duration(facts.seconds)}`]];
  if (limit > 0) rows.push([`${count(limit)} iterations`, `about ${duration(facts.seconds * limit)}`]);
  else rows.push(["100 iterations", `about ${duration(100 * facts.seconds)}`]);
  return rows;
}

/**
 * Return what a run takes as [name, value, note].
 *
 * @param {Facts} facts
 */
function rowsOf(facts, values) {
  const rows = [];
  const add = (name, value, note) => value !== undefined && value !== null && rows.push([name, value, note]);
  if (facts.hands) add("Hands", `${count(facts.hands[0])} OOP, ${count(facts.hands[1])} IP`);
  if (facts.nodes) add("Betting tree", `${count(facts.nodes)} nodes`);
  if (facts.infosets !== undefined) add("Infosets", count(facts.infosets));
  if (facts.histories && !facts.hands) add("Histories", count(facts.histories));
  if (facts.boards && facts.boards.length > 1)
    add("Boards", facts.boards.map(count).join(" · "), "from street to street, those that differ by suits alone once");
  if (facts.players && facts.players > 2) add("Players", count(facts.players));
  if (facts.form) add("Form", facts.form === "none" ? "not compiled" : facts.form);
  return [...rows, ...times(facts, values)];
}

/**
 * Return the memory that a run takes beside what is free.
 *
 * @param {{gigabytes: number, free: number, smaller?: string}} facts
 */
export function memory(facts) {
  const fits = !(facts.gigabytes > facts.free);
  return h(
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
      h("p", { class: "wrong" }, `This machine has not enough memory free. Less is needed if you ${facts.smaller}.`),
  );
}

/**
 * Return an element with update(facts, values) and wait(whether the server is asked): what a run takes, and the lines that
 * would do the same; and goal(forecast), about how long it takes to the goal: FINDING, or null where it is not known.
 */
export function estimatePanel() {
  const goal = h("dd", {});
  const goalRow = h("div", { class: "goal", hidden: true }, h("dt", {}, "To the goal"), goal);
  const body = h("div", { class: "takes", "aria-live": "polite" });
  body.goal = (forecast) => {
    goalRow.hidden = !forecast;
    if (!forecast) return;
    const known = forecast !== FINDING;
    goal.textContent = known ? timeSpan(forecast.seconds) : forecast;
    const iterations = known && forecast.iterations.map((number) => count(Number(number.toPrecision(2)))).join(" to ");
    const source = forecast.measured ? "by the first ones" : "as other spots of this kind took";
    goal.title = known ? `About ${iterations} iterations, ${source}; without compiling.` : "";
  };
  body.wait = (isWaiting) => body.classList.toggle("waiting", isWaiting);
  body.update = (facts, values = {}) => {
    if (!facts) return clear(body);
    return clear(
      body,
      h(
        "dl",
        { class: "facts" },
        rowsOf(facts, values).map(([name, value, note]) => [
          h("dt", {}, name),
          h("dd", { title: note ?? null }, value),
        ]),
        goalRow,
      ),
      facts.gigabytes !== undefined && memory(facts),
      facts.warnings?.map((sentence) => h("p", { class: "warn help" }, sentence)),
      facts.command &&
        h(
          "details",
          { class: "lines" },
          h("summary", {}, "The same elsewhere"),
          lineOfCode("Command", facts.command),
          lineOfCode("Python", facts.python),
        ),
    );
  };
  return body;
}

/** Return a line of a command or of Python with a button that copies it. */
export function lineOfCode(label, text) {
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
