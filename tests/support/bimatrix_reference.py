"""Equilibria of tiny bimatrix games by definition, in fractions: slow, and with no line of the package."""

from fractions import Fraction
from itertools import combinations


def solve_exactly(matrix, right):
    """Return the only solution of a square system in fractions, or None; by elimination."""
    rows = [[Fraction(x) for x in (*row, value)] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for column in range(size):
        pivot = next((r for r in range(column, size) if rows[r][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [x / rows[column][column] for x in rows[column]]
        for r in range(size):
            if r != column and rows[r][column]:
                factor = rows[r][column]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[column], strict=True)]
    return tuple(row[size] for row in rows)


def dot(numbers, others):
    return sum((a * b for a, b in zip(numbers, others, strict=True)), Fraction(0))


def transposed(table):
    return [list(column) for column in zip(*table, strict=True)]


def corners(payoffs):
    """Return where a mixture and what the opponent gets are determined by tight inequalities.

    ``payoffs`` are those of the opponent, a row for each plan of the opponent.

    Returns
    -------
    list of (mixture, plans that are not played, best responses)
    """
    size = len(payoffs[0])
    unplayed = [([int(i == k) for k in range(size)] + [0], 0) for i in range(size)]
    best = [([*row, -1], 0) for row in payoffs]
    found = {}
    for chosen in combinations(unplayed + best, size):
        system = [([1] * size + [0], 1), *chosen]
        point = solve_exactly([row for row, _ in system], [right for _, right in system])
        if point is None or min(point[:-1]) < 0:
            continue
        mixture = point[:-1]
        earned = [dot(row, mixture) for row in payoffs]
        if max(earned) <= point[-1] and point[-1] in earned:
            responses = {j for j, value in enumerate(earned) if value == max(earned)}
            found[mixture] = ({i for i, p in enumerate(mixture) if p == 0}, responses)
    return [(mixture, *labels) for mixture, labels in found.items()]


def extreme_equilibria(first, second):
    """Return all pairs of corners in which each plan is unplayed or a best response."""
    firsts = corners(transposed(second))
    seconds = corners(first)
    everything = set(range(len(first))), set(range(len(first[0])))
    return {
        (x, y)
        for x, x_unplayed, x_responses in firsts
        for y, y_unplayed, y_responses in seconds
        if x_unplayed | y_responses == everything[0] and y_unplayed | x_responses == everything[1]
    }


def is_equilibrium(first, second, x, y):
    """Return whether no pure plan earns more than a pair of mixtures does."""
    rows = [dot(row, y) for row in first]
    columns = [dot(column, x) for column in transposed(second)]
    return dot(rows, x) == max(rows) and dot(columns, y) == max(columns)


def equilibria_by_supports(first, second):
    """Return the equilibria of a nondegenerate game: supports of equal size determine one each, or none."""
    height, width = len(first), len(first[0])
    found = set()
    for size in range(1, min(height, width) + 1):
        for rows in combinations(range(height), size):
            for columns in combinations(range(width), size):
                indifferent = [[first[i][j] for j in columns] + [-1] for i in rows]
                y = solve_exactly([*indifferent, [1] * size + [0]], [0] * size + [1])
                indifferent = [[second[i][j] for i in rows] + [-1] for j in columns]
                x = solve_exactly([*indifferent, [1] * size + [0]], [0] * size + [1])
                if x is None or y is None or min(*x[:-1], *y[:-1]) < 0:
                    continue
                x = spread(x[:-1], rows, height)
                y = spread(y[:-1], columns, width)
                if is_equilibrium(first, second, x, y):
                    found.add((x, y))
    return found


def spread(probabilities, places, size):
    numbers = [Fraction(0)] * size
    for place, probability in zip(places, probabilities, strict=True):
        numbers[place] = probability
    return tuple(numbers)
