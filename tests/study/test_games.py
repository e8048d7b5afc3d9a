"""Games and their forms, uploads, estimates; ranges and spots."""

import json
import re
from pathlib import Path

import pytest

import equilibrist as eq
from equilibrist import page
from equilibrist._util.command_line import quote_word
from equilibrist.games.describe import describe_game, describe_games
from equilibrist.games.registry import GAMES
from equilibrist.solving.estimate import estimate_run
from equilibrist.solving.keywords import solve_keywords
from equilibrist.solving.plan import fill_defaults, new_config
from equilibrist.web.workspace import Workspace

RIVER = {
    "board": "Kh9s4d 7c 2h",
    "oop": "AA,99,AKs,KQs,QJs,JTs,A5s:0.5",
    "ip": "QQ-TT,77,AKo,KJs,QJs,T8s,86s",
    "pot": 100,
    "stack": 300,
    "bets": "50%, a; a",
}
EFG = 'EFG 2 R "Tiny" { "one" "two" }\np "" 1 1 "a" { "l" "r" } 0\nt "" 1 "" { 1, -1 }\nt "" 2 "" { 0, 0 }\n'


# --- Descriptions ---


def test_every_parameter_is_described():
    for game in describe_games(GAMES):
        assert game["about"]
        for parameter in game["parameters"]:
            assert parameter["help"], (game["name"], parameter["name"])


def test_limits_are_what_the_game_refuses():
    (players,) = (
        one
        for one in describe_game("kuhn", GAMES["kuhn"])["parameters"]
        if one["name"] == "players"
    )
    assert (players["kind"], players["default"], players["least"], players["most"]) == (
        "whole",
        2,
        2,
        3,
    )
    (prizes,) = (
        one
        for one in describe_game("goofspiel", GAMES["goofspiel"])["parameters"]
        if one["name"] == "prizes"
    )
    assert (prizes["kind"], prizes["choices"]) == ("choice", ["descending", "ascending", "random"])


def test_a_new_game_is_described_by_itself():
    class Dice:
        """Dice: throw them.

        All at once.

        Parameters
        ----------
        sides : int, optional
            How many sides
            a die has.
        fair : bool
            Whether it is fair.

        Notes
        -----
        None.
        """

        def __init__(self, *, sides: "int | None" = None, fair: "bool" = True): ...

    told = describe_game("dice", Dice)
    assert (told["about"], told["text"]) == ("Dice: throw them.", "All at once.")
    assert [
        (one["name"], one["kind"], one["optional"], one["help"]) for one in told["parameters"]
    ] == [
        ("sides", "whole", True, "How many sides a die has."),
        ("fair", "flag", False, "Whether it is fair."),
    ]


# --- Routes of games ---


def test_lists_games_and_algorithms(client):
    told = client.get("/api/games").json()
    assert {game["name"] for game in told["games"]} == set(GAMES)
    assert told["trust_files"] is False
    told = client.get("/api/algorithms").json()
    assert "dcfr+" in [row["name"] for row in told["algorithms"]]
    assert told["auto"]["cards"] == "dcfr+"


def test_the_page_names_the_papers_of_all_algorithms():
    from equilibrist.cfr.algorithms import ALGORITHMS

    words = (
        Path(page.__file__).parent.joinpath("js", "base", "words.js").read_text(encoding="utf-8")
    )
    for algorithm in ALGORITHMS.values():
        assert re.search(
            rf'  "?{re.escape(algorithm.name)}"?: \["[^"]+", "{re.escape(algorithm.source)}"\],',
            words,
        )


def test_samplings_are_listed_with_the_options_that_fit(client):
    options = {
        one["name"]: one["options"] for one in client.get("/api/algorithms").json()["samplings"]
    }
    assert options["full"] == {"pruning": ["zero-reach", "regret"]}
    assert options["chance"]["baseline"] == ["history"]
    assert "epsilon" in options["outcome"]
    assert "epsilon" not in options["external"]
    assert "tree" not in options["public-chance"]


