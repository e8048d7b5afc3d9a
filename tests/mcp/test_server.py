"""The server of tools, by the SDK's client in memory and over standard input and output."""

import json
import sys
import threading

import pytest

import equilibrist as eq
from equilibrist.mcp.call import MOST_ANSWERED, Limits, call_tool
from equilibrist.mcp.files import Folders
from equilibrist.mcp.tools import TOOLS
from support.sources import ROOT

pytest.importorskip("mcp.server", reason="needs the SDK of MCP, of the extra 'mcp'")
sdk = pytest.importorskip("mcp")

LIMITS = Limits(seconds=10, grace=300, memory_gb=4)


@pytest.fixture
def folders(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT.parent))
    (tmp_path / "read").mkdir()
    (tmp_path / "write").mkdir()
    return Folders(tmp_path / "read", tmp_path / "write", False)


def talk(folders, *calls, limits=LIMITS):
    """Return the tools, and the result of each call, as a client in this process gets them."""
    import anyio

    from equilibrist.mcp.server import make_server

    async def work():
        async with sdk.Client(make_server(folders, limits)) as client:
            tools = (await client.list_tools()).tools
            return tools, [await client.call_tool(name, values) for name, values in calls]

    return anyio.run(work)


def answers(folders, *calls, **more):
    results = talk(folders, *calls, **more)[1]
    for result in results:
        assert json.loads(result.content[0].text) == result.structured_content
        assert len(json.dumps(result.structured_content)) <= MOST_ANSWERED + 1_000
    return [result.structured_content for result in results]


def test_every_tool_has_a_schema_of_its_command(folders):
    tools, _ = talk(folders)
    assert {tool.name for tool in tools} == set(TOOLS)
    for tool in tools:
        schema = tool.input_schema
        assert schema["additionalProperties"] is False
        assert set(schema["required"]) <= set(schema["properties"])
        assert all(part["description"] for part in schema["properties"].values()), tool.name
        saves = "save" in schema["properties"]
        assert saves == TOOLS[tool.name].saves == (not tool.annotations.read_only_hint)
    reading, _ = talk(folders._replace(write=None))
    assert all("save" not in tool.input_schema["properties"] for tool in reading)
    assert all(tool.annotations.read_only_hint for tool in reading)


def test_a_game_is_solved_saved_looked_up_and_exploited(folders):
    listed, described, solved, node, answered, of_run, certified, no_run = answers(
        folders,
        ("list_games", {}),
        ("describe_game", {"game": "kuhn"}),
        ("solve", {"game": "kuhn", "iterations": 100, "save": "run"}),
        ("look_up", {"run": "run", "infoset": "Kb"}),
        ("exploit", {"game": "kuhn", "locks": {"Jb": {"call": 1}}, "trust": 0.9}),
        ("exploit", {"game": "run", "against": "uniform", "trust": 0.9}),
        ("certify_strategy", {"game": "kuhn", "strategy": "run"}),
        ("certify_strategy", {"game": "kuhn", "strategy": "."}),
    )
    assert "kuhn" in {row["name"] for row in listed["games"]}
    assert (described["histories"], described["infosets"]) == (58, 12)
    assert solved["exploitability"] == eq.solve("kuhn", iterations=100).exploitability
    saved = eq.load_solution(folders.write / "run")
    assert node["strategy"] == dict(saved.strategy["Kb"])
    assert answered["gain"] > 0
    assert of_run["value"][0] == pytest.approx(solved["value"][0], abs=1e-3)
    assert certified["exploitability"] == pytest.approx(solved["exploitability"])
    assert "Give the folder of a saved run" in no_run["error"]


def test_a_run_that_has_the_name_of_a_game_is_not_in_its_way(folders):
    assert folders.write is not None
    saved = folders.write / "kuhn"
    saved.mkdir()
    assert folders.check_text("kuhn", is_game=True) == "kuhn"
    assert folders.check_text("kuhn") == str(saved)


