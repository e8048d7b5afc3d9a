// A solved game: its infosets, its histories, and what an iteration did.
import { href, runPath } from "../base/address.js";
import { get } from "../base/api.js";
import { clear, h } from "../base/dom.js";
import { count } from "../base/format.js";
import { titleOf } from "../base/words.js";
import { classGrid } from "../infosets/class-grid.js";
import { explanation } from "../infosets/explanation.js";
import { infosetList } from "../infosets/infosets.js";
import { historyTree } from "../infosets/tree.js";
import { algorithmName } from "../parts/algorithm-name.js";
import { MEANINGS } from "../parts/explain.js";
import { shortcuts } from "../parts/keys.js";
import { gainStat, quality, stat, valueStat } from "../parts/stats.js";
import { flopButton } from "../poker/flops.js";
import { exploitPanel } from "../runs/exploit-panel.js";

const MOST_SEARCHED = 1_000_000; // histories
const TABS = { infosets: "Infosets", tree: "Tree", explain: "Explain", exploit: "Exploit" };

export async function show(root, { params, query, navigate, signal }) {
  const { run } = params;
  const here = runPath(run);
  const about = await get("/runs/{run}/overview", { run }, { signal });
  if (about.spot) return navigate(runPath(run, "spot"), {}, { replace: true });
  document.title = `${titleOf(about)} · Equilibrist`;
  let fields = query;
  let shown = null; // {tab, part}
  let asked = 0;
  const all = () => Object.fromEntries(fields);
  const context = {
    run,
    about,
    signal,
    fields: () => fields,
    to: (changes) => href(here, { ...all(), ...changes }),
    go: (changes, options) => navigate(here, { ...all(), ...changes }, options),
  };
  // The first tab has no name in the address: the grid of hands before the flop, else the infosets.
  const names = about.classes.length ? { grid: "Grid", ...TABS } : TABS;
  const exploit = () => exploitPanel({ run, names: about.names, spot: false, navigate, signal });
  const parts = { grid: classGrid, infosets: infosetList, tree: historyTree, explain: explanation, exploit };
  const first = Object.keys(names)[0];
  const tooLarge = (about.histories ?? Infinity) > MOST_SEARCHED; // to look for a history of an infoset
  const address = (tab) => (tab === first ? "" : tab);
  const tabs = h("div", { class: "segmented", role: "tablist", "aria-label": "What is shown" });
  const body = h("div", { class: "inspect-body" });

  root.append(
    h(
      "header",
      { class: "inspect-head" },
      h("h1", { title: about.game }, titleOf(about)),
      h(
        "dl",
        { class: "stats" },
        about.value.length > 0 && valueStat(about),
        about.deviation_gains.length > 2 && gainStat(about),
        stat("Infosets", count(about.infosets), MEANINGS.Infoset),
        stat(algorithmName(about), `${count(about.iterations)} iterations`),
      ),
      h("span", { class: "grow" }),
      quality(about),
      tabs,
      about.flops && flopButton({ run, navigate }),
      about.recorded && h("a", { class: "button small", href: `/watch/${encodeURIComponent(run)}` }, "Watch"),
      h("a", { class: "button small", href: `/play/${encodeURIComponent(run)}` }, "Play"),
      h("a", { class: "button small", href: `/train/${encodeURIComponent(run)}` }, "Train"),
      h("a", { class: "button small", href: `/export/${encodeURIComponent(run)}` }, "Export"),
      h(
        "button",
        { class: "button small quiet", type: "button", "aria-label": "Keys", onclick: () => keys.help() },
        "?",
      ),
    ),
    about.lacks && h("p", { class: "note" }, about.lacks),
    body,
  );

  /** Return the tab of the fields. */
  function tabOf() {
    const wish = fields.get("tab") || first;
    return wish in names ? wish : first;
  }

  function drawTabs() {
    const tab = tabOf();
    clear(
      tabs,
      Object.entries(names).map(([key, text]) => {
        const place = tooLarge && ["tree", "explain"].includes(key) ? { infoset: "", of: "" } : {};
        const link = { role: "tab", "aria-selected": String(key === tab) };
        const href = context.to({ tab: address(key), ...place });
        return h("a", { class: "button small", ...link, href }, text);
      }),
    );
  }

  let drawn = null; // the fields of what is shown, and its part
  async function update({ query: wanted }) {
    const mine = ++asked;
    fields = wanted;
    const tab = tabOf();
    drawTabs();
    if (shown?.tab !== tab) {
      shown = { tab, part: parts[tab](context) };
      clear(body, shown.part);
    }
    try {
      await shown.part.update?.();
    } catch (error) {
      if (mine === asked && drawn) goBack();
      throw error;
    }
    if (mine === asked) drawn = { fields: wanted, shown };
  }

  /** Show again what was shown before a place that cannot be. */
  function goBack() {
    ({ fields, shown } = drawn);
    drawTabs();
    clear(body, shown.part);
    shown.part.draw?.();
  }

  const keys = shortcuts(signal, {
    ...(first === "grid" && { g: ["the grid of hands", () => context.go({ tab: "" })] }),
    i: ["infosets", () => context.go({ tab: address("infosets") })],
    t: ["the tree", () => context.go({ tab: "tree" })],
    e: ["explain an iteration", () => context.go({ tab: "explain" })],
    x: ["exploit an opponent", () => context.go({ tab: "exploit" })],
    ArrowUp: ["the move above, the infoset above", () => shown.part.key?.("up")],
    ArrowDown: ["the move below, the infoset below", () => shown.part.key?.("down")],
    ArrowRight: ["take the move", () => shown.part.key?.("right")],
    ArrowLeft: ["back one move", () => shown.part.key?.("left")],
    b: ["back one move", () => shown.part.key?.("left")],
    Home: ["to the start", () => shown.part.key?.("home")],
    "/": ["search", () => body.querySelector("input[type=search]")?.focus()],
  });
  await update({ query });
  return { update };
}
