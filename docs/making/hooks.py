"""What MkDocs asks while it builds the site: formulas, links that leave docs/, and marks of what was measured.

The pages are read in two places. On a site that hosts code a link may lead to any file of the repository, and `$…$` is
drawn as a formula. The site that MkDocs builds has only docs/, and should be readable without fetching anything from
elsewhere. So here the files that pages point to outside docs/ become pages themselves, links follow them there, and
formulas become MathML, which browsers draw by themselves. The comment below a measured table becomes a line that
readers see: what measured it, at which commit of the program, and when that was made.
"""

import ast
import base64
import html
import logging
import posixpath
import re
import subprocess
from functools import cache
from itertools import count
from pathlib import Path

from latex2mathml.converter import convert
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

from equilibrist.learn import lab

ROOT = Path(__file__).parents[2]
ELSEWHERE = {
    "README.md": "index.md",
    "LICENSE": "license.txt",
    **{f"{name}.md": f"{name.lower()}.md" for name in ("CHANGELOG", "CONTRIBUTING", "SECURITY")},
    **{
        f"examples/{path.name}": f"examples/{path.stem}.md"
        for path in sorted((ROOT / "examples").glob("*.py"))
    },
}
"""Where a file of the repository outside docs/ is on the site."""

MARK = re.compile(r"\n?<!-- measured: ([^;\n]+); ([0-9a-f]{7,40}); \w+(?: \w+)* -->")
"""What stands below a measured table (benchmarks/stale.py): the command, the commit, and probes that stand for it."""

_ORIGIN = {page: source for source, page in ELSEWHERE.items() if page != "index.md"}
_LINK = re.compile(r"(\]\(<?)([^)\s>#]+)")
_HREF = re.compile(r'(href=")([^"#:]+\.(?:md|ipynb|py))(?=["#])')
_NOTEBOOK_TEXT = re.compile(r'<div class="[^"]*jp-RenderedMarkdown.*?</div>', re.DOTALL)
_NOTEBOOK_FORMULA = re.compile(
    r"(<(?:code|pre)\b.*?</(?:code|pre)>)|\$\$(.+?)\$\$|\$(.+?)\$", re.DOTALL
)
_DRAWN = re.compile(r'<img alt="[^"]*"([^>]*?) src="data:image/png;base64,([^"]+)"')
_FOLDED = re.compile(
    r'(celltag_fold[^>]*>\s*)(<div class="jp-Cell-inputWrapper".*?)'
    r'(?=<div class="jp-Cell-outputWrapper|</div>\s*</div>\s*<div class="jp-Cell )',
    re.DOTALL,
)
_TITLE = re.compile(r"</h1>", re.DOTALL)
_LAB = re.compile(r'<div class="eq-lab" data-lab="([\w-]+)"')
_PICTURE = re.compile(r'<img\b[^>]* src="([^":]+\.(?:svg|png))"[^>]*>')
_CELL = re.compile(r"<td\b[^>]*>.*?</td>", re.DOTALL)
_PIECE = re.compile(r"(?P<code><code>[^<]*</code>)|(?P<text>(?<=>)[^<]+)")
_FILE_NAME = re.compile(r"\b\w+\.(?:cc|cpp|h|json|py)\b")
_FORMULA = re.compile(r'<(span|div) class="arithmatex">\\[(\[](.+?)\\[)\]]</\1>', re.DOTALL)

_PRIME = re.compile(
    r"<msup>(<mi>[^<]*</mi>)<mi>&#x02032;</mi></msup>"
)  # the sign is raised already
_PRIME_ABOVE = re.compile(
    r"<msubsup>(<mi>[^<]*</mi>)(<mi>[^<]*</mi>|<mrow>(?:(?!<mrow>).)*?</mrow>)<mi>&#x02032;</mi></msubsup>"
)

log = logging.getLogger(
    "mkdocs.plugins.equilibrist"
)  # below "mkdocs", so that --strict hears its warnings


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Return the pages of docs/, and with them those made of other files."""
    for source, page in ELSEWHERE.items():
        if "/" not in source and page != "index.md":
            files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    for path in sorted((ROOT / "examples").glob("*.py")):
        files.append(File.generated(config, f"examples/{path.stem}.md", content=_listing(path)))
    for name in (f"{one}.{kind}" for one in lab.LABS for kind in ("css", "js")):
        files.append(File.generated(config, f"labs/{name}", content=lab.lab_file(name)))
    return files


def _listing(path: Path) -> str:
    """Return a page that shows a program, under the first line of its docstring."""
    source = path.read_text(encoding="utf-8")
    title = (ast.get_docstring(ast.parse(source)) or path.name).splitlines()[0].rstrip(".")
    return (
        f"# {title}\n\n`examples/{path.name}`, which the tests run:\n\n````python\n{source}````\n"
    )


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Return the text of a page: marks are seen, and links to files outside docs/ lead to the pages made of them."""
    markdown = MARK.sub(lambda mark: _visible(mark[1], mark[2]), markdown)
    return _LINK.sub(lambda found: found[1] + _moved(found[2], page.file.src_uri), markdown)


def _visible(command: str, commit: str) -> str:
    """Return the line below a measured table; without the history of the repository it has no date."""
    date = _date_of(commit)
    made = f" of {date}" if date else ""
    return f"\n\n<small>Measured with `{command}`, commit {commit}{made}.</small>\n"


