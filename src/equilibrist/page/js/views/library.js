// The library: all runs of the folder.
import { href, openPath, pathOfId } from "../base/address.js";
import { address, atWork, events, get, patch } from "../base/api.js";
import { clear, field as labelled, h, later, termList } from "../base/dom.js";
import { ago, bytes, count, duration, gapOf, moment, short } from "../base/format.js";
import { algorithmOf, fits, titleOf } from "../base/words.js";
import { algorithmName } from "../parts/algorithm-name.js";
import { sparkline } from "../parts/chart.js";
import { dialog } from "../parts/dialog.js";
import { table } from "../parts/table.js";
import { failed } from "../parts/toast.js";
import { runActions, shut } from "../runs/run-actions.js";
import { trainAnywhere } from "./train.js";
import { watchExample } from "./watch.js";

/** @import { BrokenLibraryRun, LibraryRun } from "../base/answers.js" */
/** @typedef {LibraryRun | BrokenLibraryRun} AnyRun */

const HEIGHT = "calc(100vh - 190px)";

/** @param {LibraryRun} row */
const size = (row) =>
  row.infosets ? `${count(row.infosets)} infosets${row.histories ? `, ${count(row.histories)} histories` : ""}` : null;
/** @param {LibraryRun} row */
const time = (row) => `${duration(row.solve_seconds)} of solving; ${duration(row.seconds)} with compiling and saving`;
const plural = (number, word) => `${count(number)} ${number === 1 ? word : `${word}s`}`;

/** A column of numbers of which the largest come first. */
const largest = (key, title, more) => ({ key, title, numeric: true, descending: true, class: "hide-narrow", ...more });
const sizeAndSaved = () => [
  largest("bytes", "Size", { class: "hide-narrow bytes", show: (row) => bytes(row.bytes) }),
  largest("saved", "Saved", { show: (row) => ago(row.saved), tip: (row) => moment(row.saved) }),
];

/** Return the columns of runs; `menu(row)` is the last cell. */
function runColumns(menu) {
  const broken = (row) => h("span", { class: "tag wrong", title: row.error }, "broken");
  return [
    { key: "name", title: "Run", show: runName, class: "title" },
    { key: "game", title: "Game", value: titleOf, class: "game", tip: (row) => row.game },
    largest("infosets", "Infosets", {
      show: (row) => short(row.infosets),
      tip: size,
    }),
    {
      key: "algorithm",
      title: "Algorithm",
      value: algorithmOf,
      show: algorithmName,
      class: "hide-narrow",
    },
    largest("iteration", "Iterations", {
      show: (row) => short(row.iteration),
      tip: (row) => count(row.iteration),
    }),
    {
      key: "exploitability",
      title: "Exploitability",
      numeric: true,
      value: (row) => row.measures?.exploitability_percent ?? row.measures?.exploitability,
      show: (row) => (row.error ? broken(row) : gapOf(row)),
    },
    {
      key: "curve",
      title: "Over time",
      sort: false,
      show: (row) => sparkline(row.curve ?? []),
      tip: () => "Exploitability over time, on a logarithmic axis",
      class: "hide-narrow curve",
    },
    largest("solve_seconds", "Time", { show: (row) => duration(row.solve_seconds), tip: time }),
    {
      key: "note",
      title: "Notes",
      value: (row) => [...row.tags, row.note].join(" ") || null,
      show: (row) => h("span", { class: "noted" }, row.tags.map(tagLink), h("span", { class: "note" }, row.note)),
      tip: (row) => row.note,
      class: "hide-narrow notes",
    },
    ...sizeAndSaved(),
    { key: "menu", title: h("span", { class: "sr" }, "Actions"), sort: false, show: menu, class: "menu" },
  ];
}

