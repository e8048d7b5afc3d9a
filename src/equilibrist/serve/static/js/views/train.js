// Train: one line, dealt again and again, each answer scored.
import { ApiError, get, post } from "../api.js";
import { field, h, later } from "../dom.js";
import { payoff, percent } from "../format.js";
import { lineInWords } from "../widgets/felt.js";
import { table } from "../widgets/table.js";
import { failed } from "../widgets/toast.js";
import { pathOfId } from "./library.js";
import { atTable, tableList, tablePath } from "./play.js";

const STREETS = ["flop", "turn", "river"];

export async function show(root, { params, query, navigate, signal }) {
  document.title = `Train ${params.run} · Equilibrist`;
  if (query.get("table"))
    await atTable(root, await get(`/tables/${encodeURIComponent(query.get("table"))}`, {}, { signal }), {
      signal,
      ask: "Next",
      train: true,
    });
  else await choose(root, { run: params.run, query, navigate, signal });
}

async function choose(root, { run, query, navigate, signal }) {
  const [{ kind, places, total }, { tables }] = await Promise.all([
    get(`/runs/${encodeURIComponent(run)}/training`, { most: 500 }, { signal }),
    get("/tables", { run, most: 30 }, { signal }),
  ]);
  const spot = kind === "lines";
  let seat = null; // of the place that was picked: the same name may be an infoset of several players
  const line = h("input", {
    type: "text",
    value: query.get("line") ?? places[0]?.line ?? "",
    autocomplete: "off",
    spellcheck: "false",
    oninput: () => (seat = null),
  });
  const board = h("input", {
    type: "text",
    value: query.get("board") ?? "",
    placeholder: "dealt",
    autocomplete: "off",
    spellcheck: "false",
  });
  const hands = h("input", { type: "text", placeholder: "all", autocomplete: "off", spellcheck: "false" });
  const answers = h(
    "select",
    {},
    h("option", { value: "1" }, "one answer, then the next"),
    h("option", { value: "" }, "the hand to its end"),
  );
  const fields = [
    field(spot ? "Line" : "Infoset", line, {
      name: "line",
      help: spot
        ? "The actions before, X-B120-C | X; empty is the first decision."
        : "A name, or a pattern: ? is any character, * any text.",
    }),
    spot && field("Board", board, { name: "board", help: "All public cards there, once a street was dealt." }),
    spot && field("Only these hands", hands, { name: "hands", help: "A range: QQ+,AKs." }),
    field("Ask for", answers, { name: "answers" }),
  ].filter(Boolean);
  const wrong = h("p", { class: "wrong", role: "alert" });
  const search = h("input", {
    type: "search",
    placeholder: spot ? "Search lines" : "Search infosets",
    "aria-label": "Search",
    oninput: later(() => list.update(found()), 100),
  });
  const found = () =>
    places.filter(
      (place) =>
        place.line.toLowerCase().includes(search.value.trim().toLowerCase()) ||
        place.actions.join(" ").toLowerCase().includes(search.value.trim().toLowerCase()),
    );
  const list = table({
    columns: [
      {
        key: "line",
        title: spot ? "Line" : "Infoset",
        show: (place) =>
          h(
            "span",
            { class: "place", title: place.line },
            spot ? lineInWords(place.line) || "the first decision" : place.line,
          ),
      },
      { key: "seat", title: "Who", show: (place) => place.position ?? `player ${place.seat}` },
      spot && { key: "street", title: "Street", show: (place) => STREETS[place.street], class: "hide-narrow" },
      {
        key: "actions",
        title: "Actions",
        sort: false,
        show: (place) => h("span", { class: "place note" }, place.actions.join(", ")),
        class: "hide-narrow",
      },
      { key: "reach", title: "Reached", numeric: true, descending: true, show: (place) => percent(place.reach) },
      !spot && {
        key: "at_stake",
        title: "At stake",
        numeric: true,
        descending: true,
        show: (place) => payoff(place.at_stake),
        tip: () => "What the worst action costs against the best",
      },
    ].filter(Boolean),
    rows: places,
    key: (place) => `${place.seat} ${place.line}`,
    onOpen: (place) => {
      line.value = place.line;
      seat = place.seat;
      open();
    },
    label: spot ? "Lines" : "Infosets",
    height: "calc(100vh - 330px)",
  });
  const form = h(
    "form",
    { class: "card", onsubmit: (event) => (event.preventDefault(), open()) },
    h("h2", {}, "Deal one line again and again"),
    h("div", { class: "fields" }, fields),
    wrong,
    h("div", { class: "toolbar" }, h("button", { class: "button primary", type: "submit" }, "Train")),
  );

  async function open() {
    wrong.textContent = "";
    for (const one of fields) one.fail("");
    try {
      const text = (input) => input.value.trim() || null;
      const settings = {
        run,
        line: line.value.trim(),
        answers: answers.value ? Number(answers.value) : null,
        board: spot ? text(board) : null,
        hands: spot ? text(hands) : null,
        seat,
      };
      navigate(...tablePath(await post("/tables", settings, { signal })));
    } catch (error) {
      const place = fields.find(
        (one) => one.dataset.field === error.field || error.message?.startsWith(`${one.dataset.field}:`),
      );
      if (place) place.fail(error.message);
      else if (error instanceof ApiError) wrong.textContent = error.message;
      else failed(error);
    }
  }

  const trained = tables.filter((one) => one.kind === "train");
  root.append(
    h("div", { class: "toolbar" }, h("h1", {}, "Train"), h("span", { class: "note" }, pathOfId(run))),
    h(
      "div",
      { class: "at-table" },
      h(
        "section",
        { class: "side" },
        form,
        h(
          "div",
          { class: "toolbar" },
          search,
          h(
            "span",
            { class: "note" },
            total > places.length
              ? `the ${places.length} most worth training, of ${total}`
              : spot
                ? "in the order of the streets"
                : "most worth training first: reached often, much at stake",
          ),
        ),
        list,
      ),
      h(
        "aside",
        { class: "side" },
        h(
          "section",
          { class: "card" },
          h("h2", {}, "How it works"),
          h(
            "p",
            { class: "note" },
            `Each hand is dealt at this ${spot ? "line" : "infoset"}, with the ${spot ? "ranges that come there" : "hands the others come there with"}, as often as a play would. The score is the share of what was at stake that you kept: 1 − cost / what the worst action would have cost.`,
          ),
        ),
        trained.length > 0 && h("section", { class: "card" }, h("h2", {}, "Trained before"), tableList(trained)),
      ),
    ),
  );
}
