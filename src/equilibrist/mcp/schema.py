"""The parameters of tools, as the commands declare them: their JSON schemas, and the command line of their values."""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin, get_type_hints

from .._util.places import import_place
from ..cli.table import COMMANDS
from ..errors import nearest
from .tools import Tool

_TYPES = {bool: "boolean", int: "integer", float: "number", Path: "string", str: "string"}
_NUMBERS = {"type": "object", "additionalProperties": {"type": "number"}}
_TABLE: dict[str, Any] = {"type": "object", "additionalProperties": _NUMBERS}
_CONTENTS: dict[str, dict[str, Any]] = {
    "strategy": {
        "type": "object",
        "description": "The strategy itself: {player: {infoset: {action: probability}}}, players from '0'.",
        "additionalProperties": _TABLE,
    },
    "table": _TABLE | {"description": "The table itself: {infoset: {action: number}}."},
    "hands": {"type": "string", "description": "The hand histories themselves, as one text."},
}
"""The schema of what is given in the place of a file."""


class Parameter(NamedTuple):
    """A parameter of a tool.

    Attributes
    ----------
    name : str
        As the command's function has it, and the tool.
    kind : type
        Of its value, or of each of its values.
    is_list : bool
        Whether it may be given several times.
    info : typer.models.ParameterInfo
        What the command says of it.
    is_argument : bool
        Whether it has a place on the command line rather than a name.
    is_needed : bool
        Whether it must be given.
    """

    name: str
    kind: type
    is_list: bool
    info: Any
    is_argument: bool
    is_needed: bool

    @property
    def option(self) -> str:
        """The option of the command."""
        names = [name for name in self.info.param_decls or () if name.startswith("--")]
        if names:
            return str(names[0])
        return f"--{self.name.replace('_', '-')}"

    @property
    def is_path(self) -> bool:
        return self.kind is Path

    def words(self, value: Any) -> Iterator[str]:
        """Yield the words of the command line that give a value; those of arguments have no names."""
        values = value if self.is_list else [value]
        for entry in values:
            if self.is_argument:
                yield str(entry)
            elif self.kind is bool:
                yield from [self.option] if entry else []
            else:
                yield f"{self.option}={entry}"


def list_parameters(tool: Tool) -> list[Parameter]:
    """Return the parameters of a tool, in the order of the command's function."""
    function = import_place(COMMANDS[tool.command].place)
    hints = get_type_hints(function, include_extras=True)
    names = (*tool.parameters, "save") if tool.saves else tool.parameters
    declared = inspect.signature(function).parameters
    parameters = []
    for name in declared:
        if name not in names:
            continue
        kind, info = _split_annotation(hints[name])
        has_default = declared[name].default is not inspect.Parameter.empty
        is_needed = name in tool.needed or not (has_default or name in tool.optional)
        parameters.append(
            Parameter(
                name,
                get_args(kind)[0] if get_origin(kind) is list else kind,
                get_origin(kind) is list,
                info,
                type(info).__name__ == "ArgumentInfo",
                is_needed,
            )
        )
    return parameters


def _split_annotation(hint: Any) -> tuple[Any, Any]:
    """Return the type of a parameter, None left out, and what Typer is told of it."""
    if get_origin(hint) is not Annotated:
        raise TypeError(f"{hint} is no annotation of a command.")
    kind, *infos = get_args(hint)
    if get_origin(kind) in (Union, types.UnionType):
        kind = next(part for part in get_args(kind) if part is not type(None))
    return kind, infos[0]


def tool_schema(tool: Tool, *, writes: bool) -> dict[str, Any]:
    """Return the JSON schema of the parameters of a tool; with ``save`` only where the server writes."""
    properties = {
        parameter.name: _parameter_schema(parameter, tool)
        for parameter in list_parameters(tool)
        if writes or parameter.name != "save"
    }
    needed = [parameter.name for parameter in list_parameters(tool) if parameter.is_needed]
    for name, about in tool.choices.items():
        properties[name] = {"type": "string", "description": about}
        needed.append(name)
    return {
        "type": "object",
        "properties": properties,
        "required": needed,
        "additionalProperties": False,
    }


def _parameter_schema(parameter: Parameter, tool: Tool) -> dict[str, Any]:
    about = (parameter.info.help or "").strip()
    if parameter.name == "save":
        return {"type": "string", "description": "Save the run under this name, a word."}
    value_schema: dict[str, Any] = {"type": _TYPES.get(parameter.kind, "string")}
    if parameter.info.min is not None:
        value_schema["minimum"] = parameter.info.min
    if parameter.is_list:
        schema = {"type": "array", "items": value_schema, "minItems": 1}
    else:
        schema = value_schema
    content = tool.contents.get(parameter.name)
    if content is None:
        return schema | {"description": about}
    return {"anyOf": [schema, _CONTENTS[content]], "description": about}


def check_names(tool: Tool, values: Mapping[str, Any], *, writes: bool) -> str:
    """Return the sentence about parameters that a tool does not have or lacks; empty where all is well."""
    schema = tool_schema(tool, writes=writes)
    names = list(schema["properties"])
    for name in values:
        if name == "save" and tool.saves and not writes:
            return "This server saves nothing: start it with --write FOLDER."
        if name not in names:
            if not names:
                return f"There is no parameter {name!r}: this tool takes none."
            return f"There is no parameter {name!r}.{nearest(name, names)}"
    for name in schema["required"]:
        if values.get(name) is None:
            return f"The parameter {name!r} is missing: {schema['properties'][name]['description']}"
    return ""
