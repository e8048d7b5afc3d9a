"""Judge push or fold with many seats on real cards: ``python -m benchmarks.many_seats --seats 6 --stack 8``.

It solves the game with the package, and says what real cards say of the strategy. It shares no code with the
package's model of many seats but the table of strengths of hands. A deal is a board, and two cards for each seat.
For each player in turn the cards of the others stay, and *all* hands that are left are played, against the others'
strategies with their probabilities: nobody's moves are drawn. What is left of chance is the board and the cards of
the others.

By decision: the share of hands that go all-in; the shares that should go all-in and fold instead, as far as twice the
standard error tells; and what a best response chosen by these deals gains, which is more than it is worth in others.
"""

from __future__ import annotations

import argparse
import time

import numba
import numpy as np

import equilibrist as eq
from equilibrist.poker.cards.cards import CLASS_OF_HAND, CLASSES, HANDS, NUM_CARDS, hand_index
from equilibrist.poker.cards.hand_ranks import strengths

NUM = len(CLASSES)
BATCH = 4000  # deals whose mean is a sample
HAND = np.array(
    [[hand_index(a, b) if a != b else -1 for b in range(NUM_CARDS)] for a in range(NUM_CARDS)]
)
COMBOS = np.bincount(CLASS_OF_HAND)


@numba.njit(nogil=True)
def shuffle(seats, count, cards):
    """Fill the cards of so many deals: two of each seat, and five of the board."""
    deck = np.arange(52)
    for deal in range(count):
        for place in range(2 * seats + 5):
            other = np.random.randint(place, 52)  # noqa: NPY002 (as Numba has it)
            deck[place], deck[other] = deck[other], deck[place]
            cards[deal, place] = deck[place]


@numba.njit(nogil=True)
def seed_numba(seed):
    """Seed the numbers that kernels draw."""
    np.random.seed(seed)  # noqa: NPY002