def test_a_large_game_is_sized_up_without_a_tree(client):
    fields = {
        "game": "goofspiel(cards=13)",
        "sampling": "outcome(tree=False, batch=64)",
        "record": "all",
    }
    told = client.post("/api/games/estimate", json=fields).json()
    assert told["form"] == "none"
    assert told["command"] == (
        f"equilibrist solve {quote_word('goofspiel(cards=13)')} --threads auto "
        f"--sampling {quote_word('outcome(tree=False, batch=64)')} --record all"
    )


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"record": []}, "record"),
        ({"record": [1]}, "record"),
        ({"record_every": 5}, "record_every"),
    ],
)
def test_what_is_recorded_is_checked(client, fields, field):
    response = client.post("/api/settings", json=fields)
    assert (response.status_code, response.json()["error"]["field"]) == (400, field)


@pytest.mark.slow
def test_sizes_a_game_up(client):
    told = client.post(
        "/api/games/estimate", json={"game": {"name": "kuhn", "parameters": {"cards": 4}}}
    ).json()
    assert (told["game"], told["infosets"], told["form"]) == ("kuhn(cards=4)", 16, "sequence")
    assert told["gigabytes"] > 0
    assert told["command"] == f"equilibrist solve {quote_word('kuhn(cards=4)')} --threads auto"
    assert client.post("/api/settings", json={"threads": 0}).json()["error"]["field"] == "threads"
    assert client.post("/api/settings", json={"threads": 2}).json() == {"keywords": {"threads": 2}}


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings", [{}, {"threads": "auto"}, {"precision": "float32"}, {"sampling": "external"}]
)
def test_sizes_a_run_up_by_its_settings(client, settings):
    """As :func:`equilibrist.solve` understands them."""
    told = client.post(
        "/api/games/estimate", json={"game": "liars_dice(dice=(1, 1))", **settings}
    ).json()
    rules = eq.load("liars_dice(dice=(1, 1))")
    form = eq.compile_game(rules, keep_tree=settings.get("sampling") is not None)
    config = fill_defaults(new_config(**solve_keywords(settings)), form)
    assert told["gigabytes"] == pytest.approx(estimate_run(form, config).gigabytes)
    goal = client.post("/api/forecast", json={"game": "kuhn", "until": "0.001", **settings}).json()[
        "goal"
    ]
    assert (goal is None) == ("sampling" in settings)


def test_a_gambit_file_is_kept_and_solved(client):
    assert client.post("/api/uploads?name=tiny.efg", content=EFG.encode()).status_code == 201
    assert [one["name"] for one in client.get("/api/games").json()["uploads"]] == ["tiny.efg"]
    told = client.post("/api/games/estimate", json={"upload": "tiny.efg"}).json()
    assert (told["infosets"], told["players"]) == (1, 2)
    assert client.delete("/api/uploads/tiny.efg").status_code == 200
    assert client.post("/api/games/estimate", json={"upload": "tiny.efg"}).status_code == 400


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("evil.py", b"x", "--trust-files"),
        ("archive.zip", b"PK", "is not read"),
        ("../up.efg", b"x", "no plain name"),
        (".hidden.efg", b"x", "no plain name"),
        ("empty.efg", b"", "is empty"),
        ("binary.efg", b"\xff\xfe", "not a text file"),
        ("large.efg", b" " * (9 << 20), "at most 8 MB"),
    ],
)
def test_uploads_are_refused(client, name, content, sentence):
    response = client.post("/api/uploads", params={"name": name}, content=content)
    assert response.status_code == (413 if len(content) > 1000 else 400)
    assert sentence in response.json()["error"]["message"]
    assert client.get("/api/games").json()["uploads"] == []


