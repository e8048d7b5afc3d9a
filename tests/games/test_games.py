"""The built-in games: their trees, their texts, their errors, and that a compiler reads the same rules."""

import ast
import inspect
import math
import random
import subprocess
import sys
from collections import Counter, defaultdict
from functools import cache

import numba
import numpy as np
import pytest

import equilibrist as eq
from equilibrist import evaluate
from equilibrist.errors import GameError
from equilibrist.game.compiled_rules import compile_rules
from equilibrist.game.protocol import CHANCE, TERMINAL, is_game
from equilibrist.game.rules import RulesGame
from equilibrist.games import Battleship, Blotto, Goofspiel, Kuhn, Leduc, LiarsDice
from equilibrist.games.registry import GAMES, make
from support.census import LARGE
from support.known import KNOWN

SMALL = [
    "battleship",
    "battleship(ships=(2, 1), values=(3, 2), shots=2, repeat=True)",
    "battleship(height=1, width=4, ships=(2, 2), shots=2)",
    "biased_rps",
    "blotto(soldiers=3, fields=2)",
    "dark_hex(size=2)",
    "dark_hex(size=2, abrupt=True)",
    "goofspiel",
    "goofspiel(cards=2)",
    "goofspiel(cards=3, hidden=False, prizes='random', returns='points')",
    "goofspiel(hidden=False, prizes='ascending')",
    "kuhn",
    "kuhn(cards=5, ante=2, bet=3)",
    "kuhn(players=3)",
    "kuhn(cards=15, pass_ends=True)",
    "leduc",
    "leduc(merge_suits=False)",
    "leduc(ranks=2, suits=3, raises=1, bets=(1, 3), ante=2)",
    "leduc(ranks=2, players=3)",
    "leduc(ranks=4, suits=1, players=3, raises=1, merge_suits=False)",
    "liars_dice(faces=3)",
    "liars_dice(faces=3, order='face')",
    "liars_dice(dice=(2, 1), faces=2)",
    "liars_dice(dice=(1, 3), faces=3, wild_biddable=False)",
    "matching_pennies",
    "mini_euchre",
    "no_limit_leduc(stack=5)",
    "no_limit_leduc(stack=4, ante=2, ranks=4, suits=1, bets=1, merge_suits=False)",
    "matrix(payoffs=[[1.0, 2.0, 0.5]], rows=['only'])",
    "phantom_ttt(rows=2, columns=2, line=2)",
    "phantom_ttt(rows=2, columns=2, line=2, abrupt=True)",
    "rhode_island(ranks=2, suits=2, raises=2)",
    "rhode_island(ranks=4, suits=1, raises=1, bets=(1, 2, 3), ante=2)",
    "rps",
]
RULES = [
    *(text for text in SMALL if issubclass(GAMES[text.partition("(")[0]], RulesGame)),
    "battleship(height=5, width=6, ships=(2, 3, 4), shots=12)",
    "battleship(height=3, width=3, ships=(1, 2, 3, 3), shots=20, repeat=True)",  # not all places leave room
    "battleship(height=1, width=62, ships=(2, 60), shots=5)",
    "mini_euchre(cards=3, ranks=6, bowers=False)",
    "mini_euchre(suits=3, turned=True)",
    "no_limit_leduc",
    "phantom_ttt",
    "dark_hex(size=7, abrupt=True)",
    "rhode_island",
]


