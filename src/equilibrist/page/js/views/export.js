// Export of a run: its report, pictures, tables, and the lines that do the same.
import { openPath } from "../base/address.js";
import { address, get } from "../base/api.js";
import { clear, h } from "../base/dom.js";
import { count, gapName, gapOf } from "../base/format.js";
import { lineInWords, titleOf } from "../base/words.js";
import { algorithmName } from "../parts/algorithm-name.js";
import { toast } from "../parts/toast.js";
import { readRun } from "../runs/read-run.js";

/** @import { PictureKinds, TracedRun } from "../base/answers.js" */

const TABLES = { strategy: "Strategy", trace: "Checkpoints", recording: "Recording", node: "Hands of the decision" };
const NAMES = {
  convergence: "Convergence",
  range: "Grid of hands",
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
  ["resume", "Continue it"],
  ["python", "Load it in Python"],
  ["solve", "Solve it in Python"],
];

const section = (title, ...children) => h("section", { class: "card" }, h("h2", {}, title), children);

/**
 * Return the card of the report, the one page that needs nothing else.
 *
 * @param {TracedRun} run
 */
function reportCard(run) {
  const save = {
    class: "button",
    href: address("/runs/{run}/report", { run: run.id, download: 1 }),
    download: `${run.name}.html`,
  };
  return section(
    "Report",
    h(
      "p",
      { class: "note" },
      "One page for a colleague: certificate, pictures, strategy, settings. It needs no other file and no network.",
    ),
    h(
      "div",
      { class: "toolbar" },
      h(
        "a",
        {
          class: "button primary",
          href: address("/runs/{run}/report", { run: run.id }),
          target: "_blank",
          rel: "noopener",
        },
        "Open",
      ),
      h("a", save, "Save"),
    ),
  );
}

/**
 * Return the card of a spot that is walked without a server: how many streets, how large that is, and the file.
 *
 * @param {TracedRun} run
 * @param {{line: string, board: string}} place the decision at which it begins
 */
function offlineCard(run, place, signal) {
  const told = h("p", { class: "note", role: "status" });
  const save = h("a", { class: "button", download: `${run.name}-spot.html` }, "Save the page");
  const streets = h(
    "select",
    { "aria-label": "Streets", onchange: () => measure() },
    ["one street", "two streets", "three streets"].map((text, k) => h("option", { value: k + 1 }, text)),
  );
  let asked = 0;

  async function measure() {
    const mine = ++asked;
    const fields = { run: run.id, ...place, streets: streets.value };
    told.textContent = "Measuring …";
    save.removeAttribute("href");
    try {
      const size = await get("/runs/{run}/spot/offline/size", fields, { signal });
      if (mine !== asked) return;
      const fits = size.bytes <= size.most && size.decisions <= size.most_decisions;
      told.textContent = sizeInWords(size, fits);
      if (fits) save.setAttribute("href", address("/runs/{run}/spot/offline", fields));
    } catch (error) {
      if (mine === asked && error.name !== "AbortError") told.textContent = error.message;
    }
  }

  measure();
  return section(
    "Spot to walk offline",
    h(
      "p",
      { class: "note" },
      `One page with the decisions from ${place.line ? inWords(place) : "the first one"} on: grids, frequencies, EV and hands. It needs no server and no network.`,
    ),
    h("div", { class: "toolbar" }, streets, save),
    told,
  );
}

/** Return how large the page of a spot is, and whether it can be had. */
function sizeInWords({ decisions, bytes, most, most_decisions: mostDecisions }, fits) {
  const size = `${count(decisions)} decisions, about ${(bytes / 1e6).toPrecision(2)} MB`;
  if (fits) return `${size}.`;
  return `${size}: at most ${count(mostDecisions)} in ${most / 1e6} MB are written. Take fewer streets, or begin after a longer line.`;
}

/**
 * Return the card of the tables; `place` is the decision of a spot from which one came.
 *
 * @param {TracedRun} run
 */
