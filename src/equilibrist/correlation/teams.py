"""Equilibria of two teams whose partners agree beforehand on what each will do, and cannot talk during the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from .._util.arrays import Floats
from .._util.callbacks import AnyCallbacks, stage_listener
from .._util.display import Display
from ..errors import GameError, LinearProgramError
from ..evaluation.teams import partition
from ..form.limits import Limits, compile_budget
from ..game.protocol import Game
from ..games.load import load
from .plans import (
    Plan,
    Say,
    SequenceGame,
    find_best_plans,
    holds_products,
    improve_plans,
    plan_actions,
    sequence_game,
)
from .programmes import solve_programme

_TOLERANCE = 1e-9  # of the largest payoff
_ROUNDS = 10_000
_STARTS = 5  # of the search for a better plan

NamedPlan = dict[tuple[int, str], str]
"""The action of each partner at each infoset that the plan comes to, by (player, infoset)."""


@dataclass(frozen=True, slots=True)
class TeamEquilibrium(Display):
    """What :func:`team_equilibrium` returns; payoff per game.

    Attributes
    ----------
    game : str
        Name of the game.
    teams : tuple of tuples of int
        The partners of either team.
    value : float
        What the first team earns.
    best_response_value : tuple of float
        What each team earns with its best response to the other's mixture: no plan earns more.
    payoff_sum : float
        What both teams earn together in each play: 0 where the game is zero-sum.
    plans : tuple of lists of (probability, plan)
        For each team the plans that it draws from, the most probable first.
    """

    game: str
    teams: tuple[tuple[int, ...], ...]
    value: float
    best_response_value: tuple[float, float]
    payoff_sum: float
    plans: tuple[list[tuple[float, NamedPlan]], ...]

    @property
    def gap(self) -> float:
        """What both teams together gain by best responses: 0 in an equilibrium, up to rounding."""
        return sum(self.best_response_value) - self.payoff_sum

    def summary(self) -> dict[str, Any]:
        """Return everything as plain data for JSON."""
        texts = [
            [
                [probability, {f"{player} {key}": action for (player, key), action in plan.items()}]
                for probability, plan in drawn
            ]
            for drawn in self.plans
        ]
        return {**asdict(self), "plans": texts, "gap": self.gap}


def team_equilibrium(
    game: str | Game,
    teams: str | Sequence[Sequence[int]],
    *,
    limits: Limits | None = None,
    callbacks: AnyCallbacks = None,
) -> TeamEquilibrium:
    """Return an equilibrium of two teams, each of which draws a plan for all partners before the game (TMECor).

    Partners who see different things are not one player with perfect recall: their best response is
    a mixed-integer programme. Plans are added to both sides, each the best response to the other's
    mixture, until none gains: then the matrix of the plans that are there has the value of the game
    (double oracle).

    Parameters
    ----------
    game : Game or str
        Anything that :func:`load` takes; payoffs sum to the same at each leaf.
    teams : str or sequence of sequences of int
        The players of either team: ``"0,1/2"`` or ``[[0, 1], [2]]``.
    limits : Limits, optional
        Where to give up, as for :func:`compile_game`.
    callbacks : Callbacks, callable or several, optional
        Called with a short text when a long stage begins, and now and then on the way (``on_stage``).

    Raises
    ------
    GameError
        The game cannot be found, is too large or is not constant-sum, or the teams are not two that
        hold each player once.
    LinearProgramError
        HiGHS found no optimum.

    References
    ----------
    Celli & Gatti 2018, "Computational results for extensive-form adversarial team games"; McMahan,
    Gordon & Blum 2003, "Planning in the presence of cost functions controlled by an adversary".

    Examples
    --------
    >>> import equilibrist as eq
    >>> round(eq.team_equilibrium("kuhn", "0/1").value, 9)  # teams of one: the value of the game
    -0.055555556
    """
    on_stage = stage_listener(callbacks, "team_equilibrium")
    sequences = sequence_game(load(game), compile_budget(limits, "team_equilibrium"))
    sides = partition(sequences.name, sequences.players, teams)
    if len(sides) != 2:
        raise GameError(
            f"{sequences.name}: teams must be two, as '0,1/2' are; got {teams!r}.", wrong_use=True
        )
    unit = float(sequences.units.max())
    scaled = sequences.in_units(np.full(sequences.players, unit))
    total = scaled.payoffs.sum(axis=1)
    if np.ptp(total) > _TOLERANCE * float(np.abs(scaled.payoffs).max(initial=0.0)):
        raise GameError(
            f"{sequences.name}: teams need payoffs with the same sum at each end of the game.",
            wrong_use=True,
        )
    equilibrium = _DoubleOracle(scaled, sides, on_stage or (lambda text: None)).solve()
    first, second = equilibrium.best_response_value
    return replace(
        equilibrium,
        value=equilibrium.value * unit,
        best_response_value=(first * unit, second * unit),
        payoff_sum=equilibrium.payoff_sum * unit,
    )


class _DoubleOracle:
    """The plans of both teams so far, and the payoff of the first team for each pair of them; payoffs of about 1."""

    def __init__(self, game: SequenceGame, teams: tuple[tuple[int, ...], ...], say: Say) -> None:
        self.game = game
        self.teams = teams
        self.say = say
        self.constant = float(game.payoffs[0].sum())
        self.tolerance = _TOLERANCE * float(np.abs(game.payoffs).max(initial=0.0))
        # of each team: what it earns at each leaf, × chance; the leaves with its own sequences
        # alone; its plans; and the leaves that each of these does not rule out, as rows of 0 and 1
        self.weights = [game.payoffs[:, team].sum(axis=1) * game.chance for team in teams]
        self.products = [
            np.where(np.isin(range(game.players), team), game.leaves, 0) for team in teams
        ]
        self.plans: list[list[Plan]] = [[], []]
        self.allowed: list[list[Floats]] = [[], []]
        for side, team in enumerate(teams):
            self._add(side, game.best_plan(team, np.zeros(game.first[-1]))[1])

    def solve(self) -> TeamEquilibrium:
        """Add best responses until neither gains."""
        for _ in range(_ROUNDS):
            mixtures, value = self._solve_matrix_game()
            earned = (value, self.constant - value)
            responses = [
                self._find_response(side, mixtures[1 - side], earned[side]) for side in range(2)
            ]
            gains = [
                worth - value_before
                for (worth, _), value_before in zip(responses, earned, strict=True)
            ]
            if max(gains) <= self.tolerance:
                best = (responses[0][0], responses[1][0])
                plans = tuple(self._plans_with_shares(side, mixtures[side]) for side in range(2))
                return TeamEquilibrium(
                    self.game.name, self.teams, value, best, self.constant, plans
                )
            for side in range(2):
                if gains[side] > self.tolerance:
                    self._add(side, responses[side][1])
            counts = " and ".join(f"{len(plans):,}" for plans in self.plans)
            self.say(f"Adding best responses: {counts} plans, which gain {max(gains):.3g}")
        raise LinearProgramError(
            f"{self.game.name}: the teams found no equilibrium within {_ROUNDS:,} rounds."
        )

    def _add(self, side: int, plan: Plan) -> None:
        self.plans[side].append(plan)
        self.allowed[side].append(holds_products(plan, self.products[side]).astype(float))

    def _solve_matrix_game(self) -> tuple[list[Floats], float]:
        """Return the equilibrium of the plans that are there, and what it earns the first team."""
        first, second = map(np.array, self.allowed)
        payoff = first @ (self.weights[0][:, None] * second.T)
        rows, columns = payoff.shape
        upper = np.hstack([-payoff.T, np.ones((columns, 1))])
        equal = np.append(np.ones(rows), 0.0)[None]
        bounds = [(0, None)] * rows + [(None, None)]
        cost = np.append(np.zeros(rows), -1.0)
        result = solve_programme(
            self.game.name, cost, upper, np.zeros(columns), equal, [1.0], bounds
        )
        mixtures = [np.maximum(result.x[:rows], 0.0), np.maximum(-result.ineqlin.marginals, 0.0)]
        mixtures = [mixture / mixture.sum() for mixture in mixtures]
        return mixtures, float(mixtures[0] @ payoff @ mixtures[1])

    def _find_response(self, side: int, mixture: Floats, earned: float) -> tuple[float, Plan]:
        """Return a better plan against a mixture of the other team; the best one where none is found at once."""
        products = self.products[side]
        team = self.teams[side]
        weights = self.weights[side] * (mixture @ np.array(self.allowed[1 - side]))
        for start in self.plans[side][-_STARTS:]:
            worth, plan = improve_plans(self.game, products, weights, team, start)
            if worth > earned + 10 * self.tolerance:
                return worth, plan
        return find_best_plans(self.game, products, weights, team)

    def _plans_with_shares(self, side: int, mixture: Floats) -> list[tuple[float, NamedPlan]]:
        by_share = sorted(
            zip(mixture.tolist(), self.plans[side], strict=True), key=lambda pair: -pair[0]
        )
        return [
            (
                share,
                {(player, key): action for player, key, action in plan_actions(self.game, plan)},
            )
            for share, plan in by_share
            if share > 1e-12
        ]