def from_text(text):
    """Make the game that a text such as ``kuhn(cards=4)`` names."""
    call = ast.parse(text, mode="eval").body
    if isinstance(call, ast.Name):
        return make(call.id)
    return make(
        call.func.id, **{keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
    )


class Walk:
    """A game, walked from the start with nothing but the protocol."""

    def __init__(self, game):
        self.histories = 0
        self.actions = defaultdict(
            set
        )  # of each (player, infoset): the lists of actions seen there
        self.pasts = defaultdict(
            set
        )  # of each (player, infoset): what that player had seen and done before
        self.leaves = Counter()  # (payoffs, chance probability), rounded
        self.chance = []  # the probabilities at each chance node
        self._visit(game, game.start(), 1.0, ((),) * game.players)

    def _visit(self, game, state, chance_reach, pasts):
        self.histories += 1
        player = game.player(state)
        if player == TERMINAL:
            self.leaves[_leaf(game.payoffs(state), chance_reach)] += 1
            return
        actions = list(game.actions(state))
        if player == CHANCE:
            probabilities = game.probabilities(state)
            self.chance.append(probabilities)
            for action, probability in zip(actions, probabilities, strict=True):
                self._visit(game, game.next(state, action), chance_reach * probability, pasts)
            return
        infoset = game.infoset(state)
        self.actions[player, infoset].add(tuple(actions))
        self.pasts[player, infoset].add(pasts[player])
        for action in actions:
            after = (*pasts[:player], (*pasts[player], (infoset, action)), *pasts[player + 1 :])
            self._visit(game, game.next(state, action), chance_reach, after)


def _leaf(payoffs, chance_reach):
    return tuple(round(float(payoff), 9) for payoff in payoffs), round(chance_reach, 12)


@cache
def walk(text):
    return Walk(from_text(text))


@pytest.mark.thinned(34)
@pytest.mark.parametrize("text", SMALL)
def test_tree_is_well_formed(text):
    game, tree = from_text(text), walk(text)
    assert is_game(game)
    assert all(math.isclose(sum(outcomes), 1) and min(outcomes) > 0 for outcomes in tree.chance)
    assert all(math.isclose(sum(payoffs), 0, abs_tol=1e-9) for payoffs, _ in tree.leaves)
    assert all(len(seen) == 1 for seen in tree.actions.values())
    assert all(len(seen) == 1 for seen in tree.pasts.values()), "perfect recall"
    assert all(len(set(actions)) == len(actions) > 0 for (actions,) in tree.actions.values())


def _row_id(row):
    return f"{row.game}-{row.quantity}"


COUNTED = [
    row
    for row in KNOWN
    if row.quantity in ("infosets", "histories", "leaves") and row.game not in LARGE
]


@pytest.mark.thinned(5)
@pytest.mark.parametrize("row", COUNTED, ids=_row_id)
def test_known_counts(row):
    tree = walk(row.game)
    counts = {
        "infosets": len(tree.actions),
        "histories": tree.histories,
        "leaves": sum(tree.leaves.values()),
    }
    assert row.number == counts[row.quantity]


@pytest.mark.parametrize("text", sorted({row.game for row in KNOWN} | set(SMALL)))
def test_str_makes_the_game_again(text):
    assert str(from_text(text)) == text
    assert str(from_text(str(from_text(text)))) == text


# --- Texts ---


def infosets(text, player=None):
    return {infoset for mover, infoset in walk(text).actions if player in (None, mover)}


def test_kuhn_texts():
    assert infosets("kuhn", 0) == {"J", "Jpb", "Q", "Qpb", "K", "Kpb"}
    assert infosets("kuhn", 1) == {"Jp", "Jb", "Qp", "Qb", "Kp", "Kb"}
    assert infosets("kuhn(pass_ends=True)") == {"J", "Q", "K", "Jb", "Qb", "Kb"}
    moves = {"", "pp", "pb", "b", "bp", "bb", "p", "ppb", "pbp", "pbb", "ppbp", "ppbb"}
    assert infosets("kuhn(players=3)") == {card + line for card in "JQKA" for line in moves}
    assert {"15", "15 b"} < infosets("kuhn(cards=15, pass_ends=True)")


def test_leduc_texts():
    names = infosets("leduc")
    assert {"K", "Krr", "Krc/Q", "Krc/Qr", "Jcrrc/Jcrr"} < names
    assert "Krc/Krr" in names
    assert {"Ks", "Ksrc/Qhr"} < infosets("leduc(merge_suits=False)")


@pytest.mark.slow
def test_liars_dice_texts():
    assert {"3", "3 1x2 2x2", "1 1x1 1x2 1x3 2x1 2x2 2x3"} < infosets("liars_dice(faces=3)")
    assert "1 1x1 2x1 1x2" in infosets("liars_dice(faces=3, order='face')")
    assert {"12", "12 1x1 1x2"} < infosets("liars_dice(dice=(2, 1), faces=2)", 0)
    assert not any(
        "x3" in name for name in infosets("liars_dice(dice=(1, 3), faces=3, wild_biddable=False)")
    )
    wide = make("liars_dice", dice=(2, 1), faces=12, wild_biddable=False)
    state = wide.start()
    for face in (11, 0, 4):
        state = wide.next(state, face)
    assert wide.infoset(state) == "1,12"


def test_goofspiel_texts():
    assert {"4:", "4:3w 3:1l 2:", "4:4t 3:"} < infosets("goofspiel")
    assert {"1:", "1:3-1 2:"} < infosets("goofspiel(hidden=False, prizes='ascending')")
    assert {"1:", "2:", "3:", "2:3-3 1:"} < infosets(
        "goofspiel(cards=3, hidden=False, prizes='random', returns='points')"
    )


def test_battleship_texts():
    assert {"-", "a1", "a1 b2w (b1)", "a1 b2w (a2) a1w (b1)"} < infosets("battleship", 0)
    assert {"-", "a1 (b2)", "a1 (b2) b2w (a2)"} < infosets("battleship", 1)
    names = infosets("battleship(ships=(2, 1), values=(3, 2), shots=2, repeat=True)")
    assert {"a1-b1", "a1-a2,b2 a1h (b2)", "a1-a2,b2 a1s (b1)", "a1-b1,b2 (a2) a1h (a2)"} < names
    wide = make("battleship", height=1, width=30)
    assert [wide.action_label(wide.start(), action) for action in wide.actions(wide.start())][
        25:28
    ] == [
        "z1",
        "aa1",
        "ab1",
    ]


def test_battleship_says_of_a_repeated_shot_how_the_ship_stands_now():
    game = make("battleship", height=1, width=3, ships=(2,), shots=3, repeat=True)
    state = game.start()
    for action in (3, 3, 0, 2, 1, 2):
        state = game.next(state, action)
    assert game.player(state) == TERMINAL  # both cells of the ship are hit, and there is no other
    game = make("battleship", height=1, width=5, ships=(2, 1), shots=4, repeat=True)
    state = game.start()
    for action in (5, 5, 9, 9, 0, 2, 0, 2, 1, 2):
        state = game.next(state, action)
    assert game.infoset(state) == "a1-b1,e1 a1h (c1) a1h (c1) b1s (c1)"
    for action in (0, 2):
        state = game.next(state, action)
    assert game.player(state) == TERMINAL  # the shots are spent
    assert game.payoffs(state) == [1, -1]


def test_battleship_leaves_room():
    """Two ships of 2 cells on 4: neither may lie in the middle."""
    game = make("battleship", height=1, width=4, ships=(2, 2))
    assert [game.action_label(game.start(), action) for action in game.actions(game.start())] == [
        "a1-b1",
        "c1-d1",
    ]
    game = make("battleship", height=3, width=3, ships=(1, 2, 3, 3))
    labels = {game.action_label(game.start(), action) for action in game.actions(game.start())}
    assert labels == {f"{column}{row}" for column in "abc" for row in (1, 2, 3)} - {"b2"}


def test_no_limit_leduc_texts():
    names = infosets("no_limit_leduc(stack=5)")
    assert {"K", "K c", "K r3", "K r2r3r4r5", "K cc/Q", "K cr3c/K c", "J r2r3c/Q cr4r5"} < names
    assert not any("r5c/" in name for name in names)  # all-in: nobody is asked in the second round
    assert {"As", "As r4", "As cc/Ks", "As cc/Ks c"} < infosets(
        "no_limit_leduc(stack=4, ante=2, ranks=4, suits=1, bets=1, merge_suits=False)"
    )


def test_mini_euchre_texts():
    names = infosets("mini_euchre")
    assert {"JsAc", "JsQs JcKc", "QcKc JsJcAs"} < names
    turned = make("mini_euchre", suits=3, ranks=3, turned=True)
    state = turned.start()
    for action in (0b11, 0b1100, 0b110000, 0b11000000, 8, 0):
        state = turned.next(state, action)
    assert turned.infoset(state) == "KsJc (Kh) Js"
    three = make("mini_euchre", cards=3, suits=2, ranks=6, bowers=False)
    state = three.start()
    for action in (0b111, 0b111000, 0b111000000, 0b111000000000, 0, 3, 6, 9):
        state = three.next(state, action)
    assert three.player(state) == 1
    assert three.infoset(state) == "QsKsAs 9sQs9cQc/"


@pytest.mark.parametrize(
    ("text", "actions", "labels"),
    [
        ("battleship", [5, 4, 3], "b1 a1 b2 a1 b1 a2 b2"),
        ("battleship(ships=(2,))", [], "a1-b1 a2-b2 a1-a2 b1-b2"),
        (
            "no_limit_leduc(stack=7)",
            [2, 0, 3],
            "K, J, bet to 3, fold, call, raise to 5, raise to 6, raise to 7",
        ),
        (
            "no_limit_leduc(stack=7)",
            [2, 0, 5],
            "K, J, bet to 5, fold, call, raise to 7",
        ),  # all-in for less than the least raise
        ("no_limit_leduc(stack=7)", [2, 0, 7], "K, J, bet to 7, fold, call"),
        (
            "no_limit_leduc(stack=7)",
            [2, 0, 1, 2, 1, 2],
            "K, J, check, bet to 2, call, K, check, "
            + ", ".join(f"bet to {n}" for n in range(3, 8)),
        ),
        (
            "no_limit_leduc(stack=9)",
            [2, 0, 2, 3, 4, 5],
            "K, J, bet to 2, raise to 3, raise to 4, raise to 5, fold, call",
        ),  # four bets
        (
            "mini_euchre",
            [0b11, 0b10100, 0b1001000, 0b10100000, 0, 4],
            "JsQs KsJc AsKc QcAc Js Jc As",
        ),
        (
            "mini_euchre(bowers=False)",
            [0b11, 0b10100, 0b1001000, 0b10100000, 0],
            "JsQs KsJc AsKc QcAc Js Ks",
        ),
        ("kuhn", [2, 0], "K, J, pass, bet"),
        ("kuhn", [2, 0, 0, 1], "K, J, pass, bet, fold, call"),
        ("kuhn(players=3)", [3, 0, 1, 1, 0], "A, J, Q, bet, fold, fold, call"),
        ("leduc", [2, 0], "K, J, check, bet"),
        ("leduc", [2, 0, 2], "K, J, bet, fold, call, raise"),
        ("leduc", [2, 0, 2, 2], "K, J, bet, raise, fold, call"),
        ("leduc", [2, 0, 2, 1, 1], "K, J, bet, call, Q, check, bet"),
        ("leduc(merge_suits=False)", [5, 0, 1, 1], "Kh, Js, check, check, Jh, Qs, Qh, Ks"),
        ("liars_dice(faces=2)", [1, 0], "2 1 1x1 1x2 2x1 2x2"),
        ("liars_dice(faces=2)", [1, 0, 2], "2 1 2x1 2x2 liar"),
        ("liars_dice(faces=2)", [1, 0, 3], "2 1 2x2 liar"),
        ("goofspiel(cards=3)", [3, 1], "3 1 1 2"),
    ],
)
def test_action_labels(text, actions, labels):
    game, seen = from_text(text), []
    state = game.start()
    for action in actions:
        seen.append(game.action_label(state, action))
        state = game.next(state, action)
    seen += [game.action_label(state, action) for action in game.actions(state)]
    assert seen == labels.split(", " if "," in labels else None)


@pytest.mark.parametrize("ante", [1, 2, 3])
def test_kuhn_with_one_bet_has_its_analytic_solution(ante):
    """With the queen player 0 bluffs with 1/(2S + 1); with the king player 1 calls with (2S - 1)/(2S + 1)."""
    solution = eq.exact(f"kuhn(names='QKA', ante={ante}, pass_ends=True)")
    bets = {
        "Q": 1 / (2 * ante + 1),
        "K": 0,
        "A": 1,
        "Qb": 0,
        "Kb": (2 * ante - 1) / (2 * ante + 1),
        "Ab": 1,
    }
    assert {key: row["b"] for (_, key), row in solution.strategy.items()} == pytest.approx(
        bets, abs=1e-9
    )
    assert solution.value[0] == pytest.approx((2 * ante - 1) / (6 * (2 * ante + 1)), abs=1e-9)
    assert eq.evaluate(
        f"kuhn(names='QKA', ante={ante}, pass_ends=True)",
        {k: {"p": 1 - b, "b": b} for k, b in bets.items()},
    ).nash_conv == pytest.approx(0, abs=1e-12)


def test_cards_have_the_names_they_are_given():
    assert infosets("kuhn(names='QKA', pass_ends=True)") == {"Q", "K", "A", "Qb", "Kb", "Ab"}
    assert {"low", "high pb", "mid p"} < infosets("kuhn(names=('low', 'mid', 'high'))")
    assert eq.exact("kuhn(names='QKA')").value == eq.exact("kuhn").value
    assert str(from_text("kuhn(names='QKA')")) == "kuhn(names='QKA')"


def test_next_leaves_the_state_as_it_was():
    game = make("kuhn")
    state = game.start()
    game.next(state, 1)
    assert state == game.start()


# --- Payoffs, by hand ---


@pytest.mark.parametrize(
    ("text", "actions", "payoffs"),
    [
        ("battleship", [4, 5, 1], [1, -1]),
        ("battleship", [4, 5, 0, 0], [-1, 1]),
        ("battleship", [4, 5, 0, 1, 2, 2, 3, 3], [0, 0]),
        (
            "battleship(ships=(1, 2), values=(3, 5), shots=2)",
            [4, 4, 6, 6, 0, 2, 1, 3],
            [3 - 5, 5 - 3],
        ),
        ("no_limit_leduc", [2, 0, 7, 0], [1, -1]),
        ("no_limit_leduc", [2, 0, 7, 1, 0, 1, 9, 0], [-7, 7]),
        ("no_limit_leduc", [2, 0, 7, 1, 0, 1, 9, 1], [-9, 9]),  # J pairs the public card
        (
            "no_limit_leduc",
            [2, 0, 7, 20, 1, 1],
            [20, -20],
        ),  # all-in: the public card, and it is over
        ("no_limit_leduc", [1, 1, 7, 20, 1, 0], [0, 0]),
        ("no_limit_leduc(ante=3)", [1, 0, 1, 1, 2, 1, 1], [3, -3]),
        # Js takes Jc, the second highest trump: one trick each
        ("mini_euchre", [0b11, 0b10100, 0b1001000, 0b10100000, 0, 4, 3, 5], [0, 0, 0, 0]),
        # Js trumps the Kc that is led, and Jc then beats As: both tricks for players 1 and 3
        ("mini_euchre", [0b1100000, 0b10001, 0b10000010, 0b1100, 6, 0, 7, 2], [-1, 1, -1, 1]),
        ("kuhn", [0, 1, 1, 1], [-2, 2]),
        ("kuhn(ante=2, bet=3)", [0, 1, 1, 0], [2, -2]),
        ("kuhn(ante=2, bet=3)", [0, 1, 0, 1, 1], [-5, 5]),
        ("kuhn(pass_ends=True)", [0, 1, 0], [-1, 1]),
        ("kuhn(players=3)", [3, 0, 1, 0, 1, 1, 0], [-1, -2, 3]),
        (
            "leduc",
            [0, 2, 1, 1, 0, 2, 1],
            [5, -5],
        ),  # J against K, the public card is J: the pair wins
        ("leduc", [0, 0, 2, 2, 1, 2, 1, 1], [0, 0]),  # J against J: a tie
        ("leduc", [0, 2, 2, 2, 0], [-3, 3]),
        ("leduc(ranks=4, suits=1, players=3)", [0, 1, 2, 2, 1, 0, 3, 1, 1], [-3, 4, -1]),
        ("liars_dice", [4, 5, 8 + 2, 12], [1, -1]),  # 5 and a wild 6: two fives, 2x5 is true
        ("liars_dice", [4, 3, 8 + 2, 12], [-1, 1]),
        ("liars_dice(order='face')", [4, 3, 9, 12], [-1, 1]),  # 2x5 again
        ("goofspiel(cards=3)", [1, 2, 2, 3], [-1, 1]),
        ("goofspiel(cards=3, returns='points')", [1, 2, 2, 3], [-4, 4]),
    ],
)
def test_payoffs_by_hand(text, actions, payoffs):
    game = from_text(text)
    state = game.start()
    for action in actions:
        assert action in game.actions(state)
        state = game.next(state, action)
    assert game.player(state) == TERMINAL
    assert game.payoffs(state) == payoffs


def test_matrix_games():
    def payoffs(game, row, column):
        return game.payoffs(game.next(game.next(game.start(), row), column))

    assert payoffs(make("rps"), "paper", "rock") == [1, -1]
    assert payoffs(make("biased_rps"), "rock", "scissors") == [50, -50]
    assert payoffs(make("matching_pennies"), "heads", "tails") == [-1, 1]
    assert payoffs(make("blotto"), "2-2-1", "5-0-0") == [1, -1]
    assert len(make("blotto").actions(())) == math.comb(7, 2)
    dilemma = make(
        "matrix",
        payoffs=[[-1, -3], [0, -2]],
        payoffs2=[[-1, 0], [-3, -2]],
        columns=("stay", "talk"),
    )
    assert payoffs(dilemma, "r1", "talk") == [-3, 0]
    assert payoffs(make("matrix", payoffs=np.array([[1, 2]])), "r1", "c2") == [2, -2]
    assert infosets("rps") == {"row", "column"}


# --- The registry ---


def test_registry_names_and_descriptions():
    for name, game in GAMES.items():
        assert game.name == name
        assert inspect.getdoc(game).partition("\n")[0].endswith(".")
        assert all(p.kind is p.KEYWORD_ONLY for p in inspect.signature(game).parameters.values())


def test_importing_the_games_imports_no_compiler():
    code = "import sys, equilibrist.games; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("khun", {}, r"There is no game 'khun'\. Did you mean 'kuhn'\?"),
        (
            "kuhn",
            {"card": 4},
            r"kuhn has no parameter 'card'; it takes cards, names, players, ante, bet, pass_ends\.",
        ),
        ("rps", {"cards": 4}, r"rps has no parameter 'cards'; it takes none\."),
        ("matrix", {"payoffs": [[10**400]]}, "matrix: payoffs must hold finite numbers"),
        ("kuhn", {"bet": 10**30}, "bet must be a whole number"),
        (
            "matrix",
            {},
            r"matrix needs the parameter 'payoffs'; it takes payoffs, payoffs2, rows, columns\.",
        ),
        ("kuhn", {"cards": 2}, r"kuhn: cards must be a whole number, 3 to 2000; got 2\."),
        (
            "kuhn",
            {"cards": 3, "players": 3},
            r"kuhn: cards must be a whole number, 4 to 2000; got 3\.",
        ),
        ("kuhn", {"players": 4}, r"kuhn: players must be a whole number, 2 to 3; got 4\."),
        ("kuhn", {"ante": 0.5}, r"kuhn: ante must be a whole number, 1 or more; got 0\.5\."),
        ("kuhn", {"bet": True}, r"kuhn: bet must be a whole number, 1 or more; got True\."),
        ("kuhn", {"pass_ends": 1}, r"kuhn: pass_ends must be True or False; got 1\."),
        (
            "kuhn",
            {"pass_ends": True, "players": 3},
            r"kuhn: pass_ends needs players=2; got players=3\.",
        ),
        (
            "kuhn",
            {"names": "QK"},
            r"kuhn: names must be 3 different names of cards, lowest first, as 'QKA'; got 'QK'\.",
        ),
        ("kuhn", {"names": "QQA"}, r"3 different names of cards"),
        ("kuhn", {"names": ["Q", "K", "a b"]}, r"3 different names of cards"),
        (
            "no_limit_leduc",
            {"actions": 1},
            r"no_limit_leduc: actions must be a whole number, 2 to 100; got 1\.",
        ),
        (
            "leduc",
            {"ranks": 1},
            r"leduc: the deck must hold players \+ 1 = 3 cards; got ranks=1 × suits=2\.",
        ),
        ("leduc", {"players": 1}, r"leduc: players must be a whole number, 2 to 10; got 1\."),
        ("leduc", {"raises": 29}, r"leduc: raises must be a whole number, 1 to 28; got 29\."),
        (
            "leduc",
            {"bets": (2,)},
            r"leduc: bets must be 2 whole numbers, each 1 or more; got \(2,\)\.",
        ),
        (
            "leduc",
            {"bets": (2, 0)},
            r"leduc: bets must be 2 whole numbers, each 1 or more; got \(2, 0\)\.",
        ),
        ("leduc", {"ante": "1"}, r"leduc: ante must be a whole number, 1 or more; got '1'\."),
        (
            "leduc",
            {"suits": 5, "merge_suits": False},
            r"leduc: suits must be a whole number, 1 to 4; got 5\.",
        ),
        ("leduc", {"merge_suits": None}, r"leduc: merge_suits must be True or False; got None\."),
        (
            "liars_dice",
            {"dice": 2},
            r"liars_dice: dice must be 2 whole numbers, each 1 or more; got 2\.",
        ),
        (
            "liars_dice",
            {"faces": 1},
            r"liars_dice: faces must be a whole number, 2 or more; got 1\.",
        ),
        (
            "liars_dice",
            {"order": "up"},
            r"liars_dice: order must be 'quantity' or 'face'; got 'up'\.",
        ),
        (
            "liars_dice",
            {"wild_biddable": 0},
            r"liars_dice: wild_biddable must be True or False; got 0\.",
        ),
        ("liars_dice", {"dice": (5, 6)}, r"at most 62 bids; dice=\(5, 6\) and faces=6 make 66\."),
        ("goofspiel", {"cards": 1}, r"goofspiel: cards must be a whole number, 2 to 15; got 1\."),
        ("goofspiel", {"hidden": "no"}, r"goofspiel: hidden must be True or False; got 'no'\."),
        (
            "goofspiel",
            {"prizes": "up"},
            r"prizes must be 'descending' or 'ascending' or 'random'; got 'up'\.",
        ),
        (
            "goofspiel",
            {"returns": []},
            r"goofspiel: returns must be 'win_loss' or 'points'; got \[\]\.",
        ),
        (
            "battleship",
            {"height": 0},
            r"battleship: height must be a whole number, 1 to 62; got 0\.",
        ),
        ("battleship", {"height": 8, "width": 8}, r"at most 62 cells; height=8 × width=8 are 64\."),
        (
            "battleship",
            {"ships": []},
            r"ships must be 1 to 8 whole numbers, each 1 or more; got \[\]\.",
        ),
        (
            "battleship",
            {"ships": (0,)},
            r"ships must be 1 to 8 whole numbers, each 1 or more; got \(0,\)\.",
        ),
        (
            "battleship",
            {"ships": (3,)},
            r"without sharing a cell; ships=\(3,\) do not on height=2 × width=2\.",
        ),
        ("battleship", {"ships": (2, 2, 1)}, r"ships=\(2, 2, 1\) do not on height=2 × width=2\."),
        (
            "battleship",
            {"values": (1, 2)},
            r"values must be 1 whole numbers, each 0 or more; got \(1, 2\)\.",
        ),
        ("battleship", {"shots": 5}, r"battleship: shots must be a whole number, 1 to 4; got 5\."),
        (
            "battleship",
            {"shots": 101, "repeat": True},
            r"shots must be a whole number, 1 to 100; got 101\.",
        ),
        ("battleship", {"repeat": 1}, r"battleship: repeat must be True or False; got 1\."),
        (
            "mini_euchre",
            {"cards": 1},
            r"mini_euchre: cards must be a whole number, 2 to 4; got 1\.",
        ),
        (
            "mini_euchre",
            {"cards": 3},
            r"hold 12 to 16 cards for cards=3 and turned=False; got suits=2 × ranks=4\.",
        ),
        (
            "mini_euchre",
            {"turned": True},
            r"hold 9 to 16 cards for cards=2 and turned=True; got suits=2 × ranks=4\.",
        ),
        (
            "mini_euchre",
            {"ranks": 13},
            r"hold 8 to 16 cards for cards=2 and turned=False; got suits=2 × ranks=13\.",
        ),
        (
            "mini_euchre",
            {"suits": 5},
            r"mini_euchre: suits must be a whole number, 1 to 4; got 5\.",
        ),
        (
            "mini_euchre",
            {"suits": 4, "ranks": 2},
            r"bowers=True needs ranks=3 or more, for a jack; got ranks=2\.",
        ),
        ("mini_euchre", {"bowers": "no"}, r"mini_euchre: bowers must be True or False; got 'no'\."),
        ("mini_euchre", {"turned": 0}, r"mini_euchre: turned must be True or False; got 0\."),
        (
            "no_limit_leduc",
            {"stack": 1},
            r"no_limit_leduc: stack must be a whole number, 2 to 10000; got 1\.",
        ),
        (
            "no_limit_leduc",
            {"ante": 0},
            r"no_limit_leduc: ante must be a whole number, 1 or more; got 0\.",
        ),
        (
            "no_limit_leduc",
            {"bets": 31},
            r"no_limit_leduc: bets must be a whole number, 1 to 30; got 31\.",
        ),
        ("no_limit_leduc", {"ranks": 1}, r"the deck must hold 3 cards; got ranks=1 × suits=2\."),
        (
            "no_limit_leduc",
            {"suits": 5, "merge_suits": False},
            r"suits must be a whole number, 1 to 4; got 5\.",
        ),
        (
            "no_limit_leduc",
            {"merge_suits": 2},
            r"no_limit_leduc: merge_suits must be True or False; got 2\.",
        ),
        ("blotto", {"soldiers": 0}, r"blotto: soldiers must be a whole number, 1 or more; got 0\."),
        ("blotto", {"fields": 0}, r"blotto: fields must be a whole number, 1 or more; got 0\."),
        (
            "blotto",
            {"soldiers": 100, "fields": 9},
            r"blotto: at most 5000 ways to split are allowed",
        ),
        (
            "matrix",
            {"payoffs": []},
            r"matrix: payoffs must be rows of numbers, all of one length; got \[\]\.",
        ),
        ("matrix", {"payoffs": [[]]}, r"matrix: payoffs must be rows of numbers"),
        ("matrix", {"payoffs": [[1, 2], [3]]}, r"matrix: payoffs must be rows of numbers"),
        (
            "matrix",
            {"payoffs": 3},
            r"matrix: payoffs must be rows of numbers, all of one length; got 3\.",
        ),
        (
            "matrix",
            {"payoffs": [[math.nan]]},
            r"matrix: payoffs must hold finite numbers; got nan\.",
        ),
        ("matrix", {"payoffs": [["1"]]}, r"matrix: payoffs must hold finite numbers; got '1'\."),
        (
            "matrix",
            {"payoffs": [[1]], "payoffs2": [[1, 2]]},
            r"payoffs2 must have the shape of payoffs, 1 × 1; got 1 × 2",
        ),
        (
            "matrix",
            {"payoffs": [[1]], "rows": ["a", "b"]},
            r"matrix: rows must be 1 different names; got \['a', 'b'\]\.",
        ),
        (
            "matrix",
            {"payoffs": [[1, 2]], "columns": ["a", "a"]},
            r"matrix: columns must be 2 different names",
        ),
    ],
)
def test_wrong_settings_are_refused(name, settings, message):
    with pytest.raises(GameError, match=message) as caught:
        make(name, **settings)
    assert caught.value.wrong_use


