"""The exercises: solutions pass, starters and mistaken programs fail with the right sentence, the referee is right."""

import ast
import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.learn.exercises.check import Check, flatten_answer
from equilibrist.learn.exercises.ladder import EXERCISES, floor_regrets, self_play
from equilibrist.learn.exercises.program import NotPassedError
from equilibrist.learn.exercises.random_game import RandomGame
from equilibrist.learn.exercises.referee import (
    cfr,
    normalise_sums,
    random_strategy,
    sum_products,
    walk,
)

FILES = Path(__file__).parents[3] / "examples" / "exercises"
PAGE = Path(__file__).parents[3] / "docs" / "exercises.md"
NUMBERS = range(1, len(EXERCISES) + 1)
CHECKS = [
    grader for exercise in EXERCISES for grader in exercise.graders if isinstance(grader, Check)
]
GAMES = [eq.load("kuhn"), RandomGame(1), RandomGame(2)]
SEEING = "max(worth(game.next(state, action)) for action in game.actions(state))"
AT_EACH = "row[number] = max(0, row[number] + others * (value - mean))"
DRAWN = "game.next(state, actions[draw(game.probabilities(state))])"
FIXED = "game.next(state, actions[a]), others * game.probabilities(state)[a])"
ALL = (
    "p * walk(game.next(state, a), others * p) for a, p in zip(actions, game.probabilities(state))"
)
ALL_MOVES = "p * walk(game.next(state, a)) for a, p in zip(actions, probabilities)"
pytestmark = pytest.mark.usefixtures("somewhere")


def solution(number):
    return (FILES / EXERCISES[number - 1].file).read_text(encoding="utf-8")


def test_the_files_are_those_of_the_ladder():
    assert [exercise.file for exercise in EXERCISES] == sorted(
        path.name for path in FILES.glob("*.py")
    )
    assert [solution(number).splitlines()[0].split(":")[0] for number in NUMBERS] == [
        f'"""Exercise {number}' for number in NUMBERS
    ]


@pytest.mark.thinned(8)
@pytest.mark.parametrize("number", NUMBERS)
def test_solutions_pass(run, number):
    ran = run("exercise", number, FILES / EXERCISES[number - 1].file, "--json")
    assert ran.code == 0, ran.err
    assert ran.json["passed"] is True
    assert ran.json["checks"] >= 3


@pytest.mark.thinned(12)
@pytest.mark.parametrize("number", NUMBERS)
def test_starters_ask_for_what_is_missing(run, number):
    assert (
        run("exercise", number, "--start", "mine.py").out
        == f"Wrote mine.py: {EXERCISES[number - 1].title}.\n"
    )
    text = Path("mine.py").read_text(encoding="utf-8")
    assert "solution" not in text.replace("The solution is poker", "")
    ran = run("exercise", number, "mine.py").fails(1, ": this is not written yet.")
    line = int(re.search(r"mine.py, line (\d+):", ran.err)[1])
    assert text.splitlines()[line - 1].endswith("raise NotImplementedError  # yours")
    run("exercise", number, "--start", "mine.py").fails(
        2, "mine.py is there already: give another name."
    )
    assert Path("mine.py").read_text(encoding="utf-8") == text


AVERAGE = """
        if mover == player:
            row = average.setdefault(infoset, [0.0] * len(actions))
            for number, p in enumerate(probabilities):
                row[number] += p
        else:"""
