// A spot of hold'em: board, ranges, chips and bet sizes; its tree, memory and time before it is solved.
import { href } from "../app.js";
import { get, post } from "../api.js";
import { clear, field, h } from "../dom.js";
import { chips, count } from "../format.js";
import { boardPicker } from "../widgets/board.js";
import { splitCards } from "../widgets/cards.js";
import { onDrop, orderPanel } from "../widgets/order.js";
import { rangePainter } from "../widgets/range.js";
import { failed, toast } from "../widgets/toast.js";

const STREETS = ["flop", "turn", "river"];
const PARTS = ["bet", "raise", "donk"];
const USUAL = {
  bets: "50%, a; a",
  add_all_in: null,
  force_all_in: null,
  merge: null,
  max_raises: null,
  min_bet: null,
  chip: null,
  rake: 0,
  rake_cap: null,
  add_lines: [],
  remove_lines: [],
};
const EXAMPLE = {
  board: "Td9d6hQc",
  oop: "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
  ip: "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+",
  pot: 200,
  stack: 900,
  bets: "50%, 100%; 2.5x",
  add_all_in: 1.5,
  force_all_in: 0.15,
  merge: 0.1,
};
const SIZES = {
  "One size": "50%; 3x",
  "Two sizes": "33%, 75%; 2.5x",
  "Three sizes": "33%, 75%, 150%; 2.5x, a",
  Geometric: "e; e",
  "All-in only": "a; a",
};
const REASONS = {
  rounded: "rounded to chips",
  minimum: "raised to the least bet",
  "all-in": "turned into all-in",
  merged: "merged with a size of about the same",
};

/** Return [bet, raise, donk] of sizes, which the settings write as a text or as a table. */
function partsOf(sizes) {
  if (!sizes) return ["", "", ""];
  if (typeof sizes === "object") return PARTS.map((part) => sizes[part] ?? "");
  const parts = sizes.split(";").map((part) => part.trim());
  return [0, 1, 2].map((place) => parts[place] ?? "");
}

const shareText = (value) =>
  value === null || value === undefined ? "" : String(Number((100 * value).toPrecision(12)));

