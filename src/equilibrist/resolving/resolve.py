"""Re-solve: solve a part of a game again with what a solution brings there, safely where a player is named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from .._util.arrays import Floats, Ints, offsets
from .._util.validate import is_number, is_whole
from ..errors import GameError, SolutionError, nearest
from ..form.cards.build import compile_cards
from ..form.cards.form import CardForm
from ..form.compiled_game import CompiledGame
from ..form.gadget import (
    Boundary,
    Gadget,
    ResolvingMethod,
    find_method,
    make_gadgets,
)
from ..form.sequence.form import SequenceForm
from ..form.sequence.part import SequencePart
from ..form.traits import check_two_ranges
from ..game.locks import AnyLock
from ..games.compile import compile_any
from ..games.load import load
from ..solving.exact import exact
from ..solving.resolved_part import ResolvedPart
from ..solving.save import Save, cut_part_error
from ..solving.solution import Solution
from ..solving.solve import solve
from ..solving.sources import AnyRun, find_game, read_at_slots, read_run
from ..strategy.strategy import Strategy
from .added_actions import adds_actions
from .cards import CardPart, make_part
from .depth import DepthLimit
from .finer import FinerGame, lacks_infosets
from .splice import splice_strategies

_LIMITS = ("iterations", "until", "seconds")
_USUAL = "0.1%"  # of the pot
_ASKED = 1000  # iterations, where a function says what leaves are worth
# of the largest payoff, by which the answer of a linear programme may exceed what hands may get
_EXACT = 1e-10


def resolve(
    run: AnyRun | Strategy,
    line: str = "",
    board: str | Sequence[int] = (),
    *,
    method: str | ResolvingMethod | None = None,
    player: int | None = None,
    game: Any = None,
    trust: bool = False,
    locks: Iterable[AnyLock] | None = None,
    depth: int | str | None = None,
    leaves: Any = None,
    save: str | Path | Save | None = None,
    **options: Any,
) -> Solution:
    """Return the solution of a part of a game, solved again by itself.

    Without a player both are solved again, each with the range that the run brings there
    (``"unsafe"``): to look at a spot, and so that a run can be saved without its last street
    (``save_streets``). With a player, only that one is, and safely: whatever the opponent does,
    also before, the spliced strategy (:func:`equilibrist.splice`) is worth no less than that of the
    run, but for what the certificate of the part says.

    Parameters
    ----------
    run : Solution, path or Strategy
        A run, or the folder where it was saved: the blueprint. Or a strategy: in the sequence form
        any, with its ``game``; in a card form one of all streets, as :func:`equilibrist.splice`
        returns it. A part that lies in one that was solved before is solved with that one spliced
        in.
    line : str
        In a card form the actions before, streets separated by ``|``: ``"X-B120-C | X-X"``. Where
        it ends a street, the next one begins with its cards on the board. In other games the name
        of an infoset of either player at which the part begins, or a pattern of such names, as
        ``equilibrist play --line`` takes it.
    board : str or sequence of int
        All public cards there, ``"QsJh2h7c"``, or those that were dealt since the start; in card
        forms.
    method : Refined, Resolve, MaxMargin, Reach, Unsafe, or one of these as text, optional
        What is minimised (docs/resolving.md); by default ``"refined"`` where there is a player,
        else ``"unsafe"``. As an instance it has its own settings: ``eq.MaxMargin(values=…)``.
    player : {0, 1}, optional
        Who is solved again, where somebody is going to play; the other is the opponent.
    game : optional
        The rules, where the run is a folder or its game has no name, as for
        :func:`equilibrist.load_solution`; or the game compiled by ``eq.compile_game(game,
        keep_tree=True)``, which saves compiling it for each part. Or, for a player, a *finer* game,
        with more actions than that of the run (bet sizes that were not in the tree): the part
        begins where both have it, and the opponent's values are those of the blueprint there.
    trust : bool
        As for :func:`equilibrist.load_solution`.
    locks : sequence of Lock or of mappings, optional
        In card forms, strategies to fix on this line or below, as :class:`equilibrist.Lock` and
        spots have them: lines and boards are those of the whole game. They take the place of the
        game's own locks, which are kept by default; ``[]`` drops these.
    depth : int or str, optional
        Where the part is cut, for a player: after so many actions, 2 or ``"2 actions"``, or where
        chance moves so often after actions, ``"1 street"``. What is below stays as it is. By
        default a part goes on to the end of the game.
    leaves : {"best response", "blueprint"}, :func:`equilibrist.continuations` or callable, optional
        What a part is worth where it is cut. Below, the player goes on as the blueprint does, and
        the opponent as well as possible, which alone is safe (the default, but in card forms, where
        it walks all that is below); as the blueprint does; or in one of some ways, chosen for each
        hand (in card forms the default, four ways). Or it is what a function says
        (docs/resolving.md), by CFR, in sequence forms with 1,000 iterations if nothing else ends
        it.
    save : path or Save, optional
        As for :func:`equilibrist.solve`; the folder also has what the part is a part of.
    **options
        Those of :func:`equilibrist.solve`, such as ``resume``, the folder of the same part. Without
        any limit, card forms stop at ``until="0.1%"`` of the pot there, and other games are solved
        by linear programme.

    Returns
    -------
    Solution
        Of the part as a game of its own, whose ``part`` says what the opponent's hands get. Its
        certificate is that of this game: the unsafe one, in which both come with their ranges, or
        with the opponent's decisions above it, in payoff for a play that comes there, and that is
        what ``until`` counts. In card forms infosets are named by the line from there on, and
        payoffs are counted from there.

    Raises
    ------
    SolutionError
        The run does not have the streets of the line, or never gets there.
    GameError
        There is no such line or board, an infoset lies inside and outside the part, or a lock makes
        no sense there.

    Examples
    --------
    >>> import equilibrist as eq
    >>> turn = "holdem(board='Td9d6hQc', oop='AA,QJs,T8s', ip='KK,JTs,98s', pot=100, stack=200, bets='100%, a; a')"
    >>> solution = eq.solve(turn, iterations=200)
    >>> river = eq.resolve(solution, "X-X", "2s", until="0.5%")
    >>> river.exploitability_percent <= 0.5
    True
    >>> round(sum(river.value))
    100

    Kuhn poker after 10 iterations, with player 1 solved again after a pass:

    >>> blueprint = eq.solve("kuhn", iterations=10)
    >>> part = eq.resolve(blueprint, "Qp", player=1)
    >>> part.part.method, part.part.excess < 1e-9
    ('refined', True)
    """
    resolving_method = _read_method(method, player)
    _check_place(line, player, resolving_method)
    limit = DepthLimit.read(depth, leaves, player)
    check_options(options)
    solution = None
    if isinstance(run, Solution | str | Path):
        solution = read_run(run, game, trust=trust)
    strategy: Strategy = run if solution is None else solution.strategy  # type: ignore[assignment]
    request = _Request(
        strategy,
        solution,
        line,
        board,
        resolving_method,
        player,
        game,
        trust,
        locks,
        limit,
        save,
        options,
    )
    if getattr(strategy, "slots", None) is not None and (solution is not None or game is None):
        return _resolve_card_form(request)
    check_exact_options = not callable(leaves)
    return _resolve_sequence_form(request, check_exact_options)


class _Request(NamedTuple):
    """What is to be solved again, checked as far as the game need not be known.

    Parameters
    ----------
    strategy : Strategy
        The blueprint.
    solution : Solution or None
        The run that it is of.
    line, board, game, trust, locks, save
        As in :func:`resolve`.
    method : ResolvingMethod
        How it is solved.
    player : int or None
        Who is solved again; both where it is None.
    limit : DepthLimit or None
        Where the part is cut.
    options : dict
        Those of :func:`equilibrist.solve`.
    """

    strategy: Strategy
    solution: Solution | None
    line: str
    board: str | Sequence[int]
    method: ResolvingMethod
    player: int | None
    game: Any
    trust: bool
    locks: Iterable[AnyLock] | None
    limit: DepthLimit | None
    save: str | Path | Save | None
    options: dict[str, Any]


def _read_method(method: str | ResolvingMethod | None, player: int | None) -> ResolvingMethod:
    """Return the method, the usual one by default."""
    if method is None:
        method = "unsafe" if player is None else "refined"
    return find_method(method)


def _check_place(line: str, player: int | None, method: ResolvingMethod) -> None:
    """Refuse a line or a player that cannot be, and a method that needs a player where there is none."""
    if player is not None and not is_whole(player, 0, 1):
        raise GameError(f"player must be 0 or 1, or None for both; got {player!r}.", wrong_use=True)
    if not isinstance(line, str):
        raise GameError(
            "line must be a text: the actions before, or outside card forms an infoset; got "
            f"{line!r}.",
            wrong_use=True,
        )
    if player is None and method.is_safe:
        raise GameError(
            f"method={method.name!r} solves one player again, against all that the other can bring: "
            "give player=0 or player=1 (--player).",
            wrong_use=True,
        )


def _resolve_card_form(request: _Request) -> Solution:
    """Return the solution of a part of a card form."""
    strategy = request.strategy
    options = request.options
    assert strategy.slots is not None
    check_two_ranges(strategy.slots.form, "parts that are solved again are")
    is_limited = any(options.get(name) is not None for name in _LIMITS)
    if not is_limited and not getattr(options.get("limits"), "nodes", None):
        options["until"] = _USUAL  # where there is a pot
    if request.limit is None:
        options["save"] = request.save  # on the way
    elif request.save is not None or options.get("resume") is not None:
        raise cut_part_error()
    run = request.solution or strategy
    if request.player is None:
        return _resolve_both_on_cards(run, request.line, request.board, request.locks, options)
    check_zero_sum(strategy.slots.form)
    finer = _finer_card_game(request)
    if request.limit is not None and (finer is not None or request.locks is not None):
        raise GameError(
            f"{'game' if request.locks is None else 'locks'}: in card forms what is below a depth is "
            "played as in the run, which knows of neither more actions nor other locks: leave depth out.",
            wrong_use=True,
        )
    cards = CardPart(
        strategy, request.line, request.board, request.locks, request.player, finer, request.limit
    )
    result = _resolve_on_cards(
        _game_name(run), cards, request.line, request.method, request.player, options
    )
    assert result.part is not None
    record = replace(result.part, is_finer=finer is not None, solved_with=strategy)
    return _save_part(replace(result, part=record), request.save)


def _finer_card_game(request: _Request) -> Any:
    """Return the card game with more actions that was given; None where none was."""
    if request.game is None:
        return None
    assert request.strategy.slots is not None
    game = load(getattr(request.game, "game", request.game), trust=request.trust)
    if adds_actions(request.strategy.slots.form.game, game):
        return game
    return None


def _resolve_sequence_form(request: _Request, is_exact: bool) -> Solution:
    """Return the solution of a part of a sequence form; ``is_exact`` where no limit makes it a linear programme."""
    solution = request.solution
    if solution is None and request.game is None:
        raise GameError("game: the rules are needed beside a strategy; got None.", wrong_use=True)
    if request.board or request.locks:
        raise GameError(
            "board and locks are for card forms; in the sequence form a line is the name of an "
            "infoset: leave them out.",
            wrong_use=True,
        )
    rules = request.game
    if rules is None and solution is not None:
        rules = solution.game
    check_options(request.options, exact=is_exact)
    if request.options:
        request.options["save"] = request.save
    form = _compile_with_tree(rules)
    is_finer = (
        solution is not None
        and request.game is not None
        and request.player is not None
        and lacks_infosets(request.strategy, form)
    )
    if is_finer:
        return _save_part(_resolve_finer_game(request, form), request.save)
    part = SequencePart(form, request.line, request.player or 0)
    result = resolve_in_sequence_form(
        request.strategy,
        part,
        request.line,
        request.method,
        request.player,
        request.options,
        request.limit,
    )
    return _save_part(result, request.save)


def _resolve_finer_game(request: _Request, form: SequenceForm) -> Solution:
    """Return the solution of a part of a game with more actions than that of the run."""
    assert request.solution is not None
    assert request.player is not None
    coarse = _compile_with_tree(find_game(request.solution, trust=request.trust))
    finer = FinerGame(coarse, form)
    part, boundary = finer.part(request.strategy, request.line, request.player)
    finer_strategy = finer.lift(request.strategy)
    result = resolve_in_sequence_form(
        finer_strategy,
        part,
        request.line,
        request.method,
        request.player,
        request.options,
        request.limit,
        boundary,
    )
    assert result.part is not None
    return replace(result, part=replace(result.part, lifted=finer_strategy, is_finer=True))


def _compile_with_tree(game: Any) -> SequenceForm:
    form = compile_any(game, form="sequence", keep_tree=True, check=two_players)
    check_zero_sum(form)
    return cast("SequenceForm", form)


def check_options(options: Mapping[str, Any], *, exact: bool = False) -> None:
    """Refuse options of solve that do nothing for parts; ``exact`` where no limit makes it a linear programme."""
    for name in ("sampling", "concept", "form"):
        if options.get(name) is not None:
            raise GameError(
                f"{name}={options[name]!r} is for whole games: parts are solved as they are "
                "compiled, by full-width "
                "CFR or linear programme, for a Nash equilibrium; leave it out.",
                wrong_use=True,
            )
    idle_option = next((name for name, option in options.items() if option is not None), None)
    if (
        exact
        and idle_option is not None
        and all(options.get(name) is None for name in (*_LIMITS, "limits", "resume"))
    ):
        raise GameError(
            f"{idle_option}={options[idle_option]!r} does nothing for a linear programme, which solves parts "
            "of sequence forms where "
            "there is no limit: give iterations, until or seconds, or leave it out.",
            wrong_use=True,
        )


def _save_part(part: Solution, save: str | Path | Save | None) -> Solution:
    """Save what was solved again once it is known what it is; return it."""
    if save is not None:
        place = save if isinstance(save, Save) else Save(save)
        part.save(place.folder, streets=place.streets)
    return part


def _resolve_both_on_cards(
    run: Solution | Strategy,
    line: str,
    board: str | Sequence[int],
    locks: Iterable[AnyLock] | None,
    options: dict[str, Any],
) -> Solution:
    part, description = make_part(run, line, board, locks=locks)
    form = compile_cards(part).renamed(f"re-solve of {_game_name(run)} {description}")
    return solve(form, **_options_for_pot(form, options))


def _game_name(run: Solution | Strategy) -> str:
    """Return the name of the game of a run, or of a strategy of a card form."""
    if isinstance(run, Solution):
        return run.game
    assert run.form is not None
    return str(run.form.name)


def _options_for_pot(form: CardForm, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a run, without the usual limit where there is no pot to be a share of."""
    if form.pot is None and options.get("until") == _USUAL:
        return {name: option for name, option in options.items() if name != "until"}
    return options


