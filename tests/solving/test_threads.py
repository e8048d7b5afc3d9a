"""Runs in several threads at once share nothing but compiled code, so that each gives the bits it gives alone."""

from concurrent.futures import ThreadPoolExecutor

import pytest

import equilibrist as eq
from equilibrist.game.public import public_game
from support.runs import without_seconds

RUNS = {
    "sequence": ("leduc", {"algorithm": "dcfr", "iterations": 60}),
    "other game": ("kuhn(players=3)", {"algorithm": "cfr+", "iterations": 200}),
    "public": ("liars_dice(faces=3)", {"algorithm": "pcfr+", "iterations": 60, "form": "public"}),
    "sampled": (
        "leduc",
        {"algorithm": "cfr", "sampling": "external", "iterations": 3000, "seed": 5},
    ),
    "lazy": (
        "leduc",
        {"algorithm": "cfr", "sampling": "outcome(tree=False)", "iterations": 3000, "seed": 5},
    ),
    "sampled hands": (
        "leduc",
        {"algorithm": "cfr", "sampling": "external", "iterations": 500, "form": "public"},
    ),
}


def alone(name):
    game, options = RUNS[name]
    return without_seconds(eq.solve(game, **options))


@pytest.mark.slow
def test_runs_in_threads_at_once_give_the_bits_they_give_alone():
    wanted = {name: alone(name) for name in RUNS}
    with ThreadPoolExecutor(2 * len(RUNS)) as pool:
        running = [(name, pool.submit(alone, name)) for name in [*RUNS, *RUNS]]
        for name, future in running:
            assert future.result() == wanted[name], name


@pytest.mark.parametrize("name", ["sequence", "public", "sampled"])
def test_one_compiled_game_can_be_solved_by_several_threads(name):
    """What is compiled is not written to while it is solved."""
    game, options = RUNS[name]
    options = {key: value for key, value in options.items() if key != "form"}
    if name == "public":
        form = eq.compile_public(public_game(eq.load(game)))
    else:
        form = eq.compile_game(eq.load(game), keep_tree=name == "sampled")
    wanted = without_seconds(eq.solve(form, **options))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: without_seconds(eq.solve(form, **options)), range(4)))
    assert all(one == wanted for one in found)


def test_a_run_may_start_another_in_its_callback():
    inner = {}

    def solve_again(point):
        if point.iteration == 4:
            inner["kuhn"] = eq.solve("kuhn", "cfr", iterations=50)

    outer = eq.solve("leduc", "cfr+", iterations=30, callbacks=solve_again)
    assert without_seconds(outer) == without_seconds(eq.solve("leduc", "cfr+", iterations=30))
    assert without_seconds(inner["kuhn"]) == without_seconds(eq.solve("kuhn", "cfr", iterations=50))
