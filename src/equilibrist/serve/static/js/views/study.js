// Study: not written yet.
import { h } from "../dom.js";

export async function show(root) {
  document.title = "Study · Equilibrist";
  root.append(h("h1", {}, "Study"), h("p", { class: "note" }, "Nothing here yet."));
}
