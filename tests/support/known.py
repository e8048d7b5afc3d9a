"""Known numbers of the built-in games, each with its source: what tests and the referee are held against."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple


class Known(NamedTuple):
    """One known number.

    ``game`` is the text that makes the game, ``quantity`` one of

    * ``value``: the payoff of player 0 at equilibrium, two players, zero-sum;
    * ``value_0``, ``value_1``, ``value_2``: the payoff of this player at the equilibria known, three players, which
      need not be one number: then the middle of those that there are, with half of their range as ``tolerance``;
    * ``infosets``: how many, for all players together;
    * ``histories``, ``leaves``: how many, chance and the ends of the game included; how many ends;
    * ``uniform_nash_conv``: nash_conv (payoff per game) where every player plays every action equally often;

    ``source`` says where ``number`` comes from, and ``tolerance`` by how much a correct result may miss it. Values of
    two players are all proved: docs/proofs has the files that are not too large (``python -m docs.making.proofs``).
    """

    game: str
    quantity: str
    number: float | Fraction
    source: str
    tolerance: float = 1e-9


_KUHN = "Kuhn 1950, A simplified two-person poker"
_PROVED = "proved in fractions"
_COUNTED = "counted in OpenSpiel's tree"
_OPENSPIEL_LP = "OpenSpiel, sequence_form_lp_test.py"
_OPENSPIEL_UNIFORM = "OpenSpiel, exploitability_test.py"
_COMPUTED = "computed with OpenSpiel's nash_conv"
_BLUFFS = "analytic: (2S - 1) / (6 (2S + 1)) for an ante of S"
_BIDS = "analytic: faces × 2^bids"
_LINES = "counted by lines of betting: tests/games/test_counts.py"
_ROUNDS = "counted by rounds and cards: tests/games/test_rhode_island.py"
_DEALS = "counted deal by deal: tests/games/test_counts.py"
_SINKING = "Farina et al. 2019, p. 7: play at random, which sinks with probability 5/9 and 1/3"
_BATTLESHIP = "OpenSpiel, battleship_test.cc"
_THREE = "Szafron, Gibson, Sturtevant 2013, A parameterized family of equilibrium profiles for three-player Kuhn poker"
_LEDUC = Fraction(-1454920850547486749701863871533, 16995463438839962469905132501930)
_BLUFF = "liars_dice(dice=(2, 1), order='face', wild_biddable=False)"  # Bluff(2,1)

KNOWN = (
    Known("battleship", "value", 3 / 16, _PROVED),
    Known("battleship(shots=2)", "value", 1 / 8, _PROVED),
    Known("battleship(height=1, width=3, shots=2)", "value", 2 / 9, _SINKING),
    Known("battleship(ships=(2,), shots=2)", "value", 1 / 16, _PROVED),
    Known("battleship(ships=(1, 2), values=(1, 2), shots=2)", "value", 0, _PROVED),
    Known("battleship", "infosets", 341 + 397, _BATTLESHIP, 0),
    Known("battleship", "leaves", 2224, _BATTLESHIP, 0),
    Known("battleship", "histories", 3877, _COUNTED, 0),
    Known("battleship(shots=2)", "infosets", 53 + 109, _BATTLESHIP, 0),
    Known("battleship(ships=(1, 2), shots=2)", "infosets", 397 + 1189, _BATTLESHIP, 0),
    Known("battleship(ships=(1, 2), shots=2)", "leaves", 9216, _BATTLESHIP, 0),
    Known("battleship(width=3, shots=2)", "infosets", 187 + 751, _BATTLESHIP, 0),
    Known("battleship(width=3, shots=2)", "leaves", 19116, _BATTLESHIP, 0),
    Known("battleship(width=3, shots=4)", "infosets", 46987 + 97951, _BATTLESHIP, 0),
    Known("battleship(width=3, shots=4)", "leaves", 969516, _BATTLESHIP, 0),
    Known("battleship", "uniform_nash_conv", 0, _COMPUTED),
    Known(
        "battleship(ships=(1, 2), values=(1, 2), shots=2)", "uniform_nash_conv", 1 / 3, _COMPUTED
    ),
    Known("kuhn", "value", -1 / 18, _KUHN),
    Known("kuhn(cards=4)", "value", -1 / 24, _PROVED),
    Known("kuhn(cards=5)", "value", -1 / 15, _PROVED),
    Known("kuhn(cards=6)", "value", -11 / 180, _PROVED),
    Known("kuhn(cards=8)", "value", -1 / 16, _PROVED),
    Known("kuhn(cards=10)", "value", -11 / 180, _PROVED),
    Known("kuhn(cards=13)", "value", -5 / 78, _PROVED),
    Known("kuhn(pass_ends=True)", "value", 1 / 18, _BLUFFS),
    Known("kuhn(ante=2, pass_ends=True)", "value", 1 / 10, _BLUFFS),
    Known("kuhn(ante=3, pass_ends=True)", "value", 5 / 42, _BLUFFS),
    Known("kuhn(names='QKA', pass_ends=True)", "infosets", 6, "analytic: cards × 2 lines", 0),
    Known("kuhn", "infosets", 12, "analytic: cards × 4 lines", 0),
    Known("kuhn", "histories", 58, _COUNTED, 0),
    Known("kuhn(players=3)", "value_0", -1 / 32, _THREE + ": from -1/24 to -1/48", 1 / 96 + 1e-9),
    Known("kuhn(players=3)", "value_1", -1 / 48, _THREE, 1e-5),
    Known("kuhn(players=3)", "value_2", 5 / 96, _THREE + ": from 1/24 to 1/16", 1 / 96 + 1e-9),
    Known("kuhn(players=3)", "infosets", 48, "analytic: cards × 12 lines", 0),
    Known("kuhn(players=3)", "histories", 617, _COUNTED, 0),
    Known("kuhn", "uniform_nash_conv", 11 / 12, _OPENSPIEL_UNIFORM),
    Known("kuhn(players=3)", "uniform_nash_conv", 2.0625, _COMPUTED),
    Known(
        "leduc",
        "value",
        _LEDUC,
        "Lanctot et al. 2017, appendix E.2, as cited in " + _OPENSPIEL_LP,
    ),
    Known(
        "leduc(merge_suits=False)",
        "value",
        _LEDUC,
        "as for merged suits, which decide nothing",
    ),
    Known(
        "leduc",
        "infosets",
        288,
        "analytic: 2 players × (3 ranks × 3 lines + 9 pairs of ranks × 5 × 3 lines)",
        0,
    ),
    Known("leduc(merge_suits=False)", "infosets", 936, "OpenSpiel, policy_test.py", 0),
    Known("leduc(merge_suits=False)", "histories", 9457, _COUNTED, 0),
    Known("leduc", "uniform_nash_conv", 4.747222222222222, _OPENSPIEL_UNIFORM),
    Known("leduc(merge_suits=False)", "uniform_nash_conv", 4.747222222222222, _OPENSPIEL_UNIFORM),
    Known("liars_dice(faces=2)", "value", 1 / 2, _PROVED),
    Known("liars_dice(faces=3)", "value", 1 / 9, _PROVED),
    Known("liars_dice(faces=4)", "value", 1 / 16, _PROVED),
    Known("liars_dice(faces=5)", "value", 1 / 125, _PROVED),
    Known("liars_dice", "value", -7 / 258, _PROVED + "; to 15 digits in " + _OPENSPIEL_LP),
    Known("liars_dice(wild_biddable=False)", "value", -7 / 327, _PROVED),
    Known("liars_dice(order='face', wild_biddable=False)", "value", 0, _PROVED),
    Known("liars_dice", "infosets", 24576, _BIDS, 0),
    Known("liars_dice", "histories", 294883, _COUNTED, 0),
    Known("liars_dice(wild_biddable=False)", "infosets", 6144, _BIDS, 0),
    Known(
        _BLUFF,
        "infosets",
        2**14 * (21 + 6),
        "analytic: half of the 2^15 sets of bids × rolls, sorted",
        0,
    ),
    Known(
        _BLUFF,
        "leaves",
        6**3 * (2**15 - 1),
        "analytic: rolls of three dice × sets of bids that are not empty",
        0,
    ),
    Known(
        "liars_dice",
        "uniform_nash_conv",
        1.561488646384479,
        "OpenSpiel, tabular_best_response_mdp_test.cc",
    ),
    Known("no_limit_leduc(stack=2)", "value", 0, _PROVED),
    Known("no_limit_leduc(stack=3)", "value", -26 / 1215, _PROVED),
    Known("no_limit_leduc(stack=4)", "value", Fraction(-30199, 683220), _PROVED),
    Known("no_limit_leduc(stack=5)", "value", Fraction(-429023, 5334960), _PROVED),
    Known(
        "no_limit_leduc(stack=5, merge_suits=False)",
        "infosets",
        3648,
        _COUNTED + " of universal_poker",
        0,
    ),
    Known(
        "no_limit_leduc(stack=5, merge_suits=False)",
        "histories",
        41197,
        _COUNTED + " of universal_poker",
        0,
    ),
    Known("no_limit_leduc(stack=7)", "infosets", 4668, _LINES, 0),
    Known("no_limit_leduc(stack=7)", "histories", 35773, _LINES, 0),
    Known("no_limit_leduc", "infosets", 958644, _LINES, 0),
    Known("no_limit_leduc", "histories", 7612927, _LINES, 0),
    Known("no_limit_leduc(stack=5, actions=4)", "infosets", 1014, _LINES, 0),
    Known("no_limit_leduc(stack=10, actions=4)", "infosets", 13611, _LINES, 0),
    Known("no_limit_leduc(stack=5, actions=4)", "value", Fraction(-429023, 5334960), _PROVED),
    Known("no_limit_leduc(stack=2)", "uniform_nash_conv", 3 / 4, _COMPUTED + " of universal_poker"),
    Known(
        "no_limit_leduc(stack=4)",
        "uniform_nash_conv",
        1349 / 720,
        _COMPUTED + " of universal_poker",
    ),
    Known(
        "no_limit_leduc(stack=5)",
        "uniform_nash_conv",
        2.578283333333333,
        _COMPUTED + " of universal_poker",
    ),
    Known(
        "no_limit_leduc(stack=3)", "uniform_nash_conv", 34 / 27, _COMPUTED + " of universal_poker"
    ),
    Known("rhode_island(ranks=3, suits=2, raises=1)", "value", -92 / 567, _PROVED),
    Known("rhode_island(ranks=4, suits=1)", "value", -1 / 6, _PROVED),
    Known("rhode_island(ranks=5, suits=1, raises=1)", "value", Fraction(-1717, 4374), _PROVED),
    Known("rhode_island(ranks=5, suits=1, raises=1)", "infosets", 2420, _ROUNDS, 0),
    Known("rhode_island(ranks=5, suits=1, raises=1)", "histories", 11526, _ROUNDS, 0),
    Known("mini_euchre(bowers=False)", "infosets", 3724, _DEALS, 0),
    Known("mini_euchre(bowers=False)", "histories", 43073, _DEALS, 0),
    Known("mini_euchre", "infosets", 3781, _DEALS, 0),
    Known("mini_euchre", "histories", 44549, _DEALS, 0),
    Known("goofspiel", "value", 0, "analytic: symmetric"),
    Known("goofspiel", "infosets", 162, _COUNTED, 0),
    Known("goofspiel", "uniform_nash_conv", 17 / 12, _COMPUTED),
    Known("rps", "value", 0, "analytic: symmetric"),
    Known("biased_rps", "value", 0, "analytic: symmetric"),
    Known("matching_pennies", "value", 0, "analytic"),
    Known("blotto", "value", 0, "analytic: symmetric"),
)
"""All known numbers, game by game."""
