"""The route that programs ask: one decision of a solved game, and the probability of each action."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from ...errors import GameError
from ...evaluation.spots import SolvedSpot
from ...games.holdem.cards import hand_name, parse_cards, parse_hand
from ..library.workspace import run_of
from ..respond import Fields, RequestError, answer, query
from .spots import decision


def strategy(request: Request) -> Response:
    """Return the probability of each action at one decision; nothing is valued for it.

    Fields of a spot of hold'em: ``hand``, ``line`` and ``board``, as ``equilibrist show`` takes
    them. Of any other game: ``infoset``, by its name, and ``player``, where several have an infoset
    of this name.
    """
    run = run_of(request)
    fields = query(request)
    with run.lock:
        if run.spot is not None:
            return answer(_hand_probabilities(run.spot, fields.only("hand", "line", "board")))
        fields.only("infoset", "player")
        name = fields.text("infoset")
        table = run.solution.strategy
        player = fields.whole("player", None, high=run.solution.players - 1)
        try:
            number = table.number(name if player is None else (player, name))
        except KeyError as error:
            players = [
                player_number
                for player_number in range(run.solution.players)
                if (player_number, name) in table
            ]
            if player is None and players:
                raise RequestError(
                    f"player: infoset {name!r} is one of the players {players}.", field="player"
                ) from error
            raise RequestError(
                f"infoset: the run has no infoset {name!r}.", field="infoset", status=404
            ) from error
        row = table.at(number)
        place = {"player": table.infosets[number].player, "infoset": name}
        return answer({**place, "actions": list(row), "probabilities": list(row.values())})


def _hand_probabilities(spot: SolvedSpot, fields: Fields) -> dict[str, object]:
    name = hand_name(parse_hand(fields.text("hand")))
    walk = decision(spot, fields)
    node = walk.node
    if set(parse_cards(name)) & set(parse_cards(walk.board)):
        raise GameError(
            f"hand: {name} has a card of the board {walk.board}; give another hand.", wrong_use=True
        )
    if name not in spot.game.hands[node.player]:
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
