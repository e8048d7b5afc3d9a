// The histories of a game: the way as columns, and the moves of the history that it leads to, asked for part by part.
import { get, pathOf } from "../api.js";
import { actionColour } from "../colours.js";
import { clear, h } from "../dom.js";
import { count, payoff, percent } from "../format.js";
import { mixBar, strip } from "./strip.js";
import { failed } from "./toast.js";

const AT_ONCE = 100;

export function historyTree({ run, signal, fields, to, go }) {
  let found = null;
  let aim = 0;
  const way = strip("The moves so far");
  const body = h("div", { class: "tree-body" });
  const box = h("div", { class: "study-tree" }, way, body);
  const name = (player) => (player === -1 ? "Chance" : player === -2 ? "End" : `Player ${player}`);
  const path = (numbers) => to({ path: numbers.join("."), infoset: "", of: "" });
  const coloursOf = (labels, player) =>
    labels.map((label) => (player === -1 ? "var(--cat-7)" : actionColour(label, labels)));

  function drawWay() {
    way.update([
      ...found.steps.map((step, depth) => ({
        title: name(step.player),
        note: step.infoset ?? "",
        href: path(found.path.slice(0, depth)),
        moves: [
          {
            label: step.action,
            title: step.infoset ?? "",
            taken: true,
            colour: step.player === -1 ? "var(--cat-7)" : "var(--accent)",
            after: `${step.number + 1} of ${step.moves}`,
            href: path(found.path.slice(0, depth + 1)),
          },
        ],
      })),
      {
        title: found.kind === "end" ? "End" : found.kind === "chance" ? "Chance deals" : `${name(found.player)} acts`,
        note: found.infoset ?? (found.kind === "end" ? found.value.map((one) => payoff(one)).join(" / ") : ""),
      },
    ]);
  }

  function draw() {
    drawWay();
    const players = found.reach.map((_, k) => k);
    const labels = found.moves.map((move) => move.action);
    const colours = coloursOf(labels, found.player);
    const total = found.chance_reach * found.reach.reduce((product, one) => product * one, 1);
    clear(
      body,
      h(
        "dl",
        { class: "stats" },
        [
          [
            `Value ${players.map((k) => `P${k}`).join(" / ")}`,
            (found.value ?? []).map((one) => payoff(one)).join(" / ") || "–",
          ],
          ["Reach", percent(total, 3)],
          ["by chance", percent(found.chance_reach, 3)],
          ...players.map((k) => [`by player ${k}`, percent(found.reach[k], 2)]),
        ].map(([term, value]) => h("div", { class: "stat" }, h("dt", {}, term), h("dd", {}, value))),
        found.infoset !== null &&
          h(
            "a",
            { class: "button small", href: to({ tab: "", infoset: found.infoset, of: found.player, path: "" }) },
            "The infoset",
          ),
      ),
      found.kind === "end"
        ? h(
            "p",
            { class: "card notice" },
            "The game is over: it pays ",
            h("b", {}, found.value.map((one) => payoff(one)).join(" / ")),
            ".",
          )
        : [
            found.player >= 0 &&
              mixBar(
                found.moves.map((move) => move.probability),
                colours,
              ),
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
                    h("th", {}, found.kind === "chance" ? "Outcome" : "Action"),
                    h("th", { class: "num" }, "Probability"),
                    h("th", { class: "mix" }, h("span", { class: "sr" }, "Bar")),
                    players.map((k) => h("th", { class: "num" }, `Value P${k}`)),
                    h("th", {}, "Leads to"),
                  ),
                ),
                h(
                  "tbody",
                  {},
                  found.moves.map((move, k) => line(move, k, colours[k], players)),
                ),
              ),
            ),
            found.moves.length < found.total &&
              h(
                "button",
                { class: "button", type: "button", onclick: more },
                `${count(found.total - found.moves.length)} more`,
              ),
          ],
    );
  }

  const line = (move, k, colour, players) =>
    h(
      "tr",
      { class: k === aim ? "aim-row" : "" },
      h("td", {}, h("a", { href: path([...found.path, move.number]) }, move.action)),
      h("td", { class: "num" }, percent(move.probability, 2)),
      h("td", { class: "mix" }, mixBar([move.probability], [colour])),
      players.map((player) => h("td", { class: "num" }, move.value ? payoff(move.value[player]) : "–")),
      h(
        "td",
        { class: "note" },
        move.kind === "end"
          ? "the end"
          : move.kind === "chance"
            ? `chance, ${count(move.moves)} outcomes`
            : [`player ${move.player} at `, h("code", {}, move.infoset)],
      ),
    );

  async function more() {
    try {
      const next = await get(
        pathOf(run, "tree"),
        { path: found.path.join("."), start: found.moves.length, count: AT_ONCE },
        { signal },
      );
      found.moves.push(...next.moves);
      draw();
    } catch (error) {
      failed(error);
    }
  }

  box.key = (pressed) => {
    if (!found) return;
    if (pressed === "left" && found.path.length) go({ path: found.path.slice(0, -1).join("."), infoset: "", of: "" });
    else if (pressed === "home") go({ path: "", infoset: "", of: "" });
    else if (pressed === "right" && found.moves[aim])
      go({ path: [...found.path, found.moves[aim].number].join("."), infoset: "", of: "" });
    else if ((pressed === "up" || pressed === "down") && found.moves.length) {
      aim = (aim + (pressed === "up" ? -1 : 1) + found.moves.length) % found.moves.length;
      for (const [k, row] of [...body.querySelectorAll("tbody tr")].entries())
        row.classList.toggle("aim-row", k === aim);
      body.querySelector(".aim-row")?.scrollIntoView({ block: "nearest" });
    }
  };
  box.update = async () => {
    const [key, player, numbers] = ["infoset", "of", "path"].map((field) => fields().get(field) ?? "");
    const where = key && !numbers ? { infoset: key, player } : { path: numbers };
    found = await get(pathOf(run, "tree"), { ...where, count: AT_ONCE }, { signal });
    aim = Math.max(
      0,
      found.moves.reduce((best, move, k) => (move.probability > (found.moves[best]?.probability ?? -1) ? k : best), 0),
    );
    draw();
  };
  return box;
}
