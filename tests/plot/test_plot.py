"""The numbers behind the pictures, the pictures themselves in both themes, and the command that draws them."""

import io
import json
import re
import subprocess
import sys
from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.text import Text

import equilibrist as eq
from equilibrist.evaluation.action_values import ActionValues, infoset_reach
from equilibrist.game.protocol import CHANCE
from equilibrist.plot import (
    album,
    branches,
    curves,
    inputs,
    kinds,
    movement,
    pairs,
    paths,
    regrets,
    rows,
    style,
    surface,
)
from equilibrist.plot.inputs import compile_with_reach
from equilibrist.show import palette
from equilibrist.solving.sources import read_at_slots
from equilibrist.solving.trace import Trace
from support.command import call as command
from support.command import python
from support.spelled import Spelled, end

THEMES = ("light", "dark")
KINDS = tuple(
    kind for kind in kinds.KINDS if kind != "simplex"
)  # for which Kuhn poker lacks a third action
# Kuhn poker as Kuhn (1950) solved it: player 0 bets the jack with probability α ≤ 1/3 and the king with 3α.
ALPHA = 1 / 6


def kuhn(alpha):
    """Return the equilibrium of Kuhn poker with that α."""
    bet = {
        (0, "J"): alpha, (0, "Q"): 0, (0, "K"): 3 * alpha, (0, "Jpb"): 0, (0, "Qpb"): alpha + 1 / 3, (0, "Kpb"): 1,
        (1, "Jp"): 1 / 3, (1, "Qp"): 0, (1, "Kp"): 1, (1, "Jb"): 0, (1, "Qb"): 1 / 3, (1, "Kb"): 1,
    }  # fmt: skip
    words = {key: ("fold", "call") if "b" in key[1] else ("pass", "bet") for key in bet}
    return eq.Strategy.from_dict(
        {key: dict(zip(words[key], (1 - b, b), strict=True)) for key, b in bet.items()}
    )


@pytest.fixture(scope="module")
def run():
    return eq.solve("kuhn", "cfr", iterations=500, record="all")


@pytest.fixture(scope="module")
def near():
    return eq.solve("kuhn", until=1e-7)


@pytest.fixture(scope="module")
def odd():
    """Return a run on a game with names that no picture expects."""
    tree = (
        CHANCE,
        [0.5, 0.5],
        {
            "$\\alpha$": (
                0,
                "_手牌$1\n<b>",
                {"<script>": end(1, -1), "$x": (1, "い\x1b[2J", {"ß": end(0, 0), "": end(2, -2)})},
            ),
            "\t": (0, "%s {x}", {"a": end(0, 0), "b" * 90: end(-1, 1)}),
        },
    )
    game = Spelled(2, tree)
    return game, eq.solve(game, "cfr", iterations=50, record="all")


def svg(figure):
    """Return a figure as the text of its SVG."""
    file = io.BytesIO()
    style.save_figure(figure, file, kind="svg")
    return file.getvalue().decode()


def texts(figure):
    """Return all that a figure says."""
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


# The rows of a strategy


def test_bars_are_as_long_as_probabilities():
    strategy = kuhn(ALPHA)
    figure = eq.plot.strategy(strategy, game="kuhn")
    bars = {patch.get_label(): patch.get_width() for patch in figure.axes[0].patches}
    whole = bars["_0 J pass"] + bars["_0 J bet"]
    for (player, key), row in strategy.items():
        for action, share in row.items():
            assert bars[f"_{player} {key} {action}"] == pytest.approx(share * whole)


def test_indifferent_by_hand():
    """With α inside (0, 1/3) everything is reached, and five infosets leave a choice."""
    table = rows.strategy_rows(kuhn(ALPHA), "kuhn", max_infosets=100, tolerance=1e-6)
    assert {row.infoset.key for row in table.rows if row.is_indifferent} == {
        "J",
        "K",
        "Qpb",
        "Jp",
        "Qb",
    }
    assert not any(row.is_unreached for row in table.rows)
    assert table.margin == 2e-6  # a part of the largest payoff


@pytest.mark.parametrize(("alpha", "never"), [(0, {"Jb", "Qb", "Kb"}), (1 / 3, {"Kpb"})])
@pytest.mark.parametrize("form", ["sequence", "public"])
def test_never_reached_by_hand(alpha, never, form):
    strategy = kuhn(alpha)
    solution = eq.solve("kuhn", iterations=1, form=form)
    game = compile_with_reach("kuhn", fingerprint=solution.info.game.fingerprint)
    reach = infoset_reach(game, read_at_slots(strategy, game))
    at = dict(zip([infoset.key for infoset in game.infosets], reach, strict=True))
    assert {key for key, reach in at.items() if reach < 1e-12} == never
    assert at["J"] == pytest.approx(1 / 3)
    assert at["Jpb"] == pytest.approx(
        1 / 3 * (1 - alpha) / 2
    )  # against the king, who bets; the queen does not
    assert solution.info.game.form == game.kind


def test_values_are_those_of_a_hand_calculation():
    """Of Kuhn's equilibrium: with the king player 0 earns 7/6 by either move, with the queen -1/3 by passing."""
    form = compile_with_reach("kuhn")
    values = ActionValues(form, read_at_slots(kuhn(ALPHA), form))
    names = [(infoset.key, action) for infoset in form.infosets for action in infoset.actions]
    value = dict(zip(names, values.values, strict=True))
    assert values.at(0, "K") == pytest.approx([7 / 6, 7 / 6])
    assert [value["K", "pass"], value["K", "bet"]] == pytest.approx([7 / 6, 7 / 6])
    assert [value["Q", "pass"], value["Q", "bet"]] == pytest.approx([-1 / 3, -1 / 2])
    assert [value["Jpb", "fold"], value["Jpb", "call"]] == pytest.approx([-1, -2])


@pytest.mark.parametrize("game", ["leduc", "liars_dice(faces=3)"])
def test_both_forms_have_the_same_reach_and_values(game):
    found = []
    for kind in ("sequence", "public"):
        solution = eq.solve(game, iterations=20, form=kind)
        form = compile_with_reach(game, fingerprint=solution.info.game.fingerprint)
        assert form.kind == kind
        sigma = read_at_slots(solution.strategy, form)
        reach, values = infoset_reach(form, sigma), ActionValues(form, sigma).values
        number = {(i.player, i.key): n for n, i in enumerate(form.infosets)}
        found.append({key: (reach[n], values[form.first_action[n]]) for key, n in number.items()})
    assert found[0].keys() == found[1].keys()
    for key, numbers in found[0].items():
        assert found[1][key] == pytest.approx(numbers, abs=1e-9, nan_ok=True)


