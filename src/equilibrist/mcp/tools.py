"""The tools: each is a command, of which it has some of the arguments and options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Content = Literal["strategy", "table", "hands"]
"""What a value is that is given in the place of a file: a strategy by player, a table by infoset, hand histories."""


@dataclass(frozen=True)
class Tool:
    """A tool.

    Parameters
    ----------
    about : str
        What it does, for who chooses a tool.
    command : str
        The command that it runs, with ``--json``.
    parameters : tuple of str
        The parameters of the command's function that it has.
    contents : mapping of str to Content
        Parameters that are files to the command, and may be given by what would be in them.
    needed : tuple of str
        Parameters that are needed here, which the command can do without.
    optional : tuple of str
        Arguments that the command can do without, though the function that has its code cannot:
        those after them take their places.
    saves : bool
        Whether it has the parameter ``save``, where the server may write.
    select : callable, optional
        What is kept of the answer, for the values of parameters that only choose that; with
        ``choices``, what these are.
    choices : mapping of str to str
        Those parameters, and what is said of them. They are texts, and needed.
    """

    about: str
    command: str
    parameters: tuple[str, ...] = ()
    contents: Mapping[str, Content] = field(default_factory=dict)
    needed: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    saves: bool = False
    select: Callable[..., dict[str, Any]] | None = None
    choices: Mapping[str, str] = field(default_factory=dict)


def _select_infoset(answer: dict[str, Any], infoset: str) -> dict[str, Any]:
    """Return what an explained iteration says of one infoset."""
    walks = [
        walk | {"nodes": [node for node in walk["nodes"] if node["infoset"] == infoset]}
        for walk in answer["walks"]
    ]
    updates = [row for row in answer["updates"] if row["infoset"] == infoset]
    if not updates:
        names = sorted({row["infoset"] for row in answer["updates"]})
        return {"error": f"There is no infoset {infoset!r}; there are {', '.join(names[:40])}."}
    return answer | {"updates": updates, "walks": walks}


_SETTINGS = ("algorithm", "sampling", "concept", "form", "seed", "iterations", "until")

TOOLS: dict[str, Tool] = {
    "list_games": Tool(
        "List the built-in games with their parameters. Games of OpenSpiel ('openspiel:NAME') and files "
        "are games, too.",
        "games",
    ),
    "describe_game": Tool(
        "Check the rules of a game, and tell its players, its size, and what infosets merge.",
        "check",
        ("game", "max_histories"),
    ),
    "solve": Tool(
        "Solve a game by counterfactual regret minimisation, and return the value and a certificate: "
        "exploitability is how much a best response wins, exactly, and 0 at a Nash equilibrium.",
        "solve",
        ("game", *_SETTINGS, "seconds", "max_memory_gb", "max_histories"),
        needed=("game",),
        saves=True,
    ),
    "certify_strategy": Tool(
        "Certify a strategy of any origin: value, exact exploitability, and the infosets where it loses.",
        "evaluate",
        ("game", "strategy", "form", "missing", "max_histories"),
        contents={"strategy": "strategy"},
    ),
    "look_up": Tool(
        "Look up a decision of a saved run: of a spot of hold'em by line, board and hand, of any other game "
        "by the name of the infoset.",
        "show",
        ("run", "line", "board", "hand", "player", "infoset"),
    ),
    "explain_infoset": Tool(
        "Explain one iteration of CFR at an infoset: reach, values, regrets and strategy, number by number.",
        "explain",
        ("game", "algorithm", "iteration", "deal", "sampling", "seed", "max_nodes"),
        select=_select_infoset,
        choices={"infoset": "The infoset, by its name, such as 'Kb' in kuhn."},
    ),
    "exploit": Tool(
        "Find how to win the most from an opponent of whom something is known, at a risk that is proved. Give "
        "one of against, counts and locks.",
        "exploit",
        (
            "game",
            "against",
            "counts",
            "locks",
            "trust",
            "risk",
            "player",
            "until",
            "iterations",
            "seconds",
        ),
        contents={"counts": "table", "locks": "table"},
        needed=("game",),
        saves=True,
    ),
    "grade_hands": Tool(
        "Grade hand histories of hold'em by saved runs of their spots: what each decision cost.",
        "grade",
        ("hands", "run", "player", "tolerance", "unit"),
        contents={"hands": "hands"},
        needed=("run",),
    ),
    "equity": Tool(
        "Compute the share of the pot that two ranges have on a board, over all cards to come; without a board "
        "before the flop.",
        "equity",
        ("board", "oop", "ip", "deck"),
        needed=("ip",),
        optional=("board",),
    ),
}
"""The tools by name."""
