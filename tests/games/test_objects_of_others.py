"""Games and profiles that are at hand as objects of other libraries, and files of Gambit's window."""

from importlib.util import find_spec
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.games.gambit_read import read_efg
from equilibrist.games.gambit_write import write_efg

with_gambit = pytest.mark.skipif(
    find_spec("pygambit") is None, reason="needs pygambit, of the extra 'gambit'"
)

CHOICE = 'EFG 2 R "choice" { "Ann" "Ben" } p "" 1 1 "" { "x" "y" } 0 '
GUESSES = (
    'p "" 2 1 "" { "x" "y" } 0 t "" 1 "" { 3 -3 } t "" 2 "" { -1 1 } '
    'p "" 2 1 "" { "x" "y" } 0 t "" 3 "" { -1 1 } t "" 4 "" { 1 -1 }'
)
"""Ben guesses what Ann has chosen without seeing it. By hand: Ann plays x with p where 3p − (1 − p) = −p + (1 − p), so
1/3, for (3 · 1 − 2 · 1) / 3 = 1/3."""
PENNIES = CHOICE + GUESSES
TABLE = 'NFG 1 R "table" { "Ann" "Ben" } { { "up" "down" } { "left" "right" } } 3 -3 -1 1 -1 1 1 -1'
"""The same game as a table."""


class Game:
    """What the package asks of a game of pygambit 16."""

    def __init__(self, efg="", nfg=""):
        self.is_tree = bool(efg)
        self.texts = {"efg": efg, "nfg": nfg}
        self.description = ""

    def to_efg(self):
        return self.texts["efg"]

    def to_nfg(self):
        return self.texts["nfg"]


class Tree17:
    """The same of version 17, where a tree is known by what it can make."""

    def to_efg(self):
        return PENNIES

    def mixed_behavior_profile(self):
        raise AssertionError("only that there is such a method tells a tree")


class Table17:
    def to_nfg(self):
        return TABLE


class EarlyGame:
    """The same of version 16.2, which has one method for both kinds."""

    is_tree = True

    def write(self, format):
        assert format == "native"
        return PENNIES


@pytest.fixture
def stand_in(monkeypatch):
    """A module that looks like pygambit to who asks whether something is a game of it."""
    module = ModuleType("pygambit")
    module.Game = (Game, EarlyGame, Tree17, Table17)
    monkeypatch.setitem(__import__("sys").modules, "pygambit", module)


@pytest.mark.parametrize(
    "game",
    [Game(efg=PENNIES), Game(nfg=TABLE), EarlyGame(), Tree17(), Table17()],
    ids=["tree", "table", "16.2", "tree of 17", "table of 17"],
)
def test_a_game_of_pygambit_is_a_game(stand_in, game):
    assert eq.exact(game).value == pytest.approx((1 / 3, -1 / 3), abs=1e-12)
    assert eq.load(game).players == 2


def test_what_pygambit_leaves_open_is_refused(stand_in):
    unfinished = Game(efg='EFG 2 R "" { "Ann" } p "" 1 1 "" { } 0')
    with pytest.raises(eq.GameError, match="a game of pygambit, line 1: expected at least one"):
        eq.load(unfinished)


def profile_16(game, shares):
    """Return what the package asks of a profile of behaviour of version 16: probabilities by the objects of actions."""
    probabilities = {}
    players = []
    for number, infosets in enumerate(shares):
        members = []
        for label, row in infosets:
            actions = [SimpleNamespace(label=name) for name, _ in row]
            probabilities |= dict(zip(map(id, actions), (share for _, share in row), strict=True))
            members.append(SimpleNamespace(label=label, actions=actions))
        players.append(SimpleNamespace(number=number, infosets=members))

    class Profile:
        def __getitem__(self, action):
            return probabilities[id(action)]

        def payoff(self, player):
            return 0.0

    profile = Profile()
    profile.game = SimpleNamespace(players=players, **game)
    return profile


def test_a_profile_of_behaviour_is_judged_by_the_names_of_the_file(stand_in):
    """Infosets without labels have numbers as names, in the game as in the profile."""
    shares = [[("", [("x", 1 / 3), ("y", 2 / 3)])], [("", [("x", 0.5), ("y", 0.5)])]]
    result = eq.evaluate(Game(efg=PENNIES), profile_16({"description": ""}, shares))
    assert result.value[0] == pytest.approx(1 / 3)
    # Against 1/2 Ann wins 1 by x, which is 2/3 beyond the value.
    assert result.nash_conv == pytest.approx(2 / 3)