@pytest.mark.thinned(8)
@pytest.mark.parametrize(
    ("game", "key", "parts"),
    [
        ("kuhn", "Kpb", ("K", "pb")),
        ("kuhn(cards=12)", "5", ("5", "")),
        ("kuhn(players=3)", "Appbp", ("A", "ppbp")),
        ("kuhn(cards=100)", "57 pb", ("57", "pb")),
        ("leduc", "Krc/Qr", ("K", "rc/Qr")),
        ("liars_dice(faces=3)", "3 1x2 2x2", ("3", "1x2 2x2")),
        ("rps", "row", ("row", "")),
        ("goofspiel(cards=3)", "3:1t 2:", ("3:1t 2:", "")),  # no hands: names stay whole
    ],
)
def test_names_are_split(game, key, parts):
    infosets = list(eq.compile_game(eq.load(game)).infosets)
    (infoset,) = movement.find_infosets([key], infosets)[:1]
    split = rows.make_splitter(infosets)
    assert (split(infoset.key) if split else (infoset.key, "")) == parts


def test_most_reached_histories_are_kept_whole():
    table = rows.strategy_rows(kuhn(ALPHA), "kuhn", max_infosets=7, tolerance=0.01)
    # "" is reached always, p by player 1 more often than b or pb; six rows of seven are room for two histories
    assert [(row.infoset.player, row.history) for row in table.rows] == [(0, "")] * 3 + [
        (1, "p")
    ] * 3
    assert table.infosets == 12
    assert "6 of 12 infosets: those after the histories reached most often" in " ".join(
        texts(eq.plot.strategy(kuhn(ALPHA), game="kuhn", most=7))
    )


def test_many_actions_are_bars():
    solution = eq.solve("blotto", iterations=20)
    row, column = eq.plot.strategy(solution, game="blotto").axes
    for axes, (_, played) in zip((row, column), solution.strategy.items(), strict=True):
        assert [bar.get_height() for bar in axes.patches] == list(played.values())
        assert [label.get_text() for label in axes.get_xticklabels()] == list(played)
    assert not row.figure.legends


def test_strategy_without_a_game_is_not_marked():
    figure = eq.plot.strategy({"J": {"p": 0.75, "b": 0.25}})
    assert any("nothing is marked" in text for text in texts(figure))


def test_some_infosets():
    table = rows.strategy_rows(
        kuhn(ALPHA), "kuhn", max_infosets=9, tolerance=0.01, keep=["Qpb", (1, "Qb")]
    )
    assert [row.infoset.key for row in table.rows] == ["Qpb", "Qb"]
    with pytest.raises(
        eq.SolutionError, match=r"There is no infoset 'Qpp' here. Did you mean 'Qp'"
    ):
        eq.plot.strategy(kuhn(ALPHA), game="kuhn", infosets=["Qpp"])


# Curves


def test_slopes(run):
    axes = eq.plot.convergence(run).axes
    assert len(axes) == 3
    for name, slope in (("1/√T", -0.5), ("1/T", -1.0)):
        (line,) = [line for panel in axes for line in panel.lines if line.get_label() == f"_{name}"]
        assert line.axes is axes[0]  # against iterations only: of those the theory speaks
        x, y = (np.log(data) for data in line.get_data())
        assert (y[1] - y[0]) / (x[1] - x[0]) == pytest.approx(slope)
    x, y = axes[0].lines[0].get_data()
    assert list(x) == [point.iteration for point in run.trace]
    assert list(y) == [point.exploitability for point in run.trace]


def test_a_run_that_was_repeated_is_one_line_with_the_least_seconds(run):
    """What held up one of them, or the other, is not drawn."""
    late = [point._replace(seconds=point.seconds + 1.0) for point in run.trace]
    first = replace(run, trace=Trace([*run.trace][:2] + late[2:]))
    second = replace(run, trace=Trace(late[:2] + [*run.trace][2:]))
    axes = eq.plot.convergence([first, second], against="seconds").axes[0]
    (line,) = axes.lines
    assert list(line.get_xdata()) == [point.seconds for point in run.trace]


