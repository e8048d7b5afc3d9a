"""Weighted subsets of the 1,755 flops: how they are chosen, and how far their averages are from those over all.

    python -m benchmarks.flop_subsets                                # errors of the package's subsets: 10 minutes
    python -m benchmarks.flop_subsets --equities flops.npz           # keeps the equities in a file, or takes them
    python -m benchmarks.flop_subsets --equities flops.npz --choose  # chooses the subsets again: 10 minutes more

*The criterion.* A subset S with weights w, Σ w = 1, w ≥ 0, is chosen so that wᵀ K w is least, where K is a kernel
between flops that is centred over all 22,100: it is the mean squared error of weighted averages over S, in units of
what a single flop drawn at random has. K is the mean of three kernels of that scale: of the equities of each of the
169 classes of hands against each other one (K1); of suits, repeated ranks, the three ranks by their order, and the
number of straights that two cards can make, each standardised (K2); and exp(-d²/D), d² the squared distance of two
flops in (K1 + K2) / 2 and D its mean (K3), which stands for what depends on both in other ways, as what a solver plays
does. *The choice.* The flop that lowers the error most is added with the best weights until there are enough; then
each is replaced by the best other one, again and again, until none is better. Weights are the best ones that are not
negative, rounded to flops of 22,100.

*Equities* are exact: all 1,176 turns and rivers of each flop, all hands. Their averages over all flops are the
well-known equities before the flop.
"""

from __future__ import annotations

import argparse
import json
import time
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numba import njit
from scipy.optimize import nnls

from equilibrist.poker.cards.cards import CLASS_OF_HAND, CLASSES, HANDS, RANKS, cards_text
from equilibrist.poker.cards.flops import NUM_FLOPS, SUBSETS, all_flops, flop_subset, texture
from equilibrist.poker.cards.hand_ranks import strengths
from equilibrist.poker.cards.ranges import Range

KEPT = Path(__file__).parents[1] / "src" / "equilibrist" / "poker" / "cards" / "flop_subsets.json"
RUNOUTS = 990  # turns and rivers that neither hand blocks
NAMED = (("AA", "KK"), ("AKs", "QQ"), ("AKo", "22"), ("JTs", "AA"), ("T9s", "AKo"), ("88", "A5s"))
RANGES = (
    (
        "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
        "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+",
    ),
    ("QQ+,AKs,AKo", "JJ-22,AQs-ATs,KQs,QJs,JTs,T9s,98s"),
    (
        "22+,A2s+,K2s+,Q2s+,J4s+,T6s+,96s+,A2o+,K7o+,Q9o+,J9o+,T9o",
        "TT-22,A9s-A2s,KTs+,QTs+,AQo-ATo",
    ),
    ("77-22,AQs-A2s", "TT+,AQs+,AKo"),
    ("54s,65s,76s,87s", "AJo+,KQo"),
)
_TINY = 1e-9


class Flops(NamedTuple):
    """What is known of all flops, in one order: cards, how many each stands for, and net equities of classes.

    ``net`` [flop, class, class] is Σ over pairs of hands of wins less losses; ``pairs`` how many pairs of hands go
    together with a flop.
    """

    cards: list[tuple[int, ...]]
    share: np.ndarray
    net: np.ndarray
    pairs: np.ndarray


@njit
def count_wins(strength, boards, hands, classes, wins):
    """Add how often a hand of each class beats one of each class: in place, shape (169, 169)."""
    weaker, holding = np.zeros(169, np.int32), np.zeros((52, 169), np.int32)
    start, order = np.zeros(7464, np.int32), np.zeros(len(hands), np.int32)
    for board in range(len(boards)):
        start[:], weaker[:], holding[:, :] = 0, 0, 0
        used = np.zeros(52, np.bool_)
        used[boards[board]] = True
        for hand in range(len(hands)):
            if not (used[hands[hand, 0]] or used[hands[hand, 1]]):
                start[strength[board, hand] + 1] += 1
        for value in range(1, 7464):
            start[value] += start[value - 1]
        count = start[7463]
        for hand in range(len(hands)):
            if not (used[hands[hand, 0]] or used[hands[hand, 1]]):
                order[start[strength[board, hand]]] = hand
                start[strength[board, hand]] += 1
        first = 0
        while first < count:
            last = first
            while last < count and strength[board, order[last]] == strength[board, order[first]]:
                last += 1
            for hand in order[first:last]:
                row, one, other = (
                    wins[classes[hand]],
                    holding[hands[hand, 0]],
                    holding[hands[hand, 1]],
                )
                for rival in range(169):  # those weaker, less those that share a card
                    row[rival] += weaker[rival] - one[rival] - other[rival]
            for hand in order[first:last]:
                weaker[classes[hand]] += 1
                holding[hands[hand, 0], classes[hand]] += 1
                holding[hands[hand, 1], classes[hand]] += 1
            first = last


