// The end of the form of a new run: what the run takes, when it stops, and the button that starts it.
import { post } from "../base/api.js";
import { h, later } from "../base/dom.js";
import { estimatePanel } from "./estimate.js";
import { runSettings } from "./run-settings.js";

/**
 * Return the panel of a form.
 *
 * known: the answer of /algorithms; spot, given, onChange: as for runSettings.
 * path: where an estimate is asked for; request(): the game or the spot, as the API takes it.
 * place(error, {focus}): show an error at its field, or return false; focus: the run was to be started.
 * onFacts(facts): an estimate has come, or (null) there is none.
 *
 * It has `card`, `settings`, estimate(), submit(event), reset() and empty(): no error is shown, nothing is asked for.
 *
 * @param {{
 *   known: any, spot?: boolean, given: any, onChange: () => void, path: "/games/estimate" | "/spots/estimate", request: () => object, place: any,
 *   onFacts?: (facts: any) => void, navigate: any, signal: AbortSignal,
 * }} options
 */
export function runPanel({
  known,
  spot = false,
  given,
  onChange,
  path,
  request,
  place,
  onFacts = () => {},
  navigate,
  signal,
}) {
  let asked = 0;
  const takes = estimatePanel();
  const wrong = h("p", { class: "wrong", role: "alert" });
  const settings = runSettings({ known, spot, given, onChange });
  const start = h("button", { type: "submit", class: "button primary" }, "Solve");
  const card = h(
    "div",
    { class: "card" },
    h("h2", {}, "What it takes"),
    takes,
    wrong,
    settings,
    h("div", { class: "toolbar start" }, start, h("span", { class: "note" }, "Continues when this page is closed.")),
  );

  function show(facts, values) {
    takes.update(facts, values);
    onFacts(facts);
  }

  function tell(error, { focus = false } = {}) {
    if (error.name === "AbortError") return;
    show(null);
    const before = /** @type {HTMLElement} */ (document.activeElement);
    const text = place(error, { focus });
    if (text === false && !settings.fail(error)) wrong.textContent = error.message;
    else if (typeof text === "string") wrong.textContent = text;
    if (!focus) before?.focus?.({ preventScroll: true });
    if (!(error.status >= 0)) console.error(error);
  }

  const ask = later(async () => {
    const number = ++asked;
    takes.wait();
    try {
      const values = settings.values();
      for (const name of ["name", "tags", "note"]) delete values[name]; // which take nothing
      const facts = await post(path, { ...request(), ...values }, { signal });
      if (number !== asked) return;
      show(facts, values);
      if (!values.until) return;
      takes.goal("…");
      const { goal } = await post("/forecast", { ...request(), ...values }, { signal }).catch(() => ({ goal: null }));
      if (number === asked) takes.goal(goal);
    } catch (error) {
      if (number === asked) tell(error);
    }
  }, 300);

  async function submit(event) {
    event.preventDefault();
    start.disabled = true;
    try {
      const job = await post("/jobs", { ...request(), ...settings.values() });
      navigate("/jobs", { job: job.id });
    } catch (error) {
      tell(error, { focus: true });
    } finally {
      start.disabled = false;
    }
  }

  return {
    card,
    settings,
    estimate: ask,
    submit,
    reset: () => (wrong.textContent = ""),
    empty: () => (asked++, show(null)),
  };
}

/** Take a file that is dropped on an element. */
export function onDrop(element, take) {
  for (const type of ["dragover", "dragleave", "drop"]) {
    element.addEventListener(type, (event) => {
      event.preventDefault();
      element.classList.toggle("dropping", type === "dragover");
      if (type === "drop" && event.dataTransfer.files.length) take(event.dataTransfer.files[0]);
    });
  }
}
