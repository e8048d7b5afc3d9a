"""Who may ask, and what an answer lets a page do: token, Host and Origin, headers, sizes, the walls of the folder."""

import gzip
import os
import re
from pathlib import Path

import pytest

from equilibrist.errors import SolutionError
from equilibrist.page import SUFFIXES
from equilibrist.page.bundle import _COMMENT_IN_LINES, strip_source
from equilibrist.study import app as application
from equilibrist.study import security
from equilibrist.study.routes import TABLE
from equilibrist.web.respond import RequestError
from equilibrist.web.workspace import Workspace

TOKEN = "a-token-for-tests"
ROUTES = [
    ("GET", "/api/events"),
    *((method, "/api" + path.replace("{run}", "kuhn")) for method, path, _ in TABLE),
]


@pytest.fixture
def stranger(make_client, workspace):
    """Give a client without a token."""
    return make_client(workspace, token=None)


@pytest.mark.thinned(98)
@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_nothing_is_answered_without_the_token(stranger, method, path):
    response = stranger.request(method, path)
    assert response.status_code == 401
    assert response.json()["error"]["message"].startswith("The token is missing or wrong")


@pytest.mark.parametrize("path", ["/", "/static/app.css", "/static/js/app.js", "/runs/kuhn"])
def test_no_page_and_no_file_without_the_token(stranger, path):
    assert stranger.get(path).status_code == 401


def test_token_in_the_url_becomes_a_cookie(stranger):
    response = stranger.get(f"/?token={TOKEN}")
    assert response.status_code == 200
    cookie = response.headers["set-cookie"]
    assert re.fullmatch(rf"equilibrist-8421={TOKEN}; HttpOnly; Path=/; SameSite=Strict", cookie)
    assert stranger.get("/api/runs").status_code == 200  # by the cookie


@pytest.mark.parametrize("token", ["", "wrong", TOKEN[:-1], TOKEN + "x", "é"])
def test_wrong_tokens(stranger, token):
    response = stranger.get("/", params={"token": token})
    assert (response.status_code, "set-cookie" in response.headers) == (401, False)
    assert (
        stranger.get(
            "/api/runs", headers={"authorization": b"Bearer " + token.encode()}
        ).status_code
        == 401
    )
    assert (
        stranger.get(
            "/api/runs", headers={"cookie": b"equilibrist-8421=" + token.encode()}
        ).status_code
        == 401
    )


def test_the_door_asks_for_the_token_and_leads_back(stranger):
    door = stranger.get('/runs/kuhn?node=X-B50&token=old&text="<b>')
    assert door.status_code == 401
    form = door.text[door.text.index("<form>") :]
    assert 'name="token" type="password"' in form
    assert 'name="node" value="X-B50"' in form
    assert 'name="text" value="&quot;&lt;b&gt;"' in form
    assert form.count("token") == 1
    assert stranger.get(f"/runs/kuhn?node=X-B50&token=%20{TOKEN}").status_code == 200


def test_play_leads_to_the_tables(client):
    response = client.get("/play", follow_redirects=False)
    assert (response.is_redirect, response.headers["location"]) == (True, "/history")


def test_the_api_takes_no_token_from_a_url(stranger):
    """Addresses get into logs and histories; that of the page is wiped there, those of the API would not be."""
    assert stranger.get(f"/api/runs?token={TOKEN}").status_code == 401


def test_the_cookie_of_another_port_is_none(stranger):
    assert (
        stranger.get("/api/runs", headers={"cookie": f"equilibrist-9999={TOKEN}"}).status_code
        == 401
    )


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8421",
        "evil.com@127.0.0.1",
        "evil.com@127.0.0.1:8421",
        "127.0.0.1:8421/x",
        "127.0.0.1?x",
        "127.0.0.1#x",
        "127.0.0.1\\x",
        "127.0.0.1.evil.example",
        "192.168.0.7",
        "",
        "a b",
        "[::1",
        "127.0.0.1:abc",
        "localhost:99999999",
        "[::1]:x",
    ],
)
def test_refuses_other_names_of_the_server(client, host):
    """DNS rebinding: a page of evil.example whose name suddenly leads here still says its own name."""
    response = client.get("/api/runs", headers={"host": host})
    assert response.status_code == 421
    assert client.get(f"/?token={TOKEN}", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["127.0.0.1:8421", "localhost:8421", "LOCALHOST", "[::1]:8421"])
