// Where files of hands are dropped or chosen.
import { h } from "../base/dom.js";
import { bytes } from "../base/format.js";
import { failed, toast } from "../parts/toast.js";
import { chosenFiles, droppedFiles, SUFFIXES } from "./dropped-files.js";
import { sendFiles } from "./histories-store.js";

/** @import { NamedFile } from "./dropped-files.js" */

/**
 * Return a card that takes files and folders of hands. `open()` gives the id of the folder that they are added to, and
 * `onSent(id)` is called once they are there.
 *
 * @param {{title: string, open: (files: NamedFile[]) => Promise<string>, onSent: (hands: string) => any}} options
 */
export function filesCard({ title, open, onSent }) {
  const bar = h("progress", { max: 1, value: 0, "aria-label": "Sent", hidden: true });
  const told = h("p", { class: "note", role: "status" });

  function showSent(sent, total) {
    bar.setAttribute("value", String(total ? sent / total : 1));
    told.textContent = `${bytes(sent)} of ${bytes(total)} sent`;
  }

  /** @param {NamedFile[]} files */
  async function take(files) {
    try {
      if (!files.length) return;
      const hands = await open(files);
      bar.hidden = false;
      const { sent, left } = await sendFiles(hands, files, showSent);
      if (!sent) throw new Error(`None of these ${files.length} files ends in ${SUFFIXES.join(", ")}.`);
      if (left) toast(`${left} files were left out: files of hands end in ${SUFFIXES.join(", ")}.`);
      await onSent(hands);
    } catch (error) {
      failed(error);
    } finally {
      bar.hidden = true;
      told.textContent = "";
    }
  }

  const chooser = (label, attributes) => {
    const input = /** @type {HTMLInputElement} */ (
      h("input", {
        type: "file",
        class: "sr",
        tabindex: "-1",
        multiple: true,
        "aria-label": label,
        onchange: async () => {
          await take(chosenFiles(input));
          input.value = "";
        },
        ...attributes,
      })
    );
    const button = h("button", { type: "button", class: "button", onclick: () => input.click() }, label);
    return [button, input];
  };

  const card = h(
    "section",
    { class: "card drop-files" },
    h("h2", {}, title),
    h(
      "p",
      { class: "note" },
      "Drop files or a folder here. PokerStars, GGPoker, Winamax, 888poker, iPoker, PHH and ACPC are read. The files stay on the machine of the server.",
    ),
    h(
      "div",
      { class: "toolbar" },
      chooser("Choose files", { accept: SUFFIXES.join(",") }),
      chooser("Choose a folder", { webkitdirectory: true }),
    ),
    bar,
    told,
  );
  for (const type of ["dragover", "dragleave", "drop"]) {
    card.addEventListener(type, (event) => {
      event.preventDefault();
      card.classList.toggle("dropping", type === "dragover");
      const dropped = /** @type {DragEvent} */ (event).dataTransfer;
      if (type === "drop" && dropped) droppedFiles(dropped).then(take, failed);
    });
  }
  return card;
}
