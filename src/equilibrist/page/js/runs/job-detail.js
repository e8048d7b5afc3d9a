// One job in detail: its state in words, numbers, and its exploitability on log axes, which can be replayed.
import { clear, h } from "../base/dom.js";
import { ago, bytes, count, duration, gap, gapNameOf, measureName, moment, payoff } from "../base/format.js";
import { progressNow, timeLeft } from "../base/progress.js";
import { algorithmName } from "../parts/algorithm-name.js";
import { lineChart } from "../parts/chart.js";
import { replayButton } from "../parts/replay.js";
import { jobActions } from "./job-actions.js";
import { gapOfPoint, goalsOf } from "./job-list.js";

/** @import { JobPoint, JobSummary } from "../base/answers.js" */

const share = (value) => `${value.replace(/\s*%$/, "")} % of the pot`;
/** Return a criterion in words: 0.01, "0.5%" or "cce_distance(0.01)". */
function criterion(value, players) {
  const name = players > 2 ? `a ${gapNameOf(players)}` : `an ${gapNameOf(players)}`;
  if (typeof value === "number") return `${name} of ${gap(value)}`;
  if (value.endsWith("%")) return `${name} of ${share(value)}`;
  const [measure, threshold] = value.replace(")", "").split("(");
  return `a ${measureName(measure).toLowerCase()} of ${gap(Number(threshold))}`;
}
const LIMITS = {
  until: (value, job) =>
    job.answers_everywhere && typeof value === "number"
      ? `a largest error of ${gap(value)}`
      : [value]
          .flat()
          .map((one) => criterion(one, job.players))
          .join(", or "),
  iterations: (value) => `${count(value)} ${value === 1 ? "iteration" : "iterations"}`,
  seconds: (value) => duration(value),
  nodes: (value) => `${count(value)} nodes touched`,
};
const REACHED = {
  until: "Reached its goal",
  iterations: "Did all iterations",
  precision: "Stored digits tell no more",
  seconds: "Used its time",
  nodes: "Touched its nodes",
  "out of memory": "Out of memory",
  stop: "Stopped",
  interrupt: "Interrupted",
};
const KEPT = "What it had saved can be looked at, and resumed: the result is the same, bit for bit.";

/**
 * Return the state of a job in a sentence or two.
 *
 * @param {JobSummary} job
 */
function message(job) {
  const note = (text, kind = "note") => h("p", { class: kind, role: kind === "wrong" ? "alert" : null }, text);
  if (job.state === "failed") return note(job.error, "wrong");
  if (job.state === "interrupted")
    return note(
      `The server was closed while this was solved. ${job.saved ? KEPT : "Nothing had been saved yet."}`,
      "warn",
    );
  if (job.state === "starting") return note(`${job.stage || "Starting"} …`);
  if (job.state === "queued") return note("Waits until another run has ended.");
  if (job.state === "paused") return note("Paused. Its memory stays taken; stop it to free it, and resume it later.");
  if (job.state === "stopping") return note("Stops and saves …");
  if (job.state === "running" && job.stage) return note(`${job.stage} …`);
  const limits = Object.entries(job.limits).map(([name, value]) => (LIMITS[name] ?? String)(value, job));
  return note(
    [
      job.stop_reason && `${REACHED[job.stop_reason] ?? job.stop_reason}.`,
      limits.length && `Stops at ${limits.join(", or ")}.`,
    ]
      .filter(Boolean)
      .join(" "),
  );
}

/**
 * Return the numbers of a job, by now or at a checkpoint that is replayed.
 *
 * @param {JobSummary} job
 * @param {JobPoint[]} points
 * @param {number} passed
 * @param {JobPoint | null} at
 */
function numbers(job, points, passed, at = null) {
  const done = at ? { ...at, exact: true } : progressNow(job, points, passed);
  const last = at ?? job.last;
  const all = job.limits.iterations;
  const stat = (name, value, title = /** @type {string | null} */ (null)) =>
    value && h("div", { class: "stat" }, h("dt", {}, name), h("dd", { title }, value));
  const { done: ended, failed, total } = job.batch ?? {};
  return [
    stat("Runs", total && `${count(ended)} of ${count(total)} done${failed ? `, ${count(failed)} failed` : ""}`),
    stat(
      job.exploit
        ? "From the best answer"
        : job.answers_everywhere
          ? "Price of answering everywhere"
          : measureName(gapNameOf(job.players)),
      last && gapOfPoint(last),
      last ? `nash_conv ${last.measures.nash_conv}` : null,
    ),
    stat("Iterations", done && `${done.exact ? "" : "≈ "}${count(done.iteration)}${all ? ` of ${count(all)}` : ""}`),
    stat("Time", done && duration(done.seconds), "of solving, without compiling and saving"),
    stat("Left", timeLeft(job, passed)),
    stat(
      "Value",
      last && last.value.length > 0 && last.value.map((value) => payoff(value, 4)).join(" / "),
      "of each player, or EV of OOP and IP",
    ),
    stat("Memory", job.memory && bytes(job.memory)),
  ];
}