# --- OpenSpiel agrees ---

GOOFSPIEL = "turn_based_simultaneous_game(game=goofspiel({}))"
BATTLESHIP = (
    "battleship(board_height={},board_width={},ship_sizes=[{}],ship_values=[{}],num_shots={},"
    "allow_repeated_shots={},loss_multiplier=1.0)"
)
NO_LIMIT = (
    "universal_poker(betting=nolimit,numPlayers=2,numRounds=2,blind={0} {0},firstPlayer=1 1,numSuits=2,numRanks=3,"
    "numHoleCards=1,numBoardCards=0 1,stack={1} {1},bettingAbstraction=fullgame)"
)
TWINS = {
    "battleship": BATTLESHIP.format(2, 2, 1, 1, 3, "false"),
    "battleship(shots=2, repeat=True)": BATTLESHIP.format(2, 2, 1, 1, 2, "true"),
    "battleship(ships=(1, 2), values=(1, 2), shots=2)": BATTLESHIP.format(
        2, 2, "1;2", "1;2", 2, "false"
    ),
    "battleship(ships=(2, 1), values=(3, 2), shots=2, repeat=True)": BATTLESHIP.format(
        2, 2, "2;1", "3;2", 2, "true"
    ),
    "battleship(height=1, width=4, ships=(2, 2), shots=2)": BATTLESHIP.format(
        1, 4, "2;2", "1;1", 2, "false"
    ),
    "battleship(width=3, ships=(2, 3), values=(2, 5), shots=2)": BATTLESHIP.format(
        2, 3, "2;3", "2;5", 2, "false"
    ),
    "no_limit_leduc(stack=5, merge_suits=False)": NO_LIMIT.format(1, 5),
    "no_limit_leduc(stack=5, ante=2, merge_suits=False)": NO_LIMIT.format(2, 5),
    "kuhn": "kuhn_poker",
    "kuhn(players=3)": "kuhn_poker(players=3)",
    "leduc(merge_suits=False)": "leduc_poker",
    "liars_dice(faces=2)": "liars_dice(dice_sides=2)",
    "liars_dice(faces=4)": "liars_dice(dice_sides=4)",
    "liars_dice(faces=4, order='face')": "liars_dice(dice_sides=4,bidding_rule=reset-quantity)",
    "liars_dice(dice=(2, 2), faces=2)": "liars_dice(numdice=2,dice_sides=2)",
    "goofspiel": GOOFSPIEL.format("imp_info=True,num_cards=4,points_order=descending"),
    "goofspiel(cards=3, hidden=False, prizes='random')": GOOFSPIEL.format("num_cards=3"),
    "goofspiel(prizes='ascending', returns='points')": GOOFSPIEL.format(
        "imp_info=True,num_cards=4,points_order=ascending,returns_type=point_difference"
    ),
}


