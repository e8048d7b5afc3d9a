"""The memory told before a run covers the compiled game, the tables, the solution, and saving it."""

import tracemalloc

import pytest

import equilibrist as eq
from support.solvers import estimate


@pytest.mark.slow
@pytest.mark.parametrize("form", ["sequence", "public"])
def test_saving_takes_no_more_than_was_told(form, tmp_path):
    game = eq.load("liars_dice(faces=5)")
    compiled = (
        eq.compile_game(game) if form == "sequence" else eq.compile_public(game.public_states())
    )
    told = estimate(compiled)
    solution = eq.solve(compiled, iterations=2)
    solution.save(tmp_path / "once")  # what is loaded at the first time does not count
    tracemalloc.start()
    try:
        solution.save(tmp_path / "again")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    arrays = [*solution.state.values(), solution.strategy.probabilities]
    assert (
        compiled.nbytes + sum(array.nbytes for array in arrays) + peak
        <= told.gigabytes * 1e9 + 1_000_000
    )
    assert told.held * 1e9 == pytest.approx(compiled.nbytes)


def test_what_a_compiled_game_takes_is_counted():
    kept, plain = (eq.compile_game(eq.load("leduc"), keep_tree=keep) for keep in (True, False))
    assert kept.nbytes - plain.nbytes > 25 * kept.histories  # the tree
    assert (
        plain.nbytes
        >= plain.payoff.weights.nbytes + plain.slot.nbytes + plain.infosets.owner.nbytes
    )
    assert estimate(kept).gigabytes > estimate(plain).gigabytes


def test_tables_that_there_is_no_memory_for_are_refused_in_a_sentence(monkeypatch):
    def fail(*args, **options):
        raise MemoryError

    monkeypatch.setattr("equilibrist.solving.solvers.FULL_WIDTH", {("cpu", "sequence"): fail})
    match = (
        r"kuhn takes more memory than there is\. Sample it without keeping all of it \(sampling="
    )
    with pytest.raises(eq.GameError, match=match):
        eq.solve("kuhn", iterations=1)


def test_the_memory_that_the_user_allows_bounds_compiling_as_well():
    with pytest.raises(
        eq.GameError,
        match=r"by random plays, would take more than \S+ GB; memory_gb=1e-05 allows less",
    ):
        eq.solve("goofspiel(cards=5)", iterations=1, limits=eq.Limits(memory_gb=1e-5))
    with pytest.raises(
        eq.GameError, match=r"pairs of hands take \S+ GB; memory_gb=1e-06 allows less"
    ):
        eq.solve("leduc", form="public", iterations=1, limits=eq.Limits(memory_gb=1e-6))


def test_what_is_taken_already_is_not_asked_of_the_free_memory(monkeypatch):
    form = eq.compile_game(eq.load("leduc"), keep_tree=True)
    told = estimate(form)
    monkeypatch.setattr(
        "equilibrist.solving.estimate.free_memory", lambda: told.gigabytes - told.held
    )
    told.check(None)
    told.check(told.gigabytes)
    with pytest.raises(
        eq.GameError, match=r"leduc is too large: 288 infosets: \S+ GB; memory_gb=\S+ allows less"
    ):
        told.check(told.gigabytes - told.held / 2)
    monkeypatch.setattr(
        "equilibrist.solving.estimate.free_memory", lambda: (told.gigabytes - told.held) / 2
    )
    with pytest.raises(
        eq.GameError,
        match=r"leduc is too large: 288 infosets: \S+ GB; this machine has \S+ GB free",
    ):
        told.check(None)
