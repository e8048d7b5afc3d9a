// A folder of hand histories: how far its grading is, every hand accounted for, what was lost where, and what is missing.
import { get } from "../base/api.js";
import { clear, h } from "../base/dom.js";
import { bytes, count } from "../base/format.js";
import { titleOf } from "../base/words.js";
import { failed } from "../parts/toast.js";
import { drill } from "../play/lost.js";
import { openTable } from "../play/new-table.js";
import { accountPanel } from "../poker/histories-account.js";
import { filesCard } from "../poker/histories-files.js";
import { missingPanel } from "../poker/histories-missing.js";
import { reportPanel } from "../poker/histories-report.js";
import { historiesStore, isWorking } from "../poker/histories-store.js";
import { trainAmong } from "./train.js";

/** @typedef {import("../poker/histories-store.js").HistoriesStore} HistoriesStore */

const MOST_TRAINED = 8; // runs, each of which gets a table

/** Return where the ranges of missing spots may come from: runs before the flop, runs of spots, and saved settings. */
async function findSources(signal) {
  const [{ runs }, { spots }] = await Promise.all([get("/runs", {}, { signal }), get("/presets", {}, { signal })]);
  const isPreflop = (run) => run.game?.startsWith("preflop");
  const fits = (run) => !run.error && (isPreflop(run) || run.spot);
  const inWords = (/** @type {any} */ run) => `${run.name}: ${titleOf(run)}`;
  return [
    ...runs.filter(fits).map((run) => ({ id: `run ${run.id}`, label: inWords(run), ranges: run.id })),
    ...spots.map((row) => ({ id: `saved ${row.name}`, label: `saved: ${row.name}`, ranges: row.settings })),
  ];
}

/**
 * Return the line that says how far the grading is, with what can be done about it.
 *
 * @param {HistoriesStore} store
 */
function statePanel(store) {
  const element = h("div", { class: "toolbar state", role: "status" });
  const button = (label, run) =>
    h("button", { type: "button", class: "button small", onclick: () => run().catch(failed) }, label);

  function show() {
    const { collection } = store.state;
    if (!collection) return;
    const { state, stage, message } = collection;
    if (isWorking(collection))
      return clear(
        element,
        h("progress", { "aria-label": "Grading" }),
        h("span", {}, state === "waiting" ? "Waits for other hands to be graded" : stage || "Starting"),
        button("Stop", store.stop),
      );
    const words = {
      failed: h("span", { class: "wrong" }, message),
      interrupted: "The server ended while these hands were graded.",
      stopped: "The grading was stopped.",
      new: "These hands were not graded yet.",
    };
    clear(
      element,
      words[state],
      button(state === "done" ? "Grade again" : "Grade", () => store.grade()),
    );
  }

  return { element, show };
}

export async function show(root, { params, query, navigate, signal }) {
  const { hands } = params;
  const store = historiesStore(hands, { signal });
  await store.read();
  const sources = await findSources(signal);
  const { collection } = store.state;
  document.title = `${collection?.name} · Equilibrist`;
  let shown = query;
  const here = `/hands/${encodeURIComponent(hands)}`;
  const go = (changed) => navigate(here, { ...Object.fromEntries(shown), ...changed });

  async function train() {
    const runs = store.runsToTrain().slice(0, MOST_TRAINED);
    const { run: _, ...filters } = store.state.filters;
    const open = (run) => openTable({ ...drill(run, { hands, ...filters }), answers: 1 });
    try {
      await trainAmong(await Promise.all(runs.map(open)), navigate);
    } catch (error) {
      failed(error);
    }
  }

  async function remove() {
    try {
      await store.remove();
      navigate("/hands");
    } catch (error) {
      failed(error);
    }
  }

  const panels = {
    state: statePanel(store),
    report: reportPanel(store, { hands, go, navigate, train }),
    account: accountPanel(store),
    missing: missingPanel(store, sources),
  };
  const facts = h("span", { class: "note grow" });
  const drop = filesCard({ title: "Add more", open: async () => hands, onSent: () => store.grade() });
  store.subscribe((what) => {
    const { collection: now } = store.state;
    if (now) facts.textContent = `${count(now.files)} files, ${bytes(now.bytes)}`;
    for (const panel of Object.values(panels)) panel.show();
    if (what === "graded") panels.report.show();
  });
  root.append(
    h(
      "nav",
      { class: "crumbs", "aria-label": "Breadcrumbs" },
      h("a", { href: "/hands" }, "Hands"),
      "/",
      h("span", { "aria-current": "page" }, collection?.name ?? hands),
    ),
    h(
      "div",
      { class: "toolbar" },
      h("h1", {}, collection?.name ?? hands),
      facts,
      h("button", { type: "button", class: "button small quiet", onclick: remove }, "Delete"),
    ),
    panels.state.element,
    h(
      "div",
      { class: "at-hands" },
      panels.report.element,
      h("aside", { class: "stack" }, panels.account.element, panels.missing.element, drop),
    ),
  );
  await store.read();
  store
    .follow()
    .then(() => store.choose(shown))
    .catch(failed);

  async function update({ query: next }) {
    shown = next;
    await store.choose(next);
  }

  return { update };
}
