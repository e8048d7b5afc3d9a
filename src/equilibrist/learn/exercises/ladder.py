"""The exercises: what each asks for, the right answers, and typical mistakes with a sentence about each."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...errors import EquilibristError
from ...evaluation.check import check_game
from ...evaluation.evaluate import Evaluation, evaluate
from ...form.limits import Limits
from ...form.sequence.build import compile_sequence
from ...game.protocol import CHANCE, TERMINAL, Game
from ...games.load import load
from ...solving.exact import exact
from ...strategy.strategy import Strategy
from .check import Check, four_digits
from .program import NotPassedError, Program
from .random_game import RandomGame
from .referee import Table, cfr, match_regrets, normalise_sums, random_strategy, sum_products, walk
from .unfolded_game import UnfoldedGame

Cases = Iterator[tuple[str, tuple[Any, ...]]]
Answer = Callable[..., Any]


def make_mistakes(make: Answer, options: dict[str, Any]) -> dict[str, Answer]:
    """Return what makes a wrong answer, by the sentence about it, from what is done wrong."""
    return {sentence: partial(make, mistake) for sentence, mistake in options.items()}


def _make_games(*seeds: int) -> list[Any]:
    return [load("kuhn"), *map(RandomGame, seeds)]


# --- 1 and 2: regret matching ---


def _regret_cases() -> Cases:
    dice = random.Random(1)
    rows = [[round(dice.uniform(-4, 4), 2) for _ in range(dice.randint(2, 6))] for _ in range(20)]
    yield from ((str(row), (row,)) for row in [[3, -1, 1], [0, 0], [-1, -2, 0], *rows])


def _divide(part: Answer, total: Answer, regrets: list[float]) -> Any:
    row = np.array(regrets, float)
    if total(row) > 0:
        return part(row) / total(row)
    return match_regrets(0 * row)


REGRET_MATCHING = Check(
    "regret_matching",
    _regret_cases,
    match_regrets,
    {
        "Negative regrets count here, too: replace them by 0 first.": partial(
            _divide, np.asarray, np.sum
        ),
        "The sum has the negative regrets in it: divide by that of the positive ones.": partial(
            _divide, partial(np.maximum, 0), np.sum
        ),
        "Negative regrets count by their size: only positive ones count.": lambda r: match_regrets(
            np.abs(r)
        ),
        "One action gets all: share in proportion to the positive regrets.": lambda r: (
            match_regrets((np.array(r) == max(r)) & (np.array(r) > 0))
        ),
        "Where no regret is positive, all actions are equally likely.": lambda r: (
            match_regrets(r) * (max(r) > 0)
        ),
        "One action gets all, even where no regret is positive: share in proportion to the positive regrets.": (
            lambda r: np.eye(len(r))[np.argmax(r)]
        ),
    },
)


def self_play(mistake: str, payoffs: list[list[float]], rounds: int) -> tuple[Any, Any]:
    """Return the average strategies of two regret matchers."""
    A = np.array(payoffs, float)
    regrets, sums, strategies = ([np.zeros(n) for n in A.shape] for _ in range(3))
    for _ in range(rounds):
        strategies = [match_regrets(row) for row in regrets]
        for player in (0, 1):
            if player and mistake == "in turn":
                strategies[0] = match_regrets(regrets[0])
            if player == 0:
                value = A @ strategies[1]
            else:
                value = (A if mistake == "sign" else -A).T @ strategies[0]
            row = (
                regrets[player] + value - (strategies[player] @ value if mistake != "value" else 0)
            )
            if mistake == "floor":
                regrets[player] = np.maximum(row, 0)
            else:
                regrets[player] = row
        sums = [row + strategy for row, strategy in zip(sums, strategies, strict=True)]
    x, y = strategies if mistake == "last" else [row / rounds for row in sums]
    return x, y


def _matrix_cases() -> Cases:
    dice = random.Random(2)
    rock: list[list[float]] = [[0, -1, 2], [1, 0, -1], [-2, 1, 0]]
    yield from ((f"{rock}, {rounds}", (rock, rounds)) for rounds in (1, 2, 3, 50))
    for height, width in ((2, 3), (4, 2), (3, 5)):
        payoffs = [[round(dice.uniform(-2, 2), 1) for _ in range(width)] for _ in range(height)]
        yield f"{payoffs}, 30", (payoffs, 30)
    splits = [np.array([a, b, 5 - a - b]) for a in range(6) for b in range(6 - a)]
    yield (
        "Blotto, 20",
        ([[float(np.sign(np.sign(x - y).sum())) for y in splits] for x in splits], 20),
    )


_CUT_OFF = "Negative sums are cut off at 0: keep them, and ignore them in regret_matching alone."
_VALUES = "Values are added up, not regrets: subtract their mean under the strategy."
_SELF_PLAY = {
    "These are the strategies of the last round: return the mean over all rounds.": "last",
    "Player 1 seems to win payoffs[a][b]: player 1 loses it.": "sign",
    _VALUES: "value",
    "Player 1 seems to know the next strategy of player 0: both choose before the sums change.": "in turn",
    _CUT_OFF: "floor",
}
SELF_PLAY = Check(
    "self_play", _matrix_cases, partial(self_play, ""), make_mistakes(self_play, _SELF_PLAY)
)


# --- 3 to 7: trees ---


def _hand_cases() -> Cases:
    """Yield what tutorial 2 computes by hand, and then what nobody would."""
    game = load("kuhn")
    uniform = normalise_sums(dict.fromkeys(random_strategy(game, 0), np.zeros(2)))
    strategy = {key: row.tolist() for key, row in uniform.items()}
    yield from ((f"kuhn, the uniform strategy, {i}", (game, strategy, i)) for i in (0, 1))
    yield from _player_cases(pure=False)


def _player_cases(*, pure: bool) -> Cases:
    for seed, game in enumerate(_make_games(1, 2, 3)):
        strategy = random_strategy(game, seed, pure=pure and seed > 1)
        yield from ((f"{game}, a random strategy, {i}", (game, strategy, i)) for i in (0, 1))


def _iteration_cases(*numbers: int) -> Cases:
    yield from ((f"{game}, {n}", (game, n)) for game in _make_games(1, 2) for n in numbers)


_OWN = "The player's own moves on the way are a factor: leave them out."
FACTORS = {
    _OWN: "chance reach others",
    "The probability of what chance did is missing as a factor.": "others",
    "The reach of the other player is missing as a factor.": "chance",
    "The factor is the player's own reach: it must be that of chance and the other player.": "reach",
    "No reach is a factor: weight each history by that of chance and the other player.": "",
}
_AT_ONCE = (
    "The strategy changes within the walk, so histories of one infoset are played differently: "
    "fix it before."
)
_SIGN = "The payoffs of player 0 count for player 1 as well: use payoffs(state)[player]."


def _last_history_sums(game: Game, strategy: Table, player: int) -> Table:
    last: Table = {}
    walk(game, strategy, lambda v: last.update({v.key: v.product("chance others values")}))
    return {key: row for (owner, key), row in last.items() if owner == player}


_WRONG_VALUES = {
    **{sentence: f"{reach} values" for sentence, reach in FACTORS.items()},
    "These are regrets: return the values, without subtracting their mean.": "chance others regrets",
    _SIGN: "chance others values sign",
}
VALUES = Check(
    "counterfactual_values",
    _hand_cases,
    partial(sum_products, "chance others values"),
    make_mistakes(sum_products, _WRONG_VALUES)
    | {
        "The infoset has several histories: add all of them, here the last one alone counts.": _last_history_sums
    },
)


def _solve_regret_sums(options: dict[str, Any], game: Game, iterations: int) -> Table:
    return cfr(game, iterations, **options)[0]


def floor_regrets(old_sum: Any, regret: Any, _t: int) -> Any:
    """Return the regret sums of CFR+."""
    return np.maximum(old_sum + regret, 0)


_CFR = {
    _AT_ONCE: {"at_once": True},
    **{sentence: {"term": f"{reach} regrets"} for sentence, reach in FACTORS.items()},
    _VALUES: {"term": "chance others values"},
    _SIGN: {"term": "chance others regrets sign"},
    _CUT_OFF: {"step": floor_regrets},
    "What was there is replaced: add the regrets of all histories and iterations (+=).": {
        "last": True,
        "step": lambda old, new, t: new,
    },
    "The players are updated in turn: fix the strategies of both before the first walk.": {
        "in_turn": True
    },
}
CFR = Check(
    "cfr",
    partial(_iteration_cases, 1, 2, 4),
    partial(_solve_regret_sums, {}),
    make_mistakes(_solve_regret_sums, _CFR),
)


def _list_cases() -> Cases:
    for game in _make_games(1, 2, 3):
        for pure in (False, True):
            yield (
                f"{game}, three strategies",
                (game, [random_strategy(game, seed, pure=pure) for seed in range(3)]),
            )


def _average_strategies(names: str, game: Game, strategies: list[Table]) -> Table:
    sums = [sum_products(names, game, strategy) for strategy in strategies]
    return normalise_sums(
        {key: sum(sums_of_strategy[key] for sums_of_strategy in sums) for key in sums[0]}
    )


_AVERAGE = {
    "This is the plain mean: weight each strategy by the player's own reach of the infoset.": "sigma",
    "The weight is the reach of chance and the other, as for regrets: take the player's own.": "chance others sigma",
    "The weight is the reach by both players: take the player's own moves alone.": "reach others sigma",
    "The weight is the reach by all: take the player's own moves alone.": "chance reach others sigma",
}
AVERAGE = Check(
    "average_strategy",
    _list_cases,
    partial(_average_strategies, "reach sigma"),
    make_mistakes(_average_strategies, _AVERAGE)
    | {"This is the last one: return their average.": lambda game, several: several[-1]},
)


def evaluate_strategy(game: Game, strategy: Table) -> Evaluation:
    """Return what the package says of a strategy."""
    form = compile_sequence(game)
    rows = np.concatenate([strategy[infoset.player, infoset.key] for infoset in form.infosets])
    return evaluate(form, Strategy(form.infosets, rows))


def _best_value(game: Game, strategy: Table, player: int) -> float:
    return evaluate_strategy(game, strategy).best_response_value[player]


def _greedy_value(game: Game, strategy: Table, player: int) -> float:
    values = sum_products("chance others values", game, strategy, player)
    pure = {(player, key): np.eye(len(row))[row.argmax()] for key, row in values.items()}
    return float(walk(game, strategy | pure, lambda v: None)[player])


def unweighted_response(game: Game, strategy: Table, player: int) -> float:
    """Return what wins who takes the best action by the plain sum of the values of an infoset's histories."""
    states: dict[str, list[Any]] = {}

    def collect(state: Any) -> None:
        if game.player(state) == TERMINAL:
            return
        if game.player(state) == player:
            states.setdefault(str(game.infoset(state)), []).append(state)
        for action in game.actions(state):
            collect(game.next(state, action))

    @cache
    def choice(infoset: str) -> int:
        values = [
            [value_of(game.next(state, action)) for action in game.actions(state)]
            for state in states[infoset]
        ]
        return int(np.argmax(np.sum(values, axis=0)))

    def value_of(state: Any) -> float:
        mover = game.player(state)
        if mover == TERMINAL:
            return float(game.payoffs(state)[player])
        if mover == player:
            return value_of(game.next(state, game.actions(state)[choice(str(game.infoset(state)))]))
        if mover == CHANCE:
            row = game.probabilities(state)
        else:
            row = strategy[mover, str(game.infoset(state))]
        children = [game.next(state, action) for action in game.actions(state)]
        return float(sum(p * value_of(child) for p, child in zip(row, children, strict=True)))

    collect(game.start())
    return value_of(game.start())


