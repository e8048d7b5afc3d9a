// What is saved to start from: ranges and settings of spots by name; chosen from a list, saved, and written to files.
import { ApiError } from "../base/api-error.js";
import { get, post, put } from "../base/api.js";
import { field, h } from "../base/dom.js";
import { chips } from "../base/format.js";
import { dialog } from "../parts/dialog.js";
import { table } from "../parts/table.js";
import { failed, toast } from "../parts/toast.js";
import { holeCardsOf } from "./saved-ranges.js";

export const DIALECTS = {
  text: "PioSOLVER and others: AA,KQs:0.5",
  "gto+": "GTO+, Flopzilla: AA,[50]KQs[/50]",
  json: "JSON",
  weights: "PioSOLVER: 1,326 weights",
};

/** Return the saved and the usual ranges, or the saved spots, as rows; `usual` has the game that it is a solution of. */
export async function presetRows(kind, options = {}) {
  const all = await get("/presets", {}, options);
  if (all.set_aside)
    toast(
      `The file of saved ranges was damaged, and nothing is saved now. It is kept as .equilibrist/${all.set_aside} in the served folder.`,
      { kind: "wrong" },
    );
  return kind === "spot"
    ? all.spots
    : [...all.ranges, ...all.usual.map(({ game, ...row }) => ({ ...row, usual: game }))];
}

/**
 * Return a search field with a table of rows; onOpen(row) is told. The element has update(rows).
 *
 * @param {{kind: string, rows?: any[], onOpen: (row: any) => void, height?: string, empty?: string}} options
 */
export function presetTable({ kind, rows = [], onOpen, height = "min(420px, 55vh)", empty = "Nothing is saved yet." }) {
  let all = rows;
  const columns = [
    { key: "name", title: "Name", tip: (row) => row.text ?? JSON.stringify(row.settings) },
    { key: "position", title: "Position" },
    kind === "range" && {
      key: "combos",
      title: "Combos",
      numeric: true,
      descending: true,
      show: (row) => chips(row.combos),
    },
    kind === "range" && {
      key: "usual",
      title: "From",
      value: (row) => (row.usual ? "our solution" : "saved"),
      tip: (row) => row.usual && `Of our own solution of ${row.usual}`,
    },
  ].filter(Boolean);
  const list = table({
    columns,
    rows,
    key: (row) => `${row.name} ${row.usual ?? ""}`,
    onOpen,
    label: "Saved",
    height,
    empty,
  });
  const search = h("input", {
    type: "search",
    placeholder: "Search",
    "aria-label": "Search by name and position",
    oninput: () => draw(),
  });
  const draw = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.update(all.filter((row) => words.every((word) => `${row.name} ${row.position}`.toLowerCase().includes(word))));
  };
  const element = h("div", { class: "stack presets" }, search, list);
  element.update = (next) => {
    all = next;
    draw();
  };
  return element;
}

/**
 * Let one of what is saved be chosen; return its row, or null. Of ranges those of hands of so many cards.
 *
 * @param {string} kind @param {number} holeCards
 */
export async function choosePreset(kind, holeCards) {
  const all = await presetRows(kind);
  const rows = kind === "range" ? all.filter((row) => holeCardsOf(row) === holeCards) : all;
  let chosen = null;
  const list = presetTable({
    kind,
    rows,
    onOpen: (row) => {
      chosen = row;
      list.closest("form").requestSubmit();
    },
  });
  return dialog({
    title: kind === "range" ? "Ranges" : "Settings of spots",
    body: list,
    action: "Load",
    wide: true,
    run: () => {
      if (!chosen) throw new ApiError("Choose one: a click, or Enter on its line.");
      return chosen;
    },
  });
}

/** Ask for a name, and save what `content` has under it. */
export async function savePreset(kind, content, { name = "", position = "" } = {}) {
  const rows = await presetRows(kind);
  const taken = new Set(rows.filter((row) => !("usual" in row)).map((row) => row.name));
  const list = h(
    "datalist",
    { id: "preset-names" },
    [...taken].map((value) => h("option", { value })),
  );
  const named = h("input", { type: "text", list: list.id, value: name, required: true, autocomplete: "off" });
  const place = h("input", { type: "text", value: position, autocomplete: "off", placeholder: "BTN" });
  const saved = await dialog({
    title: kind === "range" ? "Save this range" : "Save these settings",
    body: [
      field("Name", named, { name: "name", help: "Folders are separated by slashes: BTN vs BB/call" }),
      field("Position", place, { name: "position" }),
      list,
    ],
    action: "Save",
    run: () => put("/presets", { kind, name: named.value, position: place.value, ...content }),
  });
  if (saved) toast(`${taken.has(saved.name) ? "Replaced" : "Saved"} ${saved.name}.`);
  return saved;
}

/** Return buttons that load and save; content() is what would be saved, and load(row) is told. */
export const presetButtons = ({ kind, content, load }) => {
  const button = (label, title, run) =>
    h("button", { type: "button", class: "button small quiet", title, onclick: () => run().catch(failed) }, label);
  const what = kind === "range" ? "a range" : "settings of a spot";
  return [
    button("Load …", `Load ${what}`, async () => {
      const row = await choosePreset(kind, holeCardsOf(content()));
      if (row) await load(row);
    }),
    button("Save …", `Save ${what} under a name`, () => savePreset(kind, content())),
  ];
};

/** Return the text of a range in a dialect. */
export const written = async (text, dialect) => (await post("/spots/range", { text, dialect })).text;
