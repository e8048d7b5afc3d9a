"""OpenSpiel's and Gambit's games: what we read is what they say, what we write they read."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.game.protocol import CHANCE, TERMINAL, Game, action_label, is_game
from equilibrist.games.gambit_game import GambitGame
from equilibrist.games.gambit_read import _split_tokens, read_efg
from equilibrist.games.gambit_write import write_efg

DATA = Path(__file__).parent / "data"


class Kuhn:
    """Three cards, one bet; states are (cards, bets). Infosets and actions are written as Gambit will not have them."""

    players = 2

    def __str__(self) -> str:
        return "Kuhn  50 % ♠"

    def start(self):
        return "", ""

    def player(self, state):
        cards, bets = state
        if len(cards) < 2:
            return CHANCE
        return TERMINAL if bets in ("pp", "bp", "bb", "pbp", "pbb") else len(bets) % 2

    def actions(self, state):
        cards, _ = state
        return [card for card in "JQK" if card not in cards] if len(cards) < 2 else ["p", "b"]

    def probabilities(self, state):
        return [1 / (3 - len(state[0]))] * (3 - len(state[0]))

    def next(self, state, action):
        cards, bets = state
        return (cards + action, bets) if len(cards) < 2 else (cards, bets + action)

    def payoffs(self, state):
        cards, bets = state
        high = 1 if "JQK".index(cards[0]) > "JQK".index(cards[1]) else -1
        win = {"pp": high, "bb": 2 * high, "pbb": 2 * high, "bp": 1, "pbp": -1}[bets]
        return [win * 0.1, -win * 0.1]

    def infoset(self, state):
        cards, bets = state
        return f' {cards[len(bets) % 2]}♠\n "{bets}" \\ 50%20  '

    def action_label(self, state, action):
        return {"p": "–", "b": "bet  %"}.get(action, action)


class History(NamedTuple):
    player: int
    chance_reach: float
    labels: tuple[str, ...]
    infoset: Any = None
    payoffs: tuple[float, ...] = ()


def histories(game: Game) -> Iterator[History]:
    """Yield every history, in the order of an .efg file; chance sums to 1 at every node."""
    waiting = [(game.start(), 1.0)]
    while waiting:
        state, reach = waiting.pop()
        player = game.player(state)
        if player == TERMINAL:
            yield History(player, reach, (), payoffs=tuple(game.payoffs(state)))
            continue
        actions = game.actions(state)
        chances = game.probabilities(state) if player == CHANCE else [1.0] * len(actions)
        if player == CHANCE:
            assert sum(chances) == pytest.approx(1, abs=1e-12)
        labels = tuple(action_label(game, state, action) for action in actions)
        yield History(
            player, reach, labels, infoset=None if player == CHANCE else game.infoset(state)
        )
        children = [
            (game.next(state, action), reach * chance)
            for action, chance in zip(actions, chances, strict=True)
        ]
        waiting.extend(reversed(children))


def uniform_values(game: Game, state: Any) -> list[float]:
    """Return the expected payoffs when everybody plays every action with the same probability: the slow truth."""
    player = game.player(state)
    if player == TERMINAL:
        return list(game.payoffs(state))
    actions = game.actions(state)
    chances = game.probabilities(state) if player == CHANCE else [1 / len(actions)] * len(actions)
    below = [uniform_values(game, game.next(state, action)) for action in actions]
    return [
        sum(c * values[i] for c, values in zip(chances, below, strict=True))
        for i in range(game.players)
    ]


def assert_same_game(one: Game, other: Game) -> None:
    """Assert that two games are the same tree, with the same labels."""
    pairs = list(zip(histories(one), histories(other), strict=True))
    for mine, theirs in pairs:
        assert (mine.player, mine.labels, mine.payoffs) == (
            theirs.player,
            theirs.labels,
            theirs.payoffs,
        )
        assert mine.chance_reach == pytest.approx(theirs.chance_reach, abs=1e-14)
        assert str(mine.infoset) == str(theirs.infoset)


# Gambit files


def test_reads_inner_outcomes_omitted_labels_fractions_and_escapes():
    game = read_efg(DATA / "inner.efg")
    assert str(game) == 'Inner "outcomes" and \\ escapes'
    assert game.names == ("Ann", "Bob\nJr.")
    assert game.player(game.start()) == CHANCE
    assert game.actions(game.start()) == ["high", "low", "none"]
    assert game.probabilities(game.start()) == [1 / 3, 0.5, 1 / 6]

    bet_called = ["high", "bet", "call"]
    state = game.start()
    for action in bet_called:
        state = game.next(state, action)
    assert game.payoffs(state) == [-1 + 1 + 3, -0.5 - 2.5]

    found = list(histories(game))
    assert [h.payoffs for h in found if h.player == TERMINAL] == [
        (3, -3), (0, -0.5), (-0.75, -0.4),
        (-3, 2), (0.25, -0.4), (2, -3),
        (-1, -0.5), (2, -3), (-4, 2), (-0.75, -0.4),
    ]  # fmt: skip
    assert Counter(h.infoset for h in found if h.player == 0) == {'Ann\'s "hand"': 2}
    assert Counter(h.infoset for h in found if h.player == 1) == {"1": 2, "2": 1}
    assert found[-5].labels == (
        "1",
        "#2",
        "3",
        "2",
    )  # where no label, or one of two; the label "2" is taken


def test_labels_that_are_missing_or_not_unique_give_way_to_numbers():
    game = read_efg(DATA / "clash.efg")
    assert str(game) == "clash.efg"
    assert game.players == 3
    assert [h.infoset for h in histories(game) if h.player == 2] == ["2", "#2", "3", "4"]


BROKEN = {
    "": "line 1: expected 'EFG'.*found the end of the file",
    "NFG 1 R": "line 1: expected 'EFG'.*found NFG",
    "EFG 1": "version 2 of the format; found 1",
    "EFG 2 X": "'R' or 'D'.*found X",
    "EFG 2 R t": "expected the title, in double quotes; found t",
    'EFG 2 R "t" { }': "expected at least one player; found }",
    'EFG 2 R "t" { "A" 3 }': "expected '}' or the name of a player.*found 3",
    'EFG 2 R "t" { "A" }\n"c"\n': "line 2: expected a node: 'c'.*found the end of the file",
    'EFG 2 R "t" { "A" }\n\nx ""': "line 3: expected a node: 'c'.*found x",
    'EFG 2 R "t" { "A" }\nt "abc 0': "line 2: expected the label of the node.*found a string without an end",
    'EFG 2 R "t" { "A" }\nt "" 1': "expected '{' and the payoffs of outcome 1, which is new here; found the end",
    'EFG 2 R "t" { "A" }\nt "" 1 "" { 1 2 }': "expected '}' after 1 payoffs.*found 2",
    'EFG 2 R "t" { "A" "B" }\nt "" 1 "" { 1 }': "expected the payoff of every player .*found }",
    'EFG 2 R "t" { "A" }\nt "" 1 "" { 1/0 }': "expected the payoff of every player .*found 1/0",
    'EFG 2 R "t" { "A" }\nt "" 1 "" { 1e400 }': "expected the payoff of every player .*found 1e400",
    'EFG 2 R "t" { "A" }\nt "" 1 "" { 1e999999999 }': "expected the payoff of every player .*found 1e999999999",
    'EFG 2 R "t" { "A" }\nt "" 1 "" { nan }': "expected the payoff of every player .*found nan",
    'EFG 2 R "t" { "A" }\nt "" -1': "expected the number of the outcome.*whole number.*found -1",
    'EFG 2 R "t" { "A" }\nt "" 0\nt "" 0': "line 3: expected the end of the file.*found t",
    'EFG 2 R "t" { "A" }\np "" 2 1': r"expected the player \(a whole number, 1 to 1\); found 2",
    'EFG 2 R "t" { "A" }\np "" 1 1 0': "expected '{' and the actions of infoset 1, which is new here; found 0",
    'EFG 2 R "t" { "A" }\np "" 1 1 "" { } 0': "expected at least one action; found }",
    'EFG 2 R "t" { "A" }\np "" 1 1 "" { "a" ': "expected '}' or the label of an action.*found the end of the file",
    'EFG 2 R "t" { "A" }\np "" 1 1 "" { "a" } 0\n': "line 2: expected a node.*found the end of the file",
    'EFG 2 R "t" { "A" }\np "" 1 1 "" { "a" } 0\np "" 1 1 "" { "b" } 0': "line 3: expected the same actions",
    'EFG 2 R "t" { "A" }\np "" 1 1 "x" { "a" } 0\np "" 1 1 "y" 0': "line 3: expected the label 'x'.*found 'y'",
    'EFG 2 R "t" { "A" }\nc "" 1 "" { "a" "b" } 0': 'expected the probability of this outcome.*found "b"',
    'EFG 2 R "t" { "A" }\nc "" 1 "" { "a" .5 "b" .4 } 0': "expected probabilities that sum to 1; found the sum 9/10",
    'EFG 2 R "t" { "A" }\nc "" 1 "" { "a" 2 "b" -1 } 0': "expected probabilities of 0 or more; found -1",
    'EFG 2 R "t" { "A" }\np "" 1 1 { "a" } 1 { 1 }\nt "" 1 { 2 }': "line 3: expected the same payoffs",
}


@pytest.mark.parametrize(("text", "message"), BROKEN.items())
def test_a_broken_file_is_refused_with_its_line(tmp_path, text, message):
    path = tmp_path / "broken.efg"
    path.write_text(text)
    with pytest.raises(eq.GameError, match=message) as caught:
        read_efg(path)
    assert str(caught.value).startswith(f"{path}, line ")
    assert not caught.value.wrong_use


TABLE = 'NFG 1 R "table" { "Ann" "Ben" "Cid" } { 2 1 3 } "a comment" 1 2 3 4 5 6 7 8 9 1/2 -1 .5 0 0 0 1e1 2 2'
LISTED = """NFG 1 D "listed" { "Ann" "Ben" } { { "up" "down" } { "left" "left" } }
{ { "both" 1, 2 } { "" 1/3 -4 } } 1 2 0 1"""


def payoffs_by_profile(game, sizes):
    """Return what each profile pays, the first player's strategy changing fastest, as Gambit lists them."""
    payoffs = []
    for profile in product(*(range(size) for size in reversed(sizes))):
        state = game.start()
        for player, choice in enumerate(reversed(profile)):
            assert game.player(state) == player
            assert game.infoset(state) == "strategy"
            state = game.next(state, game.actions(state)[choice])
        payoffs.append(game.payoffs(state))
    return payoffs


