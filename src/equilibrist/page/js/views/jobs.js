// Solving: what waits and what is at work, live; one job in detail.
import { events, get, patch } from "../base/api.js";
import { h } from "../base/dom.js";
import { failed } from "../parts/toast.js";
import { jobDetail } from "../runs/job-detail.js";
import { jobList } from "../runs/job-list.js";
import { jobStore } from "../runs/job-store.js";

const TICK = 500; // ms

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

/** Return the notice that stands there while the server does not answer. */
const lostNotice = () =>
  h(
    "p",
    { class: "card notice wrong", role: "alert", hidden: true },
    "The server does not answer: what stands here is its last word. It is shown anew as soon as the server runs again.",
  );

/** Call a function twice a second, until the view is left. */
function often(run, signal) {
  const timer = setInterval(run, TICK);
  signal.addEventListener("abort", () => clearInterval(timer));
}

export async function show(root, { query, signal }) {
  document.title = "Solving · Equilibrist";
  const store = jobStore({ readPoints: (job) => get("/jobs/{job}", { job }, { signal }), query });
  const { state } = store;
  const list = jobList(store.points, store.passed);
  const detail = jobDetail({ byIterations: () => state.byIterations, onAxis, signal });
  const slots = sideBySide();
  const status = h("span", { class: "note", role: "status" });
  const lost = lostNotice();
  const none = emptyNotice();
  const body = h("div", { class: "columns" }, list, detail);
  const number = h("label", { class: "toolbar note" }, "At a time ", slots);
  root.append(
    h("div", { class: "toolbar" }, h("h1", {}, "Solving"), status, h("span", { class: "grow" }), number),
    lost,
    none,
    body,
  );

  function onAxis(byIterations) {
    store.showAxis(byIterations);
    history.replaceState(null, "", store.address());
  }

  function drawDetail(part = "update") {
    const job = store.current();
    if (job) detail[part](job, store.points(job.id), store.passed(job.id));
  }

  function draw() {
    slots.show(state.workers);
    drawDetail();
    list.update(state.all, state.chosen);
    none.hidden = state.all.length > 0;
    body.hidden = !none.hidden;
    status.textContent = store.inWords();
    loadPoints();
  }

  /** Draw the curve of the job that is looked at, once its checkpoints are known. */
  async function loadPoints() {
    const id = state.chosen;
    try {
      if ((await store.loadPoints(id)) && id === state.chosen) drawDetail();
    } catch (error) {
      if (error.status !== 404) failed(error);
    }
  }

  function hear(event) {
    const part = store.hear(event);
    if (part === "all") draw();
    else if (part === "lost") lost.hidden = !state.isLost;
    else if (part === "job") {
      list.tick(event.job);
      if (event.job.id === state.chosen) drawDetail();
      loadPoints();
    }
  }

  /** Let time pass for the jobs that run; nobody knows how far they are where the server does not answer. */
  function tick() {
    if (state.isLost) return;
    for (const job of state.all) if (job.state === "running") list.tick(job);
    if (store.current()?.state === "running") drawDetail("tick");
  }

  events(hear, { signal });
  await store.load(get("/jobs", {}, { signal })); // the connection may be an older one
  draw();
  often(tick, signal);
  return {
    update: ({ query: next }) => {
      store.open(next);
      draw();
    },
  };
}
