"""What the route of explanations answers, as :mod:`equilibrist.web.answers` says of others."""

from __future__ import annotations

from typing import Any, TypedDict


class Discount(TypedDict):
    """The factors of an iteration on what was summed before it."""

    positive: float
    negative: float
    average: float


class InfosetUpdate(TypedDict):
    """What an iteration did at an infoset, step by step."""

    player: int
    infoset: str
    actions: list[str]
    visited: bool
    strategy: list[float]
    instant_regret: list[float]
    regret_sum_before: list[float]
    regret_sum_discounted: list[float]
    regret_sum: list[float]
    strategy_sum_before: list[float]
    strategy_sum: list[float]
    average_strategy: list[float]
    next_strategy: list[float]


class WalkMove(TypedDict):
    """A move at a history of a walk."""

    action: str
    probability: float
    visited: bool
    value: list[float | None]
    regret: float | None
    cf_regret: float | None


class WalkNode(TypedDict):
    """A history of a walk."""

    history: list[str]
    player: int
    infoset: str | None
    reach: list[float]
    chance_reach: float
    weight: float | None
    value: list[float | None]
    cf_value: float | None
    moves: list[WalkMove]


class ExplainedWalk(TypedDict):
    """The histories that a walk of an iteration visits, for the players that it updates."""

    players: list[int]
    nodes: list[WalkNode]


class StoryStep(TypedDict):
    """A sentence of the story of an iteration."""

    depth: int
    sentence: str
    is_title: bool


class ExplainedIteration(TypedDict):
    """What an iteration of the algorithm of a run did."""

    game: str
    algorithm: str
    sampling: str
    iteration: int
    alternating: bool
    seed: int | None
    deals: list[str]
    players: int
    infosets: int
    discount: Discount
    updates: list[InfosetUpdate]
    walks: list[ExplainedWalk]
    deal: list[str] | None
    notes: list[str]
    lab: dict[str, Any] | None
    story: list[StoryStep]
