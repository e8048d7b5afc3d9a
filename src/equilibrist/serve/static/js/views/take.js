// What is taken along from a run: its report, pictures, tables, and the lines that do the same.
import { address, get, pathOf } from "../api.js";
import { h } from "../dom.js";
import { gapOf } from "../format.js";
import { toast } from "../widgets/toast.js";
import { openPath } from "./library.js";

const TABLES = { strategy: "Strategy", trace: "Checkpoints", recording: "Recording", node: "Hands of the decision" };
const NAMES = {
  convergence: "Convergence",
  strategy: "Strategy",
  trajectories: "Probabilities over time",
  spiral: "Spiral",
  scatter: "Scatter",
  simplex: "Simplex",
  regret: "Regret",
  landscape: "Landscape",
  tree: "Game tree",
  infosets: "Infosets",
};
const LINES = [
  ["command", "In a terminal"],
  ["resume", "Go on with it"],
  ["python", "Load it in Python"],
  ["solve", "Solve it in Python"],
];

export async function show(root, { params, query, signal }) {
  document.title = `${params.run} · Equilibrist`;
  const at = (...rest) => pathOf(params.run, ...rest);
  const [run, code, { kinds, missing }] = await Promise.all([
    get(at(), {}, { signal }),
    get(at("code"), {}, { signal }),
    get(at("pictures"), {}, { signal }),
  ]);
  const [line, board] = [query.get("line") ?? "", query.get("board") ?? ""];
  const tables = ["strategy", "trace", run.recorded && "recording", run.spot && "node"].filter(Boolean);
  root.append(
    h(
      "nav",
      { class: "crumbs", "aria-label": "Where this is" },
      h("a", { href: "/" }, "Library"),
      "/",
      h("a", { href: openPath(run) }, run.name),
      "/",
      h("span", { "aria-current": "page" }, "Take along"),
    ),
    h("h1", {}, `Take along: ${run.name}`),
    h("p", { class: "note" }, `${run.game}, ${run.algorithm}, exploitability ${gapOf(run)}`),
    h(
      "section",
      { class: "card" },
      h("h2", {}, "Report"),
      h(
        "p",
        { class: "note" },
        "One page for a colleague: certificate, pictures, strategy, settings. It needs no other file and no network.",
      ),
      h(
        "div",
        { class: "toolbar" },
        h("a", { class: "button primary", href: address(at("report")), target: "_blank", rel: "noopener" }, "Open"),
        h("a", { class: "button", href: address(at("report"), { download: 1 }), download: `${run.name}.html` }, "Save"),
      ),
    ),
    h(
      "section",
      { class: "card" },
      h("h2", {}, "Tables"),
      h(
        "table",
        { class: "plain files" },
        h(
          "tbody",
          {},
          tables.map((what) =>
            h(
              "tr",
              {},
              h(
                "th",
                { scope: "row" },
                TABLES[what],
                what === "node" && h("span", { class: "note" }, ` ${line || "the first"} ${board}`),
              ),
              ["csv", "parquet"].map((format) =>
                h(
                  "td",
                  {},
                  h(
                    "a",
                    {
                      class: "button small",
                      download: "",
                      href: address(at("table"), { what, format, ...(what === "node" ? { line, board } : {}) }),
                      "aria-label": `${TABLES[what]} as ${format}`,
                    },
                    format === "csv" ? "CSV" : "Parquet",
                  ),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
    h(
      "section",
      { class: "card" },
      h("h2", {}, "The same by hand"),
      h(
        "div",
        { class: "codes" },
        LINES.map(([name, title]) => snippet(title, code[name])),
      ),
    ),
    h(
      "section",
      { class: "card" },
      h("h2", {}, "Pictures"),
      h(
        "div",
        { class: "pictures" },
        kinds.map((kind) => picture(kind, at, signal)),
      ),
      Object.keys(missing).length > 0 &&
        h(
          "p",
          { class: "note" },
          `Not for this run: ${Object.keys(missing)
            .map((kind) => NAMES[kind].toLowerCase())
            .join(", ")}. ${[...new Set(Object.values(missing))].join(" ")}`,
        ),
    ),
  );
}

function snippet(title, text) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast("Copied.");
    } catch {
      getSelection().selectAllChildren(block); // a browser that forbids it: the text is selected at least
    }
  };
  const block = h("pre", { tabindex: "0" }, h("code", {}, text.trimEnd()));
  return h(
    "div",
    { class: "snippet" },
    h(
      "div",
      { class: "toolbar" },
      h("h3", { class: "grow" }, title),
      h("button", { class: "button small", type: "button", onclick: copy, "aria-label": `Copy: ${title}` }, "Copy"),
    ),
    block,
  );
}

/** Draw pictures one after another, as they come into sight: each takes the server a moment. */
const queue = [];
let drawing = false;
async function drawNext() {
  if (drawing || !queue.length) return;
  drawing = true;
  await queue.shift()();
  drawing = false;
  drawNext();
}

function picture(kind, at, signal) {
  const theme =
    document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const source = address(at("picture"), { kind, theme });
  const place = h("div", { class: "place note" }, "Drawing…");
  const figure = h(
    "figure",
    {},
    place,
    h(
      "figcaption",
      { class: "toolbar" },
      h("span", { class: "grow" }, NAMES[kind]),
      ["svg", "png", "pdf"].map((format) =>
        h(
          "a",
          {
            class: "button small quiet",
            download: "",
            href: address(at("picture"), { kind, format, download: 1 }),
            "aria-label": `${NAMES[kind]} as ${format}`,
          },
          format.toUpperCase(),
        ),
      ),
    ),
  );
  const draw = async () => {
    if (signal.aborted) return;
    try {
      const response = await fetch(source, { signal });
      if (!response.ok) throw new Error((await response.json()).error.message);
      const image = h("img", { alt: NAMES[kind], src: URL.createObjectURL(await response.blob()) });
      place.replaceWith(h("a", { href: source, target: "_blank", rel: "noopener" }, image));
    } catch (error) {
      if (error.name !== "AbortError")
        figure.replaceChildren(h("figcaption", {}, NAMES[kind], h("p", { class: "note" }, error.message)));
    }
  };
  const watch = new IntersectionObserver(([entry]) => {
    if (!entry.isIntersecting) return;
    watch.disconnect();
    queue.push(draw);
    drawNext();
  });
  watch.observe(figure);
  return figure;
}
