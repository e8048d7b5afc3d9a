// The end of the form of a new run: what the run takes, when it stops, and the button that starts it.
import { post } from "../base/api.js";
import { h } from "../base/dom.js";
import { failed } from "../parts/toast.js";
import { estimateStore } from "./estimate-store.js";
import { estimatePanel } from "./estimate.js";
import { runSettings } from "./run-settings.js";

const TAKE_NOTHING = ["name", "tags", "note"]; // settings that an estimate does not depend on

/**
 * Return what an estimate is asked about: a game or a spot with the settings of a run.
 *
 * @param {object} request
 * @param {Record<string, any>} values
 */
function questionOf(request, values) {
  const settings = Object.entries(values).filter(([name]) => !TAKE_NOTHING.includes(name));
  return { ...request, ...Object.fromEntries(settings) };
}

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
  const takes = estimatePanel();
  const wrong = h("p", { class: "wrong", role: "alert" });
  const settings = runSettings({ known, spot, given, onChange });
  const start = h("button", { type: "submit", class: "button primary" }, "Solve");
  const store = estimateStore({
    question: () => questionOf(request(), settings.values()),
    estimate: (question) => post(path, question, { signal }),
    forecast: (question) => post("/forecast", question, { signal }),
  });

  /** Show an error at its field; the focus stays where it is, but where the run was to be started. */
  function tell(error, { focus }) {
    const before = /** @type {HTMLElement} */ (document.activeElement);
    const text = place(error, { focus });
    if (text === false && !settings.fail(error)) wrong.textContent = error.message;
    else if (typeof text === "string") wrong.textContent = text;
    if (!focus) before?.focus?.({ preventScroll: true });
    if (!(error.status >= 0)) console.error(error);
  }

  async function submit(event) {
    event.preventDefault();
    start.disabled = true;
    try {
      const job = await post("/jobs", { ...request(), ...settings.values() });
      if (!signal.aborted) navigate("/jobs", { job: job.id });
    } catch (error) {
      if (signal.aborted) return failed(error); // somebody has gone on since
      store.forget();
      tell(error, { focus: true });
    } finally {
      start.disabled = false;
    }
  }

  store.subscribe((what) => {
    const { facts, question, forecast, error, isWaiting } = store.state;
    if (what === "waiting") takes.wait(isWaiting);
    else if (what === "forecast") takes.goal(forecast);
    else if (what === "problem") tell(error, { focus: false });
    else {
      takes.update(facts, question);
      onFacts(facts);
    }
  });
  const card = h(
    "div",
    { class: "card" },
    h("h2", {}, "What it takes"),
    takes,
    wrong,
    settings,
    h("div", { class: "toolbar start" }, start, h("span", { class: "note" }, "Continues when this page is closed.")),
  );
  return {
    card,
    settings,
    estimate: store.ask,
    submit,
    reset: () => (wrong.textContent = ""),
    empty: store.forget,
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
