// Ranges and settings of spots that are saved: looked at, painted, imported and exported.
import { href } from "../base/address.js";
import { clear, field, h } from "../base/dom.js";
import { rangeViews } from "../parts/range-tabs.js";
import { saveBlob } from "../parts/save-file.js";
import { failed, toast } from "../parts/toast.js";
import { undoButtons } from "../parts/undo.js";
import { DIALECTS, presetRows, presetTable, written } from "../poker/presets.js";
import { fourCardRange } from "../poker/four-card-range.js";
import { rangePainter } from "../poker/range.js";
import { rangeStore } from "../poker/saved-ranges.js";
import { onDrop } from "../runs/run-panel.js";

/** @typedef {import("../poker/saved-ranges.js").RangeStore} RangeStore */
/** @typedef {(path: string, query?: any, options?: {replace?: boolean}) => void} Navigate */

/** Return a small button; what it does may fail, and then is told. */
const button = (label, run, { disabled = false, kind = "", title = /** @type {string | null} */ (null) } = {}) =>
  h(
    "button",
    {
      type: "button",
      class: `button small ${kind}`.trim(),
      disabled,
      title,
      onclick: async () => {
        try {
          await run();
        } catch (error) {
          failed(error);
        }
      },
    },
    label,
  );

/**
 * Return the tables of what is saved: ranges above, settings of spots below.
 *
 * @param {RangeStore} store
 * @param {Navigate} navigate
 */
function savedPanel(store, navigate) {
  const ranges = presetTable({
    kind: "range",
    height: "max(240px, calc(50vh - 60px))",
    onOpen: (row) => navigate("/ranges", { name: row.name }),
  });
  const spots = presetTable({
    kind: "spot",
    height: "max(120px, calc(50vh - 260px))",
    onOpen: (row) => navigate("/new/spot", { spot: JSON.stringify(row.settings) }),
    empty: "Settings are saved where a new spot is made.",
  });
  store.subscribe((what) => {
    if (what === "ranges") ranges.update(store.state.ranges);
    if (what === "spots") spots.update(store.state.spots);
  });
  return h(
    "div",
    { class: "stack" },
    h("div", { class: "card" }, ranges),
    h("div", { class: "card" }, h("h2", {}, "Settings of spots"), spots),
  );
}

/**
 * Return the fields of name and position; they have fail(message), of the name, and fill().
 *
 * @param {RangeStore} store
 */
function nameFields(store) {
  const name = h("input", {
    type: "text",
    autocomplete: "off",
    placeholder: "BTN vs BB/call",
    oninput: () => store.type({ name: name.value }),
  });
  const position = h("input", {
    type: "text",
    autocomplete: "off",
    placeholder: "BTN",
    oninput: () => store.type({ position: position.value }),
  });
  const named = field("Name", name, { name: "name", help: "Folders are separated by slashes." });
  const element = h("div", { class: "fields" }, named, field("Position", position, { name: "position" }));
  const fail = named.fail;

  /** Show what the store has. */
  function fill() {
    const { state } = store;
    name.value = state.name;
    position.value = state.position;
    fail(state.missing ? `Nothing of the name ${state.missing} is saved.` : "");
  }

  return { element, fail, fill };
}

/**
 * Return what saves, renames and deletes the range that is open: functions without arguments, which may fail.
 *
 * @param {RangeStore} store
 * @param {{text: () => string, fail: (message: string) => void, navigate: Navigate}} context
 *   text returns the range as it is painted; fail shows what is wrong with the name
 */
function rangeActions(store, { text, fail, navigate }) {
  /** Save or rename, and open what has the name now; what is wrong with the name is said there. */
  async function nameRange(change, fields) {
    fail("");
    try {
      const saved = await change();
      navigate("/ranges", { name: saved.name }, { replace: true });
    } catch (error) {
      if (!fields.includes(error.field)) throw error;
      fail(error.message);
    }
  }

  const saveRange = async () => {
    const saved = await store.save(text());
    toast(`Saved ${saved.name}.`);
    return saved;
  };

  async function remove() {
    const gone = await store.remove();
    const restore = () => store.restore(gone).catch(failed);
    toast(`Deleted ${gone.name}.`, { action: { label: "Undo", run: restore } });
    navigate("/ranges", {}, { replace: true });
  }

  return {
    save: () => nameRange(saveRange, ["name"]),
    rename: () => nameRange(store.rename, ["name", "to"]),
    remove,
  };
}

/** Return the address of a new spot in which a player has a range. */
function spotAddress(player, text, holeCards) {
  const settings = {
    ...(holeCards === 4 && { game: "omaha" }),
    board: "",
    oop: "",
    ip: "",
    pot: "",
    stack: "",
    bets: "50%; 3x",
  };
  return href("/new/spot", { spot: JSON.stringify({ ...settings, [player]: text }) });
}

/** Return the bar that copies a range, or saves it as a file, in a dialect. */
function exportBar(store, text) {
  const dialects = h(
    "select",
    { "aria-label": "Dialect of the export" },
    Object.entries(DIALECTS).map(([value, words]) => h("option", { value }, words)),
  );
  const copy = async () => {
    await navigator.clipboard.writeText(await written(text(), dialects.value));
    toast("Copied.");
  };
  const download = async () => {
    const content = await written(text(), dialects.value);
    const stem = (store.state.name.split("/").at(-1) || "range").replace(/[^\w.-]+/g, "-");
    saveBlob(new Blob([content]), `${stem}.${dialects.value === "json" ? "json" : "txt"}`);
  };
  return h("div", { class: "toolbar" }, dialects, button("Copy", copy), button("Save as a file", download));
}