def _resolve_on_cards(
    name: str,
    part: CardPart,
    line: str,
    method: ResolvingMethod,
    player: int,
    options: dict[str, Any],
) -> Solution:
    boundary = part.boundary(gifts=method.takes_gifts)
    hands = part.hands
    target = boundary
    if method.values is not None:
        target = boundary._replace(
            value=boundary.weight * (_hand_values(hands, method.values) - part.shift)
        )
    gadget = make_gadgets(method, target)[0]
    form = replace(part.form, gadget=(1 - player, gadget)).renamed(
        f"re-solve of {name} {part.description}"
    )
    result = solve(form, **_options_for_pot(form, options))
    weights = result.strategy.slots.weights  # type: ignore[union-attr]
    continued_strategy = part.continue_below(weights) if part.is_cut else None
    slots = (continued_strategy or result.strategy).slots
    assert slots is not None
    hand_value = part.values(slots.form, slots.weights)
    record = _describe_part(
        method.name, (player,), line, part.cards, hands, boundary, gadget, hand_value, part.scale
    )
    if continued_strategy is not None:
        return replace(result, part=replace(record, continued=continued_strategy), state={})
    return replace(result, part=replace(record, rules=part.rules(gadget)))


def _describe_part(
    method: str,
    players: tuple[int, ...],
    line: str,
    board: tuple[int, ...],
    hands: tuple[str, ...],
    boundary: Boundary,
    gadget: Gadget,
    hand_value: Floats,
    scale: float = 1.0,
) -> ResolvedPart:
    """Return what is said of a part: ``hand_value`` is what hands get, ``scale`` makes it probabilities of all."""
    is_met = boundary.weight > 0
    return ResolvedPart(
        method=method,
        players=players,
        line=line,
        board=board,
        hands=tuple(hand for hand, meets in zip(hands, is_met.tolist(), strict=True) if meets),
        blueprint=boundary.value[is_met] * scale,
        allowed=gadget.value[is_met] * scale,
        value=hand_value[is_met] * scale,
        weight=boundary.weight[is_met] * scale,
    )


