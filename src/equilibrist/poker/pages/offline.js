// A solved spot that is walked without a server: all its places are in the page, and the part after # says which is shown.
import { clear, h, relink } from "../../page/js/base/dom.js";
import { amount, unitSwitch, useUnit } from "../../page/js/base/units.js";
import { card, cardRow, cardText } from "../../page/js/cards/cards.js";
import { lineColumns } from "../../page/js/cards/line-columns.js";
import { quality, stat } from "../../page/js/parts/stats.js";
import { offlineView } from "../../page/js/poker/offline-view.js";
import { decisionPanel } from "../../page/js/poker/spot-decision.js";
import { wayColumns } from "../../page/js/poker/spot-head.js";
import { placeBefore } from "../../page/js/poker/spot-lines.js";

const THEMES = { "": "Auto", light: "Light", dark: "Dark" };

/** Return what the page holds: {about, start, places}. */
async function readData() {
  const text = document.getElementById("data").textContent;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(plain).json();
}

/** Let a button choose between the colours of the system, light and dark ones. */
function themeButton() {
  const button = document.getElementById("theme");
  const names = Object.keys(THEMES);
  const show = () => {
    const now = document.documentElement.dataset.theme ?? "";
    button.textContent = THEMES[now];
    button.setAttribute("aria-label", `Colours: ${THEMES[now]}`);
  };
  button.addEventListener("click", () => {
    const next = names[(names.indexOf(document.documentElement.dataset.theme ?? "") + 1) % names.length];
    if (next) document.documentElement.dataset.theme = next;
    else delete document.documentElement.dataset.theme;
    show();
  });
  show();
}

/** Draw the board, pot and stacks of a place, and how good the solution is. */
function drawHead(head, view) {
  const { about, node } = view;
  clear(
    head,
    h("h1", {}, cardRow(node.board, { board: true }), h("span", { class: "sr" }, node.board)),
    h(
      "dl",
      { class: "stats" },
      stat("Pot", amount(node.pot)),
      stat(`${about.players.join(" / ")} behind`, node.stacks.map(amount).join(" / ")),
      node.to_call > 0 && stat("To call", amount(node.to_call)),
    ),
    h("p", { class: "tag" }, about.run),
    h("span", { class: "grow" }),
    quality(about),
    unitSwitch((changes) => view.go(changes, { replace: true })),
  );
}

/** Return what stands below the way where nobody decides. */
function notice(view) {
  const { node, to, place } = view;
  const before = placeBefore(node);
  const back = h("p", {}, h("a", { href: to(place(before.line, before.board)) }, "Back"));
  const around = (title, ...rest) => h("section", { class: "card notice" }, h("h2", {}, title), rest, back);
  if (node.kind === "end")
    return around(
      node.result === "showdown" ? "Showdown" : node.result,
      h("p", {}, `The pot is ${amount(node.pot)}. The hand is over here.`),
    );
  const cards = (node.cards ?? []).flat().filter((name) => view.has(node.line, node.board + name));
  if (!cards.length)
    return around("This file ends here", h("p", {}, "What follows is in the run from which it was made."));
  const link = (name) =>
    h("a", { href: to(place(node.line, node.board + name)), "aria-label": cardText(name) }, card(name));
  return around(`The ${node.next_street}`, h("p", { class: "pcs cards" }, cards.map(link)));
}

async function start() {
  const view = offlineView(await readData(), {
    fields: () => new URLSearchParams(location.hash.slice(1)),
    visit: (address, { replace }) => (replace ? location.replace(address) : location.assign(address)),
  });
  const head = h("header", { class: "spot-head" });
  const way = lineColumns("The actions so far");
  const main = h("div", { class: "spot-main" });
  const decision = decisionPanel(view.go);
  document.getElementById("main").append(h("div", { class: "view spot" }, head, way, main));

  function draw() {
    view.read();
    useUnit(view.fields, view.about.settings);
    drawHead(head, view);
    way.update(wayColumns(view));
    const decides = view.node.kind === "decision";
    main.classList.toggle("decides", decides);
    if (decides) decision.update(view);
    clear(main, decides ? decision.parts : notice(view));
    relink(document.body);
  }

  addEventListener("hashchange", draw);
  draw();
}

themeButton();
start();