/** Return what is said of a usual range. */
function originOf(loaded) {
  if (!loaded?.usual) return "";
  return `Of our own solution of ${loaded.usual}, to 0.0001 big blinds a hand, in steps of 5 %; where there are raises the board is checked down after the flop.`;
}

/**
 * Return the range that is open: its name, what can be done with it, the painter, and its export. `open()` shows what
 * the store has opened, once it has been read.
 *
 * @param {RangeStore} store
 * @param {{navigate: Navigate, signal: AbortSignal}} context
 */
function editorPanel(store, { navigate, signal }) {
  const ofTwo = rangePainter({ label: "Range", onChange: notePainted, saves: false });
  /** @type {any} */
  let ofFour = null; // made when one of Omaha is opened
  /** @type {any} */
  let painter = ofTwo;
  const undo = undoButtons({ restore: (text) => painter.set(text).catch(failed), signal });
  const names = nameFields(store);
  const about = h("p", { class: "note" });
  const bar = h("div", { class: "toolbar" });
  const actions = rangeActions(store, { text: () => painter.text, fail: names.fail, navigate });

  function show() {
    const { loaded } = store.state;
    const name = store.state.name.trim();
    const own = store.isOwn();
    const link = (label, address) => h("a", { class: "button small", href: address }, label);
    about.textContent = originOf(loaded);
    clear(
      bar,
      button("Save", actions.save, { kind: "primary", disabled: !painter.text || !name }),
      own && button("Rename", actions.rename, { disabled: name === loaded.name || !name }),
      own && button("Delete", actions.remove),
      h("span", { class: "grow" }),
      undo,
      link("As OOP", spotAddress("oop", painter.text, store.state.holeCards)),
      link("As IP", spotAddress("ip", painter.text, store.state.holeCards)),
      painter === ofTwo && link("Equity", href("/equity", { oop: painter.text })),
    );
  }

  /** Take what has been painted into the address, so that it can be undone. */
  function notePainted(text) {
    undo.note(text);
    show();
    const address = store.addressOf(text);
    if (address) history.replaceState(null, "", address);
  }

  /** Put the editor of hands of two or of four cards in sight. */
  function choosePainter() {
    if (store.state.holeCards === 4) ofFour ??= makeFour();
    painter = store.state.holeCards === 4 ? ofFour : ofTwo;
    ofTwo.hidden = exports.hidden = painter !== ofTwo;
    if (ofFour) ofFour.hidden = painter !== ofFour;
  }

  function makeFour() {
    const made = fourCardRange({ label: "Range", board: () => [], onChange: notePainted, saves: false });
    ofTwo.after(made);
    return made;
  }

  async function open() {
    const { text } = store.state;
    choosePainter();
    await painter.set(text);
    undo.note(text);
    show();
  }

  store.subscribe((what) => {
    if (what === "loaded") names.fill();
    if (what === "typed") show();
  });
  const exports = exportBar(store, () => painter.text);
  const element = h("div", { class: "card ranges" }, names.element, about, bar, ofTwo, exports);
  return { element, open };
}

/**
 * Return the button that chooses files to import, the field of them, and `load(files)`.
 *
 * @param {RangeStore} store
 * @param {Navigate} navigate
 */
function importer(store, navigate) {
  async function load(files) {
    try {
      const added = await store.importFiles(files);
      const [first] = added;
      toast(`Imported ${added.length === 1 ? first.name : `${added.length} ranges and settings`}.`);
      if (added.length === 1 && first.kind === "range") navigate("/ranges", { name: first.name });
    } catch (error) {
      failed(error);
    }
  }
  const chooser = h("input", {
    type: "file",
    class: "sr",
    tabindex: "-1",
    multiple: true,
    accept: ".txt,.json",
    "aria-label": "Files of ranges",
    onchange: async () => {
      await load([...chooser.files]);
      chooser.value = "";
    },
  });
  const choose = button("Import …", () => chooser.click(), {
    title:
      "Files of ranges as a text, of PioSOLVER, GTO+ or JSON, each under the name of its file; or an export of this list. They may be dropped on the page.",
  });
  return { choose, chooser, load };
}

export async function show(root, { query, navigate, signal }) {
  document.title = "Ranges · Equilibrist";
  const store = rangeStore({ readRows: (kind) => presetRows(kind, { signal }) });
  const editor = editorPanel(store, { navigate, signal });
  const files = importer(store, navigate);
  root.append(
    h(
      "div",
      { class: "toolbar" },
      h("h1", {}, "Ranges"),
      rangeViews("/ranges"),
      h("span", { class: "grow" }),
      files.choose,
      h("a", { class: "button small", href: "/api/presets/file", download: "equilibrist-ranges.json" }, "Export all"),
      files.chooser,
    ),
    h("div", { class: "columns" }, savedPanel(store, navigate), editor.element),
  );
  onDrop(root, (file) => files.load([file]));

  async function update({ query: opened }) {
    store.open(opened);
    await editor.open();
  }

  await store.read();
  await update({ query });
  return { update };
}
