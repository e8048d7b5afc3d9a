// A solved game: its infosets, its histories, and what an iteration did.
import { href, runPath } from "../base/address.js";
import { get } from "../base/api.js";
import { clear, h } from "../base/dom.js";
import { count } from "../base/format.js";
import { titleOf } from "../base/words.js";
import { classGrid } from "../infosets/class-grid.js";
import { explanation } from "../infosets/explanation.js";
import { infosetList } from "../infosets/infosets.js";
import { inspectStore } from "../infosets/inspect-store.js";
import { historyTree } from "../infosets/tree.js";
import { algorithmName } from "../parts/algorithm-name.js";
import { MEANINGS } from "../parts/explain.js";
import { shortcuts } from "../parts/keys.js";
import { gainStat, quality, stat, valueStat } from "../parts/stats.js";
import { flopButton } from "../poker/flops.js";
import { exploitPanel } from "../runs/exploit-panel.js";

/** @import { Overview } from "../base/answers.js" */
/** @typedef {import("../infosets/inspect-store.js").InspectStore} InspectStore */

/**
 * Return what is known of a run, and what leads from it.
 *
 * @param {Overview} about
 * @param {{run: string, navigate: any, tabs: HTMLElement, showKeys: () => void}} options
 */
function headPanel(about, { run, navigate, tabs, showKeys }) {
  const link = (view, text) => h("a", { class: "button small", href: `/${view}/${encodeURIComponent(run)}` }, text);
  const stats = [
    about.value.length > 0 && valueStat(about),
    about.deviation_gains.length > 2 && gainStat(about),
    stat("Infosets", count(about.infosets), MEANINGS.Infoset),
    stat(algorithmName(about), `${count(about.iterations)} iterations`),
  ];
  const keys = { class: "button small quiet", type: "button", "aria-label": "Keys", onclick: showKeys };
  return h(
    "header",
    { class: "inspect-head" },
    h("h1", { title: about.game }, titleOf(about)),
    h("dl", { class: "stats" }, stats),
    h("span", { class: "grow" }),
    quality(about),
    tabs,
    about.flops && flopButton({ run, navigate }),
    about.recorded && link("watch", "Watch"),
    link("play", "Play"),
    link("train", "Train"),
    link("export", "Export"),
    h("button", keys, "?"),
  );
}

/**
 * Return the links to the tabs.
 *
 * @param {InspectStore} store
 * @param {(changes: any) => string} to the address with other fields
 */
function tabsPanel(store, to) {
  const element = h("div", { class: "segmented", role: "tablist", "aria-label": "What is shown" });
  const link = ([tab, text]) => {
    const attributes = { role: "tab", "aria-selected": String(tab === store.tab()) };
    return h("a", { class: "button small", ...attributes, href: to(store.changesTo(tab)) }, text);
  };
  const show = () => clear(element, Object.entries(store.tabs).map(link));
  return { element, show };
}

/**
 * Return what the keys do; `press` gives one to what is shown.
 *
 * @param {InspectStore} store
 * @param {{go: (changes: any) => any, press: (name: string) => any, search: () => void}} options
 */
function keysOf(store, { go, press, search }) {
  const open = (tab) => () => go({ tab: store.changesTo(tab).tab });
  return {
    ...(store.first === "grid" && { g: ["the grid of hands", open("grid")] }),
    i: ["infosets", open("infosets")],
    t: ["the tree", open("tree")],
    e: ["explain an iteration", open("explain")],
    x: ["exploit an opponent", open("exploit")],
    ArrowUp: ["the move above, the infoset above", () => press("up")],
    ArrowDown: ["the move below, the infoset below", () => press("down")],
    ArrowRight: ["take the move", () => press("right")],
    ArrowLeft: ["back one move", () => press("left")],
    b: ["back one move", () => press("left")],
    Home: ["to the start", () => press("home")],
    "/": ["search", search],
  };
}

export async function show(root, { params, query, navigate, signal }) {
  const { run } = params;
  const here = runPath(run);
  const about = await get("/runs/{run}/overview", { run }, { signal });
  if (about.spot) return navigate(runPath(run, "spot"), {}, { replace: true });
  document.title = `${titleOf(about)} · Equilibrist`;
  const store = inspectStore({ about, query });
  const to = (changes) => href(here, store.fieldsWith(changes));
  const go = (changes, options) => navigate(here, store.fieldsWith(changes), options);
  const context = { run, about, signal, fields: () => store.state.fields, to, go };
  const exploit = () => exploitPanel({ run, names: about.names, spot: false, navigate, signal });
  const parts = { grid: classGrid, infosets: infosetList, tree: historyTree, explain: explanation, exploit };
  const tabs = tabsPanel(store, to);
  const body = h("div", { class: "inspect-body" });
  let shown = null; // {tab, part}
  let drawn = null; // the same, of the last place that could be shown
  const keys = shortcuts(
    signal,
    keysOf(store, {
      go,
      press: (name) => shown.part.key?.(name),
      search: () => body.querySelector("input[type=search]")?.focus(),
    }),
  );

  async function update({ query: wanted }) {
    const place = store.open(wanted);
    const tab = store.tab();
    tabs.show();
    if (shown?.tab !== tab) {
      shown = { tab, part: parts[tab](context) };
      clear(body, shown.part);
    }
    try {
      await shown.part.update?.();
    } catch (error) {
      if (place.goBack()) showDrawn();
      throw error;
    }
    if (place.keep()) drawn = shown;
  }

  /** Show again what was shown before a place that cannot be. */
  function showDrawn() {
    shown = drawn;
    tabs.show();
    clear(body, shown.part);
    shown.part.draw?.();
  }

  const spot = about.decisions && h("a", { href: runPath(run, "spot") }, "Decisions by made hand");
  const lacks = about.lacks && h("p", { class: "note" }, spot && [spot, ". "], about.lacks);
  const head = headPanel(about, { run, navigate, tabs: tabs.element, showKeys: () => keys.help() });
  root.append(head, lacks || "", body);
  await update({ query });
  return { update };
}