class Profile17:
    """What the package asks of a profile of behaviour of version 17: places in the tree, and labels."""

    def __init__(self, game, shares):
        self.game = game
        self.shares = shares
        self.payoffs = {}
        game.players = list(shares)
        game.get_infosets = lambda player: [
            SimpleNamespace(actions=history) for history in shares[player]
        ]
        game.get_actions = lambda place: list(self[place])

    def set_mixed_action(self):
        raise AssertionError("only that there is such a method tells the version")

    def __getitem__(self, place):
        return next(rows[place] for rows in self.shares.values() if place in rows)


def test_a_profile_of_version_17(stand_in):
    import pygambit

    pygambit.H = SimpleNamespace(path=lambda *actions: actions)
    game = Tree17()
    shares = {"Ann": {(): {"x": 1 / 3, "y": 2 / 3}}, "Ben": {("x",): {"x": 0.5, "y": 0.5}}}
    result = eq.evaluate(game, Profile17(game, shares))
    assert result.value[0] == pytest.approx(1 / 3)
    assert result.nash_conv == pytest.approx(2 / 3)


class TableProfile:
    """What the package asks of a profile of strategies of version 16 where the game is a table."""

    def __init__(self, game, shares):
        self.game = game
        game.players = [SimpleNamespace(strategies=list(enumerate(row))) for row in shares]

    def __getitem__(self, strategy):
        return strategy[1]

    def payoff(self, player):
        return 0.0

    def as_behavior(self):
        raise AssertionError("a table has no behaviour")


def test_a_profile_of_strategies_is_judged(stand_in):
    game = Game(nfg=TABLE)
    result = eq.evaluate(game, TableProfile(game, [[1 / 3, 2 / 3], [1 / 3, 2 / 3]]))
    assert result.nash_conv == pytest.approx(0, abs=1e-12)


class TableProfile17:
    """The same of version 17: players are labels, and a profile tells the shares of a player by strategy."""

    def __init__(self, game, shares):
        self.game = game
        self.shares = shares
        self.payoffs = {}
        game.players = list(shares)

    def __getitem__(self, player):
        return self.shares[player]

    def set_mixed_strategy(self):
        raise AssertionError("only that there is such a method tells the version")

    def as_behavior(self):
        raise AssertionError("a table has no behaviour")


def test_a_profile_of_strategies_of_version_17_is_judged(stand_in):
    game = Table17()
    shares = {"Ann": {"up": 1 / 3, "down": 2 / 3}, "Ben": {"left": 1 / 3, "right": 2 / 3}}
    result = eq.evaluate(game, TableProfile17(game, shares))
    assert result.nash_conv == pytest.approx(0, abs=1e-12)


def payoffs_of(profile):
    """Return what the players win by pygambit itself, whichever its version."""
    if hasattr(profile, "payoffs"):
        return [float(payoff) for payoff in dict(profile.payoffs).values()]
    return [float(profile.payoff(player)) for player in profile.game.players]


@with_gambit
def test_pygambit_itself():
    import pygambit

    table_class = getattr(pygambit, "StrategicGame", pygambit.Game)  # of version 17, or 16
    table = table_class.from_arrays([[3, -1], [-1, 1]], [[-3, 1], [1, -1]])
    assert eq.exact(table).value[0] == pytest.approx(1 / 3, abs=1e-12)
    profile = table.mixed_strategy_profile()
    result = eq.evaluate(table, profile)
    assert result.value == pytest.approx(payoffs_of(profile))
    assert result.nash_conv == pytest.approx(1)  # by hand: Ann wins 1 by x, Ben 0 by y, of 1/2


@with_gambit
def test_a_tree_of_pygambit_and_its_profiles(tmp_path):
    import pygambit

    write_efg(eq.load("kuhn"), tmp_path / "kuhn.efg")
    tree = pygambit.read_efg(tmp_path / "kuhn.efg")
    assert eq.exact(tree).value[0] == pytest.approx(-1 / 18, abs=1e-12)
    profile = tree.mixed_behavior_profile()
    assert eq.evaluate(tree, profile).nash_conv == pytest.approx(11 / 12)
    assert eq.evaluate("kuhn", profile).nash_conv == pytest.approx(11 / 12)
    of_plans = tree.mixed_strategy_profile()
    assert eq.evaluate(tree, of_plans).value == pytest.approx(payoffs_of(of_plans))


@with_gambit
def test_infosets_that_pygambit_leaves_without_labels(tmp_path):
    import pygambit

    (tmp_path / "pennies.efg").write_text(PENNIES)
    tree = pygambit.read_efg(tmp_path / "pennies.efg")
    result = eq.evaluate(tree, tree.mixed_behavior_profile())
    assert result.value[0] == pytest.approx(0.5)


ROWS = np.array([[3.0, -1.0], [-1.0, 1.0]])


