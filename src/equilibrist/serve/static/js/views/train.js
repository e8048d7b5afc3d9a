// Train: not written yet.
import { h } from "../dom.js";

export async function show(root) {
  document.title = "Train · Equilibrist";
  root.append(h("h1", {}, "Train"), h("p", { class: "note" }, "Nothing here yet."));
}
