// A solved game: its infosets, its histories, and what an iteration did.
import { href, runPath } from "../app.js";
import { get, pathOf } from "../api.js";
import { clear, h } from "../dom.js";
import { count } from "../format.js";
import { algorithmName } from "../widgets/algorithm-name.js";
import { MEANINGS } from "../widgets/explain.js";
import { explanation } from "../widgets/explanation.js";
import { flopButton } from "../widgets/flops.js";
import { historyTree } from "../widgets/tree.js";
import { infosetList } from "../widgets/infosets.js";
import { shortcuts } from "../widgets/keys.js";
import { quality, stat, valueStat } from "../widgets/stats.js";
import { titleOf } from "../words.js";

const TABS = { "": "Infosets", tree: "Tree", explain: "Explain" };

export async function show(root, { params, query, navigate, signal }) {
  const { run } = params;
  const here = runPath(run);
  const about = await get(pathOf(run, "overview"), {}, { signal });
  if (about.spot) return navigate(runPath(run, "spot"), {}, { replace: true });
  document.title = `${titleOf(about)} · Equilibrist`;
  let fields = query;
  let shown = null; // {tab, part}
  const all = () => Object.fromEntries(fields);
  const context = {
    run,
    about,
    signal,
    fields: () => fields,
    to: (changes) => href(here, { ...all(), ...changes }),
    go: (changes, options) => navigate(here, { ...all(), ...changes }, options),
  };
  const parts = { "": infosetList, tree: historyTree, explain: explanation };
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
    body,
  );

  async function update({ query: wanted }) {
    fields = wanted;
    const tab = fields.get("tab") ?? "";
    clear(
      tabs,
      Object.entries(TABS).map(([key, text]) =>
        h(
          "a",
          { class: "button small", role: "tab", "aria-selected": String(key === tab), href: context.to({ tab: key }) },
          text,
        ),
      ),
    );
    if (shown?.tab !== tab) {
      shown = { tab, part: (parts[tab] ?? infosetList)(context) };
      clear(body, shown.part);
    }
    await shown.part.update?.();
  }

  const keys = shortcuts(signal, {
    i: ["infosets", () => context.go({ tab: "" })],
    t: ["the tree", () => context.go({ tab: "tree" })],
    e: ["explain an iteration", () => context.go({ tab: "explain" })],
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