function reportColumns() {
  const link = (row) =>
    row.batch
      ? h("a", { href: `/batches/${encodeURIComponent(row.id)}` }, pathOfId(row.id))
      : h(
          "a",
          { href: address("/reports/{report}", { report: row.id }), target: "_blank", rel: "noopener" },
          pathOfId(row.id),
        );
  const file = (row, name) =>
    h(
      "a",
      { href: address("/reports/{report}/file", { report: row.id, name }), download: `${row.name}-${name}` },
      name,
    );
  const kinds = { boards: "over boards", study: "study" };
  return [
    { key: "id", title: "Report", show: link, class: "title" },
    { key: "kind", title: "Kind", show: (row) => kinds[row.kind], class: "hide-narrow" },
    { key: "title", title: "About", tip: (row) => row.title, class: "game about" },
    ...sizeAndSaved(),
    {
      key: "files",
      title: "Tables",
      sort: false,
      show: (row) => row.files.flatMap((name) => [file(row, name), " "]),
      class: "hide-narrow",
    },
  ];
}

/**
 * Return the name of a run with the folder around it, and whether it is being solved.
 *
 * @param {AnyRun} row
 */
function runName(row) {
  const open = h("a", { href: row.error ? null : openPath(row) }, row.name);
  const live = atWork(row.id) && h("span", { class: "tag live" }, "solving");
  const parent =
    row.id.includes("~1") && h("span", { class: "note" }, `${pathOfId(row.id).split("/").slice(0, -1).join("/")} / `);
  const tags = row.tags?.length > 0 && h("span", { class: "tags" }, row.tags.map(tagLink)); // of a phone
  return h("span", { class: "named" }, parent, open, live, tags);
}

const tagLink = (tag) =>
  h("a", { class: "tag", href: href("/", { search: `tag:${tag}` }), title: "The runs with this tag" }, tag);

/** @param {AnyRun} row */
function facts(row) {
  if (row.error !== null)
    return [
      ["Problem", row.error],
      ["Size", bytes(row.bytes)],
      ["Saved", moment(row.saved)],
    ];
  return [
    ["Game", titleOf(row)],
    ["Players", count(row.players)],
    ["Size", size(row)],
    ["Algorithm", algorithmName(row)],
    ["Iterations", `${count(row.iteration)}, stopped by ${row.stop_reason}`],
    ["Exploitability", gapOf(row)],
    ["Time", time(row)],
    ["Saved", `${moment(row.saved)}, ${bytes(row.bytes)}`],
  ];
}

/**
 * Show what is known of a run and what can be done with it, and let its notes be edited; return whether they were.
 *
 * @param {AnyRun} row
 */
function showMore(row, { rename, remove }) {
  const tags = h("input", {
    type: "text",
    value: row.tags.join(", "),
    autocomplete: "off",
    placeholder: "turn, 3-bet",
  });
  const note = h("textarea", { rows: "4", value: row.note });
  const link = (path, text) => h("a", { class: "button", href: path, onclick: shut }, text);
  const button = (text, kind, run) =>
    h("button", { class: `button ${kind}`, type: "button", onclick: (event) => (shut(event), run()) }, text);
  const id = encodeURIComponent(row.id);
  return dialog({
    title: row.name,
    action: "Save",
    cancel: "Close",
    run: () => patch("/runs/{run}", { run: row.id, tags: tags.value, note: note.value }),
    body: [
      termList(facts(row)),
      labelled("Tags", tags, { name: "tags", help: "Words with commas between them; the search tag:turn finds them." }),
      labelled("Notes", note, { name: "note" }),
      h(
        "div",
        { class: "toolbar" },
        !row.error && link(openPath(row), "Study"),
        row.error === null && row.players > 0 && link(`/play/${id}`, "Play"),
        !row.error && link(`/export/${id}`, "Export"),
        button("Rename", "", () => rename(row)),
        button("Delete", "danger", () => remove([row.id])),
      ),
    ],
  });
}

const EQUILIBRIUM =
  "A strategy says how often to take each action, for everything that a player may know. At an equilibrium no player can do better by changing only its own: in a game of two where one wins what the other loses, who plays it gets at least the value of the game on average, whatever the other does. Here a game is played against itself, each time with a little less to regret, until it is proved how near to an equilibrium the result is.";