def test_runs_are_told_apart(run, near, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    eq.solve("kuhn", "cfr", iterations=5).save("one")
    figure = eq.plot.convergence([run, near, "one"], against="nodes")
    assert [line.get_label() for line in figure.axes[0].lines if line.get_label()[0] != "_"] == [
        "cfr",
        near.algorithm,
        "cfr (one)",
    ]
    assert [curve.label for curve in curves.curves_of({"a": run, "b": "one"})] == ["a", "b"]
    with pytest.raises(eq.SolutionError, match=r"against must be one of 'iteration'.*got 'hours'"):
        eq.plot.convergence(run, against="hours")
    with pytest.raises(eq.SolutionError, match="1 to 24 runs"):
        eq.plot.convergence([])
    with pytest.raises(eq.SolutionError, match="no checkpoint with an exploitability above 0"):
        eq.plot.convergence(eq.exact("kuhn"))


def test_titles_are_cut_between_words():
    spec = "matrix(payoffs=[[0,-1,2],[1,0,-1],[-2,1,0]], rows=['rock','paper','scissors'])"
    assert style.brief(spec, 50) == "matrix(payoffs=[[0,-1,2],…','paper','scissors'])"
    assert style.brief("abcdefghijklmnop", 8) == "abcd…nop"  # a single word, anywhere


@pytest.mark.slow
@pytest.mark.parametrize("ratio", [1.2, 1.675, 2.4, 3.3, 15, 40, 99])
def test_a_short_axis_has_labels_and_room_for_them(ratio):
    with style.use_theme("light") as look:
        for low in (1.4e-5, 1.14e-4, 2.2e-4, 2.9e-3, 5.5e-3):
            figure, panels = curves.make_panels([list(kinds.AXES)], "title", ["row"], look)
            for axes in panels:
                axes.plot([low, low * ratio], [low, low * ratio])
                style.label_sparsely(axes)
            FigureCanvasAgg(figure).draw()
            assert overlaps(figure) == []
            left, right = panels[-1].get_xlim()
            assert sum(left <= tick <= right for tick in panels[-1].get_xticks()) >= 2


def test_a_clock_that_has_not_ticked(run):
    early = replace(
        run,
        trace=Trace(
            point._replace(seconds=0.0) if i < 2 else point for i, point in enumerate(run.trace)
        ),
    )
    line = eq.plot.convergence(early, against="seconds").axes[0].lines[0]
    drawn = line.axes.transScale.transform(line.get_xydata())
    assert np.isneginf(drawn[:2, 0]).all()  # nowhere, rather than far out on the left
    assert np.isfinite(drawn[2:]).all()


def test_without_a_tree_nothing_converges():
    solution = eq.solve("kuhn", sampling="external(tree=False)", iterations=200)
    with pytest.raises(eq.SolutionError, match="sampled without a tree"):
        eq.plot.convergence(solution)
    assert (
        len(eq.plot.strategy(solution).axes[0].patches) > 12
    )  # judged all the same: the game is small


# Movement


def test_trajectories_show_what_was_recorded(run):
    (axes,) = eq.plot.trajectories(run, ["Qpb"]).axes
    recorded = run.recording.at("Qpb")
    thin, thick = axes.lines
    assert list(thin.get_ydata()) == recorded.strategy[:, 1].tolist()
    assert list(thick.get_ydata()) == recorded.average_strategy[:, 1].tolist()
    assert thin.get_linewidth() < thick.get_linewidth()
    assert len(eq.plot.trajectories(run, most=5).axes) == 5
    with pytest.raises(eq.SolutionError, match="'Jbb' was not recorded"):
        eq.plot.trajectories(run, ["Jbb"])


def test_spiral_of_kuhn_poker(run):
    path = paths.path_of(run.recording, run=run, form=compile_with_reach("kuhn"))
    assert [(one.infoset, one.actions[action]) for one, action in (path.x, path.y)] == [
        ("J", "bet"),
        ("Qb", "call"),
    ]
    assert path.average[-1].tolist() == [run.strategy["J"]["b"], run.strategy["Qb"]["b"]]
    points = eq.plot.spiral(run, game="kuhn").axes[0].collections[0].get_offsets()
    assert np.array_equal(points, path.current)
    moved = paths.path_of(
        run.recording
    )  # without the game, what moved most: betting the queen was a mistake
    assert (moved.x[0].infoset, moved.x[0].actions[moved.x[1]]) == ("Q", "bet")
    elsewhere = paths.path_of(eq.solve("leduc", iterations=20, record="all").recording)
    assert {elsewhere.x[0].player, elsewhere.y[0].player} == {0, 1}
    with pytest.raises(eq.SolutionError, match="There is no action 'f' at 'J'"):
        eq.plot.spiral(run, ("J", "f"), ("Qb", "b"))
    with pytest.raises(eq.SolutionError, match="given as \\(infoset, action\\)"):
        eq.plot.spiral(run, "J", "Qb")
    with pytest.raises(eq.SolutionError, match="Give both x and y"):
        eq.plot.spiral(run, ("J", "b"))


@pytest.mark.parametrize("draw", [eq.plot.trajectories, eq.plot.spiral])
def test_nothing_recorded(near, draw):
    with pytest.raises(
        eq.SolutionError, match=r"Nothing was recorded.*record='all'\), or --record all"
    ):
        draw(near)


@pytest.fixture(scope="module")
def late():
    """Return a run that met some of its infosets late, so that their rows begin with NaN."""
    keys = ["K", "Krc/Q", "Qrc/J", "Krc/Kcr"]
    solution = eq.solve(
        "leduc",
        sampling="outcome(tree=False)",
        iterations=400,
        record=eq.Record(keys, every=1),
        seed=1,
    )
    assert np.isnan(solution.recording.average_strategy).any()
    return solution


@pytest.mark.slow
def test_what_was_met_late(late):
    recorded = [
        late.recording.at((infoset.player, infoset.key)) for infoset in late.recording.infosets
    ]
    for one in recorded:
        known = one.average_strategy[~np.isnan(one.average_strategy).any(axis=1)]
        assert movement.largest_movement(one) == pytest.approx(np.ptp(known, axis=0).max())
    moved = sorted(recorded, key=movement.largest_movement)
    assert {one.infoset for one in movement.most_moved_infosets(late.recording, None, 2)} == {
        one.infoset for one in moved[-2:]
    }
    for kind in ("trajectories", "spiral", "scatter", "regret", "landscape"):
        FigureCanvasAgg(album.draw_figure(kind, late)).draw()


def test_one_checkpoint_is_seen():
    once = eq.solve("kuhn", iterations=1, record="all")
    for figure in (eq.plot.trajectories(once), eq.plot.regret(once)):
        lines = [line for line in figure.axes[0].lines if line.get_label() != "_zero"]
        assert not any(line.get_marker() in ("", "None") for line in lines)


def test_one_name_is_not_its_letters(run):
    assert len(eq.plot.trajectories(run, "Qpb").axes) == 1
    assert "Qpb" not in texts(eq.plot.strategy(run, infosets="Kp"))
    for draw in (eq.plot.trajectories, eq.plot.regret, eq.plot.simplex):
        with pytest.raises(eq.SolutionError, match="infosets names none"):
            draw(run, [])
    with pytest.raises(eq.SolutionError, match="most must be a whole number, 1 or more; got 'x'"):
        eq.plot.trajectories(run, most="x")


def test_colour_is_not_the_only_sign(run, near):
    three = eq.solve("leduc", iterations=30, record=["Kr", "Q"])
    for figure in (
        eq.plot.convergence([run, near, three], against="nodes"),
        eq.plot.trajectories(three, ["Kr"]),
        eq.plot.regret(three),
    ):
        lines = [
            line
            for line in figure.axes[0].lines
            if line.get_label() not in ("_", "_zero", "_1/√T", "_1/T")
        ]
        assert (
            len({(line.get_marker(), str(line._dash_pattern)) for line in lines}) == len(lines) > 1
        )


def test_long_recordings_are_thinned():
    assert movement.thin_out_points(1500).tolist() == list(range(1500))
    some = movement.thin_out_points(1_000_000)
    assert len(some) <= 1500
    assert (some[0], some[-1]) == (0, 999_999)


# Regret


def test_regret_that_is_left():
    """By CFR's own sums: read from the memory of a run, and from its recording."""
    solution = eq.solve("kuhn", "cfr", iterations=300, record="all")
    left = regrets.remaining_regrets(solution, "kuhn")
    for number, infoset in enumerate(solution.strategy.infosets):
        sums = solution.recording.at((infoset.player, infoset.key)).regret_sum[-1]
        assert left[number] == pytest.approx(max(sums.max(), 0) / 300, abs=1e-15)
    assert regrets.remaining_regrets(eq.exact("kuhn"), "kuhn") is None
    assert regrets.remaining_regrets(solution) is None  # whose order is that of the compiled game
    with pytest.raises(eq.SolutionError, match="give game="):
        eq.plot.regret(eq.solve("kuhn", iterations=5))
    with pytest.raises(eq.SolutionError, match="remembers no regrets"):
        eq.plot.regret(eq.exact("kuhn"))


@pytest.mark.thinned(3)
@pytest.mark.parametrize(
    ("sampling", "form"),
    [("external", "sequence"), ("external", "public"), ("external(tree=False)", None)],
)
def test_regret_of_samples(sampling, form):
    keys = ["K", "Qr", "Jcr"]
    solution = eq.solve("leduc", "cfr", sampling=sampling, form=form, iterations=200, record=keys)
    left = dict(
        zip(
            [infoset.key for infoset in solution.strategy.infosets],
            regrets.remaining_regrets(solution),
            strict=True,
        )
    )
    for key in keys:
        sums = solution.recording.at(key).regret_sum[-1]
        assert left[key] == pytest.approx(max(sums.max(), 0) / 200, abs=1e-15)


_MINE = eq.Algorithm("mine", "nobody", alpha=1.2, beta=0.3, gamma=1.5)


@pytest.mark.thinned(12)
@pytest.mark.parametrize("row", ["lcfr", "dcfr+", _MINE], ids=str)
@pytest.mark.parametrize("sampling", ["external", "outcome(tree=False)"])
@pytest.mark.parametrize(
    "iterations", [37, 4100]
)  # before and after all sums are brought up to date
def test_regret_of_samples_decays(row, sampling, iterations):
    """What a sampled run remembers is as old as the last visit; the recording has it as of the end."""
    solution = eq.solve(
        "kuhn", row, sampling=sampling, iterations=iterations, record=["K", "Qb", "Jpb"], seed=3
    )
    left = {
        i.key: one
        for i, one in zip(
            solution.strategy.infosets, regrets.remaining_regrets(solution), strict=True
        )
    }
    for infoset in solution.recording.infosets:
        sums = solution.recording.at(infoset.key).regret_sum[-1]
        assert left[infoset.key] == pytest.approx(
            max(sums.max(), 0) / iterations, rel=1e-12, abs=1e-300
        )


def test_regret_lines(run, near):
    *over_time, distribution = eq.plot.regret(run, ["J", "Kb"], game="kuhn").axes
    assert [axes.get_title(loc="left") for axes in over_time] == [
        "J",
        "Kb",
    ]  # a panel each, on one scale
    assert over_time[0].get_ylim() == over_time[1].get_ylim()
    labels = {line.get_label(): line.get_ydata() for line in over_time[0].lines}
    assert labels["_bet"].tolist() == run.recording.at("J").regret_sum[:, 1].tolist()
    assert len(labels) == 3  # two actions, and 0
    assert sum(patch.get_height() for patch in distribution.patches) == 12
    said = " ".join(" ".join(texts(distribution.figure)).split())
    assert (
        "linear around 0 and logarithmic beyond. In the end: how many infosets have how much regret left."
        in said
    )
    assert len(eq.plot.regret(near, game="kuhn").axes) == 1
    with pytest.raises(eq.SolutionError, match="Nothing was recorded"):
        eq.plot.regret(near, ["J"])


# Landscape


def ground_of(game, x, y, strategy):
    """Return the payoffs behind the landscape of a game."""
    form = compile_with_reach(game)
    return surface.make_surface(form, read_at_slots(strategy, form), x, y)


def test_landscape_at_the_equilibrium():
    ground = ground_of("kuhn", ((0, "J"), "b"), ((1, "Qb"), "b"), kuhn(ALPHA))
    assert ground.at == pytest.approx((ALPHA, 1 / 3))
    assert ground.value(*ground.at) == pytest.approx(-1 / 18, abs=1e-12)
    assert ground.gradient(*ground.at) == pytest.approx((0, 0), abs=1e-12)
    assert ground.nash_conv == pytest.approx(0, abs=1e-12)


def test_landscape_is_the_evaluation_everywhere():
    ground = ground_of("leduc", ((0, "Q"), "bet"), ("Qr", "c"), eq.solve("leduc", iterations=5))
    strategy = eq.solve("leduc", iterations=5).strategy
    for x, y in [(0.2, 0.9), (0.55, 0.05)]:
        table = {key: dict(row) for key, row in strategy.items()}
        for key, action, share in (((0, "Q"), "bet", x), ((1, "Qr"), "call", y)):
            rest = sum(p for name, p in table[key].items() if name != action)
            table[key] = {
                name: share if name == action else (1 - share) * p / rest
                for name, p in table[key].items()
            }
        value = eq.evaluate("leduc", table).value
        assert ground.value(x, y) == pytest.approx(value[0], abs=1e-12)
        assert ground.value(x, y, player=1) == pytest.approx(value[1], abs=1e-12)
    step = 1e-6
    up, down = ground.value(0.3 + step, 0.6), ground.value(0.3 - step, 0.6)
    assert ground.gradient(0.3, 0.6)[0] == pytest.approx((up - down) / (2 * step), abs=1e-6)
    up, down = (ground.value(0.3, 0.6 + s, player=1) for s in (step, -step))
    assert ground.gradient(0.3, 0.6)[1] == pytest.approx((up - down) / (2 * step), abs=1e-6)


def test_landscape_picture(run, near):
    figure = eq.plot.landscape("kuhn", ("J", "b"), ("Qb", "b"), strategy=near, path=run, points=21)
    axes = figure.axes[0]
    assert axes.images[0].get_array().shape == (21, 21)
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels == [
        "equilibria",
        "current",
        "average",
        f"the strategy (nash_conv {near.nash_conv:.1g})",
        "uphill for either player",
    ]
    exact = ground_of("kuhn", ("J", "b"), ("Qb", "b"), eq.exact("kuhn"))
    assert exact.value(*exact.at) == pytest.approx(-1 / 18, abs=1e-9)


def test_landscape_is_drawn_where_it_belongs(near):
    """The corners of the map have the payoffs of the corners, and the scale ends where the payoffs do."""
    ground = ground_of("kuhn", ("J", "b"), ("Qb", "b"), near)
    axes, scale = eq.plot.landscape("kuhn", ("J", "b"), ("Qb", "b"), strategy=near, points=5).axes
    (image,) = axes.images
    left, right, bottom, top = image.get_extent()
    assert (left, right, bottom, top) == pytest.approx(
        (-1 / 8, 9 / 8, -1 / 8, 9 / 8)
    )  # pixels are 1/4 wide
    drawn = np.asarray(image.get_array())
    assert drawn[[0, 0, -1, -1], [0, -1, 0, -1]] == pytest.approx(ground.corners[:, :, 0].T.ravel())
    assert scale.get_ylim() == pytest.approx((drawn.min(), drawn.max()))


@pytest.mark.parametrize(
    ("game", "x", "y"),
    [
        (
            "leduc",
            ((0, "K"), "bet"),
            ((0, "Kcr"), "fold"),
        ),  # of one player, one below the other, with a third action
        ("kuhn(players=3)", ((1, "Qp"), "bet"), ((2, "Kpb"), "call")),
    ],
)
def test_landscape_of_other_pairs(game, x, y):
    solution = eq.solve(game, iterations=5)
    ground = ground_of(game, x, y, solution)
    table = {key: dict(row) for key, row in solution.strategy.items()}
    for (key, action), share in ((x, 0.3), (y, 0.85)):
        rest = sum(p for name, p in table[key].items() if name != action)
        table[key] = {
            name: share if name == action else (1 - share) * p / rest
            for name, p in table[key].items()
        }
    value = eq.evaluate(game, table).value
    assert [ground.value(0.3, 0.85, player=p) for p in range(len(value))] == pytest.approx(
        list(value), abs=1e-12
    )


def test_landscape_without_any_slope():
    inner = {"x": end(0, 0), "y": end(0, 0)}
    flat = Spelled(2, (0, "r", {"a": (1, "c", inner), "b": (1, "c", inner)}))
    figure = eq.plot.landscape(flat, ("r", "a"), ("c", "x"), strategy=eq.solve(flat, iterations=3))
    assert len(figure.axes) == 1  # no scale
    assert "player 0 earns 0 everywhere:\nneither probability matters here" in texts(figure)
    with pytest.raises(
        eq.SolutionError, match="no two probabilities of different players interact"
    ):
        eq.plot.landscape(flat, strategy=eq.solve(flat, iterations=3))


@pytest.mark.parametrize("theme", THEMES)
def test_contours_have_their_sign(near, theme):
    axes = eq.plot.landscape("kuhn", ("J", "b"), ("Qb", "b"), strategy=near, theme=theme).axes[0]
    signed = [text.get_text() for text in axes.texts]
    assert "−0.05" in signed
    assert "+0.05" in signed


def test_default_axes_are_those_that_interact_most():
    """In Kuhn poker bluffing with the jack and calling with the queen: (−2 − 1) / 6 for the one deal in six."""
    form = compile_with_reach("kuhn")
    slots = read_at_slots(kuhn(ALPHA), form)
    assert pairs.strongest_interaction(form, slots) == (((0, "J"), "bet"), ((1, "Qb"), "call"))
    u = pairs.corner_payoffs(
        form, slots, *(pairs.parameter_of(form, choice) for choice in (("J", "b"), ("Qb", "b")))
    )[..., 0]
    assert u[1, 1] - u[1, 0] - u[0, 1] + u[0, 0] == pytest.approx(-3 / 6)
    assert pairs.strongest_interaction(form, slots, [(0, "K"), (1, "Qb")]) is not None
    assert pairs.strongest_interaction(form, slots, [(0, "K"), (0, "J")]) is None


@pytest.mark.slow
def test_equilibria_of_kuhn_poker_are_a_segment(run):
    """α from 0 to 1/3, and 1/3 for the call, as Kuhn (1950) found them."""
    for figure in (eq.plot.spiral(run, game="kuhn"), eq.plot.scatter(run, game="kuhn")):
        (box,) = [patch for patch in figure.axes[0].patches if patch.get_label() == "equilibria"]
        corner, far = box.get_xy(), (box.get_x() + box.get_width(), box.get_y() + box.get_height())
        assert corner == pytest.approx((0, 1 / 3), abs=1e-6)
        assert far == pytest.approx((1 / 3, 1 / 3), abs=1e-6)


def test_a_single_equilibrium_is_a_ring_around_the_star():
    game = "kuhn(pass_ends=True)"
    figure = eq.plot.landscape(game, ("J", "b"), ("Qb", "b"), strategy=eq.exact(game))
    ring, star = figure.axes[0].lines
    assert (ring.get_label(), star.get_marker()) == ("equilibria", "*")
    assert ring.get_xydata()[0] == pytest.approx((1 / 3, 1 / 3), abs=1e-6)
    assert ring.get_markersize() > star.get_markersize()  # or it would not be seen


def test_scatter_has_points_and_no_lines(run):
    now, average, _ = eq.plot.scatter(run, ("J", "b"), ("Qb", "b")).axes
    path = paths.path_of(run.recording, ("J", "b"), ("Qb", "b"))
    assert not now.lines
    assert np.array_equal(now.collections[0].get_offsets(), path.current)
    assert np.array_equal(average.collections[0].get_offsets(), path.average)
    noisy = eq.plot.scatter(run, ("J", "b"), ("Qb", "b"), noise=0.01).axes
    moved = noisy[0].collections[0].get_offsets() - path.current
    assert 0.005 < moved.std() < 0.02
    assert noisy[0].get_xlim()[0] < moved.min() + path.current.min()  # no point is beyond the axes
    assert np.array_equal(noisy[1].collections[0].get_offsets(), path.average)
    with pytest.raises(eq.SolutionError, match="noise must be a number, 0 or more; got -1"):
        eq.plot.scatter(run, noise=-1)


def test_simplex_of_a_matrix_game(run):
    """A play of one action is in its corner, the uniform strategy in the middle."""
    game = "matrix(payoffs=[[0,-1,2],[1,0,-1],[-2,1,0]])"
    solution = eq.solve(game, "cfr", iterations=30, record=eq.Record("all", every=1))
    row, column, _ = eq.plot.simplex(solution).axes
    for axes, player in ((row, 0), (column, 1)):
        (one,) = [one for one in solution.recording.infosets if one.player == player]
        recorded = solution.recording.at(one[:2])
        corners = np.array([[0, 0], [1, 0], [0.5, 3**0.5 / 2]])
        assert np.allclose(axes.collections[0].get_offsets(), recorded.strategy @ corners)
        assert {text.get_text() for text in axes.texts} == set(one.actions)
    with pytest.raises(eq.SolutionError, match="a simplex shows infosets of three actions"):
        eq.plot.simplex(run)


def test_landscape_errors(near):
    with pytest.raises(eq.SolutionError, match="There is no action 'z' at 'J'"):
        eq.plot.landscape("kuhn", ("J", "z"), ("Qb", "b"), strategy=near)
    with pytest.raises(eq.SolutionError, match="two infosets"):
        eq.plot.landscape("kuhn", ("J", "b"), ("J", "p"), strategy=near)
    with pytest.raises(
        eq.SolutionError,
        match=r"'3:' is an infoset of players \[0, 1\]: ask for \(\(0, '3:'\), '1'\)",
    ):
        eq.plot.landscape(
            "goofspiel(cards=3)",
            ("3:", "1"),
            ((1, "3:"), "2"),
            strategy=eq.exact("goofspiel(cards=3)"),
        )
    with pytest.raises(eq.SolutionError, match="points must be a whole number"):
        eq.plot.landscape("kuhn", ("J", "b"), ("Qb", "b"), strategy=near, points=1)


# Trees


def test_tree_of_kuhn_poker(near):
    """58 histories: the start, three cards, six deals, and eight moves after each; twelve infosets of two histories."""
    axes = eq.plot.tree("kuhn", near).axes[0]
    lines = [line for line in axes.lines if str(line.get_label()).startswith("_line")]
    assert len(lines) == 57
    colours = {}
    for text in axes.texts:
        if str(text.get_label()).startswith("_name"):
            colours.setdefault(text.get_text(), []).append(
                (text.get_position()[0], text.get_bbox_patch().get_facecolor())
            )
    assert len(colours) == 12
    assert all(
        len(set(pair)) == 1 and len(pair) == 2 for pair in colours.values()
    )  # one infoset, one colour
    assert len({pair[0] for pair in colours.values()}) == 12  # and in a column no other has it
    said = texts(axes.figure)
    assert "in each column one colour: one infoset; at the ends the payoff of player 0" in said
    dice = texts(eq.plot.tree("liars_dice(faces=2)"))  # eight infosets in a column, and six colours
    assert "one name: one infoset; colours repeat; at the ends the payoff of player 0" in dice
    assert said.count("Jpb") == 2
    assert said.count("−2") + said.count("+2") == 12
    assert (
        sum(said.count(f"{word} {share}") for word in ("bet", "call") for share in ("1/3", "0.33"))
        == 4
    )


@pytest.mark.slow
@pytest.mark.parametrize("game", ["kuhn", "liars_dice(faces=2)", "goofspiel(cards=3)"])
@pytest.mark.parametrize("draw", [eq.plot.tree, eq.plot.infosets])
def test_nothing_is_printed_over(game, draw):
    figure = draw(game, eq.solve(game, until=1e-3))
    FigureCanvasAgg(figure).draw()
    assert overlaps(figure) == []


def test_layout_is_tidy():
    forest = [
        branches.Branch(-1, ""),
        *[branches.Branch(0, "a")] * 2,
        *[branches.Branch(1, "b")] * 3,
    ]
    places = branches.lay_out(forest)
    assert places.y == [2.0, 1.0, 3.0, 0.0, 1.0, 2.0]
    assert places.ends == 4
    assert places.x[1] == places.x[2] < places.x[3]


def test_infosets_follow_own_moves():
    form = eq.compile_game(eq.load("leduc"))
    above = form.parents(np.arange(form.num_infosets))
    actions = [(infoset.key, action) for infoset in form.infosets for action in infoset.actions]
    parents = {
        infoset.key: actions[up] if up >= 0 else None
        for infoset, up in zip(form.infosets, above, strict=True)
    }
    assert parents["K"] is None
    assert parents["Kcr"] == ("K", "check")
    assert parents["Krc/Q"] == ("K", "bet")
    assert parents["Krc/Qcr"] == ("Krc/Q", "check")
    axes = eq.plot.infosets("kuhn", kuhn(ALPHA), player=0).axes[0]
    # a line to each of six infosets, and two from each
    assert sum(str(line.get_label()).startswith("_line") for line in axes.lines) == 18
    said = texts(axes.figure)
    assert (
        said.count("bet 1/2") == said.count("call 1/2") == 1
    )  # the king bets 3α, and Qpb calls α + 1/3


def test_trees_that_are_too_large():
    with pytest.raises(
        eq.GameError, match="leduc has 1,939 histories, too many for a picture of 300"
    ):
        eq.plot.tree("leduc")
    with pytest.raises(eq.GameError, match="has more than 200,000 histories, too many"):
        eq.plot.tree("goofspiel(cards=6)")
    with pytest.raises(
        eq.GameError, match="Player 0 of leduc has 144 infosets, too many for a picture of 100"
    ):
        eq.plot.infosets("leduc", max_infosets=100)
    with pytest.raises(eq.GameError, match="kuhn has players 0 to 1; got player=2"):
        eq.plot.infosets("kuhn", player=2)
    with pytest.raises(eq.GameError, match="without its tree"):
        eq.plot.tree(eq.compile_game(eq.load("kuhn")))


# All of them


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_picture_in_both_themes(run, kind, theme):
    """As it stands in a column of 710 pixels, no letter is below 9 pixels, none is cut, and none is on another."""
    figure = album.draw_figure(kind, run, theme=theme)
    FigureCanvasAgg(figure).draw()
    assert to_hex(figure.get_facecolor()).upper() == style.THEMES[theme].paper
    shrunk = min(1.0, style.COLUMN / figure.get_figwidth())
    for text in drawn_texts(figure):
        assert text.get_fontsize() * shrunk * 96 / 72 >= 9, text
        box = text.get_window_extent()
        assert min(box.x0, box.y0) > -3, text
        assert box.x1 < figure.bbox.x1 + 3, text
        assert box.y1 < figure.bbox.y1 + 3, text
    assert overlaps(figure) == []


def drawn_texts(figure):
    """Return the texts that are drawn: of the labels of ticks those between the ends of their axis."""
    axes = [axis for axes in figure.axes if axes.axison for axis in (axes.xaxis, axes.yaxis)]
    of_ticks = {
        id(label)
        for axis in axes
        for minor in (False, True)
        for label in axis.get_ticklabels(minor=minor)
    }
    ticks = [
        label
        for axis in axes
        for tick in axis._update_ticks()
        for label in (tick.label1, tick.label2)
    ]
    others = [text for text in figure.findobj(Text) if id(text) not in of_ticks]
    return [text for text in [*others, *ticks] if text.get_visible() and text.get_text().strip()]


def overlaps(figure):
    """Return the pairs of texts of which one stands on the other; the labels of contours are turned, and left out."""
    texts = [
        text
        for text in drawn_texts(figure)
        if text.get_rotation() % 90 == 0 and text is not figure._suptitle
    ]
    boxes = [
        (text, text.get_window_extent()) for text in texts
    ]  # a title has room for the note below it
    return [
        (one.get_text(), two.get_text())
        for (one, a), (two, b) in combinations(boxes, 2)
        if min(a.x1, b.x1) - max(a.x0, b.x0) > 2 and min(a.y1, b.y1) - max(a.y0, b.y0) > 2
    ]


def test_images_are_there_in_both_themes():
    light, dark = (f'<svg><style></style><image href="{name}"/></svg>' for name in THEMES)
    assert style._merge_themes(light, dark) == (
        "<svg><style>.dark{display:none}@media (prefers-color-scheme:dark)"
        "{.dark{display:inline}.light{display:none}}</style>"
        '<g class="light"><image href="light"/></g><g class="dark"><image href="dark"/></g></svg>'
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_one_file_is_light_and_dark(run, kind):
    """Each element has its style of the light picture, and on a dark page that of the dark one."""
    draw = partial(album.draw_figure, kind, run)
    alone = {theme: style.picture(draw, theme=theme).decode() for theme in THEMES}
    both = style._merge_themes(*alone.values())
    if kind == "strategy":
        assert style.picture(draw).decode() == both
    day, _, night = re.search(r"<style.*?</style>", both)[0].partition(
        "@media (prefers-color-scheme:dark){"
    )
    assert night
    for theme, rules in (("light", day), ("dark", night)):
        looks = dict(re.findall(r"\.(t\d+)\{(.*?)\}", rules))
        expected = alone[theme]
        own = re.sub(r'(?<= )fill="([^"]*)"', r'style="fill: \1"', both)
        styles = [
            looks.get(name) or one
            for one, name in re.findall(r'(?:style="([^"]*)"|class="(t\d+)")', own)
        ]
        plain = [re.sub(r"#[mph]\w+", "", text) for text in styles]
        wanted = re.findall(
            r'style="([^"]*)"', re.sub(r'(?<= )fill="([^"]*)"', r'style="fill: \1"', expected)
        )
        assert plain == [re.sub(r"#[mph]\w+", "", text) for text in wanted]
        for image in re.findall(r"<image[^>]*>", expected):
            assert f'<g class="{theme}">{image}' in both
    assert set(re.findall(r"url\(#(\w+)\)", both)) <= set(re.findall(r'id="(\w+)"', both))


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"trajectories", "regret"}))
def test_the_same_picture_is_the_same_file(run, kind):
    once = svg(album.draw_figure(kind, run))
    assert once == svg(album.draw_figure(kind, run))
    assert "<dc:date>" not in once


