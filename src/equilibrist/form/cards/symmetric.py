"""Whether a strategy plays hands alike that suits make alike, without which boards cannot be taken for one."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._util.arrays import Floats
from ...errors import GameError
from .blockers import HandMap

_TOLERANCE = 1e-4  # of probabilities


def check_symmetric(form: Any, strategy: Floats) -> None:
    """Refuse a strategy under which boards that a :class:`~.form.CardForm` walks as one differ.

    They follow on a board with symmetries: permutations under which it and both ranges are as they are. If hands that
    one of them exchanges play differently there, they come to its boards in another mix than to those walked.

    Raises
    ------
    GameError
        Two such hands play differently; the message names the first two.
    """
    game = form.game
    maps = [HandMap(own, game.deal.cards) for own in game.deal.hands]
    for street, nodes in enumerate(form.betting.streets[:-1]):
        for number, board in enumerate(form.boards.streets[street]):
            for player in range(2) if len(board.symmetries) > 1 else ():
                hands = form.hands_on(street, number, player)
                place = np.zeros(len(maps[player].cards), np.int64)
                place[hands] = np.arange(len(hands))
                images = np.array([maps[player].moved(to)[hands] for to in board.symmetries])
                for node in nodes.nodes[player]:
                    own = strategy[form.slots_of(node, number)]
                    wrong = np.abs(own[:, place[images]] - own[:, None]).max(axis=0) > _TOLERANCE
                    if wrong.any():
                        to, hand = map(int, np.argwhere(wrong)[0])
                        other = game.hands[player][images[to, hand]]
                        infoset = form.infosets.key(player, int(hands[hand]), board.cards, node.line)
                        raise GameError(
                            f"{form.name}: {infoset!r} is played differently with {other}, which is the same but for "
                            "suits; so boards to come that are walked as one would differ. Play both alike, or give a "
                            "game without symmetries.",
                            wrong_use=True,
                        )
