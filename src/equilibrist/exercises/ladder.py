"""The exercises: what each asks for, the right answers, and typical mistakes with a sentence about each."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..errors import EquilibristError
from ..evaluation.check import check_game
from ..evaluation.evaluate import Evaluation, evaluate
from ..form.sequence.build import compile_game
from ..game.protocol import CHANCE, TERMINAL, Game
from ..games.load import load
from ..solving.exact import exact
from ..strategy.strategy import Strategy
from .check import Check, shown
from .program import NotPassedError, Program
from .random_game import RandomGame
from .referee import Table, cfr, matched, mixed, random_strategy, total, walk
from .unfolded_game import UnfoldedGame

Cases = Iterator[tuple[str, tuple[Any, ...]]]
Answer = Callable[..., Any]


def variants(make: Answer, options: dict[str, Any]) -> dict[str, Answer]:
    """Return what makes a wrong answer, by the sentence about it, from what is done wrong."""
    return {sentence: partial(make, wrong) for sentence, wrong in options.items()}


def _games(*seeds: int) -> list[Any]:
    return [load("kuhn"), *map(RandomGame, seeds)]


# --- 1 and 2: regret matching ---


def _regrets() -> Cases:
    dice = random.Random(1)
    rows = [[round(dice.uniform(-4, 4), 2) for _ in range(dice.randint(2, 6))] for _ in range(20)]
    yield from ((str(row), (row,)) for row in [[3, -1, 1], [0, 0], [-1, -2, 0], *rows])


def _divided(part: Answer, whole: Answer, regrets: list[float]) -> Any:
    row = np.array(regrets, float)
    if whole(row) > 0:
        return part(row) / whole(row)
    return matched(0 * row)


REGRET_MATCHING = Check(
    "regret_matching",
    _regrets,
    matched,
    {
        "Negative regrets count here, too: replace them by 0 first.": partial(
            _divided, np.asarray, np.sum
        ),
        "The sum has the negative regrets in it: divide by that of the positive ones.": partial(
            _divided, partial(np.maximum, 0), np.sum
        ),
        "Negative regrets count by their size: only positive ones count.": lambda r: matched(
            np.abs(r)
        ),
        "One action gets all: share in proportion to the positive regrets.": lambda r: matched(
            (np.array(r) == max(r)) & (np.array(r) > 0)
        ),
        "Where no regret is positive, all actions are equally likely.": lambda r: (
            matched(r) * (max(r) > 0)
        ),
        "One action gets all, even where no regret is positive: share in proportion to the positive regrets.": (
            lambda r: np.eye(len(r))[np.argmax(r)]
        ),
    },
)


def self_play(mistake: str, payoffs: list[list[float]], rounds: int) -> tuple[Any, Any]:
    """Return the average strategies of two regret matchers."""
    A = np.array(payoffs, float)
    regrets, sums, played = ([np.zeros(n) for n in A.shape] for _ in range(3))
    for _ in range(rounds):
        played = [matched(row) for row in regrets]
        for player in (0, 1):
            if player and mistake == "in turn":
                played[0] = matched(regrets[0])
            if player == 0:
                value = A @ played[1]
            else:
                value = (A if mistake == "sign" else -A).T @ played[0]
            row = regrets[player] + value - (played[player] @ value if mistake != "value" else 0)
            if mistake == "floor":
                regrets[player] = np.maximum(row, 0)
            else:
                regrets[player] = row
        sums = [row + new for row, new in zip(sums, played, strict=True)]
    x, y = played if mistake == "last" else [row / rounds for row in sums]
    return x, y


def _matrices() -> Cases:
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
SELF_PLAY = Check("self_play", _matrices, partial(self_play, ""), variants(self_play, _SELF_PLAY))


# --- 3 to 7: trees ---


def _by_hand() -> Cases:
    """Yield what tutorial 2 computes by hand, and then what nobody would."""
    game = load("kuhn")
    uniform = mixed(dict.fromkeys(random_strategy(game, 0), np.zeros(2)))
    strategy = {key: row.tolist() for key, row in uniform.items()}
    yield from ((f"kuhn, the uniform strategy, {i}", (game, strategy, i)) for i in (0, 1))
    yield from _players(pure=False)


def _players(*, pure: bool) -> Cases:
    for seed, game in enumerate(_games(1, 2, 3)):
        strategy = random_strategy(game, seed, pure=pure and seed > 1)
        yield from ((f"{game}, a random strategy, {i}", (game, strategy, i)) for i in (0, 1))


def _iterations(*numbers: int) -> Cases:
    yield from ((f"{game}, {n}", (game, n)) for game in _games(1, 2) for n in numbers)


_OWN = "The player's own moves on the way are a factor: leave them out."
FACTORS = {
    _OWN: "chance reach others",
    "The probability of what chance did is missing as a factor.": "others",
    "The reach of the other player is missing as a factor.": "chance",
    "The factor is the player's own reach: it must be that of chance and the other player.": "reach",
    "No reach is a factor: weight each history by that of chance and the other player.": "",
}
_AT_ONCE = "The strategy changes within the walk, so histories of one infoset are played differently: fix it before."
_SIGN = "The payoffs of player 0 count for player 1 as well: use payoffs(state)[player]."


def _last_history(game: Game, strategy: Table, player: int) -> Table:
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
    _by_hand,
    partial(total, "chance others values"),
    variants(total, _WRONG_VALUES)
    | {
        "The infoset has several histories: add all of them, here the last one alone counts.": _last_history
    },
)


def _regret_sums(options: dict[str, Any], game: Game, iterations: int) -> Table:
    return cfr(game, iterations, **options)[0]


def floor(old: Any, new: Any, _t: int) -> Any:
    """Return the regret sums of CFR+."""
    return np.maximum(old + new, 0)


_CFR = {
    _AT_ONCE: {"at_once": True},
    **{sentence: {"term": f"{reach} regrets"} for sentence, reach in FACTORS.items()},
    _VALUES: {"term": "chance others values"},
    _SIGN: {"term": "chance others regrets sign"},
    _CUT_OFF: {"step": floor},
    "What was there is replaced: add the regrets of all histories and iterations (+=).": {
        "last": True,
        "step": lambda old, new, t: new,
    },
    "The players are updated in turn: fix the strategies of both before the first walk.": {
        "in_turn": True
    },
}
CFR = Check(
    "cfr", partial(_iterations, 1, 2, 4), partial(_regret_sums, {}), variants(_regret_sums, _CFR)
)


def _lists() -> Cases:
    for game in _games(1, 2, 3):
        for pure in (False, True):
            yield (
                f"{game}, three strategies",
                (game, [random_strategy(game, seed, pure=pure) for seed in range(3)]),
            )


def _average(names: str, game: Game, strategies: list[Table]) -> Table:
    sums = [total(names, game, strategy) for strategy in strategies]
    return mixed({key: sum(each[key] for each in sums) for key in sums[0]})


_AVERAGE = {
    "This is the plain mean: weight each strategy by the player's own reach of the infoset.": "sigma",
    "The weight is the reach of chance and the other, as for regrets: take the player's own.": "chance others sigma",
    "The weight is the reach by both players: take the player's own moves alone.": "reach others sigma",
    "The weight is the reach by all: take the player's own moves alone.": "chance reach others sigma",
}
AVERAGE = Check(
    "average_strategy",
    _lists,
    partial(_average, "reach sigma"),
    variants(_average, _AVERAGE)
    | {"This is the last one: return their average.": lambda game, several: several[-1]},
)


def judged(game: Game, strategy: Table) -> Evaluation:
    """Return what the package says of a strategy."""
    form = compile_game(game)
    rows = np.concatenate([strategy[infoset.player, infoset.key] for infoset in form.infosets])
    return evaluate(form, Strategy(form.infosets, rows))


def _best(game: Game, strategy: Table, player: int) -> float:
    return judged(game, strategy).best_response_value[player]


def _greedy(game: Game, strategy: Table, player: int) -> float:
    values = total("chance others values", game, strategy, player)
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
            [worth(game.next(state, action)) for action in game.actions(state)]
            for state in states[infoset]
        ]
        return int(np.argmax(np.sum(values, axis=0)))

    def worth(state: Any) -> float:
        mover = game.player(state)
        if mover == TERMINAL:
            return float(game.payoffs(state)[player])
        if mover == player:
            return worth(game.next(state, game.actions(state)[choice(str(game.infoset(state)))]))
        if mover == CHANCE:
            row = game.probabilities(state)
        else:
            row = strategy[mover, str(game.infoset(state))]
        after = [game.next(state, action) for action in game.actions(state)]
        return float(sum(p * worth(child) for p, child in zip(row, after, strict=True)))

    collect(game.start())
    return worth(game.start())


BEST_RESPONSE = Check(
    "best_response_value",
    partial(_players, pure=True),
    _best,
    {
        "The best action is chosen at each history, as if the other's card were seen: an infoset has one.": (
            lambda game, strategy, i: walk(game, strategy, lambda v: None, seeing=i)[i]
        ),
        "Each history counts the same: weight it by the reach of chance and the other player.": unweighted_response,
        "After the best action the player goes on with the old strategy: begin with the last infosets.": _greedy,
        "This is what the strategy itself wins.": lambda game, strategy, i: judged(
            game, strategy
        ).value[i],
        _SIGN: lambda game, strategy, i: (1 - 2 * i) * _best(game, strategy, i),
    },
)
EXPLOITABILITY = Check(
    "exploitability",
    lambda: ((words[:-3], args[:2]) for words, args in _players(pure=True)),
    lambda *args: judged(*args).exploitability,
    {
        "This is the sum of both gains: the exploitability is half of it.": lambda *args: (
            judged(*args).nash_conv
        ),
        "This is the best-response value of player 0 alone.": lambda game, strategy: _best(
            game, strategy, 0
        ),
    },
)


def _plus(mistake: dict[str, Any], game: Game, iterations: int) -> Table:
    options: dict[str, Any] = {"step": floor, "in_turn": True, "weight": lambda t: t} | mistake
    return mixed(cfr(game, iterations, **options)[1])


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
    "cfr_plus", partial(_iterations, 1, 2, 3, 6), partial(_plus, {}), variants(_plus, _PLUS)
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

    def step(old: Any, new: Any, t: int) -> Any:
        answer = update(old.tolist(), new.tolist(), t)
        row = _numbers(answer)
        if row is None or row.shape != old.shape:
            raise NotPassedError(
                f"update({shown(old)}, {shown(new)}, {t}): expected {len(old)} numbers, got {str(answer)[:80]}."
            )
        return row

    @cache
    def weight_of(t: int) -> float:
        answer = weight(t)
        number = _numbers(answer)
        if number is None or number.shape != ():
            raise NotPassedError(f"weight({t}): expected a number, got {str(answer)[:80]}.")
        return float(number)

    for game in (games := _games(1, 2)):
        plain = judged(game, mixed(cfr(game, 100, in_turn=True)[1])).exploitability
        run = program.run(
            "a run", partial(cfr, game, 100, in_turn=True, step=step, weight=weight_of)
        )
        reached = judged(game, mixed(run[1])).exploitability
        if not reached <= plain / 2:
            hint = "Forget old regrets faster."
            if abs(reached - plain) < 1e-9:
                hint = "This is plain CFR: old regrets and early strategies must count less."
            elif not step(np.array([5.0, 3.0]), np.zeros(2), 3).any():
                hint = "The old regret sums are gone: update must begin with them."
            raise NotPassedError(
                f"{game}: expected an exploitability of at most {plain / 2:.4g} after 100 iterations, half of that of "
                f"plain CFR, got {reached:.4g}. {hint}"
            )
    return len(games)


# --- 9: samples, judged by their mean over all draws ---


def _mean(name: str, function: Answer, game: Game, strategy: Table, player: int) -> Any:
    """Return the mean of what a reader's program answers, over all draws."""
    waiting, drawn, single = [list[int]()], list[list[float]](), name == "chance_sampled"
    sums: tuple[Table, Table] = {}, {}
    while waiting:
        script, seen, chances = waiting.pop(), list[int](), list[float]()

        def draw(
            probabilities: Any, script: Any = script, seen: Any = seen, chances: Any = chances
        ) -> int:
            row = [float(p) for p in probabilities]
            if abs(sum(row) - 1) > 1e-9 or len(seen) > 100:
                raise NotPassedError(
                    f"draw({shown(row)}): expected probabilities, which sum to 1, and at most 100 draws."
                )
            if len(seen) >= len(script):
                waiting.extend([*seen, other] for other in range(1, len(row)))
                drawn.append(row)
            seen.append(script[len(seen)] if len(seen) < len(script) else 0)
            chances.append(row[seen[-1]])
            return int(seen[-1])

        answer = function(game, strategy, player, draw)
        parts = (answer,) if single else answer
        if not isinstance(parts, tuple | list) or not all(isinstance(part, dict) for part in parts):
            return answer
        for part, more in zip(sums, parts, strict=False):
            for key, row in more.items():
                part[key] = part.get(key, 0) + np.prod(chances) * np.asarray(row, float)
    zeros = [
        {key: 0 * np.array(row) for (i, key), row in strategy.items() if i == who}
        for who in (player, 1 - player)
    ]
    mine, theirs = (
        any(row in drawn for (i, _), row in strategy.items() if i == who)
        for who in (player, 1 - player)
    )
    for wrong, sentence in (
        (mine, "The player's own moves are drawn: follow all of them."),
        (
            theirs and single,
            "The other player's moves are drawn: chance sampling draws what chance does.",
        ),
        (
            not theirs and not single,
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
        if wrong:
            raise NotPassedError(f"{name}: {sentence}")
    if single:
        return zeros[0] | sums[0]
    return (zeros[0] | sums[0], zeros[1] | sums[1])


def _external(names: str, game: Game, strategy: Table, player: int) -> tuple[Table, Table]:
    regrets, _, share = names.partition("; ")
    return total(regrets, game, strategy, player), total(
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
        partial(_players, pure=False),
        partial(right, "chance others regrets"),
        variants(right, mistakes),
        partial(_mean, name),
    )
    for name, right, mistakes in (
        ("chance_sampled", total, _CHANCE),
        ("external_sampled", _external, _EXTERNAL),
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
        form = check_game(game, max_histories=_MOST_HISTORIES)
        right = exact(form).value[0]
    except EquilibristError as error:  # which would count as wrong use of the command
        raise NotPassedError(str(error)) from None
    histories = total("", game, random_strategy(game, 0))
    for player in (0, 1):
        if len(infosets := [key for key in histories if key[0] == player]) < 2:
            raise NotPassedError(
                f"MyGame: expected two infosets or more of player {player}, got {len(infosets)}."
            )
    if max(histories.values()) < 2:
        raise NotPassedError(
            "MyGame: each infoset has one history, so both see everything: hide something, such as a card."
        )
    if not isinstance(value, int | float) or not abs(value - right) <= 0.001:
        if isinstance(value, int | float) and abs(value + right) <= 0.001:
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
    _FILES = Path(__file__).parents[3] / "examples" / "exercises"
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
