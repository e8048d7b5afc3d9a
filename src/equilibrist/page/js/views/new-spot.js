// A spot of hold'em: board, ranges, chips and bet sizes; its tree, memory and time before it is solved.
import { href } from "../base/address.js";
import { get, post } from "../base/api.js";
import { h } from "../base/dom.js";
import { amount, inBlinds, liveUnitSwitch } from "../base/units.js";
import { saveAnswer } from "../parts/save-file.js";
import { failed, toast } from "../parts/toast.js";
import { undoButtons } from "../parts/undo.js";
import { bettingTree } from "../poker/betting-tree.js";
import { presetButtons } from "../poker/presets.js";
import { spotForm } from "../poker/spot-form.js";
import { spotInAddress } from "../poker/spot-settings.js";
import { fieldsOf, settingsInAddress } from "../runs/carried.js";
import { onDrop, runPanel } from "../runs/run-panel.js";

const NOTHING = { oop: "", ip: "", board: "", pot: "", stack: "", bets: "50%; 3x" };

/** Return the settings of a spot that say which game it is: of a form that is cleared they stay. */
const kindSettings = ({ game, deck, pot_limit }) => ({ game, deck, pot_limit });

export async function show(root, { query, navigate, signal }) {
  document.title = "New spot · Equilibrist";
  const algorithms = await get("/algorithms", {}, { signal });
  const form = spotForm({ onChange: change, shown: query.get("range") });
  const spot = form.settings;
  const tree = bettingTree({ spot, edit: form.editLines, line: query.get("line") ?? "", signal });
  let facts = null; // of the last estimate
  const units = liveUnitSwitch(query, spot, drawUnits);
  const undo = undoButtons({ restore: (text) => fill(JSON.parse(text)), signal });
  const panel = runPanel({
    known: algorithms,
    spot: true,
    given: settingsInAddress(query),
    onChange: change,
    path: "/spots/estimate",
    request: () => ({ spot: spot() }),
    place: form.place,
    onFacts: (next) => ((facts = next), drawUnits()),
    navigate,
    signal,
  });

  /** Draw what is told in a unit: pot and stacks below their fields, and the tree. */
  function drawUnits() {
    const { pot, stack } = spot();
    form.tellAmounts(inBlinds() ? `${amount(pot)} bb, ${amount(stack)} bb behind` : "");
    tree.update(facts);
  }

  function change() {
    const settings = spot();
    units.update();
    const text = JSON.stringify(settings);
    panel.reset();
    form.reset();
    bar.many.disabled = settings.game === "omaha";
    undo.note(text);
    const view = { unit: query.get("unit"), bb: query.get("bb") };
    const run = panel.settings.address();
    history.replaceState(null, "", href("/new/spot", { spot: text, ...run, ...view, batch: query.get("batch") }));
    if (settings.board || settings.oop) panel.estimate();
    else panel.empty();
  }

  async function fill(settings) {
    await form.fill(settings);
    change();
  }

  /** Go on to many boards, with this spot and these settings; what was typed there before comes back. */
  const many = () => {
    const before = fieldsOf(query.get("batch"));
    navigate("/batches/new", { ...before, spot: JSON.stringify(spot()), ...panel.settings.address() });
  };
  const presets = presetButtons({
    kind: "spot",
    content: () => ({ settings: spot() }),
    load: ({ settings }) => fill(settings),
  });
  let files = 0; // so far: one that is read late shows nothing in the place of another
  const load = async (file) => {
    const number = ++files;
    try {
      const asked = { text: await file.text(), name: file.name };
      const { settings, warnings, game } = await post("/spots/read", asked, { signal });
      if (number !== files) return undefined;
      // Of three ranges, for which there are no fields here.
      if (game) return navigate("/new", { game });
      await fill(settings);
      toast(`Loaded ${file.name}.`);
      warnings.forEach((sentence) => toast(sentence, { seconds: 20 }));
    } catch (error) {
      failed(error);
    }
  };
  const bar = toolbar({
    kind: form.parts.kind,
    load,
    save: () => saveAnswer("/spots/file", { spot: spot() }, `${spot().board}.toml`).catch(failed),
    clear: () => fill({ ...NOTHING, ...kindSettings(spot()) }),
    presets,
    many,
    undo,
  });
  root.append(
    bar.element,
    h(
      "form",
      { class: "columns", novalidate: true, onsubmit: panel.submit },
      form.parts.ranges,
      h("div", { class: "stack" }, form.parts.carried, form.parts.board, form.parts.bets, form.parts.locks),
      h(
        "div",
        { class: "stack side" },
        panel.card,
        h(
          "div",
          { class: "card" },
          h("div", { class: "toolbar" }, h("h2", { class: "grow" }, "Betting tree"), units),
          tree,
        ),
      ),
    ),
  );
  onDrop(root, load);
  const { settings, problem } = spotInAddress(query);
  await fill(settings);
  if (problem) toast(problem, { kind: "wrong" });
}

/** Return the bar above the form, and its button of many boards, which are of hold'em alone. */
function toolbar({ kind, load, save, clear, many, presets, undo }) {
  const file = h("input", {
    type: "file",
    class: "sr",
    tabindex: "-1",
    accept: ".toml,.json,.txt",
    "aria-label": "Spot file",
    onchange: async () => {
      if (file.files[0]) await load(file.files[0]);
      file.value = "";
    },
  });
  const button = (text, onclick, title = /** @type {string | null} */ (null)) =>
    h("button", { type: "button", class: "button", onclick, title }, text);
  const manyTitle = "Of hold'em: a report over flops, turns or rivers; or several stacks, sizes, algorithms";
  const manyButton = button("Many boards …", many, manyTitle);
  const element = h(
    "div",
    { class: "toolbar" },
    h("h1", {}, "New spot"),
    kind,
    h("span", { class: "grow" }),
    undo,
    presets,
    manyButton,
    button(
      "Load a file …",
      () => file.click(),
      "A spot file (.toml), or settings of wasm-postflop (.json), PioSOLVER or TexasSolver (.txt); or drop it on the page",
    ),
    button("Save as a file", save),
    h("button", { type: "button", class: "button quiet", onclick: clear }, "Clear"),
    file,
  );
  return { element, many: manyButton };
}
