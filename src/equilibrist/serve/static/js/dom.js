// Elements: a text is always text, whoever wrote it. Nothing here takes HTML.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.setAttribute("class", value);
    else if (name === "dataset") Object.assign(element.dataset, value);
    else if (name === "css") for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "indeterminate")
      element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** Return an element of HTML. `css` sets properties, `dataset` data attributes, `on…` listeners; children may be nested lists. */
export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

/** Return an element of SVG, likewise. */
export const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** Remove what is in an element, and put other children there. */
export function clear(element, ...children) {
  element.replaceChildren(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** Return a list of terms, each with what it is. */
export const termList = (rows) =>
  h(
    "dl",
    { class: "facts" },
    rows.map(([term, text]) => [h("dt", {}, term), h("dd", {}, text)]),
  );

let ids = 0;

/** Return an id that no other element has. */
export const newId = (name = "id") => `${name}-${++ids}`;

/**
 * Return a labelled field of a form: the control, its label, a line of help, and room for what is wrong with it.
 *
 * @param {string} label
 * @param {any} control
 * @param {{help?: string, name?: string}} options
 */
export function field(label, control, { help, name } = {}) {
  control.id ||= newId("field");
  const hint = h("p", { class: "help", id: `${control.id}-help` }, help ?? "");
  control.setAttribute("aria-describedby", hint.id);
  if (name) control.name = name;
  const box = h(
    "div",
    { class: "field", dataset: { field: name ?? "" } },
    h("label", { for: control.id }, label),
    control,
    hint,
  );
  box.fail = (message, { focus = true } = {}) => {
    control.toggleAttribute("aria-invalid", Boolean(message));
    hint.classList.toggle("wrong", Boolean(message));
    hint.textContent = message || (help ?? "");
    if (message && focus) control.focus();
  };
  return box;
}

/** Return the element that an event came from, or the nearest one around it, that fits a selector; or null. */
export const closest = (event, selector) =>
  event.target instanceof Element ? /** @type {HTMLElement} */ (event.target.closest(selector)) : null;

/**
 * Return a function that waits until it has not been called for some milliseconds.
 *
 * @param {(...values: any[]) => any} run
 * @returns {(...values: any[]) => void}
 */
export function later(run, milliseconds = 150) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...values), milliseconds);
  };
}