@pytest.mark.slow
def test_long_names_are_cut():
    """A title ends in the picture, and the name of a panel before its legend."""
    long = {"b" * 60: end(1, -1), "c" * 60: end(-1, 1)}

    class Long(Spelled):
        def __str__(self):
            return "long " * 40

    game = Long(2, (0, "a" * 90, {"d" * 80: (1, "e" * 90, long), "f" * 80: (1, "g" * 90, long)}))
    solution = eq.solve(game, iterations=9, record="all")
    for kind in KINDS:
        figure = album.draw_figure(kind, solution, game=game)
        FigureCanvasAgg(figure).draw()
        for text in figure.findobj(Text):
            if text.get_text().strip().startswith("long"):
                assert text.get_window_extent().x1 <= figure.bbox.x1, kind
        assert overlaps(figure) == [], kind


@pytest.mark.parametrize(
    ("colour", "text"), [("#009E73", "#000000"), ("#0072B2", "#FFFFFF"), ("#D55E00", "#000000")]
)
def test_text_on_a_bar_has_contrast(colour, text):
    assert palette.text_colour(colour) == text


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_odd_names(odd, kind):
    game, solution = odd
    picture = svg(album.draw_figure(kind, solution, game=game))
    assert "\x1b" not in picture


@pytest.mark.thinned(2)
@pytest.mark.parametrize(
    ("game", "refused"),
    [
        ("rps", "convergence"),
        ("kuhn(players=3)", "tree"),
        pytest.param("liars_dice(faces=3)", "tree", marks=pytest.mark.slow),
        pytest.param("blotto", "tree", marks=pytest.mark.slow),
    ],
)
def test_other_games(game, refused):
    some = [
        (infoset.player, infoset.key) for infoset in eq.compile_game(eq.load(game)).infosets[:3]
    ]
    solution = eq.solve(game, iterations=10, record=some)
    for kind in KINDS:
        if kind == refused:
            with pytest.raises(
                eq.EquilibristError,
                match=r"too many for a picture|no checkpoint with an exploitability",
            ):
                album.draw_figure(kind, solution)
        else:
            assert len(svg(album.draw_figure(kind, solution))) > 1000


