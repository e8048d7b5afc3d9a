"""Runs of card games: saved without names and resumed bit for bit, float32, limits in % of the pot, first streets."""

import json
import re
from types import SimpleNamespace

import numpy as np
import pytest

import equilibrist as eq
from equilibrist import CHANCE, TERMINAL
from equilibrist._util.archive import Archive, write_archive
from equilibrist.cfr.algorithms import find_algorithm
from equilibrist.form.cards.form import CardForm
from equilibrist.form.cards.walk import first_slot_of
from equilibrist.solving import estimate as estimating
from equilibrist.solving import save as saving
from equilibrist.solving.run import next_certificate
from support.kuhn_cards import KuhnCards
from support.random_card_games import Narrowed, RandomCardGame
from support.solvers import estimate

SPOT = "holdem(board='Td9d6hQc', oop='AA,QJs,T8s', ip='KK,JTs,98s', pot=100, stack=200, bets='100%, a; a')"
RIVER = "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a')"


@pytest.fixture(scope="module")
def solution():
    return eq.solve(SPOT, "dcfr", iterations=6)


@pytest.fixture
def folder(solution, tmp_path):
    solution.save(tmp_path / "run")
    return tmp_path / "run"


def rewritten(folder, change):
    """Write the checkpoint again, with right digests, after a change of its texts and arrays."""
    path = folder / "checkpoint.npz"
    with Archive(path) as archive:
        texts = {name: archive.text(name) for name in archive.texts}
        arrays = {name: archive.array(name).copy() for name in archive.arrays}
    change(texts, arrays)
    with path.open("wb") as file:
        write_archive(file, texts, arrays)


# --- Saved, loaded, resumed ---


@pytest.mark.slow
@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("name", ["dcfr", "pcfr+"])
def test_a_run_is_resumed_bit_for_bit(name, alternating, tmp_path):
    options = {"algorithm": f"{name}(alternating={alternating})"}
    whole = eq.solve(SPOT, iterations=9, **options)
    eq.solve(SPOT, iterations=4, save=tmp_path, **options)
    resumed = eq.solve(resume=tmp_path, iterations=9, save=tmp_path)
    for table, array in whole.state.items():
        assert (resumed.state[table] == array).all()
        assert (eq.load_solution(tmp_path).state[table] == array).all()
    assert resumed.final._replace(seconds=0) == whole.final._replace(seconds=0)
    assert resumed.config.precision == "float32"


@pytest.mark.slow
def test_names_and_probabilities_are_not_saved(solution, folder):
    with Archive(folder / "checkpoint.npz") as archive:
        assert archive.texts == ["about"]
        assert set(archive.arrays) == {"state_iteration", "state_regret_sum", "state_strategy_sum"}
    loaded = eq.load_solution(folder)
    assert loaded.strategy.slots.weights is loaded.state["strategy_sum"]
    assert loaded.strategy.slots.weights.dtype == np.float32
    assert (loaded.strategy.probabilities == solution.strategy.probabilities).all()
    assert list(loaded.strategy.infosets) == list(solution.strategy.infosets)
    assert eq.evaluate(loaded.strategy.form, loaded.strategy).nash_conv == pytest.approx(
        solution.nash_conv, rel=1e-9
    )
    infoset = solution.strategy.infosets[5]
    row = eq.Strategy.read_csv(folder / "strategy.csv")[infoset.player, infoset.key]
    assert row == solution.strategy.at(5)


