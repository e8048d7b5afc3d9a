"""Safe re-solving in the card form: the same numbers as in the sequence form, by linear programme."""

from contextlib import suppress

import numpy as np
import pytest

import equilibrist as eq
from support.random_card_games import RandomCardGame

SAFE = ("refined", "resolve", "maxmargin", "reach")
TURN = "holdem(board='KdQd2d7d', oop='AA,QJs,T8s', ip='KK,JTs,98s', pot=100, stack=200, bets='100%; a')"


def places(form, street=1):
    """Return line, cards and number of copies of each part that begins with a street, on the boards that are stored."""
    lines = dict.fromkeys(
        node.line.rpartition("|")[0] for node in form.betting.streets[street].decisions
    )
    boards = form.boards.streets[street]
    return [(line, board.cards, len(board.copies)) for line in lines for board in boards]


def blueprint_of(game, iterations=3, *, merge=True):
    form = eq.compile_cards(game)
    return eq.solve(
        form if merge else form.unmerged(), "cfr", iterations=iterations, precision="float64"
    )


@pytest.fixture(scope="module")
def game():
    """A random card game whose second street begins after two lines, and its sequence form."""
    rules = RandomCardGame(7, streets=(1,))
    return rules, blueprint_of(rules, merge=False), eq.compile_game(rules, keep_tree=True)


@pytest.mark.thinned(24)
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("method", [*SAFE, "unsafe"])
@pytest.mark.parametrize(("precision", "rounding"), [("float32", 1e-6), ("float64", 1e-9)])
def test_the_same_as_by_linear_programme(game, method, player, precision, rounding):
    rules, blueprint, form = game
    strategy = blueprint.strategy
    for line, cards, _ in places(strategy.form)[:8:4]:  # both players act on this line
        part = eq.resolve(
            blueprint,
            line,
            cards,
            method=method,
            player=player,
            iterations=2000,
            algorithm="cfr+",
            precision=precision,
        )
        board = "".join(rules.cards[card] for card in cards[len(rules.board) :])
        node = next(
            n
            for n in strategy.form.betting.streets[1].decisions
            if n.line.rpartition("|")[0] == line
        )
        key = next(i.key for i in form.infosets if i.key.endswith(f" {board} {node.line}"))
        exact = eq.resolve(strategy, key, method=method, player=player, game=form)
        shift = rules.pot / 2  # which card forms leave out of values
        theirs = {hand.split()[0].removesuffix(":"): k for k, hand in enumerate(exact.part.hands)}
        order = [theirs[hand] for hand in part.part.hands]
        assert part.part.weight == pytest.approx(exact.part.weight[order], abs=1e-12)
        for name in ("blueprint", "allowed"):
            mine, other = getattr(part.part, name), getattr(exact.part, name)[order]
            assert mine + shift * part.part.weight == pytest.approx(other, abs=1e-12)
        opponent = 1 - player
        share = {"maxmargin": 0.0, "reach": 0.0, "resolve": 1.0, "unsafe": 1.0}.get(method)
        if share is None:
            gadget = part.strategy.form.gadget[1]
            weight = np.zeros(len(gadget.always))
            hands = [rules.hands[opponent].index(hand) for hand in part.part.hands]
            weight[hands] = part.part.weight / part.part.weight.sum()
            share = weight @ (gadget.always + gadget.chosen)
        assert part.nash_conv < 2e-2
        if part.part.excess < 1e-9 or method != "refined":
            expected = exact.value[opponent] - shift * share
            assert part.value[opponent] == pytest.approx(expected, abs=part.nash_conv + rounding)