def check_zero_sum(form: CompiledGame) -> None:
    """Refuse games whose payoffs do not sum to a constant."""
    if not form.zero_sum:
        raise GameError(
            f"Parts of zero-sum games are solved again for a player; {form.name} is general-sum, "
            "as with a rake or prizes: leave player out, or those.",
            wrong_use=True,
        )


def two_players(form: Any, name: str, players: int) -> None:
    """Refuse games of other than two players, before anything is compiled."""
    if players != 2:
        raise GameError(
            f"Parts of two-player games are solved again; {name} has {players} players.",
            wrong_use=True,
        )


def _hand_values(hands: tuple[str, ...], values: Mapping[str, float]) -> Floats:
    """Return the value of each hand, of which the mapping must have all."""
    if not isinstance(values, Mapping) or not all(map(is_number, values.values())):
        raise GameError(
            f"values must be a payoff for each hand, such as {{{hands[0]!r}: 0.5}}; got "
            f"{values!r}.",
            wrong_use=True,
        )
    for hand in values:
        if hand not in hands:
            raise GameError(
                f"values: the opponent has no hand {hand!r} there.{nearest(hand, hands)}",
                wrong_use=True,
            )
    missing_hand = next((hand for hand in hands if hand not in values), None)
    if missing_hand is not None:
        raise GameError(
            f"values has nothing for the hand {missing_hand!r}; give all of them, or none.",
            wrong_use=True,
        )
    return np.array([float(values[hand]) for hand in hands])