def test_a_large_game_gets_no_names(monkeypatch, tmp_path):
    """Neither infosets nor the list of slots are made on the way of solve, save, load, resume and summary."""

    def unwanted(self):
        raise AssertionError("names")

    monkeypatch.setattr(saving, "MOST_CARD_ROWS", 10)
    for name in ("infosets", "slot", "_infosets_and_slots", "first_action"):
        monkeypatch.setattr(CardForm, name, property(unwanted))
    solution = eq.solve(SPOT, "dcfr", iterations=3, save=tmp_path / "run")
    assert {path.name for path in (tmp_path / "run").iterdir()} == {
        "checkpoint.npz",
        "solution.json",
    }
    loaded = eq.load_solution(tmp_path / "run")
    assert repr(loaded.strategy) == repr(solution.strategy)
    assert json.loads((tmp_path / "run" / "solution.json").read_text())["form"] == "cards"
    assert eq.solve(resume=tmp_path / "run", iterations=5).iterations == 5
    eq.solve(SPOT, "dcfr", iterations=3, save=eq.Save(tmp_path / "small", streets=1))
    assert eq.load_solution(tmp_path / "small").strategy.slots.streets == 1


def test_a_game_that_was_given_is_given_again(tmp_path):
    game = RandomCardGame(5)
    eq.solve(game, "dcfr", iterations=3, save=tmp_path)
    with pytest.raises(
        eq.SolutionError, match=r"cannot be loaded by that name\. Give the game: load_solution"
    ):
        eq.load_solution(tmp_path)
    assert eq.load_solution(tmp_path, game).iterations == 3
    assert eq.solve(game, resume=tmp_path, iterations=5).iterations == 5
    with pytest.raises(eq.SolutionError, match="solved another game"):
        eq.load_solution(tmp_path, RandomCardGame(6))


def test_a_spot_file_may_go_or_change(tmp_path):
    file = tmp_path / "spot.toml"
    text = (
        "board = '2s3h4d6c7c'\noop = 'AsAh,QsQh'\nip = 'KsKh'\npot = 20\nstack = 10\nbets = 'a'\n"
    )
    file.write_text(text)
    eq.solve(str(file), iterations=3, save=tmp_path / "run")
    assert eq.load_solution(tmp_path / "run").game == str(file)
    file.write_text(text.replace("stack = 10", "stack = 20"))
    assert eq.load_solution(tmp_path / "run").iterations == 3
    file.unlink()
    assert eq.load_solution(tmp_path / "run").iterations == 3
    assert eq.solve(resume=tmp_path / "run", iterations=5).iterations == 5


# --- What is refused ---

DAMAGE = {
    "below 0": lambda texts, arrays: arrays["state_strategy_sum"].__setitem__(3, -1),
    "not finite": lambda texts, arrays: arrays["state_regret_sum"].__setitem__(3, np.nan),
    "too short": lambda texts, arrays: arrays.update(
        state_strategy_sum=arrays["state_strategy_sum"][:-8]
    ),
    "whole numbers": lambda texts, arrays: arrays.update(
        state_strategy_sum=arrays["state_strategy_sum"].astype(np.int64)
    ),
    "gone": lambda texts, arrays: arrays.pop("state_strategy_sum"),
    "another form": lambda texts, arrays: texts.update(
        about=texts["about"].replace('"cards"', '"dice"')
    ),
    "streets": lambda texts, arrays: texts.update(
        about=texts["about"].replace('"streets": null', '"streets": 7')
    ),
}


@pytest.mark.parametrize("change", DAMAGE.values(), ids=DAMAGE)
def test_damaged_files_are_refused(folder, change):
    rewritten(folder, change)
    with pytest.raises(eq.SolutionError, match="is broken, or was not written by this version"):
        eq.load_solution(folder)


def test_regrets_of_another_shape_are_not_resumed(folder):
    rewritten(
        folder,
        lambda texts, arrays: arrays.update(state_regret_sum=arrays["state_regret_sum"][:-8]),
    )
    with pytest.raises(eq.SolutionError, match="holds other arrays"):
        eq.solve(resume=folder, iterations=9)


# --- The first streets alone ---