def test_files_of_python_are_loaded_where_they_are_trusted(make_client, folder):
    client = make_client(Workspace(folder), trust_files=True)
    rules = "class Flip:\n    raise SystemExit\n"
    told = client.post(
        "/api/uploads?name=flip.py", content=rules.encode()
    ).json()  # which does not run it
    assert (told["kind"], told["classes"]) == ("python", ["Flip"])
    response = client.post("/api/games/estimate", json={"upload": "flip.py", "class": "Flip"})
    assert "importing it failed" in response.json()["error"]["message"]
    assert (
        client.post("/api/games/estimate", json={"game": "/elsewhere/flip.py:Flip"}).status_code
        == 400
    )


def test_a_run_of_a_file_is_called_by_its_game(make_client, folder):
    workspace = Workspace(folder)
    (workspace.private / "uploads").mkdir()
    (workspace.private / "uploads" / "tiny.efg").write_text(EFG)
    eq.solve(f"{workspace.private / 'uploads' / 'tiny.efg'}", iterations=5, save=folder / "tiny")
    client = make_client(workspace)
    titles = {row["id"]: row["title"] for row in client.get("/api/runs").json()["runs"]}
    assert titles == {"kuhn": "kuhn", "kuhn-cfr": "kuhn", "tiny": "Tiny"}
    told = client.get("/api/runs/tiny/overview").json()
    assert (told["title"], told["names"]) == ("Tiny", ["one", "two"])
    assert client.get("/api/runs/kuhn/overview").json()["names"] == []


def test_the_program_that_a_run_names_is_asked_for(make_client, folder, tmp_path):
    canary, rules = tmp_path / "canary", tmp_path / "rules.py"
    rules.write_text("from equilibrist.games import Kuhn as Flip\n")
    eq.solve(f"{rules}:Flip", iterations=5, save=folder / "flip")
    rules.write_text(f"open({str(canary)!r}, 'w')\n{rules.read_text()}")
    for trust_files, untrusted in ((False, None), (True, str(rules))):
        client = make_client(Workspace(folder), trust_files=trust_files)
        told = client.get("/api/runs/flip/infosets").json()
        assert (told["untrusted"], "--trust-files" in told["lacking"]) == (untrusted, True)
        for response in (
            client.get("/api/runs/flip/tree"),
            client.post("/api/jobs", json={"resume": "flip", "iterations": 9}),
            client.post("/api/tables", json={"run": "flip"}),
        ):
            assert (response.status_code, response.json()["error"]["untrusted"]) == (422, untrusted)
        assert not canary.exists()
        consent = client.post("/api/trust", json={"file": str(rules)})
        assert (consent.status_code == 200) is trust_files
    assert client.get("/api/runs/flip/infosets").json()["lacking"] is None
    assert canary.exists()


def test_the_file_of_a_job_is_no_consent(make_client, folder):
    client = make_client(Workspace(folder), trust_files=True)
    client.post("/api/uploads?name=flip.py", content=b"from equilibrist.games import Kuhn as Flip")
    game = f"{folder / '.equilibrist' / 'uploads' / 'flip.py'}:Flip"
    (folder / "flip").mkdir()
    kept = {
        "request": {"game": game, "title": "flip", "keywords": {}},
        "created": "",
        "state": "queued",
        "message": "",
    }
    (folder / "flip" / "job.json").write_text(json.dumps(kept))
    client = make_client(Workspace(folder), trust_files=True)
    assert client.post("/api/jobs/flip/resume").json()["state"] == "failed"


# --- Ranges ---


def test_ranges_both_ways(client):
    told = client.post("/api/spots/range", json={"text": "T9s+, AA, AKs:0.5", "board": "As"}).json()
    assert told["weights"]["AhKh"] == 0.5
    assert (told["combos"], told["hands"]) == (4 * 4 + 3 + 3 * 0.5, 22)
    assert "AKs-T9s" in told["warnings"][0]
    back = client.post("/api/spots/range", json={"weights": told["weights"]}).json()
    assert back["weights"] == told["weights"]
    assert eq.poker.Range(back["text"]) == eq.poker.Range("KQs-T9s, AA, AKs:0.5")
    assert client.post("/api/spots/range", json={"text": " "}).json()["hands"] == 0