WRONG = [  # exercise, what of the solution is replaced by what, what the sentence says
    (1, "max(regret, 0) for", "regret for", "Negative regrets count here, too"),
    (1, "max(regret, 0) for", "abs(regret) for", "count by their size"),
    (1, "total = sum(positive)", "total = sum(regrets)", "The sum has the negative regrets in it"),
    (
        1,
        "[1 / len(regrets)] * len(regrets)",
        "positive",
        "Where no regret is positive, all actions are equally likely.",
    ),
    (2, "sum(-payoffs", "sum(payoffs", "Player 1 seems to win payoffs[a][b]"),
    (2, "+= value - earned", "+= value", "Values are added up, not regrets"),
    (
        2,
        "return [total / rounds for total in sums[0]], [total / rounds for total in sums[1]]",
        "return x, y",
        "last round",
    ),
    (
        2,
        "+= value - earned",
        "= max(0, regrets[player][action] + value - earned)",
        "Negative sums are cut off at 0",
    ),
    (
        3,
        "others if mover == player else others * p",
        "others * p",
        "The player's own moves on the way are a factor",
    ),
    (3, "row[action] += others * value", "row[action] += value", "No reach is a factor"),
    (
        3,
        "row[action] += others * value",
        "row[action] = others * value",
        "the last one alone counts",
    ),
    (
        3,
        "payoffs(state)[player]",
        "payoffs(state)[0]",
        "The payoffs of player 0 count for player 1 as well",
    ),
    (
        4,
        "others if mover == player else others * p",
        "others * p",
        "The player's own moves on the way are a factor",
    ),
    (4, "others * (value - mean)", "others * value", "Values are added up, not regrets"),
    (
        4,
        "        return mean",
        "            sigma[infoset] = regret_matching(row)\n        return mean",
        "within the walk",
    ),
    (
        4,
        "            walk(game.start()",
        "            sigma = {k: regret_matching(r) for k, r in regrets.items()}\n            walk(game.start()",
        "in turn",
    ),
    (5, "row[number] += reach[mover] * p", "row[number] += p", "This is the plain mean"),
    (5, "    sums = {}\n", "    return strategies[-1]\n", "This is the last one"),
    (
        6,
        "worth(game.next(state, game.actions(state)[choice(game.infoset(state))]))",
        SEEING,
        "as if the other's card were seen",
    ),
    (
        6,
        "best_response_value(game, strategy, 1)) / 2",
        "best_response_value(game, strategy, 1))",
        "the sum of both gains",
    ),
    (
        6,
        "+ best_response_value(game, strategy, 1)) / 2",
        ")",
        "This is the best-response value of player 0 alone",
    ),
    (
        7,
        "                total[number] += mine * probabilities[number]\n",
        "                total[number] += mine * probabilities[number]\n"
        "            sigma[infoset] = regret_matching(row)\n",
        "within the walk",
    ),
    (
        4,
        "row[action] += others * (value - mean)",
        "row[action] = others * (value - mean)",
        "What was there is replaced",
    ),
    (
        1,
        "    total = sum(positive)",
        "    return [float(i == regrets.index(max(regrets))) for i in range(len(regrets))]",
        "even where no",
    ),
    (
        5,
        "row[number] += reach[mover] * p",
        "row[number] += reach[0] * reach[1] * p",
        "the reach by both players",
    ),
    (
        6,
        "values[number] += others * worth",
        "values[number] += worth",
        "Each history counts the same",
    ),
    (7, "player, t, 1.0", "player, 1, 1.0", "Every iteration counts the same"),
    (7, "max(regret, 0.0) for", "regret for", "Negative regret sums stay"),
    (7, "row[number] += others * (value - mean)", AT_EACH, "Sums are cut off at each history"),
    (
        7,
        "row in regrets.items()}\n",
        "row in regrets.items()} if player == 0 else sigma\n",
        "Both players are updated at once",
    ),
    (8, "(keep if old > 0 else 0.5) * old + new", "old + new", "Forget old regrets faster."),
    (8, "(keep if old > 0 else 0.5) * old + new", "new", "The old regret sums are gone"),
    (8, "return [\n", "return []\n    return [\n", "numbers, got []"),
    (
        9,
        f"return walk({DRAWN}, others)",
        f"a = draw(game.probabilities(state))\n            return walk({FIXED}",
        "it counts twice",
    ),
    (9, f"return walk({DRAWN}, others)", f"return sum({ALL})", "What chance does is not drawn"),
    (
        9,
        "others if mover == player else others * p",
        "others",
        "who is not drawn, is missing as a factor",
    ),
    (
        9,
        "\n        if mover != player:",
        AVERAGE,
        "The average is added at the player's own infosets",
    ),
    (
        9,
        "return walk(game.next(state, actions[draw(probabilities)]))",
        f"return sum({ALL_MOVES})",
        "moves are not drawn",
    ),
    (
        9,
        "below = [walk(game.next(state, action)) f",
        "draw(probabilities)\n        below = [walk(game.next(state, action)) f",
        "own moves are drawn",
    ),
    (10, "VALUE = 0.083", "VALUE = -0.083", "Is it what player 1 wins?"),
    (10, "[-stake, stake]", "[stake, stake]", "zero-sum"),
    (
        10,
        'f"{state[0]}" if len(state) == 2 else f"{state[1]} bet"',
        "str(state)",
        "each infoset has one history",
    ),
    (10, "[1 / len(self.actions(state))] *", "[0.5] *", "sum to"),
]