@cache
def _date_of(commit: str) -> str:
    """Return the day on which a commit was made, as 2026-11-21; nothing, where it is not known."""
    command = ["git", "-C", str(ROOT), "show", "--no-patch", "--format=%cs", commit, "--"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:  # there is no git
        return ""
    return done.stdout.strip()


def on_page_content(text: str, page: Page, files: Files, **_: object) -> str:
    """Return the HTML of a page with its formulas as MathML, and its pictures as links to their files.

    A picture by itself can be enlarged, whose labels are too small on a phone. A notebook also has its links to other
    pages set right, its drawings as files, the programs that draw them folded, and a link to itself. A page with labs
    has their style sheets and scripts beside it.
    """
    is_notebook = page.file.src_uri.endswith(".ipynb")
    if is_notebook:
        text = _FOLDED.sub(r"\1<details class='code'><summary>Code</summary>\2</details>", text)
        text = _as_files(text, page)
    text = _CELL.sub(lambda cell: _PIECE.sub(_breaking, cell[0]), text)
    text = _PICTURE.sub(r'<a href="\1">\g<0></a>', text)
    if is_notebook:
        text = _HREF.sub(lambda found: found[1] + _url(found[2], page, files), text)
        text = _TITLE.sub(lambda found: found[0] + _download(page), text, count=1)
        text = _NOTEBOOK_TEXT.sub(lambda found: _NOTEBOOK_FORMULA.sub(_marked, found[0]), text)
    text = _FORMULA.sub(_drawn, text)
    if labs := list(dict.fromkeys(_LAB.findall(text))):
        folder = get_relative_url("labs/", page.url)
        sheets = "".join(f'<link rel="stylesheet" href="{folder}{name}.css">' for name in labs)
        scripts = "".join(f'<script defer src="{folder}{name}.js"></script>' for name in labs)
        text = sheets + text + scripts
    return text


def _moved(target: str, page: str) -> str:
    """Return where a link on a page leads on the site."""
    if re.match(r"[a-z]+:|/", target):
        return target
    source = _ORIGIN.get(page, f"docs/{page}")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
    inside = ELSEWHERE.get(path) or (path.removeprefix("docs/") if page in _ORIGIN else None)
    return posixpath.relpath(inside, posixpath.dirname(page) or ".") if inside else target


def _url(target: str, page: Page, files: Files) -> str:
    """Return the address of the page that a notebook links to by its file."""
    path = posixpath.normpath(
        posixpath.join(posixpath.dirname(page.file.src_uri), _moved(target, page.file.src_uri))
    )
    file = files.get_file_from_path(path)
    if file is None:
        log.warning("%s links to %s, which is not there.", page.file.src_uri, target)
        return target
    return get_relative_url(file.url, page.url)


def _download(page: Page) -> str:
    """Return the line of a notebook that leads to its file."""
    name, install = (
        posixpath.basename(page.file.src_uri),
        get_relative_url("install.html", page.url),
    )
    return (
        f'<p class="notebook-file"><a href="{name}" download>Download this notebook</a> and '
        f'<a href="{install}#notebooks">open it in Jupyter</a> to run and change it.</p>'
    )


def _as_files(text: str, page: Page) -> str:
    """Write the drawings of a notebook beside its page, and return the text with their files in place of them."""
    numbers = count(1)

    def written(found: re.Match[str]) -> str:
        page_file = Path(page.file.abs_dest_path)
        page_file.parent.mkdir(parents=True, exist_ok=True)
        path = page_file.with_name(f"{page_file.stem}-{next(numbers)}.png")
        path.write_bytes(base64.b64decode(found[2]))
        return f'<img alt="What the program above draws" loading="lazy"{found[1]} src="{path.name}"'

    return _DRAWN.sub(written, text)


def _breaking(found: re.Match[str]) -> str:
    """Return code or text of a cell of a table so that it may go over several lines.

    A path may be broken after a slash, a call after its parenthesis, and the name of a file in a
    text after an underscore.
    """
    if found["text"]:
        return _FILE_NAME.sub(lambda name: name[0].replace("_", "_<wbr>"), found["text"])
    inside = found["code"].removesuffix("</code>")
    inside = re.sub(r"(?<=\w)/(?=\w)", "/<wbr>", inside)
    inside = re.sub(r"(?<=\w)\((?=[^\s)])", "(<wbr>", inside)
    return inside + "</code>"


def _marked(found: re.Match[str]) -> str:
    """Return a formula of a notebook as other pages have it, and code as it is."""
    if found[1]:
        return found[1]
    if found[2]:
        return rf'<div class="arithmatex">\[{found[2]}\]</div>'
    return rf'<span class="arithmatex">\({found[3]}\)</span>'


def _drawn(found: re.Match[str]) -> str:
    """Return a formula in TeX as MathML."""
    formula = html.unescape(found[2]).replace(
        r"\mathrel{+}=", r"\;\text{+=}\;"
    )  # else it is drawn as two signs
    formula = formula.replace(
        "{aligned}", "{split}"
    )  # the same, by a name that the converter knows
    drawn = convert(formula, display="block" if found[1] == "div" else "inline")
    if "<mi>&</mi>" in drawn:
        log.warning("A formula is drawn with the sign & in it: %s", formula)
    drawn = _PRIME.sub(r"<mrow>\1<mo lspace='0' rspace='0'>&#x02032;</mo></mrow>", drawn)
    return _PRIME_ABOVE.sub(
        r"<msub><mrow>\1<mo lspace='0' rspace='0'>&#x02032;</mo></mrow>\2</msub>", drawn
    )