BEST_RESPONSE = Check(
    "best_response_value",
    partial(_player_cases, pure=True),
    _best_value,
    {
        "The best action is chosen at each history, as if the other's card were seen: an infoset has one.": (
            lambda game, strategy, i: walk(game, strategy, lambda v: None, observer=i)[i]
        ),
        "Each history counts the same: weight it by the reach of chance and the other player.": unweighted_response,
        "After the best action the player goes on with the old strategy: begin with the last infosets.": _greedy_value,
        "This is what the strategy itself wins.": lambda game, strategy, i: evaluate_strategy(
            game, strategy
        ).value[i],
        _SIGN: lambda game, strategy, i: (1 - 2 * i) * _best_value(game, strategy, i),
    },
)
EXPLOITABILITY = Check(
    "exploitability",
    lambda: ((words[:-3], args[:2]) for words, args in _player_cases(pure=True)),
    lambda *args: evaluate_strategy(*args).exploitability,
    {
        "This is the sum of both gains: the exploitability is half of it.": lambda *args: (
            evaluate_strategy(*args).nash_conv
        ),
        "This is the best-response value of player 0 alone.": lambda game, strategy: _best_value(
            game, strategy, 0
        ),
    },
)


def _plus_strategy(mistake: dict[str, Any], game: Game, iterations: int) -> Table:
    options: dict[str, Any] = {
        "step": floor_regrets,
        "in_turn": True,
        "weight": lambda t: t,
    } | mistake
    return normalise_sums(cfr(game, iterations, **options)[1])


