"""Known numbers of the built-in games, each with its source: what tests and the referee are held against."""

from __future__ import annotations

from typing import NamedTuple


class Known(NamedTuple):
    """One known number.

    ``game`` is the text that makes the game, ``quantity`` one of

    * ``value``: the payoff of player 0 at equilibrium, two players, zero-sum;
    * ``infosets``, ``histories``: how many, for all players together, chance and the ends of the game included;
    * ``uniform_nash_conv``: nash_conv (payoff per game) where every player plays every action equally often;

    ``source`` says where ``number`` comes from, and ``tolerance`` by how much a correct result may miss it. Sources
    that read "linear programme" were solved once, in sequence form by HiGHS, and the fraction was read off the result.
    """

    game: str
    quantity: str
    number: float
    source: str
    tolerance: float = 1e-9


_KUHN = "Kuhn 1950, A simplified two-person poker"
_LP = "linear programme"
_COUNTED = "counted in OpenSpiel's tree"
_OPENSPIEL_LP = "OpenSpiel, sequence_form_lp_test.py"
_OPENSPIEL_UNIFORM = "OpenSpiel, exploitability_test.py"
_BLUFFS = "analytic: (2S - 1) / (6 (2S + 1)) for an ante of S"
_BIDS = "analytic: faces × 2^bids"

KNOWN = (
    Known("kuhn", "value", -1 / 18, _KUHN),
    Known("kuhn(cards=4)", "value", -1 / 24, _LP),
    Known("kuhn(cards=5)", "value", -1 / 15, _LP),
    Known("kuhn(cards=6)", "value", -11 / 180, _LP),
    Known("kuhn(cards=8)", "value", -1 / 16, _LP),
    Known("kuhn(cards=10)", "value", -11 / 180, _LP),
    Known("kuhn(cards=13)", "value", -5 / 78, _LP),
    Known("kuhn(pass_ends=True)", "value", 1 / 18, _BLUFFS),
    Known("kuhn(ante=2, pass_ends=True)", "value", 1 / 10, _BLUFFS),
    Known("kuhn(ante=3, pass_ends=True)", "value", 5 / 42, _BLUFFS),
    Known("kuhn", "infosets", 12, "analytic: cards × 4 lines", 0),
    Known("kuhn", "histories", 58, _COUNTED, 0),
    Known("kuhn(players=3)", "infosets", 48, "analytic: cards × 12 lines", 0),
    Known("kuhn(players=3)", "histories", 617, _COUNTED, 0),
    Known("kuhn", "uniform_nash_conv", 11 / 12, _OPENSPIEL_UNIFORM),
    Known("kuhn(players=3)", "uniform_nash_conv", 2.0625, "computed with OpenSpiel's nash_conv"),
    Known("leduc", "value", -0.085606424078, "Lanctot et al. 2017, appendix E.2, as cited in " + _OPENSPIEL_LP, 1e-11),
    Known("leduc(merge_suits=False)", "value", -0.085606424078, "as for merged suits, which decide nothing", 1e-11),
    Known("leduc", "infosets", 288, "analytic: 2 players × (3 ranks × 3 lines + 9 pairs of ranks × 5 × 3 lines)", 0),
    Known("leduc(merge_suits=False)", "infosets", 936, "OpenSpiel, policy_test.py", 0),
    Known("leduc(merge_suits=False)", "histories", 9457, _COUNTED, 0),
    Known("leduc", "uniform_nash_conv", 4.747222222222222, _OPENSPIEL_UNIFORM),
    Known("leduc(merge_suits=False)", "uniform_nash_conv", 4.747222222222222, _OPENSPIEL_UNIFORM),
    Known("liars_dice(faces=2)", "value", 1 / 2, _LP),
    Known("liars_dice(faces=3)", "value", 1 / 9, _LP),
    Known("liars_dice(faces=4)", "value", 1 / 16, _LP),
    Known("liars_dice(faces=5)", "value", 1 / 125, _LP),
    Known("liars_dice", "value", -7 / 258, _LP + "; to 15 digits in " + _OPENSPIEL_LP),
    Known("liars_dice(wild_biddable=False)", "value", -7 / 327, _LP),
    Known("liars_dice(order='face', wild_biddable=False)", "value", 0, _LP),
    Known("liars_dice", "infosets", 24576, _BIDS, 0),
    Known("liars_dice", "histories", 294883, _COUNTED, 0),
    Known("liars_dice(wild_biddable=False)", "infosets", 6144, _BIDS, 0),
    Known("liars_dice", "uniform_nash_conv", 1.561488646384479, "OpenSpiel, tabular_best_response_mdp_test.cc"),
    Known("goofspiel", "value", 0, "analytic: symmetric"),
    Known("goofspiel", "infosets", 162, _COUNTED, 0),
    Known("goofspiel", "uniform_nash_conv", 17 / 12, "computed with OpenSpiel's nash_conv"),
    Known("rps", "value", 0, "analytic: symmetric"),
    Known("biased_rps", "value", 0, "analytic: symmetric"),
    Known("matching_pennies", "value", 0, "analytic"),
    Known("blotto", "value", 0, "analytic: symmetric"),
)
"""All known numbers, game by game."""