def test_goes_by_the_names_of_loopback(client, host):
    assert client.get("/api/runs", headers={"host": host}).status_code == 200


def test_another_interface_is_reached_by_its_name_and_with_the_token(make_client, workspace):
    client = make_client(workspace, hosts=("192.168.0.7",))
    assert client.get("/api/runs", headers={"host": "192.168.0.7:8421"}).status_code == 200
    assert client.get("/api/runs", headers={"host": "192.168.0.8:8421"}).status_code == 421
    del client.headers["authorization"]
    assert client.get("/api/runs", headers={"host": "192.168.0.7:8421"}).status_code == 401


def test_all_interfaces_are_reached_by_address_but_by_no_name(make_client, workspace):
    client = make_client(workspace, hosts=("0.0.0.0",))
    assert client.get("/api/runs", headers={"host": "10.1.2.3:8421"}).status_code == 200
    assert client.get("/api/runs", headers={"host": "evil.example:8421"}).status_code == 421


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "http://127.0.0.1:9999", "https://127.0.0.1:8421", "null", "file://"],
)
def test_refuses_requests_of_other_pages(client, origin):
    """A page on another port of this machine counts as the same site, so that the cookie alone would let it in."""
    for method, path in [
        ("DELETE", "/api/runs/kuhn"),
        ("GET", "/api/runs"),
        ("PATCH", "/api/runs/kuhn"),
    ]:
        response = client.request(method, path, headers={"origin": origin})
        assert response.status_code == 403
        assert "access-control-allow-origin" not in response.headers
    assert client.get("/api/runs", headers={"origin": "http://127.0.0.1:8421"}).status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_refuses_what_the_browser_says_comes_from_elsewhere(client, site):
    """Pictures and scripts have no Origin, but tell where they are asked for."""
    headers = {"sec-fetch-site": site, "sec-fetch-mode": "no-cors"}
    assert client.get("/api/runs", headers=headers).status_code == 403
    assert client.get("/static/app.css", headers=headers).status_code == 403
    assert client.get("/", headers=headers).status_code == 403
    assert (
        client.get("/", headers=headers | {"sec-fetch-mode": "navigate"}).status_code == 200
    )  # a link, clicked


@pytest.mark.parametrize("path", ["/", "/static/js/app.js", "/api/runs", "/api/nothing"])
def test_headers_of_every_answer(client, path):
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] in ("no-store", "no-cache")


def test_headers_of_a_refusal(stranger):
    assert stranger.get("/api/runs").headers["content-security-policy"] == security.POLICY


def _page_files():
    return [path for path in application.STATIC.rglob("*") if path.suffix in SUFFIXES]


def test_python_beside_the_files_of_the_page_is_not_sent(client):
    assert (application.STATIC / "bundle.py").is_file()
    assert client.get("/static/bundle.py").status_code == 404
    assert client.get("/static/icon.svg").status_code == 200


def test_the_page_has_nothing_inline():
    for path in application.STATIC.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(
            r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=|javascript:", text
        ), path


def test_the_code_of_the_page_takes_no_html_and_asks_nobody_else():
    forbidden = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser"
        r"|\beval\(|new Function|setAttribute\(.style.|https?://(?!www\.w3\.org/)"
    )
    for path in _page_files():
        found = forbidden.search(path.read_text(encoding="utf-8"))
        assert found is None or path.suffix == ".svg", f"{path.name}: {found and found[0]}"


VIEW_IMPORT = re.compile(r"""from "([^"]+\.js)";""")