_PLUS = {
    "Every iteration counts the same: iteration t must count t times.": {"weight": lambda t: 1},
    "Both players are updated at once: player 1 must answer the new strategy of player 0.": {
        "in_turn": False
    },
    "Negative regret sums stay: those of the player become 0 after each walk.": {
        "step": lambda old, new, t: old + new
    },
    "Sums are cut off at each history: wait until the walk is over and all histories are in them.": {
        "each": True
    },
    _AT_ONCE: {"at_once": True},
    f"{_AT_ONCE} It changes before the sums are cut off.": {"changing": True},
    "The average must be weighted by the player's own reach as well.": {"share": "sigma"},
}
CFR_PLUS = Check(
    "cfr_plus",
    partial(_iteration_cases, 1, 2, 3, 6),
    partial(_plus_strategy, {}),
    make_mistakes(_plus_strategy, _PLUS),
)


# --- 8: an update of one's own ---


def _numbers(answer: Any) -> Any:
    """Return finite numbers as an array; None for what is none such."""
    try:
        numbers = np.asarray(answer, float)
    except (TypeError, ValueError):
        return None
    if np.isfinite(numbers).all():
        return numbers
    return None


def grade_update(program: Program) -> int:
    """Return on how many games the reader's update is twice as good as plain CFR."""
    update, weight = program.get("update"), program.get("weight")

    def step(old_sum: Any, regret: Any, t: int) -> Any:
        answer = update(old_sum.tolist(), regret.tolist(), t)
        row = _numbers(answer)
        if row is None or row.shape != old_sum.shape:
            raise NotPassedError(
                f"update({four_digits(old_sum)}, {four_digits(regret)}, {t}): expected {len(old_sum)} numbers, got "
                f"{str(answer)[:80]}."
            )
        return row

    @cache
    def weight_of(t: int) -> float:
        answer = weight(t)
        number = _numbers(answer)
        if number is None or number.shape != ():
            raise NotPassedError(f"weight({t}): expected a number, got {str(answer)[:80]}.")
        return float(number)

    for game in (games := _make_games(1, 2)):
        plain_exploitability = evaluate_strategy(
            game, normalise_sums(cfr(game, 100, in_turn=True)[1])
        ).exploitability
        run = program.run(
            "a run", partial(cfr, game, 100, in_turn=True, step=step, weight=weight_of)
        )
        own_exploitability = evaluate_strategy(game, normalise_sums(run[1])).exploitability
        if not own_exploitability <= plain_exploitability / 2:
            hint = "Forget old regrets faster."
            if abs(own_exploitability - plain_exploitability) < 1e-9:
                hint = "This is plain CFR: old regrets and early strategies must count less."
            else:
                without_regret = partial(step, np.array([5.0, 3.0]), np.zeros(2), 3)
                if not program.run("update", without_regret).any():
                    hint = "The old regret sums are gone: update must begin with them."
            raise NotPassedError(
                f"{game}: expected an exploitability of at most {plain_exploitability / 2:.4g} after 100 "
                "iterations, half of that of "
                f"plain CFR, got {own_exploitability:.4g}. {hint}"
            )
    return len(games)


