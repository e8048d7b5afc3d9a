// The histories of a game: the way as columns, and the moves of the history that it leads to, asked for part by part.
import { get } from "../base/api.js";
import { actionColour } from "../base/colours.js";
import { clear, h } from "../base/dom.js";
import { count, payoff, percent } from "../base/format.js";
import { lineColumns, mixBar } from "../cards/line-columns.js";
import { heading, MEANINGS } from "../parts/explain.js";
import { hintScroll } from "../parts/scroll-hint.js";
import { failed } from "../parts/toast.js";

/** @import { TreeMove, TreePlace } from "../base/answers.js" */

const AT_ONCE = 100;
const CHANCE = "var(--cat-7)";

const nameOf = (player) => (player === -1 ? "Chance" : player === -2 ? "End" : `Player ${player}`);
/** @param {(number | null)[] | null} values */
const payoffs = (values) => (values ?? []).map((one) => payoff(one)).join(" / ");

export function historyTree({ run, signal, fields, to, go }) {
  let found = null;
  let aim = 0;
  const way = lineColumns("The moves so far");
  const body = h("div", { class: "tree-body" });
  const box = h("div", { class: "inspect-tree" }, way, body);
  const path = (numbers) => to({ path: numbers.join("."), infoset: "", of: "" });
  const visit = (numbers) => go({ path: numbers.join("."), infoset: "", of: "" });
  const ask = (where) => get("/runs/{run}/tree", { run, ...where, count: AT_ONCE }, { signal });

  function draw() {
    way.update(wayColumns(found, path));
    const rest = found.total - found.moves.length;
    clear(
      body,
      facts(found, to),
      found.kind === "end" ? gameOver(found) : moves(found, aim, path),
      found.kind !== "end" &&
        rest > 0 &&
        h("button", { class: "button", type: "button", onclick: more }, `${count(rest)} more`),
    );
  }

  async function more() {
    const known = found;
    try {
      const next = await ask({ path: known.path.join("."), start: known.moves.length });
      known.moves.push(...next.moves);
      if (found === known) draw();
    } catch (error) {
      failed(error);
    }
  }

  function turn(by) {
    aim = (aim + by + found.moves.length) % found.moves.length;
    for (const [k, row] of [...body.querySelectorAll("tbody tr")].entries()) row.classList.toggle("aim-row", k === aim);
    body.querySelector(".aim-row")?.scrollIntoView({ block: "nearest" });
  }

  box.key = (pressed) => {
    if (!found) return;
    const next = found.moves[aim];
    if (pressed === "left" && found.path.length) visit(found.path.slice(0, -1));
    else if (pressed === "home") visit([]);
    else if (pressed === "right" && next) visit([...found.path, next.number]);
    else if ((pressed === "up" || pressed === "down") && next) turn(pressed === "up" ? -1 : 1);
  };
  box.update = async () => {
    const place = () => ["infoset", "of", "path"].map((field) => fields().get(field) ?? "");
    const [key, player, numbers] = place();
    const answer = await ask(key && !numbers ? { infoset: key, player } : { path: numbers });
    if (place().join("\n") !== [key, player, numbers].join("\n")) return; // another history is wanted by now
    found = answer;
    const likely = Math.max(...found.moves.map((move) => move.probability ?? -1));
    aim = Math.max(
      0,
      found.moves.findIndex((move) => (move.probability ?? -1) === likely),
    );
    draw();
  };
  return box;
}

/**
 * Return the columns of the way to a history.
 *
 * @param {TreePlace} found
 */
function wayColumns({ steps, path: numbers, kind, player, infoset, value }, path) {
  const columns = steps.map((step, depth) => ({
    title: nameOf(step.player),
    note: step.infoset ?? "",
    href: path(numbers.slice(0, depth)),
    moves: [
      {
        label: step.action,
        title: step.infoset ?? "",
        taken: true,
        colour: step.player === -1 ? CHANCE : "var(--accent)",
        after: `${step.number + 1} of ${step.moves}`,
        href: path(numbers.slice(0, depth + 1)),
      },
    ],
  }));
  const last = {
    title: kind === "end" ? "End" : kind === "chance" ? "Chance deals" : `${nameOf(player)} acts`,
    note: infoset ?? (kind === "end" ? payoffs(value) : ""),
  };
  return [...columns, last];
}

/**
 * Return the value of a history, and how probable it is.
 *
 * @param {TreePlace} found
 */
function facts(found, to) {
  const reach = found.chance_reach * found.reach.reduce((product, one) => product * one, 1);
  const terms = [
    [`Value ${found.reach.map((_, k) => `P${k}`).join(" / ")}`, payoffs(found.value) || "–"],
    ["Reach", percent(reach, 3)],
    ["by chance", percent(found.chance_reach, 3)],
    ...found.reach.map((one, k) => [`by player ${k}`, percent(one, 2)]),
  ];
  return h(
    "dl",
    { class: "stats" },
    terms.map(([term, value]) => h("div", { class: "stat" }, h("dt", {}, term), h("dd", {}, value))),
    found.infoset !== null &&
      h(
        "a",
        { class: "button small", href: to({ tab: "", infoset: found.infoset, of: found.player, path: "" }) },
        "The infoset",
      ),
  );
}

/** @param {TreePlace} found */
const gameOver = ({ value }) =>
  h("p", { class: "card notice" }, "The game is over: it pays ", h("b", {}, payoffs(value)), ".");

/**
 * Return the moves as a bar and as a table.
 *
 * @param {TreePlace} found
 */
function moves(found, aim, path) {
  const labels = found.moves.map((move) => move.action);
  const colours = labels.map((label) => (found.player === -1 ? CHANCE : actionColour(label, labels)));
  const row = (move, k) =>
    h(
      "tr",
      { class: k === aim ? "aim-row" : "" },
      h("td", {}, h("a", { href: path([...found.path, move.number]) }, move.action)),
      h("td", { class: "num" }, percent(move.probability, 2)),
      h("td", { class: "mix" }, mixBar([move.probability], [colours[k]])),
      found.reach.map((_, player) => h("td", { class: "num" }, move.value ? payoff(move.value[player]) : "–")),
      h("td", { class: "note" }, leadsTo(move)),
    );
  return [
    found.player >= 0 &&
      mixBar(
        found.moves.map((move) => move.probability),
        colours,
      ),
    hintScroll(
      h(
        "div",
        { class: "table" },
        h(
          "table",
          { "aria-label": "Moves" },
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              heading(found.kind === "chance" ? "Outcome" : "Action"),
              heading("Probability", { numeric: true }),
              h("th", { class: "mix" }, h("span", { class: "sr" }, "Bar")),
              found.reach.map((_, k) =>
                heading(`Value P${k}`, { numeric: true, meaning: MEANINGS["Value of an action"] }),
              ),
              heading("Leads to"),
            ),
          ),
          h("tbody", {}, found.moves.map(row)),
        ),
      ),
    ),
  ];
}

/** @param {TreeMove} move */
const leadsTo = (move) =>
  move.kind === "end"
    ? "the end"
    : move.kind === "chance"
      ? `chance, ${count(move.moves)} outcomes`
      : [`player ${move.player} at `, h("code", {}, move.infoset)];
