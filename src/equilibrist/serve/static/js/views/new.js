// A new run: a built-in game by a form made of its parameters, a game of OpenSpiel, or a file.
import { href } from "../app.js";
import { ApiError, del, get, post, upload } from "../api.js";
import { clear, field, h } from "../dom.js";
import { onDrop, orderPanel } from "../widgets/order.js";
import { choice } from "../widgets/choice.js";
import { failed, toast } from "../widgets/toast.js";

export async function show(root, { query, navigate, signal }) {
  document.title = "New run · Equilibrist";
  let [known, algorithms] = await Promise.all([get("/games", {}, { signal }), get("/algorithms", {}, { signal })]);
  let game = query.get("game") ?? "kuhn";
  let uploaded = query.get("file") ?? "";
  let form = null; // {body, request(), query(), fail(error), has(field)}, and `lacks` where there is nothing to solve yet

  const list = h("div", { class: "games", role: "listbox", "aria-label": "Games" });
  const middle = h("div", { class: "card game" });
  const order = orderPanel({
    known: algorithms,
    given: Object.fromEntries(query),
    onChange: () => change(),
    path: "/games/preview",
    request: () => form.request(),
    place: (error) => form.has(error.field) && (form.fail(error), true),
    navigate,
    signal,
  });
  order.card.classList.add("side");
  const page = h(
    "form",
    { class: "columns", novalidate: true },
    h("div", { class: "card list" }, h("h2", {}, "Game"), list),
    middle,
    order.card,
  );
  root.append(
    h(
      "div",
      { class: "toolbar" },
      h("h1", {}, "New run"),
      h("span", { class: "grow" }),
      h("a", { class: "button", href: "/new/spot" }, "A hold'em spot …"),
    ),
    page,
  );

  page.addEventListener("submit", order.submit);
  onDrop(root, take); // anywhere on the page

  async function take(file) {
    if (/\.(toml|json|txt)$/i.test(file.name)) {
      try {
        const { settings: spot, warnings } = await post("/spots/read", { text: await file.text(), name: file.name });
        warnings.forEach((sentence) => toast(sentence, { seconds: 15 }));
        return navigate("/new/spot", { spot: JSON.stringify(spot) });
      } catch (error) {
        return failed(error);
      }
    }
    try {
      const told = await upload("/uploads", file);
      known = await get("/games", {}, { signal });
      uploaded = told.name;
      pick("file");
    } catch (error) {
      failed(error);
    }
  }

  function pick(name) {
    game = name;
    draw({});
    change();
  }

  function options() {
    const sources = [["file", known.uploads.length ? `A file (${known.uploads.length})` : "A file …"]];
    if (known.openspiel) sources.unshift(["openspiel", "OpenSpiel …"]);
    const entry = ([name, text, about]) =>
      h(
        "button",
        {
          type: "button",
          role: "option",
          class: "option",
          "aria-selected": String(name === game),
          tabindex: name === game ? "0" : "-1",
          onclick: () => pick(name),
        },
        h("b", {}, text),
        about && h("small", {}, about),
      );
    clear(
      list,
      known.games.map(({ name, about }) => {
        const [title, rest] = about.split(/: (.*)/);
        return entry([name, title, rest]);
      }),
      h("hr"),
      sources.map(entry),
    );
  }
  list.addEventListener("keydown", (event) => {
    const all = [...list.querySelectorAll(".option")];
    const next = all[all.indexOf(document.activeElement) + ({ ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0)];
    if (!next || next === document.activeElement) return;
    event.preventDefault();
    next.click();
    list.querySelector('[aria-selected="true"]').focus();
  });

  function draw(values) {
    options();
    const makers = { openspiel: openSpiel, file: files };
    form = (makers[game] ?? builtIn)(values);
    clear(middle, form.body);
  }

  function builtIn(values) {
    const about = known.games.find(({ name }) => name === game) ?? known.games[0];
    game = about.name;
    const controls = about.parameters.map((parameter) => control(parameter, values[parameter.name]));
    return {
      body: [
        h("h2", {}, about.about.split(":")[0]),
        h(
          "p",
          { class: "about" },
          about.about.replace(/^[^:]*: ./, (start) => start.at(-1).toUpperCase()),
        ),
        about.text &&
          h(
            "details",
            {},
            h("summary", {}, "Rules"),
            about.text.split("\n\n").map((text) => h("p", { class: "about" }, text)),
          ),
        controls.length > 0 &&
          h(
            "div",
            { class: "fields" },
            controls.map(({ box }) => box),
          ),
        controls.length === 0 && h("p", { class: "note" }, "There is nothing to choose."),
      ],
      request: () => ({
        game: {
          name: game,
          parameters: Object.fromEntries(
            controls.map((one) => [one.name, one.value()]).filter(([, value]) => value !== undefined),
          ),
        },
      }),
      query: () => Object.fromEntries(controls.map((one) => [one.name, one.text()])),
      fail: (error) => controls.find(({ name }) => name === error.field)?.box.fail(error.message) ?? null,
      has: (name) => controls.some((one) => one.name === name),
    };
  }

  function openSpiel(values) {
    const input = h("input", {
      type: "text",
      value: values.openspiel ?? "leduc_poker",
      autocomplete: "off",
      spellcheck: "false",
    });
    const box = field("Name, with its parameters", input, {
      name: "game",
      help: "as OpenSpiel writes them: liars_dice(dice_sides=4)",
    });
    return {
      body: [h("h2", {}, "A game of OpenSpiel"), box],
      request: () => ({ game: `openspiel:${input.value.trim()}` }),
      query: () => ({ openspiel: input.value.trim() }),
      fail: (error) => box.fail(error.message),
      has: (name) => name === "game",
    };
  }

  function files(values) {
    const chosen =
      known.uploads.find(({ name }) => name === uploaded && /\.(efg|py)$/i.test(name)) ??
      known.uploads.find(({ kind }) => kind !== "spot");
    uploaded = chosen?.name ?? "";
    const input = h("input", {
      type: "file",
      accept: known.trust_files ? ".efg,.toml,.json,.txt,.py" : ".efg,.toml,.json,.txt",
      class: "sr",
      tabindex: "-1",
      onchange: () => input.files[0] && take(input.files[0]),
    });
    const classes = chosen?.classes?.length ? choice(chosen.classes, values.class ?? chosen.classes[0]) : null;
    const arguments_ =
      classes &&
      h("input", {
        type: "text",
        value: values.arguments ?? "",
        placeholder: "cards=4, ante=2",
        autocomplete: "off",
        spellcheck: "false",
      });
    const box = classes && field("Class", classes, { name: "game" });
    return {
      lacks: !chosen,
      body: [
        h("h2", {}, "A file"),
        h(
          "div",
          { class: "dropzone" },
          h(
            "p",
            {},
            "Drop a file anywhere on this page, or ",
            h("button", { type: "button", class: "button small", onclick: () => input.click() }, "choose one"),
            input,
          ),
          h(
            "p",
            { class: "note" },
            "Gambit (.efg), kept in this folder and never run; a spot of hold'em: a spot file (.toml), or settings of wasm-postflop (.json), PioSOLVER or TexasSolver (.txt).",
          ),
          known.trust_files
            ? h(
                "p",
                { class: "warn" },
                "Rules in Python (.py) are run as a program, with all rights of the one who started this server.",
              )
            : h(
                "p",
                { class: "note" },
                "Rules in Python (.py) run as a program: they are loaded by a server that was started with --trust-files.",
              ),
        ),
        known.uploads.length > 0 &&
          h(
            "ul",
            { class: "plain-list" },
            known.uploads.map((one) =>
              h(
                "li",
                {},
                h(
                  "label",
                  {},
                  h("input", {
                    type: "radio",
                    name: "upload",
                    checked: one.name === uploaded,
                    onchange: () => ((uploaded = one.name), pick("file")),
                  }),
                  " ",
                  one.name,
                ),
                h("span", { class: "note grow" }, { gambit: "Gambit", python: "Python", spot: "spot" }[one.kind]),
                h(
                  "button",
                  {
                    type: "button",
                    class: "button small quiet",
                    "aria-label": `Delete ${one.name}`,
                    onclick: () => remove(one),
                  },
                  "Delete",
                ),
              ),
            ),
          ),
        classes && h("div", { class: "fields" }, box, field("Settings", arguments_, {})),
      ],
      request: () => {
        if (!chosen) throw new ApiError("Drop a file on the page, or choose one.");
        const call = classes && `${classes.value}${arguments_.value.trim() ? `(${arguments_.value.trim()})` : ""}`;
        return { upload: chosen.name, ...(call ? { class: call } : {}) };
      },
      query: () => ({ file: uploaded, class: classes?.value, arguments: arguments_?.value }),
      fail: (error) => box?.fail(error.message) ?? null,
      has: (name) => Boolean(box) && name === "game",
    };
  }

  async function remove(one) {
    try {
      await del(`/uploads/${encodeURIComponent(one.name)}`);
      known = await get("/games", {}, { signal });
      pick("file");
    } catch (error) {
      failed(error);
    }
  }

  function change() {
    order.reset();
    middle.querySelectorAll(".field").forEach((box) => box.fail?.(""));
    const run = order.settings.values();
    history.replaceState(
      null,
      "",
      href("/new", { game, ...form.query(), ...(run.alternating === false ? { ...run, alternating: "no" } : run) }),
    );
    if (form.lacks) order.empty();
    else order.preview();
  }
  middle.addEventListener(
    "input",
    (event) => event.target.type !== "file" && event.target.type !== "radio" && change(),
  );

  draw(Object.fromEntries(query));
  list.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest", inline: "nearest" });
  change();
}

/** Return the control of a parameter: its field, value() for the API (undefined for the default), and text() for the URL. */
function control(parameter, given) {
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
  const number = (part) => (part !== "" && Number.isFinite(Number(part)) ? Number(part) : part);
  const parts = (row) => row.split(/[\s,;]+/).filter(Boolean);
  if (kind === "flag") return plain === "true";
  if (kind === "whole" || kind === "number") return number(plain);
  if (kind === "wholes") return parts(plain).map(number);
  if (kind === "texts") return plain.split(",").map((part) => part.trim());
  if (kind === "matrix") return plain.split(/\n+/).map((row) => parts(row).map(number));
  return plain;
}