def _imported_modules(path: Path) -> set[Path]:
    """Return a module and all that it imports, near and far."""
    found = set()
    pending = [path]
    while pending:
        module = pending.pop()
        if module in found:
            continue
        found.add(module)
        imports = VIEW_IMPORT.findall(module.read_text("utf-8"))
        pending += [(module.parent / other).resolve() for other in imports]
    return found


def _sent_bytes(path: Path) -> int:
    return len(gzip.compress(strip_source(path.read_text("utf-8")).encode(), 9))


def test_the_code_of_every_view_is_small(client):
    """All that a browser loads to open a view: what is the same everywhere, the view, its style."""
    static = application.STATIC.resolve()
    index = static / "index.html"
    sheets = re.findall(r'href="/static/([^"]+)"', index.read_text("utf-8"))
    assert "app.css" in sheets
    frame = {index, static / "js" / "base" / "events-worker.js"}
    frame |= {static / sheet for sheet in sheets}
    frame |= _imported_modules(static / "js" / "app.js")
    views = sorted((static / "js" / "views").glob("*.js"))
    assert len(views) > 10
    for view in views:
        style = static / "css" / f"{view.stem}.css"
        sent = sum(map(_sent_bytes, frame | _imported_modules(view) | {style}))
        assert sent <= 120_000, f"{view.stem}: {sent:,} bytes"
    assert client.get("/static/app.css").headers["content-encoding"] == "gzip"


def test_bodies_are_bounded_before_they_are_read(client, monkeypatch):
    monkeypatch.setattr(security, "MOST_JSON", 100)
    assert client.patch("/api/runs/kuhn", content=b"{" + b" " * 200 + b"}").status_code == 413

    parts = (b" " * 64 for _ in range(10))
    assert client.patch("/api/runs/kuhn", content=parts).status_code == 413  # without a length
    assert (
        client.patch("/api/runs/kuhn", content=b"{}", headers={"content-length": "-1"}).status_code
        == 413
    )
    assert (
        client.patch(
            "/api/runs/kuhn", content=b"{}", headers={"content-length": b"\xb2"}
        ).status_code
        == 413
    )
    assert (
        client.patch(
            "/api/runs/kuhn", content=b"{}", headers={"content-length": "9" * 5000}
        ).status_code
        == 413
    )


@pytest.mark.parametrize(
    "content", [b"{", b"[]", b"\xff", b'{"name": NaN}', b"[" * 100_000, b'"name"']
)
def test_a_body_is_an_object_of_json(client, content):
    response = client.patch("/api/runs/kuhn", content=content)
    assert (response.status_code, response.json()["error"]["message"]) == (
        400,
        "The body must be an object of JSON.",
    )


OUTSIDE = [
    "..",
    "../secret",
    "kuhn/../../secret",
    ".equilibrist",
    "kuhn/.hidden",
    "/etc",
    "",
    ".",
    "a\0b",
    "a\\..\\b",
    "x" * 300,
]


@pytest.mark.parametrize("run", OUTSIDE)
def test_no_run_is_outside_the_folder(client, workspace, folder, run):
    secret = folder.parent / "secret"
    (folder / "kuhn").rename(secret)
    with pytest.raises(RequestError, match=r"no name of a run|There is no run"):
        workspace.folder_of(run)
    for text in filter(None, {run, run.replace("~", "~0").replace("/", "~1")}):
        written = "".join(f"%{byte:02X}" for byte in text.encode())
        for method in ("GET", "DELETE", "PATCH"):
            response = client.request(
                method, f"/api/runs/{written}", json={"name": "x"} if method == "PATCH" else None
            )
            assert response.status_code in (400, 404, 405), written
    assert sorted(path.name for path in secret.iterdir())[0] == "checkpoint.npz"


@pytest.mark.parametrize("name", ["../x", "a/b", ".x", "", " ", "..", "x\0", "x" * 256])
def test_no_run_is_renamed_to_outside(client, folder, name):
    response = client.patch("/api/runs/kuhn", json={"name": name})
    assert response.status_code == 400
    assert response.json()["error"]["field"] == "name"
    assert (folder / "kuhn").is_dir()