@pytest.mark.thinned(3)
@pytest.mark.parametrize(("text", "twin"), TWINS.items(), ids=list(TWINS))
def test_same_tree_as_openspiel(text, twin):
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    scale = 2 if "point_difference" in twin else 1  # theirs is the distance from the mean
    leaves, seen, histories = Counter(), set(), 0
    stack = [(pyspiel.load_game(twin).new_initial_state(), 1.0)]
    while stack:
        state, chance_reach = stack.pop()
        histories += 1
        if state.is_terminal():
            leaves[_leaf([scale * payoff for payoff in state.returns()], chance_reach)] += 1
        elif state.is_chance_node():
            stack += [(state.child(a), chance_reach * q) for a, q in state.chance_outcomes()]
        else:
            seen.add((state.current_player(), state.information_state_string()))
            stack += [(state.child(a), chance_reach) for a in state.legal_actions()]
    tree = walk(text)
    assert (tree.leaves, len(tree.actions), tree.histories) == (leaves, len(seen), histories)


SAME_CODES = [text for text in TWINS if text.startswith("battleship")]


@pytest.mark.thinned(4)
@pytest.mark.parametrize("text", SAME_CODES)
def test_same_infosets_as_openspiel(text):
    """Node for node: the same mover, actions and payoffs, and the infosets of one are those of the other."""
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    game, pairs, nodes = from_text(text), set(), 0
    stack = [(game.start(), pyspiel.load_game(TWINS[text]).new_initial_state())]
    while stack:
        ours, theirs = stack.pop()
        nodes += 1
        player = game.player(ours)
        if theirs.is_terminal():
            assert player == TERMINAL
            assert game.payoffs(ours) == theirs.returns()
            continue
        assert player == theirs.current_player()
        assert game.actions(ours) == theirs.legal_actions()
        pairs.add((player, game.infoset(ours), theirs.information_state_string()))
        stack += [(game.next(ours, action), theirs.child(action)) for action in game.actions(ours)]
    assert nodes == walk(text).histories
    assert len(pairs) == len({pair[:2] for pair in pairs}) == len({pair[::2] for pair in pairs})


