"""Requests and responses of the API: fields checked one by one, JSON without NaN, errors as one sentence."""

from __future__ import annotations

import csv
import errno
import io
import json
import logging
import math
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from .._util.plain import refuse_constant
from .._util.text import escape_controls, short_repr
from ..errors import EquilibristError, UntrustedGameError, nearest
from .answers import Answer, Content

LOG = logging.getLogger("equilibrist.study")
_REQUIRED: Any = object()
TABLE_FORMATS = {"csv": "text/csv; charset=utf-8", "parquet": "application/vnd.apache.parquet"}
_LONGEST = 1_000  # characters of the sentence of an error
_FORMULAS = tuple("=+-@\t")
_FLAGS = {"1": True, "0": False, "true": True, "false": False}


class RequestError(EquilibristError):
    """A request that cannot be answered, with the status of the response and the field that is wrong."""

    def __init__(
        self,
        message: str,
        *,
        field: str | None = None,
        span: tuple[int, int] | None = None,
        status: int = 400,
    ) -> None:
        super().__init__(message, wrong_use=True, field=field)
        self.span = span
        self.status = status


def answer(data: Content, *, status: int = 200) -> Answer[Content]:
    """Return a response of JSON: NumPy's numbers as such, NaN and infinities as null."""
    return Answer(to_json(data), status, media_type="application/json")


def to_json(data: Any) -> bytes:
    """Return data as JSON."""
    try:
        return orjson.dumps(data, default=_to_plain, option=orjson.OPT_NON_STR_KEYS)
    except (
        orjson.JSONEncodeError
    ):  # whole numbers of more than 64 bits, or half of a surrogate pair
        return json.dumps(_replace_infinite(data), allow_nan=False, separators=(",", ":")).encode()


def download(content: bytes, name: str, media_type: str) -> Response:
    """Return a response that the browser saves under a name."""
    plain = "".join(
        char if char.isalnum() or char in "-_." else "-" for char in name if char.isascii()
    )
    return Response(
        content,
        media_type=media_type,
        headers={"content-disposition": f'attachment; filename="{plain or "file"}"'},
    )