def test_unknown_theme(run):
    with pytest.raises(
        eq.SolutionError, match=r"theme must be 'light' or 'dark'; got 'drak'. Did you mean 'dark'"
    ):
        eq.plot.convergence(run, theme="drak")


def test_matplotlib_comes_late():
    ran = python(
        "import sys, equilibrist as eq; eq.plot; print('matplotlib' in sys.modules); "
        "eq.plot.tree; print('matplotlib.pyplot' in sys.modules, 'scipy.optimize' in sys.modules)"
    )
    assert ran.out.split() == ["False", "False", "False"]


# The command


@pytest.fixture
def call(capsys):
    return partial(command, capsys)


@pytest.fixture
def folder(somewhere, run):
    run.save("kuhn")
    return "kuhn"


@pytest.mark.slow
def test_all_pictures_of_a_run(call, folder, tmp_path):
    ran = call("plot", folder, "--theme", "light")
    assert ran.code == 0
    assert sorted(path.stem for path in (tmp_path / "kuhn").glob("*.svg")) == sorted(KINDS)
    assert ran.out.split().count("Wrote") == 9
    assert "No simplex" in ran.out
    ran = call("plot", folder, "--kind", "strategy", "--out", "s.pdf", "--json")
    assert ran.json == {"files": ["s.pdf"], "skipped": {}}
    assert (tmp_path / "s.pdf").read_bytes().startswith(b"%PDF")
    assert call("plot", folder, "--out", "c.png", "--theme", "dark").code == 0
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")