@pytest.mark.thinned(4)
@pytest.mark.parametrize("text", SAME_CODES)
def test_same_nash_conv_as_openspiel(text):
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    game, twin, rng = from_text(text), pyspiel.load_game(TWINS[text]), random.Random(text)
    ours, theirs = {}, {}
    stack = [(game.start(), twin.new_initial_state())]
    while stack:
        state, other = stack.pop()
        if other.is_terminal():
            continue
        actions = game.actions(state)
        infoset = game.player(state), game.infoset(state)
        if infoset not in ours:
            weights = [rng.random() for _ in actions]
            shares = [weight / sum(weights) for weight in weights]
            labels = [game.action_label(state, action) for action in actions]
            ours[infoset] = dict(zip(labels, shares, strict=True))
            theirs[other.information_state_string()] = list(zip(actions, shares, strict=True))
        stack += [(game.next(state, action), other.child(action)) for action in actions]
    # OpenSpiel's table has no player in its keys, nor do its texts need one here: they count the moves made.
    assert len(ours) == len(theirs)
    for strategy, policy in (
        ({}, pyspiel.UniformRandomPolicy(twin)),
        (ours, pyspiel.TabularPolicy(theirs)),
    ):
        result = evaluate(game, strategy, missing="uniform")
        assert result.nash_conv == pytest.approx(pyspiel.nash_conv(twin, policy), abs=1e-9)
        values = pyspiel.expected_returns(twin.new_initial_state(), policy, -1, True)
        assert result.value == pytest.approx(values, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "twin"),
    [
        (
            "battleship(height=5, width=6, ships=(2, 3, 3, 4), values=(1, 2, 3, 4), shots=20)",
            BATTLESHIP.format(5, 6, "2;3;3;4", "1;2;3;4", 20, "false"),
        ),
        (
            "battleship(height=3, width=3, ships=(1, 2, 3, 3), shots=5)",
            BATTLESHIP.format(3, 3, "1;2;3;3", "1;1;1;1", 5, "false"),
        ),
        (
            "battleship(height=3, width=4, ships=(2, 4, 3, 2), shots=20, repeat=True)",
            BATTLESHIP.format(3, 4, "2;4;3;2", "1;1;1;1", 20, "true"),
        ),
        ("leduc(ranks=4, players=3, merge_suits=False)", "leduc_poker(players=3)"),
        ("leduc(ranks=6, players=5, merge_suits=False)", "leduc_poker(players=5)"),
        ("liars_dice(dice=(2, 2))", "liars_dice(numdice=2)"),
        (
            "goofspiel(cards=13, prizes='random', hidden=False)",
            "turn_based_simultaneous_game(game=goofspiel())",
        ),
    ],
)
def test_same_play_as_openspiel(text, twin):
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    game, rng = from_text(text), random.Random(text)
    offset = (
        1 if game.name == "goofspiel" else 0
    )  # our cards are named by their value, theirs count from 0
    for _ in range(200):
        ours, theirs = game.start(), pyspiel.load_game(twin).new_initial_state()
        while (player := game.player(ours)) != TERMINAL:
            assert player == theirs.current_player()
            actions = game.actions(ours)
            assert actions == [action + offset for action in theirs.legal_actions()]
            if player == CHANCE:
                assert game.probabilities(ours) == pytest.approx(
                    [q for _, q in theirs.chance_outcomes()]
                )
            action = rng.choice(actions)
            ours = game.next(ours, action)
            theirs.apply_action(action - offset)
        assert theirs.is_terminal()
        assert game.payoffs(ours) == pytest.approx(theirs.returns())