@pytest.mark.slow  # of float64 kernels: those of float32 are compared with the linear programme
@pytest.mark.parametrize("method", ["resolve", "maxmargin"])
def test_decisions_above_the_part_are_those_of_the_sequence_form(game, method):
    """After some iterations the same numbers, where hands enter by choice alone, so that infosets are the same."""
    rules, blueprint, form = game
    strategy = blueprint.strategy
    for line, cards, _ in places(strategy.form)[:8:4]:
        board = "".join(rules.cards[card] for card in cards[len(rules.board) :])
        node = next(
            n
            for n in strategy.form.betting.streets[1].decisions
            if n.line.rpartition("|")[0] == line
        )
        key = next(i.key for i in form.infosets if i.key.endswith(f" {board} {node.line}"))
        options = {"method": method, "player": 0, "iterations": 7, "algorithm": "cfr"}
        part = eq.resolve(blueprint, line, cards, precision="float64", **options)
        other = eq.resolve(strategy, key, game=form, **options)
        assert part.nash_conv == pytest.approx(other.nash_conv, abs=1e-11)
        assert part.part.excess == pytest.approx(other.part.excess, abs=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "streets"),
    [
        (9, (1,)),
        (3, (1, 1)),
        (4, (1,)),
        (1, (1,)),
    ],
)
def test_no_safe_method_makes_it_worse_on_all_boards_at_once(seed, streets):
    """Boards that are stored as one get the same strategy, and count once each."""
    rules = RandomCardGame(seed, streets=streets)
    blueprint = blueprint_of(rules)
    form = blueprint.strategy.form
    best = eq.evaluate(form, blueprint.strategy).best_response_value
    for player in (0, 1):
        for method in SAFE:
            parts, excess = [], 0.0
            for line, cards, copies in places(form):
                with suppress(eq.SolutionError):  # no two hands get there
                    part = eq.resolve(
                        blueprint, line, cards, method=method, player=player, iterations=200
                    )
                    parts.append(part)
                    excess += copies * part.part.excess
            assert len(parts) > 1
            spliced = eq.splice(blueprint, *parts)
            after = eq.evaluate(
                form.unmerged() if len(streets) > 1 else form, spliced
            ).best_response_value
            assert after[1 - player] <= best[1 - player] + excess + 1e-9


def test_a_rake_is_refused():
    rules = RandomCardGame(7, rake=True, streets=(1,))
    blueprint = blueprint_of(rules)
    line, cards, _ = places(blueprint.strategy.form)[0]
    with pytest.raises(eq.GameError, match="is general-sum, as with a rake"):
        eq.resolve(blueprint, line, cards, player=0)


def test_the_strategy_of_all_streets_is_needed(tmp_path):
    eq.solve(TURN, iterations=5).save(tmp_path, streets=1)
    with pytest.raises(eq.SolutionError, match="has not all streets of"):
        eq.resolve(tmp_path, "X-X", "3c", player=0)


@pytest.mark.parametrize(
    "locks", [[], [{"line": "X-X | X", "strategy": {"X": 1}, "board": "KdQd2d7d3c"}]]
)
def test_a_part_is_read_from_its_folder_alone(tmp_path, run, locks):
    """The game is made again of the whole one; the same bits when it goes on."""
    rules = eq.load(TURN)
    rules.locks = locks
    blueprint = eq.solve(rules, iterations=5)
    part = eq.resolve(blueprint, "X-X", "3c", player=0, iterations=20, save=tmp_path)
    read = eq.load_solution(tmp_path)
    assert read.exploitability == part.exploitability
    assert read.part.summary() == part.part.summary()
    assert read.strategy.form.fingerprint == part.strategy.form.fingerprint
    weights = [eq.splice(blueprint, each).slots.weights for each in (part, tmp_path)]
    assert (weights[0] == weights[1]).all()
    again = eq.resolve(blueprint, "X-X", "3c", player=0, iterations=40, resume=tmp_path)
    at_once = eq.resolve(blueprint, "X-X", "3c", player=0, iterations=40)
    assert (again.exploitability, again.part.excess) == (
        at_once.exploitability,
        at_once.part.excess,
    )
    shown = run("show", str(tmp_path)).out
    assert "solved again for player 0 by refined; the opponent's hands get at most" in " ".join(
        shown.split()
    )


def test_locks_stay():
    game = eq.load(TURN)
    game.locks = [{"line": "X-X | X", "strategy": {"X": 1}}]
    part = eq.resolve(eq.solve(game, iterations=20), "X-X", "3c", player=0, iterations=20)
    (lock,) = part.strategy.form.game.locks
    assert lock.line == "X"
    assert part.strategy.form.locks is not None


def test_a_part_of_another_spot_is_refused():
    part = eq.resolve(eq.solve(TURN, iterations=3), "X-X", "3c", player=0, iterations=3)
    with pytest.raises(
        eq.SolutionError, match="has not the lines and boards of re-solve of holdem"
    ):
        eq.splice(eq.solve(TURN.replace("7d", "7h"), iterations=3), part)
