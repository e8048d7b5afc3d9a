// Solving: what waits and what is at work, live; one job in detail, with its exploitability on log axes.
import { href, runPath } from "../app.js";
import { del, events, get, patch, post } from "../api.js";
import { clear, field, h } from "../dom.js";
import { ago, bytes, count, duration, gap, moment, payoff } from "../format.js";
import { lineChart } from "../widgets/chart.js";
import { dialog } from "../widgets/dialog.js";
import { failed } from "../widgets/toast.js";

const WORDS = {
  queued: "waits",
  starting: "starts",
  running: "solving",
  paused: "paused",
  stopping: "stops",
  done: "done",
  stopped: "stopped",
  failed: "failed",
  interrupted: "interrupted",
};
const LIMITS = {
  until: (value) =>
    `an exploitability of ${String(value).endsWith("%") ? `${String(value).replace("%", " %")} of the pot` : gap(value)}`,
  until_cce: (value) => `${gap(value)} from a coarse correlated equilibrium`,
  iterations: (value) => `${count(value)} iterations`,
  seconds: (value) => duration(value),
  nodes: (value) => `${count(value)} nodes touched`,
};
const LIVE = ["starting", "running", "stopping"];
const MET = {
  until: "reached its goal",
  until_cce: "reached its goal",
  iterations: "did all iterations",
  seconds: "used its time",
  nodes: "touched its nodes",
  "out of memory": "out of memory",
  stop: "stopped",
  interrupt: "interrupted",
};