def test_the_first_streets_alone(solution, tmp_path):
    solution.save(tmp_path / "whole")
    solution.save(tmp_path / "turn", streets=1)
    sizes = [(tmp_path / name / "checkpoint.npz").stat().st_size for name in ("whole", "turn")]
    assert sizes[1] < sizes[0] / 3
    small, strategy = eq.load_solution(tmp_path / "turn"), solution.strategy
    first = solution.strategy.form.arrays.first_slot[2]
    assert (small.strategy.slots.weights == strategy.slots.weights[:first]).all()
    assert small.final == solution.final
    known = dict(
        zip(((i.player, i.key) for i in strategy.infosets), range(len(strategy)), strict=True)
    )
    assert {len(key.split()[1]) for _, key in small.strategy} == {8}
    assert len(small.strategy) == sum(len(key.split()[1]) == 8 for _, key in known)
    for key in small.strategy:
        assert small.strategy[key] == strategy.at(known[key])
    with pytest.raises(eq.SolutionError, match="holds no regrets to go on with"):
        eq.solve(resume=tmp_path / "turn", iterations=9)
    with pytest.raises(eq.SolutionError, match="has the first 1 of the 2 streets"):
        eq.evaluate(small.strategy.form, small.strategy)
    small.save(tmp_path / "again")
    assert (
        eq.load_solution(tmp_path / "again").strategy.slots.weights == small.strategy.slots.weights
    ).all()