@pytest.mark.thinned(4)
@pytest.mark.parametrize(("number", "right", "wrong", "sentence"), WRONG)
def test_typical_mistakes_are_named(run, number, right, wrong, sentence):
    text = solution(number)
    assert right in text
    Path("mine.py").write_text(text.replace(right, wrong), encoding="utf-8")
    ran = run("exercise", number, "mine.py").fails(1, sentence)
    assert "expected" in ran.err or number in (9, 10), ran.err


@pytest.mark.thinned(4)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.function)
def test_no_two_mistakes_answer_the_same(check):
    """Else a sentence would name another mistake; and a mistake that answers right is none."""
    cases = [args for _, args in check.cases()]
    with np.errstate(all="ignore"):
        answers = [
            [
                np.concatenate([*map(np.ravel, flatten_answer(answer(*args)).values())])
                for args in cases
            ]
            for answer in (check.right, *check.mistakes.values())
        ]
    for one, other in combinations(answers, 2):
        assert not all(
            np.allclose(a, b, rtol=1e-7, atol=1e-9) for a, b in zip(one, other, strict=True)
        )


# --- The referee is the package's ---


def recorded(game, algorithm, iterations, measure):
    run = eq.solve(
        game, algorithm, iterations=iterations, record=eq.Record("all", every=iterations)
    ).recording
    return {
        (one.player, one.key): getattr(run.at((one.player, one.key)), measure)[-1]
        for one in run.infosets
    }


@pytest.mark.thinned(3)
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_cfr_is_that_of_the_package(game):
    for iterations in (1, 2, 6):
        regrets, sums = cfr(game, iterations)
        plus = cfr(game, iterations, step=floor_regrets, weight=lambda t: t, in_turn=True)[1]
        for mine, algorithm, measure in (
            (regrets, "cfr(alternating=False)", "regret_sum"),
            (normalise_sums(sums), "cfr(alternating=False)", "average_strategy"),
            (normalise_sums(plus), "cfr+", "average_strategy"),
        ):
            theirs = recorded(game, algorithm, iterations, measure)
            assert mine.keys() == theirs.keys()
            for key, row in theirs.items():
                np.testing.assert_allclose(mine[key], row, rtol=0, atol=1e-12)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_values_are_those_of_the_package(game):
    strategy = random_strategy(game, 5)
    named = {
        (one.player, one.key): dict(zip(one.actions, strategy[one.player, one.key], strict=True))
        for one in eq.compile_game(game).infosets
    }
    evaluation = eq.evaluate(game, named, action_values=True)
    np.testing.assert_allclose(
        walk(game, strategy, lambda visit: None), evaluation.value, rtol=0, atol=1e-12
    )
    for player in (0, 1):
        for key, row in sum_products("chance others values", game, strategy, player).items():
            theirs = [value.cf_value for value in evaluation.action_values[player, key].values()]
            np.testing.assert_allclose(row, theirs, rtol=0, atol=1e-12)


