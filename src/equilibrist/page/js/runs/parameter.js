// The control of a parameter of a game, by its kind.
import { field, h } from "../base/dom.js";
import { decimal } from "../base/numbers.js";
import { choice } from "../parts/choice.js";

/** Return the control of a parameter: its field, value() for the API (undefined for the default), and text() for the URL. */
export function parameterControl(parameter, given) {
  const { name, kind, default: usual, least, most, choices } = parameter;
  const written = write(usual);
  const limits = least === null ? "" : most === null ? `${least} or more` : `${least} to ${most}`;
  const help = [parameter.help, kind === "whole" && limits && !/\d/.test(parameter.help) ? `${limits}.` : ""]
    .filter(Boolean)
    .join(" ");
  let input;
  if (kind === "flag")
    input = choice(
      [
        ["false", "no"],
        ["true", "yes"],
      ],
      String(given ?? usual),
    );
  else if (kind === "choice") input = choice(choices, given ?? usual);
  else if (kind === "matrix") input = h("textarea", { rows: "4", spellcheck: "false", placeholder: "1 0 2\n3 -1 0" });
  else
    input = h("input", {
      type: "text",
      inputmode: kind === "whole" || kind === "number" ? "decimal" : "text",
      autocomplete: "off",
      spellcheck: "false",
      placeholder: written || "default",
    });
  if (kind !== "flag" && kind !== "choice")
    input.value = given ?? (parameter.required && kind === "matrix" ? "0 -1 1\n1 0 -1\n-1 1 0" : written);
  const box = field(name.replaceAll("_", " "), input, { help, name });
  return {
    name,
    box,
    value: () => (input.value.trim() === written && !parameter.required ? undefined : read(kind, input.value)),
    text: () => (input.value.trim() === written ? "" : input.value),
  };
}

const write = (value) =>
  value === null || value === undefined ? "" : Array.isArray(value) ? value.join(", ") : String(value);

/** Return what a text says, as the API takes it; what cannot be read goes as it is, and the answer says what is wrong. */
function read(kind, text) {
  const plain = text.trim();
  if (!plain) return undefined;
  const number = (part) => (part !== "" && Number.isFinite(Number(decimal(part))) ? Number(decimal(part)) : part);
  const parts = (row) => row.split(/[\s,;]+/).filter(Boolean);
  if (kind === "flag") return plain === "true";
  if (kind === "whole" || kind === "number") return number(plain);
  if (kind === "wholes") return parts(plain).map(number);
  if (kind === "texts") return plain.split(",").map((part) => part.trim());
  if (kind === "matrix") return plain.split(/\n+/).map((row) => parts(row).map(number));
  return plain;
}