@pytest.mark.parametrize(
    "arrays",
    [ROWS, (ROWS, -ROWS), [ROWS, -ROWS], np.stack([ROWS, -ROWS]), ROWS.astype(np.int8)],
    ids=["one", "pair", "list", "stack", "whole"],
)
def test_arrays_are_a_game(arrays):
    assert eq.exact(arrays).value == pytest.approx((1 / 3, -1 / 3), abs=1e-12)


def test_a_pair_need_not_be_square_nor_sum_to_zero(tmp_path):
    rows, columns = np.array([[1.0, 0, 2], [0, 3, 1]]), np.array([[2.0, 1, 0], [0, 1, 5]])
    result = eq.evaluate((rows, columns), {}, missing="uniform")
    assert result.value == pytest.approx((rows.mean(), columns.mean()))
    solution = eq.solve((rows, columns), iterations=5, save=tmp_path / "run")
    assert eq.load_solution(tmp_path / "run").value == solution.value
    assert "zero_sum" in result.summary()
    assert not result.zero_sum


@pytest.mark.parametrize(
    ("arrays", "sentence"),
    [
        (np.zeros(3), r"got shapes \(3,\)"),
        (np.zeros((3, 2, 2)), r"got shapes \(2, 2\), \(2, 2\), \(2, 2\)"),
        (np.array(3.0), r"got shapes \(\)"),
        ((np.zeros((2, 2)), np.zeros((2, 3))), "payoffs2 must have the shape of payoffs, 2 × 2"),
        (np.array([[1.0, np.nan]]), "payoffs must hold finite numbers; got nan"),
        (np.zeros((0, 2)), r"payoffs must be rows of numbers"),
        (np.array([["a"]]), "payoffs must hold finite numbers; got 'a'"),
    ],
)
def test_arrays_that_are_no_game(arrays, sentence):
    with pytest.raises(eq.GameError, match=sentence) as caught:
        eq.load(arrays)
    assert caught.value.wrong_use


@pytest.mark.parametrize("payoffs", [[[1, 2], [3, 4]], ([[1, 2]], [[3, 4]]), (ROWS,) * 3])
def test_lists_of_payoffs_are_told_to_be_arrays(payoffs):
    with pytest.raises(eq.GameError, match=r"a pair of arrays, .* got an object of type '\w+'\."):
        eq.load(payoffs)


# Files of Gambit's window


def write_gbt(path, tag, text):
    path.write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n<gambit:document '
        'xmlns:gambit="http://gambit.sourceforge.net/" version="0.1">\n<colors>\n</colors>\n'
        f"<game>\n<{tag}>\n{text}\n</{tag}>\n</game>\n</gambit:document>\n",
        encoding="utf-8",
    )
    return str(path)


@pytest.mark.parametrize(("tag", "text"), [("efgfile", PENNIES), ("nfgfile", TABLE)])
def test_a_file_of_the_window_is_the_game_in_it(tmp_path, tag, text):
    path = write_gbt(tmp_path / "game.gbt", tag, text)
    assert eq.exact(path).value[0] == pytest.approx(1 / 3, abs=1e-12)
    assert str(eq.load(path)) == ("choice" if tag == "efgfile" else "table")


def test_labels_with_signs_of_xml(tmp_path):
    """As Gambit writes them, and as XML would have it."""
    for written in ("a & b < c", "a &amp; b &lt; c"):
        path = write_gbt(
            tmp_path / "game.gbt", "efgfile", PENNIES.replace("choice", f"{written} &eacute;")
        )
        assert str(eq.load(path)) == "a & b < c &eacute;"


def test_what_is_no_file_of_the_window(tmp_path):
    (tmp_path / "empty.gbt").write_text("<gambit:document/>")
    with pytest.raises(eq.GameError, match="it has no game between <efgfile>"):
        eq.load(str(tmp_path / "empty.gbt"))
    broken = write_gbt(tmp_path / "broken.gbt", "efgfile", "EFG 2 R 3")
    with pytest.raises(eq.GameError, match=r"broken\.gbt, line 2: expected the title"):
        eq.load(broken)
    with pytest.raises(eq.GameError, match=r"There is no file 'nothing\.gbt'"):
        eq.load("nothing.gbt")


@with_gambit
def test_gambit_reads_the_same_file_of_its_window(tmp_path):
    import pygambit

    path = write_gbt(tmp_path / "game.gbt", "efgfile", PENNIES)
    theirs = pygambit.read_gbt(path)
    assert theirs.title == str(eq.load(path))
    write_efg(eq.load(path), tmp_path / "ours.efg")
    (tmp_path / "theirs.efg").write_text(theirs.to_efg())
    ours = read_efg(tmp_path / "ours.efg")
    assert len(read_efg(tmp_path / "theirs.efg")._nodes) == len(ours._nodes)
