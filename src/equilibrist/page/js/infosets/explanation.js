// One iteration, number by number: the histories that it visited, the infosets that it changed, and its story.
import { get } from "../base/api.js";
import { clear, field, h, termList } from "../base/dom.js";
import { payoff, percent } from "../base/format.js";
import { algorithmName } from "../parts/algorithm-name.js";
import { heading, MEANINGS } from "../parts/explain.js";
import { hintScroll } from "../parts/scroll-hint.js";
import { labFigure } from "../parts/lab-figure.js";

/** @import { ExplainedIteration, ExplainedWalk, WalkMove, WalkNode } from "../base/answers.js" */

const number = (value) =>
  payoff(value, 4)
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");

/** Return a table that scrolls, also by keys. */
const scrolled = (label, heads, rows) =>
  hintScroll(
    h(
      "div",
      { class: "table walk", tabindex: "0", role: "region", "aria-label": label },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            heads.map(([text, tip], k) => heading(text, { numeric: k > 0, meaning: tip })),
          ),
        ),
        h("tbody", {}, rows),
      ),
    ),
  );

/** The columns of a walk, and where the glossary has them. */
const WALK = Object.entries({
  Reach: "Reach of players",
  Weight: "Weight of a history",
  "Strategy σ": "Strategy σ",
  Value: "Value of a history",
  Regret: "Regret of a move",
  "Counterfactual regret": "Counterfactual regret",
  "Next σ": "Next σ",
}).map(([name, word]) => [name, MEANINGS[word]]);

/** Return what the columns are, for those who have not met the words. */
const glossary = () => h("details", {}, h("summary", {}, "What the columns are"), termList(WALK));

/**
 * Return what a history is: chance's, an end, or whose infoset.
 *
 * @param {{player: number, infoset: string | null}} place
 */
const whose = ({ player, infoset }) =>
  player === -1 ? "chance" : player === -2 ? "end" : `player ${player} at ${infoset}`;

/**
 * Return the row of a history.
 *
 * @param {WalkNode} node
 * @param {ExplainedWalk} walk
 */
function historyRow(node, walk, marked) {
  const seen = node.player >= 0 ? node.player : walk.players[0];
  const reach = [...node.reach.map((value, player) => `player ${player}: ${number(value)}`)];
  const name = h("span", { class: node.player >= 0 ? "" : "note" }, whose(node));
  const empty = () => h("td", {});
  return h(
    "tr",
    { class: `node ${marked ? "marked" : ""}` },
    h(
      "td",
      { css: { "--depth": node.history.length } },
      node.history.length ? h("b", {}, `${node.history.at(-1)} `) : "",
      name,
    ),
    h(
      "td",
      { class: "num", title: [...reach, `chance: ${number(node.chance_reach)}`].join(", ") },
      [...node.reach, node.chance_reach].map(number).join(" · "),
    ),
    h("td", { class: "num" }, node.weight === null ? "" : number(node.weight)),
    empty(),
    h("td", { class: "num" }, number(node.value[seen])),
    empty(),
    empty(),
    empty(),
  );
}

/**
 * Return the row of a move at a history; `next` is its probability in the next iteration, or null.
 *
 * @param {WalkMove} move
 * @param {WalkNode} node
 */
function moveRow(move, node, marked, next) {
  const cell = (text) => h("td", { class: "num" }, text);
  return h(
    "tr",
    { class: `move ${marked ? "marked" : ""} ${move.visited ? "" : "faint"}` },
    h("td", { css: { "--depth": node.history.length + 0.6 } }, move.action, move.visited ? "" : " (not visited)"),
    h("td", {}),
    h("td", {}),
    cell(percent(move.probability, 1)),
    cell(number(move.value[node.player])),
    cell(move.regret === null ? "" : number(move.regret)),
    cell(move.cf_regret === null ? "" : number(move.cf_regret)),
    cell(next === null ? "" : percent(next, 1)),
  );
}

/** Return one walk: a line for each history and for each of its moves. */
function walkTable(walk, updates, isMarked) {
  const updated = walk.players.map((one) => `player ${one}`).join(" and ");
  const players = walk.nodes[0]?.reach.length ?? 2;
  const names = [...Array.from({ length: players }, (_, player) => `P${player}`), "chance"];
  const heads = [["History"], [`Reach: ${names.join(" · ")}`, WALK[0][1]], ...WALK.slice(1)];
  const rows = walk.nodes.flatMap((node) => {
    const marked = isMarked(node);
    const update = node.weight === null ? null : updates.get(`${node.player} ${node.infoset}`);
    const next = (k) => update?.next_strategy[k] ?? null;
    const moves = node.player < 0 ? [] : node.moves.map((move, k) => moveRow(move, node, marked, next(k)));
    return [historyRow(node, walk, marked), ...moves];
  });
  return h("section", {}, h("h3", {}, `Walk of ${updated}`), scrolled(`Walk of ${updated}`, heads, rows));
}

const CHANGES = [
  ...["Infoset", "Action", "Strategy σ", "Instant regret", "Sum before", "Sum after"].map((name) => [name]),
  ["Average", MEANINGS["Average so far"]],
  ["Next σ"],
];

