// Train: one line, dealt again and again, each answer scored.
import { ApiError, get, post } from "../api.js";
import { field, h, later } from "../dom.js";
import { payoff, percent } from "../format.js";
import { table } from "../widgets/table.js";
import { failed } from "../widgets/toast.js";
import { lineInWords } from "../words.js";
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

/** Return the fields of a training table: where hands are dealt, and what is asked. */
function placeFields(spot, begin) {
  const text = (value, placeholder) =>
    h("input", { type: "text", value, placeholder, autocomplete: "off", spellcheck: "false" });
  const line = text(begin.line);
  const board = text(begin.board, "dealt");
  const hands = text("", "all");
  const answers = h(
    "select",
    {},
    h("option", { value: "1" }, "one answer, then the next"),
    h("option", { value: "" }, "the hand to its end"),
  );
  const lineHelp = spot
    ? "The actions before, X-B120-C | X; empty is the first decision."
    : "A name, or a pattern: ? is any character, * any text.";
  const all = [
    field(spot ? "Line" : "Infoset", line, { name: "line", help: lineHelp }),
    spot && field("Board", board, { name: "board", help: "All public cards there, once a street was dealt." }),
    spot && field("Only these hands", hands, { name: "hands", help: "A range: QQ+,AKs." }),
    field("Ask for", answers, { name: "answers" }),
  ];
  const plain = (input) => input.value.trim() || null;
  return {
    line,
    boxes: all.filter(Boolean),
    values: () => ({
      line: line.value.trim(),
      answers: answers.value ? Number(answers.value) : null,
      board: spot ? plain(board) : null,
      hands: spot ? plain(hands) : null,
    }),
  };
}

/** Return the columns of the places at which hands can be dealt. */
function placeColumns(spot) {
  const name = (place) => (spot ? lineInWords(place.line) || "the first decision" : place.line);
  const stake = {
    key: "at_stake",
    title: "At stake",
    numeric: true,
    descending: true,
    show: (place) => payoff(place.at_stake),
    tip: () => "What the worst action costs against the best",
  };
  return [
    {
      key: "line",
      title: spot ? "Line" : "Infoset",
      show: (place) => h("span", { class: "place", title: place.line }, name(place)),
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
    !spot && stake,
  ].filter(Boolean);
}

/** Return how training works. */
function howItWorks(spot) {
  const [place, hands] = spot ? ["line", "ranges that arrive there"] : ["infoset", "hands that the others hold there"];
  return h(
    "section",
    { class: "card" },
    h("h2", {}, "How it works"),
    h(
      "p",
      { class: "note" },
      `Each hand is dealt at this ${place}, with the ${hands}, as often as in play. The score is the share of what was at stake that you kept: 1 − cost / what the worst action would have cost. An action that the strategy itself plays is never a mistake.`,
    ),
  );
}

const orderInWords = (spot, shown, total) =>
  total > shown
    ? `the ${shown} most worth training, of ${total}`
    : spot
      ? "in the order of the streets"
      : "most worth training first: reached often, much at stake";

async function choose(root, { run, query, navigate, signal }) {
  const [{ kind, places, total }, { tables }] = await Promise.all([
    get(`/runs/${encodeURIComponent(run)}/training`, { most: 500 }, { signal }),
    get("/tables", { run, most: 30 }, { signal }),
  ]);
  const spot = kind === "lines";
  let seat = null; // of the place that was picked: the same name may be an infoset of several players
  const fields = placeFields(spot, {
    line: query.get("line") ?? places[0]?.line ?? "",
    board: query.get("board") ?? "",
  });
  fields.line.addEventListener("input", () => (seat = null));
  const wrong = h("p", { class: "wrong", role: "alert" });
  const search = h("input", {
    type: "search",
    placeholder: spot ? "Search lines" : "Search infosets",
    "aria-label": "Search",
    oninput: later(() => list.update(matching()), 100),
  });
  const matching = () => {
    const wanted = search.value.trim().toLowerCase();
    return places.filter(({ line, actions }) =>
      [line, actions.join(" ")].some((one) => one.toLowerCase().includes(wanted)),
    );
  };
  const list = table({
    columns: placeColumns(spot),
    rows: places,
    key: (place) => `${place.seat} ${place.line}`,
    onOpen: (place) => {
      fields.line.value = place.line;
      seat = place.seat;
      open();
    },
    label: spot ? "Lines" : "Infosets",
    height: "calc(100vh - 330px)",
  });

  async function open() {
    wrong.textContent = "";
    for (const one of fields.boxes) one.fail("");
    try {
      navigate(...tablePath(await post("/tables", { run, ...fields.values(), seat }, { signal })));
    } catch (error) {
      const names = ({ dataset }) => dataset.field === error.field || error.message?.startsWith(`${dataset.field}:`);
      const place = fields.boxes.find(names);
      if (place) place.fail(error.message);
      else if (error instanceof ApiError) wrong.textContent = error.message;
      else failed(error);
    }
  }

  const form = h(
    "form",
    { class: "card", onsubmit: (event) => (event.preventDefault(), open()) },
    h("h2", {}, "Deal one line again and again"),
    h("div", { class: "fields" }, fields.boxes),
    wrong,
    h("div", { class: "toolbar" }, h("button", { class: "button primary", type: "submit" }, "Train")),
  );
  const trained = tables.filter((one) => one.kind === "train");
  const before =
    trained.length > 0 && h("section", { class: "card" }, h("h2", {}, "Trained before"), tableList(trained));
  const note = h("span", { class: "note" }, orderInWords(spot, places.length, total));
  root.append(
    h("div", { class: "toolbar" }, h("h1", {}, "Train"), h("span", { class: "note" }, pathOfId(run))),
    h(
      "div",
      { class: "at-table" },
      h("section", { class: "side" }, form, h("div", { class: "toolbar" }, search, note), list),
      h("aside", { class: "side" }, howItWorks(spot), before),
    ),
  );
}
