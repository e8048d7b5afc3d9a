// History: what was played, summed up by game, line, action: where most is lost.
import { href } from "../app.js";
import { del, get, patch } from "../api.js";
import { clear, h } from "../dom.js";
import { ago, moment, payoff, percent } from "../format.js";
import { GRADES, gameInWords, gradeBar, lineInWords, reviewOf, scoreOf, signed } from "../widgets/felt.js";
import { dialog } from "../widgets/dialog.js";
import { table } from "../widgets/table.js";
import { failed, toast } from "../widgets/toast.js";
import { tableInWords, tablePath } from "./play.js";

const GROUPS = { game: "Game", line: "Line", infoset: "Infoset", action: "Action", grade: "Grade" };
const FILTERS = ["game", "run", "kind", "table", "line", "infoset", "action", "seat", "grade"];

export async function show(root, { query, navigate, signal }) {
  document.title = "Play · Equilibrist";
  const by = query.get("by") ?? "game";
  const filters = Object.fromEntries(FILTERS.filter((name) => query.has(name)).map((name) => [name, query.get(name)]));
  const [sums, { hands }, { tables }] = await Promise.all([
    get("/history", { by, ...filters }, { signal }),
    get("/history/hands", { order: query.get("order") ?? "played", most: 100, ...filters }, { signal }),
    get("/tables", { most: 200 }, { signal }),
  ]);
  const go = (changed) => navigate("/history", { by, order: query.get("order"), ...filters, ...changed });

  const start = h(
    "div",
    { class: "toolbar" },
    h("a", { class: "button primary", href: "/play/-" }, "Play a game"),
    h("span", { class: "note" }, "or choose Play at a run of the ", h("a", { href: "/" }, "library"), "."),
  );
  if (!tables.length) {
    root.append(
      h("h1", {}, "Play"),
      h(
        "section",
        { class: "card notice" },
        h("h2", {}, "Nothing was played yet"),
        h(
          "p",
          {},
          "Sit down opposite a solved game: after each hand you see what your choices cost, and how much was luck. What you play is kept here, and summed up.",
        ),
        start,
      ),
    );
    return;
  }
  const chips = Object.entries(filters).map(([name, value]) =>
    h(
      "span",
      { class: "tag" },
      `${name}: ${name === "grade" ? GRADES[value] : name === "game" ? gameInWords(value) : name === "line" ? lineInWords(value) || "the first decision" : value} `,
      h(
        "button",
        {
          class: "button quiet small",
          type: "button",
          "aria-label": `Without ${name}`,
          onclick: () => go({ [name]: null }),
        },
        "×",
      ),
    ),
  );
  const groups = h(
    "div",
    { class: "segmented", role: "group", "aria-label": "Sum up by" },
    Object.entries(GROUPS).map(([name, title]) =>
      h(
        "button",
        {
          class: "button small",
          type: "button",
          "aria-pressed": String(name === by),
          onclick: () => go({ by: name === "game" ? null : name }),
        },
        title,
      ),
    ),
  );
  const named = (row) =>
    by === "grade"
      ? (GRADES[row.name] ?? "unknown")
      : by === "line"
        ? lineInWords(row.name) || "the first decision"
        : by === "game"
          ? gameInWords(row.name)
          : (row.name ?? "–");
  const summed = table({
    columns: [
      {
        key: "name",
        title: GROUPS[by],
        value: named,
        show: (row) => h("span", { class: "place", title: String(row.name) }, named(row)),
      },
      by !== "game" && {
        key: "game",
        title: "Game",
        show: (row) => h("span", { class: "place note", title: row.game }, gameInWords(row.game)),
        class: "hide-narrow",
      },
      { key: "decisions", title: "Choices", numeric: true, descending: true },
      {
        key: "lost",
        title: "Lost",
        numeric: true,
        descending: true,
        show: (row) => (row.cost === null ? "–" : payoff(row.cost)),
        tip: (row) => `${percent(row.lost)} of the pot, or of the largest payoff`,
      },
      {
        key: "each",
        title: "per choice",
        numeric: true,
        descending: true,
        value: (row) => (row.known ? row.lost / row.known : null),
        show: (row) => percent(row.known ? row.lost / row.known : null),
        tip: () => "of the pot, or of the largest payoff",
      },
      { key: "score", title: "Score", numeric: true, show: (row) => percent(row.score, 0), class: "hide-narrow" },
      {
        key: "grades",
        title: "Grades",
        sort: false,
        class: "wide hide-narrow",
        show: (row) => gradeBar(row.grades).firstChild,
      },
    ].filter(Boolean),
    rows: sums.rows,
    key: (row) => `${row.game} ${row.name}`,
    sort: { key: "lost", descending: true },
    onOpen: (row) =>
      go(
        by === "game"
          ? { game: row.name, by: "line" }
          : { [by]: row.name, game: row.game, by: by === "line" ? "infoset" : by },
      ),
    empty: "No choice fits.",
    label: `Choices by ${GROUPS[by].toLowerCase()}`,
    height: "44vh",
  });
  const order = h(
    "select",
    { "aria-label": "Order of hands", onchange: (event) => go({ order: event.target.value }) },
    [
      ["played", "the last first"],
      ["cost", "the dearest first"],
      ["luck", "the unluckiest first"],
      ["payoff", "the worst result first"],
    ].map(([value, text]) => h("option", { value, selected: value === (query.get("order") ?? "played") }, text)),
  );
  const list = table({
    columns: [
      {
        key: "played",
        title: "Played",
        sort: false,
        show: (hand) => ago(hand.played),
        tip: (hand) => moment(hand.played),
      },
      {
        key: "game",
        title: "Game",
        sort: false,
        show: (hand) => h("span", { class: "place", title: hand.game }, gameInWords(hand.game)),
        class: "hide-narrow",
      },
      {
        key: "line",
        title: "Line",
        sort: false,
        show: (hand) => h("span", { class: "place", title: hand.line }, lineInWords(hand.line)),
      },
      {
        key: "payoff",
        title: "Won",
        numeric: true,
        sort: false,
        show: (hand) => (hand.payoff === null ? "–" : signed(hand.payoff)),
      },
      { key: "cost", title: "Cost", numeric: true, sort: false, show: (hand) => payoff(hand.cost) },
      {
        key: "luck",
        title: "Luck",
        numeric: true,
        sort: false,
        show: (hand) => (hand.luck === null ? "–" : signed(hand.luck)),
        class: "hide-narrow",
      },
    ],
    rows: hands,
    key: (hand) => `${hand.table_id} ${hand.number}`,
    onOpen: open,
    empty: "No hand fits.",
    label: "Hands",
    height: "44vh",
  });

  async function open(row) {
    try {
      const hand = await get(`/tables/${row.table_id}/hands/${row.number}`);
      await dialog({
        title: `Hand ${row.number} of ${gameInWords(row.game)}`,
        wide: true,
        action: "Close",
        body: [
          h(
            "p",
            {},
            hand.payoff === null
              ? ""
              : `Payoff ${signed(hand.payoff, 3)} = best play ${signed(hand.best_response_value, 3)} − choices ${payoff(hand.cost)} + luck ${signed(hand.luck, 3)}`,
          ),
          h("div", { class: "review" }, reviewOf({ players: hand.payoffs.length || 2, unit: hand.table.unit }, hand)),
        ],
      });
    } catch (error) {
      failed(error);
    }
  }

  async function remove(one) {
    try {
      await del(`/tables/${one.id}`);
      await show(clear(root), { query, navigate, signal });
      toast(`Deleted a table of ${one.game} with its hands.`, {
        action: {
          label: "Undo",
          run: () =>
            patch(`/tables/${one.id}`, { deleted: false })
              .then(() => show(clear(root), { query, navigate, signal }))
              .catch(failed),
        },
      });
    } catch (error) {
      failed(error);
    }
  }

  const sessions = h(
    "ul",
    { class: "plain-list" },
    tables.slice(0, 40).map((one) =>
      h(
        "li",
        {},
        h("a", { class: "grow place", href: href(...tablePath(one)), title: one.game }, tableInWords(one)),
        h("span", { class: "note nowrap" }, `${one.hands}`, one.payoff !== null && ` · ${signed(one.payoff)}`),
        h(
          "button",
          {
            class: "button quiet small",
            type: "button",
            "aria-label": `Delete this table of ${one.game}`,
            onclick: () => remove(one),
          },
          "×",
        ),
      ),
    ),
  );
  root.append(
    h("div", { class: "toolbar" }, h("h1", {}, "Play"), h("span", { class: "grow" }), start),
    h("div", { class: "toolbar" }, groups, chips),
    h(
      "div",
      { class: "at-table" },
      h("section", { class: "side" }, summed, h("div", { class: "toolbar" }, h("h2", {}, "Hands"), order), list),
      h(
        "aside",
        { class: "side" },
        h(
          "section",
          { class: "card" },
          h("h2", {}, Object.keys(filters).length ? "These choices" : "All choices"),
          scoreOf(sums.total),
        ),
        h("section", { class: "card" }, h("h2", {}, "Tables"), h("p", { class: "note" }, "hands · won"), sessions),
      ),
    ),
  );
}