def test_a_strategy_is_certified_that_the_client_writes(folders):
    """It bets and calls with a king alone: docs/judge.md says how exploitable that is."""
    player = {
        0: {"J": "pass", "Q": "pass", "K": "bet", "Jpb": "fold", "Qpb": "fold", "Kpb": "call"},
        1: {"Jp": "pass", "Qp": "pass", "Kp": "bet", "Jb": "fold", "Qb": "fold", "Kb": "call"},
    }
    strategy = {
        str(number): {infoset: {action: 1} for infoset, action in rows.items()}
        for number, rows in player.items()
    }
    (result,) = answers(folders, ("certify_strategy", {"game": "kuhn", "strategy": strategy}))
    assert result["exploitability"] == pytest.approx(0.25)
    assert result["losses"][0]["infoset"] == "Jp"


def test_an_infoset_is_explained_and_equity_computed(folders):
    explained, unknown, shares, before = answers(
        folders,
        ("explain_infoset", {"game": "kuhn", "infoset": "Kb", "iteration": 2}),
        ("explain_infoset", {"game": "kuhn", "infoset": "Kc"}),
        ("equity", {"board": "QsJh2h", "oop": "AA", "ip": "KK"}),
        ("equity", {"oop": "AA", "ip": "KK"}),
    )
    assert [row["infoset"] for row in explained["updates"]] == ["Kb"]
    assert explained["iteration"] == 2
    assert "There is no infoset 'Kc'" in unknown["error"]
    assert shares["equity"] == pytest.approx([0.891667, 0.108333], abs=1e-6)
    assert before["equity"] == pytest.approx([0.8195, 0.1805], abs=1e-4)


def test_long_answers_are_cut(folders):
    values = {
        "game": "leduc(ranks=5)",
        "missing": "uniform",
        "strategy": {"0": {"T": {"check": 1}}},
    }
    (result,) = answers(folders, ("certify_strategy", values))
    assert len(result["losses"]) + result["left_out"]["losses"] > 500


SPOT = "holdem(board='QsJh2h7c3d', oop='AA,KK', ip='QQ,JJ', pot=10, stack=20, bets='50%')"


def test_hands_are_graded(folders):
    eq.solve(SPOT, until="1%", save=folders.read / "river")
    from equilibrist.poker.histories.deal import write_hands

    write_hands(folders.read / "river", folders.read / "hands.phhs", hands=5, seed=1)
    text = (folders.read / "hands.phhs").read_text()
    by_file, by_text, twice, node = answers(
        folders,
        ("grade_hands", {"hands": ["hands.phhs"], "run": ["river"]}),
        ("grade_hands", {"hands": text, "run": "river"}),
        ("grade_hands", {"hands": [text, "hands.phhs"], "run": "river"}),
        ("look_up", {"run": "river", "hand": "AsAh"}),
    )
    assert by_file["decisions"] == by_text["decisions"]
    assert twice["decisions"] == 2 * by_file["decisions"]
    assert "error" not in node


def refused(folders, name, values, limits=LIMITS):
    answer = call_tool(name, values, folders=folders, limits=limits, ending=threading.Event())
    assert answer.is_error
    return answer.content["error"]


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"game": "kuhn", "seconds": "3"}, "seconds must be a number, without quotation marks"),
        ({"game": "kuhn", "max_memory_gb": "999"}, "max_memory_gb must be a number"),
        ({"game": "kuhn", "seconds": True}, "seconds must be a number"),
        ({"game": "kuhn" + "x" * 200_000}, "A text has 200,004 characters"),
        ({"game": "\ud800"}, "A text has half of a character"),
    ],
)
def test_values_that_no_command_would_bound_are_refused(folders, values, sentence):
    assert sentence in refused(folders, "solve", values)


def test_wrong_use_has_the_sentence_of_the_command(folders):
    with pytest.raises(eq.GameError) as caught:
        eq.load("khun")
    assert refused(folders, "solve", {"game": "khun"}) == str(caught.value)
    assert "There is no parameter 'gam'. Did you mean 'game'?" in refused(
        folders, "solve", {"gam": "kuhn"}
    )
    assert "The parameter 'game' is missing" in refused(folders, "solve", {})
    assert "'many' is no whole number" in refused(
        folders, "solve", {"game": "kuhn", "iterations": "many"}
    )
    unknown = refused(folders, "describe_game", {"game": "kuhn", "depth": 3})
    assert unknown == "There is no parameter 'depth'. Known: game, max_histories."
    for value in ([], 5, True):
        strategy = {"game": "kuhn", "strategy": value}
        assert "named by a text; got " in refused(folders, "certify_strategy", strategy)
    assert "named by a text; got " in refused(folders, "look_up", {"run": {"a": 1}})
    assert "{player: {infoset" in refused(
        folders, "certify_strategy", {"game": "kuhn", "strategy": {"0": 3}}
    )


