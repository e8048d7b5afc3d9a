"""The route of labs: the script and the style sheet of each."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from . import lab_file


def send_lab(request: Request) -> Response:
    """Return the script or the style sheet of a lab."""
    text = lab_file(request.path_params["name"])
    if text is None:
        raise HTTPException(404)
    if request.path_params["name"].endswith(".css"):
        kind = "text/css"
    else:
        kind = "text/javascript"
    return Response(text, media_type=kind, headers={"cache-control": "no-cache"})
