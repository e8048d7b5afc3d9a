// Solving: what waits and what is at work, live; one job in detail.
import { href } from "../base/address.js";
import { events, get, patch } from "../base/api.js";
import { h } from "../base/dom.js";
import { failed } from "../parts/toast.js";
import { jobDetail } from "../runs/job-detail.js";
import { LIVE, jobList, sorted } from "../runs/job-list.js";

/** The jobs as the server tells them, with their checkpoints. */
class Jobs {
  constructor() {
    this.all = [];
    this.workers = 1;
    this.checkpoints = new Map(); // id → checkpoints, where they were asked for
    this.heard = new Map(); // id → when the last one came, ms
  }

  get = (id) => this.all.find((job) => job.id === id);
  points = (id) => this.checkpoints.get(id) ?? [];

  /** Return the seconds since a checkpoint came. */
  passed = (id) => (performance.now() - (this.heard.get(id) ?? performance.now())) / 1000;

  /** Take in all jobs. */
  replace({ jobs, workers }) {
    this.all = jobs;
    this.workers = workers;
    this.checkpoints.clear();
  }

  /** Take in one job; return whether its state has changed. */
  put(job) {
    const place = this.all.findIndex(({ id }) => id === job.id);
    const before = this.all[place];
    if (place < 0) this.all.push(job);
    else this.all[place] = job;
    if (job.state === "running" && before?.state !== "running") this.checkpoints.delete(job.id); // it may go on from less
    return before?.state !== job.state;
  }

  remove(id) {
    this.all = this.all.filter((job) => job.id !== id);
  }

  /** Take in a checkpoint. */
  add(id, point) {
    this.heard.set(id, performance.now());
    const known = this.checkpoints.get(id);
    if (known && point.iteration > (known.at(-1)?.iteration ?? 0)) known.push(point);
  }

  /** Ask for the checkpoints of a job, where they are not known; return whether there are new ones. */
  async load(id, signal) {
    if (!id || this.checkpoints.has(id)) return false;
    this.checkpoints.set(id, []);
    const { points } = await get("/jobs/{job}", { job: id }, { signal });
    const newer = this.points(id).filter((point) => point.iteration > (points.at(-1)?.iteration ?? 0));
    this.checkpoints.set(id, [...points, ...newer]);
    return true;
  }
}

function emptyNotice() {
  return h(
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
}

/** Return the choice of how many runs are solved at a time. */
function sideBySide() {
  const change = () => patch("/jobs", { workers: Number(slots.value) }).catch(failed);
  const slots = h(
    "select",
    { "aria-label": "Runs at a time", onchange: change },
    [1, 2, 3, 4, 6, 8, 12, 16].map((number) => h("option", { value: number }, String(number))),
  );
  slots.show = (workers) => {
    slots.value = workers;
    if (!slots.value) slots.append(h("option", { value: workers, selected: true }, String(workers)));
  };
  return slots;
}

export async function show(root, { query, signal }) {
  document.title = "Solving · Equilibrist";
  const jobs = new Jobs();
  let chosen = query.get("job");
  let byIterations = query.get("x") !== "time";
  const list = jobList(jobs.points, jobs.passed);
  const detail = jobDetail({ byIterations: () => byIterations, onAxis, signal });
  const slots = sideBySide();
  const status = h("span", { class: "note", role: "status" });
  const lost = h(
    "p",
    { class: "card notice wrong", role: "alert", hidden: true },
    "The server does not answer: what stands here is its last word. It is shown anew as soon as the server runs again.",
  );
  const none = emptyNotice();
  const body = h("div", { class: "columns" }, list, detail);
  root.append(
    h(
      "div",
      { class: "toolbar" },
      h("h1", {}, "Solving"),
      status,
      h("span", { class: "grow" }),
      h("label", { class: "toolbar note" }, "At a time ", slots),
    ),
    lost,
    none,
    body,
  );

  function onAxis(next) {
    byIterations = next;
    history.replaceState(null, "", href("/jobs", { job: chosen, x: byIterations ? "" : "time" }));
  }

  function drawDetail(part = "update") {
    const job = jobs.get(chosen);
    if (job) detail[part](job, jobs.points(job.id), jobs.passed(job.id));
  }

  function draw() {
    slots.show(jobs.workers);
    if (!jobs.get(chosen)) chosen = sorted(jobs.all)[0]?.id ?? null;
    list.update(jobs.all, chosen);
    none.hidden = jobs.all.length > 0;
    body.hidden = jobs.all.length === 0;
    const number = (fits) => jobs.all.filter(fits).length;
    const [live, waiting] = [number(({ state }) => LIVE.includes(state)), number(({ state }) => state === "queued")];
    status.textContent = jobs.all.length ? `${live} at work, ${waiting} waiting` : "";
    drawDetail();
    load();
  }

  async function load() {
    const id = chosen;
    try {
      if ((await jobs.load(id, signal)) && id === chosen) drawDetail();
    } catch (error) {
      if (error.status !== 404) failed(error);
    }
  }

  function hear(event) {
    if (event.type === "connected" || event.type === "disconnected") {
      lost.hidden = event.type === "connected";
      return undefined;
    }
    if (event.type === "jobs") jobs.replace(event);
    else if (event.type === "gone") jobs.remove(event.job);
    else if (event.type === "checkpoint") return jobs.add(event.job, event.point);
    else if (event.type !== "job") return undefined;
    else if (!jobs.put(event.job)) {
      list.tick(event.job);
      if (event.job.id === chosen) drawDetail();
      return load();
    }
    return draw();
  }
  events(hear, { signal });
  jobs.replace(await get("/jobs", {}, { signal })); // the connection may be an older one
  draw();

  const timer = setInterval(() => {
    if (!lost.hidden) return; // nobody knows how far they are
    for (const job of jobs.all) if (job.state === "running") list.tick(job);
    if (jobs.get(chosen)?.state === "running") drawDetail("tick");
  }, 500);
  signal.addEventListener("abort", () => clearInterval(timer));

  return {
    update: ({ query: next }) => {
      chosen = next.get("job") ?? chosen;
      byIterations = next.get("x") !== "time";
      draw();
    },
  };
}
