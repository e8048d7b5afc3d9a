// Dialogs: the browser's own, which keeps the focus inside and closes with Escape.
import { field, h } from "../base/dom.js";

/**
 * Show a dialog and wait for its end. `body` are elements; `action` is the label of the button that accepts, and `run`
 * is called before it closes: an error that it throws is shown at its field, and the dialog stays. Return what `run`
 * returns, or null where the dialog was left. Without `run` there is nothing to cancel, and one button.
 *
 * @param {{title: string, body?: any, action?: string, run?: (form: HTMLFormElement) => any, cancel?: string | null,
 *   wide?: boolean}} options
 * @returns {Promise<any>}
 */
export function dialog({ title, body = [], action = "OK", run, cancel = run ? "Cancel" : null, wide = false }) {
  return new Promise((resolve) => {
    const wrong = h("p", { class: "wrong", role: "alert" });
    const form = h(
      "form",
      { method: "dialog" },
      h("h2", {}, title),
      body,
      wrong,
      h(
        "div",
        { class: "toolbar end" },
        cancel && h("button", { class: "button", type: "button", onclick: () => box.close() }, cancel),
        h("button", { class: "button primary", type: "submit" }, action),
      ),
    );
    const box = h("dialog", { class: wide ? "wide" : "", "aria-label": title }, form);
    let result = null;
    let busy = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (busy) return; // a second click asks for nothing more
      busy = true;
      wrong.textContent = "";
      try {
        result = run ? await run(form) : true;
        box.close();
      } catch (error) {
        const place = error.field && form.querySelector(`[data-field="${CSS.escape(error.field)}"]`);
        if (place?.fail) place.fail(error.message);
        else wrong.textContent = error.message;
      } finally {
        busy = false;
      }
    });
    box.addEventListener("close", () => {
      box.remove();
      resolve(result);
    });
    document.body.append(box);
    box.showModal();
  });
}

/**
 * Ask for a text; `run` gets it.
 *
 * @param {{title: string, label: string, value?: string, action?: string, help?: string, name?: string,
 *   run: (text: string) => any}} options
 */
export function ask({ title, label, value = "", action = "OK", help, name = "name", run }) {
  const input = h("input", { type: "text", value, autocomplete: "off", required: true });
  const shown = dialog({ title, body: [field(label, input, { help, name })], action, run: () => run(input.value) });
  input.select();
  return shown;
}