def test_self_play_is_that_of_the_package():
    payoffs = [[0.5, -1.2, 2.0], [1.1, 0.3, -1.0]]
    strategy = eq.solve(
        f"matrix(payoffs={payoffs})", "cfr(alternating=False)", iterations=30
    ).strategy
    for row, name in zip(self_play("", payoffs, 30), ("row", "column"), strict=True):
        np.testing.assert_allclose(row, list(strategy[name].values()), rtol=0, atol=1e-12)


def test_the_average_plays_like_a_coin_tossed_before_the_game():
    """Against any strategy of the other player it wins the mean of what the averaged strategies win."""
    average = next(check for check in CHECKS if check.function == "average_strategy")
    for game in GAMES:
        strategies, other = (
            [random_strategy(game, seed, pure=True) for seed in range(3)],
            random_strategy(game, 9),
        )
        for player in (0, 1):
            fixed = {key: row for key, row in other.items() if key[0] != player}
            apart = [walk(game, strategy | fixed, lambda visit: None)[0] for strategy in strategies]
            both = walk(game, average.right(game, strategies) | fixed, lambda visit: None)[0]
            assert both == pytest.approx(np.mean(apart), abs=1e-12)


# --- Programs that do not answer ---


@pytest.mark.thinned(14)
@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (
            "while True: pass",
            "mine.py, line 2: regret_matching([3, -1, 1]) had not ended after 0.3 seconds",
        ),
        (
            "import time; time.sleep(600)",
            "mine.py, line 2: regret_matching([3, -1, 1]) had not ended after 0.3 seconds",
        ),
        (
            "try: [0 for _ in iter(int, 1)]\n    except Exception: pass",
            "had not ended after 0.3 seconds",
        ),
        (
            "return regrets[9]",
            "mine.py, line 2: regret_matching([3, -1, 1]) failed with IndexError: list index out",
        ),
        ("return regret_matching(regrets)", "failed with RecursionError"),
        ("input()", "failed with EOFError"),
        ("exit()", "failed with SystemExit"),
        ("pass", "regret_matching([3, -1, 1]) returned None: is there a 'return' missing?"),
        ("return 'three'", "expected [0.75, 0, 0.25], got three."),
        ("return [1, 0]", "expected [0.75, 0, 0.25], got [1, 0]."),
        ("return [regrets, [1]]", "expected [0.75, 0, 0.25], got [[3, -1, 1], [1]]."),
        ("return [float('nan')] * 3", "expected [0.75, 0, 0.25], got [nan, nan, nan]."),
        ("return {}", "expected [0.75, 0, 0.25], got {}."),
        ("return (", "mine.py, line 2: loading it failed with SyntaxError"),
    ],
)
def test_a_program_that_does_not_answer(run, body, sentence):
    Path("mine.py").write_text(f"def regret_matching(regrets):\n    {body}\n", encoding="utf-8")
    run("exercise", 1, "mine.py", "--seconds", 0.3).fails(1, sentence)


@pytest.mark.thinned(2)
@pytest.mark.parametrize(
    ("number", "text", "sentence"),
    [
        (
            1,
            "def regret_match(regrets): pass",
            "mine.py does not define regret_matching. Did you mean 'regret_match'?",
        ),
        (
            1,
            "1 / 0",
            "mine.py, line 1: loading it failed with ZeroDivisionError: division by zero.",
        ),
        (
            3,
            "def counterfactual_values(*args): return {'Jp': [0, 0]}",
            "(kuhn, the uniform strategy, 0) at 'Jpb': expected [-0.1667, -0.3333]",
        ),
        (3, "def counterfactual_values(*args): return []", "at 'Jpb': expected ["),
        (
            2,
            "def self_play(payoffs, rounds): return [1 / 3] * 3",
            "(first part): expected [0.3333, 0.3333, 0.3333]",
        ),
        (9, "def chance_sampled(*args): return 5", "at 'Jpb': expected ["),
        (9, "def chance_sampled(*args): args[3]([3])", "draw([3]): expected probabilities"),
        (10, "class MyGame: pass", "mine.py does not define VALUE."),
        (
            10,
            "class MyGame: pass\nVALUE = 1",
            "mine.py: visiting the histories failed with AttributeError: 'MyGame' object has no attribute 'start'",
        ),
    ],
)
def test_a_program_of_the_wrong_form(run, number, text, sentence):
    Path("mine.py").write_text(text, encoding="utf-8")
    run("exercise", number, "mine.py").fails(1, sentence)