export async function show(root, { query, signal }) {
  document.title = "Solving · Equilibrist";
  let jobs = [];
  let workers = 1;
  let chosen = query.get("job");
  let byIterations = query.get("x") !== "time";
  const points = new Map(); // id → checkpoints
  const heard = new Map(); // id → when the last one came, ms
  const cards = new Map(); // id → element of the list

  const list = h("div", { class: "list", role: "list", "aria-label": "Jobs" });
  const detail = h("div", { class: "card detail" });
  const slots = h(
    "select",
    {
      "aria-label": "Runs side by side",
      onchange: async () => {
        try {
          await patch("/jobs", { workers: Number(slots.value) });
        } catch (error) {
          failed(error);
        }
      },
    },
    [1, 2, 3, 4, 6, 8, 12, 16].map((number) => h("option", { value: number }, String(number))),
  );
  const status = h("span", { class: "note", role: "status" });
  const body = h("div", { class: "columns" }, list, detail);
  const none = h(
    "div",
    { class: "card notice", hidden: true },
    h("h2", {}, "Nothing is being solved"),
    h("p", {}, "What you start is shown here while it is solved, and stays when this page, or the server, is closed."),
    h(
      "div",
      { class: "toolbar" },
      h("a", { class: "button primary", href: "/new" }, "New run"),
      h("a", { class: "button", href: "/new/spot" }, "New hold'em spot"),
    ),
  );
  root.append(
    h(
      "div",
      { class: "toolbar" },
      h("h1", {}, "Solving"),
      status,
      h("span", { class: "grow" }),
      h("label", { class: "toolbar note" }, "Side by side ", slots),
    ),
    none,
    body,
  );

  const act = (run) => async (event) => {
    const button = event.currentTarget;
    button.disabled = true;
    try {
      await run();
    } catch (error) {
      failed(error);
    } finally {
      button.disabled = false;
    }
  };
  const at = (job, ...rest) => ["/jobs", encodeURIComponent(job.id), ...rest].join("/");

  function actions(job) {
    const button = (text, run, kind = "", title = null) =>
      h("button", { type: "button", class: `button ${kind}`, title, onclick: act(run) }, text);
    const parts = [];
    const study =
      job.saved &&
      h(
        "a",
        {
          class: `button ${LIVE.includes(job.state) ? "" : "primary"}`,
          href: runPath(job.id, ...(job.spot ? ["spot"] : [])),
          title: LIVE.includes(job.state) ? "What was saved last; it is saved again and again" : null,
        },
        "Study",
      );
    if (job.state === "running")
      parts.push(button("Pause", () => post(at(job, "pause")), "", "Its memory stays taken"));
    if (job.state === "paused") parts.push(button("Go on", () => post(at(job, "resume")), "primary"));
    if (["running", "paused", "starting"].includes(job.state))
      parts.push(button(job.points || job.last ? "Stop and keep" : "Cancel", () => post(at(job, "stop"))));
    if (["interrupted", "stopped", "failed"].includes(job.state))
      parts.push(button(job.saved ? "Resume" : "Start again", () => post(at(job, "resume")), "primary"));
    if (["done", "stopped"].includes(job.state)) parts.push(button("Solve further …", () => further(job)));
    if (job.state === "queued") parts.push(button("First in line", () => patch(at(job), { position: 0 }), "quiet"));
    if (!LIVE.includes(job.state) && job.state !== "paused")
      parts.push(button("Take off the list", () => del(at(job)), "quiet"));
    return [study, parts];
  }

  async function further(job) {
    const inputs = {
      until: h("input", { type: "text", inputmode: "decimal", autocomplete: "off" }),
      iterations: h("input", { type: "text", inputmode: "numeric", autocomplete: "off" }),
      seconds: h("input", { type: "text", inputmode: "decimal", autocomplete: "off" }),
    };
    const labels = {
      until: job.spot ? "Exploitability, % of the pot" : "Exploitability",
      iterations: `Iterations in all (${count(job.last?.iteration)} are done)`,
      seconds: "Seconds more",
    };
    await dialog({
      title: `Solve ${job.title} further`,
      action: "Resume",
      body: [
        h("p", { class: "note" }, "Stop at the first of:"),
        ...Object.keys(inputs).map((name) => field(labels[name], inputs[name], { name })),
      ],
      run: () => {
        const limits = Object.fromEntries(
          Object.entries(inputs)
            .map(([name, input]) => [name, input.value.trim()])
            .filter(([, value]) => value),
        );
        if (job.spot && limits.until) limits.until = `${limits.until.replace("%", "")}%`;
        return post(at(job, "resume"), limits);
      },
    });
  }

  /** The iterations that are done by now, by the rate of the last checkpoints. */
  function now(job) {
    const known = points.get(job.id) ?? [];
    const last = known.at(-1) ?? job.last;
    if (!last) return null;
    const before = known.at(-2);
    if (job.state !== "running" || !before) return { iteration: last.iteration, seconds: last.seconds, exact: true };
    const rate = (last.iteration - before.iteration) / Math.max(last.seconds - before.seconds, 1e-9);
    const passed = (performance.now() - (heard.get(job.id) ?? performance.now())) / 1000;
    const grid = Math.ceil(last.iteration * Math.SQRT2); // where the next checkpoint is
    const limit = Math.min(grid, job.limits.iterations ?? Infinity);
    return {
      iteration: Math.min(limit, Math.floor(last.iteration + rate * passed)),
      seconds: last.seconds + passed,
      exact: false,
    };
  }

  /** How far a job is, 0 to 1, by its nearest limit; null where that is not known. */
  function share(job) {
    if (job.state === "done") return 1;
    const done = now(job);
    if (!done) return null;
    const shares = [];
    const { iterations, seconds } = job.limits;
    if (iterations) shares.push(done.iteration / iterations);
    if (seconds) shares.push(done.seconds / seconds);
    const first = points.get(job.id)?.[0]?.exploitability;
    if (job.goal > 0 && first > 0 && job.last?.exploitability > 0)
      shares.push(Math.log(first / job.last.exploitability) / Math.log(first / job.goal));
    return shares.length ? Math.min(1, Math.max(0, ...shares)) : null;
  }

  const gapOfPoint = (point) =>
    point?.exploitability_percent != null ? `${gap(point.exploitability_percent)} % pot` : gap(point?.exploitability);
  const left = (job) =>
    job.seconds_left == null || job.state !== "running"
      ? ""
      : `about ${duration(Math.max(0, job.seconds_left - (performance.now() - (heard.get(job.id) ?? performance.now())) / 1000))} left`;

  function drawCard(job) {
    const done = now(job);
    const card = cards.get(job.id) ?? h("a", { class: "job", role: "listitem" });
    cards.set(job.id, card);
    card.href = href("/jobs", { job: job.id });
    card.setAttribute("aria-current", String(job.id === chosen));
    const part = share(job);
    clear(
      card,
      h(
        "div",
        { class: "toolbar" },
        h("b", { class: "title" }, job.title),
        h("span", { class: "grow" }),
        h(
          "span",
          { class: `tag ${LIVE.includes(job.state) ? "live" : ""} ${job.state === "failed" ? "wrong" : ""}` },
          WORDS[job.state],
        ),
      ),
      h(
        "div",
        { class: "toolbar note" },
        jobs.filter(({ title }) => title === job.title).length > 1 && h("span", { class: "id" }, job.id),
        h("span", {}, job.algorithm),
        done && h("span", {}, `${count(done.iteration)} iterations`),
        h("span", { class: "grow" }),
        h("b", { class: "gap" }, job.last ? gapOfPoint(job.last) : ""),
      ),
      LIVE.includes(job.state) &&
        h("progress", {
          max: "1",
          "aria-label": `Progress of ${job.title}`,
          ...(part === null ? {} : { value: part }),
        }),
    );
    return card;
  }

  function drawList() {
    slots.value = workers;
    if (!slots.value) slots.append(h("option", { value: workers, selected: true }, String(workers)));
    const order = (job) => (LIVE.includes(job.state) ? 0 : job.state === "paused" ? 1 : job.state === "queued" ? 2 : 3);
    const sorted = jobs
      .map((job, place) => [order(job), order(job) === 3 ? -place : place, job])
      .sort((a, b) => a[0] - b[0] || a[1] - b[1])
      .map(([, , job]) => job);
    if (!jobs.some(({ id }) => id === chosen)) chosen = sorted[0]?.id ?? null;
    clear(list, sorted.map(drawCard));
    none.hidden = jobs.length > 0;
    body.hidden = jobs.length === 0;
    const [live, waiting] = [
      jobs.filter((job) => LIVE.includes(job.state)).length,
      jobs.filter((job) => job.state === "queued").length,
    ];
    status.textContent = jobs.length ? `${live} at work, ${waiting} waiting` : "";
    drawDetail();
  }

  const chart = lineChart({
    x: { log: true, label: "iterations" },
    y: { log: true, label: "exploitability" },
    height: 300,
    title: "Exploitability",
    legend: false,
  });
  const axis = h(
    "div",
    { class: "segmented", role: "group", "aria-label": "Horizontal axis" },
    ["iterations", "time"].map((name) =>
      h(
        "button",
        {
          type: "button",
          class: "button small",
          dataset: { name },
          onclick: () => {
            byIterations = name === "iterations";
            history.replaceState(null, "", href("/jobs", { job: chosen, x: byIterations ? "" : "time" }));
            drawChart();
          },
        },
        name === "iterations" ? "Iterations" : "Seconds",
      ),
    ),
  );
  const heading = h("div", { class: "heading" });
  const tools = h("div", { class: "toolbar" });
  const message = h("div", {});
  const stats = h("dl", { class: "stats" });
  const rest = h("div", {});
  detail.append(
    heading,
    tools,
    message,
    stats,
    h("div", { class: "toolbar" }, h("h3", { class: "grow" }, "Exploitability"), axis),
    chart,
    rest,
  );
  let toolsOf = "";

  function drawChart() {
    const job = jobs.find(({ id }) => id === chosen);
    if (!job) return;
    const known = points.get(job.id) ?? [];
    const percent = known.some((point) => point.exploitability_percent != null);
    const y = (point) => (percent ? point.exploitability_percent : point.exploitability);
    const scale = percent && job.last ? job.last.exploitability_percent / job.last.exploitability : 1;
    for (const button of axis.children)
      button.setAttribute("aria-pressed", String((button.dataset.name === "iterations") === byIterations));
    chart.update({
      series: [
        {
          name: job.title,
          points: known.map((point) => [byIterations ? point.iteration : point.seconds, y(point)]),
          colour: "var(--accent)",
        },
      ],
      x: {
        log: true,
        label: byIterations ? "iterations" : "seconds of iterating",
        format: byIterations ? undefined : duration,
      },
      y: { log: true, label: percent ? "% of the pot" : "payoff per game", format: gap },
      mark: job.goal > 0 ? { y: job.goal * scale, label: "goal" } : null,
    });
  }

  function drawDetail({ live = false } = {}) {
    const job = jobs.find(({ id }) => id === chosen);
    if (!job) return;
    const done = now(job);
    const stat = (name, value, title) =>
      value && h("div", { class: "stat" }, h("dt", {}, name), h("dd", { title: title ?? null }, value));
    clear(
      stats,
      stat("Exploitability", job.last && gapOfPoint(job.last), job.last ? `nash_conv ${job.last.nash_conv}` : null),
      stat(
        "Iterations",
        done &&
          `${done.exact ? "" : "≈ "}${count(done.iteration)}${job.limits.iterations ? ` of ${count(job.limits.iterations)}` : ""}`,
      ),
      stat("Time", done && duration(done.seconds)),
      stat("Left", left(job).replace(" left", "")),
      stat(
        "Value",
        job.last?.value?.length && job.last.value.map((value) => payoff(value, 4)).join(" / "),
        "of each player, or EV of OOP and IP",
      ),
      stat("Memory", job.memory && bytes(job.memory)),
    );
    if (live) return;
    clear(
      heading,
      h("h2", {}, job.title),
      h(
        "p",
        { class: "note" },
        `${job.algorithm}${job.sampling === "full" ? "" : `, ${job.sampling}`}${job.threads > 1 ? `, ${job.threads} threads` : ""} · `,
        h("span", { title: moment(job.created) }, ago(job.created)),
        ` · ${job.id}`,
      ),
    );
    const same = JSON.stringify([job.id, job.state, job.saved, Boolean(job.last)]);
    if (same !== toolsOf) clear(tools, actions(job)); // not under a finger that is about to press
    toolsOf = same;
    const words = {
      failed: h("p", { class: "wrong", role: "alert" }, job.error),
      interrupted: h(
        "p",
        { class: "warn" },
        `The server was closed while this was solved. ${job.saved ? "What it had saved can be looked at, and resumed: the result is the same, bit for bit." : "Nothing had been saved yet."}`,
      ),
      starting: h("p", { class: "note" }, `${job.stage || "Starting"} …`),
      queued: h("p", { class: "note" }, "Waits until another run has ended."),
      paused: h("p", { class: "note" }, "Paused. Its memory stays taken; stop it to free it, and resume it later."),
      stopping: h("p", { class: "note" }, "Stops and saves …"),
      running: job.stage && h("p", { class: "note" }, `${job.stage} …`),
    };
    const limits = Object.entries(job.limits)
      .map(([name, value]) => (LIMITS[name] ?? String)(value))
      .join(", or ");
    clear(
      message,
      words[job.state] ||
        h(
          "p",
          { class: "note" },
          `${job.stopped ? `${(MET[job.stopped] ?? job.stopped).replace(/^./, (start) => start.toUpperCase())}. ` : ""}Stops at ${limits || "1,000 iterations"}.`,
        ),
      job.warnings.map((sentence) => h("p", { class: "warn help" }, sentence)),
    );
    clear(rest, h("details", {}, h("summary", {}, "Game"), h("code", { class: "block" }, job.game)));
    drawChart();
  }

  async function load(id) {
    if (!id || points.has(id)) return;
    points.set(id, []);
    try {
      const told = await get(`/jobs/${encodeURIComponent(id)}`, {}, { signal });
      const later = points.get(id).filter((point) => point.iteration > (told.points.at(-1)?.iteration ?? 0));
      points.set(id, [...told.points, ...later]);
      if (id === chosen) drawDetail();
    } catch (error) {
      if (error.status !== 404) failed(error);
    }
  }

  function take(told) {
    jobs = told.jobs;
    workers = told.workers;
    points.clear();
    drawList();
    load(chosen);
  }

  events(
    (event) => {
      if (event.type === "jobs") take(event);
      else if (event.type === "gone") {
        jobs = jobs.filter(({ id }) => id !== event.job);
        drawList();
        load(chosen);
      } else if (event.type === "job") {
        const place = jobs.findIndex(({ id }) => id === event.job.id);
        const before = jobs[place];
        if (place < 0) jobs.push(event.job);
        else jobs[place] = event.job;
        if (event.job.state === "running" && before?.state !== "running") points.delete(event.job.id); // what it goes on from may be less
        if (before?.state !== event.job.state) drawList();
        else {
          drawCard(event.job);
          if (event.job.id === chosen) drawDetail();
        }
        load(chosen);
      } else if (event.type === "checkpoint") {
        heard.set(event.job, performance.now());
        const known = points.get(event.job);
        if (known && event.point.iteration > (known.at(-1)?.iteration ?? 0)) known.push(event.point);
      }
    },
    { signal },
  );
  take(await get("/jobs", {}, { signal })); // the connection may be an older one

  const timer = setInterval(() => {
    for (const job of jobs) if (job.state === "running") drawCard(job);
    if (jobs.find(({ id }) => id === chosen)?.state === "running") drawDetail({ live: true });
  }, 500);
  signal.addEventListener("abort", () => clearInterval(timer));

  return {
    update: ({ query: next }) => {
      chosen = next.get("job") ?? chosen;
      byIterations = next.get("x") !== "time";
      drawList();
      load(chosen);
    },
  };
}