/** @param {JobSummary} job */
function heading(job) {
  const threads = Number(job.threads) > 1 ? `, ${job.threads} threads` : "";
  const locks = job.locks > 0 ? `, ${job.locks} ${job.locks === 1 ? "lock" : "locks"}` : "";
  return [
    h("h2", {}, job.title),
    h(
      "p",
      { class: "note" },
      job.batch ? "a batch" : algorithmName(job),
      `${threads}${locks} · `,
      h("span", { title: moment(job.created) }, ago(job.created)),
      ` · ${job.id}`,
    ),
  ];
}

/**
 * Return what the chart shows of some checkpoints of a job.
 *
 * @param {JobSummary} job
 * @param {JobPoint[]} points
 * @param {boolean} byIterations
 */
function series(job, points, byIterations) {
  const inPercent = points.some((point) => goalsOf(point).percent !== null);
  const { amount, percent } = inPercent && job.last ? goalsOf(job.last) : { amount: 1, percent: 1 };
  const scale = Number(percent) / Number(amount);
  const y = (point) => goalsOf(point)[inPercent ? "percent" : "amount"];
  return {
    series: [
      {
        name: job.title,
        points: points.map((point) => [byIterations ? point.iteration : point.seconds, y(point)]),
        colour: "var(--accent)",
      },
    ],
    x: {
      log: true,
      label: byIterations ? "iterations" : "seconds of solving",
      format: byIterations ? undefined : duration,
    },
    y: { log: true, label: inPercent ? "% of the pot" : "payoff per game", format: gap },
    mark: job.goal && job.goal > 0 ? { y: job.goal * scale, label: "goal" } : null,
  };
}

/**
 * Return the panel of a job, with update(job, points, passed), and tick(job, points, passed) for its numbers alone.
 *
 * @param {{byIterations: () => boolean, onAxis: (byIterations: boolean) => void, signal: AbortSignal}} options
 */
export function jobDetail({ byIterations, onAxis, signal }) {
  /** @type {JobSummary | null} */
  let job = null;
  /** @type {JobPoint[]} */
  let points = [];
  let drawn = "";
  const parts = ["heading", "toolbar", "message"].map((name) => h("div", { class: name }));
  const [top, tools, words] = parts;
  const stats = h("dl", { class: "stats" });
  const game = h("code", { class: "block" });
  const chart = lineChart({ height: 300, title: "How exact it is", legend: false });
  const replay = replayButton({
    steps: () => points.length,
    draw: drawStep,
    signal,
    label: "Watch the curve",
  });
  const axes = ["Iterations", "Seconds"].map((name, place) =>
    h("button", { type: "button", class: "button small", onclick: () => (onAxis(place === 0), drawChart()) }, name),
  );
  const axis = h("div", { class: "segmented", role: "group", "aria-label": "Horizontal axis" }, axes);
  const title = h("h3", { class: "grow" });
  const head = h("div", { class: "toolbar" }, title, replay, axis);
  const curve = h("div", {}, head, chart);
  const unknown = h("p", { class: "note", hidden: true }, "Its exploitability is unknown: the game is not compiled.");
  const panel = h(
    "div",
    { class: "card detail" },
    parts,
    stats,
    curve,
    unknown,
    h("details", {}, h("summary", {}, "Game"), game),
  );

  function drawChart(step = /** @type {number | null} */ (null)) {
    axes.forEach((button, place) => button.setAttribute("aria-pressed", String((place === 0) === byIterations())));
    if (!job) return;
    const whole = series(job, points, byIterations());
    const [line] = whole.series;
    const shown = { ...line, points: line.points.slice(0, step ?? line.points.length) };
    chart.update({ ...whole, series: [shown], frame: step === null ? null : line.points });
  }

  function drawStep(step) {
    drawChart(step);
    if (job) clear(stats, numbers(job, points, 0, step === null ? null : points[step - 1]));
  }

  panel.tick = (next, known, passed) => {
    [job, points] = [next, known];
    clear(stats, numbers(next, known, passed));
  };
  /** @type {(next: JobSummary, known: JobPoint[], passed: number) => void} */
  panel.update = (next, known, passed) => {
    if (job?.id !== next.id || next.state === "running") replay.stop();
    panel.tick(next, known, passed);
    clear(top, heading(next));
    const state = JSON.stringify([next.id, next.state, next.saved, Boolean(next.last)]);
    if (state !== drawn) clear(tools, jobActions(next)); // not under a finger that is about to press
    drawn = state;
    clear(
      words,
      message(next),
      next.warnings.map((sentence) => h("p", { class: "warn help" }, sentence)),
    );
    game.textContent = next.game;
    title.textContent = measureName(gapNameOf(next.players));
    const drawable = known.filter((point) => "exploitability" in point.measures).length;
    replay.hidden = drawable < 3 || next.state === "running";
    curve.hidden = Boolean(next.batch) || (known.length > 0 && !drawable);
    unknown.hidden = !curve.hidden || Boolean(next.batch);
    drawChart();
  };
  return panel;
}
