// The library: all runs of the folder.
import { href, runPath } from "../app.js";
import { address, atWork, del, events, get, patch, pathOf, post } from "../api.js";
import { clear, h, later } from "../dom.js";
import { ago, bytes, count, duration, gapOf, moment, short } from "../format.js";
import { sparkline } from "../widgets/chart.js";
import { ask, dialog } from "../widgets/dialog.js";
import { table } from "../widgets/table.js";
import { failed, toast } from "../widgets/toast.js";

export async function show(root, { query, navigate, signal }) {
  document.title = "Library · Equilibrist";
  const chosen = new Set();
  const read = async () => {
    const [runs, { reports }] = await Promise.all([get("/runs", {}, { signal }), get("/reports", {}, { signal })]);
    return { ...runs, reports };
  };
  let data = await read();
  let showsReports = query.get("show") === "reports";
  let search = query.get("search") ?? "";
  const sort = { key: query.get("sort") ?? "saved", descending: (query.get("order") ?? "down") === "down" };

  const remember = () =>
    navigate(
      "/",
      {
        search,
        sort: sort.key === "saved" && sort.descending ? "" : sort.key,
        order: sort.descending ? "" : "up",
        show: showsReports ? "reports" : "",
      },
      { replace: true },
    );
  const field = h("input", {
    type: "search",
    class: "search",
    value: search,
    placeholder: "Search games, algorithms, names",
    "aria-label": "Search runs",
    autocomplete: "off",
  });
  const type = later(() => {
    search = field.value.trim();
    remember();
    draw();
  }, 120);
  field.addEventListener("input", type);
  const summary = h("span", { class: "note", role: "status" });
  const actions = h("span", { class: "toolbar" });
  const bin = h("span", {});
  const list = table({
    columns: [
      { key: "name", title: "Run", show: name, class: "title" },
      { key: "game", title: "Game", show: (row) => row.game ?? "–", class: "game", tip: (row) => row.game },
      {
        key: "infosets",
        title: "Infosets",
        numeric: true,
        descending: true,
        show: (row) => short(row.infosets),
        tip: size,
        class: "hide-narrow",
      },
      { key: "algorithm", title: "Algorithm", show: algorithm, class: "hide-narrow" },
      {
        key: "iteration",
        title: "Iterations",
        numeric: true,
        descending: true,
        show: (row) => short(row.iteration),
        tip: (row) => count(row.iteration),
        class: "hide-narrow",
      },
      {
        key: "exploitability",
        title: "Exploitability",
        numeric: true,
        value: (row) => row.exploitability_percent ?? row.exploitability,
        show: (row) => (row.error ? h("span", { class: "tag wrong", title: row.error }, "broken") : gapOf(row)),
      },
      {
        key: "curve",
        title: "Course",
        sort: false,
        show: (row) => sparkline(row.curve ?? []),
        class: "hide-narrow course",
      },
      {
        key: "seconds",
        title: "Time",
        numeric: true,
        descending: true,
        show: (row) => duration(row.seconds),
        class: "hide-narrow",
      },
      {
        key: "bytes",
        title: "Size",
        numeric: true,
        descending: true,
        show: (row) => bytes(row.bytes),
        class: "hide-narrow",
      },
      {
        key: "saved",
        title: "Saved",
        numeric: true,
        descending: true,
        show: (row) => ago(row.saved),
        tip: (row) => moment(row.saved),
        class: "hide-narrow",
      },
      { key: "menu", title: h("span", { class: "sr" }, "Actions"), sort: false, show: menu, class: "menu" },
    ],
    label: "Runs",
    sort,
    onSort: (next) => {
      Object.assign(sort, next);
      remember();
    },
    onOpen: (row) => (row.error ? failed({ status: 0, message: row.error }) : navigate(openPath(row))),
    chosen,
    onChoose: drawActions,
    height: "calc(100vh - 190px)",
    empty: h("span", {}, "No run fits. ", h("a", { href: "/new" }, "Make a new one"), "."),
  });

  const ofReport = (row, ...rest) => ["/reports", encodeURIComponent(row.id), ...rest].join("/");
  const reports = table({
    columns: [
      {
        key: "id",
        title: "Report",
        show: (row) => h("a", { href: address(ofReport(row)), target: "_blank", rel: "noopener" }, pathOfId(row.id)),
        class: "title",
      },
      {
        key: "kind",
        title: "Kind",
        show: (row) => ({ boards: "over boards", study: "study" })[row.kind],
        class: "hide-narrow",
      },
      { key: "title", title: "About", tip: (row) => row.title, class: "game about" },
      {
        key: "bytes",
        title: "Size",
        numeric: true,
        descending: true,
        show: (row) => bytes(row.bytes),
        class: "hide-narrow",
      },
      {
        key: "saved",
        title: "Saved",
        numeric: true,
        descending: true,
        show: (row) => ago(row.saved),
        tip: (row) => moment(row.saved),
        class: "hide-narrow",
      },
      {
        key: "files",
        title: "Tables",
        sort: false,
        show: (row) =>
          row.files
            .map((name) => [
              h("a", { href: address(ofReport(row, "file"), { name }), download: `${row.name}-${name}` }, name),
              " ",
            ])
            .flat(),
        class: "hide-narrow",
      },
    ],
    label: "Reports",
    sort: { key: "saved", descending: true },
    onOpen: (row) => open(address(ofReport(row)), "_blank", "noopener"),
    height: "calc(100vh - 190px)",
    empty: "No report fits.",
  });
  const kinds = h("div", { class: "segmented", role: "group", "aria-label": "What is listed" });

  async function reload() {
    try {
      data = await read();
      draw();
    } catch (error) {
      failed(error);
    }
  }

  function draw() {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = data.runs.filter((row) => {
      const text = `${row.id} ${row.game} ${row.algorithm} ${row.sampling} ${row.stopped}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    for (const id of chosen) if (!data.runs.some((row) => row.id === id)) chosen.delete(id);
    list.update(rows);
    const total = data.runs.reduce((sum, row) => sum + row.bytes, 0);
    summary.textContent = `${rows.length === data.runs.length ? count(rows.length) : `${count(rows.length)} of ${count(data.runs.length)}`} ${data.runs.length === 1 ? "run" : "runs"}, ${bytes(total)}`;
    drawReports(words);
    clear(
      bin,
      data.deleted.length > 0 &&
        h(
          "button",
          { class: "button quiet", type: "button", onclick: showDeleted },
          `Deleted (${data.deleted.length})`,
        ),
    );
    const some = data.runs.length + data.reports.length > 0;
    body.hidden = !some;
    welcome.hidden = some;
    drawActions();
  }

  /** Show the reports over boards and the studies; the switch is there where there are any. */
  function drawReports(words) {
    kinds.hidden = !data.reports.length;
    showsReports &&= data.reports.length > 0;
    const names = [`Runs (${count(data.runs.length)})`, `Reports (${count(data.reports.length)})`];
    clear(
      kinds,
      names.map((name, place) =>
        h(
          "button",
          {
            type: "button",
            class: "button",
            "aria-pressed": String(showsReports === Boolean(place)),
            onclick: () => ((showsReports = Boolean(place)), remember(), draw()),
          },
          name,
        ),
      ),
    );
    list.hidden = actions.hidden = bin.hidden = showsReports;
    reports.hidden = !showsReports;
    const rows = data.reports.filter((row) =>
      words.every((word) => `${row.id} ${row.title}`.toLowerCase().includes(word)),
    );
    if (showsReports) summary.textContent = `${count(rows.length)} ${rows.length === 1 ? "report" : "reports"}`;
    reports.update(rows);
  }

  function drawActions() {
    const ids = [...chosen];
    clear(
      actions,
      ids.length > 0 && h("span", { class: "note" }, `${ids.length} chosen`),
      h(
        "a",
        {
          class: "button",
          href: href("/compare", { run: ids }),
          "aria-disabled": String(ids.length < 2),
          hidden: ids.length < 2,
        },
        "Compare",
      ),
      ids.length > 0 && h("button", { class: "button danger", type: "button", onclick: () => remove(ids) }, "Delete"),
    );
  }

  function name(row) {
    const open = h("a", { href: row.error ? null : openPath(row) }, row.name);
    const live = atWork(row.id) && h("span", { class: "tag live" }, "solving");
    const parent =
      row.id.includes("~1") && h("span", { class: "note" }, `${pathOfId(row.id).split("/").slice(0, -1).join("/")} / `);
    return h("span", { class: "named" }, parent, open, live);
  }

  function menu(row) {
    const button = h(
      "button",
      { class: "button quiet small", type: "button", "aria-label": `More for ${row.name}`, onclick: () => more(row) },
      "⋯",
    );
    return button;
  }

  function more(row) {
    const box = dialog({
      title: row.name,
      action: "Close",
      body: [
        h(
          "dl",
          { class: "facts" },
          facts(row).map(([term, text]) => [h("dt", {}, term), h("dd", {}, text)]),
        ),
        h(
          "div",
          { class: "toolbar" },
          !row.error && h("a", { class: "button", href: openPath(row), onclick: shut }, "Study"),
          !row.error &&
            row.players > 0 &&
            h("a", { class: "button", href: `/play/${encodeURIComponent(row.id)}`, onclick: shut }, "Play"),
          !row.error &&
            h("a", { class: "button", href: `/take/${encodeURIComponent(row.id)}`, onclick: shut }, "Take along"),
          h("button", { class: "button", type: "button", onclick: (event) => (shut(event), rename(row)) }, "Rename"),
          h(
            "button",
            { class: "button danger", type: "button", onclick: (event) => (shut(event), remove([row.id])) },
            "Delete",
          ),
        ),
      ],
    });
    return box;
  }

  const shut = (event) => event.target.closest("dialog").close();

  async function rename(row) {
    const done = await ask({
      title: "Rename",
      label: "Name of the folder",
      value: row.name,
      action: "Rename",
      run: (text) => patch(pathOf(row.id), { name: text }),
    });
    if (done) await reload();
  }

  async function remove(ids) {
    const gone = [];
    try {
      for (const id of ids) {
        gone.push(await del(pathOf(id)));
        chosen.delete(id);
      }
    } catch (error) {
      failed(error);
    }
    await reload();
    if (!gone.length) return;
    const names = gone.length === 1 ? gone[0].path : `${gone.length} runs`;
    toast(`Deleted ${names}.`, { action: { label: "Undo", run: () => restore(gone.map((one) => one.deleted)) } });
  }

  async function restore(names) {
    try {
      for (const one of names) await post(`/deleted/${one}/restore`);
    } catch (error) {
      failed(error);
    }
    await reload();
  }

  async function showDeleted() {
    const { deleted } = await get("/deleted");
    const lines = deleted.map((one) =>
      h(
        "li",
        {},
        h(
          "span",
          { class: "grow" },
          one.path,
          " ",
          h("span", { class: "note" }, `${bytes(one.bytes)}, ${ago(one.when)}`),
        ),
        h(
          "button",
          { class: "button small", type: "button", onclick: (event) => (shut(event), restore([one.name])) },
          "Restore",
        ),
      ),
    );
    const emptied = await dialog({
      title: "Deleted runs",
      body: [
        h("p", { class: "note" }, "They are kept for a week, and can be restored until then."),
        h("ul", { class: "plain-list" }, lines),
      ],
      action: "Delete for good",
      run: () => del("/deleted"),
    });
    if (emptied) await reload();
  }

  const body = h(
    "section",
    { class: "body" },
    h("div", { class: "toolbar" }, kinds, field, summary, h("span", { class: "grow" }), actions, bin),
    list,
    reports,
  );
  const welcome = h(
    "section",
    { class: "card welcome" },
    h("h2", {}, "No runs yet"),
    h(
      "p",
      {},
      "A run is a solved game in a folder of its own: its strategy, how good it is, and what it takes to go on with it.",
    ),
    h(
      "div",
      { class: "toolbar" },
      h("a", { class: "button primary", href: "/new" }, "Solve a game"),
      h("a", { class: "button", href: "/new/spot" }, "Solve a spot of hold'em"),
    ),
    h(
      "p",
      { class: "note" },
      "From the command line: ",
      h("code", {}, `equilibrist solve kuhn --save ${data.folder}/kuhn`),
    ),
  );
  root.append(
    h("div", { class: "toolbar" }, h("h1", {}, "Library"), h("span", { class: "note folder" }, data.folder)),
    welcome,
    body,
  );
  draw();

  const refresh = later(reload, 400);
  const states = new Map();
  events(
    ({ type, job }) => {
      const same = type === "job" && states.get(job.id) === `${job.state} ${job.saved}`;
      if (type === "job") states.set(job.id, `${job.state} ${job.saved}`);
      if (["connected", "jobs", "gone"].includes(type) || (type === "job" && !same)) refresh();
    },
    { signal },
  );
  addEventListener("focus", refresh, { signal });
  const often = setInterval(() => document.visibilityState === "visible" && refresh(), 10_000); // what others save here
  signal.addEventListener("abort", () => clearInterval(often));
}

/** Return the path of a run in the folder, from its id. */
export const pathOfId = (id) => id.replaceAll("~1", "/").replaceAll("~0", "~");

/** Return where a run is opened. */
export const openPath = (row) => (row.spot ? runPath(row.id, "spot") : runPath(row.id));

const algorithm = (row) =>
  row.algorithm ? (row.sampling && row.sampling !== "full" ? `${row.algorithm}, ${row.sampling}` : row.algorithm) : "–";
const size = (row) =>
  row.infosets ? `${count(row.infosets)} infosets${row.histories ? `, ${count(row.histories)} histories` : ""}` : null;

function facts(row) {
  if (row.error)
    return [
      ["Problem", row.error],
      ["Size", bytes(row.bytes)],
      ["Saved", moment(row.saved)],
    ];
  return [
    ["Game", row.game],
    ["Players", count(row.players)],
    ["Size", size(row)],
    ["Algorithm", algorithm(row)],
    ["Iterations", `${count(row.iteration)}, stopped by ${row.stopped}`],
    ["Exploitability", gapOf(row)],
    ["Time", duration(row.seconds)],
    ["Saved", `${moment(row.saved)}, ${bytes(row.bytes)}`],
  ];
}
