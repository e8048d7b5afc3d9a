// A lab, an interactive figure of the documentation, on the page: its style sheet and its script are loaded when it is asked for.
import { h } from "../base/dom.js";

const FOLDER = "/static/labs";

/** Return an element with a lab in it as soon as its script has been loaded; `options` are what the lab is given. */
export function labFigure(name, options) {
  const box = h("div", { class: "eq-lab", dataset: { lab: name, options: JSON.stringify(options) } });
  const script = h("script", { src: `${FOLDER}/${name}.js` });
  return h("div", {}, h("link", { rel: "stylesheet", href: `${FOLDER}/${name}.css` }), box, script);
}
