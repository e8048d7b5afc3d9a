"""Nodes touched: one unit for every form, turns and sampling, against a recursion that counts its visits."""

from dataclasses import replace

import pytest

import equilibrist as eq
from equilibrist.game.protocol import CHANCE
from equilibrist.mccfr.sampling import Full, find_sampling
from equilibrist.solving.config import SolveConfig
from equilibrist.solving.solvers import make_solver
from support.random_games import RandomGame
from support.reference import unfold
from support.solvers import variant

FULL = [
    ("kuhn", "sequence"),
    ("kuhn", "public"),
    ("leduc", "public"),
    ("kuhn(players=3)", "sequence"),
]
FULL += [("liars_dice(dice=(2, 1), faces=2)", form) for form in ("sequence", "public")]


def visits(node, player, strategy, *, chance="all", others="all", own="all"):
    """Return how many histories a traversal for a player visits from one on: the mean where moves are drawn.

    ``"all"`` moves are followed, ``"played"`` ones where their probability is not 0, or ``"one"`` is drawn.
    """
    if not node.children:
        return 1
    follow = chance if node.player == CHANCE else own if node.player == player else others
    below = [
        visits(child, player, strategy, chance=chance, others=others, own=own)
        for child in node.children.values()
    ]
    if follow == "all":
        return 1 + sum(below)
    mix = strategy.get(node.key)
    shares = node.probabilities if mix is None else [mix[action] for action in node.children]
    if follow == "played":
        return 1 + sum(count for count, share in zip(below, shares, strict=True) if share > 0)
    return 1 + sum(count * share for count, share in zip(below, shares, strict=True))


@pytest.mark.thinned(12)
@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize(("game", "form"), FULL)
def test_a_full_iteration_counts_every_history_once_a_player(game, form, alternating):
    rules = eq.load(game)
    counted = sum(visits(unfold(rules), player, {}) for player in range(rules.players))
    solution = eq.solve(game, f"cfr(alternating={alternating})", form=form, iterations=3)
    assert solution.nodes_touched == 3 * counted
    assert solution.histories * rules.players == counted
    assert (
        eq.solve(
            game, f"cfr(alternating={alternating})", form=form, limits=eq.Limits(nodes=3 * counted)
        ).iterations
        == 3
    )


def current(solver):
    """Return the strategy that the next iteration plays, as {(player, infoset): {action: probability}}."""
    probabilities = iter(solver.strategy_at(solver.action_slots()).tolist())
    return {
        (i.player, i.key): {action: next(probabilities) for action in i.actions}
        for i in solver.form.infosets
    }


@pytest.mark.thinned(14)
@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize(
    ("game", "form"),
    [
        *(
            (game, "sequence")
            for game in ("kuhn", "leduc(ranks=2)", RandomGame(11, depth=5), RandomGame(3, depth=4))
        ),
        *(
            (game, "public")
            for game in ("kuhn", "leduc(ranks=2)", "liars_dice(dice=(2, 1), faces=2)")
        ),
    ],
    ids=str,
)
def test_pruning_counts_what_it_visits(game, form, alternating):
    """Player by player: those before have updated already where updates alternate."""
    rules = eq.load(game)
    config = SolveConfig(
        algorithm=variant("cfr", alternating=alternating),
        sampling=Full(pruning="zero-reach"),
        precision="float64",
    )
    compiled = (
        eq.compile_public(rules.public_states())
        if form == "public"
        else eq.compile_game(rules, keep_tree=True)
    )
    solver = make_solver(compiled, config)
    root, counted = unfold(rules), 0
    for _ in range(25):
        old = current(solver)
        solver.run(1)
        new = current(solver)
        for player in range(rules.players):
            mixed = {key: (new if alternating and key[0] < player else old)[key] for key in old}
            counted += visits(root, player, mixed, chance="played", others="played")
        assert solver.nodes_touched == counted
    assert counted < solver.iteration * rules.players * solver.form.histories


DRAWN = [
    ("chance", {"chance": "one"}),
    ("external", {"chance": "one", "others": "one"}),
    ("outcome(epsilon=1.0)", {"chance": "one", "others": "one", "own": "one"}),
]


@pytest.mark.thinned(42)
@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize(("sampling", "follows"), DRAWN)
@pytest.mark.parametrize(("game", "form"), FULL)
def test_samples_count_what_they_visit(game, form, sampling, follows, alternating):
    """One iteration of many traversals: the mean of what they visit."""
    rules, traversals = eq.load(game), 12_000
    scheme = replace(find_sampling(sampling), batch=traversals)
    config = SolveConfig(algorithm=variant("cfr", alternating=alternating), sampling=scheme, seed=1)
    compiled = (
        eq.compile_public(rules.public_states())
        if form == "public"
        else eq.compile_game(rules, keep_tree=True)
    )
    solver = make_solver(compiled, config)
    old = current(solver)
    solver.run(1)
    new, root, wanted = current(solver), unfold(rules), 0
    for player in range(rules.players):
        wanted += visits(
            root,
            player,
            {k: (new if alternating and k[0] < player else old)[k] for k in old},
            **follows,
        )
    assert solver.nodes_touched / traversals == pytest.approx(wanted, rel=0.03)
