// Labs: the figures of the documentation that readers move, one at a time.
import { href } from "../base/address.js";
import { chosenName } from "../base/choices.js";
import { h } from "../base/dom.js";
import { labFigure } from "../parts/lab-figure.js";

/** Name, title, and what is to be found there. */
const LABS = {
  rps: [
    "Regret matching",
    "Rock, paper, scissors against a program that plays in proportion to its regrets. Play rounds, predict what it plays next, or let two programs play each other.",
  ],
  blotto: [
    "Colonel Blotto",
    "Regret matching with five soldiers on three fields: 21 actions, and the same rule as in rock, paper, scissors.",
  ],
  "one-bet": [
    "One bet",
    "One bet, one call: how often to bluff and how often to call is a point in a square. Drag it, and see what each player could gain.",
  ],
  kuhn: [
    "Kuhn poker",
    "Counterfactual regret minimisation on three cards, an iteration at a time: every number says what it is made of.",
  ],
  leduc: ["Leduc hold’em", "CFR on 288 infosets with its certificate, and parts that are solved again."],
  learning: ["Learning", "Two small networks learn Kuhn poker, beside the table of regrets that they approximate."],
};
const FIRST = "rps";

/** Return the links to all labs, of which one is shown. */
const tabs = (shown) =>
  h(
    "nav",
    { class: "segmented", "aria-label": "Labs" },
    Object.entries(LABS).map(([name, [title]]) =>
      h(
        "a",
        { class: "button small", href: href("/labs", { lab: name }), "aria-current": name === shown ? "page" : null },
        title,
      ),
    ),
  );

export async function show(root, { query }) {
  const asked = chosenName(LABS, "lab", query.get("lab"), FIRST);
  const [title, text] = LABS[asked];
  document.title = `${title} · Equilibrist`;
  root.append(
    h("div", { class: "toolbar" }, h("h1", {}, "Labs"), h("span", { class: "grow" }), tabs(asked)),
    h("h2", {}, title),
    h("p", { class: "note" }, text),
    labFigure(asked, {}),
  );
}