def test_reads_tables_of_payoffs_and_of_outcomes(tmp_path):
    for name, text in (("a.nfg", TABLE), ("b.NFG", LISTED)):
        (tmp_path / name).write_text(text)
    table, listed = eq.load(str(tmp_path / "a.nfg")), eq.load(str(tmp_path / "b.NFG"))
    expected = [[1, 2, 3], [4, 5, 6], [7, 8, 9], [0.5, -1, 0.5], [0, 0, 0], [10, 2, 2]]
    assert payoffs_by_profile(table, (2, 1, 3)) == expected
    assert payoffs_by_profile(listed, (2, 2)) == [[1, 2], [1 / 3, -4], [0, 0], [1, 2]]
    assert listed.names == ("Ann", "Ben")
    assert listed.actions(0) == ["up", "down"]
    assert listed.actions(listed.next(0, "up")) == ["1", "2"]  # "left" is not unique
    eq.check_game(table)


def test_a_table_is_solved_like_any_game(tmp_path):
    path = tmp_path / "pennies.nfg"
    path.write_text('NFG 1 R "pennies" { "1" "2" } { { "h" "t" } { "h" "t" } } 3 -3 -1 1 -1 1 1 -1')
    solution = eq.exact(str(path))
    assert solution.value[0] == pytest.approx(1 / 3)  # (3 · 1 − 1) / 6
    assert solution.strategy[0, "strategy"]["h"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            'EFG 2 R "t" { "a" } t "" 0',
            "line 1: expected 'NFG', with which a Gambit strategic-form file begins; found EFG",
        ),
        ('NFG 1 R "t" { "a" "b" } { 2 } 1 2', "expected strategies of 2 players; found those of 1"),
        (
            'NFG 1 R "t" { "a" } { 2 } 1',
            "expected the payoff of every player in 2 profiles .*; found the end of the file",
        ),
        (
            'NFG 1 R "t" { "a" } { 1 } 1 2',
            "expected the end of the file, after 1 profiles; found 2",
        ),
        ('NFG 1 R "t" { "a" } { 0 } 1', "the number of strategies of a player .*; found 0"),
        ('NFG 1 R "t" { "a" } { { } } 1', "expected at least one strategy; found }"),
        (
            'NFG 1 R "t" { "a" } { 1 } { { "x" 1 } } 2',
            "the outcome of each of 1 profiles .*0 to 1.*; found 2",
        ),
        (
            'NFG 1 R "t" { "a" "b" } { 9999 9999 } 1',
            "expected at most 10,000,000 profiles; found 99,980,001",
        ),
    ],
)
def test_a_broken_table_is_refused_with_its_line(tmp_path, text, message):
    path = tmp_path / "broken.nfg"
    path.write_text(text)
    with pytest.raises(eq.GameError, match=message):
        eq.load(str(path))