/** Return what is shown where there is no run yet. */
function welcomeCard(folder, navigate) {
  return h(
    "section",
    { class: "card welcome" },
    h("h2", {}, "No runs yet"),
    h("p", {}, EQUILIBRIUM),
    h(
      "div",
      { class: "toolbar" },
      h(
        "button",
        { class: "button primary", type: "button", onclick: () => watchExample(navigate) },
        "Watch Kuhn poker being solved",
      ),
      h("a", { class: "button", href: "/new" }, "Solve a game"),
      h("a", { class: "button", href: "/new/spot" }, "Solve a spot of hold'em"),
    ),
    h("p", { class: "note" }, "From the command line: ", h("code", {}, `equilibrist solve kuhn --save ${folder}/kuhn`)),
  );
}

/** Return buttons for the selected runs, of which a filter hides some. */
function selectedButtons(ids, hidden, remove, navigate) {
  if (!ids.length) return [];
  const compare = h("a", { class: "button", href: href("/compare", { run: ids }) }, "Compare");
  return [
    h("span", { class: "note" }, `${ids.length} selected${hidden ? `, ${hidden} of them not listed` : ""}`),
    ids.length > 1 && compare,
    h("button", { class: "button", type: "button", onclick: () => trainAnywhere(ids, navigate) }, "Train at random"),
    h("button", { class: "button danger", type: "button", onclick: () => remove(ids) }, "Delete"),
  ];
}

/** Call `refresh` when runs may have changed: by the queue, by other programs, or while nobody looked. */
function onChanges(refresh, signal) {
  const states = new Map();
  events(
    (event) => {
      if (["connected", "jobs", "gone"].includes(event.type)) refresh();
      if (event.type !== "job") return;
      const state = `${event.job.state} ${event.job.saved}`;
      if (states.get(event.job.id) !== state) refresh();
      states.set(event.job.id, state);
    },
    { signal },
  );
  addEventListener("focus", refresh, { signal });
  const often = setInterval(() => document.visibilityState === "visible" && refresh(), 10_000); // what others save here
  signal.addEventListener("abort", () => clearInterval(often));
}

