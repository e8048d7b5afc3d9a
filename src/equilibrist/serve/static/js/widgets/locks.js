// Locks: paint what a player does at a decision, or type it, and have the rest solved again.
import { pathOf, post } from "../api.js";
import { runPath } from "../app.js";
import { actionColour } from "../colours.js";
import { clear, field, h } from "../dom.js";
import { percent, whereOf } from "../format.js";
import { followed } from "./again.js";
import { CLASSES, rangeGrid } from "./grid.js";
import { byClass, handRows } from "./hands.js";
import { mixBar } from "./strip.js";

const close = (one, other) => one.every((share, k) => Math.abs(share - other[k]) < 1e-9);

/** Return the editor of locks at a decision. */
export function lockEditor({ run, node, about, navigate, signal }) {
  const { actions } = node;
  const colours = actions.map((action) => actionColour(action, actions));
  const rows = handRows(node, node.player);
  const classes = byClass(rows);
  const locked = new Map(); // class, or one hand → mix, or "solved": each hand as it plays now
  const lockOf = (row) => locked.get(row.hand) ?? locked.get(row.name);
  let brush = actions.map((action) => Number(action === actions[0]));
  const solved = actions.map((action) => node.frequencies[action]);

  const grid = rangeGrid({ onPaint: paint, label: "Hands to be locked" });
  let erase = false;

  function paint(name, first) {
    if (!classes.get(name)?.range) return;
    if (first) {
      const known = locked.get(name);
      erase = Array.isArray(known) && close(known, brush);
    }
    if (erase) locked.delete(name);
    else locked.set(name, [...brush]);
    draw();
  }

  const mixOf = (name) => (locked.get(name) === "solved" ? classes.get(name).mix : locked.get(name));

  function draw() {
    const cells = new Map();
    for (const [name, one] of classes) {
      if (!(one.range > 1e-9)) continue;
      const mix = mixOf(name);
      const some = !mix && rows.some((row) => row.name === name && locked.has(row.hand));
      const segments = (mix ?? one.mix).map((share, k) => ({ colour: colours[k], share }));
      const text = actions.map((action, k) => `${action} ${percent((mix ?? one.mix)[k], 0)}`).join(", ");
      cells.set(name, {
        segments,
        weight: 1,
        muted: !mix && !some,
        label: mix ? "locked" : some ? "some" : "",
        title: `${name}: ${mix ? "locked, " : "free, now "}${text}`,
      });
    }
    grid.update(cells);
    text.value = written();
    const hands = rows.filter((row) => lockOf(row) && row.range > 0).length;
    status.textContent = hands
      ? `${hands} ${hands === 1 ? "hand is" : "hands are"} locked; the others stay free.`
      : "Nothing is locked yet: paint hands, or type below.";
    start.disabled = !hands;
  }

  // --- the brush ---

  const sliders = actions.map((action, k) =>
    h("input", {
      type: "range",
      min: 0,
      max: 100,
      step: 1,
      id: `brush-${k}`,
      "aria-label": `${action} in %`,
      oninput: (event) => setBrush(k, Number(event.target.value) / 100),
    }),
  );
  const numbers = actions.map((action, k) =>
    h("input", {
      type: "number",
      min: 0,
      max: 100,
      step: "any",
      "aria-label": `${action} in %`,
      onchange: (event) => setBrush(k, Math.min(100, Math.max(0, Number(event.target.value) || 0)) / 100),
    }),
  );
  const preview = h("div", {});

  /** Set one share; the others share the rest as they did before. */
  function setBrush(k, share) {
    const rest = brush.reduce((sum, one, n) => sum + (n === k ? 0 : one), 0);
    const others = actions.length - 1;
    brush = brush.map((one, n) =>
      n === k ? share : others ? (rest > 0 ? (one / rest) * (1 - share) : (1 - share) / others) : 1,
    );
    drawBrush();
  }

  function drawBrush() {
    brush.forEach((share, k) => {
      sliders[k].value = Math.round(100 * share);
      numbers[k].value = Number((100 * share).toFixed(2));
    });
    clear(preview, mixBar(brush, colours, "The brush"));
  }

  const brushes = h(
    "div",
    { class: "brush" },
    actions.map((action, k) => [
      h(
        "button",
        {
          class: "button small",
          type: "button",
          title: `Only ${action}`,
          onclick: () => ((brush = actions.map((_, n) => Number(n === k))), drawBrush()),
        },
        h("span", { class: "dot", css: { "--colour": colours[k] } }),
        action,
      ),
      sliders[k],
      numbers[k],
    ]),
  );
  const all = (value) => {
    for (const [name, one] of classes)
      if (one.range > 1e-9)
        value === null ? locked.delete(name) : locked.set(name, value === "solved" ? value : [...value]);
    draw();
  };

  // --- the same as a text ---

  const text = h("textarea", {
    rows: 5,
    spellcheck: "false",
    placeholder: `AA, AKs: ${actions[0]} 70, ${actions.at(-1)} 30`,
  });
  const typed = field("As text", text, {
    name: "locks",
    help: "A line for each mix: classes or hands, a colon, and the share of each action in %. Brackets [ ] mean: as solved.",
  });
  text.addEventListener("change", () => {
    try {
      const found = parse(text.value);
      locked.clear();
      for (const [name, mix] of found) locked.set(name, mix);
      typed.fail("");
      draw();
    } catch (error) {
      typed.fail(error.message);
    }
  });

  function written() {
    const groups = new Map();
    for (const name of [...CLASSES, ...rows.map((row) => row.hand)]) {
      const mix = locked.get(name);
      if (!mix) continue;
      const key =
        mix === "solved"
          ? "[as solved]"
          : actions
              .map((action, k) => (mix[k] > 0 ? `${action} ${Number((100 * mix[k]).toFixed(2))}` : ""))
              .filter(Boolean)
              .join(", ");
      groups.set(key, [...(groups.get(key) ?? []), name]);
    }
    return [...groups].map(([key, names]) => `${names.join(", ")}: ${key}`).join("\n");
  }

  function parse(source) {
    const found = new Map();
    for (const line of source.split("\n").filter((one) => one.trim())) {
      const [names, mix] = line.split(":");
      if (mix === undefined) throw new Error(`${line.trim()}: a colon stands between hands and actions.`);
      /** @type {any} */
      let shares = "solved";
      if (!mix.trim().startsWith("[")) {
        shares = actions.map(() => 0);
        for (const part of mix.split(",").filter((one) => one.trim())) {
          const [action, share] = part.trim().split(/\s+/);
          const k = actions.findIndex((one) => one === action.toUpperCase());
          if (k < 0) throw new Error(`The actions here are ${actions.join(", ")}; got ${action}.`);
          shares[k] = share === undefined ? 1 : Number.parseFloat(share) / 100;
        }
        const total = shares.reduce((sum, one) => sum + one, 0);
        if (!(Math.abs(total - 1) < 0.005))
          throw new Error(`${names.trim()}: the shares sum to ${Number((100 * total).toFixed(1))} %, not 100 %.`);
        shares = shares.map((one) => one / total);
      }
      for (const name of names
        .split(",")
        .map((one) => one.trim())
        .filter(Boolean)) {
        if (name === "all") for (const [each, one] of classes) one.range > 1e-9 && found.set(each, shares);
        else if (!classes.get(name)?.range && !rows.some((row) => row.hand === name && row.range > 0))
          throw new Error(`${about.players[node.player]} does not hold ${name} here.`);
        else found.set(name, shares);
      }
    }
    return found;
  }

  // --- solving ---

  /** Return the locks as the API takes them: one for each mix, with its hands. */
  function locks() {
    const groups = new Map();
    for (const row of rows) {
      const known = lockOf(row);
      if (!known || row.mix.some((share) => share === null)) continue;
      const mix = known === "solved" ? row.mix : known;
      const key = mix.join();
      const group = groups.get(key) ?? {
        line: node.line,
        strategy: Object.fromEntries(actions.map((action, k) => [action, mix[k]])),
        hands: [],
      };
      group.hands.push(row.hand);
      groups.set(key, group);
    }
    const later = node.board.slice(about.board.length);
    return [...groups.values()].map((one) => ({
      ...one,
      hands: one.hands.join(","),
      ...(later && onBoard.checked ? { board: node.board } : {}),
    }));
  }

  const until = h("input", { type: "text", value: "0.5%", size: 6 });
  const onBoard = h("input", { type: "checkbox", checked: true });
  const status = h("p", { class: "note", role: "status" });
  const wrong = h("p", { class: "wrong", role: "alert" });
  const start = h("button", { class: "button primary", type: "button", onclick: solve }, "Lock and solve again");
  const progress = h("div", { class: "progress", "aria-live": "polite" });

  async function solve() {
    wrong.textContent = "";
    start.disabled = true;
    try {
      const { job } = await post(
        pathOf(run, "spot", "locks"),
        { locks: locks(), until: until.value.trim() || "0.5%" },
        { signal },
      );
      const done = await followed(job, progress, { signal });
      navigate(runPath(done.id, "spot"), { line: node.line, board: node.board.slice(about.board.length), vs: run });
    } catch (error) {
      start.disabled = false;
      if (error.name !== "AbortError") wrong.textContent = error.message;
    }
  }

  drawBrush();
  draw();
  return h(
    "section",
    { class: "locks" },
    h("div", { class: "spot-grid" }, grid),
    h(
      "div",
      { class: "spot-side" },
      h("h2", {}, `Lock what ${about.players[node.player]} does ${whereOf(about.settings.after, node.line)}`),
      h(
        "p",
        { class: "note" },
        "Set the brush and drag over the grid; painting the same again frees a hand. Locked hands keep their mix, everything else is solved again, and you see what the other side gains.",
      ),
      brushes,
      preview,
      h(
        "div",
        { class: "toolbar" },
        h("button", { class: "button small", type: "button", onclick: () => all(brush) }, "Brush on all hands"),
        h("button", { class: "button small", type: "button", onclick: () => all("solved") }, "All as solved"),
        h(
          "button",
          { class: "button small", type: "button", onclick: () => ((brush = [...solved]), drawBrush()) },
          "Brush: mean of the range",
        ),
        h("button", { class: "button small quiet", type: "button", onclick: () => all(null) }, "Free all"),
      ),
      typed,
      h(
        "div",
        { class: "toolbar" },
        h("label", {}, "Until ", until, " of the pot"),
        node.board.length > about.board.length && h("label", {}, onBoard, ` only on ${node.board}`),
        h("span", { class: "grow" }),
        start,
      ),
      status,
      wrong,
      progress,
    ),
  );
}
