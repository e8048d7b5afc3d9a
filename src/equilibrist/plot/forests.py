"""Pictures of trees: that of a game's histories, and that of each player's infosets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from .._util.arrays import offsets
from .._util.validate import is_whole
from ..errors import GameError, GameTooLargeError, SolutionError
from ..form.compiled_game import CompiledGame, is_compiled
from ..form.limits import Limits, check_limits
from ..form.sequence.tree import NO_INFOSET, ROOT, GameTree
from ..game.protocol import CHANCE, TERMINAL, action_label
from ..game.unfold import to_extensive_form
from ..games.compile import Playable, compile_any
from ..games.load import load
from ..show.numbers import format_probability
from ..solving.sources import AnySource, read_at_slots
from ..strategy.order import reading_order
from .branches import Branch, draw_branches
from .style import Theme, brief, use_theme

_COLOURS = 6  # of infosets: those of a theme but black and grey
_MOST_DRAWN = 300  # histories of a picture
_MOST_COMPILED = 200_000  # histories that are compiled to see how large a game is


def tree(
    game: Playable,
    strategy: AnySource | None = None,
    *,
    limits: Limits | None = None,
    theme: str = "light",
) -> Figure:
    """Return the picture of a game: every history, payoffs at the ends, the infosets of a column told apart by colour.

    Parameters
    ----------
    game : str, Game, PublicGame or CompiledGame
        As for :func:`equilibrist.load`, or compiled with ``keep_tree=True``.
    strategy : Solution, Strategy or mapping, optional
        Probabilities to write at the moves of the players; lines are the wider the more often they
        are played.
    limits : Limits, optional
        A game of more histories is refused, as nobody could read it: by default of more than 300.
    theme : {"light", "dark"}
        The colours.

    Raises
    ------
    GameError
        The game cannot be found, is not well formed, or is too large.
    SolutionError
        The strategy does not fit the game.

    Notes
    -----
    Of a two-player zero-sum game the payoff of player 0 stands at the ends, else those of all
    players.

    Examples
    --------
    >>> import equilibrist as eq
    >>> figure = eq.plot.tree("kuhn", eq.solve("kuhn", until=1e-4))
    >>> eq.plot.tree("leduc")
    Traceback (most recent call last):
    equilibrist.errors.GameError: leduc has 1,939 histories, too many for a picture of 300. Draw its infosets ...
    """
    form, rules = _load_game(game, check_limits(limits, "tree"))
    histories = form.tree
    if histories is None:
        raise GameError(
            f"{form.name} was compiled without its tree: give the game, or keep_tree=True.",
            wrong_use=True,
        )
    if strategy is None:
        strategy_at_slots = None
    else:
        strategy_at_slots = read_at_slots(strategy, form)[form.slot]
    with use_theme(theme) as palette:
        branches, infosets_per_depth = _history_branches(
            form, histories, rules, strategy_at_slots, palette
        )
        if infosets_per_depth <= _COLOURS:
            colours = "in each column one colour: one infoset"
        else:
            colours = "one name: one infoset; colours repeat"
        if form.players == 2 and form.payoff_sum == 0:
            earner = "player 0"
        else:
            earner = "each player"
        note = f"{colours}; at the ends the payoff of {earner}"
        return draw_branches(
            [branches], [""], f"{brief(form.name, 60)}: the game tree", note, palette
        )


def _load_game(game: Playable, limits: Limits) -> tuple[CompiledGame, Any]:
    """Return a game with its tree, and its rules where there are some; refuse one of too many histories."""
    max_histories = limits.histories or _MOST_DRAWN
    limit = max(_MOST_COMPILED, max_histories)
    budget = limits.of_compiling()._replace(max_histories=limit)
    rules = game if is_compiled(game) else to_extensive_form(load(game))
    try:
        form = compile_any(rules, form="sequence", keep_tree=True, limits=budget)
    except GameTooLargeError:
        raise _size_error(str(rules), f"more than {limit:,}", max_histories) from None
    if form.histories > max_histories:
        raise _size_error(form.name, f"{form.histories:,}", max_histories)
    return form, None if form is rules else rules


def _size_error(name: str, count: str, max_histories: int) -> GameError:
    return GameError(
        f"{name} has {count} histories, too many for a picture of {max_histories:,}. Draw its infosets "
        "(plot.infosets, --kind "
        "infosets), a smaller game, or raise Limits(histories=).",
        wrong_use=True,
    )


def _history_branches(
    form: CompiledGame, histories: GameTree, rules: Any, strategy_at_slots: Any, palette: Theme
) -> tuple[list[Branch], int]:
    """Return a branch for each history, and the largest number of infosets at one depth."""
    labels = _move_names(histories, rules)
    first_action = offsets(form.infosets.num_actions)
    payoff = dict(zip(histories.leaf.tolist(), histories.payoffs.tolist(), strict=True))
    reach = np.ones(histories.histories)
    depth = np.zeros(histories.histories, np.int64)
    columns: dict[int, dict[int, int]] = {}  # of each depth: its infosets, numbered
    branches = []
    for h in range(histories.histories):
        parent_history = int(histories.parent[h])
        player_number = int(histories.player[h])
        infoset = int(histories.infoset[h])
        label = labels[h]
        share = None
        if h != ROOT:
            depth[h] = depth[parent_history] + 1
            mover = int(histories.player[parent_history])
            if mover == CHANCE:
                share = float(histories.probability[h])
            elif strategy_at_slots is not None:
                share = float(
                    strategy_at_slots[
                        first_action[histories.infoset[parent_history]]
                        + h
                        - int(histories.first_child[parent_history])
                    ]
                )
            reach[h] = reach[parent_history] * (1.0 if share is None else share)
            label += "" if share is None else f" {format_probability(share)}"
        column = columns.setdefault(int(depth[h]), {})
        if infoset == NO_INFOSET:
            number = 0
        else:
            number = column.setdefault(infoset, len(column))
        branches.append(
            Branch(
                parent=-1 if h == ROOT else parent_history,
                text=label.strip(),
                reach=float(reach[h]) if strategy_at_slots is not None else None,
                player=player_number if player_number >= 0 else None,
                name=form.infosets[infoset].key if infoset != NO_INFOSET else "",
                chance=player_number == CHANCE,
                end=_payoff_text(payoff[h], form) if player_number == TERMINAL else "",
                colour=None if infoset == NO_INFOSET else palette.colours[number % _COLOURS],
            )
        )
    return branches, max(map(len, columns.values()))


def _payoff_text(payoffs: Sequence[float], form: CompiledGame) -> str:
    """Return the payoffs at an end: of a zero-sum game of two players that of player 0."""
    if form.players == 2 and form.payoff_sum == 0:
        payoffs_in_text = payoffs[:1]
    else:
        payoffs_in_text = payoffs
    return ", ".join(f"{payoff:+.4g}" if payoff else "0" for payoff in payoffs_in_text).replace(
        "-", "−"
    )


def _move_names(histories: GameTree, rules: Any) -> list[str]:
    """Return the name of the move that leads to each history; without rules chance has no words for its moves."""
    names = [""] * histories.histories
    states: dict[int, Any] = {} if rules is None else {ROOT: rules.start()}
    for h in range(histories.histories):
        children = range(
            int(histories.first_child[h]),
            int(histories.first_child[h]) + int(histories.num_children[h]),
        )
        if rules is not None:
            for child, action in zip(
                children, rules.actions(states[h]) if children else (), strict=True
            ):
                names[child] = action_label(rules, states[h], action)
                states[child] = rules.next(states[h], action)
        elif histories.player[h] >= 0:
            for child, name in zip(
                children, histories.infosets[int(histories.infoset[h])].actions, strict=True
            ):
                names[child] = name
    return names


def infosets(
    game: Playable,
    strategy: AnySource | None = None,
    *,
    player: int | None = None,
    max_infosets: int = 150,
    theme: str = "light",
) -> Figure:
    """Return the picture of what players know: which infosets follow which own moves, with the strategy on the lines.

    Parameters
    ----------
    game : str, Game, PublicGame or CompiledGame
        As for :func:`equilibrist.load`, or compiled already.
    strategy : Solution, Strategy or mapping, optional
        Probabilities to write at the actions; lines are the wider the more of them the player
        plays.
    player : int, optional
        Whose infosets; by default everybody's, side by side.
    max_infosets : int
        More infosets of a player than this are refused, as nobody could read them.
    theme : {"light", "dark"}
        The colours.

    Raises
    ------
    GameError
        The game cannot be found, is not well formed, or is too large; or there is no such player.
    SolutionError
        The strategy does not fit the game.

    Examples
    --------
    >>> import equilibrist as eq
    >>> figure = eq.plot.infosets("kuhn", eq.solve("kuhn", until=1e-4), player=0)
    """
    form = compile_any(game, form="sequence")
    if player is not None and not (is_whole(player, 0) and player < form.players):
        raise GameError(
            f"{form.name} has players 0 to {form.players - 1}; got player={player!r}.",
            wrong_use=True,
        )
    if not is_whole(max_infosets, 1):
        raise SolutionError(
            f"max_infosets must be a whole number, 1 or more; got {max_infosets!r}.", wrong_use=True
        )
    players = list(range(form.players)) if player is None else [player]
    for owner in players:
        count = int((form.infosets.owner == owner).sum())
        if count > max_infosets:
            raise GameError(
                f"Player {owner} of {form.name} has {count:,} infosets, too many for a picture "
                f"of {max_infosets:,}. Draw the strategy (plot.strategy, --kind strategy), a "
                "smaller game, or raise max_infosets.",
                wrong_use=True,
            )
    if strategy is None:
        strategy_at_slots = None
    else:
        strategy_at_slots = read_at_slots(strategy, form)[form.slot]
    with use_theme(theme) as palette:
        forests = [
            _infoset_branches(form, owner, strategy_at_slots, palette.colour(owner))
            for owner in players
        ]
        note = "from left to right: what a player knows, does, and may know next"
        title = f"{brief(form.name, 60)}: infosets"
        return draw_branches(
            forests, [f"player {owner}" for owner in players], title, note, palette
        )


def _infoset_branches(
    form: CompiledGame, player: int, strategy_at_slots: Any, colour: str
) -> list[Branch]:
    """Return a branch for the start, for each infoset of a player, and for each of their actions."""
    parent_infosets = form.parents(np.arange(form.num_infosets))
    first_action = offsets(form.infosets.num_actions)
    branches = [Branch(parent=-1, text="", reach=None if strategy_at_slots is None else 1.0)]
    place: dict[int, int] = {-1: 0}  # of each action, by its number among all; -1 is the start
    numbers = np.flatnonzero(form.infosets.owner == player).tolist()
    player_infosets = [form.infosets[index] for index in numbers]
    for index, (_, key, actions) in (
        (numbers[i], player_infosets[i]) for i in reading_order(player_infosets)
    ):
        parent = place[int(parent_infosets[index])]
        reach = branches[parent].reach  # the own one, which the line to the infoset does not show
        branches.append(Branch(parent=parent, text="", player=player, name=key, colour=colour))
        node = len(branches) - 1
        for number, action in enumerate(actions):
            if strategy_at_slots is None:
                share = None
            else:
                share = float(strategy_at_slots[first_action[index] + number])
            if share is None:
                text = action
            else:
                text = f"{action} {format_probability(share)}"
            if share is None or reach is None:
                product = None
            else:
                product = reach * share
            place[int(first_action[index]) + number] = len(branches)
            branches.append(Branch(parent=node, text=text, reach=product))
    return branches