@pytest.mark.parametrize(
    ("text", "span"), [("AA, KYs:0.5", [4, 7]), ("AA,  KK:2", [5, 4]), ("AsAs", [0, 4])]
)
def test_errors_of_ranges_point_at_the_token(client, text, span):
    response = client.post("/api/spots/range", json={"text": text})
    assert response.status_code == 400
    assert response.json()["error"]["span"] == span


def test_weights_are_checked(client):
    for weights in ({"AsAs": 1}, {"AsKs": 2}, {"AsKs": "x"}, {"As": 1}):
        assert client.post("/api/spots/range", json={"weights": weights}).status_code == 400


def test_equity_of_two_ranges(client):
    told = client.post(
        "/api/spots/equity", json={"board": "QsJh2h", "oop": "AhKh,QdQc", "ip": "TT"}
    ).json()
    result = eq.poker.equity("QsJh2h", "AhKh,QdQc", "TT")
    assert told["equity"] == list(result.equities)
    assert told["hands"][0]["made"] == ["set", "ace high"]
    assert sum(told["distribution"][1]) == pytest.approx(1)


def test_equity_says_what_cards_take_from_calls_and_writes_all_hands(client):
    asked = {"board": "QsJh2h", "oop": "7c7d", "ip": "33,AA:0.5", "calls": 0.4}
    removal = client.post("/api/spots/equity", json=asked).json()["removal"][1]
    assert removal["range"]["As"] == pytest.approx(
        1.5 / 9
    )  # three of six aces at half of the weight
    assert removal["calls"] == {card: pytest.approx(0.5) for card in ("Ac", "Ad", "Ah", "As")}
    assert (
        client.post("/api/spots/equity", json=asked | {"calls": 1}).json()["removal"][1]["calls"]
        == {}
    )
    response = client.post("/api/spots/equity", json=asked | {"format": "csv"})
    assert response.headers["content-disposition"] == 'attachment; filename="equity-QsJh2h.csv"'
    assert response.text.splitlines()[0] == "player,hand,class,made,draws,range,probability,equity"
    assert len(response.text.splitlines()) == 1 + 1 + 6 + 6


@pytest.mark.parametrize(
    "wrong",
    [
        {"board": "QsJh"},
        {"oop": "AY"},
        {"ip": 5},
        {"oop": ""},
        {"board": "AsAhAd", "ip": "AsAh"},
        {"calls": 2},
        {"format": "xml"},
    ],
)
def test_equity_refuses_what_it_cannot_read(client, wrong):
    response = client.post(
        "/api/spots/equity", json={"board": "QsJh2h", "oop": "AA", "ip": "TT"} | wrong
    )
    assert response.status_code == 400
    assert "field" in response.json()["error"]


# --- Spots ---


@pytest.mark.slow
def test_estimates_a_spot(client):
    told = client.post("/api/spots/estimate", json={"spot": RIVER, "until": "0.5%"}).json()
    game = eq.poker.Holdem(**RIVER)
    assert told["game"] == str(game)
    assert told["counts"] == game.tree.counts()
    assert told["hands"] == [len(own) for own in game.hands]
    assert told["title"] == "Hold'em Kh9s4d 7c 2h, pot 100, stacks 300"
    assert told["algorithm"] == "dcfr+"
    assert told["seconds"] > 0
    assert [row["line"] for row in told["rows"]] == [
        node.line for node in game.tree.nodes if node.line or not node.paid[0]
    ]


def test_rows_of_later_streets_are_asked_for_by_their_line(client):
    spot = RIVER | {"board": "Kh9s4d 7c"}
    rows = client.post("/api/spots/estimate", json={"spot": spot, "sizes": False}).json()["rows"]
    deeper = next(row for row in rows if row["more"])
    told = client.post(
        "/api/spots/estimate", json={"spot": spot, "sizes": False, "line": deeper["line"]}
    ).json()
    assert told["rows"][0]["street"] == "river"
    assert "gigabytes" not in told