# --- 9: samples, judged by their mean over all draws ---


def _mean_answer(name: str, function: Answer, game: Game, strategy: Table, player: int) -> Any:
    """Return the mean of what a reader's program answers, over all draws."""
    scripts, drawn, is_chance_sampled = [list[int]()], list[list[float]](), name == "chance_sampled"
    sums: tuple[Table, Table] = {}, {}
    while scripts:
        script, seen, chances = scripts.pop(), list[int](), list[float]()

        def draw(
            probabilities: Any, script: Any = script, seen: Any = seen, chances: Any = chances
        ) -> int:
            row = [float(p) for p in probabilities]
            if abs(sum(row) - 1) > 1e-9 or len(seen) > 100:
                raise NotPassedError(
                    f"draw({four_digits(row)}): expected probabilities, which sum to 1, and at most "
                    "100 draws."
                )
            if len(seen) >= len(script):
                scripts.extend([*seen, other] for other in range(1, len(row)))
                drawn.append(row)
            seen.append(script[len(seen)] if len(seen) < len(script) else 0)
            chances.append(row[seen[-1]])
            return int(seen[-1])

        answer = function(game, strategy, player, draw)
        parts = (answer,) if is_chance_sampled else answer
        if not isinstance(parts, tuple | list) or not all(isinstance(part, dict) for part in parts):
            return answer
        for part, table in zip(sums, parts, strict=False):
            for key, row in table.items():
                part[key] = part.get(key, 0) + np.prod(chances) * np.asarray(row, float)
    zeros = [
        {key: 0 * np.array(row) for (i, key), row in strategy.items() if i == owner}
        for owner in (player, 1 - player)
    ]
    draws_own, draws_others = (
        any(row in drawn for (i, _), row in strategy.items() if i == owner)
        for owner in (player, 1 - player)
    )
    for is_wrong, sentence in (
        (draws_own, "The player's own moves are drawn: follow all of them."),
        (
            draws_others and is_chance_sampled,
            "The other player's moves are drawn: chance sampling draws what chance does.",
        ),
        (
            not draws_others and not is_chance_sampled,
            "The other player's moves are not drawn with their probabilities.",
        ),
        (
            game.probabilities(game.start()) not in drawn,
            "What chance does is not drawn with its probabilities.",
        ),
        (
            sums[1].keys() & zeros[0].keys(),
            "The average is added at the player's own infosets: add it at the other's.",
        ),
    ):
        if is_wrong:
            raise NotPassedError(f"{name}: {sentence}")
    if is_chance_sampled:
        return zeros[0] | sums[0]
    return (zeros[0] | sums[0], zeros[1] | sums[1])