def test_what_makes_no_sense_is_said(call, somewhere):
    eq.solve("kuhn(players=3)", iterations=50, sampling="external(tree=False)", save="three")
    ran = call("plot", "three", "--out", "pictures", "--theme", "light", "--json")
    assert ran.json["files"] == [
        "pictures/strategy.svg",
        "pictures/regret.svg",
        "pictures/infosets.svg",
    ]
    assert ran.json["skipped"].keys() == {
        *("convergence", "trajectories", "spiral", "scatter", "simplex", "landscape", "tree")
    }
    assert "sampled without a tree" in ran.json["skipped"]["convergence"]
    assert "kuhn(players=3) has 617 histories" in ran.json["skipped"]["tree"]


@pytest.mark.slow
def test_default_axes_are_found_once_for_all_pictures(run, tmp_path, monkeypatch):
    found = []
    monkeypatch.setattr(
        inputs,
        "strongest_interaction",
        lambda *args: found.append(args) or pairs.strongest_interaction(*args),
    )
    monkeypatch.setattr(paths, "strongest_interaction", None)
    monkeypatch.setattr(surface, "strongest_interaction", None)
    written, _ = album.write_all(run, tmp_path, kinds=("spiral", "landscape"))
    assert [path.stem for path in written] == ["spiral", "landscape"]
    assert len(found) == 1


