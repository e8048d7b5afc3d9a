// What can be done with runs of the library: rename, delete, restore.
import { del, get, patch, post } from "../base/api.js";
import { h } from "../base/dom.js";
import { ago, bytes } from "../base/format.js";
import { ask, dialog } from "../parts/dialog.js";
import { failed, toast } from "../parts/toast.js";

/** Close the dialog in which a button was pressed. */
export const shut = (event) => event.target.closest("dialog").close();

/**
 * Return functions that rename, delete and restore runs and then call `reload`.
 * @param {() => Promise<void>} reload
 */
export function runActions(reload) {
  async function rename(row) {
    const done = await ask({
      title: "Rename",
      label: "Name of the folder",
      value: row.name,
      action: "Rename",
      run: (text) => patch("/runs/{run}", { run: row.id, name: text }),
    });
    if (done) await reload();
  }

  /** Delete runs; return the ids of those that are deleted. */
  async function remove(ids) {
    const gone = [];
    try {
      for (const id of ids) gone.push(await del("/runs/{run}", { run: id }));
    } catch (error) {
      failed(error);
    }
    await reload();
    if (gone.length) {
      const names = gone.length === 1 ? gone[0].path : `${gone.length} runs`;
      const undo = () => restore(gone.map((one) => one.deleted));
      toast(`Deleted ${names}.`, { action: { label: "Undo", run: undo } });
    }
    return gone.map(({ id }) => id);
  }

  async function restore(names) {
    try {
      for (const name of names) await post("/deleted/{deleted}/restore", { deleted: name });
    } catch (error) {
      failed(error);
    }
    await reload();
  }

  /** Show the deleted runs, which can be restored or removed for good. */
  async function showDeleted() {
    const { deleted } = await get("/deleted");
    const restoreButton = ({ name }) =>
      h(
        "button",
        { class: "button small", type: "button", onclick: (event) => (shut(event), restore([name])) },
        "Restore",
      );
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
        restoreButton(one),
      ),
    );
    const emptied = await dialog({
      title: "Deleted runs",
      body: [
        h("p", { class: "note" }, "They are kept for a week, and can be restored until then."),
        h("ul", { class: "plain-list ruled" }, lines),
      ],
      action: "Delete for good",
      run: () => del("/deleted"),
    });
    if (emptied) await reload();
  }

  return { rename, remove, restore, showDeleted };
}
