// Spot: not written yet.
import { h } from "../dom.js";

export async function show(root) {
  document.title = "Spot · Equilibrist";
  root.append(h("h1", {}, "Spot"), h("p", { class: "note" }, "Nothing here yet."));
}