def test_links_are_not_followed(client, folder, tmp_path):
    (folder / "kuhn").rename(tmp_path / "elsewhere")
    (folder / "kuhn").symlink_to(tmp_path / "elsewhere")
    (folder / "deep").symlink_to(tmp_path)
    assert [row["id"] for row in client.get("/api/runs").json()["runs"]] == ["kuhn-cfr"]
    for run in ("kuhn", "deep~1elsewhere"):
        response = client.get(f"/api/runs/{run}")
        assert response.status_code == 404
        assert "link" in response.json()["error"]["message"]


def test_a_run_with_links_in_it_is_none(client, folder, tmp_path):
    """Going on with it would write to what the link leads to."""
    (tmp_path / "precious").write_text("precious")
    (folder / "kuhn" / "strategy.csv").unlink()
    (folder / "kuhn" / "strategy.csv").symlink_to(tmp_path / "precious")
    assert [row["id"] for row in client.get("/api/runs").json()["runs"]] == ["kuhn-cfr"]
    assert client.get("/api/runs/kuhn/code").status_code == 404
    assert (tmp_path / "precious").read_text() == "precious"


@pytest.mark.parametrize(
    "path",
    ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd"],
)
def test_static_files_are_those_of_the_page(client, path):
    response = client.get(path)
    assert response.status_code in (400, 404) or "text/html" in response.headers["content-type"]
    assert "make_app" not in response.text
    assert "root:" not in response.text


def test_an_unforeseen_error_is_one_sentence(client, monkeypatch, caplog):
    from equilibrist.study.library import runs

    monkeypatch.setattr(runs, "_list_deleted", lambda workspace: 1 / 0)
    response = client.get("/api/deleted")
    message = response.json()["error"]["message"]
    assert response.status_code == 500
    assert message.startswith("Equilibrist itself failed, with ZeroDivisionError.")
    assert "Traceback" not in response.text
    assert "Traceback" in caplog.text


def test_names_of_hostile_games_are_plain_text(client, folder):
    name = "<img src=x onerror=alert(1)>"
    (folder / "kuhn").rename(folder / name)
    response = client.get("/api/runs")
    assert response.headers["content-type"] == "application/json"
    assert name in [row["id"] for row in response.json()["runs"]]


def test_the_server_writes_in_its_folder_alone(make_client, folder):
    before = {path for path in folder.parent.rglob("*") if folder not in path.parents}
    client = make_client(Workspace(folder))
    for path in ("/api/runs", "/api/runs/kuhn/code", "/api/runs/kuhn/table?what=strategy"):
        assert client.get(path).status_code == 200
    assert {path for path in folder.parent.rglob("*") if folder not in path.parents} == before
    assert {path.name for path in (folder / ".equilibrist").iterdir()} <= {"catalogue.json"}


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SolutionError, match="Nothing can be written to the folder"):
        Workspace(Path(tmp_path, "file", "runs"))


@pytest.mark.skipif(os.name != "posix", reason="permissions as POSIX has them")
def test_what_is_private_is_readable_by_the_owner_alone(workspace):
    assert workspace.private.stat().st_mode & 0o077 == 0


def test_comments_are_not_sent_and_lines_keep_their_numbers(client):
    text = (application.STATIC / "js" / "app.js").read_text(encoding="utf-8")
    sent = client.get("/static/js/app.js")
    assert sent.headers["content-type"].startswith("text/javascript")
    assert sent.text == strip_source(text)
    assert sent.text.count("\n") == text.count("\n")
    assert "\n/**" in text
    assert "\n/**" not in sent.text
    assert "\n  " not in sent.text
    seen = {"if-none-match": sent.headers["etag"]}
    assert client.get("/static/js/app.js", headers=seen).status_code == 304


def test_no_text_of_several_lines_has_what_looks_like_a_comment():
    for path in application.STATIC.rglob("*.js"):
        text, at = path.read_text(encoding="utf-8"), 0
        for comment in _COMMENT_IN_LINES.finditer(text):
            assert text[at : comment.start()].count("`") % 2 == 0, f"{path.name}: {comment[0]}"
            at = comment.end()