def equities(path: Path | None) -> Flops:
    """Return the flops with the equities of all classes on each, from a file where it is there."""
    flops = all_flops()
    cards, share = list(flops), np.array(list(flops.values())) / NUM_FLOPS
    if path is not None and path.exists():
        kept = np.load(path)
        return Flops(cards, share, kept["net"], kept["pairs"])
    member = np.eye(169, dtype=np.float32)[CLASS_OF_HAND]
    apart = ~(HANDS[:, None, :, None] == HANDS[None, :, None, :]).any(axis=(2, 3))
    net, pairs = (
        np.zeros((len(cards), 169, 169), np.int32),
        np.zeros((len(cards), 169, 169), np.int32),
    )
    began = time.perf_counter()
    for at, flop in enumerate(cards):
        rest = [card for card in range(52) if card not in flop]
        boards = np.array([(*flop, *later) for later in combinations(rest, 2)])
        wins = np.zeros((169, 169), np.int32)
        count_wins(strengths(boards, HANDS), boards, HANDS, CLASS_OF_HAND.astype(np.int64), wins)
        net[at] = wins - wins.T
        free = ~np.isin(HANDS, flop).any(axis=1)
        pairs[at] = member[free].T @ (apart[np.ix_(free, free)] @ member[free])
        if at % 100 == 99:
            print(
                f"{at + 1} of {len(cards)} flops, {time.perf_counter() - began:.0f} s", flush=True
            )
    if path is not None:
        np.savez(path, net=net, pairs=pairs)
    return Flops(cards, share, net, pairs)


def scaled(kernel, share):
    """Return a kernel that is centred over all flops, of which one drawn at random has the mean square 1."""
    mean = kernel @ share
    kernel = kernel - mean[:, None] - mean[None] + share @ mean
    return kernel / (share @ np.diag(kernel))


