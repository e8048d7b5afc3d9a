"""Evidence for pots of three: how far each figure is from what tells it without our code, and the test that holds it.

    python -m benchmarks.three_ranges_evidence
    python -m benchmarks.three_ranges_evidence --iterations 100

*Referee*: what says how it must be. *Ours*: what comes out. *Apart*: the largest difference from the referee, or what
players can still gain, in the unit that is named. *At most*: what the difference may be. *Test*: which test fails
beyond it. The numbers of the other program are its own after 3,000 iterations; it was built and run outside this
repository. Speed is measured by ``python -m benchmarks.three_ranges``.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

import equilibrist as eq
from equilibrist.poker.cards.cards import HANDS

from .machine import Table, arguments, describe, publish

FOUR_HANDS = "AsAh,KsKh,JsJh,TsTh"
OF_RANGES = "tests/form/test_ranges.py"
OF_FOLDED = "tests/poker/spot/test_folded.py"
OF_PRIZES = "tests/poker/spot/test_prizes.py"
BOARDS = {
    "ties for all": "AsKsQsJsTs",
    "one strength": "AcAdAh2c2d",
    "quads": "7c7d7h7sKd",
    "random": "Qs9h2h8d3c",
}
FIRST = "AhKh,AsQs,9s9d,8c7c:0.5,JsTs"
SECOND = "KsKd,AcJc,9h8h,7s7d,QhJh:0.7"
FOLDER = "A9o,AJs,KJ,TT:0.5"
PEER_RANGE = "AA,KK,QQ,JJ,TT,99,AKs,AQs,AKo,KQs,QJs,JTs,T9s"
PEER_FOLDED = [
    "22,33,44,55,A2s,A3s,A4s,A5s,AJo,ATo,A9o,KJo",
    "66-22,A9s-A2s,KTo",
    "88-22,A8s-A2s,QTo,T8s,97s,86s",
]
PEER_VALUES = [47.267006, 47.291786, 47.302853, 47.33877]
BLUFF = (
    "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a', "
    "prizes=[50, 30, 20], others=[30])"
)


class Evidence(NamedTuple):
    """A figure beside what a referee says of it.

    Attributes
    ----------
    sentence : str
        What must hold.
    referee : str
    ours : str
    apart : float
    limit : float
    test : str
    """

    sentence: str
    referee: str
    ours: str
    apart: float
    limit: float
    test: str


def try_kuhn(iterations: int) -> Iterator[Evidence]:
    """Yield what Kuhn poker of three players says: the value of the second one, and gains by algorithm."""
    spot = eq.poker.Holdem("2c3d7h8d9c", ranges=[FOUR_HANDS] * 3, pot=3, stacks=1, bets="a")
    for algorithm in ("dcfr", "dcfr(gamma=5)", "dcfr+", "sapcfr+"):
        solution = eq.solve(spot, algorithm, iterations=iterations)
        yield Evidence(
            "The second player has 47/48 of a share",
            "Szafron and others (2013)",
            f"{algorithm}: {solution.value[1]:.7f}",
            abs(solution.value[1] - 47 / 48),
            1e-6,
            f"{OF_RANGES}: four_hands_for_three_players_are_kuhn_poker",
        )
        test = "four_hands_for_three_players_are_kuhn_poker"
        if algorithm == "dcfr":
            test = "dcfr_needs_three_thousand_iterations"
        gain = max(solution.deviation_gains) / 3
        yield Evidence(
            f"Gains after {iterations:,} iterations, of the pot",
            "best responses",
            f"{algorithm}: {gain:.1e}",
            gain,
            1e-6,
            f"{OF_RANGES}: {test}",
        )


def draw_range(rng: np.random.Generator, hands: int = 20) -> np.ndarray:
    """Return the weights of a range of some hands at random."""
    weights = np.zeros(len(HANDS))
    weights[rng.choice(len(HANDS), hands, replace=False)] = rng.uniform(0.1, 1, hands)
    return weights


def sum_over_triples(spot: eq.poker.Holdem) -> list[float]:
    """Return what the players win where nobody bets, by all triples of hands."""
    cards = spot.hand_cards.tolist()
    strength = spot.strengths(np.array([spot.board]))[0].tolist()
    held = [np.flatnonzero(weights).tolist() for weights in spot.weights]
    won = np.zeros(3)
    total = 0.0
    for hands in itertools.product(*held):
        if len({card for hand in hands for card in cards[hand]}) < 6:
            continue
        weight = float(np.prod([spot.weights[player, hand] for player, hand in enumerate(hands)]))
        made = np.array([strength[hand] for hand in hands])
        is_best = made == made.max()
        won += weight * is_best / is_best.sum()
        total += weight
    return (spot.pot * won / total).tolist()


def try_triples() -> Iterator[Evidence]:
    """Yield what hands of three random ranges win, against brute force."""
    rng = np.random.default_rng(44)
    for name, board in BOARDS.items():
        ranges = [draw_range(rng) for _ in range(3)]
        spot = eq.poker.Holdem(board, ranges=ranges, pot=6, stacks=4, bets="")
        value = eq.solve(spot, "cfr", iterations=1).value
        expected = sum_over_triples(spot)
        yield Evidence(
            f"Showdown of three, {name}",
            "all triples of hands",
            ", ".join(f"{each:.4f}" for each in value),
            float(np.abs(np.subtract(value, expected)).max()),
            1e-12,
            f"{OF_RANGES}: payments_are_sums_over_triples",
        )


def compare_with_two(
    sentence: str, ours: list[float], expected: Sequence[float], test: str
) -> Evidence:
    """Return the values of two of three players beside those of a spot of two with a folded hand."""
    return Evidence(
        sentence,
        "two ranges, folded=",
        ", ".join(f"{value:.6f}" for value in ours),
        float(np.abs(np.subtract(ours, expected)).max()),
        1e-12,
        f"{OF_FOLDED}: {test}",
    )


def try_two() -> Iterator[Evidence]:
    """Yield what three ranges come to of which one has nothing to win: the spot of two."""
    stakes = {"board": "Th9c6d8s2c", "pot": 10}
    two = eq.poker.Holdem(
        **stakes,
        oop=FIRST,
        ip=SECOND,
        stack=40,
        bets="50%; 60%",
        folded=[FOLDER],
        remove_lines=["X"],
    )
    three = eq.poker.Holdem(
        **stakes,
        ranges=[FIRST, FOLDER, SECOND],
        stacks=40,
        bets="50%; 60%",
        remove_lines=["X", "B5-C", "B5-R17"],
    )
    of_two = eq.solve(two, "cfr", iterations=10, precision="float64").value
    of_three = eq.solve(three, "cfr", iterations=10).value
    yield compare_with_two(
        "A third player who always folds is a folded hand",
        [of_three[0], of_three[2]],
        of_two,
        "third_player_who_always_folds",
    )
    weak = "As3s,Ac3h,Kh4h,Js3s:0.5"
    two = eq.poker.Holdem(**stakes, oop=FIRST, ip=SECOND, stack=15, bets="60%; a", folded=[weak])
    three = eq.poker.Holdem(
        **stakes, ranges=[FIRST, SECOND, weak], stacks=[15, 15, 0], bets="60%; a"
    )
    of_two = eq.solve(two, "cfr", iterations=10, precision="float64").value
    of_three = eq.solve(three, "cfr", iterations=10).value
    yield compare_with_two(
        "So is one without chips who cannot win",
        [of_three[0], of_three[1]],
        of_two,
        "weak_player_without_chips",
    )


def try_prizes(iterations: int) -> Iterator[Evidence]:
    """Yield a bluff for prizes: how often queens bet and kings fold, and the equities."""
    solution = eq.solve(BLUFF, iterations=iterations, precision="float64")
    spot = eq.poker.SolvedSpot(solution)
    queens = dict(zip(spot.node().hands[0], spot.node().strategy[1].tolist(), strict=True))["QsQh"]
    kings = float(spot.node("A10").frequencies[0])
    third = 100 - sum(solution.value)
    figures = {
        "queens bet": (queens, Fraction(3, 7), 1e-3),
        "kings fold": (kings, Fraction(18, 47), 1e-3),
        "equity of OOP": (solution.value[0], Fraction(10870, 329), 1e-3),
        "equity of IP": (solution.value[1], Fraction(1440, 49), 1e-3),
        "equity of the third": (third, Fraction(86530, 2303), 2e-3),
    }
    for name, (ours, expected, limit) in figures.items():
        yield Evidence(
            f"Prizes: {name} {expected}",
            "fractions, by hand",
            f"{ours:.5f}",
            abs(ours - float(expected)),
            limit,
            f"{OF_PRIZES}: a_bluff_for_prizes",
        )


def try_peer(iterations: int) -> Iterator[Evidence]:
    """Yield EVs beside folded hands, against those of another program."""
    for count, expected in enumerate(PEER_VALUES):
        spot = eq.poker.Holdem(
            "QsJh2h7c3d",
            oop=PEER_RANGE,
            ip=PEER_RANGE,
            pot=100,
            stack=200,
            bets="50%; 60%",
            folded=PEER_FOLDED[:count],
        )
        value = eq.solve(spot, iterations=iterations).value[0]
        yield Evidence(
            f"EV beside {count} folded hands, of the pot",
            "postflop-solver",
            f"{value / 100:.7f}",
            abs(value - expected) / 100,
            1e-4,
            f"{OF_FOLDED}: values_are_those_of_postflop_solver",
        )


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--iterations", type=int, default=1000, help="of each run to a solution")
    options = parser.parse_args()
    found = [
        *try_kuhn(options.iterations),
        *try_triples(),
        *try_two(),
        *try_prizes(4 * options.iterations),
        *try_peer(options.iterations),
    ]
    columns = ["", "referee", "ours", "apart", "at most", "test"]
    table = Table("Pots of three: the evidence", columns)
    for each in found:
        apart = f"{each.apart:.1e}"
        if each.apart > each.limit:
            apart = f"**{apart}**"
        table.rows.append(
            [each.sentence, each.referee, each.ours, apart, f"{each.limit:g}", each.test]
        )
    results = {f"{each.sentence}: {each.ours}": each.apart for each in found}
    publish([table], options, machine=describe(), results=results)


if __name__ == "__main__":
    main()
