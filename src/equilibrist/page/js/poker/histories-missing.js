// Spots that hands need and no run covers: whose ranges they get, which they are, and solving them.
import { post } from "../base/api.js";
import { clear, field, h } from "../base/dom.js";
import { chips, count } from "../base/format.js";
import { failed, toast } from "../parts/toast.js";
import { cardRow } from "../cards/cards.js";
import { isWorking } from "./histories-store.js";

/** @import { SpotToSolve } from "../base/answers.js" */
/** @typedef {import("./histories-store.js").HistoriesStore} HistoriesStore */

const SHOWN = 8;

const spotsInWords = (number) => `${count(number)} ${number === 1 ? "spot" : "spots"}`;

/** Return the name of the run of a spot. */
const nameOf = ({ board, stack, pot }) => `${board}-${chips(stack)}-in-${chips(pot)}`;

/**
 * Return the card of what is missing. `sources` are where ranges may come from: [{id, label, ranges}].
 *
 * @param {HistoriesStore} store
 * @param {{id: string, label: string, ranges: any}[]} sources
 */
export function missingPanel(store, sources) {
  const select = h(
    "select",
    {},
    h("option", { value: "" }, "choose …"),
    sources.map(({ id, label }) => h("option", { value: id }, label)),
  );
  const until = h("input", { type: "text", value: "0.5%", autocomplete: "off" });
  const number = h("input", { type: "number", min: 1, max: 200, value: 10 });
  const list = h("div", { class: "stack" });
  const look = h("button", { type: "button", class: "button", onclick: lookForSpots }, "Look for spots");
  const solve = h("button", { type: "button", class: "button primary", onclick: solveSpots }, "Solve what is missing");
  const fields = h(
    "div",
    { class: "fields" },
    field("Spots", number, { name: "spots", help: "Those with the most decisions." }),
    field("Solved to", until, { name: "until" }),
  );
  const element = h(
    "section",
    { class: "card" },
    h("h2", {}, "What is missing"),
    h(
      "p",
      { class: "note" },
      "Decisions of boards and stacks that no run of this folder covers. A spot or a run before the flop tells with which ranges they are solved.",
    ),
    field("Ranges from", select, { name: "ranges" }),
    h("div", { class: "toolbar" }, look),
    list,
  );

  async function lookForSpots() {
    const source = sources.find(({ id }) => id === select.value);
    if (!source) return select.focus();
    try {
      await store.grade({ ranges: source.ranges });
    } catch (error) {
      failed(error);
    }
  }

  async function solveSpots() {
    const spots = store.state.report?.missing?.spots ?? [];
    const chosen = spots.slice(0, Number(number.value) || 1);
    solve.disabled = true;
    try {
      for (const spot of chosen)
        await post("/jobs", { spot: spot.settings, until: until.value.trim(), name: nameOf(spot) });
      toast(`In the queue: ${spotsInWords(chosen.length)}. Grade again once all is solved.`);
    } catch (error) {
      failed(error);
    } finally {
      solve.disabled = false;
    }
  }

  /** @param {SpotToSolve} spot */
  const spotRow = ({ board, pot, stack, decisions }) =>
    h(
      "li",
      {},
      h("span", { class: "grow" }, cardRow(board), ` ${chips(stack)} in ${chips(pot)}`),
      h("span", { class: "note nowrap" }, count(decisions)),
    );

  function show() {
    const { report, collection } = store.state;
    element.hidden = !report || !sources.length;
    look.disabled = isWorking(collection);
    const missing = report?.missing;
    if (!missing) return clear(list);
    const { spots } = missing;
    clear(
      list,
      h("p", {}, `${spotsInWords(spots.length)}, for ${count(missing.decisions)} decisions.`),
      h("ul", { class: "plain-list ruled" }, spots.slice(0, SHOWN).map(spotRow)),
      spots.length > SHOWN && h("p", { class: "note" }, `and ${count(spots.length - SHOWN)} more`),
      spots.length > 0 && [fields, h("div", { class: "toolbar" }, solve, h("a", { href: "/jobs" }, "Solving"))],
    );
  }

  return { element, show };
}
