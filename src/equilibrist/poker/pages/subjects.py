"""What runs of poker are runs of: spots of hold'em and Omaha, and games before the flop."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ...errors import EquilibristError, GameError
from ...web.respond import Fields, RequestError
from ...web.subject import RunSubject
from ...web.workspace import OpenRun
from ..cards.cards import hand_name, parse_cards, parse_hand
from ..preflop.game import Preflop, is_preflop
from ..solved.hand_classes import HandClasses, seat_names
from ..solved.lines import lines_to_train
from ..solved.spot_node import SpotNode
from ..solved.spots import SolvedSpot, has_decisions, has_grid, has_three_ranges
from ..spot.betting_tree import PLAYERS
from .lines import walk_to_decision

_OF_OMAHA = (
    "'equilibrist show' prints all hands of a decision, and 'equilibrist resolve' solves a part "
    "again. Locks and reports over boards are for hold'em alone."
)


class SpotSubject(RunSubject):
    """A solved spot, which is looked at by lines and hands."""

    has_spot = True

    @cached_property
    def spot(self) -> SolvedSpot:
        return SolvedSpot(self.run.solution)

    @property
    def drawn(self) -> SolvedSpot:
        return self.spot

    def find_node(self, line: str, board: str | None) -> SpotNode:
        return self.spot.node(line, board)


class HoldemSubject(SpotSubject):
    """A solved spot of hold'em, which is looked at by lines and hands alone."""

    has_lines = True

    def places_to_train(self) -> list[dict[str, Any]]:
        return lines_to_train(self.spot)

    def probabilities(self, fields: Fields) -> dict[str, Any]:
        fields.only("hand", "line", "board")
        spot = self.spot
        name = hand_name(parse_hand(fields.text("hand")))
        walk = walk_to_decision(spot, fields)
        node = walk.node
        if set(parse_cards(name)) & set(parse_cards(walk.board)):
            raise GameError(
                f"hand: {name} has a card of the board {walk.board}; give another hand.",
                wrong_use=True,
            )
        if name not in spot.hands[node.player]:
            raise GameError(
                f"hand: {name} is not in the range of player {node.player}; give another hand.",
                wrong_use=True,
            )
        place = {
            "player": node.player,
            "hand": name,
            "line": walk.line.strip(" |"),
            "board": walk.board,
        }
        odds = spot.mix(walk.line, walk.board, name).tolist()
        return {**place, "actions": node.actions, "probabilities": odds}


class ThreeRangesSubject(HoldemSubject):
    """A solved spot of three ranges, at whose lines no hands are dealt."""

    def places_to_train(self) -> list[dict[str, Any]]:
        """Refuse to train at a line."""
        raise GameError(
            "Hands of three ranges are dealt from the start, and not at a line to train on: play "
            f"{self.run.run_id} instead, or train on a run of two ranges.",
            wrong_use=True,
        )


class OmahaSubject(SpotSubject):
    """A solved spot of Omaha, which is looked at by lines and made hands, and infoset by infoset."""

    lacks = _OF_OMAHA

    def names(self) -> tuple[str, ...]:
        return PLAYERS

    def decision(self, infoset: dict[str, Any]) -> dict[str, Any]:
        """Return EV, in chips, and equity of a hand at its decision, and those of both ranges there."""
        board, _, line = infoset["history"].partition(" ")
        node = self.spot.node(line, board)
        player = infoset["player"]
        number = node.number(infoset["holding"], player)
        return {
            "ev": float(node.ev[player][number]),
            "equity": float(node.equity[player][number]),
            "evs": node.evs,
            "equities": node.equities,
            "pot": node.pot,
        }


class ClassSubject(RunSubject):
    """A run before the flop, whose infosets are classes of hands and lines."""

    def __init__(self, run: OpenRun, decisions: HandClasses) -> None:
        super().__init__(run)
        self.decisions = decisions

    @property
    def leads_to_flops(self) -> bool:
        return leads_to_flops(self.run)

    def names(self) -> tuple[str, ...]:
        names = seat_names(self.run.solution.game, self.run.solution.players)
        return names or super().names()

    def classes(self) -> list[dict[str, Any]]:
        return [{"line": line, "player": player} for line, player in self.decisions.lines.items()]


def find_subject(run: OpenRun) -> RunSubject | None:
    """Return what a run of poker is a run of; None of any other run."""
    if has_three_ranges(run.solution):
        return ThreeRangesSubject(run)
    if has_grid(run.solution.strategy):
        return HoldemSubject(run)
    if has_decisions(run.solution.strategy):
        return OmahaSubject(run)
    decisions = HandClasses.of(run.solution)
    if decisions is not None:
        return ClassSubject(run, decisions)
    return None


def spot_of(run: OpenRun) -> SolvedSpot:
    """Return the solved spot of hold'em or Omaha of a run, or refuse a run that has none."""
    if not isinstance(run.subject, SpotSubject):
        raise RequestError(
            f"{run.run_id!r} is no spot of hold'em or Omaha.", field="run", status=404
        )
    return run.subject.spot


def holdem_of(run: OpenRun, what: str) -> SolvedSpot:
    """Return the solved spot of hold'em of a run, or refuse a run that has none; ``what`` is for hold'em alone."""
    spot = spot_of(run)
    if isinstance(run.subject, OmahaSubject):
        raise RequestError(
            f"{what} for hold'em alone; {run.run_id!r} is a spot of Omaha.", field="run"
        )
    return spot


def leads_to_flops(run: OpenRun) -> bool:
    """Return whether a run is of a game that leads to flops; its rules are loaded for it where its name says so."""
    if not run.solution.game.startswith(Preflop.name):
        return False
    try:
        return is_preflop(run.game)
    except EquilibristError:
        return False
