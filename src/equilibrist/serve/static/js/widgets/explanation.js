// One iteration, number by number: the histories that it visited, the infosets that it changed, and its story.
import { get, pathOf } from "../api.js";
import { clear, field, h } from "../dom.js";
import { payoff, percent } from "../format.js";

const number = (value) =>
  payoff(value, 4)
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");

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
  const box = h("div", { class: "study-explain" }, form, body);

  box.update = async () => {
    const [key, player, asked, wanted] = ["infoset", "of", "deal", "iteration"].map((name) => fields().get(name) ?? "");
    iteration.value = wanted || 1;
    for (const one of form.querySelectorAll(".field")) one.fail("");
    const where = key && !asked ? { infoset: key, player } : { deal: asked };
    clear(
      body,
      h(
        "p",
        { class: "note", role: "status" },
        "Running the iterations before it; the very first time, kernels are compiled, which takes a minute …",
      ),
    );
    try {
      const found = await get(pathOf(run, "explain"), { ...where, iteration: wanted }, { signal });
      deal.value = found.deal.join(" ");
      draw(found, key, player);
    } catch (error) {
      if (error.name === "AbortError") return;
      const place = error.field && form.querySelector(`[data-field="${CSS.escape(error.field)}"]`);
      if (place) place.fail(error.message);
      clear(body, h("p", { class: "wrong", role: "alert" }, error.message));
    }
  };

  function draw(found, key, player) {
    const updates = new Map(found.updates.map((one) => [`${one.player} ${one.infoset}`, one]));
    clear(
      body,
      h(
        "h2",
        {},
        `Iteration ${found.iteration} of ${found.algorithm}`,
        h(
          "span",
          { class: "note" },
          ` ${found.alternating ? "players update in turn" : "all players update at once"}, sampling ${found.sampling}`,
        ),
      ),
      found.notes.map((note) => h("p", { class: "note" }, note)),
      found.walks.map((walk) => walked(walk, updates, key, Number(player))),
      changes(found, key, Number(player)),
      h(
        "details",
        {},
        h("summary", {}, "The same in sentences, in the order in which it is done"),
        found.story.map((one) =>
          h(
            "p",
            { class: "story", css: { "--depth": one.depth } },
            one.is_title ? h("b", {}, one.sentence) : one.sentence,
          ),
        ),
      ),
    );
    body.querySelector(".marked")?.scrollIntoView({ block: "center" });
  }

  /** One walk: a line for each history and for each of its moves. */
  function walked(walk, updates, key, player) {
    const updated = walk.players.map((one) => `player ${one}`).join(" and ");
    const lines = walk.nodes.flatMap((node) => {
      const depth = node.history.length;
      const marked = node.infoset === key && node.player === player;
      const who =
        node.player === -1 ? "chance" : node.player === -2 ? "end" : `player ${node.player} at ${node.infoset}`;
      const seen = node.player >= 0 ? node.player : walk.players[0];
      const top = h(
        "tr",
        { class: `node ${marked ? "marked" : ""}` },
        h(
          "td",
          { css: { "--depth": depth } },
          depth ? h("b", {}, `${node.history.at(-1)} `) : "",
          h("span", { class: node.player >= 0 ? "" : "note" }, who),
        ),
        h("td", { class: "num" }, [...node.reach, node.chance_reach].map(number).join(" · ")),
        h("td", { class: "num" }, node.weight === null ? "" : number(node.weight)),
        h("td", {}),
        h("td", { class: "num" }, number(node.value[seen])),
        h("td", {}),
        h("td", {}),
        h("td", {}),
      );
      if (node.player < 0) return [top];
      const update = node.weight === null ? null : updates.get(`${node.player} ${node.infoset}`);
      return [
        top,
        ...node.moves.map((move, k) =>
          h(
            "tr",
            { class: `move ${marked ? "marked" : ""} ${move.visited ? "" : "faint"}` },
            h("td", { css: { "--depth": depth + 0.6 } }, move.action, move.visited ? "" : " (not visited)"),
            h("td", {}),
            h("td", {}),
            h("td", { class: "num" }, percent(move.probability, 1)),
            h("td", { class: "num" }, number(move.value[node.player])),
            h("td", { class: "num" }, move.regret === null ? "" : number(move.regret)),
            h("td", { class: "num" }, move.cf_regret === null ? "" : number(move.cf_regret)),
            h("td", { class: "num" }, update ? percent(update.next_strategy[k], 1) : ""),
          ),
        ),
      ];
    });
    const heads = [
      ["History"],
      ["Reach", "Of each player, then of chance"],
      ["Weight", "What a value here counts in regrets"],
      ["σ", "The strategy of this iteration"],
      ["Value", "To the player who moves"],
      ["Regret", "Value of the action less that of the history"],
      ["cf regret", "weight × regret: added to the regret sum"],
      ["Next σ", "The strategy of the next iteration"],
    ];
    return h(
      "section",
      {},
      h("h3", {}, `Walk of ${updated}`),
      h(
        "div",
        { class: "table walk" },
        h(
          "table",
          {},
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              heads.map(([text, tip], k) => h("th", { class: k ? "num" : "", title: tip }, text)),
            ),
          ),
          h("tbody", {}, lines),
        ),
      ),
    );
  }

  /** The infosets that were visited: regret sums and strategy before and after. */
  function changes(found, key, player) {
    const rows = found.updates.filter((one) => one.visited);
    return h(
      "details",
      { open: rows.length <= 12 },
      h("summary", {}, `Infosets before and after (${rows.length})`),
      h(
        "div",
        { class: "table walk" },
        h(
          "table",
          {},
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              ["Infoset", "Action", "σ", "Instant regret", "Sum before", "Sum after", "Average", "Next σ"].map(
                (text, k) => h("th", { class: k > 1 ? "num" : "" }, text),
              ),
            ),
          ),
          h(
            "tbody",
            {},
            rows.flatMap((one) =>
              one.actions.map((action, k) =>
                h(
                  "tr",
                  { class: one.infoset === key && one.player === player ? "marked" : "" },
                  h(
                    "td",
                    {},
                    k === 0 ? [h("code", {}, one.infoset), h("span", { class: "note" }, ` player ${one.player}`)] : "",
                  ),
                  h("td", {}, action),
                  h("td", { class: "num" }, percent(one.strategy[k])),
                  h("td", { class: "num" }, number(one.instant_regret[k])),
                  h("td", { class: "num" }, number(one.regret_sum_before[k])),
                  h("td", { class: "num" }, number(one.regret_sum[k])),
                  h("td", { class: "num" }, percent(one.average_strategy[k])),
                  h("td", { class: "num" }, percent(one.next_strategy[k])),
                ),
              ),
            ),
          ),
        ),
      ),
    );
  }

  return box;
}
