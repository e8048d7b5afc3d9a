// Locks: paint what a player does at a decision, or type it, and have the rest solved again.
import { runPath } from "../base/address.js";
import { post } from "../base/api.js";
import { actionColour } from "../base/colours.js";
import { clear, field, h, later } from "../base/dom.js";
import { percent, whereOf } from "../base/format.js";
import { goal } from "../base/numbers.js";
import { rangeGrid } from "../cards/grid.js";
import { mixBar } from "../cards/line-columns.js";
import { undoButtons } from "../parts/undo.js";
import { carriedNote, usualGoal } from "../runs/carried.js";
import { arrive, followed } from "../runs/rerun.js";
import { byClass, handRows } from "./hands.js";
import { lockState, SOLVED } from "./lock-state.js";

/** Return the editor of locks at a decision. */
export function lockEditor({ run, node, about, navigate, signal }) {
  const { actions } = node;
  const colours = actions.map((action) => actionColour(action, actions));
  const rows = handRows(node, node.player);
  const classes = byClass(rows);
  const state = lockState(rows, actions);
  const brush = brushPanel({ actions, colours, solved: actions.map((action) => node.frequencies[action]) });
  const solver = solvePanel({ run, node, about, navigate, signal, state });
  const status = h("p", { class: "note", role: "status" });

  // --- painted ---

  let erase = false;
  const grid = rangeGrid({
    label: "Hands to be locked",
    onPaint: (name, first) => {
      if (!(classes.get(name)?.range > 1e-9)) return;
      if (first) erase = state.holds(name, brush.mix);
      lock((row) => row.name === name, erase ? null : brush.mix, !first);
    },
  });

  function lock(fits, mix, together = false) {
    state.lock(fits, mix && mix !== SOLVED ? [...mix] : mix);
    text.value = state.text;
    undo.note(state.text, together);
    draw();
  }

  const all = (mix) => lock((row) => classes.get(row.name).range > 1e-9, mix);

  // --- the same as a text ---

  const text = h("textarea", {
    rows: 5,
    spellcheck: "false",
    placeholder: `QQ+, AKs: ${actions[0]} 70, ${actions.at(-1)} 30`,
    oninput: () => type(),
  });
  const typed = field("As text", text, {
    name: "locks",
    help: "A line for each mix: a range or a filter (top pair and not hearts), a colon, and the share of each action in %. Brackets [ ] mean: as solved.",
  });
  const type = () => {
    read(state.type(text.value));
    undo.note(state.text);
    draw();
  };
  const undo = undoButtons({ restore: (former) => ((text.value = former), type()), signal });
  const read = later(async (number) => {
    const fields = { line: node.line, board: node.board.slice(about.board.length), text: state.text };
    try {
      state.take(number, (await post("/runs/{run}/spot/locks/read", { run, ...fields }, { signal })).mixes);
    } catch (error) {
      if (error.name === "AbortError") return;
      state.refuse(number, error.message);
    }
    draw();
  }, 200);

  function draw() {
    grid.update(lockCells({ classes, rows, actions, colours, state }));
    typed.fail(state.problem, { focus: false });
    const { count } = state;
    status.textContent = state.problem
      ? ""
      : count
        ? `${count} ${count === 1 ? "hand is" : "hands are"} locked; the others stay free.`
        : "Nothing is locked yet: paint hands, or type them.";
    solver.update();
  }

  undo.note("");
  draw();
  return h(
    "section",
    { class: "locks" },
    h("div", { class: "spot-grid" }, grid),
    h(
      "div",
      { class: "card stack" },
      h("h2", {}, `Lock ${about.players[node.player]} ${whereOf(about.settings.after, node.line)}`),
      h(
        "p",
        { class: "note" },
        "Paint the hands that play as the brush says; the others stay free. Then the rest is solved again, and you see what the other side gains.",
      ),
      brush,
      h(
        "div",
        { class: "toolbar" },
        h("button", { class: "button small", type: "button", onclick: () => all(brush.mix) }, "Brush on all hands"),
        h("button", { class: "button small", type: "button", onclick: () => all(SOLVED) }, "All as solved"),
        h("button", { class: "button small", type: "button", onclick: brush.mean }, "Brush: mean of the range"),
        h("button", { class: "button small quiet", type: "button", onclick: () => all(null) }, "Free all"),
        undo,
      ),
      typed,
      status,
      solver,
    ),
  );
}

