// A part of the page as it is seen, as a file: a picture (SVG, PNG) or a page of its own that can be mailed.
import { h, svg } from "../dom.js";
import { failed } from "./toast.js";

const EDGE = 16; // px around a picture
const SHARPER = 2; // pixels of a PNG for each of the screen
const XHTML = "http://www.w3.org/1999/xhtml";
const NEVER_SEEN = "script, link, select.save-as, .tip";

/** Return all rules of the page as text. */
const rules = () =>
  [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .map((rule) =>
      rule instanceof CSSImportRule ? [...rule.styleSheet.cssRules].map((one) => one.cssText) : rule.cssText,
    )
    .flat()
    .join("\n");

const scheme = () =>
  document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

/** Return a copy of an element inside the classes that its styles ask for. */
function copyOf(element) {
  const copy = element.cloneNode(true);
  for (const one of copy.querySelectorAll(NEVER_SEEN)) one.remove();
  const size = element.getBoundingClientRect();
  copy.style.setProperty("width", `${Math.ceil(size.width)}px`);
  const view = element.closest(".view");
  return h("div", { class: `${view?.className ?? "view"} saved` }, copy);
}

/** Return a picture of an element as a text of SVG, and its size. */
function picture(element) {
  const size = element.getBoundingClientRect();
  const [width, height] = [Math.ceil(size.width) + 2 * EDGE, Math.ceil(size.height) + 2 * EDGE];
  const body = h("div", {}, h("style", {}, `${rules()}\n.view.saved { padding: 0; margin: 0; }`), copyOf(element));
  body.setAttribute("xmlns", XHTML);
  body.style.setProperty("padding", `${EDGE}px`);
  for (const name of ["font-family", "font-size", "line-height", "color"])
    body.style.setProperty(name, getComputedStyle(document.body).getPropertyValue(name));
  const root = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "data-theme": scheme() });
  root.style.setProperty("color-scheme", scheme());
  root.style.setProperty("background", "var(--paper)");
  root.append(svg("foreignObject", { width, height }, body));
  return { text: new XMLSerializer().serializeToString(root), width, height };
}

/** Return an element as a page that needs no other file. */
function page(element, title) {
  const lines = [h("title", {}, title), h("h1", {}, title), copyOf(element)].map((one) =>
    new XMLSerializer().serializeToString(one),
  );
  const styles = `${rules()}\n.view.saved { padding: 0; } .saved .table { max-height: none; }`.replaceAll("</", "<\\/");
  return `<!doctype html>\n<html lang="en" data-theme="${scheme()}" style="color-scheme: ${scheme()}"><meta charset="utf-8">${lines[0]}<style>${styles}</style>\n<body><main class="view">${lines[1]}${lines[2]}</main></body></html>\n`;
}

async function png(element) {
  const { text, width, height } = picture(element);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = h("canvas", { width: SHARPER * width, height: SHARPER * height });
  const context = canvas.getContext("2d");
  context.scale(SHARPER, SHARPER);
  context.drawImage(image, 0, 0);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("This browser draws no such picture."))),
      "image/png",
    ),
  );
}

const KINDS = {
  svg: ["SVG", (element) => new Blob([picture(element).text], { type: "image/svg+xml" })],
  png: ["PNG", png],
  html: ["Page", (element, title) => new Blob([page(element, title)], { type: "text/html" })],
};

/**
 * Return a menu that saves what `element()` shows now as a file; `title()` names it.
 *
 * @param {() => HTMLElement} element @param {() => string} title
 */
export function saveMenu(element, title) {
  const menu = h(
    "select",
    { class: "save-as", "aria-label": "Save as a picture or a page", onchange: save },
    h("option", { value: "" }, "Save as …"),
    Object.entries(KINDS).map(([kind, [text]]) => h("option", { value: kind }, text)),
  );

  async function save() {
    const kind = menu.value;
    menu.value = "";
    try {
      const blob = await KINDS[kind][1](element(), title());
      const name = title()
        .replace(/[^\p{L}\p{N}]+/gu, "-")
        .replace(/^-|-$/g, "");
      const link = h("a", { href: URL.createObjectURL(blob), download: `${name || "view"}.${kind}` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    } catch (error) {
      failed(error);
    }
  }
  return menu;
}