function tablesCard(run, place) {
  const file = (what, format) =>
    h(
      "a",
      {
        class: "button small",
        download: "",
        href: address("/runs/{run}/table", { run: run.id, what, format, ...(what === "node" ? place : {}) }),
        "aria-label": `${TABLES[what]} as ${format}`,
      },
      format === "csv" ? "CSV" : "Parquet",
    );
  const row = (what) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, TABLES[what], what === "node" && h("span", { class: "note" }, ` ${inWords(place)}`)),
      ["csv", "parquet"].map((format) => h("td", {}, file(what, format))),
    );
  const tables = ["strategy", "trace", run.recorded && "recording", run.spot && "node"].filter(Boolean);
  return section("Tables", h("table", { class: "plain files" }, h("tbody", {}, tables.map(row))));
}

const inWords = ({ line, board }) => [line ? lineInWords(line) : "the first", board].filter(Boolean).join(" ");

/**
 * Return the card of the pictures, and why there are no others.
 *
 * @param {PictureKinds} pictures
 * @param {string} run
 */
function picturesCard({ kinds, missing }, run, place, signal) {
  const names = Object.keys(missing).map((kind) => NAMES[kind].toLowerCase());
  const reasons = [...new Set(Object.values(missing))].join(" ");
  return section(
    "Pictures",
    h(
      "div",
      { class: "pictures" },
      kinds.map((kind) => picture(kind, run, kind === "range" ? place : {}, signal)),
    ),
    names.length > 0 && h("p", { class: "note" }, `Not for this run: ${names.join(", ")}. ${reasons}`),
  );
}

export async function show(root, { params, query, signal }) {
  document.title = `Export ${params.run} · Equilibrist`;
  const [run, code, pictures] = await Promise.all([
    readRun(params.run, signal),
    get("/runs/{run}/code", { run: params.run }, { signal }),
    get("/runs/{run}/pictures", { run: params.run }, { signal }),
  ]);
  const place = { line: query.get("line") ?? "", board: query.get("board") ?? "" };
  clear(
    root,
    h(
      "nav",
      { class: "crumbs", "aria-label": "Breadcrumbs" },
      h("a", { href: "/" }, "Library"),
      "/",
      h("a", { href: openPath(run) }, run.name),
      "/",
      h("span", { "aria-current": "page" }, "Export"),
    ),
    h("h1", {}, `Export ${run.name}`),
    h("p", { class: "note" }, titleOf(run), ", ", algorithmName(run), `, ${gapName(run)} ${gapOf(run)}`),
    reportCard(run),
    run.spot && offlineCard(run, place, signal),
    tablesCard(run, place),
    section(
      "Commands and code",
      h(
        "div",
        { class: "codes" },
        LINES.map(([name, title]) => snippet(title, code[name])),
      ),
    ),
    picturesCard(pictures, params.run, place, signal),
  );
}

/** Return a text with a button that copies it. */
function snippet(title, text) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast("Copied.");
    } catch {
      getSelection()?.selectAllChildren(block); // a browser that forbids it: the text is selected at least
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

/** Pictures are drawn one after another, as they come into sight: each takes the server a moment. */
const queue = [];
let drawing = false;
async function drawNext() {
  if (drawing || !queue.length) return;
  drawing = true;
  await queue.shift()();
  drawing = false;
  drawNext();
}

/** Return a picture with its files; `place` is the decision that it shows. */
function picture(kind, run, place, signal) {
  const scheme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const source = address("/runs/{run}/picture", {
    run,
    kind,
    ...place,
    theme: document.documentElement.dataset.theme ?? scheme,
  });
  const waiting = h("div", { class: "place note" }, "Drawing…");
  const file = (format) =>
    h(
      "a",
      {
        class: "button small quiet",
        download: "",
        href: address("/runs/{run}/picture", { run, kind, format, ...place, download: 1 }),
        "aria-label": `${NAMES[kind]} as ${format}`,
      },
      format.toUpperCase(),
    );
  const title = kind === "range" ? `${NAMES[kind]}, ${inWords(/** @type {any} */ (place))}` : NAMES[kind];
  const files = ["svg", "png", "pdf"].map(file);
  const figure = h(
    "figure",
    {},
    waiting,
    h("figcaption", { class: "toolbar" }, h("span", { class: "grow" }, title), files),
  );
  const draw = async () => {
    if (signal.aborted) return;
    try {
      const response = await fetch(source, { signal });
      if (!response.ok) throw new Error((await response.json()).error.message);
      const image = h("img", { alt: NAMES[kind], src: URL.createObjectURL(await response.blob()) });
      waiting.replaceWith(h("a", { href: source, target: "_blank", rel: "noopener" }, image));
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