@pytest.mark.slow
def test_several_runs_and_games(call, folder, near, tmp_path):
    near.save("near")
    assert call("plot", folder, "near").out == "Wrote convergence.svg\n"
    assert ">near<" in (tmp_path / "convergence.svg").read_text()
    assert call("plot", "kuhn(cards=4)", "--kind", "infosets", "--out", "i.svg").code == 0
    assert call("plot", "rps").out == "Wrote tree.svg\n"
    call("plot", folder, "near", "--kind", "strategy").fails(
        2, "Several runs share the axes of --kind convergence only"
    )


@pytest.mark.slow
def test_infosets_by_the_command(call, folder, tmp_path):
    for asked in (
        ["--infosets", "J,Qpb"],
        ["--infosets", "J", "--infosets", "Qpb", "--theme", "light"],
    ):
        assert call("plot", folder, "--kind", "trajectories", *asked, "--out", "t.svg").code == 0
        titles = (tmp_path / "t.svg").read_text()
        assert ">Qpb<" in titles
        assert ">Kpb<" not in titles
    call("plot", folder, "--kind", "trajectories", "--infosets", "Kpp").fails(
        2, "'Kpp' was not recorded"
    )
    spiral = ["--kind", "spiral", "--infosets", "K,Qb", "--theme", "light"]
    call("plot", folder, *spiral).checked()
    assert ">probability of bet at K<" in (tmp_path / "kuhn" / "spiral.svg").read_text()


