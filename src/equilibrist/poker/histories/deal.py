"""A solution of hold'em or Omaha that plays itself, and the histories of its hands."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..._util.callbacks import AnyCallbacks, stage_listener
from ..._util.files import check_path, explain_write_errors, whole_file
from ..._util.recent import Recent
from ..._util.validate import is_whole
from ...errors import AlgorithmError, GameError, nearest
from ...form.limits import CompileBudget
from ...game.protocol import CHANCE
from ...games.load import Trust
from ...play.dealing import HandInPlay, follow_strategy, make_draw
from ...play.hand import Move, write_line
from ...play.playable import compile_playable
from ...play.session import choose_seed
from ...solving.solution import Solution
from ...solving.sources import AnyRun, read_run
from ..cards.cards import parse_cards
from ..spot.betting_tree import PLAYERS
from ..spot.lines import split_line, streets_over
from .hand import Action, Deal, PlayedHand
from .phh import write_phh
from .pokerstars import write_pokerstars
from .runs import make_opponent

DEFAULT_HANDS = 10_000
FORMATS: dict[str, Callable[[PlayedHand, Sequence[int], Sequence[float]], str]] = {
    "phh": write_phh,
    "pokerstars": write_pokerstars,
}
"""How histories may be written."""
_REPORT_EVERY = 250  # hands
_LEAST_BLIND = 0.02
_ROUNDING = 1e-6  # cents
_MOVES_KEPT = 100_000


def write_hands(
    run: AnyRun,
    path: str | Path,
    *,
    hands: int = DEFAULT_HANDS,
    format: str = "phh",
    seed: int | None = None,
    game: Any = None,
    trust: Trust = False,
    callbacks: AnyCallbacks = None,
) -> int:
    """Have the solution of a spot of hold'em or Omaha play itself, and write the hands as histories that trackers read.

    Parameters
    ----------
    run : Solution or path
        The solution, or the folder in which it was saved.
    path : path
        The file to write, which appears whole or not at all.
    hands : int
        How many hands; 1 or more.
    format : {"phh", "pokerstars"}
        Poker Hand History, a file of many hands (``.phhs``), with the cards of both players; or the
        text of PokerStars, with the cards of OOP and those that are shown.
    seed : int, optional
        Decides the hands; drawn where it is not given.
    game, trust : optional
        As for :func:`equilibrist.load_solution`.
    callbacks : Callbacks, callable or several, optional
        Called with a short text when a long stage begins, and now and then on the way (``on_stage``).

    Returns
    -------
    int
        The seed.

    Raises
    ------
    GameError
        The format cannot tell the amounts of the spot, or the spot is one of Omaha without the
        limit of the pot.
    SolutionError
        There is no such run, it is none of a whole spot of hold'em or Omaha, or the file cannot be
        written.
    AlgorithmError
        The number of hands, the format or the seed makes no sense.

    Notes
    -----
    Histories begin before the flop. The spot does not, so that hands come to it in the shortest
    way: IP, on the button, raises to half of the pot, OOP, in the big blind, calls, and both check
    until the street on which the spot begins. The big blind is the least bet of the spot. In Omaha
    the limit of the pot holds there as well: IP and OOP raise each other in turn, each time by the
    same factor, until half of the pot is in.

    Examples
    --------
    >>> import equilibrist as eq, pathlib, tempfile
    >>> spot = "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a')"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "hands.phhs")
    ...     seed = eq.poker.write_hands(eq.solve(spot, until=1e-4), path, hands=3, seed=1)
    ...     print(path.read_text().splitlines()[1:5])
    ['variant = "NT"', 'antes = [0.0, 0.0]', 'blinds_or_straddles = [0.5, 1.0]', 'min_bet = 1.0']
    """
    on_stage = stage_listener(callbacks, "write_hands")
    if not is_whole(hands, 1):
        raise AlgorithmError(f"hands must be a whole number, 1 or more; got {hands!r}.")
    if format not in FORMATS:
        raise AlgorithmError(
            f"format must be {' or '.join(FORMATS)}; got {format!r}.{nearest(str(format), FORMATS)}"
        )
    used_seed = choose_seed(seed)
    target = check_path(path)
    dealer = Dealer(read_run(run, game, trust=trust))
    with explain_write_errors(target), whole_file(target) as file:
        for count in range(1, hands + 1):
            file.write(FORMATS[format](*dealer.deal(used_seed, count)).encode())
            if on_stage is not None and count % _REPORT_EVERY == 0:
                on_stage(f"Dealing: {count:,} of {hands:,} hands")
    return used_seed


class Dealer:
    """Hands of a spot that a solution plays against itself."""

    def __init__(self, solution: Solution) -> None:
        self._opponent = make_opponent(solution.game, solution)
        self._game = self._opponent.spot.game
        if not self._game.settings.get("pot_limit", True):
            raise GameError(
                "Histories of Omaha are of pot-limit games, and this spot has no such limit "
                "(pot_limit=False); solve it with the limit.",
                wrong_use=True,
            )
        if not self._game.in_chips:
            raise GameError(
                "Histories tell chips, and this spot pays prizes; solve it without prizes.",
                wrong_use=True,
            )
        self._board = parse_cards(self._game.settings["board"])
        game: Any = self._game
        limits = CompileBudget()
        self._playable = compile_playable(game, limits, None, self._opponent.spot.form)
        self._moves = Recent[Move](_MOVES_KEPT)
        rules = self._game.tree.rules
        big = min(max(rules.min_bet, _LEAST_BLIND), rules.pot / 4)
        if 3 * big < rules.pot / 2 < 4 * big and rules.pot_limit:
            # Else one raise within the limit is not enough, and two are too much.
            big = rules.pot / 8
        self._blinds = (_floor_to_cents(big), _floor_to_cents(big / 2))
        self._before = tuple(self._list_moves_before())

    def deal(self, seed: int, number: int) -> tuple[PlayedHand, tuple[int, ...], list[float]]:
        """Return a hand, the players who show their cards, in order, and what both collect."""
        hand = HandInPlay(self._playable, self._decide, make_draw(seed, number))
        cards = parse_cards(hand.moves[0].action), parse_cards(hand.moves[1].action)
        tree = self._game.tree
        moves = list(self._before)
        moves += [_read_move(move.player, move.action) for move in hand.moves[2:]]
        stack = tree.rules.stack + tree.rules.pot / 2
        played = PlayedHand(
            str(number),
            PLAYERS,
            (stack, stack),
            (0.0, 0.0),
            self._blinds,
            cards,
            tuple(moves),
            self._game.deck,
            self._game.hole_cards,
        )
        node = tree.nodes[tree.find(write_line(hand.moves[2:]))]
        collected = [
            max(0.0, round(payoff - chips_before + min(node.paid), 9))
            for payoff, chips_before in zip(hand.payoffs, tree.before, strict=True)
        ]
        return played, () if node.folded >= 0 else _order_of_showing(moves), collected

    def _decide(self, player: int, infoset: str, actions: tuple[str, ...]) -> Move:
        return self._moves.get(
            infoset,
            lambda: follow_strategy(self._opponent, self._playable, player, infoset, actions),
        )

    def _list_moves_before(self) -> list[Action | Deal]:
        """Return what leads to the first decision of the spot: before the flop, checks, and the line it is after."""
        game = self._game
        after = self._game.settings["after"] or ""
        tokens = list(split_line(after))
        street = game.tree.rules.street - streets_over(after)
        raises = self._list_raises_before()
        moves: list[Action | Deal] = [
            Action(1 - n % 2, "B", chips) for n, chips in enumerate(raises)
        ]
        moves += [Action(len(raises) % 2 ^ 1, "C"), Deal(self._board[:3])]
        for card in self._board[3 : 3 + street]:
            moves += [Action(0, "C"), Action(1, "C"), Deal((card,))]
        player = 0
        num_shown = 3 + street
        token_before = ""
        for token in tokens:
            moves.append(_read_move(player, token))
            is_over = token == "C" or token == token_before == "X"
            player, token_before = (0, "") if is_over else (1 - player, token)
            if is_over:
                moves.append(Deal((self._board[num_shown],)))
                num_shown += 1
        return moves

    def _list_raises_before(self) -> list[float]:
        """Return to what players raise before the flop, in turn, until half of the pot is in; IP begins.

        The largest raise within the limit of the pot is to three times the bet, the least one to
        twice the bet.
        """
        half = self._game.tree.rules.pot / 2
        (big, _) = self._blinds
        if self._game.tree.rules.pot_limit:
            count = math.ceil(math.log(half / big, 3) - _ROUNDING)
        else:
            count = 1
        factor = (half / big) ** (1 / count)
        # rounded up, none is more than three times the one before, for that is a number of cents as
        # well
        return [
            *(math.ceil(big * factor**n * 100 - _ROUNDING) / 100 for n in range(1, count)),
            half,
        ]


def _floor_to_cents(chips: float) -> float:
    """Return chips rounded down to whole cents, but for less than one."""
    return math.floor(chips * 100 + _ROUNDING) / 100 or chips


def _read_move(player: int, text: str) -> Action | Deal:
    """Return an action of a player or cards of chance, as the game names them."""
    if player == CHANCE:
        return Deal(parse_cards(text))
    if text[0] in "BRA":
        return Action(player, "B", float(text[1:]))
    return Action(player, text[0].replace("X", "C"))


def _order_of_showing(moves: Sequence[Action | Deal]) -> tuple[int, int]:
    """Return the order in which cards are shown: who made the last bet of the last street first, else OOP."""
    first = 0
    for move in moves:
        if isinstance(move, Deal):
            first = 0
        elif move.kind == "B":
            first = move.player
    return first, 1 - first