def test_a_string_without_an_end_is_looked_at_once():
    """Each quote used to be searched for its end: 16,000 escaped ones took 17 seconds."""
    assert _split_tokens('EFG "a\\"b" "' + '\\"' * 10_000) == ["EFG", '"a\\"b"', '"', ""]


def test_denominators_do_not_grow_without_end(tmp_path):
    nodes = "".join(f'p "" 1 {i} "" {{ "on" }} {i} {{ 1/{10**30 + i} }}\n' for i in range(1, 200))
    path = tmp_path / "broken.efg"
    path.write_text('EFG 2 R "deep" { "A" }\n' + nodes + 't "" 0\n')
    with pytest.raises(
        eq.GameError,
        match=r"line 4[0-9]: expected payoffs on the way here with a common denominator",
    ):
        read_efg(path)


def test_a_file_that_is_not_there_is_wrong_use(tmp_path):
    with pytest.raises(eq.GameError, match=r"There is no file .*nowhere\.efg") as caught:
        read_efg(tmp_path / "nowhere.efg")
    assert caught.value.wrong_use
    with pytest.raises(eq.GameError, match="cannot be read"):
        read_efg(tmp_path)


@pytest.mark.slow
def test_a_deep_tree_meets_no_recursion_limit(tmp_path):
    depth = 5000
    moves = "".join(f'p "" 1 {i} "" {{ "on" "stop" }} 0\n' for i in range(depth))
    (tmp_path / "deep.efg").write_text(
        'EFG 2 R "deep" { "A" }\n' + moves + 't "" 0\n' * (depth + 1)
    )
    game = read_efg(tmp_path / "deep.efg")
    assert sum(1 for _ in histories(game)) == 2 * depth + 1
    write_efg(game, tmp_path / "again.efg")
    assert_same_game(read_efg(tmp_path / "again.efg"), game)


