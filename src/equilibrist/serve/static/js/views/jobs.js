// Solving: not written yet.
import { h } from "../dom.js";

export async function show(root) {
  document.title = "Solving · Equilibrist";
  root.append(h("h1", {}, "Solving"), h("p", { class: "note" }, "Nothing here yet."));
}