def test_an_answer_with_more_than_was_asked_for(run):
    text = solution(3).replace("values = {}", "values = {'Jp': [0.0, 0.0]}")
    Path("mine.py").write_text(text, encoding="utf-8")
    run("exercise", 3, "mine.py").fails(
        1, "the answer has something at 'Jp', where nothing is expected."
    )


def test_a_program_may_import_what_lies_beside_it_and_change_what_it_is_given(run):
    Path("mine").mkdir()
    Path("mine/zero.py").write_text("ZERO = 0\n", encoding="utf-8")
    text = solution(1).replace("max(regret, 0)", "max(regret, ZERO)")
    text = "from zero import ZERO\n" + text.replace(
        "    total =", "    regrets.sort()\n    total ="
    )
    Path("mine/mine.py").write_text(text, encoding="utf-8")
    assert run("exercise", 1, "mine/mine.py").code == 0


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        ((11,), "Exercises have the numbers 1 to 10; got 11."),
        ((3,), "equilibrist exercise 3 --start mine.py"),
        ((3, "mine.py", "--start", "mine.py"), "Name your program for exercise 3, or begin one"),
        ((3, "nowhere.py"), "The file nowhere.py cannot be read: No such file or directory."),
        ((3, "."), "The file . cannot be read: Is a directory."),
        ((3, "--start", "nowhere/mine.py"), "The folder of nowhere/mine.py is not there"),
        (("three",), "'three'"),
    ],
)
def test_wrong_use(run, args, sentence):
    run("exercise", *args).fails(2, sentence)


def test_the_list(run):
    listed = run("exercise", "--json").json["exercises"]
    assert [row["title"] for row in listed] == [exercise.title for exercise in EXERCISES]
    assert all(row["asks"] in run("exercise").out for row in listed)


def blocks(number):
    """Return the functions of a solution that are to be written."""
    lines = solution(number).splitlines()
    parts = [
        "\n".join(lines[node.lineno - 1 : node.end_lineno])
        for node in ast.parse(solution(number)).body
    ]
    return "\n\n\n".join(
        re.sub(r"\n? +# solution", "", part) for part in parts if "# solution" in part
    )


def test_the_page_shows_the_solutions():
    sections = re.split(r"^## (?=\d)", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    assert len(sections) == len(EXERCISES)
    for number, section in enumerate(sections, 1):
        shown = re.search(
            r"<summary>Solution</summary>\n\n```python\n(.*?)\n```\n\n</details>",
            section,
            re.DOTALL,
        )[1]
        assert section.startswith(f"{number}. ")
        assert shown.removeprefix("import equilibrist as eq\n\n\n") == blocks(number)
        assert all(f"`{name}" in section for name in EXERCISES[number - 1].asks.split(", "))


def test_the_page_shows_a_mistake_as_it_is_named(run):
    text = solution(3).replace("others if mover == player else others * p", "others * p")
    Path("mine.py").write_text(text, encoding="utf-8")
    error = re.search(r"```plain\n(Error: .*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1]
    assert run("exercise", 3, "mine.py").err.split() == error.split()


def test_errors_of_the_reader_are_failures():
    assert NotPassedError("…").wrong_use is False