def games() -> list[Any]:
    return [Kuhn(), read_efg(DATA / "inner.efg"), read_efg(DATA / "clash.efg")]


def test_whatever_is_a_game_is_written(tmp_path):
    """A name, a file and arrays are games here as in all other functions."""
    path = tmp_path / "game.efg"
    write_efg("kuhn", path)
    assert_same_game(read_efg(path), eq.load("kuhn"))
    write_efg(str(path), tmp_path / "again.efg")
    assert (tmp_path / "again.efg").read_bytes() == path.read_bytes()
    write_efg(np.array([[0, 2], [1, 0]]), path)
    assert eq.exact(read_efg(path)).value[0] == pytest.approx(2 / 3, abs=1e-12)


@pytest.mark.parametrize("game", games(), ids=str)
def test_round_trip(game, tmp_path):
    write_efg(game, tmp_path / "game.efg")
    again = read_efg(tmp_path / "game.efg")
    assert str(again) == str(game)
    assert again.players == game.players
    assert_same_game(again, game)
    assert [path.name for path in tmp_path.iterdir()] == ["game.efg"]  # and no temporary file


OTHER_NUMBERS = [
    "kuhn",
    "kuhn(players=3)",
    "leduc(ranks=2)",
    "goofspiel(cards=3, prizes='random')",
    "matrix(payoffs=[[1e-5, 0.1], [3e7, -2]])",
]


