"""Fractions: values and plans that prove themselves, evaluations without rounding, proofs and their checker."""

import json
import random
import re
import runpy
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.evaluation import rational_program
from equilibrist.evaluation.proofs import check_proof, read_proof
from equilibrist.evaluation.rational import (
    exact_ratio,
    fraction_text,
    short_fraction,
    walk_in_fractions,
)
from equilibrist.form.sequence.build import check_and_unfold
from equilibrist.games.matrix import Matrix
from equilibrist.games.registry import GAMES

ROOT = Path(__file__).parents[2]
CHECKER = ROOT / "examples" / "check_proof.py"
copied_check = runpy.run_path(str(CHECKER))["check"]

LEDUC = Fraction(-1454920850547486749701863871533, 16995463438839962469905132501930)
VALUES = {
    "kuhn": Fraction(-1, 18),
    "kuhn(cards=12)": Fraction(-49, 792),
    "liars_dice(faces=2)": Fraction(1, 2),
    "liars_dice(faces=3)": Fraction(1, 9),
    "liars_dice(faces=4)": Fraction(1, 16),
    "goofspiel(cards=4)": Fraction(0),
    "leduc": LEDUC,
    "matrix(payoffs=[[0, 2, -1], [-1, 0, 1], [1, -1, 0]])": Fraction(1, 12),
    "matrix(payoffs=[[1, 1], [1, 1]])": Fraction(1),
    "matrix(payoffs=[[0.1, 0], [0, 0.2]])": Fraction(1, 15),
}
SLOW_VALUES = {
    "goofspiel(cards=5)": Fraction(0),
    "kuhn(cards=100)": Fraction(-1121, 19800),
    "leduc(merge_suits=False)": LEDUC,
    "liars_dice(faces=5)": Fraction(1, 125),
    "liars_dice(faces=6)": Fraction(-7, 258),
    "no_limit_leduc(stack=5)": Fraction(-429023, 5334960),
}