@pytest.mark.parametrize(
    ("game", "options", "sentence"),
    [
        (SPOT, {"save": eq.Save("run", streets=3)}, r"a whole number from 1 to 2, .*; got 3"),
        ("kuhn", {"save": eq.Save("run", streets=1)}, r"streets=1 would do nothing"),
    ],
)
def test_streets_that_are_not_there(game, options, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(eq.EquilibristError, match=sentence) as raised:
        eq.solve(game, iterations=1, **options)
    assert raised.value.wrong_use


# --- Shares of the pot ---


def test_until_a_share_of_the_pot():
    solution = eq.solve(RIVER, until="0.5 %")
    assert solution.config.stop.until == (eq.Exploitability(0.1),)  # of 20 chips
    assert solution.stop_reason == "until"
    assert solution.exploitability <= 0.1 < solution.trace[0].exploitability
    assert solution.exploitability_percent == pytest.approx(5 * solution.exploitability)
    assert solution.summary()["exploitability_percent"] == solution.exploitability_percent
    assert solution.summary()["pot"] == 20
    assert (
        solution.trace.to_arrow()["exploitability_percent"].to_pylist()[-1]
        == solution.exploitability_percent
    )


@pytest.mark.parametrize(
    ("game", "options", "sentence"),
    [
        (
            "kuhn",
            {"until": "0.5%"},
            r"until='0\.5%' is a share of the pot, and kuhn as a sequence form has none: give",
        ),
        (
            RIVER,
            {"until": "half"},
            r"until must be a number above 0, or a share of the pot such as '0\.5%'; got 'half'",
        ),
        (RIVER, {"until": "0%"}, r"a share of the pot such as '0\.5%'; got '0%'"),
        (RIVER, {"until": "-1%"}, r"got '-1%'"),
    ],
)
def test_shares_that_make_no_sense(game, options, sentence):
    with pytest.raises(eq.AlgorithmError, match=sentence) as raised:
        eq.solve(game, **options)
    assert raised.value.wrong_use


def test_a_pot_is_a_number():
    game = RandomCardGame(5)
    game.pot = "much"
    with pytest.raises(eq.GameError, match="pot must be a number above 0, or None; got 'much'"):
        eq.compile_cards(game)


# --- Precision and memory ---


@pytest.mark.parametrize(
    ("game", "given", "became"),
    [
        (RIVER, None, "float32"),
        (RIVER, "float64", "float64"),
        ("kuhn", None, "float64"),
        ("kuhn", "auto", "float64"),
    ],
)
def test_precision_follows_the_form(game, given, became):
    solution = eq.solve(game, "dcfr", iterations=2, precision=given)
    assert solution.config.precision == became
    assert solution.state["regret_sum"].dtype == became


@pytest.mark.parametrize(
    ("game", "form", "became"),
    [("kuhn", "cards", "dcfr+"), ("kuhn", "auto", "sapcfr+"), (RIVER, "auto", "dcfr+")],
)
def test_auto_follows_the_form(game, form, became):
    solution = eq.solve(game, form=form, iterations=2)
    assert solution.algorithm == solution.config.algorithm.name == became
    assert eq.solve(game, "sapcfr+", form=form, iterations=2).algorithm == "sapcfr+"
    assert eq.solve(resume=solution, iterations=3).algorithm == became


@pytest.mark.parametrize(
    ("name", "alternating"), [("dcfr", True), ("pcfr+", True), ("dcfr", False)]
)
def test_the_estimate_counts_the_tables_there_are(name, alternating, monkeypatch):
    monkeypatch.setattr(estimating, "MOST_CARD_ROWS", 10)
    clock = SimpleNamespace(
        perf_counter=iter(range(10)).__next__
    )  # the two iterations timed take a second
    monkeypatch.setattr(estimating, "time", clock)
    form = eq.compile_cards(eq.load(SPOT))
    row = find_algorithm(f"{name}(alternating={alternating})")
    told = estimate(form, precision="float32", algorithm=row, threads=2)
    solver = eq.solve(form, row, iterations=1)
    tables = sum(array.nbytes for array in solver.state.values() if array.ndim)
    beside = tables if alternating else tables * 4 / 3  # the strategy of before, too
    assert told.gigabytes * 1e9 == pytest.approx(form.nbytes + beside + 4 * 2**24, rel=1e-3)
    assert told.seconds == pytest.approx(0.25 * form.length / form.part(estimating._PART).length)


def test_a_part_has_some_boards_of_the_second_street():
    form = eq.compile_cards(eq.load(SPOT))
    part = form.part(form.length // 4)
    assert 0 < len(part.boards.streets[1]) <= len(form.boards.streets[1]) / 4
    assert part.length < form.length / 3
    river = eq.compile_cards(eq.load(RIVER))
    assert river.part(river.length) is river
    assert river.part(1) is None


def test_too_large_says_what_to_cut():
    sentence = re.escape(
        "(Limits(memory_gb=), --max-memory-gb), or store it in half as much (precision='int16', "
    )
    with pytest.raises(eq.GameError, match=sentence):
        eq.solve(SPOT, iterations=1, limits=eq.Limits(memory_gb=1e-3))
    with pytest.raises(eq.GameError, match=r"precision='float32'.*or give fewer bet sizes"):
        eq.solve(SPOT, iterations=1, limits=eq.Limits(memory_gb=1e-3), precision="float64")


# --- 16 bits ---


@pytest.mark.slow
def test_runs_in_16_bits_are_saved_small_and_solved_again(tmp_path):
    """The certificate of the run is that of the strategy that is saved, evaluated in float64."""
    turn = "holdem(board='KdQd2d7d', oop='AA,QJs', ip='KK,JTs', pot=100, stack=200, bets='100%')"
    solution = eq.solve(turn, until="0.2%", precision="int16", save=eq.Save(tmp_path, streets=1))
    assert solution.exploitability_percent <= 0.2
    assert eq.evaluate(turn, solution.strategy).nash_conv == pytest.approx(
        solution.nash_conv, rel=1e-9
    )
    small = eq.load_solution(tmp_path)
    assert small.strategy.slots.weights.dtype == np.int16
    river = eq.resolve(small, "X-X", "3c", iterations=3)
    assert sum(river.value) == pytest.approx(100)


@pytest.mark.parametrize(("game", "form"), [("kuhn", "sequence"), ("leduc", "public")])
def test_16_bits_are_for_the_card_form(game, form):
    with pytest.raises(
        eq.AlgorithmError, match=f"precision='int16' is for card games .* {form} form: give one of"
    ):
        eq.solve(game, form=form, precision="int16", iterations=1)


def test_limits_are_looked_at_on_a_coarse_grid_of_iterations():
    """A certificate takes as long as iterations do; the run ends at the same iteration whether resumed or not."""
    form, seen = eq.compile_cards(eq.load(RIVER)), [0]
    while seen[-1] < 200:
        seen.append(next_certificate(seen[-1], form))
    assert seen[1:] == [
        1,
        2,
        3,
        4,
        6,
        8,
        12,
        16,
        23,
        32,
        39,
        46,
        55,
        64,
        77,
        91,
        109,
        128,
        155,
        182,
        219,
    ]
    whole = eq.solve(form, until="0.5%")
    assert whole.iterations in seen
    cut = eq.solve(form, iterations=whole.iterations - 5, until="0.5%")
    assert eq.solve(form, resume=cut, until="0.5%").iterations == whole.iterations


@pytest.mark.parametrize("precision", ["float64", pytest.param("int16", marks=pytest.mark.slow)])
def test_the_first_decision_is_told_at_each_checkpoint(precision):
    """Frequencies are those of the node that the solution has at the end, and the EV of the checkpoint is its EV."""
    told = []
    callbacks = eq.Callbacks(
        on_first_decision=lambda point, frequencies: told.append((point, frequencies))
    )
    solution = eq.solve(SPOT, "dcfr", precision=precision, iterations=6, callbacks=callbacks)
    assert [point for point, _ in told] == list(solution.trace)
    (point, frequencies), node = told[-1], eq.poker.SolvedSpot(solution).node()
    assert tuple(frequencies) == node.actions
    np.testing.assert_allclose(list(frequencies.values()), node.frequencies, atol=1e-12)
    np.testing.assert_allclose(point.value, node.evs, atol=1e-9)
    assert told[0][1] != told[-1][1]
    assert not getattr(
        first_slot_of, "overloads", None
    )  # of kernels: it would be compiled in every process


@pytest.mark.parametrize("game", [RIVER, "kuhn"])
def test_the_first_decision_is_told_where_ranges_are_known(game):
    """Player 0 of the river bets all winning hands and half as many others: a third of two hands is checked."""
    told = []
    eq.solve(
        game,
        until=1e-5,
        callbacks=eq.Callbacks(on_first_decision=lambda point, mix: told.append(mix)),
    )
    assert (
        told == []
        if game == "kuhn"
        else told[-1] == pytest.approx({"X": 1 / 3, "A10": 2 / 3}, abs=1e-2)
    )


def test_an_error_while_the_first_decision_is_told_ends_the_run_with_a_solution():
    def fail(point, mix):
        raise ValueError("no")

    with pytest.raises(ValueError, match="no") as raised:
        eq.solve(RIVER, iterations=4, callbacks=eq.Callbacks(on_first_decision=fail))
    assert raised.value.solution.iterations == 1


@pytest.mark.parametrize("streets", [(), (1,)], ids=["at once", "after a card"])
@pytest.mark.parametrize("form", ["sequence", "public", "cards", "auto"])
@pytest.mark.parametrize(
    "paid", [(1.0, -1.0), eq.ShowdownPayoffs((2, -2), (0, 0), (-1, 1))], ids=["paid", "shown"]
)
def test_a_game_in_which_nobody_decides_is_worth_what_it_pays(form, paid, streets, tmp_path):
    game = Narrowed(
        KuhnCards([[(0, 1)], [(2, 3)]], cards=5, streets=streets),
        player=lambda line: CHANCE if len(line) < len(streets) else TERMINAL,
        payoff=lambda line: paid,
    )
    solution = eq.solve(game, form=form, iterations=3, save=tmp_path)
    assert solution.value == ((1.0, -1.0) if paid == (1.0, -1.0) else (-1.0, 1.0))
    assert (solution.nash_conv, len(solution.strategy)) == (0, 0)
    assert (
        eq.load_solution(tmp_path, game).value
        == eq.evaluate(game, {}, form=form).value
        == solution.value
    )