@pytest.mark.parametrize("game", [*OTHER_NUMBERS, "uneven"])
def test_openspiel_reads_what_we_write(game, tmp_path):
    """It wants infosets that are numbered for each player, and fractions whose parts have 32 bits."""
    pyspiel = pytest.importorskip("pyspiel")
    game = (
        Lottery([0.1234567890123, 0.5, 1 - 0.5 - 0.1234567890123])
        if game == "uneven"
        else eq.load(game)
    )
    write_efg(game, tmp_path / "game.efg")
    theirs = pyspiel.load_efg_game((tmp_path / "game.efg").read_text())

    def values(state):
        if state.is_terminal():
            return state.returns()
        outcomes = (
            state.chance_outcomes()
            if state.is_chance_node()
            else [(a, None) for a in state.legal_actions()]
        )
        below = [values(state.child(action)) for action, _ in outcomes]
        weight = [1 / len(outcomes) if p is None else p for _, p in outcomes]
        return [
            sum(w * value[i] for w, value in zip(weight, below, strict=True))
            for i in range(game.players)
        ]

    assert values(theirs.new_initial_state()) == pytest.approx(
        uniform_values(game, game.start()), abs=1e-12
    )


def test_a_fifth_and_a_third_survive_floats(tmp_path):
    write_efg(Lottery([1 / 3, 0.2, 7 / 15]), tmp_path / "simple.efg")
    assert '"0" 1/3 "1" 1/5 "2" 7/15' in (tmp_path / "simple.efg").read_text()
    odd = [0.1234567890123, 0.5, 1 - 0.5 - 0.1234567890123, 1e-17]
    write_efg(Lottery(odd), tmp_path / "odd.efg")
    assert read_efg(tmp_path / "odd.efg").probabilities(0) == pytest.approx(odd, abs=1e-16)