export async function show(root, { query, navigate, signal }) {
  document.title = "Library · Equilibrist";
  const read = async () => {
    const [runs, { reports }] = await Promise.all([get("/runs", {}, { signal }), get("/reports", {}, { signal })]);
    return { ...runs, reports };
  };
  let data = await read();
  let showsReports = query.get("show") === "reports";
  let search = query.get("search") ?? "";
  let filtered = null; // ids that a search with filters finds, which the server reads
  let refused = ""; // why it cannot be read
  const sort = { key: query.get("sort") ?? "saved", descending: (query.get("order") ?? "down") === "down" };
  const chosen = new Set();
  const actions = runActions(reload);

  const field = h("input", {
    type: "search",
    class: "search",
    value: search,
    placeholder: "Search games, boards, algorithms, names; exploitability<0.01",
    title:
      "Filters: game:leduc algorithm:cfr+ exploitability<0.01 exploitability<1% iterations>=1000 seed=1 tag:turn note:limp",
    "aria-label": "Search runs",
    autocomplete: "off",
    oninput: later(() => ((search = field.value.trim()), remember(), filter()), 120),
  });
  const summary = h("span", { class: "note", role: "status" });
  const selected = h("span", { class: "toolbar" });
  const bin = h("button", { class: "button quiet", type: "button", onclick: actions.showDeleted });
  const kinds = h("div", { class: "segmented", role: "group", "aria-label": "What is listed" });
  const label = (row) => `More for ${row.name}`;
  const more = (row) => async () => (await showMore(row, actions)) && reload();
  const list = table({
    columns: runColumns((row) =>
      h("button", { class: "button quiet small", type: "button", "aria-label": label(row), onclick: more(row) }, "⋯"),
    ),
    label: "Runs",
    sort,
    onSort: (next) => (Object.assign(sort, next), remember()),
    onOpen: (row) => (row.error ? failed({ status: 0, message: row.error }) : navigate(openPath(row))),
    chosen,
    onChoose: drawSelected,
    height: HEIGHT,
    empty: h("span", {}, "No run fits. ", h("a", { href: "/new" }, "Make a new one"), "."),
  });
  const reports = table({
    columns: reportColumns(),
    label: "Reports",
    sort: { key: "saved", descending: true },
    onOpen: (row) => open(address("/reports/{report}", { report: row.id }), "_blank", "noopener"),
    height: HEIGHT,
    empty: "No report fits.",
  });
  const bar = h("div", { class: "toolbar" }, kinds, field, summary, h("span", { class: "grow" }), selected, bin);
  const body = h("section", { class: "body" }, bar, list, reports);
  const welcome = welcomeCard(data.folder, navigate);

  function remember() {
    const fields = {
      search,
      sort: sort.key === "saved" && sort.descending ? "" : sort.key,
      order: sort.descending ? "" : "up",
      show: showsReports ? "reports" : "",
    };
    navigate("/", fields, { replace: true });
  }

  /** Ask the server for the runs of a search that has filters; words alone are looked for here. */
  async function filter() {
    const asked = search;
    [filtered, refused] = [null, ""];
    if (/[<>=:]/.test(asked)) {
      try {
        const { runs } = await get("/runs", { search: asked }, { signal });
        if (asked === search) filtered = new Set(runs.map((run) => run.id));
      } catch (error) {
        if (error.status !== 400) return failed(error);
        if (asked === search) refused = error.message;
      }
    }
    return asked === search && draw();
  }

  async function reload() {
    try {
      data = await read();
      await filter();
    } catch (error) {
      failed(error);
    }
  }

  const shownRows = () =>
    data.runs.filter((row) => (search || !row.batch) && (filtered ? filtered.has(row.id) : fits(search, row)));

  function drawSelected() {
    for (const id of chosen) if (!data.runs.some((row) => row.id === id)) chosen.delete(id);
    const listed = shownRows().filter((row) => chosen.has(row.id)).length;
    clear(selected, selectedButtons([...chosen], chosen.size - listed, actions.remove, navigate));
  }

  function drawKinds() {
    const names = [`Runs (${count(data.runs.length)})`, `Reports (${count(data.reports.length)})`];
    const pick = (place) => () => ((showsReports = Boolean(place)), remember(), draw());
    const pressed = (place) => String(showsReports === Boolean(place));
    clear(
      kinds,
      names.map((name, place) =>
        h("button", { type: "button", class: "button", "aria-pressed": pressed(place), onclick: pick(place) }, name),
      ),
    );
    kinds.hidden = !data.reports.length;
  }

  function draw() {
    showsReports &&= data.reports.length > 0;
    const rows = shownRows();
    const found = data.reports.filter((row) => fits(search, row));
    const total = rows.reduce((sum, row) => sum + row.bytes, 0);
    const part = rows.length === data.runs.length ? "" : `${count(rows.length)} of `;
    summary.textContent = showsReports
      ? plural(found.length, "report")
      : `${part}${plural(data.runs.length, "run")}, ${bytes(total)}`;
    if (refused) summary.textContent = refused;
    summary.classList.toggle("wrong", Boolean(refused));
    list.update(rows);
    list.classList.toggle(
      "no-notes",
      rows.every((row) => !row.note && !row.tags.length),
    );
    reports.update(found);
    drawKinds();
    list.hidden = selected.hidden = showsReports;
    reports.hidden = !showsReports;
    bin.hidden = showsReports || !data.deleted.length;
    bin.textContent = `Deleted (${data.deleted.length})`;
    welcome.hidden = data.runs.length + data.reports.length > 0;
    body.hidden = !welcome.hidden;
    drawSelected();
  }

  root.append(
    h("div", { class: "toolbar" }, h("h1", {}, "Library"), h("span", { class: "note folder" }, data.folder)),
    welcome,
    body,
  );
  await filter();
  onChanges(later(reload, 400), signal);
}
