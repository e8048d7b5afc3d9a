// Watch: a recorded run once more, at any speed: strategy and regret on bars, tree and simplex.
import { href, runPath } from "../base/address.js";
import { address, events, get, jobs, post } from "../base/api.js";
import { actionColour } from "../base/colours.js";
import { clear, h } from "../base/dom.js";
import { count, gap, gapName, measureName } from "../base/format.js";
import { titleOf } from "../base/words.js";
import { movingTree } from "../infosets/moving-tree.js";
import { lineChart } from "../parts/chart.js";
import { explain, heading, MEANINGS } from "../parts/explain.js";
import { shortcuts } from "../parts/keys.js";
import { player } from "../parts/replay.js";
import { saveMenu } from "../parts/save-view.js";
import { hintScroll } from "../parts/scroll-hint.js";
import { simplexPicture } from "../parts/simplex.js";
import { quality, stat, valueStat } from "../parts/stats.js";
import { failed } from "../parts/toast.js";

/** @import { Film, FilmedInfoset, Overview } from "../base/answers.js" */

const EXAMPLE = {
  game: "kuhn",
  algorithm: "dcfr",
  iterations: 1000,
  record: "all",
  record_every: 1,
  name: "watch-kuhn",
};
const OVER = ["done", "stopped", "failed", "interrupted"];
const SPEED = 20;
const PART = 24;

/** Have Kuhn poker solved and recorded, and go to where one can watch it. */
export async function watchExample(navigate) {
  try {
    const { id } = await post("/jobs", EXAMPLE);
    navigate(`/watch/${encodeURIComponent(id)}`, { play: 1 });
  } catch (error) {
    failed(error);
  }
}

/** Wait until a run that is being solved is over. */
function solved(run, signal) {
  return new Promise((resolve) => {
    const check = () => {
      const job = jobs.get(run);
      if (!job || OVER.includes(job.state)) resolve(job);
    };
    events(({ type }) => ["connected", "jobs", "job", "gone"].includes(type) && check(), { signal });
    if (jobs.has(run)) check();
  });
}

export async function show(root, { params, query, navigate, signal }) {
  const { run } = params;
  document.title = `Watch ${run} · Equilibrist`;
  if (query.get("play")) {
    root.append(h("p", { class: "note", role: "status" }, "Solving: a moment …"));
    const job = await solved(run, signal);
    if (job?.error) throw new Error(job.error);
    clear(root);
  }
  const start = Number(query.get("start")) || 0;
  const about = await get("/runs/{run}/overview", { run }, { signal });
  if (!about.recorded) return root.append(...notRecorded(about, run));
  const film = await get("/runs/{run}/recording", { run, start, count: PART }, { signal });
  const rows = film.infosets.map((infoset) => infosetRow(infoset, about));
  const tree = film.tree && movingTree(film.tree, (who, key) => indexOf(film, who, key));
  const curve = gapChart(film, gapName(about));
  const pictures = simplexCard(film, query, () => note());
  const first = Math.max(0, nearestFrame(film, query.get("at")));
  const reel = player({
    frames: film.iteration.length,
    frame: query.has("at") ? first : query.get("play") ? 0 : film.iteration.length - 1,
    speed: Number(query.get("speed")) || SPEED,
    words: (frame) => `iteration ${count(film.iteration[frame])}`,
    draw,
    onRest: () => note(),
    signal,
  });

  function draw(frame) {
    for (const row of rows) row.update(frame);
    tree?.update(film.infosets.map((infoset) => infoset.average_strategy[frame]));
    pictures.update(frame);
    curve.move(film.iteration[frame]);
  }

  /** Keep in the address what is shown. */
  function note() {
    const frame = reel.frame();
    navigate(
      `/watch/${encodeURIComponent(run)}`,
      {
        at: frame === film.iteration.length - 1 ? "" : film.iteration[frame],
        speed: reel.speed() === SPEED ? "" : reel.speed(),
        start: start || "",
        ...pictures.fields(),
      },
      { replace: true },
    );
  }

  const keys = shortcuts(signal, {
    " ": ["play, pause", () => reel.toggle()],
    ArrowLeft: ["back one iteration", () => reel.step(-1)],
    ArrowRight: ["on one iteration", () => reel.step(1)],
    Home: ["to the first", () => reel.step(-film.iteration.length)],
    End: ["to the last", () => reel.step(film.iteration.length)],
  });
  root.append(
    head(about, run, keys),
    h("div", { class: "card" }, reel),
    h(
      "div",
      { class: "watch-parts" },
      h("div", { class: "stack" }, infosetTable(rows, film, run), tree && treeCard(tree)),
      h("div", { class: "stack" }, pictures.card, curve.card, h("p", { class: "note" }, CAPTION)),
    ),
  );
  if (query.get("play") && !matchMedia("(prefers-reduced-motion: reduce)").matches) reel.start();
  else reel.querySelector(".play").focus({ preventScroll: true });
}

