"""The site as text, for programs that read: ``llms.txt``, ``llms-full.txt``, and each page as Markdown beside it.

``llms.txt`` has a line for each page, in the order of the menu: its title, where its text is, its first sentence.
``llms-full.txt`` has all texts one after the other. In the reference a docstring stands where the page names an object;
of a notebook there are its text and its programs.
"""

import importlib
import inspect
import json
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page

_DIRECTIVE = re.compile(r"^::: ([\w.]+)\n(?:    .*\n?)*", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_SENTENCE = re.compile(r".+?(?:[.!?](?=\s)|$)")
_UNSEEN = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_SHORT = 60
_LONGEST = 240  # characters of what is said of a page

_menu: list[Navigation] = []  # of the build that is under way


def on_nav(nav: Navigation, **_: object) -> Navigation:
    """Keep the menu until the pages have been read."""
    _menu[:] = [nav]
    return nav


def on_post_build(config: MkDocsConfig) -> None:
    """Write the texts."""
    folder = Path(config.site_dir)
    texts = {page.file.src_uri: text_of(page) for page in _menu[0].pages}
    for page in _menu[0].pages:
        _write(folder / text_file(page), texts[page.file.src_uri])
    _write(
        folder / "llms.txt",
        listed(_menu[0], texts, config.site_name, config.site_description or ""),
    )
    parts = (f"<!-- {text_file(page)} -->\n\n{texts[page.file.src_uri]}" for page in _menu[0].pages)
    _write(folder / "llms-full.txt", "\n".join(parts))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def text_file(page: Page) -> str:
    """Return where the text of a page is: beside its HTML."""
    return str(Path(page.file.dest_uri).with_suffix(".md").as_posix())


def text_of(page: Page) -> str:
    """Return a page as Markdown."""
    if page.file.src_uri.endswith(".ipynb"):
        return notebook(Path(page.file.abs_src_path or "").read_text(encoding="utf-8"))
    return (
        _UNSEEN.sub(
            "", _DIRECTIVE.sub(lambda found: docstring(found[1]), page.markdown or "")
        ).strip()
        + "\n"
    )


def notebook(source: str) -> str:
    """Return text and programs of a notebook; what is run and not shown is left out, as it is on the page."""
    parts = []
    for cell in json.loads(source)["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(text)
        elif "check" not in cell["metadata"].get("tags", ()):
            parts.append(f"```python\n{text}\n```")
    return "\n\n".join(parts) + "\n"


def docstring(name: str) -> str:
    """Return what the package says of one of its names, under a heading with its signature."""
    thing = _found(name)
    try:
        signature = str(inspect.signature(thing)) if callable(thing) else ""
    except ValueError:
        signature = ""
    said = inspect.getdoc(thing) or ""
    return f"## {name}\n\n```plain\n{name.rpartition('.')[2]}{signature}\n```\n\n{said}\n"


def _found(name: str) -> object:
    """Return an object by its dotted name."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            thing: object = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            thing = getattr(thing, part)
        return thing
    raise ModuleNotFoundError(name)


def listed(nav: Navigation, texts: dict[str, str], title: str, about: str) -> str:
    """Return the list of all pages, a heading for each part of the menu."""
    lines = [
        f"# {title}",
        "",
        f"> {about}",
        "",
        "All pages in one text: [llms-full.txt](llms-full.txt).",
    ]
    top = [item for item in nav.items if isinstance(item, Page)]
    lines += [_line(page, texts) for page in top]
    for item in nav.items:
        if isinstance(item, Section):
            lines += ["", f"## {item.title}", "", *(_line(page, texts) for page in _pages(item))]
    return "\n".join(lines) + "\n"


def _pages(section: Section) -> list[Page]:
    """Return the pages of a part of the menu, those of its own parts included."""
    pages: list[Page] = []
    for item in section.children:
        pages += (
            [item] if isinstance(item, Page) else _pages(item) if isinstance(item, Section) else []
        )
    return pages


def _line(page: Page, texts: dict[str, str]) -> str:
    text = texts[page.file.src_uri]
    said = first_sentence(text)
    return f"- [{page.title}]({text_file(page)})" + (f": {said}" if said else "")


def first_sentence(text: str) -> str:
    """Return how a page begins, as plain text: its first sentence, or more of them where they are short.

    Headings, pictures, tables, lists and programs are passed over.
    """
    text = re.sub(r"^(```+).*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^#+ .*$", "", text, flags=re.MULTILINE)
    for paragraph in re.split(r"\n\s*\n", text):
        plain = " ".join(_LINK.sub(r"\1", paragraph).replace("*", "").split())
        if not plain or paragraph.lstrip().startswith(("!", "|", "<", "* ", "- ", "1. ")):
            continue
        said = ""
        for sentence in _SENTENCE.findall(plain) or [plain]:
            said = f"{said} {sentence.strip()}".strip()
            if len(said) >= _SHORT:
                break
        said = re.sub(r":$", ".", said)
        return said if len(said) <= _LONGEST else said[: said.rindex(" ", 0, _LONGEST)] + " …"
    return ""