class Lottery:
    """Chance draws once; the only player looks on, or has a turn that says so."""

    players = 1

    def __init__(self, chances, *, payoff=1.0, infosets="abc", actions=((0, 1), (0, 1), (0, 1))):
        self.chances = chances
        self.payoff = payoff
        self.infosets = infosets
        self.choices = actions

    def start(self):
        return ()

    def player(self, state):
        return (CHANCE, 0 if len(self.chances) == len(self.choices) else TERMINAL, TERMINAL)[
            len(state)
        ]

    def actions(self, state):
        return self.choices[state[0]] if state else range(len(self.chances))

    def probabilities(self, state):
        return self.chances

    def next(self, state, action):
        return (*state, action)

    def payoffs(self, state):
        return [self.payoff]

    def infoset(self, state):
        return self.infosets[state[0]]


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (Lottery([0.5, 0.4]), r"must be 0 or more and sum to 1; got \[0.5, 0.4\]"),
        (Lottery([1.0, float("nan")]), "must be 0 or more and sum to 1"),
        (Lottery([1.5, -0.5]), "must be 0 or more and sum to 1"),
        (Lottery([1.0], payoff=float("inf")), r"it has the payoffs \(inf,\)"),
        (
            Lottery([0.5, 0.25, 0.25], infosets=[1, "1", 2]),
            "two infosets of player 0 are both written '1'",
        ),
        (
            Lottery([0.5, 0.25, 0.25], infosets="aab", actions=((0, 1), (0, 2), (0,))),
            r"'a' .*\[0, 1\] and also \[0, 2\]",
        ),
        (
            Lottery([0.5, 0.25, 0.25], actions=((0, 1), (0, "0"), (0,))),
            "two actions of one infoset share a name",
        ),
    ],
)
def test_a_game_that_cannot_be_written_leaves_no_file(game, message, tmp_path):
    with pytest.raises(eq.GameError, match=message):
        write_efg(game, tmp_path / "game.efg")
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(eq.GameError, match="cannot be written: No such file") as caught:
        write_efg(Kuhn(), tmp_path / "nowhere" / "game.efg")
    assert caught.value.wrong_use


def gambit_values(game: Any) -> list[float]:
    profile = game.mixed_behavior_profile()
    if hasattr(profile, "payoff"):
        return [float(profile.payoff(player)) for player in game.players]
    return [float(profile.payoffs[player]) for player in game.players]  # labels, from version 17 on


@pytest.mark.parametrize("game", games(), ids=str)
def test_gambit_reads_what_we_write_and_we_read_what_it_writes(game, tmp_path):
    pygambit = pytest.importorskip("pygambit")
    path = tmp_path / "game.efg"
    write_efg(game, path)
    theirs = pygambit.read_efg(path)
    infosets: dict[int, set[Any]] = defaultdict(set)
    for history in histories(game):
        infosets[history.player].add(history.infoset)
    sizes = [
        len(theirs.get_infosets(player) if isinstance(player, str) else player.infosets)
        for player in theirs.players
    ]
    assert sizes == [len(infosets[i]) for i in range(game.players)]
    assert gambit_values(theirs) == pytest.approx(uniform_values(game, game.start()), abs=1e-12)

    path.write_text(theirs.to_efg())
    assert_same_game(read_efg(path), game)


def test_gambit_reads_tables_as_we_do(tmp_path):
    pygambit = pytest.importorskip("pygambit")
    if not hasattr(pygambit, "Infoset"):
        pytest.skip("pygambit 17 has no outcomes by number of strategy")
    for name, text, sizes in (
        ("a.nfg", TABLE, (2, 1, 3)),
        ("b.nfg", LISTED.replace('"left" }', '"right" }'), (2, 2)),
    ):
        path = tmp_path / name
        path.write_text(text)
        theirs = pygambit.read_nfg(path)
        profiles = [
            profile[::-1] for profile in product(*(range(size) for size in reversed(sizes)))
        ]
        outcomes = [theirs[profile] for profile in profiles]  # None is paid nothing
        expected = [
            [float(one[player]) if one else 0.0 for player in theirs.players] for one in outcomes
        ]
        assert payoffs_by_profile(eq.load(str(path)), sizes) == expected


def test_we_read_the_catalogue_of_gambit():
    pygambit = pytest.importorskip("pygambit")
    files = sorted(Path(pygambit.__file__).parent.rglob("*.efg"))
    for path in files:
        game = read_efg(path)
        assert gambit_values(pygambit.read_efg(path)) == pytest.approx(
            uniform_values(game, game.start()), abs=1e-12
        )


# OpenSpiel