def resolve_in_sequence_form(
    blueprint: Strategy,
    part: SequencePart,
    line: str,
    method: ResolvingMethod,
    player: int | None,
    options: dict[str, Any],
    limit: DepthLimit | None = None,
    boundary: Boundary | None = None,
) -> Solution:
    """Return the solution of a part of a sequence form, as :func:`resolve` does; ``line`` is what messages call it.

    ``boundary`` is what the opponent's hands bring, if not what follows from the blueprint.
    """
    strategy = read_at_slots(blueprint, part.form)
    boundary = boundary or part.boundary(strategy)
    hands = part.hands
    if not boundary.weight.any():
        raise SolutionError(
            f"Player {part.player} never gets to {line!r} with this strategy of "
            f"{part.form.name}: there is nothing to solve again.",
            wrong_use=True,
        )
    target = boundary
    if method.values is not None:
        target = boundary._replace(value=boundary.weight * _hand_values(hands, method.values))
    ends = None if limit is None else limit.ends(part, strategy)
    if (
        ends is not None
        and ends.below is not None
        and not any(options.get(name) is not None for name in _LIMITS)
    ):
        options = {**options, "iterations": _ASKED}
    players = (0, 1) if player is None else (player,)
    gadgets = make_gadgets(method, target)
    for gadget in gadgets[:1] if options else gadgets:
        game = part.game(strategy, gadget, f"re-solve of {part.form.name} at {line}", ends)
        result = solve(game, **options) if options else exact(game)
        # Both are solved again: neither is the opponent, whose hands would be held to anything.
        if player is None:
            return replace(result, part=ResolvedPart(method.name, players, line))
        # With these hands the player never comes, so that the game above says nothing of them.
        rows = _strategy_rows(part, strategy, part.find_unreached(strategy))
        result = replace(result, strategy=_replace_rows(result.strategy, player, rows))
        spliced_strategy = read_at_slots(
            splice_strategies(blueprint, [(result.strategy, players)]), part.form
        )
        # As far as the part goes.
        excess = np.maximum(part.values(spliced_strategy, ends) - gadget.value, 0.0).sum()
        if excess <= _EXACT * part.form.largest_payoff:
            break
    hand_value = part.values(spliced_strategy)
    record = _describe_part(method.name, players, line, (), hands, boundary, gadget, hand_value)
    rows_above = _strategy_rows(part, strategy, part.own_infosets_above)
    rows_below = _strategy_rows(part, strategy, part.own_infosets)
    return replace(result, part=replace(record, above=rows_above, below=rows_below))


def _strategy_rows(
    part: SequencePart, strategy: Floats, infosets: Ints
) -> dict[str, dict[str, float]]:
    """Return what a strategy at the slots of the whole does at some infosets, by their names and those of actions."""
    form = part.form
    probabilities = strategy[form.slot]
    rows = {}
    for i in infosets.tolist():
        row = probabilities[form.first_action[i] : form.first_action[i + 1]]
        rows[form.infosets[i].key] = dict(zip(form.infosets[i].actions, row.tolist(), strict=True))
    return rows


def _replace_rows(
    strategy: Strategy, player: int, rows: Mapping[str, Mapping[str, float]]
) -> Strategy:
    """Return a strategy with other rows at some infosets of a player."""
    if not rows:
        return strategy
    probabilities = strategy.probabilities.copy()
    first_action = offsets(strategy.infosets.num_actions)
    for i, (owner, key, actions) in enumerate(strategy.infosets):
        if owner == player and key in rows:
            probabilities[first_action[i] : first_action[i + 1]] = [
                rows[key][action] for action in actions
            ]
    return Strategy(strategy.infosets, probabilities)
