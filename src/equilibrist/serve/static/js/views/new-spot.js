// New spot: not written yet.
import { h } from "../dom.js";

export async function show(root) {
  document.title = "New spot · Equilibrist";
  root.append(h("h1", {}, "New spot"), h("p", { class: "note" }, "Nothing here yet."));
}
