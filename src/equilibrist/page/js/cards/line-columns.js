// The way to a place as columns side by side: at each decision all its moves, the one taken marked; cards between them.
import { clear, h } from "../base/dom.js";
import { percent } from "../base/format.js";
import { card } from "./cards.js";
import { gradient } from "./grid.js";

/**
 * Return the columns of a way. Each is {title, note, moves: [{label, title, share, colour, taken, aim, href, after}], href}
 * or {card, href, title}. A move that is `taken` leads on; `aim` is the one that the keys point at. The element has
 * update(columns).
 */
export function lineColumns(label = "Line") {
  const box = h("nav", { class: "strip", "aria-label": label });
  box.update = (columns) => {
    clear(
      box,
      columns.map((one) => (one.card ? dealt(one) : one.moves ? decision(one) : outcome(one))),
    );
    requestAnimationFrame(() => {
      // when all else is on the page, too: to ask for a width lays it out
      box.scrollLeft = box.scrollWidth;
      const aim = box.querySelector(".aim");
      if (aim) aim.parentElement.scrollTop = aim.offsetTop - aim.parentElement.offsetTop - 40;
    });
  };
  return box;
}

const head = ({ title, note, href }) =>
  h(
    "div",
    { class: "head" },
    href ? h("a", { href }, title) : h("b", {}, title),
    note && h("span", { class: "note" }, note),
  );

const dealt = (one) =>
  h(
    "section",
    { class: "deal" },
    h("a", { href: one.href, title: one.title, "aria-label": one.title }, card(one.card)),
  );

const outcome = (one) => h("section", { class: "here outcome" }, head(one));

function decision(one) {
  return h(
    "section",
    { class: one.moves.some((move) => move.taken) ? "" : "here" },
    head(one),
    h(
      "div",
      { class: "moves" },
      one.moves.map((move) =>
        h(
          "a",
          {
            href: move.href,
            class: `${move.taken ? "taken" : ""} ${move.aim ? "aim" : ""}`,
            title: move.title,
            "aria-current": move.taken ? "step" : null,
            css: { "--colour": move.colour, "--share": move.share ?? 0 },
          },
          h("span", { class: "dot" }),
          h("span", { class: "label" }, move.label),
          h(
            "span",
            { class: "note" },
            move.share === undefined || move.share === null
              ? (move.after ?? "")
              : percent(move.share, move.share > 0 && move.share < 0.01 ? 1 : 0),
          ),
        ),
      ),
    ),
  );
}

/** Return a bar of shares side by side. */
export const mixBar = (shares, colours, title) =>
  h("span", {
    class: "bar-of",
    title,
    css: { background: gradient(shares.map((share, place) => ({ share, colour: colours[place] }))) },
  });

/** Return the column of a table that draws a mix as a bar; `sharesOf` gives the shares of a row. */
export const mixColumn = (sharesOf, colours) => ({
  key: "mix",
  title: "Mix",
  sort: false,
  class: "mix",
  show: (row) => mixBar(sharesOf(row), colours),
});