def _sample_externally(names: str, game: Game, strategy: Table, player: int) -> tuple[Table, Table]:
    regrets, _, share = names.partition("; ")
    return sum_products(regrets, game, strategy, player), sum_products(
        share or "chance reach sigma", game, strategy, 1 - player
    )


_TWICE = "The probability of what chance did is a factor, although it is drawn: it counts twice."
_DRAWN = {
    _TWICE: "chance chance others regrets",
    _OWN: "chance reach others regrets",
    _VALUES: "chance others values",
}
_CHANCE = _DRAWN | {
    "The reach of the other player, who is not drawn, is missing as a factor.": "chance regrets"
}
_EXTERNAL = _DRAWN | {
    "The other player's reach is a factor, although it is drawn: it counts twice.": "chance others others regrets",
    "The average has a reach as weight: the moves are drawn.": "chance others regrets; chance reach reach sigma",
}
CHANCE_SAMPLED, EXTERNAL_SAMPLED = (
    Check(
        name,
        partial(_player_cases, pure=False),
        partial(right, "chance others regrets"),
        make_mistakes(right, mistakes),
        partial(_mean_answer, name),
    )
    for name, right, mistakes in (
        ("chance_sampled", sum_products, _CHANCE),
        ("external_sampled", _sample_externally, _EXTERNAL),
    )
)


