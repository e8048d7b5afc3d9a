// Hands: folders of hand histories, and where new ones are dropped.
import { get, post } from "../base/api.js";
import { h } from "../base/dom.js";
import { bytes, count } from "../base/format.js";
import { table } from "../parts/table.js";
import { filesCard } from "../poker/histories-files.js";

/** @import { HandCollection } from "../base/answers.js" */

const STATES = {
  new: "not graded yet",
  waiting: "waits",
  running: "being graded",
  done: "graded",
  failed: "could not be graded",
  stopped: "stopped",
  interrupted: "interrupted: the server ended",
};

const path = ({ id }) => `/hands/${encodeURIComponent(id)}`;

/** Return what a folder of dropped files is called. */
export function nameOfFiles(files) {
  const [first] = files;
  const folder = first.name.includes("/") ? first.name.split("/")[0] : "";
  if (folder) return folder;
  return files.length === 1 ? first.name : `${first.name} and ${files.length - 1} more`;
}

export async function show(root, { navigate, signal }) {
  document.title = "Hands · Equilibrist";
  const { collections } = await get("/hands", {}, { signal });
  const drop = filesCard({
    title: "Hand histories",
    open: async (files) => (await post("/hands", { name: nameOfFiles(files).slice(0, 200) })).id,
    onSent: async (hands) => {
      await post("/hands/{hands}/grade", { hands });
      navigate(path({ id: hands }));
    },
  });
  const numeric = { numeric: true, descending: true };
  const list = table({
    columns: [
      {
        key: "name",
        title: "Name",
        meaning: "The folder, or the first file, that was dropped.",
        show: (row) => h("a", { href: path(row) }, row.name),
      },
      {
        key: "created",
        title: "Saved",
        show: (row) => row.created.slice(0, 16).replace("T", " "),
        class: "hide-narrow",
      },
      { key: "files", title: "Files", ...numeric, class: "hide-narrow" },
      { key: "bytes", title: "Size", show: (row) => bytes(row.bytes), ...numeric, class: "hide-narrow" },
      {
        key: "hands",
        title: "Hands",
        meaning: "How many are in the files.",
        show: (row) => count(row.hands),
        ...numeric,
      },
      {
        key: "graded",
        title: "Graded",
        show: (row) => count(row.graded),
        ...numeric,
      },
      {
        key: "state",
        title: "State",
        meaning: "Whether the hands are being graded.",
        value: (/** @type {HandCollection} */ row) => STATES[row.state],
      },
    ],
    rows: collections,
    sort: { key: "created", descending: true },
    onOpen: (row) => navigate(path(row)),
    label: "Hand histories",
    height: "50vh",
  });
  root.append(
    h("div", { class: "toolbar" }, h("h1", {}, "Hands")),
    drop,
    ...(collections.length ? [h("section", { class: "card" }, h("h2", {}, "Read before"), list)] : []),
  );
}