const CAPTION =
  "After each iteration, actions with more regret are taken more often. The strategy may jump about; its average settles, and is what the run returns.";

/**
 * Return what is said of a run without recording, and how to get one.
 *
 * @param {Overview} about
 */
function notRecorded(about, run) {
  const again = about.spot ? null : href("/new", { game: about.game, record: "all", iterations: about.iterations });
  return [
    h("h1", {}, `Watch ${titleOf(about)}`),
    h(
      "section",
      { class: "card notice" },
      h("p", {}, "Nothing was recorded of this run while it was solved, so that there is nothing to watch."),
      h(
        "div",
        { class: "toolbar" },
        again && h("a", { class: "button primary", href: again }, "Solve it again, recorded"),
        h("a", { class: "button", href: runPath(run) }, "Study the run"),
      ),
    ),
  ];
}

/** @param {Overview} about */
function head(about, run, keys) {
  return h(
    "header",
    { class: "toolbar" },
    h("h1", { title: about.game }, `Watch ${titleOf(about)}`),
    h(
      "dl",
      { class: "stats" },
      about.value.length > 0 && valueStat(about),
      stat("Algorithm", about.algorithm, MEANINGS.Algorithm),
      stat("Iterations", count(about.iterations), MEANINGS.Iterations),
    ),
    quality(about),
    h("span", { class: "grow" }),
    h("a", { class: "button small", href: runPath(run) }, "Study"),
    h("button", { class: "button small quiet", type: "button", "aria-label": "Keys", onclick: () => keys.help() }, "?"),
  );
}

/** @param {Film} film */
const indexOf = ({ infosets }, who, key) =>
  infosets.findIndex(({ player: owner, infoset }) => owner === who && infoset === key);

/**
 * Return the frame of an iteration, or the last one before it.
 *
 * @param {Film} film
 */
function nearestFrame({ iteration }, at) {
  const after = iteration.findIndex((one) => one > Number(at));
  return after < 0 ? iteration.length - 1 : after - 1;
}

/**
 * Return a row of the table: strategy, average and regret sums of an infoset, with update(frame).
 *
 * @param {FilmedInfoset} infoset
 */
function infosetRow(infoset, about) {
  const { actions, strategy, average_strategy: average, regret_sum: regret } = infoset;
  const colours = actions.map((action) => actionColour(action, actions));
  const most = Math.max(1e-300, ...regret.flat().map(Math.abs));
  const bar = () =>
    h(
      "span",
      { class: "bar-of", "aria-hidden": "true" },
      colours.map((colour) => h("span", { css: { "--colour": colour } })),
    );
  const [now, mean] = [bar(), bar()];
  const numbers = h("span", { class: "note num" });
  const regrets = colours.map((colour) =>
    h("span", { class: "regret", css: { "--colour": colour } }, h("i", {}), h("span", { class: "sr" })),
  );
  const row = h(
    "tr",
    {},
    h(
      "th",
      { scope: "row" },
      h("code", {}, infoset.infoset),
      h("span", { class: "note" }, ` ${about.names?.[infoset.player] ?? `P${infoset.player}`}`),
    ),
    h("td", {}, now),
    h("td", {}, mean, numbers),
    h("td", {}, h("div", { class: "regrets", title: actions.join(", ") }, regrets)),
  );
  const fill = (spans, shares) =>
    [...spans.children].forEach((span, k) => span.style.setProperty("--share", shares[k]));
  return Object.assign(row, {
    update(frame) {
      fill(now, strategy[frame]);
      fill(mean, average[frame]);
      numbers.textContent = average[frame].map((share) => (100 * share).toFixed(0)).join(" · ");
      regrets.forEach((one, k) => {
        const share = regret[frame][k] / most;
        one.style.setProperty("--size", String(Math.abs(share)));
        one.classList.toggle("below", share < 0);
        one.lastChild.textContent = `${actions[k]} ${gap(regret[frame][k])}`;
      });
    },
  });
}

/**
 * @param {any[]} rows
 * @param {Film} film
 * @param {string} run
 */
