// New run: not written yet.
import { h } from "../dom.js";

export async function show(root) {
  document.title = "New run · Equilibrist";
  root.append(h("h1", {}, "New run"), h("p", { class: "note" }, "Nothing here yet."));
}
