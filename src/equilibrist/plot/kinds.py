"""The kinds of pictures and of their files, for whoever must not import Matplotlib, as the help of the command."""

KINDS = (
    "convergence", "strategy", "trajectories", "spiral", "scatter", "simplex", "regret", "landscape", "tree",
    "infosets",
)  # fmt: skip
"""The pictures of a run, in the order in which they are shown."""
OF_HANDS = ("range",)
"""Those of the first decision of games whose infosets are hands: solved spots, games before the flop."""
OF_GAMES = ("tree", "infosets")
"""Those of a game without a run; they are drawn whole."""
OF_INFOSETS = tuple(kind for kind in KINDS if kind not in ("convergence", *OF_GAMES))
"""Those of infosets that can be chosen."""
OF_TWO = ("spiral", "scatter", "landscape")
"""Those of two probabilities."""
SUFFIXES = ("svg", "png", "pdf")
"""What a figure can be written as."""