@pytest.mark.slow
def test_noise_by_the_command(call, folder, tmp_path):
    pictures = []
    for noise in ("0", "0.02", "0.02"):
        call(
            "plot",
            folder,
            "--kind",
            "scatter",
            "--infosets",
            "J,Qb",
            "--noise",
            noise,
            "--out",
            "s.svg",
        ).checked()
        pictures.append((tmp_path / "s.svg").read_bytes())
    assert pictures[0] != pictures[1] == pictures[2]


def test_infosets_of_several_players(call, somewhere, tmp_path):
    eq.solve("goofspiel(cards=3)", iterations=9, record="all", save="goof")
    asked = ["--kind", "trajectories", "--infosets", "3:, 3:1t 2:", "--theme", "light"]
    call("plot", "goof", *asked, "--out", "t.svg").checked()
    assert ">3: (player 1)<" in (tmp_path / "t.svg").read_text()
    asked = ["--kind", "spiral", "--infosets", "3:", "--theme", "light"]
    assert call("plot", "goof", *asked, "--out", "s.svg").code == 0


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["nosuchrun"], "There is no run 'nosuchrun': a run is a folder that"),
        (
            ["khun"],
            "'khun' is neither the folder of a saved run nor a game: There is no game 'khun'. Did you mean",
        ),
        (
            ["kuhn", "--kind", "strateg"],
            "There is no kind of picture 'strateg'. Did you mean 'strategy'",
        ),
        (
            ["run", "--out", "a.gif"],
            "a.gif: a picture is written as .svg, .png, .pdf, .pgf; got '.gif'.",
        ),
        (["run", "--kind", "regret", "--out", "a"], "got 'no suffix'"),
        (["run", "--kind", "all", "--out", "a.svg"], "--kind all draws several pictures"),
        (["run", "--kind", "strategy", "--out", "no/a.svg"], "The folder of no/a.svg is not there"),
        (
            ["run", "--theme", "drak"],
            "--theme must be auto, light or dark; got 'drak'. Did you mean 'dark'",
        ),
        (["empty"], "There is no solution in empty"),
        (
            ["rps", "--kind", "regret"],
            "'rps' is a game, and --kind regret needs a run. Solve it first",
        ),
        (
            ["run", "--out", "a.html"],
            "a.html: a picture is written as .svg, .png, .pdf, .pgf; got '.html'. A page with all",
        ),
        (
            ["run", "--kind", "spiral", "--noise", "0.02"],
            "--noise is for --kind scatter only; got --kind spiral.",
        ),
        (
            ["run", "--kind", "spiral", "--infosets", "J"],
            "--kind spiral has two axes: --infosets names two; got 1: J.",
        ),
        (["run", "--kind", "tree", "--infosets", "J"], "landscape or all; tree is drawn whole."),
        (["run", "run", "--infosets", "J"], "landscape or all; convergence is drawn whole."),
        (["rps", "--infosets", "row"], "landscape or all; tree is drawn whole."),
        (["run", "--kind", "regret", "--infosets", ","], "infosets names none"),
        (["run", "rps"], "'rps' is a game, and several on the same axes needs a run"),
    ],
)
def test_mistakes(call, somewhere, run, tmp_path, args, sentence):
    run.save("run")
    (tmp_path / "empty").mkdir()
    call("plot", *args).fails(2, sentence)


def test_help_imports_nothing_heavy():
    program = (
        "import sys; from equilibrist.cli.arguments import make_app; from typer.testing import CliRunner; "
        "assert CliRunner().invoke(make_app(), ['plot', '--help']).exit_code == 0; "
        "print({'numpy', 'matplotlib', 'numba'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"
    assert json.dumps(done.stderr) == '""'
