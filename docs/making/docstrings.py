"""Docstrings as the reference shows them: what they say of each other becomes a link."""

import inspect
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import griffe

PACKAGE = Path(__file__).parents[2] / "src" / "equilibrist"
SUBJECTS = ("poker", "learn", "types")
"""Modules of public names beside those of the package itself."""


def _exported(stub: Path) -> list[str]:
    """Return the names that a stub hands on."""
    return re.findall(r" as (\w+)$", stub.read_text(encoding="utf-8"), re.MULTILINE)


PUBLIC = {name: name for name in _exported(PACKAGE / "__init__.pyi")}
for _subject in SUBJECTS:
    _stub = PACKAGE / f"{_subject}.pyi"
    if not _stub.is_file():  # a wing is a package
        _stub = PACKAGE / _subject / "__init__.pyi"
    PUBLIC |= {name: f"{_subject}.{name}" for name in _exported(_stub)}
"""The place of each public name, which has its place in the reference too."""

_ROLE = re.compile(r":[a-z]+:`~?([\w.]+)`")
_SEVERAL = re.compile(r"^(\w+(?:, \w+)+) : (.+\n(?:(?: {4}.*)?(?:\n|\Z))+)", re.MULTILINE)


class Roles(griffe.Extension):
    """Turn what Sphinx understands into what Markdown and the parser of docstrings understand.

    These are roles, ``:func:`equilibrist.solve```; and several parameters described at once, for which the parser would
    give the default of the first to all.
    """

    def on_function(self, *, func: griffe.Function, **_: Any) -> None:
        """Name the keywords that ``**name: Unpack[…]`` stands for, with the defaults that they have at run time."""
        if not any("Unpack[" in str(parameter.annotation) for parameter in func.parameters):
            return
        owner = getattr(import_module(func.module.path), func.parent.name)
        written = {parameter.name: parameter for parameter in func.parameters}
        parameters = [func.parameters[0]]
        for name, parameter in inspect.signature(owner).parameters.items():
            has_default = parameter.default is not parameter.empty
            named = griffe.Parameter(
                name,
                annotation=parameter.annotation,
                kind=griffe.ParameterKind.keyword_only,
                default=repr(parameter.default) if has_default else None,
            )
            parameters.append(written.get(name, named))
        func.parameters = griffe.Parameters(*parameters)

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring of one object."""
        if obj.docstring:
            text = _SEVERAL.sub(_one_by_one, obj.docstring.value)
            obj.docstring.value = _ROLE.sub(_link, text)


def _link(found: re.Match[str]) -> str:
    """Return a link to a public name or to the class that it belongs to, or just the name."""
    name = found[1].removeprefix("equilibrist.")
    subject, _, below = name.partition(".")
    if subject in SUBJECTS and below:
        name = below
    owner = name.partition(".")[0]
    last = name.rpartition(".")[2]
    if owner in PUBLIC:
        return f"[`{name}`][equilibrist.{PUBLIC[owner]}]"
    if last in PUBLIC:
        return f"[`{last}`][equilibrist.{PUBLIC[last]}]"
    return f"`{last}`"


def _one_by_one(found: re.Match[str]) -> str:
    """Return parameters that were described together as several, with the same words."""
    return "".join(f"{name} : {found[2].rstrip()}\n" for name in found[1].split(", ")) + "\n"