/** Return the cells of the grid: locked classes as they are locked, the others as they play now, pale. */
function lockCells({ classes, rows, actions, colours, state }) {
  const cells = new Map();
  for (const [name, one] of classes) {
    if (!(one.range > 1e-9)) continue;
    const hands = rows.filter((row) => row.name === name && row.range > 0);
    const locked = hands.map((row) => ({ range: row.range, mix: state.mixOf(row) })).filter(({ mix }) => mix);
    const label = locked.length === hands.length ? "locked" : locked.length ? "some" : "";
    const total = locked.reduce((sum, { range }) => sum + range, 0);
    const mix = label === "locked" ? actions.map((_, k) => mean(locked, k) / total) : one.mix;
    cells.set(name, {
      segments: mix.map((share, k) => ({
        colour: label ? colours[k] : `color-mix(in srgb, ${colours[k]} 35%, var(--held))`,
        share,
      })),
      weight: 1,
      label,
      title: `${name}: ${label === "locked" ? "locked, " : label ? "some locked, now " : "free, now "}${actions
        .map((action, k) => `${action} ${percent(mix[k], 0)}`)
        .join(", ")}`,
    });
  }
  return cells;
}

const mean = (hands, k) => hands.reduce((sum, { range, mix }) => sum + range * mix[k], 0);

/** Return the brush: a slider for each action. The element has `mix`, and mean(), which sets it to that of the range. */
function brushPanel({ actions, colours, solved }) {
  let brush = actions.map((_, k) => Number(k === 0));
  const sliders = actions.map((action, k) =>
    h("input", {
      type: "range",
      min: 0,
      max: 100,
      step: 1,
      id: `brush-${k}`,
      "aria-label": `${action} in %`,
      oninput: (event) => set(k, Number(event.target.value) / 100),
    }),
  );
  const numbers = actions.map((action, k) =>
    h("input", {
      type: "number",
      min: 0,
      max: 100,
      step: "any",
      "aria-label": `${action} in %`,
      onchange: (event) => set(k, Math.min(100, Math.max(0, Number(event.target.value) || 0)) / 100),
    }),
  );
  const preview = h("div", {});

  /** Set one share; the others share the rest as they did before. */
  function set(k, share) {
    const rest = brush.reduce((sum, one, n) => sum + (n === k ? 0 : one), 0);
    const others = actions.length - 1;
    draw(
      brush.map((one, n) =>
        n === k ? share : others ? (rest > 0 ? (one / rest) * (1 - share) : (1 - share) / others) : 1,
      ),
    );
  }

  function draw(mix) {
    brush = mix;
    brush.forEach((share, k) => {
      sliders[k].value = Math.round(100 * share);
      numbers[k].value = Number((100 * share).toFixed(2));
    });
    clear(preview, mixBar(brush, colours, "The brush"));
  }

  const element = h(
    "div",
    { class: "stack" },
    h(
      "div",
      { class: "brush" },
      actions.map((action, k) => [
        h(
          "button",
          {
            class: "button small",
            type: "button",
            title: `Only ${action}`,
            onclick: () => draw(actions.map((_, n) => Number(n === k))),
          },
          h("span", { class: "dot", css: { "--colour": colours[k] } }),
          action,
        ),
        sliders[k],
        numbers[k],
      ]),
    ),
    preview,
  );
  Object.defineProperty(element, "mix", { get: () => brush });
  element.mean = () => draw([...solved]);
  draw(brush);
  return element;
}

/** Return the button that solves what is locked, until when, and how far it is. The element has update(). */
function solvePanel({ run, node, about, navigate, signal, state }) {
  const later = node.board.slice(about.board.length);
  const usual = usualGoal(about.carried, "0.5%", "of the pot");
  const note = carriedNote(about.carried);
  const until = h("input", { type: "text", value: usual.value, size: 6 });
  const onBoard = h("input", { type: "checkbox", checked: true });
  const wrong = h("p", { class: "wrong", role: "alert" });
  const start = h("button", { class: "button primary", type: "button", onclick: solve }, "Lock and solve again");
  const progress = h("div", { class: "progress", "aria-live": "polite" });
  let busy = false;

  async function solve() {
    wrong.textContent = "";
    busy = true;
    element.update();
    const locks = { line: node.line, board: later, text: state.text, everywhere: !onBoard.checked };
    try {
      const { job } = await post(
        "/runs/{run}/spot/locks",
        { run, ...locks, until: until.value.trim() ? goal(until.value) : usual.value },
        { signal },
      );
      const done = await followed(job, progress, { signal });
      arrive(done, progress, () => navigate(runPath(done.id, "spot"), { line: node.line, board: later, vs: run }));
    } catch (error) {
      if (error.name !== "AbortError") wrong.textContent = error.message;
    } finally {
      busy = false;
      element.update();
    }
  }

  const element = h(
    "div",
    { class: "stack" },
    h(
      "div",
      { class: "toolbar" },
      h("label", {}, "Until ", until, ` ${usual.of}`),
      later && h("label", {}, onBoard, ` only on ${node.board}`),
      h("span", { class: "grow" }),
      start,
    ),
    note && h("p", { class: "note" }, note),
    wrong,
    progress,
  );
  element.update = () => (start.disabled = busy || !state.ready);
  return element;
}
