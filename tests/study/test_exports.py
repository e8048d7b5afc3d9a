"""Exports: the report, pictures, tables, command lines."""

import io
import re
import shlex
import shutil
from concurrent.futures import ThreadPoolExecutor

import pyarrow.csv
import pyarrow.parquet
import pytest

import equilibrist as eq
from equilibrist._util.command_line import quote_word
from equilibrist.runs.reproduce import settings


def test_the_report_is_shown_as_a_page_from_elsewhere(client, undrawn):
    response = client.get("/api/runs/kuhn/report")
    policy = response.headers["content-security-policy"]
    assert response.headers["content-type"].startswith("text/html")
    assert "Certificate" in response.text
    assert policy.startswith("sandbox allow-scripts")
    assert "default-src 'none'" in policy
    assert re.search(r"script-src 'sha256-[\w+/=]+'", policy)
    assert "script-src 'unsafe" not in policy
    saved = client.get("/api/runs/kuhn/report", params={"download": 1})
    assert saved.headers["content-disposition"] == 'attachment; filename="kuhn.html"'


def test_nobody_waits_for_a_report_that_is_drawn(client, workspace, monkeypatch):
    run = workspace.run("kuhn")

    def drawn(solution, path, *, game):
        with ThreadPoolExecutor(1) as other:
            assert other.submit(run.lock.acquire, timeout=10).result()
            other.submit(run.lock.release).result()
        assert solution is not run.solution
        path.write_text("drawn")

    monkeypatch.setattr("equilibrist.runs.report.write_report", drawn)
    assert client.get("/api/runs/kuhn/report").text == "drawn"


def test_a_report_in_another_encoding_is_shown(client, folder):
    (folder / "boards").mkdir()
    page = b"<title>x</title>\xff<script>1</script>"
    (folder / "boards" / "report.html").write_bytes(page)
    (folder / "boards" / "study.json").write_text("{}")
    response = client.get("/api/reports/boards")
    assert (response.status_code, response.content) == (200, page)
    assert "script-src 'sha256-" in response.headers["content-security-policy"]


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_pictures(client, suffix):
    response = client.get(
        "/api/runs/kuhn/picture", params={"kind": "convergence", "format": suffix, "theme": "light"}
    )
    assert response.status_code == 200
    assert response.content.startswith({"svg": b"<?xml", "png": b"\x89PNG"}[suffix])
    assert response.headers["content-security-policy"].startswith("sandbox;")


def test_pictures_that_there_are(client):
    found = client.get("/api/runs/kuhn-cfr/pictures").json()
    assert {"convergence", "strategy", "trajectories", "tree"} <= set(found["kinds"])
    assert found["missing"] == {}
    missing = client.get("/api/runs/kuhn/pictures").json()["missing"]
    assert "solve with --record all" in missing["spiral"]
    assert missing["landscape"] == missing["spiral"]
    response = client.get("/api/runs/kuhn/picture", params={"kind": "spiral"})
    assert response.status_code in (400, 422)
    assert (
        client.get("/api/runs/kuhn/picture", params={"kind": "spirals"}).json()["error"]["field"]
        == "kind"
    )


@pytest.mark.parametrize("what", ["strategy", "trace", "recording"])
def test_tables(client, folder, what):
    solution = eq.load_solution(folder / "kuhn-cfr")
    csv = client.get("/api/runs/kuhn-cfr/table", params={"what": what, "format": "csv"})
    parquet = client.get("/api/runs/kuhn-cfr/table", params={"what": what, "format": "parquet"})
    assert csv.headers["content-disposition"] == f'attachment; filename="kuhn-cfr-{what}.csv"'
    expected = {
        "strategy": solution.strategy,
        "trace": solution.trace,
        "recording": solution.recording,
    }[what].to_arrow()
    assert (
        pyarrow.parquet.read_table(io.BytesIO(parquet.content)).to_pylist() == expected.to_pylist()
    )
    table = pyarrow.csv.read_csv(io.BytesIO(csv.content))
    assert table.num_rows == expected.num_rows
    name = {"strategy": "probability", "trace": "exploitability", "recording": "iteration"}[what]
    assert table[name].to_pylist() == expected[name].to_pylist()


def test_a_table_that_there_is_not(client, workspace):
    response = client.get("/api/runs/kuhn/table", params={"what": "recording"})
    assert response.json()["error"]["message"].startswith("No infosets were recorded")
    response = client.get("/api/runs/kuhn/table", params={"what": "node"})
    assert response.json()["error"]["message"].startswith("Nodes are those of a spot of hold'em")
    assert not list(workspace.private.glob("export-*"))


def test_nothing_is_left_of_an_export(client, workspace, undrawn):
    client.get("/api/runs/kuhn/table", params={"what": "strategy"})
    client.get("/api/runs/kuhn/report")
    assert not list(workspace.private.glob("export-*"))