# --- The same rules, compiled ---


@cache
def compiled(rules):
    """Return the rules as compiled functions."""
    return type(rules)(*map(numba.njit, rules))


@pytest.mark.slow
@pytest.mark.parametrize("text", RULES)
def test_compiled_rules_agree_with_python(text):
    game, rng = from_text(text), random.Random(text)
    compile_rules(game)  # which lets the rules call their helpers when they are compiled here
    rules = compiled(game.rules)
    p = np.array(game.parameters, dtype=np.int64)
    whole = np.zeros(max(game.max_actions, game.max_observation), dtype=np.int64)
    real = np.zeros(max(game.max_actions, game.players))
    for _ in range(100):
        state = game.start()
        s = np.array(state, dtype=np.int64)
        while (player := game.player(state)) != TERMINAL:
            assert rules.player(p, s) == player
            actions = game.actions(state)
            assert whole[: rules.actions(p, s, whole)].tolist() == actions
            if player == CHANCE:
                assert rules.chances(p, s, real) == 0
                assert real[: len(actions)].tolist() == game.probabilities(state)
                known = rules.public(p, s, whole)
                assert (None if known < 0 else tuple(whole[:known].tolist())) == game.public(state)
            else:
                observation = [0] * game.max_observation
                count = game.rules.observe(game.parameters, state, observation)
                assert whole[: rules.observe(p, s, whole)].tolist() == observation[:count]
            action = rng.choice(actions)
            state = game.next(state, action)
            assert rules.play(p, s, action) == 0
            assert tuple(s.tolist()) == state
        assert rules.player(p, s) == TERMINAL
        assert rules.payoffs(p, s, real) == 0
        assert real[: game.players].tolist() == game.payoffs(state)


