// Ranges and settings of spots that are saved: looked at, painted, imported and exported.
import { href } from "../base/address.js";
import { del, patch, post, put } from "../base/api.js";
import { clear, field, h } from "../base/dom.js";
import { rangeViews } from "../parts/range-tabs.js";
import { saveBlob } from "../parts/save-file.js";
import { failed, toast } from "../parts/toast.js";
import { undoButtons } from "../parts/undo.js";
import { DIALECTS, presetRows, presetTable, written } from "../poker/presets.js";
import { rangePainter } from "../poker/range.js";
import { onDrop } from "../runs/run-panel.js";

export async function show(root, { query, navigate, signal }) {
  document.title = "Ranges · Equilibrist";
  let rows = [];
  let loaded = null; // the row whose range is shown, or null
  const list = presetTable({
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
  const name = h("input", { type: "text", autocomplete: "off", placeholder: "BTN vs BB/call", oninput: () => draw() });
  const position = h("input", { type: "text", autocomplete: "off", placeholder: "BTN", oninput: () => draw() });
  const named = field("Name", name, { name: "name", help: "Folders are separated by slashes." });
  const painter = rangePainter({ label: "Range", onChange: note, saves: false });
  const undo = undoButtons({ restore: (text) => painter.set(text).catch(failed), signal });
  const about = h("p", { class: "note" });
  const actions = h("div", { class: "toolbar" });
  const dialects = h(
    "select",
    { "aria-label": "Dialect of the export" },
    Object.entries(DIALECTS).map(([value, text]) => h("option", { value }, text)),
  );

  function note(text) {
    undo.note(text);
    draw();
    if (!loaded || loaded.text !== text) history.replaceState(null, "", href("/ranges", { name: loaded?.name, text }));
  }

  function draw() {
    const own = loaded && !loaded.usual;
    const button = (label, run, { disabled = false, kind = "" } = {}) =>
      h(
        "button",
        { type: "button", class: `button small ${kind}`, disabled, onclick: () => run().catch(failed) },
        label,
      );
    const use = (who) =>
      h("a", { class: "button small", href: href("/new/spot", { spot: spotWith(who) }) }, `As ${who}`);
    const empty = !painter.text;
    about.textContent = loaded?.usual
      ? `Of our own solution of ${loaded.usual}, to 0.0001 big blinds a hand, in steps of 5 %; where there are raises the board is checked down after the flop.`
      : "";
    clear(
      actions,
      button("Save", save, { kind: "primary", disabled: empty || !name.value.trim() }),
      own && button("Rename", rename, { disabled: name.value.trim() === loaded.name || !name.value.trim() }),
      own && button("Delete", remove),
      h("span", { class: "grow" }),
      undo,
      use("OOP"),
      use("IP"),
      h("a", { class: "button small", href: href("/equity", { oop: painter.text }) }, "Equity"),
    );
  }

  /** Return the settings of a new spot in which a player has this range, as a text. */
  const spotWith = (who) =>
    JSON.stringify({
      board: "",
      oop: "",
      ip: "",
      pot: "",
      stack: "",
      bets: "50%; 3x",
      [who.toLowerCase()]: painter.text,
    });

  async function save() {
    named.fail("");
    try {
      const saved = await put("/presets", {
        kind: "range",
        name: name.value,
        position: position.value,
        text: painter.text,
      });
      toast(`Saved ${saved.name}.`);
      await read();
      navigate("/ranges", { name: saved.name }, { replace: true });
    } catch (error) {
      if (error.field !== "name") throw error;
      named.fail(error.message);
    }
  }

  async function rename() {
    named.fail("");
    try {
      const saved = await patch("/presets", { kind: "range", name: loaded.name, to: name.value });
      await read();
      navigate("/ranges", { name: saved.name }, { replace: true });
    } catch (error) {
      if (!["name", "to"].includes(error.field)) throw error;
      named.fail(error.message);
    }
  }

  async function remove() {
    const gone = await del("/presets", { kind: "range", name: loaded.name });
    const back = async () => {
      await put("/presets", { kind: "range", name: gone.name, position: gone.position, text: gone.text });
      await read();
    };
    toast(`Deleted ${gone.name}.`, { action: { label: "Undo", run: () => back().catch(failed) } });
    await read();
    navigate("/ranges", {}, { replace: true });
  }

  async function load(files) {
    try {
      const names = [];
      for (const file of files) {
        const answer = await post("/presets/file", {
          name: file.webkitRelativePath || file.name,
          text: await file.text(),
        });
        names.push(...answer.added);
      }
      toast(`Imported ${names.length === 1 ? names[0].name : `${names.length} ranges and settings`}.`);
      await read();
      if (names.length === 1 && names[0].kind === "range") navigate("/ranges", { name: names[0].name });
    } catch (error) {
      await read();
      failed(error);
    }
  }

  async function read() {
    rows = await presetRows("range", { signal });
    list.update(rows);
    spots.update(await presetRows("spot", { signal }));
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
  const copy = async () => {
    await navigator.clipboard.writeText(await written(painter.text, dialects.value));
    toast("Copied.");
  };
  const download = async () => {
    const text = await written(painter.text, dialects.value);
    const stem = (name.value.split("/").at(-1) || "range").replace(/[^\w.-]+/g, "-");
    saveBlob(new Blob([text]), `${stem}.${dialects.value === "json" ? "json" : "txt"}`);
  };
  const small = (label, onclick, title = /** @type {string | null} */ (null)) =>
    h("button", { type: "button", class: "button small", title, onclick }, label);
  root.append(
    h(
      "div",
      { class: "toolbar" },
      h("h1", {}, "Ranges"),
      rangeViews("/ranges"),
      h("span", { class: "grow" }),
      small(
        "Import …",
        () => chooser.click(),
        "Files of ranges as a text, of PioSOLVER, GTO+ or JSON, each under the name of its file; or an export of this list. They may be dropped on the page.",
      ),
      h("a", { class: "button small", href: "/api/presets/file", download: "equilibrist-ranges.json" }, "Export all"),
      chooser,
    ),
    h(
      "div",
      { class: "columns" },
      h(
        "div",
        { class: "stack" },
        h("div", { class: "card" }, list),
        h("div", { class: "card" }, h("h2", {}, "Settings of spots"), spots),
      ),
      h(
        "div",
        { class: "card ranges" },
        h("div", { class: "fields" }, named, field("Position", position, { name: "position" })),
        about,
        actions,
        painter,
        h(
          "div",
          { class: "toolbar" },
          dialects,
          small("Copy", () => copy().catch(failed)),
          small("Save as a file", () => download().catch(failed)),
        ),
      ),
    ),
  );
  onDrop(root, (file) => load([file]));

  async function update({ query: wanted }) {
    const chosen = wanted.get("name") ?? "";
    loaded = rows.find((row) => row.name === chosen) ?? null;
    name.value = loaded?.usual ? "" : (loaded?.name ?? "");
    position.value = loaded?.position ?? "";
    named.fail(chosen && !loaded ? `Nothing of the name ${chosen} is saved.` : "");
    const text = wanted.get("text") ?? loaded?.text ?? "";
    await painter.set(text);
    undo.note(text);
    draw();
  }

  await read();
  await update({ query });
  return { update };
}
