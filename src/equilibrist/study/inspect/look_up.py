"""The route that programs ask: one decision of a solved game, and the probability of each action."""

from __future__ import annotations

from starlette.requests import Request

from ...web.answers import Answer
from ...web.respond import RequestError, answer, query
from ...web.workspace import run_of
from ..answers import Mix


def strategy(request: Request) -> Answer[Mix]:
    """Return the probability of each action at one decision; nothing is valued for it.

    Fields of a spot of hold'em: ``hand``, ``line`` and ``board``, as ``equilibrist show`` takes
    them. Of any other game: ``infoset``, by its name, and ``player``, where several have an infoset
    of this name.
    """
    run = run_of(request)
    fields = query(request)
    with run.lock:
        by_line = run.subject.probabilities(fields)
        if by_line is not None:
            return answer(by_line)
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
        return answer(
            {
                "player": table.infosets[number].player,
                "infoset": name,
                "actions": list(row),
                "probabilities": list(row.values()),
            }
        )