def write_csv(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """Return rows as CSV; a text that a spreadsheet would take for a formula begins with a quote."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(heads)
    for row in rows:
        writer.writerow(
            [
                f"'{cell}" if isinstance(cell, str) and cell[:1] in _FORMULAS else cell
                for cell in row
            ]
        )
    return buffer.getvalue().encode()


def download_arrow(table: Any, name: str, suffix: str) -> Response:
    """Return a response that the browser saves as a file of an Arrow table, of one of :data:`TABLE_FORMATS`."""
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

    sink = pa.BufferOutputStream()
    if suffix == "csv":
        write = pyarrow.csv.write_csv
    else:
        write = pyarrow.parquet.write_table
    write(table, sink)
    return download(sink.getvalue().to_pybytes(), f"{name}.{suffix}", TABLE_FORMATS[suffix])


def download_csv(table: Any, name: str) -> Response:
    """Return a response that the browser saves as the CSV file that an object writes by ``write_csv(path)``."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "table.csv")
        table.write_csv(path)
        return download(path.read_bytes(), f"{name}.csv", TABLE_FORMATS["csv"])


def _to_plain(value: Any) -> Any:
    if isinstance(value, tuple):  # with names
        return list(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "__fspath__"):
        return str(value)
    raise TypeError(f"{type(value).__name__} is not plain data")


def _replace_infinite(value: Any) -> Any:
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        return None
    if isinstance(value, Mapping):
        return {str(name): _replace_infinite(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_replace_infinite(part) for part in value]
    if value is None or isinstance(value, str | int):
        return value
    return _replace_infinite(_to_plain(value))


class Fields:
    """Fields of a request, from its query or from a body of JSON: each is checked, and named where it is wrong."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = fields

    def __contains__(self, name: str) -> bool:
        return self._fields.get(name) is not None

    def only(self, *names: str) -> Fields:
        """Refuse fields that are not named here; return these fields."""
        for name in self._fields:
            if name not in names:
                raise RequestError(f"There is no field {name!r}.{nearest(name, names)}", field=name)
        return self

    def any(self, name: str, default: Any = _REQUIRED) -> Any:
        """Return a field as it is, or the default where there is none."""
        value = self._fields.get(name)
        if value is not None:
            return value
        if default is _REQUIRED:
            raise RequestError(f"{name} is missing.", field=name)
        return default

    def _read(self, name: str, default: Any, read: Callable[[Any], Any], expected: str) -> Any:
        """Return what ``read`` makes of a field, or the default; None says that it is not what is expected."""
        value = self.any(name, default)
        if value is default:
            return value
        try:
            result = read(value)
        except (TypeError, ValueError, OverflowError):
            result = None
        if result is None:
            raise RequestError(f"{name} must be {expected}; got {short_repr(value)}.", field=name)
        return result

    def text(self, name: str, default: Any = _REQUIRED, *, longest: int = 10_000) -> Any:
        value = self._read(
            name, default, lambda value: value if isinstance(value, str) else None, "a text"
        )
        if value is not default and len(value) > longest:
            raise RequestError(
                f"{name} must have at most {longest:,} characters; got {len(value):,}.", field=name
            )
        return value

    def whole(self, name: str, default: Any = _REQUIRED, *, low: int = 0, high: int = 2**53) -> Any:
        def read(value: Any) -> int | None:
            is_number = isinstance(value, int | str) and not isinstance(value, bool)
            if is_number and low <= int(value) <= high:
                return int(value)
            return None

        return self._read(name, default, read, f"a whole number from {low:,} to {high:,}")

    def number(self, name: str, default: Any = _REQUIRED) -> Any:
        def read(value: Any) -> float | None:
            is_number = isinstance(value, int | float | str) and not isinstance(value, bool)
            if is_number and math.isfinite(float(value)):
                return float(value)
            return None

        return self._read(name, default, read, "a number")

    def choice(self, name: str, choices: Sequence[str], default: Any = _REQUIRED) -> Any:
        read = {choice: choice for choice in choices}.get
        return self._read(name, default, read, f"one of {', '.join(choices)}")

    def flag(self, name: str, default: bool = False) -> bool:
        """Return true or false; in a query also 1 and 0."""

        def read(value: Any) -> bool | None:
            if isinstance(value, bool):
                return value
            return _FLAGS.get(value)

        flag: bool = self._read(name, default, read, "true or false")
        return flag

    def list(self, name: str, default: Any = _REQUIRED, *, most: int = 100_000) -> Any:
        def read(value: Any) -> Any:
            if isinstance(value, list) and len(value) <= most:
                return value
            return None

        return self._read(name, default, read, f"a list of at most {most:,} entries")

    def table(self, name: str, default: Any = _REQUIRED) -> Any:
        return self._read(
            name, default, lambda value: value if isinstance(value, dict) else None, "an object"
        )


def query(request: Request) -> Fields:
    """Return the fields of the query of a URL; an empty one is none."""
    return Fields({name: value for name, value in request.query_params.items() if value != ""})


def body(request: Request) -> Fields:
    """Return the fields of a body of JSON, which :mod:`equilibrist.study.security` has read already."""
    content = raw_body(request) or b"{}"
    try:
        data = json.loads(content, parse_constant=refuse_constant)
        if b"\\u" in content:
            # Half of a surrogate pair is no text: no file takes it.
            json.dumps(data, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise RequestError("The body must be an object of JSON.") from None
    if not isinstance(data, dict):
        raise RequestError("The body must be an object of JSON.")
    return Fields(data)


def raw_body(request: Request) -> bytes:
    """Return the bytes of a body."""
    content: bytes = request.scope["equilibrist.body"]
    return content


def error_response(
    message: str,
    status: int,
    *,
    field: str | None = None,
    span: tuple[int, int] | None = None,
    **more: Any,
) -> Response:
    """Return an error as JSON: one sentence, the field that is wrong, and where in it: first character and length."""
    sentence = escape_controls(" ".join(message.splitlines()))
    return answer(
        {"error": {"message": shorten(sentence), "field": field, "span": span, **more}},
        status=status,
    )


def shorten(sentence: str) -> str:
    """Return the beginning and the end of a sentence that repeats a long text: they say what is wrong."""
    if len(sentence) <= _LONGEST:
        return sentence
    return f"{sentence[: _LONGEST // 2]} … {sentence[-_LONGEST // 2 :]}"


def error_sentence(error: EquilibristError) -> str:
    """Return what an error says; of a file of Python that a run names as its game, in words of the page."""
    if not isinstance(error, UntrustedGameError):
        return str(error)
    (file,) = error.allowed or ("",)
    return (
        f"The record of this run names the file {file} as its game, which runs as a program: the "
        "server has to be started with --trust-files, and asks before it runs one."
    )


def untrusted_file(request: Request, error: EquilibristError | None) -> str | None:
    """Return the file that a person may let run where its lack is this error; None where the server runs none."""
    workspace = request.app.state.workspace
    if not isinstance(error, UntrustedGameError) or not error.allowed or not workspace.trust_files:
        return None
    (file,) = error.allowed
    if file in workspace.trusted:
        return None
    return str(file)


def _is_served(request: Request, error: OSError) -> bool:
    """Return whether an error is about a file of the served folder, which others may change at any time."""
    return isinstance(error.filename, str) and Path(error.filename).is_relative_to(
        request.app.state.workspace.folder
    )


def on_error(request: Request, error: Exception) -> Response:
    """Return an error as a response of one sentence.

    Those of the package are 400 for wrong use, else 422, where no :class:`RequestError` says
    otherwise. Of one that nobody foresaw the traceback goes to the log of the server.
    """
    if isinstance(error, UntrustedGameError):
        return error_response(
            error_sentence(error), 422, field=error.field, untrusted=untrusted_file(request, error)
        )
    if isinstance(error, EquilibristError):
        if isinstance(error, RequestError):
            status = error.status
        elif error.wrong_use:
            status = 400
        else:
            status = 422
        return error_response(str(error), status, field=error.field, span=error.span)
    if isinstance(error, HTTPException):
        sentence = {
            404: "There is nothing at this address.",
            405: "This address does not take this method.",
        }
        return error_response(sentence.get(error.status_code, error.detail), error.status_code)
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS):
        return error_response(
            f"Nothing can be written to the served folder: {error.strerror}.", 422
        )
    if isinstance(error, FileNotFoundError) and _is_served(request, error):
        return error_response("What was asked for was moved or deleted meanwhile.", 404)
    if isinstance(error, MemoryError):
        return error_response("The memory of this machine does not suffice.", 422)
    LOG.error(
        "%s %s failed:\n%s",
        request.method,
        request.url.path,
        "".join(traceback.format_exception(error)),
    )
    return error_response(
        f"Equilibrist itself failed, with {type(error).__name__}. The server's output says "
        "where: please report it.",
        500,
    )