@pytest.mark.parametrize(
    ("plain", "numpy"),
    [
        ("kuhn(players=3)", Kuhn(players=np.int64(3))),
        ("kuhn(cards=5, ante=2)", Kuhn(cards=np.int32(5), ante=np.uint8(2))),
        ("leduc(ranks=4, bets=(1, 3))", Leduc(ranks=np.int64(4), bets=tuple(np.array([1, 3])))),
        ("goofspiel(cards=3)", Goofspiel(cards=np.int64(3))),
        (
            "liars_dice(dice=(1, 1), faces=3)",
            LiarsDice(dice=list(np.array([1, 1])), faces=np.int8(3)),
        ),
        ("blotto(soldiers=3, fields=2)", Blotto(soldiers=np.int64(3), fields=np.int64(2))),
        ("battleship(shots=2)", Battleship(shots=np.int64(2), ships=tuple(np.array([1])))),
    ],
)
def test_integers_of_numpy_are_whole_numbers(plain, numpy):
    made = from_text(plain)
    assert str(numpy) == str(made)
    assert numpy.players == made.players
    assert eq.compile_game(numpy).fingerprint == eq.compile_game(made).fingerprint


def test_the_number_of_players_may_be_of_numpy():
    class Choice:
        players = np.int64(1)

        def start(self):
            return ""

        def player(self, state):
            return TERMINAL if state else 0

        def actions(self, state):
            return "ab"

        def probabilities(self, state):
            return []

        def next(self, state, action):
            return action

        def payoffs(self, state):
            return [float(state == "a")]

        def infoset(self, state):
            return "choose"

    assert eq.check_game(Choice()).players == 1
    Choice.players = 1.0
    with pytest.raises(GameError, match=r"players must be a whole number, 1 to 100; got 1\.0"):
        eq.check_game(Choice())
