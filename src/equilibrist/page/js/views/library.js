// The library: all runs of the folder.
import { href, openPath, pathOfId } from "../base/address.js";
import { address, atWork, events, get, patch } from "../base/api.js";
import { clear, field as labelled, h, later, termList } from "../base/dom.js";
import {
  ago,
  bytes,
  count,
  duration,
  gapBelow,
  gapHeading,
  gapName,
  gapOf,
  gapsOf,
  measureName,
  moment,
  short,
} from "../base/format.js";
import { algorithmOf, capital, titleOf } from "../base/words.js";
import { algorithmName } from "../parts/algorithm-name.js";
import { sparkline } from "../parts/chart.js";
import { dialog } from "../parts/dialog.js";
import { MEANINGS } from "../parts/explain.js";
import { table } from "../parts/table.js";
import { failed } from "../parts/toast.js";
import { libraryStore } from "../runs/library-store.js";
import { runActions, shut } from "../runs/run-actions.js";
import { trainAnywhere } from "./train.js";
import { watchExample } from "./watch.js";

/** @import { LibraryRun } from "../base/answers.js" */
/** @typedef {import("../runs/library-store.js").AnyRun} AnyRun */
/** @typedef {import("../runs/library-store.js").LibraryStore} LibraryStore */

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

/** Return the columns of runs; `menu(row)` is the last cell, `gaps` the heading above how exact they are. */
function runColumns(menu, gaps) {
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
      title: gaps,
      meaning: MEANINGS["Exploitability / largest gain"],
      numeric: true,
      value: (row) => (row.error === null ? (gapsOf(row).percent ?? gapsOf(row).amount) : null),
      show: (row) => (row.error ? broken(row) : gapBelow(row, gaps.textContent)),
    },
    {
      key: "curve",
      title: "Over time",
      sort: false,
      show: (row) => sparkline(row.curve ?? []),
      tip: (row) => `${measureName(gapName(row))} over time, on a logarithmic axis`,
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
    [capital(gapName(row)), gapOf(row)],
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

/**
 * Return the table of runs.
 *
 * @param {LibraryStore} store
 * @param {{actions: any, navigate: any, reload: () => void, remember: () => void, showSelected: () => void}} options
 */
function runTable(store, { actions, navigate, reload, remember, showSelected }) {
  const { chosen, sort } = store.state;
  const more = (row) => async () => (await showMore(row, actions)) && reload();
  const menu = (row) =>
    h(
      "button",
      { class: "button quiet small", type: "button", "aria-label": `More for ${row.name}`, onclick: more(row) },
      "⋯",
    );
  const gaps = h("span", {}, gapHeading([]));
  const list = table({
    columns: runColumns(menu, gaps),
    label: "Runs",
    sort,
    onSort: (next) => {
      Object.assign(sort, next);
      remember();
    },
    onOpen: (row) => (row.error ? failed({ status: 0, message: row.error }) : navigate(openPath(row))),
    chosen,
    onChoose: showSelected,
    height: HEIGHT,
    empty: h("span", {}, "No run fits. ", h("a", { href: "/new" }, "Make a new one"), "."),
  });
  return Object.assign(list, { nameGaps: (rows) => (gaps.textContent = gapHeading(rows)) });
}

const reportTable = () =>
  table({
    columns: reportColumns(),
    label: "Reports",
    sort: { key: "saved", descending: true },
    onOpen: (row) => open(address("/reports/{report}", { report: row.id }), "_blank", "noopener"),
    height: HEIGHT,
    empty: "No report fits.",
  });

/** Return the field of the search; onSearch(text) is told once it is no longer changed. */
function searchField(search, onSearch) {
  const input = h("input", {
    type: "search",
    class: "search",
    value: search,
    placeholder: "Search games, boards, algorithms, names; exploitability<0.01",
    title:
      "Filters: game:leduc algorithm:cfr+ exploitability<0.01 exploitability<1% iterations>=1000 seed=1 tag:turn note:limp",
    "aria-label": "Search runs",
    autocomplete: "off",
    oninput: later(() => onSearch(input.value.trim()), 120),
  });
  return input;
}

/**
 * Return the choice of runs or reports.
 *
 * @param {LibraryStore} store
 * @param {(showsReports: boolean) => void} onPick
 */
function kindPanel(store, onPick) {
  const element = h("div", { class: "segmented", role: "group", "aria-label": "What is listed" });

  function show() {
    const { data, showsReports } = store.state;
    const button = (name, isReports) => {
      const pressed = String(showsReports === isReports);
      const attributes = { type: "button", class: "button", "aria-pressed": pressed };
      return h("button", { ...attributes, onclick: () => onPick(isReports) }, name);
    };
    clear(
      element,
      button(`Runs (${count(data.runs.length)})`, false),
      button(`Reports (${count(data.reports.length)})`, true),
    );
    element.hidden = !data.reports.length;
  }
  return { element, show };
}

/**
 * Return how much is listed, in words, or why a search cannot be read.
 *
 * @param {LibraryStore} store
 */
function summaryPanel(store) {
  const element = h("span", { class: "note", role: "status" });

  function wordsOf() {
    const { data, showsReports, refused } = store.state;
    if (refused) return refused;
    if (showsReports) return plural(store.reports().length, "report");
    const rows = store.rows();
    const total = rows.reduce((sum, row) => sum + row.bytes, 0);
    const part = rows.length === data.runs.length ? "" : `${count(rows.length)} of `;
    return `${part}${plural(data.runs.length, "run")}, ${bytes(total)}`;
  }

  function show() {
    element.textContent = wordsOf();
    element.classList.toggle("wrong", Boolean(store.state.refused));
  }
  return { element, show };
}

export async function show(root, { query, navigate, signal }) {
  document.title = "Library · Equilibrist";
  const read = async () => {
    const [runs, { reports }] = await Promise.all([get("/runs", {}, { signal }), get("/reports", {}, { signal })]);
    return { ...runs, reports };
  };
  const store = libraryStore({ read, find: (search) => get("/runs", { search }, { signal }), query });
  const reload = () => store.reload().catch(failed);
  const remember = () => navigate("/", store.fields(), { replace: true });
  const actions = runActions(reload);
  const selected = h("span", { class: "toolbar" });
  const bin = h("button", { class: "button quiet", type: "button", onclick: actions.showDeleted });
  const list = runTable(store, { actions, navigate, reload, remember, showSelected });
  const reports = reportTable();
  const kinds = kindPanel(store, (showsReports) => {
    store.list(showsReports);
    remember();
  });
  const summary = summaryPanel(store);
  const search = searchField(store.state.search, (text) => {
    store.state.search = text;
    remember();
    store.filter().catch(failed);
  });

  function showSelected() {
    const { ids, hidden } = store.selection();
    clear(selected, selectedButtons(ids, hidden, actions.remove, navigate));
  }

  function showRuns() {
    const rows = store.rows();
    list.nameGaps(rows.filter((row) => row.error === null));
    list.update(rows);
    list.classList.toggle(
      "no-notes",
      rows.every((row) => !row.note && !row.tags.length),
    );
  }

  function draw() {
    const { data, showsReports } = store.state;
    summary.show();
    kinds.show();
    showRuns();
    reports.update(store.reports());
    for (const part of [list, selected]) part.hidden = showsReports;
    reports.hidden = !showsReports;
    bin.hidden = showsReports || !data.deleted.length;
    bin.textContent = `Deleted (${data.deleted.length})`;
    welcome.hidden = data.runs.length + data.reports.length > 0;
    body.hidden = !welcome.hidden;
    showSelected();
  }

  await store.load();
  const { folder } = store.state.data;
  const welcome = welcomeCard(folder, navigate);
  const parts = [kinds.element, search, summary.element, h("span", { class: "grow" }), selected, bin];
  const body = h("section", { class: "body" }, h("div", { class: "toolbar" }, parts), list, reports);
  root.append(
    h("div", { class: "toolbar" }, h("h1", {}, "Library"), h("span", { class: "note folder" }, folder)),
    welcome,
    body,
  );
  store.subscribe(draw);
  await store.filter().catch(failed);
  onChanges(later(reload, 400), signal);
}
