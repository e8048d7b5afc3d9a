"""Threads on all forms: the same bits however many there are, interrupts are heard, and callbacks may fail."""

import pytest

import equilibrist as eq
from equilibrist.cfr import sequence_cfr
from equilibrist.cfr.sequence_cfr import SequenceCFR
from support.random_card_games import RandomCardGame
from support.runs import FOREVER, stop_at_6
from support.solvers import turn, variant


@pytest.fixture
def small_games(monkeypatch):
    """Let threads share sequence forms of any size."""
    monkeypatch.setattr(sequence_cfr, "LEAST_FOR_THREADS", 0)


@pytest.mark.thinned(16)
@turn
@pytest.mark.parametrize("tracked", [False, True])
@pytest.mark.parametrize(
    ("game", "precision"),
    [
        ("leduc", "float64"),
        ("goofspiel(cards=4)", "float64"),
        ("liars_dice(faces=3)", "float64"),
        ("kuhn(players=3)", "float64"),
        pytest.param("kuhn(players=3)", "float32", marks=pytest.mark.slow),
    ],
)
def test_threads_change_nothing_on_sequence_forms(
    game, precision, tracked, alternating, small_games
):
    form, found, algorithm = (
        eq.compile_game(eq.load(game)),
        [],
        variant(eq.ALGORITHMS["dcfr"], alternating=alternating),
    )
    for threads in (1, 2, 3):
        solver = SequenceCFR(
            form, algorithm, threads=threads, track_play=tracked, precision=precision
        )
        for iterations in (1, 6):
            solver.run(iterations)
        found.append({name: table.tobytes() for name, table in solver.tables.items()})
    assert found[0] == found[1] == found[2]


def cases():
    """Return a game of each form that threads walk."""
    public = eq.load("liars_dice(faces=4)").public_states()
    return (RandomCardGame(11), {}), (public, {}), (eq.load("leduc"), {"form": "sequence"})


@pytest.mark.thinned(4)
@pytest.mark.parametrize("number", [0, 1, 2], ids=["cards", "public", "sequence"])
def test_an_interrupt_and_a_failing_callback_end_a_run_with_threads(number, small_games):
    game, options = cases()[number]

    def fail(point):
        if point.iteration >= 6:
            raise ZeroDivisionError

    cut = eq.solve(game, iterations=FOREVER, threads=2, callbacks=stop_at_6, **options)
    assert cut.stop_reason == "interrupt"
    with pytest.raises(ZeroDivisionError) as raised:
        eq.solve(game, iterations=FOREVER, threads=2, callbacks=fail, **options)
    cut = raised.value.solution
    again = eq.solve(game, resume=cut, iterations=cut.iterations + 5, threads=2)
    whole = eq.solve(game, iterations=again.iterations, **options)
    assert again.strategy.probabilities.tolist() == whole.strategy.probabilities.tolist()


def test_small_sequence_forms_are_refused():
    with pytest.raises(
        eq.AlgorithmError, match="500,000 actions and more, so that threads=2 would do nothing"
    ):
        eq.solve("leduc", form="sequence", threads=2, iterations=3)