function infosetTable(rows, film, run) {
  const labels = [...new Set(film.infosets.flatMap(({ actions }) => actions))];
  const legend =
    labels.length <= 8 &&
    labels.map((label) => {
      const { actions } = film.infosets.find((one) => one.actions.includes(label)) ?? { actions: labels };
      return h("span", {}, h("span", { class: "dot", css: { "--colour": actionColour(label, actions) } }), ` ${label}`);
    });
  const page = (start, text) =>
    h("a", { class: "button small", href: href(`/watch/${encodeURIComponent(run)}`, { start }) }, text);
  const { start, total } = film;
  const menu = saveMenu(
    () => /** @type {HTMLElement} */ (menu.closest(".watch-parts")),
    () => document.querySelector("h1")?.textContent ?? "",
  );
  return h(
    "section",
    { class: "card" },
    h(
      "div",
      { class: "toolbar" },
      h("h2", { class: "grow" }, "Strategy and regret"),
      menu,
      h("div", { class: "legend" }, legend),
      start > 0 && page(Math.max(0, start - PART), "Before"),
      start + PART < total && page(start + PART, `Next of ${count(total)}`),
      h(
        "a",
        {
          class: "button small",
          download: "",
          href: address("/runs/{run}/table", { run, what: "recording", format: "csv" }),
        },
        "CSV",
      ),
    ),
    hintScroll(
      h(
        "div",
        { class: "table-scroll", tabindex: "0", role: "region", "aria-label": "Strategy and regret" },
        h(
          "table",
          { class: "plain watch-table" },
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              ["Infoset", "Strategy", "Average", "Regret sum"].map((name) => heading(name)),
            ),
          ),
          h("tbody", {}, rows),
        ),
      ),
    ),
  );
}

const treeCard = (tree) =>
  h(
    "section",
    { class: "card" },
    explain(
      h("h2", {}, "The game as a tree"),
      "From left to right: what chance deals, then what the players do. A move is as wide as the average strategy takes it, and faint where play seldom comes. Numbers at the end are what player 0 wins.",
    ),
    tree,
  );

/**
 * Return the chart of how exact the average is up to an iteration, by the exploitability or what stands for it.
 *
 * @param {Film} film
 * @param {string} name
 */
function gapChart({ trace }, name) {
  const title = measureName(name);
  const points = trace.filter(([, value]) => value !== null && value > 0);
  const chart = lineChart({
    x: { label: "iteration", log: true },
    y: { log: true, format: gap },
    height: 190,
    title: `${title} of the average`,
    legend: false,
  });
  let shown = -1;
  const card = h("section", { class: "card" }, explain(h("h2", {}, title), MEANINGS[title]), chart);
  card.hidden = points.length < 2;
  return {
    card,
    move(iteration) {
      const passed = points.filter(([at]) => at <= iteration);
      if (passed.length === shown) return;
      shown = passed.length;
      chart.update({ series: [{ name, points: passed, colour: "var(--accent)" }], frame: points });
    },
  };
}

/** Return the infoset that is shown beside one: of the same player and history, where the strategy mixes most. */
function beside(first, pairs) {
  const mixes = (one) => Math.min(...one.average_strategy.at(-1));
  const alike = (one) => (one.player === first.player ? 1 : 0) + (one.history === first.history ? 1 : 0);
  const others = pairs.filter((one) => one !== first);
  return others.sort((one, two) => alike(two) - alike(one) || mixes(two) - mixes(one))[0];
}

/**
 * Return the card of the simplex: which infosets it shows, and the picture.
 *
 * @param {Film} film
 */
function simplexCard({ infosets }, query, onPick) {
  const fit = infosets.filter(({ actions }) => actions.length === 2 || actions.length === 3);
  const name = ({ player: owner, infoset }) => `${owner} ${infoset}`;
  const pairs = fit.filter(({ actions }) => actions.length === 2);
  const of = (field) => fit.find((one) => name(one) === query.get(field));
  const place = h("div");
  /** @type {any} */
  let picture = null; // with update(frame)
  let frame = 0;
  const across = select("Across", fit, of("across") ?? fit[0]);
  const up = select("Up", pairs, of("up") ?? beside(fit[0], pairs));

  function select(label, from, chosen) {
    return h(
      "select",
      { "aria-label": label, onchange: () => (draw(), onPick()) },
      from.map((one) => h("option", { value: name(one), selected: one === chosen }, name(one))),
    );
  }

  function draw() {
    const one = fit.find((infoset) => name(infoset) === across.value);
    const two = fit.find((infoset) => name(infoset) === up.value);
    up.hidden = !one || one.actions.length === 3;
    picture = one && (one.actions.length === 3 ? simplexPicture(one, null) : two ? simplexPicture(one, two) : null);
    clear(place, picture);
    picture?.update(frame);
  }

  const card = h(
    "section",
    { class: "card" },
    explain(
      h("h2", {}, "On the way"),
      "Each point is a strategy: how often the last action is taken at one infoset (across) and at another (up); with three actions a point in a triangle. The small dot is the strategy, the large one its average.",
    ),
    h("div", { class: "toolbar" }, across, up),
    place,
  );
  card.hidden = !fit.length;
  draw();
  return {
    card,
    update: (next) => picture?.update((frame = next)),
    fields: () => ({ across: across.value, up: up.hidden ? "" : up.value }),
  };
}
