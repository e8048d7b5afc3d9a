// Elements: a text is always text, whoever wrote it. Nothing here takes HTML.

const SVG = "http://www.w3.org/2000/svg";

const present = (children) =>
  children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.setAttribute("class", value);
    else if (name === "href" && typeof value === "function") {
      element.address = value;
      element.setAttribute("href", value());
    } else if (name === "dataset") Object.assign(element.dataset, value);
    else if (name === "css") for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "indeterminate")
      element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...present(children));
  return element;
}

/**
 * Return an element of HTML. `css` sets properties, `dataset` data attributes, `on…` listeners; children may be nested
 * lists. An `href` may be a function, which relink() asks again.
 */
export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

/** Return an element of SVG, likewise. */
export const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** Put children into an element in the place of what is there; those that are there already stay, with their focus. */
export function clear(element, ...children) {
  const wanted = present(children);
  const stays = new Set(wanted);
  for (const old of [...element.childNodes]) if (!stays.has(old)) old.remove();
  let next = element.firstChild;
  for (const child of wanted) {
    if (child === next) next = next.nextSibling;
    else element.insertBefore(child instanceof Node ? child : document.createTextNode(child), next);
  }
  return element;
}

/** Return a function that gives what `make` makes; what it has made last where the values of its key are the same. */
export function remembered() {
  /** @type {any[] | null} */
  let last = null;
  /** @type {any} */
  let made = null;
  return (key, make) => {
    const before = last;
    if (!before || key.some((value, place) => value !== before[place])) [last, made] = [key, make()];
    return made;
  };
}

/** Let links lead to where they lead now, of an element that else looks as before. */
export function relink(element) {
  for (const link of element.querySelectorAll("a")) if (link.address) link.setAttribute("href", link.address());
}

/**
 * Return the element of the page that has an id.
 *
 * @param {string} id
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element ${id}.`);
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
