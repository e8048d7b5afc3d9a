"""The route of two decisions of spots side by side, hand by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from ...form.traits import check_two_ranges
from ...web.answers import Answer, MaybePair
from ...web.beside import align_actions, flatten_row, open_two_runs, read_sides, send_csv
from ...web.respond import Fields, answer
from .answers import DecisionPair, HandOfPair
from .lines import walk_to_decision
from .subjects import holdem_of

_HELD = 1e-9


def node(request: Request) -> Answer[DecisionPair] | Response:
    """Return two decisions of solved spots hand by hand: frequencies, EV and equity of both, and their differences.

    Fields: ``run``, twice; ``line`` and ``board`` of the first, ``line2`` and ``board2`` of the
    second (by default the same); ``player``, by default who decides in the first; ``format`` csv
    for a file.
    """
    fields = read_sides(request)
    line = fields.text("line", "")
    board = fields.text("board", "")
    places = [(line, board), (fields.text("line2", line), fields.text("board2", board))]
    with open_two_runs(request) as runs:
        nodes = []
        for run, (its_line, its_board) in zip(runs, places, strict=True):
            spot = holdem_of(run, "Decisions side by side are")
            check_two_ranges(spot.form, "decisions side by side are")
            walk = walk_to_decision(spot, Fields({"line": its_line, "board": its_board}))
            nodes.append((spot.node(walk.line, walk.board), walk))
        player = fields.whole("player", nodes[0][0].player, high=1)
        rows, actions = _pair_hands([spot_node for spot_node, _ in nodes], player)
        sides = [
            {
                "run": run.run_id,
                "line": walk.line,
                "board": spot_node.board,
                "player": spot_node.player,
                "pot": spot_node.pot,
                "actions": list(spot_node.actions),
                "frequencies": dict(
                    zip(spot_node.actions, spot_node.frequencies.tolist(), strict=True)
                ),
                "ev": spot_node.evs,
                "equity": spot_node.equities,
                "next": walk.summary().get("next", []),
            }
            for run, (spot_node, walk) in zip(runs, nodes, strict=True)
        ]
    if fields.choice("format", ("json", "csv"), "json") == "csv":
        return send_csv([flatten_row(row) for row in rows], "hands-side-by-side")
    return answer({"player": player, "sides": sides, "actions": actions, "hands": rows})


def _pair_hands(nodes: Sequence[Any], player: int) -> tuple[list[HandOfPair], list[str]]:
    """Return a row for each hand that the player holds on one of the sides, and the actions where it decides."""
    tables = [node.table(player) for node in nodes]
    labels = [list(node.actions) if node.player == player else [] for node in nodes]
    places = [{hand: place for place, hand in enumerate(table["hand"])} for table in tables]
    names = list(dict.fromkeys(name for run_labels in labels for name in run_labels))
    rows: list[HandOfPair] = []
    for hand in dict.fromkeys([*tables[0]["hand"], *tables[1]["hand"]]):
        at = [place.get(hand) for place in places]

        def pair_columns(column: str, at: list[int | None] = at) -> MaybePair:
            first, second = (
                None if k is None else table[column][k] for table, k in zip(tables, at, strict=True)
            )
            return first, second

        first_weight, second_weight = pair_columns("range")
        weights_of_hand = first_weight or 0.0, second_weight or 0.0
        if max(weights_of_hand) <= _HELD:
            continue
        mixes = [
            []
            if k is None or weights_of_hand[side] <= _HELD
            else [tables[side][action][k] or 0.0 for action in labels[side]]
            for side, k in enumerate(at)
        ]
        decided = [label if mix else [] for label, mix in zip(labels, mixes, strict=True)]
        action_names, shares, distance = align_actions(decided, mixes)
        columns = [dict(zip(action_names, mix, strict=True)) for mix in shares]
        evs = pair_columns("ev")
        ev_difference = None if evs[0] is None or evs[1] is None else evs[1] - evs[0]
        which = next(side for side, k in enumerate(at) if k is not None)
        rows.append(
            {
                "hand": hand,
                "class": tables[which]["class"][at[which]],
                "range": weights_of_hand,
                "ev": evs,
                "equity": pair_columns("equity"),
                "actions": names,
                "mixes": [[mix.get(name) for name in names] for mix in columns],
                "difference": distance if all(mixes) else None,
                "ev_difference": ev_difference,
            }
        )
    return rows, names
