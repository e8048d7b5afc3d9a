// Where the game of a new run comes from: a built-in one by its parameters, OpenSpiel, or a file. Each source is
// {body, request(), query(), fail(error), has(field)}, and `lacks` where there is nothing to solve yet.
import { ApiError } from "../base/api-error.js";
import { field, h } from "../base/dom.js";
import { choice } from "../parts/choice.js";
import { parameterControl } from "./parameter.js";

const KINDS = { gambit: "Gambit", python: "Python", spot: "spot" };
const text = (value, placeholder) =>
  h("input", { type: "text", value, placeholder, autocomplete: "off", spellcheck: "false" });

/** Return a value as the text of a game has it. */
const literal = (value) => (typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value));

/** Return the game of a request as a text, kuhn(cards=4); null where it is a file. */
export function gameText({ game }) {
  if (!game || typeof game === "string") return game ?? null;
  const parameters = Object.entries(game.parameters).map(([name, value]) => `${name}=${literal(value)}`);
  return `${game.name}${parameters.length ? `(${parameters.join(", ")})` : ""}`;
}

/** Return the source of a built-in game; `values` are parameters to begin with. */
export function builtIn(about, values) {
  const controls = about.parameters.map((parameter) => parameterControl(parameter, values[parameter.name]));
  const given = () => controls.map((one) => [one.name, one.value()]).filter(([, value]) => value !== undefined);
  const rules = about.text?.split("\n\n").map((part) => h("p", { class: "about" }, part));
  return {
    body: [
      h("h2", {}, about.about.split(":")[0]),
      h(
        "p",
        { class: "about" },
        about.about.replace(/^[^:]*: ./, (start) => start.at(-1).toUpperCase()),
      ),
      rules && h("details", {}, h("summary", {}, "Rules"), rules),
      controls.length > 0
        ? h(
            "div",
            { class: "fields" },
            controls.map(({ box }) => box),
          )
        : h("p", { class: "note" }, "There is nothing to choose."),
    ],
    request: () => ({ game: { name: about.name, parameters: Object.fromEntries(given()) } }),
    query: () => Object.fromEntries(controls.map((one) => [one.name, one.text()])),
    fail: (error) => controls.find(({ name }) => name === error.field)?.box.fail(error.message) ?? null,
    has: (name) => controls.some((one) => one.name === name),
  };
}

/** Return the source of a game of OpenSpiel. */
export function openSpiel(values) {
  const input = text(values.openspiel ?? "leduc_poker");
  const help = "as OpenSpiel writes them: liars_dice(dice_sides=4)";
  const box = field("Name, with its parameters", input, { name: "game", help });
  return {
    body: [h("h2", {}, "A game of OpenSpiel"), box],
    request: () => ({ game: `openspiel:${input.value.trim()}` }),
    query: () => ({ openspiel: input.value.trim() }),
    fail: (error) => box.fail(error.message),
    has: (name) => name === "game",
  };
}

/** Return the area on which files are dropped; `refused` is why the last one was not taken. */
function dropZone({ trusted, refused, onFile }) {
  const input = h("input", {
    type: "file",
    accept: trusted ? ".efg,.gbt,.nfg,.toml,.json,.txt,.py" : ".efg,.gbt,.nfg,.toml,.json,.txt",
    class: "sr",
    tabindex: "-1",
    "aria-label": "File",
    onchange: () => input.files[0] && onFile(input.files[0]),
  });
  const python = trusted
    ? h(
        "p",
        { class: "warn" },
        "Rules in Python (.py) run as a program, with all rights of the one who started this server.",
      )
    : h(
        "p",
        { class: "note" },
        "Rules in Python (.py) run as a program: they are loaded by a server that was started with --trust-files.",
      );
  return h(
    "div",
    { class: "dropzone" },
    h(
      "p",
      {},
      "Drop a file anywhere on this page, or ",
      h("button", { type: "button", class: "button small", onclick: () => input.click() }, "choose one"),
      input,
    ),
    refused && h("p", { class: "wrong", role: "alert" }, refused),
    h(
      "p",
      { class: "note" },
      "Gambit (.efg, .gbt, .nfg), kept in this folder and never run; a spot of hold'em: a spot file (.toml), or settings of wasm-postflop (.json), PioSOLVER or TexasSolver (.txt).",
    ),
    python,
  );
}

/** Return the list of uploaded files, of which one is chosen. */
function uploadList(uploads, chosen, { onPick, onRemove }) {
  const line = (one) => {
    const pick = { type: "radio", name: "upload", checked: one.name === chosen, onchange: () => onPick(one.name) };
    const remove = {
      type: "button",
      class: "button small quiet",
      "aria-label": `Delete ${one.name}`,
      onclick: () => onRemove(one),
    };
    return h(
      "li",
      {},
      h("label", {}, h("input", pick), " ", one.name),
      h("span", { class: "note grow" }, KINDS[one.kind]),
      h("button", remove, "Delete"),
    );
  };
  return h("ul", { class: "plain-list" }, uploads.map(line));
}

/**
 * Return the source of a file.
 *
 * @param {any} known the answer of /games
 * @param {Record<string, any>} values
 * @param {{uploaded: string, refused: string, onFile: (file: File) => any, onPick: (name: string) => any,
 *   onRemove: (file: any) => any}} options
 */
export function files(known, values, { uploaded, refused, onFile, onPick, onRemove }) {
  const chosen =
    known.uploads.find(({ name }) => name === uploaded && /\.(efg|nfg|py)$/i.test(name)) ??
    known.uploads.find(({ kind }) => kind !== "spot");
  const classes = chosen?.classes?.length ? choice(chosen.classes, values.class ?? chosen.classes[0]) : null;
  const settings = classes && text(values.arguments ?? "", "cards=4, ante=2");
  const box = classes && field("Class", classes, { name: "game" });
  return {
    lacks: !chosen,
    uploaded: chosen?.name ?? "",
    body: [
      h("h2", {}, "A file"),
      dropZone({ trusted: known.trust_files, refused, onFile }),
      known.uploads.length > 0 && uploadList(known.uploads, chosen?.name, { onPick, onRemove }),
      classes && h("div", { class: "fields" }, box, field("Settings", settings, {})),
    ],
    request: () => {
      if (!chosen) throw new ApiError("Drop a file on the page, or choose one.");
      const call = classes && `${classes.value}${settings.value.trim() ? `(${settings.value.trim()})` : ""}`;
      return { upload: chosen.name, ...(call ? { class: call } : {}) };
    },
    query: () => ({ file: chosen?.name ?? "", class: classes?.value, arguments: settings?.value }),
    fail: (error) => box?.fail(error.message) ?? null,
    has: (name) => Boolean(box) && name === "game",
  };
}
