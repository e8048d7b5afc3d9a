// A map of a number of a report over boards by one or two textures.
import { h, newId } from "../base/dom.js";
import { percent } from "../base/format.js";
import { heading, MEANINGS, meaningOf } from "../parts/explain.js";
import { TEXTURES, textureName, texturesOf, valuesIn } from "./board-rows.js";
import { heat } from "./hands.js";

/**
 * Return the map: a cell for each texture, coloured by a number, which shows the boards of this texture when pressed.
 *
 * rows: those of the report; by: one or two textures; measure: {name, title, show(value)}, the number; fields: the
 * filters of now, which set(changes) changes.
 *
 * @param {{rows: any[], by: string[], measure: any, fields: any, set: (changes: any) => void}} options
 */
export function textureMap({ rows: boards, by, measure: { name: measure, title, show }, fields, set }) {
  const [down, across] = by;
  const textures = texturesOf(boards, by);
  const numbers = textures.map((row) => row[measure]).filter(Number.isFinite);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const rows = valuesIn(boards, down);
  const columns = across ? valuesIn(boards, across) : [null];
  const cell = (one, other) => {
    const row = textures.find((each) => each[down] === one && (!across || each[across] === other));
    if (!row) return h("td", {}, "–");
    const wanted = { [down]: String(one), ...(across ? { [across]: String(other) } : {}) };
    const pressed = Object.entries(wanted).every(([name, value]) => fields[name] === value);
    const off = Object.fromEntries(Object.keys(wanted).map((name) => [name, ""]));
    const share = high > low ? (row[measure] - low) / (high - low) : 0.5;
    const words = [one, across ? other : ""]
      .filter((value) => value !== "")
      .map(textureName)
      .join(", ");
    const text = `${words}: ${title} ${show(row[measure])}, ${row.boards} of the boards, ${percent(row.share)} of the deals`;
    return h(
      "td",
      {},
      h(
        "button",
        {
          type: "button",
          class: "heat",
          css: { background: Number.isFinite(row[measure]) ? heat(share) : "none" },
          "aria-pressed": String(pressed),
          title: text,
          onclick: () => set(pressed ? off : wanted),
        },
        show(row[measure]),
        h("span", { class: "sr" }, ` ${text}`),
      ),
    );
  };
  const id = newId("map");
  return h(
    "table",
    { class: "heatmap", "aria-labelledby": id },
    h("caption", { class: "sr", id }, `${title} by ${TEXTURES[down]}${across ? ` and ${TEXTURES[across]}` : ""}`),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        heading(TEXTURES[down]),
        columns.map((name) =>
          name === null
            ? heading(title, { meaning: meaningOf(title) ?? MEANINGS.Frequency })
            : heading(textureName(name), { meaning: MEANINGS[TEXTURES[across]] }),
        ),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map((one) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, textureName(one)),
          columns.map((other) => cell(one, other)),
        ),
      ),
    ),
  );
}