@pytest.mark.thinned(12)
@pytest.mark.parametrize("game", VALUES)
def test_values_are_the_known_fractions(game):
    solution = eq.exact(game, rational=True)
    assert solution.value[0] == VALUES[game]
    assert solution.value[1] == -VALUES[game]
    assert solution.evaluation.exploitability == 0
    assert float(solution.value[0]) == pytest.approx(eq.exact(game).value[0], abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("game", SLOW_VALUES)
def test_larger_values_are_the_known_fractions(game):
    assert eq.exact(game, rational=True).value[0] == SLOW_VALUES[game]


SMALL = [
    "battleship(shots=2)",
    "biased_rps",
    "blotto",
    "dark_hex(size=2)",
    "dark_hex(size=2, abrupt=True)",
    "goofspiel(cards=3)",
    "kuhn",
    "kuhn(players=3)",
    "leduc",
    "leduc(players=3, ranks=2, raises=1)",
    "liars_dice(faces=3)",
    "liars_dice(dice=(2, 1), faces=2)",
    "matching_pennies",
    "matrix(payoffs=[[3, 0], [5, 1]], payoffs2=[[3, 5], [0, 1]])",
    "no_limit_leduc(stack=3)",
    "phantom_ttt(rows=2, columns=2, line=2)",
    "rps",
]
LARGE = {"mini_euchre", "rhode_island", "rlcard_leduc"}  # tens of thousands of histories


def test_every_family_of_games_has_a_small_one():
    assert {game.partition("(")[0] for game in SMALL} | LARGE == set(GAMES)


@pytest.mark.thinned(40)
@pytest.mark.parametrize(
    "game",
    [
        *SMALL,
        pytest.param("mini_euchre", marks=pytest.mark.slow),
        pytest.param("rlcard_leduc", marks=pytest.mark.slow),
        pytest.param("rhode_island(ranks=5, suits=1, raises=1)", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("iterations", [0, 7])
def test_certificates_in_floating_point_are_those_in_fractions(game, iterations):
    strategy = {} if not iterations else eq.solve(game, iterations=iterations).strategy
    exact = eq.evaluate(game, strategy, missing="uniform", rational=True)
    rounded = eq.evaluate(game, strategy, missing="uniform")
    assert exact.histories == rounded.histories
    assert exact.infosets == rounded.infosets
    assert list(map(float, exact.value)) == pytest.approx(rounded.value, abs=1e-12)
    best = list(map(float, exact.best_response_value))
    assert best == pytest.approx(rounded.best_response_value, abs=1e-12)
    assert float(exact.exploitability) == pytest.approx(rounded.exploitability, abs=1e-12)
    assert all(isinstance(number, Fraction) for number in exact.value)


def test_uniform_play_of_leduc_in_fractions():
    result = eq.evaluate("leduc", {}, missing="uniform", rational=True)
    assert result.value == (Fraction(-5, 64), Fraction(5, 64))
    assert result.best_response_value == (Fraction(167, 80), Fraction(383, 144))


def test_a_float_is_the_simplest_ratio_that_it_is():
    for ratio in (Fraction(1, 6), Fraction(1, 10), Fraction(-7, 3), Fraction(0), Fraction(22, 7)):
        assert exact_ratio(float(ratio)) == ratio
        assert exact_ratio(ratio) is ratio or exact_ratio(ratio) == ratio
    rng = random.Random(0)
    for _ in range(200):
        ratio = Fraction(rng.randrange(-500, 500), rng.randrange(1, 500))
        assert exact_ratio(float(ratio)) == ratio
    tiny = 2.0**-70
    assert exact_ratio(tiny) == Fraction(tiny)
    with pytest.raises(eq.GameError, match="finite number"):
        exact_ratio(float("nan"))


class Biased:
    """A coin that falls on its head in one throw of three, which only player 0 sees, and player 1 guesses."""

    players = 2

    def start(self):
        return ""

    def player(self, state):
        return (eq.CHANCE, 1, eq.TERMINAL)[len(state)]

    def actions(self, state):
        return "ht"

    def probabilities(self, state):
        return [Fraction(1, 3), Fraction(2, 3)]

    def next(self, state, action):
        return state + action

    def payoffs(self, state):
        won = Fraction(1, 7) if state[0] == state[1] else Fraction(-1, 7)
        return [-won, won]

    def infoset(self, state):
        return "guess"


def test_rules_may_return_fractions():
    solution = eq.exact(Biased(), rational=True)
    assert solution.value == (Fraction(-1, 21), Fraction(1, 21))
    assert solution.strategy[1, "guess"] == {"h": Fraction(0), "t": Fraction(1)}


class Crooked(Biased):
    """Chance whose probabilities are no ratios that sum to 1."""

    def probabilities(self, state):
        return [0.3333, 0.6667000001]


@pytest.mark.slow
def test_payoffs_of_any_size_have_their_value():
    for scale in (Fraction(1, 10**12), Fraction(10**15), Fraction(1, 3 * 10**40)):
        solution = eq.exact(Scaled(scale), rational=True)
        assert solution.value[0] == Fraction(-1, 18) * scale
    mixed = eq.exact("matrix(payoffs=[[1e15, 0], [0, 2e-12]])", rational=True)
    assert mixed.value[0] == Fraction(10**15 * 2, 10**27 + 2) * 1


class Scaled:
    """Kuhn poker for other stakes."""

    players = 2

    def __init__(self, scale):
        self.kuhn = eq.load("kuhn")
        self.scale = scale

    def __getattr__(self, name):
        return getattr(self.kuhn, name)

    def payoffs(self, state):
        return [Fraction(payoff) * self.scale for payoff in self.kuhn.payoffs(state)]


class Noisy(Scaled):
    """Leduc poker whose payoffs have all digits of a float."""

    def __init__(self):
        self.kuhn = eq.load("leduc")
        self.rng = random.Random(0)
        self.won = {}

    def payoffs(self, state):
        if state not in self.won:
            self.won[state] = self.kuhn.payoffs(state)[0] + self.rng.random() / 10
        return [self.won[state], -self.won[state]]


@pytest.mark.slow
def test_a_basis_of_payoffs_with_many_digits_is_optimal():
    """Each of the pivots from another would take seconds: with HiGHS's usual tolerance there are more than fifteen."""
    said = []
    game = Noisy()
    solution = eq.exact(game, rational=True, callbacks=said.append)
    assert solution.evaluation.exploitability == 0
    assert not any("pivots" in text for text in said)
    assert copied_check(game, solution.proof())[0]


@pytest.mark.parametrize("named", ["nothing", "noise", "the opposite"])
def test_a_basis_that_is_not_optimal_is_pivoted(monkeypatch, named):
    """Whatever floating point names, the answer is the value: exact pivots lead there."""
    solve = rational_program._solve_in_floats
    rng = np.random.default_rng(0)

    def misname(problem):
        point = solve(problem)
        return {
            "nothing": np.zeros_like(point),
            "noise": rng.random(len(point)) - 0.5,
            "the opposite": (point <= 0).astype(float),
        }[named]

    monkeypatch.setattr(rational_program, "_solve_in_floats", misname)
    said = []
    solution = eq.exact("kuhn(cards=5)", rational=True, callbacks=said.append)
    assert solution.value[0] == Fraction(-1, 15)
    assert any("pivots" in text for text in said)


def test_fractions_of_a_file_are_kept(tmp_path):
    """Neither the payoff nor the probability is the simplest ratio with its float."""
    payoff = Fraction(10**20 + 1, 3 * 10**20)
    chance = Fraction(10**19 + 1, 3 * 10**19)
    path = tmp_path / "coin.efg"
    path.write_text(
        f'EFG 2 R "coin" {{ "Ann" "Ben" }} c "" 1 "" {{ "h" {chance} "t" {1 - chance} }} 0\n'
        f't "" 1 "" {{ {payoff} {-payoff} }}\nt "" 2 "" {{ 0 0 }}\n'
    )
    assert eq.exact(str(path), rational=True).value[0] == chance * payoff
    assert eq.evaluate(str(path), {}, rational=True).value[0] == chance * payoff
    proof = tmp_path / "coin.proof.json"
    eq.exact(str(path), rational=True).write_proof(proof)
    assert run_checker(proof).stdout == "equal: proved\n"
    table = tmp_path / "table.nfg"
    table.write_text(f'NFG 1 R "table" {{ "A" "B" }} {{ 1 1 }} {payoff} {-payoff}')
    assert eq.exact(str(table), rational=True).value[0] == payoff
    path.write_text(path.read_text().replace(str(1 - chance), "0.6666666666"))
    with pytest.raises(eq.GameError, match=r"a file may say 1/3"):
        eq.exact(str(path), rational=True)


@pytest.mark.slow
def test_a_walk_says_beforehand_how_long_it_takes():
    said = []
    eq.evaluate(
        "leduc(merge_suits=False)", {}, missing="uniform", rational=True, callbacks=said.append
    )
    assert re.fullmatch(
        r"Walking leduc\(merge_suits=False\) in fractions: 2,000 histories of about [\d,]+, \d+ seconds to go",
        said[0],
    )
    with pytest.raises(eq.GameError, match=r"has about .* histories; fractions take 2,000,000"):
        eq.exact("phantom_ttt", rational=True)


def test_numbers_of_a_matrix_are_kept():
    """Neither is a float: the one has 21 digits, and the other no end in base 2."""
    long = 10**20 + 1
    assert eq.exact(f"matrix(payoffs=[[{long}]])", rational=True).value[0] == long
    third = Fraction(long, 3)
    assert eq.exact(Matrix(payoffs=[[third, long]]), rational=True).value == (third, -third)
    assert Matrix(payoffs=[[third]]).payoffs(("r1", "c1")) == [float(third), -float(third)]
    table = f"[[{long}, {long - 1}]]"
    result = eq.all_equilibria(f"matrix(payoffs={table}, payoffs2={table})")
    assert [equilibrium.payoffs for equilibrium in result.equilibria] == [(long, long)]


def test_a_proof_names_the_file_of_its_game(tmp_path):
    path = tmp_path / "one.nfg"
    path.write_text('NFG 1 R "one" { "A" "B" } { 1 1 } 1/3 -1/3')
    assert eq.exact(path, rational=True).game == str(path)
    assert eq.all_equilibria(path).game == str(path)


@pytest.fixture
def proof(tmp_path):
    path = tmp_path / "leduc.proof.json"
    eq.exact("leduc", rational=True).write_proof(path)
    return path


def run_checker(path, *rules):
    """Run the checker of the examples on a proof."""
    return subprocess.run(
        [sys.executable, str(CHECKER), str(path), *rules],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_a_proof_is_checked_by_the_command_and_by_the_copied_checker(proof, tmp_path):
    game = walk_in_fractions(check_and_unfold(eq.load("leduc")))
    assert check_proof(read_proof(proof), game, proof).value[0] == LEDUC
    ran = run_checker(proof)
    assert (ran.returncode, ran.stdout) == (0, "equal: proved\n")
    assert proof.stat().st_size < 100_000
    assert len(CHECKER.read_text(encoding="utf-8").splitlines()) <= 80


def test_the_checker_needs_nothing_but_python_and_the_rules(tmp_path):
    path = tmp_path / "coin.proof.json"
    eq.exact(Biased(), rational=True).write_proof(path)
    rules = tmp_path / "coin.py"
    lines = Path(__file__).read_text(encoding="utf-8").split("class Biased:")[1].split("\n\n\n")[0]
    text = lines.replace("eq.CHANCE", "-1").replace("eq.TERMINAL", "-2")
    rules.write_text(f"from fractions import Fraction\n\n\nclass Biased:{text}\n")
    ran = subprocess.run(
        [sys.executable, "-I", "-S", str(CHECKER), str(path), f"{rules}:Biased"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (0, "equal: proved\n")


@pytest.mark.slow
def test_a_proof_that_is_edited_in_one_digit_fails(proof):
    text = proof.read_text(encoding="utf-8")
    game = walk_in_fractions(check_and_unfold(eq.load("leduc")))
    places = [i for i, letter in enumerate(text) if letter.isdigit() and i > text.index("value")]
    rng = random.Random(0)
    for place in rng.sample(places, 60):
        digit = str((int(text[place]) + 1) % 10)
        edited = text[:place] + digit + text[place + 1 :]
        told = json.loads(edited)
        with pytest.raises(eq.SolutionError, match="proves"):
            check_proof(told, game, proof)
        try:
            proved = copied_check(eq.load("leduc"), told)[0]
        except SystemExit:
            proved = False
        assert not proved


def test_broken_proofs_are_one_sentence(tmp_path, proof):
    path = tmp_path / "x.json"
    repeated = '{"format": "equilibrist proof 1", "game": "kuhn", "game": "leduc"}'
    deep = "[" * 100_000
    for content in (
        "",
        "[]",
        "{}",
        '{"format": "equilibrist proof 1"}',
        "\x00",
        repeated,
        deep,
        '{"value": NaN}',
    ):
        path.write_text(content)
        with pytest.raises(eq.SolutionError, match=r"x\.json"):
            read_proof(path)
    game = walk_in_fractions(check_and_unfold(eq.load("leduc")))
    whole = json.loads(proof.read_text(encoding="utf-8"))
    for change in (
        {"strategy": 3},
        {"strategy": []},
        {"strategy": [{"player": 0}]},
        {"value": ["1/0"]},
        {"value": [1e999, 0]},
        {"value": ["1e999999999", "0"]},
        {"strategy": whole["strategy"] * 2},
        {"strategy": whole["strategy"] + [{"player": 0, "infoset": "x", "probabilities": {}}]},
        {"value": []},
        {"value": None},
    ):
        with pytest.raises(eq.SolutionError, match="proves"):
            check_proof(whole | change, game, path)


SPELLED = [
    "1_0/20",
    " 1/2",
    "+1/2",
    "0x1",
    "١/٢",
    "1/0",
    "0.5",
    "5e-1",
    "-1/-2",
    "1/-2",
    "nan",
    "1//2",
    "",
    0.5,
    1,
    None,
]


@pytest.mark.parametrize("text", SPELLED, ids=repr)
def test_fractions_of_a_proof_are_written_in_one_way(tmp_path, text):
    path = tmp_path / "coin.proof.json"
    eq.exact(Coin(), rational=True).write_proof(path)
    told = json.loads(path.read_text(encoding="utf-8"))
    told["strategy"][0]["probabilities"] = {"h": text, "t": "1/2"}
    with pytest.raises(eq.SolutionError, match="its plans are not as they should be"):
        check_proof(told, walk_in_fractions(Coin()), path)
    with pytest.raises((SystemExit, TypeError)):
        copied_check(Coin(), told)


class Coin(Biased):
    """A fair coin under a hand: player 0 lays it, player 1 guesses."""

    def player(self, state):
        return (0, 1, eq.TERMINAL)[len(state)]

    def payoffs(self, state):
        won = 1 if state[0] == state[1] else -1
        return [-won, won]


class Forgetful(Coin):
    """Player 0 moves twice, wins by different moves, and forgets the first: half of the games can be won."""

    def player(self, state):
        return 0 if len(state) < 2 else eq.TERMINAL

    def payoffs(self, state):
        won = int(state[0] != state[1])
        return [won, -won]

    def infoset(self, state):
        return str(len(state))


class Paying(Coin):
    """Whatever the players do, player 0 is paid 5."""

    def payoffs(self, state):
        return [5, -5]


class Impossible(Coin):
    """The coin is laid by chance, and cannot fall on its head."""

    def player(self, state):
        return (eq.CHANCE, 0, 1, eq.TERMINAL)[len(state)]

    def probabilities(self, state):
        return [0.0, 1.0]

    def payoffs(self, state):
        won = 1 if state[1] == state[2] else -1
        return [-won, won]

    def infoset(self, state):
        return f"after {state[0]}"


def write_plans(value, *plans):
    """Return a proof with one infoset of each player."""
    return {
        "value": value,
        "strategy": [
            {"player": player, "infoset": "guess", "probabilities": plan}
            for player, plan in enumerate(plans)
        ],
    }


@pytest.mark.parametrize(
    "plan",
    [
        {"h": "0", "t": "0", "another": "1"},
        {"h": "0", "t": "0"},
        {"h": "1"},
        {"h": "-1", "t": "2"},
        {},
    ],
    ids=str,
)
def test_plans_that_are_none_prove_nothing(tmp_path, plan):
    """With plans that never play, both best responses would win 0, of a game that pays 5."""
    proof = write_plans(["0", "0"], plan, plan)
    with pytest.raises(eq.SolutionError, match="proves nothing"):
        check_proof(proof, walk_in_fractions(Paying()), "x")
    with pytest.raises((SystemExit, ValueError)):
        copied_check(Paying(), proof)
    path = tmp_path / "x.json"
    path.write_text(json.dumps(proof))
    rules = tmp_path / "paying.py"
    rules.write_text(PAYING)
    ran = subprocess.run(
        [sys.executable, "-O", str(CHECKER), str(path), f"{rules}:Paying"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    assert "equal: proved" not in ran.stdout


PAYING = """
class Paying:
    players = 2

    def start(self):
        return ""

    def player(self, state):
        return (0, 1, -2)[len(state)]

    def actions(self, state):
        return "ht"

    def next(self, state, action):
        return state + action

    def payoffs(self, state):
        return [5, -5]

    def infoset(self, state):
        return "guess"
"""


def test_no_value_is_proved_of_a_game_that_has_none():
    """What a player forgets, or three players, or payoffs that do not sum to 0: equilibria prove no value there."""
    for call in (
        lambda: eq.exact(Forgetful(), rational=True),
        lambda: eq.evaluate(Forgetful(), {}, missing="uniform", rational=True),
    ):
        with pytest.raises(eq.GameError, match="imperfect recall"):
            call()
    forgetful = {
        "value": ["1", "-1"],
        "strategy": [
            {"player": 0, "infoset": key, "probabilities": {"h": "1", "t": "0"}} for key in "01"
        ],
    }
    with pytest.raises(SystemExit, match="does not tell what its player did"):
        copied_check(Forgetful(), forgetful)
    dilemma = eq.load("matrix(payoffs=[[1, -2], [2, 0]], payoffs2=[[1, 2], [-2, 0]])")
    defect = {
        "value": ["0", "0"],
        "strategy": [
            {"player": 0, "infoset": "row", "probabilities": {"r1": "0", "r2": "1"}},
            {"player": 1, "infoset": "column", "probabilities": {"c1": "0", "c2": "1"}},
        ],
    }
    with pytest.raises(eq.AlgorithmError, match="do not sum to 0"):
        check_proof(defect, walk_in_fractions(dilemma), "x")
    with pytest.raises(SystemExit, match="payoffs of two players do not sum to 0"):
        copied_check(dilemma, defect)


def test_infosets_after_an_outcome_that_cannot_be_are_in_the_plans(tmp_path):
    solution = eq.exact(Impossible(), rational=True)
    assert set(solution.strategy) == {(0, "after h"), (0, "after t"), (1, "after h"), (1, "after t")}  # fmt: skip
    assert solution.value == (0, 0)
    assert copied_check(Impossible(), solution.proof()) == (True, [0, 0])
    assert eq.evaluate(Impossible(), solution.to_strategy()).exploitability == 0
    exact = eq.evaluate(Impossible(), {}, missing="uniform", rational=True)
    rounded = eq.evaluate(Impossible(), {}, missing="uniform")
    assert (exact.histories, exact.infosets) == (rounded.histories, rounded.infosets)


class Faulty(Coin):
    """Rules that may be broken in one place."""

    def __init__(self, **broken):
        vars(self).update(broken)


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ({"payoffs": lambda state: [1]}, "payoffs for 2 players"),
        ({"payoffs": lambda state: [1, -1, 0]}, "payoffs for 2 players"),
        ({"payoffs": lambda state: ["1", "-1"]}, "finite numbers"),
        ({"payoffs": lambda state: 1 / 0}, "the rules failed after .* with ZeroDivisionError"),
        ({"player": lambda state: -2 if state else 7}, "got 7"),
        (
            {"player": lambda state: 0, "actions": lambda s: "h", "infoset": lambda state: state},
            "within 1000 moves",
        ),
        ({"actions": lambda state: []}, "nobody can move"),
        ({"actions": lambda state: "htx" if state == "h" else "ht"}, "the actions differ"),
        ({"action_label": lambda state, action: "x"}, "two actions have the same name"),
        ({"infoset": lambda state: 1 if state == "h" else "1"}, "the same text"),
        (
            {"player": lambda state: -1 if state == "" else -2, "probabilities": lambda s: [-1, 2]},
            "0 or more",
        ),
        (
            {"player": lambda state: -1 if state == "" else -2, "probabilities": lambda s: [1]},
            "2 outcomes but 1 prob",
        ),
    ],
    ids=range(12),
)
@pytest.mark.parametrize("rational", [True, False])
def test_broken_rules_are_told_as_they_are_where_a_game_is_compiled(broken, message, rational):
    with pytest.raises(eq.GameError, match=message):
        eq.evaluate(Faulty(**broken), {}, missing="uniform", rational=rational)


def test_fractions_of_any_length_are_written_and_read(tmp_path):
    """Python writes whole numbers of 4,300 digits at most; a strategy of some hundred infosets has more."""
    assert fraction_text(Fraction(-1, 18)) == "-1/18"
    assert fraction_text(Fraction(7)) == "7"
    assert short_fraction(Fraction(10**500 + 1, 3)) == "≈ 3.33333333333e+499"
    assert short_fraction(Fraction(-1, 3 * 10**500)) == "≈ -3.33333333333e-501"
    assert short_fraction(Fraction(10**50 + 1, 2 * 10**50)) == "≈ 0.5"
    game = "liars_dice(faces=4)"
    result = eq.evaluate(game, noise(game, random.Random(0)), rational=True)
    assert max(map(len, result.summary()["value"])) > 10_000
    assert "a fraction of" in result.to_html()
    assert float(result.value[0]) == pytest.approx(float(-result.value[1]))
    power = 3**10_000
    solution = eq.exact(Scaled(Fraction(1, power)), rational=True)
    path = tmp_path / "long.proof.json"
    solution.write_proof(path)
    game = walk_in_fractions(Scaled(Fraction(1, power)))
    assert check_proof(read_proof(path), game, path).value[0] == Fraction(-1, 18 * power)
    assert copied_check(Scaled(Fraction(1, power)), json.loads(path.read_text()))[0]


def noise(game, rng):
    """Return a strategy whose probabilities are drawn at random."""
    form = eq.compile_game(eq.load(game))
    return {
        (infoset.player, infoset.key): normal([rng.random() ** 9 for _ in infoset.actions], infoset)
        for infoset in form.infosets
    }


def normal(weights, infoset):
    """Return weights by action, divided by their sum."""
    return {a: w / sum(weights) for a, w in zip(infoset.actions, weights, strict=True)}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: eq.exact("kuhn(players=3)", rational=True), "two-player zero-sum"),
        (
            lambda: eq.exact("matrix(payoffs=[[1]], payoffs2=[[1]])", rational=True),
            "do not sum to 0",
        ),
        (lambda: eq.exact("kuhn", concept=eq.Floors(0.1), rational=True), "of a Nash equilibrium"),
        (lambda: eq.exact(eq.compile_game(eq.load("kuhn")), rational=True), "no longer has once it is compiled"),
        (lambda: eq.exact("kuhn", rational=True, limits=eq.Limits(memory_gb=1)), "histories, depth in fractions"),
        (lambda: eq.evaluate("kuhn", {}, rational=True, limits=eq.Limits(memory_gb=1)), "Leave memory_gb out"),
        (lambda: eq.exact("kuhn", rational=True, limits=eq.Limits(depth=2)), "within 2 moves"),
        (lambda: eq.exact(Crooked(), rational=True), "miss the sum 1 by 1e-10 as ratios"),
        (lambda: eq.evaluate("kuhn", {}, rational=True), "lacks the infoset"),
        (
            lambda: eq.evaluate("kuhn", {}, missing="uniform", rational=True, off_path=True),
            "leave off_path out",
        ),
        (
            lambda: eq.evaluate(
                "leduc", {}, missing="uniform", rational=True, limits=eq.Limits(histories=100)
            ),
            "has about 2,000 histories; fractions take 100 at most",
        ),
    ],
)  # fmt: skip
def test_what_has_no_fractions_is_refused(call, message):
    with pytest.raises(eq.EquilibristError, match=message):
        call()