def test_files_out_of_the_folder_are_not_read(folders, tmp_path):
    (tmp_path / "secret.efg").write_text("secret")
    (folders.read / "link.efg").symlink_to(tmp_path / "secret.efg")
    (folders.read / "rules.py").write_text("print('run')")
    for game in (
        str(tmp_path / "secret.efg"),
        "../secret.efg",
        "~/secret.efg",
        "link.efg",
        "openspiel:efg_game(filename=secret.efg)",
        "holdem(board='QsJh2h', oop='/etc/ranges.json:a', ip='AA', pot=1, stack=1)",
    ):
        assert "folder of this server" in refused(folders, "solve", {"game": game})
    assert "--trust-files" in refused(folders, "solve", {"game": "rules.py:Game"})
    assert "folder of this server" in refused(
        folders, "certify_strategy", {"game": "kuhn", "strategy": "../secret.csv"}
    )
    assert "folder of this server" in refused(folders, "look_up", {"run": "/", "infoset": "K"})


def test_files_are_written_in_one_folder_or_none(folders):
    for name in ("../out", "/tmp/out", ".hidden", "a/b", ""):
        assert "under a word" in refused(folders, "solve", {"game": "kuhn", "save": name})
    for name in ("CON", "nul.txt", "run."):  # devices of Windows, and what it cuts
        assert "on every system" in refused(folders, "solve", {"game": "kuhn", "save": name})
    reading = folders._replace(write=None)
    assert "--write FOLDER" in refused(reading, "solve", {"game": "kuhn", "save": "kuhn"})
    assert "this tool takes none" in refused(folders, "list_games", {"all": True})
    assert "character 0" in refused(folders, "solve", {"game": "kuhn\0"})
    assert "no game" in refused(folders, "solve", {"game": "k" * 5_000})
    assert not list(folders.write.iterdir())
    assert not list(folders.read.iterdir())


def test_a_saved_run_is_not_replaced(folders):
    """The tools tell their clients that they destroy nothing."""
    values = {"game": "kuhn", "iterations": 5, "save": "run"}
    (first,) = answers(folders, ("solve", values))
    again = refused(folders, "solve", {**values, "game": "rps"})
    assert "There is a run 'run' already" in again
    (node,) = answers(folders, ("look_up", {"run": "run", "infoset": "K"}))
    assert node["exploitability"] == first["exploitability"]
    assert "which --infoset names" in refused(folders, "look_up", {"run": "run"})


def test_options_of_the_command_are_not_reached_by_values(folders):
    assert "--csv=out.csv" in refused(
        folders, "equity", {"board": "--csv=out.csv", "oop": "AA", "ip": "KK"}
    )
    assert not list(folders.read.iterdir())


def test_a_call_that_takes_too_long_or_too_much_is_ended(folders):
    values = {"game": "leduc", "seconds": 1e9, "until": "1e-300", "iterations": 10**9}
    short = Limits(seconds=0.2, grace=0.2, memory_gb=4)
    assert "was ended after 0.4 seconds" in refused(folders, "solve", values, short)
    small = Limits(seconds=20, grace=20, memory_gb=0.01)
    assert "more than 0.01 GB of memory" in refused(folders, "solve", values, small)


def test_the_budget_ends_a_run_that_asks_for_more(folders):
    (solved,) = answers(
        folders,
        ("solve", {"game": "leduc", "seconds": 1e9, "iterations": 10**9, "algorithm": "cfr"}),
        limits=LIMITS._replace(seconds=0.5),
    )
    assert solved["stop_reason"] == "seconds"


def test_a_client_over_standard_input_and_output(folders):
    import anyio

    server = sdk.StdioServerParameters(
        command=sys.executable,
        args=["-m", "equilibrist", "mcp", str(folders.read)],
        env={"PYTHONPATH": str(ROOT.parent)},
    )

    async def work():
        async with sdk.Client(server) as client:
            assert len((await client.list_tools()).tools) == len(TOOLS)
            return await client.call_tool("describe_game", {"game": "rps"})

    assert anyio.run(work).structured_content["histories"] == 13