WALKED = [
    "kuhn_poker",
    "kuhn_poker(players=3)",
    "leduc_poker",
    "liars_dice(dice_sides=3)",
    "goofspiel(num_cards=3,imp_info=True,points_order=descending)",
    "matrix_brps",
    "matching_pennies_3p",
    "first_sealed_auction(max_value=3)",
    "sheriff(item_penalty=1.0,item_value=5.0,max_bribe=1,max_items=1,num_rounds=1,sheriff_penalty=1.0)",
    "tiny_hanabi",
    "misere(game=kuhn_poker())",
    "nim(pile_sizes=1;2)",
    "pig(horizon=3,winscore=4,diceoutcomes=2)",
]


@pytest.mark.thinned(4)
@pytest.mark.parametrize("spec", WALKED)
def test_openspiel_walks_as_openspiel_does(spec):
    pyspiel = pytest.importorskip("pyspiel")
    from equilibrist.games.openspiel import OpenSpielGame

    game = OpenSpielGame(spec)
    assert is_game(game)
    assert str(OpenSpielGame(str(game).removeprefix("openspiel:"))) == str(game)
    mine = list(histories(game))
    assert sum(h.chance_reach for h in mine if h.player == TERMINAL) >= 1 - 1e-12

    theirs = (
        pyspiel.convert_to_turn_based(pyspiel.load_game(spec))
        if simultaneous(spec)
        else pyspiel.load_game(spec)
    )
    kinds: Counter[str] = Counter()
    payoffs: Counter[tuple[float, ...]] = Counter()
    infosets = set()
    waiting = [theirs.new_initial_state()]
    while waiting:
        state = waiting.pop()
        kinds[
            "terminal"
            if state.is_terminal()
            else "chance"
            if state.is_chance_node()
            else "decision"
        ] += 1
        if state.is_terminal():
            payoffs[tuple(state.returns())] += 1
        elif not state.is_chance_node() and theirs.get_type().provides_information_state_string:
            infosets.add(
                (state.current_player(), state.information_state_string(state.current_player()))
            )
        for action in state.legal_actions():
            child = state.clone()
            child.apply_action(action)
            waiting.append(child)
    count = Counter(
        {TERMINAL: "terminal", CHANCE: "chance"}.get(h.player, "decision") for h in mine
    )
    assert count == kinds
    assert Counter(h.payoffs for h in mine if h.player == TERMINAL) == payoffs
    if infosets:
        assert {(h.player, h.infoset) for h in mine if h.player >= 0} == infosets


def simultaneous(spec: str) -> bool:
    import pyspiel

    kind = pyspiel.load_game(spec).get_type()
    return kind.dynamics == kind.Dynamics.SIMULTANEOUS


def test_perfect_information_is_told_by_the_history():
    pytest.importorskip("pyspiel")
    from equilibrist.games.openspiel import OpenSpielGame

    for spec in ("tic_tac_toe", "breakthrough"):
        game = OpenSpielGame(spec)
        state = game.start()
        for _ in range(3):
            state = game.next(state, game.actions(state)[0])
        other = game.next(game.start(), game.actions(game.start())[1])
        assert game.infoset(state) != game.infoset(other)
        assert isinstance(game.action_label(other, game.actions(other)[0]), str)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("kuhn_pokr", "OpenSpiel has no game 'kuhn_pokr'. Did you mean 'kuhn_poker'"),
        (
            "kuhn_poker(plyers=3)",
            r"refuses 'kuhn_poker\(plyers=3\)': Unknown parameter 'plyers'.*: players\.$",
        ),
        (
            "kuhn_poker(players=99)",
            r"refuses .*: num_players_ <= kGameType.max_num_players; num_players_ = 99",
        ),
        ("kuhn_poker(players=x)", "Wrong type for parameter players"),
        ("kuhn_poker(players=3", "Missing closing bracket"),
        ("nfg_game", "OpenSpiel refuses 'nfg_game'"),
        ("tarok", "it samples its chance moves"),
        ("mfg_crowd_modelling", "it is a mean-field game"),
        ("gin_rummy", "no information state string"),
        (
            "laser_tag",
            "it has moves that a player does not see",
        ),  # simultaneous: the history would tell too much
    ],
)
def test_openspiel_games_that_are_refused(spec, message, capfd):
    pytest.importorskip("pyspiel")
    from equilibrist.games.openspiel import OpenSpielGame

    with pytest.raises(eq.GameError, match=message) as caught:
        OpenSpielGame(spec)
    assert caught.value.wrong_use
    assert capfd.readouterr().err == ""