def test_a_node_of_a_spot(make_client, tmp_path):
    from equilibrist.web.workspace import Workspace

    game = "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a')"
    solution = eq.solve(game, iterations=20, save=tmp_path / "runs" / "river")
    client = make_client(Workspace(tmp_path / "runs"))
    assert client.get("/api/runs").json()["runs"][0]["spot"]
    response = client.get(
        "/api/runs/river/table", params={"what": "node", "format": "parquet", "line": "X"}
    )
    node = eq.poker.SolvedSpot(solution).node("X")
    expected = pyarrow.table(node.columns(node.player))
    assert (
        pyarrow.parquet.read_table(io.BytesIO(response.content)).to_pylist() == expected.to_pylist()
    )
    assert response.headers["content-disposition"] == 'attachment; filename="river-node-X.parquet"'
    assert client.get("/api/runs/river/pictures").json() == {
        "kinds": ["convergence", "range"],
        "missing": {},
    }
    first, later = (
        client.get("/api/runs/river/picture", params={"kind": "range", "line": line}).content
        for line in ("", "X")
    )
    assert first.startswith(b"<?xml")
    assert first != later
    assert (
        client.get("/api/runs/river/picture", params={"kind": "tree"}).json()["error"]["field"]
        == "kind"
    )


@pytest.mark.parametrize("until", ["0.5%", "0.3%", "2%"])
def test_a_goal_is_written_as_a_share_of_the_pot(tmp_path, until):
    game = "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=30, stack=10, bets='a')"
    solution = eq.solve(game, until=until, iterations=5)
    assert settings(solution)["until"] == until


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("kuhn", {"algorithm": "cfr", "iterations": 7}),
        (
            "kuhn(cards=4)",
            {"algorithm": "lcfr", "sampling": "outcome(epsilon=0.4)", "seed": 3, "iterations": 50},
        ),
        ("kuhn", {"algorithm": "cfr+", "alternating": False, "until": 0.05}),
        ("kuhn(names='QKA')", {"precision": "float32", "nodes": 3000}),
    ],
)
def test_the_lines_make_the_same_run(run, somewhere, make_client, game, options):
    """The command and the Python lines, run: the same strategy to the last bit."""
    from equilibrist.solving.keywords import solve_keywords
    from equilibrist.web.workspace import Workspace

    eq.solve(game, **solve_keywords(options), save="runs/one")
    lines = make_client(Workspace("runs")).get("/api/runs/one/code").json()
    before = eq.load_solution("runs/one")
    again = eq.solve(game, **solve_keywords(settings(before)))
    assert again.strategy.probabilities.tolist() == before.strategy.probabilities.tolist()
    command = lines["command"].splitlines()[0]
    assert command.startswith("equilibrist solve ")
    ran = run(*shlex.split(command)[1:])
    assert ran.code == 0, ran.err
    assert eq.load_solution("runs/one").info.run_id == before.info.run_id  # the run itself stays
    again = eq.load_solution("runs/one-2")
    assert again.strategy.probabilities.tolist() == before.strategy.probabilities.tolist()
    exec(lines["solve"], {})
    assert eq.load_solution("runs/one-2").iterations == before.iterations
    exec(lines["python"], {})


@pytest.mark.parametrize(
    "text",
    ["kuhn", "a b", "kuhn(names='QKA')", "it's $HOME", "a \"b\" 'c'", "`x` '", "\\ '", "!x'"],
)
def test_quoted(text):
    assert shlex.split(quote_word(text)) == [text]


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """Give a folder with a report over boards and, in a folder within it, a study."""
    folder = tmp_path_factory.mktemp("reported")
    spot = "holdem(board='2s3h4d6c7c', oop='AA,QQ', ip='KK', pot=20, stack=10, bets='a')"
    eq.poker.board_report(spot, "2s3h4d6c7c:1, Qs3h4d6c7c:2", iterations=5, save=folder / "rivers")
    eq.batch(
        {"game": "kuhn", "iterations": 10, "vary": {"ante": [1, 2]}}, save=folder / "more" / "antes"
    )
    return folder


def test_reports_and_studies_are_listed_shown_and_exported(client, folder, reported):
    assert client.get("/api/reports").json() == {"reports": []}
    shutil.copytree(reported, folder, dirs_exist_ok=True)
    (folder / "lone").mkdir()
    (folder / "lone" / "report.html").write_text("<title>no report of ours</title>")
    found = {row["id"]: row for row in client.get("/api/reports").json()["reports"]}
    assert {name: (row["kind"], row["files"]) for name, row in found.items()} == {
        "rivers": ("boards", ["boards.csv", "boards.parquet", "classes.parquet"]),
        "more~1antes": ("study", ["results.parquet"]),
    }
    assert found["rivers"]["title"].startswith("2 boards: holdem(board='2s3h4d6c7c'")
    page = client.get("/api/reports/rivers")
    assert page.headers["content-security-policy"].startswith("sandbox allow-scripts")
    assert "QQ" in page.text
    table = client.get("/api/reports/rivers/file", params={"name": "boards.csv"})
    assert table.content == (folder / "rivers" / "boards.csv").read_bytes()
    assert (
        client.get("/api/reports/more~1antes/file", params={"name": "boards.csv"}).json()["error"][
            "field"
        ]
        == "name"
    )
    assert (
        client.get(
            "/api/reports/rivers/file", params={"name": "../../kuhn/checkpoint.npz"}
        ).status_code
        == 400
    )
    assert client.get("/api/reports/kuhn").status_code == 404
    assert client.get("/api/reports/..~1rivers").status_code == 404


def test_a_report_with_links_in_its_folder_is_not_shown(client, folder, reported):
    shutil.copytree(reported / "rivers", folder / "linked")
    (folder / "linked" / "boards.csv").unlink()
    (folder / "linked" / "boards.csv").symlink_to("/etc/hosts")
    assert client.get("/api/reports").json() == {"reports": []}
    assert client.get("/api/reports/linked").status_code == 404
