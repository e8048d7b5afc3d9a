"""The games of the search: those that algorithms are tuned on, and those that the best is judged by, once."""

from __future__ import annotations

import numpy as np

TRAINING = (
    # A trial is looked at after every fourth game, and given up where others did better by then: unlike games first.
    "biased_rps",
    "kuhn",
    "liars_dice(wild_biddable=False, order='face', faces=3, dice=(2,1))",
    "leduc",
    "goofspiel(cards=4)",
    "kuhn(cards=13)",
    "battleship(height=1, width=4, ships=(2,), shots=2)",
    "examples/spots/narrow-river.toml",
    "blotto",
    "liars_dice(faces=4)",
    "goofspiel(cards=3, prizes='random', returns='points')",
    "no_limit_leduc(stack=5)",
    "leduc(ranks=4)",
)
"""Games that algorithms are tuned on: matrices, three kinds of poker, one of them on cards, dice, bids, and a hunt."""

_DENSE = np.random.default_rng(1).integers(-100, 101, (30, 30)).tolist()

HELD_OUT = {
    "tricks": "mini_euchre",
    "three streets": "rhode_island(ranks=3, suits=2, raises=1)",
    "a turn": "holdem(board='Kh9s4d7c', pot=100, stack=200, bets='a; a', oop='AA,99,AKs,KQs,QJs,JTs', "
    "ip='QQ-TT,77,AKo,KJs,QJs,T8s')",
    "pushing": "openspiel:oshi_zumo(coins=4,size=1,alesia=true,horizon=5)",
    "connecting in the dark": "openspiel:dark_hex(num_rows=2,num_cols=2)",
    "a patrol": "benchmarks/search/patrol.py:Patrol",
    "one bet and a die": "examples/public_game.py:Upset(cards=20)",
    "dense matrix": f"matrix(payoffs={_DENSE})",
}
"""Games of other kinds, chosen before the first trial and never tuned on: a name for tables, and what is loaded.

Trick taking; poker with a street and flushes more than any of the training; a hold'em spot with chance in the middle;
bids that push a wrestler; a board game whose stones nobody else sees; a security game; a bet, then a public die; and a
30 × 30 matrix of random payoffs.
"""
