// The Kuhn lab.
import { h } from "../../serve/static/js/dom.js";
import { evaluate, uniform } from "./kuhn-game.js";
import { mount } from "./mount.js";

mount("kuhn", (box) => {
  box.append(h("p", {}, `The value of uniform play to player 0 is ${evaluate(uniform()).value} chips per hand.`));
});