@pytest.mark.thinned(4)
@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"board": "Kh9s"}, "board"),
        ({"oop": "AA,K1s"}, "oop"),
        ({"pot": 0}, "pot"),
        ({"stack": None}, "stack"),
        ({"river": "50"}, "river"),
        ({"ip": {"range": "AA", "river": "5x"}}, "ip.river"),
        ({"rake": 2}, "rake"),
        ({"colour": 1}, "colour"),
    ],
)
def test_mistakes_in_a_spot_are_told_at_their_field(client, changes, field):
    response = client.post("/api/spots/estimate", json={"spot": RIVER | changes})
    assert response.status_code == 400
    assert response.json()["error"]["field"] == field


def test_spot_files_both_ways(client):
    response = client.post("/api/spots/file", json={"spot": RIVER})
    assert response.headers["content-disposition"] == 'attachment; filename="Kh9s4d7c2h.toml"'
    told = client.post("/api/spots/read", json={"text": response.text, "name": "mine.toml"}).json()
    assert str(eq.poker.Holdem(**told["settings"])) == str(eq.poker.Holdem(**RIVER))


@pytest.mark.slow
def test_short_deck(client):
    """Ranges without low cards, and a spot file with its deck both ways."""
    told = client.post(
        "/api/spots/range", json={"text": "22+,AKs", "board": "As", "deck": "short"}
    ).json()
    assert (told["text"], told["combos"]) == ("66+,AKs", 8 * 6 + 3 + 3)
    assert told["share"] == pytest.approx(told["combos"] / (35 * 34 / 2))
    refused = client.post("/api/spots/range", json={"text": "AA, 55", "deck": "short"})
    assert refused.json()["error"]["span"] == [4, 2]
    spot = {"board": "Kh9s7d", "oop": "AA", "ip": "QQ", "pot": 20, "stack": 30, "deck": "short"}
    text = client.post("/api/spots/file", json={"spot": spot}).text
    told = client.post("/api/spots/read", json={"text": text, "name": "short.toml"}).json()
    assert told["settings"]["deck"] == "short"
    assert (
        client.post("/api/spots/estimate", json={"spot": spot}).json()["title"]
        == "Short deck Kh9s7d, pot 20, stacks 30"
    )


def test_reads_settings_of_other_solvers(client):
    lines = (
        "pot 50",
        "effective_stack 200",
        "board Qs,Jh,2h",
        "range_oop AA,KK",
        "range_ip QQ,JJ",
        "thread_num 8",
    )
    script = "".join(f"set_{line}\n" for line in lines)
    told = client.post("/api/spots/read", json={"text": script, "name": "tree.txt"}).json()
    assert told["settings"]["pot"] == 50
    assert any("set_thread_num" in sentence for sentence in told["warnings"])
    refused = client.post("/api/spots/read", json={"text": "set_pto 50", "name": "tree.txt"})
    assert refused.status_code == 400
    assert "'tree.txt', line 1" in refused.json()["error"]["message"]
    assert client.post("/api/spots/read", json={"text": "", "name": "tree.exe"}).status_code == 400


@pytest.mark.slow
def test_the_time_to_a_goal_is_told_before_a_run_starts(client):
    def told(**fields):
        response = client.post("/api/forecast", json=fields)
        assert response.status_code == 200, response.text
        return response.json()["goal"]

    goal = told(game="kuhn", until=1e-3)
    assert goal["measured"]
    assert goal["iterations"] == [22, 22]
    spot = {"board": "2s3h4d6c7c", "oop": "AA,QQ", "ip": "KK", "pot": 20, "stack": 10, "bets": "a"}
    assert told(spot=spot, until="1%")["seconds"][0] > 0
    assert told(game="kuhn", iterations=10) is None
    assert told(game="kuhn", sampling="external", until=1e-3) is None
    assert client.post("/api/forecast", json={"game": "nothing", "until": 1e-3}).json()["error"][
        "message"
    ]
    assert (
        client.post("/api/forecast", json={"game": "kuhn", "until": -1}).json()["error"]["field"]
        == "until"
    )
