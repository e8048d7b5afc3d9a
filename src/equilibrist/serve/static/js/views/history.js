// Play: not written yet.
import { h } from "../dom.js";

export async function show(root) {
  document.title = "Play · Equilibrist";
  root.append(h("h1", {}, "Play"), h("p", { class: "note" }, "Nothing here yet."));
}