# --- 10: a game of one's own ---

_MOST_HISTORIES = 100_000


def grade_game(program: Program) -> int:
    """Return how many infosets the reader's game has, having seen that it is a game and that VALUE is right."""
    program.get("MyGame")
    value = program.get("VALUE")
    table = program.unfold("MyGame", most=_MOST_HISTORIES)
    try:
        game = UnfoldedGame(table, name="MyGame")
        form = check_game(game, limits=Limits(histories=_MOST_HISTORIES))
        right_value = exact(form).value[0]
    except EquilibristError as error:  # which would count as wrong use of the command
        raise NotPassedError(str(error)) from None
    histories = sum_products("", game, random_strategy(game, 0))
    for player in (0, 1):
        if len(infosets := [key for key in histories if key[0] == player]) < 2:
            raise NotPassedError(
                f"MyGame: expected two infosets or more of player {player}, got {len(infosets)}."
            )
    if max(histories.values()) < 2:
        raise NotPassedError(
            "MyGame: each infoset has one history, so both see everything: hide something, such "
            "as a card."
        )
    if not isinstance(value, int | float) or not abs(value - right_value) <= 0.001:
        if isinstance(value, int | float) and abs(value + right_value) <= 0.001:
            hint = " Is it what player 1 wins?"
        else:
            hint = ""
        raise NotPassedError(
            f"VALUE: expected what player 0 wins in an equilibrium, to 0.001, got {value!r}.{hint}"
        )
    return len(histories)


# --- The ladder ---

_INSTALLED = Path(__file__).parent / "files"
if _INSTALLED.is_dir():
    _FILES = _INSTALLED
else:
    _FILES = Path(__file__).parents[4] / "examples" / "exercises"
_BODY = re.compile(r"^( +)# solution\n(?:\1.*\n|\n(?=\n*\1))+", re.MULTILINE)
_SETTING = re.compile(r"^(\w+ = ).*  # solution$", re.MULTILINE)


class Exercise(NamedTuple):
    """A step of the ladder: its file has the solution, in which comments mark what is left out of the starter."""

    title: str
    file: str
    asks: str
    graders: tuple[Callable[[Program], int], ...]

    @property
    def starter(self) -> str:
        """The program to begin with."""
        text = (_FILES / self.file).read_text(encoding="utf-8")
        return _SETTING.sub(
            r"\1None  # yours", _BODY.sub(r"\1raise NotImplementedError  # yours\n", text)
        )

    def grade(self, path: Path, *, seconds: float) -> int:
        """Return how many checks a reader's program has passed; raise NotPassedError where it fails one."""
        with Program(path, seconds) as program:
            return sum(grader(program) for grader in self.graders)


EXERCISES = (
    Exercise("Regret matching", "01_regret_matching.py", "regret_matching", (REGRET_MATCHING,)),
    Exercise("Rock, paper, scissors, and Blotto", "02_self_play.py", "self_play", (SELF_PLAY,)),
    Exercise(
        "Counterfactual values", "03_counterfactual_values.py", "counterfactual_values", (VALUES,)
    ),
    Exercise("CFR", "04_cfr.py", "cfr", (CFR,)),
    Exercise("The average strategy", "05_average_strategy.py", "average_strategy", (AVERAGE,)),
    Exercise(
        "Exploitability",
        "06_exploitability.py",
        "best_response_value, exploitability",
        (BEST_RESPONSE, EXPLOITABILITY),
    ),
    Exercise("CFR+", "07_cfr_plus.py", "cfr_plus", (CFR_PLUS,)),
    Exercise("An update of your own", "08_own_update.py", "update, weight", (grade_update,)),
    Exercise(
        "Sampling",
        "09_sampling.py",
        "chance_sampled, external_sampled",
        (CHANCE_SAMPLED, EXTERNAL_SAMPLED),
    ),
    Exercise("A game of your own", "10_own_game.py", "MyGame, VALUE", (grade_game,)),
)
