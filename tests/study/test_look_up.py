"""The route that programs ask: probabilities are those of the strategy, and no field makes the server fail."""

import random

import pytest

import equilibrist as eq
from support.workspaces import OpenWorkspace

TURN = "holdem(board='AsKs7s2s', oop='QQ,KJo:0.5,98s', ip='JJ,AQo:0.75,T9s', pot=100, stack=150, bets='50%; a')"


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    runs = {
        "turn": eq.solve(TURN, iterations=5, save=folder / "turn"),
        "leduc": eq.solve("leduc", iterations=5, save=folder / "leduc"),
        "cards": eq.solve("leduc", iterations=5, form="cards", save=folder / "cards"),
        "sampled": eq.solve(
            "kuhn",
            "cfr",
            sampling="external(tree=False)",
            iterations=1,
            seed=1,
            save=folder / "sampled",
        ),
        "goofspiel": eq.solve("goofspiel(cards=3)", iterations=5, save=folder / "goofspiel"),
    }
    eq.solve(TURN, iterations=2, save=eq.Save(folder / "first-street", streets=1))
    return folder, runs


@pytest.fixture(scope="module")
def workspace(solved):
    """Give the workspace that ``client`` serves: of all tests, each run is loaded once."""
    return OpenWorkspace(solved[0])


@pytest.mark.parametrize(
    ("line", "board", "hand"),
    [
        ("", "", "QhQc"),
        ("x-b50", "", "KdJh"),
        ("X-X", "3c", "jckd"),
        ("X-X | X", "AsKs7s2s3c", "JdJh"),
    ],
)
def test_my_hand_the_line_the_board(get, solved, line, board, hand):
    told = get("turn/strategy", line=line, board=board, hand=hand)
    node = eq.poker.SolvedSpot(solved[1]["turn"]).node(told["line"], told["board"])
    assert told["player"] == node.player
    assert told["actions"] == list(node.actions)
    assert told["probabilities"] == pytest.approx(
        node.strategy[:, node.number(hand)].tolist(), abs=1e-6
    )
    assert sum(told["probabilities"]) == pytest.approx(1)


@pytest.mark.thinned(3)
@pytest.mark.parametrize("run", ["leduc", "cards", "sampled"])
def test_infosets(get, solved, run):
    strategy = solved[1][run].strategy
    for player, name in list(strategy)[:: max(1, len(strategy) // 10)]:
        told = get(f"{run}/strategy", infoset=name)
        assert (told["player"], told["infoset"]) == (player, name)
        assert (
            dict(zip(told["actions"], told["probabilities"], strict=True)) == strategy[player, name]
        )
        assert get(f"{run}/strategy", infoset=name, player=player) == told


@pytest.mark.parametrize(
    ("path", "fields", "status", "sentence"),
    [
        ("turn", {}, 400, "hand is missing."),
        ("turn", {"hand": "AhKd", "infoset": "J"}, 400, "There is no field 'infoset'."),
        (
            "turn",
            {"hand": "AsKd"},
            400,
            "hand: AsKd has a card of the board AsKs7s2s; give another hand.",
        ),
        (
            "turn",
            {"hand": "3c3d"},
            400,
            "hand: 3d3c is not in the range of player 0; give another hand.",
        ),
        ("turn", {"hand": "Qh"}, 400, "hand"),
        ("turn", {"hand": "QhQc", "line": "X-X"}, 400, "line: nobody decides after"),
        (
            "first-street",
            {"hand": "QhQc", "line": "X-X", "board": "3c"},
            400,
            "line: the strategy has the first 1 of 2 streets",
        ),
        ("leduc", {"infoset": "nothing"}, 404, "infoset: the run has no infoset 'nothing'."),
        ("leduc", {"infoset": "K", "player": 5}, 400, "player must be a whole number from 0 to 1"),
        ("leduc", {"infoset": "K", "player": 1}, 404, "infoset: the run has no infoset 'K'."),
        ("leduc", {"hand": "K"}, 400, "There is no field 'hand'."),
        ("nowhere", {"infoset": "K"}, 404, ""),
    ],
)
def test_refused(get, path, fields, status, sentence):
    assert get(f"{path}/strategy", status, **fields)["error"]["message"].startswith(sentence)


def test_an_infoset_of_several_players(get, solved):
    strategy = solved[1]["goofspiel"].strategy
    names = [name for _, name in strategy]
    shared = next(name for name in names if names.count(name) > 1)
    assert get("goofspiel/strategy", 400, infoset=shared)["error"]["field"] == "player"
    assert get("goofspiel/strategy", infoset=shared, player=1)["player"] == 1


def test_whatever_is_asked_is_answered_in_a_sentence(client):
    """Fields drawn from pieces of good ones and of nonsense: an answer, or an error of one sentence."""
    dice = random.Random(5)
    pieces = [
        "QhQc",
        "AhAh",
        "X-X",
        "x-b50",
        "|",
        "3c",
        "AsKs7s2s",
        "\x00",
        "é",
        "-",
        "1e9",
        " ",
        "K",
        "%",
        "9" * 50,
        "None",
    ]
    for _ in range(300):
        names = dice.sample(
            ["hand", "line", "board", "infoset", "player", "other"], dice.randint(0, 3)
        )
        fields = {name: "".join(dice.choices(pieces, k=dice.randint(0, 3))) for name in names}
        response = client.get(
            f"/api/runs/{dice.choice(['turn', 'leduc', 'first-street'])}/strategy", params=fields
        )
        assert response.status_code in (200, 400, 404), (fields, response.text)
        if response.status_code != 200:
            assert response.json()["error"]["message"].endswith((".", "?")), fields
