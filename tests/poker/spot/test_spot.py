"""Spot files: reading, writing, the spots that come with the package, and what is refused."""

import tomllib
from pathlib import Path

import pytest

import equilibrist as eq
from equilibrist.poker.spot.game import Holdem
from equilibrist.poker.spot.spot import read_spot, spot_text, write_spot

SPOTS = Path(__file__).parents[3] / "examples" / "spots"

TEXT = """\
board = "Td9d6h Qc"
pot = 200
stack = 900
bets = "60%, e, a; 2.5x"
add_all_in = 1.5
ip = "QQ-22,AQs-A2s"

[oop]
range = "66+,A8s+"
turn = "33%"

[oop.river]
donk = "50%"
"""


def write(folder, text, name="spot.toml"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "hands", "counts"),
    [
        ("river", (167, 246), (10, 17, 0)),
        ("m-river", (167, 246), (16, 29, 0)),
        ("narrow-river", (27, 45), (8, 13, 0)),
        ("full-river", (1081, 1081), (16, 29, 0)),
        ("turn", (167, 250), (75, 111, 9)),
        ("m-turn", (167, 250), (80, 129, 7)),
        ("flop", (180, 265), (173, 239, 26)),
        ("m-flop", (179, 264), (104, 157, 12)),
        ("qsjh2h", (225, 310), (231, 331, 32)),
        ("clairvoyance", (2, 1), (4, 5, 0)),
    ],
)
def test_the_spots_that_come_with_the_package(name, hands, counts):
    game = eq.load(SPOTS / f"{name}.toml")
    assert isinstance(game, Holdem)
    assert tuple(map(len, game.hands)) == hands
    own = game.tree.counts().values()
    assert (
        tuple(sum(street[kind] for street in own) for kind in ("decision", "terminal", "chance"))
        == counts
    )


def test_no_spot_is_left_out_above():
    names = test_the_spots_that_come_with_the_package.pytestmark[0].args[1]
    assert sorted(name for name, *_ in names) == sorted(path.stem for path in SPOTS.glob("*.toml"))


def test_a_file_is_what_holdem_takes(tmp_path):
    game = read_spot(write(tmp_path, TEXT))
    oop = {"range": "66+,A8s+", "turn": "33%", "river": {"donk": "50%"}}
    same = Holdem(
        "Td9d6hQc", oop, "QQ-22,AQs-A2s", pot=200, stack=900, bets="60%, e, a; 2.5x", add_all_in=1.5
    )
    assert str(game) == str(same)
    assert str(eq.load(str(tmp_path / "spot.toml"))) == str(same)


@pytest.mark.parametrize("path", sorted(SPOTS.glob("*.toml")), ids=lambda path: path.stem)
def test_what_is_written_is_read_back(path, tmp_path):
    game = read_spot(path)
    write_spot(game, tmp_path / "copy.toml")
    assert str(read_spot(tmp_path / "copy.toml")) == str(game)


def test_only_what_is_no_default_is_written():
    game = eq.load(
        "holdem(board='2s3h4d', oop='AA', ip={'range': 'KK', 'river': {'bet': 'a'}}, pot=5, stack=7.5)"
    )
    written = tomllib.loads(spot_text(game))
    assert written == {
        "board": "2s3h4d",
        "oop": "AA",
        "ip": {"range": "KK", "river": {"bet": "a"}},
        "pot": 5,
        "stack": 7.5,
    }


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("pot = 200", "pots = 200", r"spot.toml': a spot has no 'pots'. Did you mean 'pot'"),
        ("pot = 200", "", "spot.toml' lacks pot: write pot = 50, the chips in the middle"),
        (
            "pot = 200",
            'pot = "200"',
            "spot.toml': pot must be a number of chips, above 0; got '200'",
        ),
        ("pot = 200", "pot = ", r"spot.toml' is no TOML: Invalid value \(at line 2"),
        ("66+,A8s+", "66+,A8x", "spot.toml': oop: 'A8x' at character 5 cannot be read"),
        (
            'turn = "33%"',
            "pot = 4",
            r"spot.toml': oop has no 'pot' of its own: in a file, write pot above \[oop\]",
        ),
        (
            'donk = "50%"',
            'donc = "50%"',
            "spot.toml': oop.river: there is no 'donc'. Did you mean 'donk'",
        ),
        (
            'donk = "50%"',
            'donk = "50"',
            "oop.river, donk: cannot read '50' in '50': .*; write 50% for a share of the pot",
        ),
        ("Td9d6h Qc", "Td9d6h Td", "board: Td is there twice"),
    ],
)
def test_files_that_are_refused(tmp_path, old, new, message):
    path = write(tmp_path, TEXT.replace(old, new))
    with pytest.raises(eq.GameError, match=message) as refused:
        eq.load(path)
    assert refused.value.wrong_use
    assert "\n" not in str(refused.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(eq.GameError, match=r"turn\.toml cannot be read: No such file") as refused:
        eq.load(tmp_path / "turn.toml")
    assert refused.value.wrong_use
