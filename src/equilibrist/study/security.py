"""Who may ask the server, and what a page may do: token, Host and Origin, content security policy, size of bodies."""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import MutableMapping
from html import escape
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..web.respond import error_response

TOKEN = "token"
MOST_JSON = 4 << 20
"""Bytes of a body of JSON."""
MOST_UPLOAD = 8 << 20
"""Bytes of a file that is uploaded."""
UPLOADS = "/api/uploads"

POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
_OWN_SITES = ("none", "same-origin")  # of Sec-Fetch-Site: the address bar, and the page itself
_READ_ONLY = ("GET", "HEAD")
_DOOR = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Equilibrist</title>
<h1>Equilibrist</h1><p>This page is for whoever started the server: open the address that <code>equilibrist serve</code>
has printed, or give its end, what stands after <code>?token=</code>.</p>
<form>{fields}<label>Token <input name="token" type="password" required autofocus></label> <button>Open</button></form>
</html>
"""


class Security:
    """Middleware in front of everything else: who has the ``token`` may ask, and under names that are known.

    The token is in the URL, the cookie or the header ``Authorization: Bearer``. ``hosts`` are names
    by which the server is reached beside loopback, the value of ``--host``. With ``0.0.0.0`` or
    ``::`` any IP address will do, as no attacker's domain is one (DNS rebinding).

    A page elsewhere can neither read nor change anything: its requests carry another ``Origin``, or
    ``Sec-Fetch-Site`` says that they come from another site, and the cookie is ``SameSite=Strict``.
    The name of the cookie has the port in it, as browsers share cookies between ports.
    """

    def __init__(self, app: ASGIApp, *, token: str, hosts: tuple[str, ...] = ()) -> None:
        self._app = app
        self._token = token.encode()
        self._any_address = any(host in ("0.0.0.0", "::") for host in hosts)
        self._hosts = {"127.0.0.1", "::1", "localhost", *(host.lower() for host in hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        headers = connection.headers
        in_url = self._is_token(_token_in_url(connection))
        refused = self._refusal(connection, in_url=in_url)
        send = _with_headers(
            send, self._new_cookie(headers) if in_url and refused is None else None
        )
        if refused is None and scope["method"] not in _READ_ONLY:
            if scope["path"].startswith(UPLOADS):
                most = MOST_UPLOAD
            else:
                most = MOST_JSON
            content = await _read(receive, headers, most)
            if content is None:
                refused = error_response(
                    f"The body of this request has at most {most >> 20} MB.", 413
                )
            else:
                scope["equilibrist.body"] = content
                receive = _without_body(receive)
        await (refused or self._app)(scope, receive, send)

    def _refusal(self, connection: HTTPConnection, *, in_url: bool) -> Response | None:
        """Return the response to a request that nobody may make; None for one that may be answered."""
        headers = connection.headers
        host = headers.get("host", "")
        if not self._knows(host):
            return error_response("This server is not reached by that name (the header Host).", 421)
        origin = headers.get("origin")
        if origin is not None and origin.lower() != f"http://{host.lower()}":
            return error_response("Requests from other pages are refused (the header Origin).", 403)
        if in_url:
            return None
        opens_page = _is_page(connection) and headers.get("sec-fetch-mode") == "navigate"
        if not opens_page and headers.get("sec-fetch-site", _OWN_SITES[0]) not in _OWN_SITES:
            return error_response(
                "Requests from other pages are refused (the header Sec-Fetch-Site).", 403
            )
        if self._is_token(_read_bearer(headers)) or self._is_token(
            connection.cookies.get(_read_cookie(host), "")
        ):
            return None
        if _is_page(connection):
            return HTMLResponse(_door_page(connection), 401)
        return error_response(
            "The token is missing or wrong: open the address that the server has printed.", 401
        )

    def _new_cookie(self, headers: Headers) -> str:
        return (
            f"{_read_cookie(headers.get('host', ''))}={self._token.decode()}; HttpOnly; Path=/; "
            "SameSite=Strict"
        )

    def _is_token(self, text: str) -> bool:
        return hmac.compare_digest(text.encode(), self._token)

    def _knows(self, host: str) -> bool:
        """Return whether the server goes by a name, which is that of a header: a port alone may follow it."""
        if set(host) & set("@/\\?#"):  # parts of URLs that no such header has
            return False
        try:
            parts = urlsplit(f"//{host}")
            # which may be no number
            name = (parts.hostname or "").lower()
            _ = parts.port
        except ValueError:
            return False
        return name in self._hosts or (self._any_address and _is_address(name))


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_page(connection: HTTPConnection) -> bool:
    """Return whether a request is for the page itself, which a person may open from elsewhere."""
    scope = connection.scope
    return scope["method"] in _READ_ONLY and not scope["path"].startswith(("/api/", "/static/"))


def _door_page(connection: HTTPConnection) -> str:
    other_fields = [
        (name, value) for name, value in connection.query_params.multi_items() if name != TOKEN
    ]
    fields = (
        f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">'
        for name, value in other_fields
    )
    return _DOOR.format(fields="".join(fields))


def _token_in_url(connection: HTTPConnection) -> str:
    """Return the token in the URL of the page; those of the API take a cookie or a header, which no log shows."""
    if _is_page(connection):
        return connection.query_params.get(TOKEN, "").strip()
    return ""


def _read_cookie(host: str) -> str:
    return f"equilibrist-{urlsplit(f'//{host}').port or 80}"


def _read_bearer(headers: Headers) -> str:
    kind, _, token = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return token.strip()
    return ""


async def _read(receive: Receive, headers: Headers, most: int) -> bytes | None:
    """Return the body of a request; None where it is longer than allowed, which is noticed before it is read."""
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdecimal()) or len(length) > 20 or int(length) > most:
        return None
    content = bytearray()
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            break
        content += message.get("body", b"")
        more = message.get("more_body", False)
        if len(content) > most:
            return None
    return bytes(content)


def _without_body(receive: Receive) -> Receive:
    """Return a channel that gives an empty body, and then what comes: that the browser has gone."""
    is_sent = False

    async def rest() -> Message:
        nonlocal is_sent
        if is_sent:
            return await receive()
        is_sent = True
        return {"type": "http.request", "body": b"", "more_body": False}

    return rest


def _with_headers(send: Send, cookie: str | None) -> Send:
    """Return a channel that adds the headers of every response, where the response has not set its own."""

    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store")
            if cookie is not None:
                headers["set-cookie"] = cookie
        await send(message)

    return sending
