// Notes at decisions of a spot: the one of the place that is shown, and the list of all.
import { address, get, put } from "../base/api.js";
import { clear, field, h } from "../base/dom.js";
import { lineInWords } from "../base/words.js";
import { cardRow } from "../cards/cards.js";
import { dialog } from "../parts/dialog.js";
import { failed } from "../parts/toast.js";
import { notesStore } from "./notes-store.js";

/** @typedef {import("./notes-store.js").NotesStore} NotesStore */
/** @typedef {import("./notes-store.js").Place} Place */

const lineName = (line) => lineInWords(line) || "the first decision";

/** Return the notes of a run, which are read from the server. */
export function notesOfRun(run, signal) {
  const store = notesStore({
    read: () => get("/runs/{run}/spot/notes", { run }, { signal }),
    write: (note) => put("/runs/{run}/spot/notes", { run, ...note }),
  });
  store.load().catch(failed);
  return store;
}

/**
 * Let the note at a decision be written: as it is now, for somebody else may have written it since.
 *
 * @param {NotesStore} store
 * @param {Place} place
 */
async function editNote(store, { line, board }) {
  await store.load();
  const text = h("textarea", { rows: "8", value: store.textAt({ line, board }), maxlength: store.state.longest });
  return dialog({
    title: "Note at this decision",
    body: [
      h("p", {}, cardRow(board, { size: "small", board: true }), ` ${lineName(line)}`),
      field("Note", text, { name: "text", help: "It is kept with the run. An empty one is taken away." }),
    ],
    action: "Save",
    run: async () => {
      await store.write({ line, board, text: text.value });
      return true;
    },
  });
}

/**
 * Return the note of the place that is shown: `element`, and show(place), which draws that of a decision.
 *
 * @param {NotesStore} store
 */
export function notePanel(store) {
  const element = h("div", { class: "note-here" });
  let place = /** @type {Place | null} */ (null);

  function draw() {
    if (!place) return;
    const here = place;
    const text = store.textAt(here);
    const button = (label) =>
      h(
        "button",
        { class: "button small quiet", type: "button", onclick: () => editNote(store, here).catch(failed) },
        label,
      );
    if (text)
      clear(element, h("section", { class: "card", "aria-label": "Note" }, h("p", {}, text), button("Edit the note")));
    else clear(element, button("Add a note"));
  }

  store.subscribe(draw);
  return {
    element,
    /** @param {Place} shown */
    show(shown) {
      place = shown;
      draw();
    },
  };
}

/**
 * Return a button that says at how many decisions there are notes, and lists them; hidden where there are none.
 *
 * @param {NotesStore} store
 * @param {{run: string, to: (place: Place) => string, visit: (address: string) => any}} options to gives the address of a
 *   decision, visit goes there
 */
export function notesTag(store, { run, to, visit }) {
  const element = h("button", { class: "tag button small", type: "button", onclick: list });

  function list() {
    const go = (event) => {
      event.preventDefault();
      event.currentTarget.closest("dialog").close();
      visit(event.currentTarget.getAttribute("href"));
    };
    const rows = store.state.notes.map(({ line, board, text }) =>
      h(
        "li",
        {},
        h(
          "div",
          { class: "noted" },
          h(
            "a",
            { href: to({ line, board }), onclick: go },
            cardRow(board, { size: "small", board: true }),
            ` ${lineName(line)}`,
          ),
          h("p", {}, text),
        ),
      ),
    );
    const file = address("/runs/{run}/spot/notes", { run, format: "csv" });
    const save = h("a", { class: "button small", href: file, download: "" }, "CSV");
    return dialog({
      title: "Notes at decisions",
      action: "Close",
      wide: true,
      body: [h("ul", { class: "plain-list ruled" }, rows), save],
    });
  }

  function draw() {
    const { length } = store.state.notes;
    element.hidden = length === 0;
    element.textContent = `${length} ${length === 1 ? "note" : "notes"}`;
  }

  store.subscribe(draw);
  draw();
  return element;
}
