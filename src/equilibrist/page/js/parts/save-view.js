// A part of the page as it is seen, as a file: a picture (SVG, PNG) or a page of its own that can be mailed.
import { h, svg } from "../base/dom.js";
import { failed } from "./toast.js";

const EDGE = 16; // px around a picture
const NARROWEST = 320; // px: what a caption needs
const SHARPER = 2; // pixels of a PNG for each of the screen
const XHTML = "http://www.w3.org/1999/xhtml";
const NEVER_SEEN = "script, link, select.save-as, .tip";

/** Return all rules of the page as text. */
const rules = () =>
  [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .map((rule) =>
      rule instanceof CSSImportRule ? [...(rule.styleSheet?.cssRules ?? [])].map((one) => one.cssText) : rule.cssText,
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

/** Return how high a caption is over a picture of some width: it is laid out once where nobody sees it. */
function heightOf(caption, width) {
  const box = h("div", { class: "view saved measured", css: { width: `${width}px` } }, caption.cloneNode(true));
  document.body.append(box);
  const { height } = box.getBoundingClientRect();
  box.remove();
  return height;
}

/** Return a picture of an element below its caption as a text of SVG, and its size. */
function picture(element, caption) {
  const size = element.getBoundingClientRect();
  const inner = Math.max(Math.ceil(size.width), NARROWEST);
  const width = inner + 2 * EDGE;
  const height = Math.ceil(size.height + heightOf(caption, inner)) + 2 * EDGE;
  const styles = `${rules()}\n.view.saved { padding: 0; margin: 0; }`;
  const head = h("div", { class: "view saved" }, caption);
  const body = h("div", {}, h("style", {}, styles), head, copyOf(element));
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

/** Return an element below its caption as a page that needs no other file. */
function page(element, caption, title) {
  const body = h("div", {}, h("div", { class: "view saved" }, caption), copyOf(element));
  const lines = [h("title", {}, title), h("h1", {}, title), body].map((one) =>
    new XMLSerializer().serializeToString(one),
  );
  const styles = `${rules()}\n.view.saved { padding: 0; } .saved .table { max-height: none; }`.replaceAll("</", "<\\/");
  return `<!doctype html>\n<html lang="en" data-theme="${scheme()}" style="color-scheme: ${scheme()}"><meta charset="utf-8">${lines[0]}<style>${styles}</style>\n<body><main class="view">${lines[1]}${lines[2]}</main></body></html>\n`;
}

async function png(element, caption) {
  const { text, width, height } = picture(element, caption);
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
  svg: ["SVG", (element, caption) => new Blob([picture(element, caption).text], { type: "image/svg+xml" })],
  png: ["PNG", png],
  html: ["Page", (element, caption, title) => new Blob([page(element, caption, title)], { type: "text/html" })],
};

/**
 * Return what a picture says of itself: lines of text or elements, and what its colours mean.
 *
 * @param {any[]} lines
 * @param {{colour: string, text: string}[]} colours
 */
export const captionOf = (lines, colours = []) =>
  h(
    "div",
    { class: "caption" },
    lines.filter(Boolean).map((line) => h("p", {}, line)),
    colours.length > 0 &&
      h(
        "p",
        { class: "legend" },
        colours.map(({ colour, text }) =>
          h("span", {}, h("span", { class: "dot", css: { "--colour": colour } }), text),
        ),
      ),
  );

/**
 * Return a menu that saves what `element()` shows now as a file; `title()` names it, and `caption()` is what stands over
 * it: by default the title.
 *
 * @param {() => HTMLElement} element @param {() => string} title @param {() => HTMLElement} caption
 */
export function saveMenu(element, title, caption = () => captionOf([h("b", {}, title())])) {
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
      const blob = await KINDS[kind][1](element(), caption(), title());
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