/**
 * Return the infosets that were visited: regret sums and strategy before and after.
 *
 * @param {ExplainedIteration} found
 */
function changesTable(found, isMarked) {
  const rows = found.updates.filter((one) => one.visited);
  const cell = (text) => h("td", { class: "num" }, text);
  const row = (one, action, k) =>
    h(
      "tr",
      { class: isMarked(one) ? "marked" : "" },
      h("td", {}, k === 0 ? [h("code", {}, one.infoset), h("span", { class: "note" }, ` player ${one.player}`)] : ""),
      h("td", { class: "num" }, action),
      cell(percent(one.strategy[k])),
      cell(number(one.instant_regret[k])),
      cell(number(one.regret_sum_before[k])),
      cell(number(one.regret_sum[k])),
      cell(percent(one.average_strategy[k])),
      cell(percent(one.next_strategy[k])),
    );
  return h(
    "details",
    { open: rows.length <= 12 },
    h("summary", {}, `Infosets before and after (${rows.length})`),
    scrolled(
      "Infosets before and after",
      CHANGES,
      rows.flatMap((one) => one.actions.map((action, k) => row(one, action, k))),
    ),
  );
}

/**
 * Return an explanation; `isMarked` says which infoset is asked for.
 *
 * @param {ExplainedIteration} found
 */
function explained(found, isMarked) {
  const updates = new Map(found.updates.map((one) => [`${one.player} ${one.infoset}`, one]));
  const order = found.alternating ? "players update in turn" : "all players update at once";
  const sentence = ({ depth, is_title, sentence: text }) =>
    h("p", { class: "story", css: { "--depth": depth } }, is_title ? h("b", {}, text) : text);
  return [
    h(
      "h2",
      {},
      `Iteration ${found.iteration} of `,
      algorithmName({ algorithm: found.algorithm }),
      h("span", { class: "note" }, ` ${order}, sampling ${found.sampling}`),
    ),
    found.notes.map((note) => h("p", { class: "note" }, note)),
    found.lab && labDoor(found.lab),
    glossary(),
    found.walks.map((walk) => walkTable(walk, updates, isMarked)),
    changesTable(found, isMarked),
    h(
      "details",
      {},
      h("summary", {}, "The same in sentences, in the order of the computation"),
      found.story.map(sentence),
    ),
  ];
}

/** Return what opens the lab of the game below, where it stands before the iteration. */
function labDoor(options) {
  const place = h("div");
  const open = () => clear(place, labFigure("kuhn", options));
  return [h("p", {}, h("button", { class: "button", type: "button", onclick: open }, "Open in the lab")), place];
}

export function explanation({ run, about, signal, fields, go }) {
  const iteration = h("input", { type: "number", min: 1, max: about.iterations, value: 1 });
  const deal = h("input", { type: "text", placeholder: "as it comes", spellcheck: "false" });
  const form = h(
    "form",
    {
      class: "toolbar explain-form",
      onsubmit: (event) => {
        event.preventDefault();
        go({ iteration: iteration.value === "1" ? "" : iteration.value, deal: deal.value.trim(), infoset: "", of: "" });
      },
    },
    field("Iteration", iteration, { name: "iteration", help: `1 to ${about.iterations.toLocaleString("en-US")}` }),
    field("Deal", deal, { name: "deal", help: "the outcomes of chance that are shown" }),
    h("button", { class: "button primary", type: "submit" }, "Explain"),
  );
  const step = (by) => () => {
    iteration.value = Math.min(about.iterations, Math.max(1, Number(iteration.value) + by));
    form.requestSubmit();
  };
  form.append(
    h("button", { class: "button", type: "button", onclick: step(-1), "aria-label": "The iteration before" }, "‹"),
    h("button", { class: "button", type: "button", onclick: step(1), "aria-label": "The next iteration" }, "›"),
  );
  const body = h("div", { class: "explain-body" });
  const box = h("div", { class: "inspect-explain" }, form, body);

  box.update = async () => {
    const place = () => ["infoset", "of", "deal", "iteration"].map((name) => fields().get(name) ?? "");
    const [key, player, asked, wanted] = place();
    const isWanted = () => place().join("\n") === [key, player, asked, wanted].join("\n");
    iteration.value = wanted || 1;
    for (const one of form.querySelectorAll(".field")) one.fail("");
    const where = key && !asked ? { infoset: key, player } : { deal: asked };
    clear(body, h("p", { class: "note", role: "status" }, "Running the iterations before it …"));
    try {
      const found = await get("/runs/{run}/explain", { run, ...where, iteration: wanted }, { signal });
      if (!isWanted()) return;
      deal.value = (found.deal ?? []).join(" ");
      const isMarked = (one) => one.infoset === key && one.player === Number(player);
      clear(body, explained(found, isMarked));
      body.querySelector(".marked")?.scrollIntoView({ block: "center" });
    } catch (error) {
      if (error.name === "AbortError" || !isWanted()) return;
      const box = error.field && form.querySelector(`[data-field="${CSS.escape(error.field)}"]`);
      if (box) box.fail(error.message);
      clear(body, h("p", { class: "wrong", role: "alert" }, error.message));
    }
  };

  return box;
}
