"""What estimates, batches and tables of play take from wings, by places: one table for each kind."""

from __future__ import annotations

ESTIMATES: dict[str, str] = {"charts": "poker.pages.estimates:estimate_charts"}
"""For a field of a request whose value has an estimate of its own, the function that returns it."""

GAMES: dict[str, str] = {"spot": "poker.pages.estimates:make_spot"}
"""For a field of a request that holds settings of a game, the function that makes the game of them."""

FACTS: dict[str, str] = {"spot": "poker.pages.estimates:describe_spot"}
"""For such a field, the function that says more of the game; it takes the request as well."""

REPORTS: dict[str, str] = {
    "choices": "poker.boards.aggregate:CHOICES",
    "plan": "poker.boards.aggregate:plan_boards",
    "make": "poker.boards.aggregate:board_report",
}
"""What makes reports over boards: names of sets of boards, the plan of one, and what carries it out."""

MISTAKES: dict[str, str] = {"hands": "poker.pages.hands:find_mistakes"}
"""For a field of the mistakes that a table deals again, the function that returns those made elsewhere.

It takes the workspace, the id of the run and the fields, and returns player, infoset and share lost of each.
"""