ANSWER = """
import os, re, resource, sys, warnings
import equilibrist as eq

resource.setrlimit(resource.RLIMIT_AS, (6_000_000_000,) * 2)
warnings.simplefilter("ignore")


def say(text):
    told = re.search(r": ([\\d,]+) histories of about ([\\d,.e+]+) .* left$", text)
    if told and float(told[2].replace(",", "")) > 1e6:
        print("announced", told[1].replace(",", ""), flush=True)
        os._exit(0)


try:
    print("solved", eq.solve("openspiel:" + sys.argv[1], iterations=3, callbacks=eq.Callbacks(on_stage=say)).histories)
except eq.GameError as error:
    print("refused", error)
"""


def openspiel_answer(name: str) -> list[str]:
    """Return how a game is answered, in a process of its own: solved, refused, or announced with the time it takes."""
    command = [sys.executable, "-c", ANSWER, name]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split(maxsplit=1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "answer", "match"),
    [
        ("coordinated_mp", "solved", "15"),
        (
            "morpion_solitaire",
            "refused",
            "cannot be solved here: OpenSpiel's own code crashes when it is played at random",
        ),
        (
            "dark_hex",
            "refused",
            r"too large to compile: about 1\d,000,000,000 histories, by random plays, would take",
        ),
        ("colored_trails", "announced", r"^\d{4,5}$"),  # so many histories have been found
    ],
)
def test_how_a_game_of_openspiel_is_answered(name, answer, match):
    pytest.importorskip("pyspiel")
    found = openspiel_answer(name)
    assert found[0] == answer
    assert re.search(match, found[1].strip())


@pytest.mark.slow
@pytest.mark.parametrize("part", range(6))
def test_every_game_of_openspiel_is_answered(part):
    """Games of more than a million histories are announced at latest when some thousand of them have been found."""
    pyspiel = pytest.importorskip("pyspiel")
    answers = {name: openspiel_answer(name) for name in pyspiel.registered_names()[part::6]}
    assert {answer for answer, _ in answers.values()} <= {"solved", "refused", "announced"}
    assert all(int(found) < 100_000 for answer, found in answers.values() if answer == "announced")


def test_without_openspiel_the_error_says_what_to_install(monkeypatch):
    from equilibrist.games.openspiel import OpenSpielGame

    monkeypatch.setitem(__import__("sys").modules, "pyspiel", None)
    with pytest.raises(eq.GameError, match=r"pip install '\.\[openspiel\]'") as caught:
        OpenSpielGame("kuhn_poker")
    assert caught.value.wrong_use


def test_openspiel_through_gambit_and_back(tmp_path):
    pytest.importorskip("pyspiel")
    from equilibrist.games.openspiel import OpenSpielGame

    game = OpenSpielGame("goofspiel(num_cards=3,imp_info=True,points_order=descending)")
    write_efg(game, tmp_path / "goofspiel.efg")
    again = read_efg(tmp_path / "goofspiel.efg")
    assert isinstance(again, GambitGame)
    assert_same_game(again, game)


def test_writing_through_a_link_keeps_the_link(tmp_path):
    (tmp_path / "target.efg").write_text("old")
    (tmp_path / "link.efg").symlink_to("target.efg")
    write_efg(eq.load("matching_pennies"), tmp_path / "link.efg")
    assert (tmp_path / "link.efg").is_symlink()
    assert read_efg(tmp_path / "target.efg").players == 2
    assert {path.name for path in tmp_path.iterdir()} == {"target.efg", "link.efg"}
