// Links between the views of ranges.
import { h } from "../base/dom.js";

const VIEWS = { "/ranges": "Ranges", "/equity": "Equity", "/charts": "Push or fold" };

/** Return links to the views of ranges, of which `path` is shown. */
export const rangeViews = (path) =>
  h(
    "nav",
    { class: "segmented", "aria-label": "Views of ranges" },
    Object.entries(VIEWS).map(([address, text]) =>
      h("a", { class: "button small", href: address, "aria-current": address === path ? "page" : null }, text),
    ),
  );
