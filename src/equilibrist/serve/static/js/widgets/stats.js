// Numbers with their names, and how good a solution is in a sentence.
import { h } from "../dom.js";
import { gapOf } from "../format.js";
import { typeset } from "../words.js";

/** Return a number with its name. */
export const stat = (name, value, title = null) =>
  h("div", { class: "stat", title }, h("dt", {}, name), h("dd", {}, value));

/** Return the exploitability of a run, and what that means. */
export const quality = (about) =>
  h(
    "p",
    { class: "quality", title: about.guarantee },
    h("b", {}, gapOf(about)),
    " ",
    h("span", { class: "note" }, typeset(about.quality)),
  );