@numba.njit(nogil=True)
def add_values(cards, strength, goes, paid, tables, seats, values):
    """Add the value of going all-in less that of folding to ``values[player][line, class]``, for some deals.

    ``goes[line, class]`` is how likely a player goes all-in: lines of player p begin at 2^p - 1, the moves of those
    before are its bits, the first the highest. ``paid`` is (stack, ante): blinds are 0.5 and 1.
    """
    hands, class_of, hand_of = tables
    stack, ante = paid
    blinds = np.zeros(seats)
    blinds[seats - 2], blinds[seats - 1] = 0.5, 1.0
    used = np.zeros(52, np.bool_)
    for deal in range(len(cards)):
        used[:] = False
        for place in range(2 * seats + 5):
            used[cards[deal, place]] = True
        held = np.zeros(seats, np.int64)
        own = np.zeros(seats, np.int64)
        for seat in range(seats):
            hand = hand_of[cards[deal, 2 * seat], cards[deal, 2 * seat + 1]]
            held[seat] = class_of[hand]
            own[seat] = strength[deal, hand]
        for player in range(seats):
            first_line = (1 << player) - 1
            used[cards[deal, 2 * player]] = False
            used[cards[deal, 2 * player + 1]] = False
            cuts = np.sort(np.delete(own, player))
            cuts = np.unique(cuts)
            steps = np.zeros((1 << player, 2 * len(cuts) + 1))
            for line in range(1 << player):
                reach = 1.0
                moves = 0
                for seat in range(player):
                    go = (line >> (player - 1 - seat)) & 1
                    p = goes[(1 << seat) - 1 + (moves if seat else 0), held[seat]]
                    reach *= p if go else 1.0 - p
                    moves = 2 * moves + go
                if reach == 0.0:
                    continue
                fold = -blinds[player] - ante
                for after in range(1 << (seats - 1 - player)):
                    weight = reach
                    moves = 2 * line + 1
                    for seat in range(player + 1, seats):
                        go = (after >> (seats - 1 - seat)) & 1
                        p = goes[(1 << seat) - 1 + moves, held[seat]]
                        weight *= p if go else 1.0 - p
                        moves = 2 * moves + go
                    if weight == 0.0:
                        continue
                    best, tied, pot, shown = -1, 0, seats * ante, 0
                    for seat in range(seats):
                        if seat == player:
                            continue
                        if (moves >> (seats - 1 - seat)) & 1:
                            shown += 1
                            pot += stack - ante
                            if own[seat] > best:
                                best, tied = own[seat], 1
                            elif own[seat] == best:
                                tied += 1
                        else:
                            pot += blinds[seat]
                    if shown == 0:
                        for k in range(steps.shape[1]):
                            steps[line, k] += weight * (pot - ante - fold)
                        continue
                    bet = stack - ante
                    for k in range(steps.shape[1]):
                        at = cuts[k // 2] if k % 2 else 0
                        if k % 2 == 0:
                            wins = k == 2 * len(cuts) or cuts[k // 2] > best
                            if k == 0:
                                wins = False
                            elif k < 2 * len(cuts):
                                wins = cuts[k // 2 - 1] >= best
                            gain = (pot + bet if wins else 0.0) - stack
                        elif at == best:
                            gain = (pot + bet) / (tied + 1) - stack
                        else:
                            gain = (pot + bet if at > best else 0.0) - stack
                        steps[line, k] += weight * (gain - fold)
            for hand in range(len(hands)):
                if used[hands[hand, 0]] or used[hands[hand, 1]]:
                    continue
                s = strength[deal, hand]
                k = 0
                while k < len(cuts) and cuts[k] < s:
                    k += 1
                place = 2 * k + 1 if k < len(cuts) and cuts[k] == s else 2 * k
                for line in range(1 << player):
                    values[first_line + line, class_of[hand]] += steps[line, place]
            used[cards[deal, 2 * player]] = True
            used[cards[deal, 2 * player + 1]] = True


def sample(seats, stack, ante, goes, count):
    """Return the sum over deals of what going all-in gains over folding, by line and class."""
    cards = np.zeros((count, 2 * seats + 5), np.int64)
    shuffle(seats, count, cards)
    strength = strengths(cards[:, 2 * seats :], HANDS).astype(np.int64)
    values = np.zeros_like(goes)
    add_values(cards, strength, goes, (stack, ante), (HANDS, CLASS_OF_HAND, HAND), seats, values)
    return values


def judge(seats, stack, ante, goes, seconds):
    """Return what going all-in gains over folding, by line and class, its standard error, and the number of deals."""
    total = np.zeros_like(goes)
    squares = np.zeros_like(goes)
    count = 0
    began = time.process_time()
    while time.process_time() - began < seconds or count < 2:
        mean = sample(seats, stack, ante, goes, BATCH) / BATCH
        total += mean
        squares += mean**2
        count += 1
    mean = total / count
    error = np.sqrt(np.maximum(squares / count - mean**2, 0) / (count - 1))
    return mean, error, count * BATCH


def line_text(seats, player, line):
    """Return the name of an infoset after the hand: ``fold-push``."""
    words, pushed = [], False
    for seat in range(player):
        if (line >> (player - 1 - seat)) & 1:
            words.append("call" if pushed else "push")
            pushed = True
        else:
            words.append("fold")
    return "-".join(words), "call" if pushed else "push"


def strategy_of(solution, seats):
    """Return how likely each player goes all-in in a solution of the package, by line and class."""
    goes = np.zeros(((1 << seats) - 1, NUM))
    for player in range(seats):
        for line in range(1 << player):
            after, action = line_text(seats, player, line)
            if player == seats - 1 and line == 0:
                goes[(1 << player) - 1] = 1.0  # who wins without acting
                continue
            for number, hand in enumerate(CLASSES):
                key = f"{hand} {after}".strip()
                goes[(1 << player) - 1 + line, number] = solution.strategy[player, key][action]
    return goes


def main() -> None:
    """Solve, deal, and print what real cards say."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seats", type=int, default=6)
    parser.add_argument("--stack", type=float, default=8)
    parser.add_argument("--ante", type=float, default=0)
    parser.add_argument("--iterations", type=int, default=40)
    parser.add_argument(
        "--seconds", type=float, default=150, help="of processor time, for the deals"
    )
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    seats = arguments.seats
    game = f"push_fold(seats={seats}, stack={arguments.stack:g}, ante={arguments.ante:g})"
    began = time.process_time()
    solution = eq.solve(game, iterations=arguments.iterations)
    seconds = time.process_time() - began
    print(
        f"{game}: {seconds:.0f} s of processor time, nash_conv {solution.nash_conv:.2g} in the model"
    )
    goes = strategy_of(solution, seats)
    seed_numba(arguments.seed)
    mean, error, deals = judge(seats, arguments.stack, arguments.ante, goes, arguments.seconds)
    print(f"{deals:,} deals")
    share = 100 * COMBOS / COMBOS.sum()
    # hands of a player that a deal leaves
    left = 52 - 5 - 2 * (seats - 1)
    own_hands = left * (left - 1) / 2
    gain = np.where(mean > 0, (1 - goes) * mean, -goes * mean) / own_hands
    for player in range(seats):
        rows = slice((1 << player) - 1, (1 << (player + 1)) - 1)
        print(f"player {player}: {gain[rows].sum():.4f} big blinds a hand")
        for line in range(1 << player):
            if bin(line).count("1") > 1 or (player == seats - 1 and line == 0):
                continue
            row = (1 << player) - 1 + line
            after, action = line_text(seats, player, line)
            too_tight = (mean[row] > 2 * error[row]) * (1 - goes[row]) @ share
            too_loose = (mean[row] < -2 * error[row]) * goes[row] @ share
            print(
                f"  {after:32} {action} {goes[row] @ share:6.2f} %, more {too_tight:.2f} %, "
                f"less {too_loose:.2f} %, gain {gain[row].sum():.5f}"
            )


if __name__ == "__main__":
    main()
