"""What is told of a solved spot: the run as a whole, and each place of its betting; for routes, and for files."""

from __future__ import annotations

from typing import Any, cast

from ...errors import SolutionError
from ...game.locks import Lock
from ...runs.catalogue import game_title
from ...runs.reproduce import carried_settings
from ...solving.solution import Solution
from ...web.quality import describe_quality
from ..cards.cards import cards_text
from ..solved.spots import NODES, SolvedSpot
from ..spot.bet_sizes import STREETS
from ..spot.betting_of_spot import Spot
from ..spot.locks import lock_text
from .answers import LockText, SpotOverview
from .estimates import whole_settings
from .lines import Walk

DIGITS = 8
"""Of what is told of a hand: two thirds of the bytes of all digits."""


def describe_run(name: str, solution: Solution, spot: SolvedSpot) -> SpotOverview:
    """Return the spot of a run: settings, ranges, streets, locks, and how good the solution is."""
    game = spot.game
    first_street = game.tree.rules.street
    node_class = NODES[game.hole_cards]
    return {
        "run": name,
        "game": str(game),
        "title": game_title(str(game)),
        "settings": whole_settings(game),
        "players": list(spot.names),
        "board": cards_text(game.board, game.cards),
        "pot": game.tree.pot,
        "stack": max(game.tree.stacks),
        "rake": game.tree.rules.rake,
        "ranges": list(map(str, game.ranges)),
        "hands": list(map(len, spot.hands)),
        "hole_cards": game.hole_cards,
        "made_hands": node_class.made_hands,
        "draws": node_class.draws,
        "streets": list(STREETS[first_street:]),
        "solved_streets": list(STREETS[first_street : first_street + spot.streets]),
        "nodes": game.tree.counts(),
        "locks": [_describe_lock(game, lock) for lock in game.locks],
        "folded": spot.folded,
        "carried": _carried_settings(solution),
        **describe_quality(solution),
    }


def _carried_settings(solution: Solution) -> dict[str, Any] | None:
    """Return the settings that runs made from this one take over; None where they have no names."""
    try:
        return carried_settings(solution)
    except SolutionError:
        return None


def _describe_lock(game: Spot, lock: Lock) -> LockText:
    player = game.tree.nodes[game.tree.find(lock.line)].player
    text = f"{game.tree.players[player]} {lock_text(lock)}"
    return cast(LockText, {**lock._asdict(), "player": player, "text": text})


def describe_place(spot: SolvedSpot, walk: Walk, *, digits: int = DIGITS) -> dict[str, Any]:
    """Return what is told of a place; ``unsolved``, where the run has not the streets from there on."""
    place = walk.summary()
    if walk.kind == "decision" and walk.node.street - spot.game.tree.rules.street >= spot.streets:
        place["kind"] = "unsolved"
        del place["next"]
    for step in place["steps"]:
        if step["kind"] == "decision":
            mix = spot.frequencies(step["line"], step["board"]).tolist()
            step["actions"] = [
                {**action, "frequency": share}
                for action, share in zip(step["actions"], mix, strict=True)
            ]
    if place["kind"] == "decision":
        node = spot.node(walk.line, walk.board)
        others = [
            None if player == node.player else node.table(player, digits=digits)
            for player in range(len(node.names))
        ]
        place = {**node.summary(digits=digits), **place, "actions": node.actions, "others": others}
    elif walk.kind == "deal":
        place["cards"] = spot.run_outs(walk.line, walk.board)
        place["next_player"] = spot.game.tree.nodes[spot.game.tree.find(walk.line)].player
    return place