def looks(cards):
    """Return suits, repeated ranks, the three ranks by their order, and straights of a flop as zeros and ones."""
    found, ranks = texture(cards), sorted((card // 4 for card in cards), reverse=True)
    return np.concatenate(
        [
            [found.suits == name for name in ("monotone", "two-tone", "rainbow")],
            [found.pairing == name for name in ("unpaired", "paired", "trips")],
            *([rank == number for number in range(len(RANKS))] for rank in ranks),
            [found.straights == number for number in range(4)],
        ]
    ).astype(float)


def kernel_of(flops: Flops):
    """Return the kernel of the criterion, and its three parts."""
    upper = np.triu_indices(169, 1)
    total = np.einsum("f,fij->ij", flops.share, flops.pairs)[upper] * RUNOUTS
    of_classes = (flops.net[:, upper[0], upper[1]] / (2 * total)).astype(np.float32)
    of_classes -= (flops.share @ of_classes).astype(np.float32)
    texture_of = np.array([looks(cards) for cards in flops.cards])
    texture_of -= flops.share @ texture_of
    texture_of /= np.sqrt(flops.share @ texture_of**2)
    one = scaled((of_classes @ of_classes.T).astype(float), flops.share)
    two = scaled(texture_of @ texture_of.T, flops.share)
    both = (one + two) / 2
    squares = np.maximum(np.diag(both)[:, None] + np.diag(both)[None] - 2 * both, 0)
    three = scaled(np.exp(-squares / (flops.share @ squares @ flops.share)), flops.share)
    return (one + two + three) / 3, (one, two, three)


def best_weights(kernel, chosen):
    """Return the weights w ≥ 0, Σ w = 1, of the least wᵀ K w."""
    lower = np.linalg.cholesky(kernel[np.ix_(chosen, chosen)] + _TINY * np.eye(len(chosen)))
    heavy = 1e3  # of the sum, against what it is to make small
    weights, _ = nnls(
        np.vstack([lower.T, np.full(len(chosen), heavy)]), np.append(np.zeros(len(chosen)), heavy)
    )
    return weights / weights.sum()


def choose(kernel, size):
    """Return the flops of a subset: the best one added each time, then each replaced by the best other one."""

    def gains(chosen):
        """Return by how much each flop raises 1ᵀ K⁻¹ 1, the inverse of the least wᵀ K w."""
        inverse = np.linalg.inv(kernel[np.ix_(chosen, chosen)] + _TINY * np.eye(len(chosen)))
        across = kernel[:, chosen]
        solved = across @ inverse
        left = np.maximum(np.diag(kernel) - np.einsum("ij,ij->i", solved, across), _TINY)
        gain = (1 - solved.sum(axis=1)) ** 2 / left
        gain[chosen] = -1
        return gain

    chosen: list[int] = []
    while len(chosen) < size:
        chosen.append(int(gains(chosen).argmax()))
    better = True
    while better:
        better = False
        for place in range(size):
            gain = gains(chosen[:place] + chosen[place + 1 :])
            best = int(gain.argmax())
            if gain[best] > gain[chosen[place]] * (1 + 1e-9):
                chosen[place], better = best, True
    return chosen


def rounded(weights):
    """Return weights as whole numbers of flops, by largest remainders; each is 1 at least."""
    exact = weights * NUM_FLOPS
    whole = np.maximum(np.floor(exact), 1)
    order = np.argsort(-(exact - whole), kind="stable")
    whole[order[: int(NUM_FLOPS - whole.sum())]] += 1
    return whole.astype(int)


def choose_all(flops: Flops) -> None:
    """Choose the subsets of all sizes, and write them into the package."""
    kernel, _ = kernel_of(flops)
    kept = {}
    for size in SUBSETS:
        chosen = choose(kernel, size)
        weights = rounded(best_weights(kernel, chosen))
        kept[str(size)] = {
            cards_text(flops.cards[at]): int(w)
            for at, w in sorted(zip(chosen, weights, strict=True))
        }
        print(f"chose {size} flops", flush=True)
    KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    flop_subset.cache_clear()


def report(flops: Flops) -> None:
    """Print how far averages over the subsets are from those over all flops."""
    _, parts = kernel_of(flops)
    place = {cards: at for at, cards in enumerate(flops.cards)}
    weights = {"all": flops.share}
    for size in SUBSETS:
        weights[str(size)] = np.zeros(len(flops.cards))
        for cards, weight in flop_subset(size).items():
            weights[str(size)][place[cards]] = weight / NUM_FLOPS
    tables = {name: _equity(flops, own) for name, own in weights.items()}
    print(
        "\nAs good as so many flops drawn at random: equities of classes, texture, both in other ways"
    )
    for name in list(weights)[1:]:
        own = weights[name]
        print(
            f"{name:>5} flops  " + "  ".join(f"{1 / (own @ part @ own):10,.0f}" for part in parts)
        )
    upper = np.triu_indices(169, 1)
    print(
        "\nError of the equity before the flop, 14,196 pairs of classes, % of the pot: mean, 99 of 100, largest"
    )
    for name in list(weights)[1:]:
        error = 100 * np.abs(tables[name] - tables["all"])[upper]
        print(
            f"{name:>5} flops  {error.mean():8.3f}  {np.quantile(error, 0.99):8.3f}  {error.max():8.3f}"
        )
    print("\nEquity in %: over all flops, then the error of each subset")
    held = [(one, other, _member(one), _member(other)) for one, other in (*NAMED, *RANGES)]
    for one, other, mine, theirs in held:
        exact = _of_ranges(flops, weights["all"], mine, theirs)
        errors = [_of_ranges(flops, weights[str(size)], mine, theirs) - exact for size in SUBSETS]
        print(
            f"{100 * exact:8.3f}  "
            + "  ".join(f"{100 * error:+7.3f}" for error in errors)
            + f"  {one} : {other}"
        )


def _equity(flops: Flops, share):
    with np.errstate(invalid="ignore"):
        return 0.5 + np.einsum("f,fij->ij", share, flops.net) / (
            2 * RUNOUTS * np.einsum("f,fij->ij", share, flops.pairs)
        )


def _member(text):
    """Return the weight of each class in a range."""
    weights = Range(text).weights
    return np.array([weights[np.equal(CLASS_OF_HAND, at)].mean() for at in range(len(CLASSES))])


def _of_ranges(flops: Flops, share, mine, theirs):
    """Return the equity of a range against another, over deals and flops."""
    net = share @ (mine @ flops.net @ theirs)
    return 0.5 + net / (2 * RUNOUTS * (share @ (mine @ flops.pairs @ theirs)))


def main() -> None:
    """Choose, or report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--equities", type=Path, help="file of NumPy for the equities of all classes on all flops"
    )
    parser.add_argument(
        "--choose", action="store_true", help="choose the subsets again, and write them"
    )
    asked = parser.parse_args()
    flops = equities(asked.equities)
    if asked.choose:
        choose_all(flops)
    report(flops)


if __name__ == "__main__":
    main()
