"""Where the Kuhn lab stands that is shown with an explanation, and where none is shown."""

import json
import re
from html import unescape

import pytest

import equilibrist as eq
from equilibrist.cfr.algorithms import ALGORITHMS
from equilibrist.learn.explanation.lab_options import lab_options


def shown(explained):
    """Return the options of the lab in what a notebook shows."""
    (options,) = re.findall(r'data-lab="kuhn" data-options="([^"]*)"', explained._repr_html_())
    return json.loads(unescape(options))


@pytest.mark.thinned(16)
@pytest.mark.parametrize(
    "algorithm", [name for name, one in ALGORITHMS.items() if not one.needs_horizon]
)
@pytest.mark.parametrize("alternating", [True, False])
def test_the_lab_stands_before_the_iteration(algorithm, alternating):
    explained = eq.learn.explain(
        "kuhn", f"{algorithm}(alternating={alternating})", iteration=3, deal="QK"
    )
    options = shown(explained)
    assert options["settings"] == {
        "algorithm": algorithm,
        "alternating": alternating,
        "walk": "full",
    }
    assert options["position"]["t"] == 2
    assert options["chosen"] == "Q"
    before = eq.solve(
        "kuhn", f"{algorithm}(alternating={alternating})", iterations=2, record="all"
    ).recording
    for (player, key), update in explained.updates.items():
        assert options["position"]["strategy"][key] == update.strategy[1]
        assert update.strategy[1] == pytest.approx(
            before.at((player, key)).strategy[-1][1], abs=1e-12
        )


def test_deals_that_are_drawn():
    named = eq.learn.explain("kuhn", "cfr", deals=["QK", "JQ"], sampling="chance")
    assert shown(named)["settings"]["walk"] == "JQ"
    walks = {
        shown(eq.learn.explain("kuhn", "cfr", sampling="chance", seed=seed))["settings"]["walk"]
        for seed in range(9)
    }
    assert "random" in walks  # each player's turn has drawn a deal of its own


@pytest.mark.parametrize(
    ("game", "algorithm", "sampling"),
    [
        ("kuhn(cards=4)", "cfr", "full"),
        ("kuhn(bet=2)", "cfr", "full"),
        ("kuhn(names='QKA')", "cfr", "full"),
        ("kuhn", "hs-dcfr", "full"),
        ("kuhn", "cfr", "external"),
        ("kuhn", "cfr", "chance(batch=2)"),
        ("liars_dice(faces=2)", "cfr", "full"),
    ],
)
def test_where_no_lab_fits_there_is_none(game, algorithm, sampling):
    horizon = {"horizon": 10} if ALGORITHMS[algorithm].needs_horizon else {}
    explained = eq.learn.explain(game, algorithm, sampling=sampling, **horizon)
    assert lab_options(explained) is None
    assert "eq-lab" not in explained._repr_html_()