export async function show(root, { query, navigate, signal }) {
  document.title = "New spot · Equilibrist";
  const algorithms = await get("/algorithms", {}, { signal });
  let given = { ...EXAMPLE };
  try {
    if (query.get("spot")) given = JSON.parse(query.get("spot"));
  } catch {} // a broken address: the example
  let scope = "both";
  const open = new Set(); // lines of later streets that are unfolded

  const text = (attributes) => h("input", { type: "text", autocomplete: "off", spellcheck: "false", ...attributes });
  const inputs = {
    pot: text({ inputmode: "decimal" }),
    stack: text({ inputmode: "decimal" }),
    add_all_in: text({ inputmode: "decimal", placeholder: "never" }),
    force_all_in: text({ inputmode: "decimal", placeholder: "never" }),
    merge: text({ inputmode: "decimal", placeholder: "never" }),
    max_raises: text({ inputmode: "numeric", placeholder: "no limit" }),
    min_bet: text({ inputmode: "decimal", placeholder: "one chip" }),
    chip: text({ inputmode: "decimal", placeholder: "auto" }),
    rake: text({ inputmode: "decimal", placeholder: "0" }),
    rake_cap: text({ inputmode: "decimal", placeholder: "no cap" }),
    add_lines: h("textarea", { rows: "2", spellcheck: "false", placeholder: "X-B120-R500" }),
    remove_lines: h("textarea", { rows: "2", spellcheck: "false", placeholder: "B50-C | X-B90" }),
  };
  const box = (name, label, help) => field(label, inputs[name], { name, help });
  const fields = {
    pot: box("pot", "Pot"),
    stack: box("stack", "Stack"),
    add_all_in: box("add_all_in", "Add all-in up to, %", "of the pot: 150 is usual"),
    force_all_in: box("force_all_in", "Force all-in below, %", "of the pot, left after a call: 15"),
    merge: box("merge", "Merge sizes within, %", "10 is usual"),
    max_raises: box("max_raises", "Raises on a street"),
    min_bet: box("min_bet", "Least bet"),
    chip: box("chip", "Round to"),
    rake: box("rake", "Rake, %"),
    rake_cap: box("rake_cap", "Rake cap"),
    add_lines: box("add_lines", "Lines to add", "one a row"),
    remove_lines: box("remove_lines", "Lines to cut off"),
  };
  const shares = ["add_all_in", "force_all_in", "merge", "rake"];

  // --- Sizes: of both, or of a player; of all streets, or of one ---
  const sizes = { both: {}, oop: {}, ip: {} }; // scope → street or "bets" → [bet, raise, donk]
  const table = h("div", { class: "sizes" });
  const scopes = h(
    "div",
    { class: "segmented", role: "group", "aria-label": "Whose sizes" },
    Object.entries({ both: "Both", oop: "OOP", ip: "IP" }).map(([name, label]) =>
      h(
        "button",
        {
          type: "button",
          class: "button small",
          dataset: { name },
          onclick: () => {
            scope = name;
            drawSizes();
          },
        },
        label,
      ),
    ),
  );
  const usual = h(
    "select",
    {
      "aria-label": "Usual sizes",
      onchange: () => {
        sizes[scope].bets = partsOf(SIZES[usual.value]);
        usual.value = "";
        drawSizes();
        change();
      },
    },
    h("option", { value: "" }, "Usual sizes …"),
    Object.keys(SIZES).map((name) => h("option", { value: name }, name)),
  );
  const sizesWrong = h("p", { class: "help wrong", role: "status" });

  function drawSizes() {
    const live = STREETS.slice(Math.max(0, picker.cards.length - 3));
    const rows = ["bets", ...live];
    for (const button of scopes.children) {
      button.setAttribute("aria-pressed", String(button.dataset.name === scope));
      const own = Object.values(sizes[button.dataset.name]).some((parts) => parts.some(Boolean));
      button.classList.toggle("own", own && button.dataset.name !== "both");
    }
    const parts = scope === "ip" ? PARTS.slice(0, 2) : PARTS;
    clear(
      table,
      h("span"),
      ["Bet", "Raise", "Donk"].slice(0, parts.length).map((name) => h("span", { class: "note" }, name)),
      parts.length < 3 && h("span"),
      rows.map((row) => [
        h("span", { class: "street" }, row === "bets" ? "All streets" : row),
        parts.map((part, place) => {
          const first = row === live[0] && part === "donk" && row !== "bets";
          const own = text({
            value: sizes[scope][row]?.[place] ?? "",
            placeholder: inherited(row, place),
            "aria-label": `${{ both: "", oop: "OOP, ", ip: "IP, " }[scope]}${row === "bets" ? "all streets" : row}, ${part}`,
            disabled: first && picker.cards.length < 5,
            dataset: { sizes: `${scope}.${row}` },
            oninput: () => {
              (sizes[scope][row] ??= ["", "", ""])[place] = own.value.trim();
            },
          });
          return own;
        }),
        parts.length < 3 && h("span"),
      ]),
    );
  }

  /** What holds where a cell is empty. */
  function inherited(row, place) {
    const sources = scope === "both" ? [] : [sizes[scope].bets, row !== "bets" && sizes.both[row]];
    if (scope === "both" && row !== "bets") sources.push(sizes.both.bets);
    else if (scope !== "both") sources.push(sizes.both.bets);
    const order = scope !== "both" && row === "bets" ? [sizes.both.bets] : sources;
    return order.map((parts) => parts && parts[place]).find(Boolean) || (place === 2 ? "as bets" : "none");
  }

  // --- Board and ranges ---
  const picker = boardPicker({
    cards: [],
    onChange: () => {
      for (const one of Object.values(ranges)) one.redraw();
      drawSizes();
      change();
    },
  });
  const ranges = {};
  for (const who of ["oop", "ip"])
    ranges[who] = rangePainter({
      label: `Range of ${who.toUpperCase()}`,
      board: () => picker.cards,
      onChange: () => change(),
    });
  let shown = query.get("range") === "ip" ? "ip" : "oop";
  const tabs = h(
    "div",
    { class: "segmented", role: "tablist", "aria-label": "Ranges" },
    Object.entries({ oop: "OOP", ip: "IP" }).map(([who, label]) =>
      h(
        "button",
        {
          type: "button",
          role: "tab",
          class: "button",
          dataset: { who },
          onclick: () => {
            shown = who;
            drawTabs();
          },
        },
        label,
      ),
    ),
  );
  const positions = { oop: "out of position: acts first", ip: "in position" };
  const position = h("span", { class: "note" });
  function drawTabs() {
    for (const tab of tabs.children) tab.setAttribute("aria-selected", String(tab.dataset.who === shown));
    for (const [who, one] of Object.entries(ranges)) one.hidden = who !== shown;
    position.textContent = positions[shown];
  }

  // --- What it takes ---
  const tree = h("div", { class: "tree" });
  const order = orderPanel({
    known: algorithms,
    spot: true,
    given: { until: "0.5", ...Object.fromEntries(query) },
    onChange: () => change(),
    path: "/spots/preview",
    request: () => ({ spot: spot() }),
    place,
    onFacts: (facts) => (facts ? drawTree(facts) : clear(tree)),
    navigate,
    signal,
  });
  const file = h("input", {
    type: "file",
    class: "sr",
    tabindex: "-1",
    accept: ".toml,.json,.txt",
    "aria-label": "Spot file",
    onchange: () => file.files[0] && load(file.files[0]),
  });
  const more = h(
    "details",
    { class: "more" },
    h("summary", {}, "Thresholds, rake, lines"),
    h(
      "div",
      { class: "fields" },
      Object.keys(fields)
        .slice(2)
        .map((name) => fields[name]),
    ),
  );

  const page = h(
    "form",
    { class: "columns", novalidate: true },
    h("div", { class: "card ranges" }, h("div", { class: "toolbar" }, tabs, position), Object.values(ranges)),
    h(
      "div",
      { class: "stack" },
      h(
        "div",
        { class: "card" },
        h("h2", {}, "Board"),
        picker,
        h("p", { class: "help wrong", role: "status", dataset: { board: "" } }),
      ),
      h(
        "div",
        { class: "card bets" },
        h("div", { class: "fields two" }, fields.pot, fields.stack),
        h("div", { class: "toolbar" }, h("h2", {}, "Bet sizes"), scopes, h("span", { class: "grow" }), usual),
        table,
        sizesWrong,
        h("p", { class: "note" }, "50% of the pot, 2.5x the bet, 100c chips, e geometric, a all-in; none."),
        more,
      ),
    ),
    h("div", { class: "stack side" }, order.card, h("div", { class: "card" }, h("h2", {}, "Betting tree"), tree)),
  );
  const boardWrong = page.querySelector("[data-board]");
  root.append(
    h(
      "div",
      { class: "toolbar" },
      h("h1", {}, "New spot"),
      h("span", { class: "grow" }),
      h(
        "button",
        {
          type: "button",
          class: "button",
          onclick: () => file.click(),
          title:
            "A spot file (.toml), or settings of wasm-postflop (.json), PioSOLVER or TexasSolver (.txt); or drop it on the page",
        },
        "Load …",
      ),
      h("button", { type: "button", class: "button", onclick: save }, "Save as a file"),
      h(
        "button",
        {
          type: "button",
          class: "button quiet",
          onclick: () => fill({ oop: "", ip: "", board: "", pot: "", stack: "", bets: "50%; 3x" }),
        },
        "Clear",
      ),
      file,
    ),
    page,
  );

  onDrop(root, load);
  page.addEventListener("input", (event) => {
    if (event.target.closest(".range-painter, .board-picker, .run-settings") || event.target === usual) return;
    change();
  });
  page.addEventListener("submit", order.submit);

  /** Return the settings of the spot, those that are usual left out. */
  function spot() {
    /** @type {any} */
    const found = {
      board: picker.cards.join(""),
      ...(numberOf("pot") !== null && { pot: numberOf("pot") }),
      ...(numberOf("stack") !== null && { stack: numberOf("stack") }),
    };
    for (const name of Object.keys(inputs).slice(2)) {
      const value = inputs[name].value.trim();
      if (!value) continue;
      if (shares.includes(name)) found[name] = `${value.replace("%", "").trim()}%`;
      else if (name.endsWith("lines"))
        found[name] = value
          .split("\n")
          .map((line) => line.trim())
          .filter(Boolean);
      else found[name] = numberOf(name);
    }
    const write = (parts) => {
      const known = Object.fromEntries(PARTS.map((part, place) => [part, parts?.[place]]).filter(([, value]) => value));
      return Object.keys(known).length ? known : undefined;
    };
    const together = (own) =>
      Object.fromEntries(
        Object.entries(own)
          .map(([row, parts]) => [row, write(parts)])
          .filter(([, value]) => value),
      );
    const { bets, ...streets } = together(sizes.both);
    found.bets = (sizes.both.bets ?? ["", "", ""]).join("; ").replace(/[;\s]+$/, "");
    Object.assign(found, streets);
    for (const who of ["oop", "ip"]) {
      const own = together(sizes[who]);
      found[who] = Object.keys(own).length ? { range: ranges[who].text, ...own } : ranges[who].text;
      if (!ranges[who].text) found[who] = "";
    }
    return found;
  }

  function numberOf(name) {
    const value = inputs[name].value.trim().replaceAll(/[\s_](?=\d{3})/g, "");
    return value === "" ? null : Number.isFinite(Number(value)) ? Number(value) : value;
  }

  /** Show settings. */
  async function fill(next) {
    const rangeOf = (who) => (typeof next[who] === "object" && next[who] ? next[who].range : next[who]) ?? "";
    picker.set(splitCards(next.board ?? ""));
    for (const name of Object.keys(inputs)) {
      const value = next[name] ?? USUAL[name];
      if (shares.includes(name) && typeof value === "string") inputs[name].value = value.replace("%", "");
      else if (shares.includes(name)) inputs[name].value = value ? shareText(value) : "";
      else inputs[name].value = Array.isArray(value) ? value.join("\n") : (value ?? "");
    }
    for (const [name, own] of [
      ["both", next],
      ["oop", next.oop],
      ["ip", next.ip],
    ]) {
      sizes[name] = {};
      if (typeof own !== "object" || !own) continue;
      for (const row of ["bets", ...STREETS]) if (own[row]) sizes[name][row] = partsOf(own[row]);
    }
    if (!next.bets) sizes.both.bets = partsOf(USUAL.bets);
    more.open = Object.keys(inputs)
      .slice(5)
      .some((name) => inputs[name].value);
    drawSizes();
    drawTabs();
    await Promise.all(["oop", "ip"].map((who) => ranges[who].set(rangeOf(who))));
    change();
  }

  async function load(chosen) {
    try {
      const { settings: read, warnings } = await post("/spots/read", { text: await chosen.text(), name: chosen.name });
      await fill(read);
      toast(`Loaded ${chosen.name}.`);
      warnings.forEach((sentence) => toast(sentence, { seconds: 20 }));
    } catch (error) {
      failed(error);
    }
    file.value = "";
  }

  async function save() {
    try {
      const response = await fetch("/api/spots/file", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ spot: spot() }),
      });
      if (!response.ok)
        throw Object.assign(new Error((await response.json()).error.message), { status: response.status });
      const link = h("a", {
        href: URL.createObjectURL(await response.blob()),
        download: `${picker.cards.join("")}.toml`,
      });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    } catch (error) {
      failed(error);
    }
  }

  /** Show an error at its field; return what else is to be said, or false where it is of no field of these. */
  function place(error, { focus }) {
    const [who, street] = (error.field ?? "").split(".");
    if (error.field === "board") boardWrong.textContent = error.message.replace(/^board: /, "");
    else if (ranges[who] && !street) {
      ranges[who].fail(error);
      if (focus) shown = who;
      drawTabs();
      return `${who.toUpperCase()}: ${error.message.replace(/^\w+: /, "")}`;
    } else if (fields[error.field]) fields[error.field].fail(error.message);
    else if (error.field === "bets" || STREETS.includes(error.field) || street) {
      scope = ranges[who] ? who : "both";
      drawSizes();
      sizesWrong.textContent = error.message;
      for (const one of table.querySelectorAll(`[data-sizes="${scope}.${street ?? who}"]`))
        one.toggleAttribute("aria-invalid", true);
    } else return false;
    return true;
  }

  function change() {
    order.reset();
    boardWrong.textContent = sizesWrong.textContent = "";
    for (const one of Object.values(fields)) one.fail("");
    for (const one of table.querySelectorAll("[aria-invalid]")) one.removeAttribute("aria-invalid");
    history.replaceState(null, "", href("/new/spot", { spot: JSON.stringify(spot()) }));
    if (!picker.cards.length && !ranges.oop.text) return order.empty();
    order.preview();
  }

  // --- The tree ---
  function drawTree(facts) {
    const counts = Object.entries(facts.counts);
    clear(
      tree,
      h(
        "table",
        { class: "plain counts" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["", "decisions", "ends", "deals"].map((name) => h("th", { class: "num", scope: "col" }, name)),
          ),
        ),
        h(
          "tbody",
          {},
          counts.map(([street, { decision, terminal, chance }]) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, street),
              [decision, terminal, chance].map((value) => h("td", { class: "num" }, count(value))),
            ),
          ),
        ),
      ),
      changes(facts.changes),
      h(
        "div",
        { class: "rows", role: "tree", "aria-label": "Betting tree" },
        facts.rows.map((row) => treeRow(row)),
      ),
    );
  }

  function changes(all) {
    if (!all.length) return null;
    const kinds = Map.groupBy
      ? Map.groupBy(all, ({ reason }) => reason)
      : all.reduce((map, one) => map.set(one.reason, [...(map.get(one.reason) ?? []), one]), new Map());
    return h(
      "details",
      { class: "changes" },
      h(
        "summary",
        {},
        [...kinds]
          .map(([reason, own]) => `${own.length} ${own.length === 1 ? "size" : "sizes"} ${REASONS[reason] ?? reason}`)
          .join(", "),
      ),
      h(
        "ul",
        {},
        all
          .slice(0, 100)
          .map(({ line, asked: wanted, became, reason }) =>
            h(
              "li",
              {},
              h("code", {}, line || "start"),
              ` ${chips(wanted)} → ${chips(became)}, ${REASONS[reason] ?? reason}`,
            ),
          ),
      ),
    );
  }

  function treeRow(row, shift = 0) {
    const who =
      row.player >= 0 ? ["OOP", "IP"][row.player] : row.folded >= 0 ? `${["IP", "OOP"][row.folded]} wins` : "showdown";
    const line = h(
      "div",
      {
        class: "row",
        role: "treeitem",
        "aria-level": String(row.depth + shift + 1),
        css: { "--depth": row.depth + shift },
      },
      h("b", {}, row.action || row.street),
      h("span", { class: "note" }, row.more ? `${row.street}: ${who}` : who),
      h("span", { class: "grow" }),
      h("span", { class: "note", title: "Pot" }, chips(row.pot)),
    );
    if (!row.more) return line;
    const below = h("div", { role: "group" });
    const button = h(
      "button",
      {
        type: "button",
        class: "button small quiet",
        "aria-expanded": "false",
        "aria-label": `Show the ${row.street} after ${row.line}`,
        onclick: unfold,
      },
      "+",
    );
    line.prepend(button);
    async function unfold() {
      const closed = button.getAttribute("aria-expanded") === "false";
      button.setAttribute("aria-expanded", String(closed));
      button.textContent = closed ? "−" : "+";
      if (!closed) return (open.delete(row.line), clear(below));
      open.add(row.line);
      try {
        const told = await post("/spots/preview", { spot: spot(), sizes: false, line: row.line }, { signal });
        clear(
          below,
          told.rows.slice(1).map((next) => treeRow(next, row.depth + shift)),
        );
      } catch (error) {
        failed(error);
      }
    }
    if (open.has(row.line)) unfold();
    return [line, below];
  }

  await fill(given);
}
