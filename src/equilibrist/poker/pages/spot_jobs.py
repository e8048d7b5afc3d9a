"""Routes of spots of hold'em and Omaha: ranges as text and weights, what a spot is before it is solved, its files."""

from __future__ import annotations

import warnings
from math import comb
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from starlette.requests import Request
from starlette.responses import Response

from ...errors import GameError, in_field
from ...runs.reproduce import write_lines
from ...web.answers import Answer
from ...web.requests import OF_A_RUN, check_goal_of_spot, read_run_keywords
from ...web.respond import Fields, RequestError, answer, body, download, download_csv
from ...web.workspace import workspace_of
from ..cards.cards import NUM_CARDS, NUM_HANDS, blocked, hand_index, hand_name, parse_cards
from ..cards.hand_ranks import Deck
from ..cards.ranges import DIALECTS, Range
from ..omaha.game import Omaha
from ..omaha.ranges import read_range as read_omaha_range
from ..spot.betting_tree import PLAYER_KEYS
from ..spot.equity import equity as equity_of
from ..spot.game import Holdem
from ..spot.importers.read import read_spot_file
from ..spot.settings import find_deck
from ..spot.spot import spot_text
from ..spot.three_prizes import ThreePrizes
from ..spot.three_ranges import ThreeRanges
from .answers import RangeEquity, RangeText, ReadSpot, SpotEstimate, SpotFacts
from .estimates import make_spot, whole_settings

_LONGEST_FILE = 1_000_000
_LONGEST_RANGE = 100_000
_NO_RANGE: RangeText = {
    "text": "",
    "weights": {},
    "hands": 0,
    "combos": 0.0,
    "share": 0.0,
    "warnings": [],
}


def read_range(request: Request) -> Answer[RangeText]:
    """Return a range, given as a text or as weights, in both ways.

    Fields: ``text``, or ``weights``, an object of hands (``AhKd``) with weights above 0; ``board``,
    whose hands are left out of the sums; ``deck``, as a spot names it; ``dialect`` of the text that
    is returned; ``game``, "omaha" for hands of four cards, of which no weights are told. An empty
    text is an empty range.
    """
    fields = body(request).only("text", "weights", "board", "deck", "dialect", "game")
    if fields.choice("game", (Holdem.name, Omaha.name), Holdem.name) == Omaha.name:
        return answer(_describe_omaha_range(fields))
    dialect = fields.choice("dialect", DIALECTS, DIALECTS[0])
    deck = find_deck({"deck": fields.text("deck", "full")})
    board = (*deck.missing, *_read_board(fields.text("board", "")))
    with warnings.catch_warnings(record=True, action="always") as caught:
        hand_range = _read_range(fields, deck)
    if hand_range is None:
        return answer(_NO_RANGE)
    sentences = [str(warning.message) for warning in caught]
    return answer(_describe_range(hand_range, board, dialect, sentences))


def equity(request: Request) -> Answer[RangeEquity] | Response:
    """Return the equity of two ranges on a board: of both, its distribution, by made hand, and hand by hand.

    Fields: ``board``, ``oop`` and ``ip``; ``deck``, as a spot names it; ``calls``, the least equity
    of hands that call, 0.5 if it is not given: ``removal`` has, by card, how much of each range and
    of its calls hold it; ``format``, "csv" for a file with all hands.
    """
    fields = body(request).only("board", "oop", "ip", "deck", "calls", "format")
    least_equity = fields.number("calls", 0.5)
    if not 0 <= least_equity <= 1:
        raise RequestError(f"calls is an equity from 0 to 1; got {least_equity:g}.", field="calls")
    ranges = [fields.text(seat, longest=_LONGEST_RANGE) for seat in PLAYER_KEYS]
    with warnings.catch_warnings(record=True, action="always") as caught:
        result = equity_of(fields.text("board"), *ranges, deck=fields.text("deck", "full"))
    if fields.choice("format", ("json", "csv"), "json") == "csv":
        return download_csv(result, f"equity-{result.board}")
    hands = [
        {name: column.tolist() for name, column in result.columns(player).items()}
        for player in range(2)
    ]
    removal = [
        {"range": result.removal(player), "calls": result.removal(player, least=least_equity)}
        for player in range(2)
    ]
    return answer(
        {
            **result.summary(),
            "removal": removal,
            "hands": hands,
            "warnings": [str(warning.message) for warning in caught],
        }
    )


def _describe_omaha_range(fields: Fields) -> RangeText:
    """Return what a range of four-card hands is, given as a text; hands that the board blocks are not counted."""
    for name in ("weights", "deck", "dialect"):
        if name in fields:
            raise RequestError(f"A range of Omaha has no {name}: give text, and board.", field=name)
    text = fields.text("text", "", longest=_LONGEST_RANGE)
    board = _read_board(fields.text("board", ""))
    if not text.strip():
        return _NO_RANGE
    hand_range = read_omaha_range(text, board)
    possible = comb(NUM_CARDS - len(board), Omaha.hole_cards)
    return {
        "text": hand_range.text,
        "weights": {},
        "hands": len(hand_range.hands),
        "combos": hand_range.combos,
        "share": hand_range.combos / possible,
        "warnings": [],
    }


def _read_range(fields: Fields, deck: Deck) -> Range | None:
    if "weights" not in fields:
        text = fields.text("text", "", longest=_LONGEST_RANGE)
        if text.strip():
            return Range(text, deck=deck)
        return None
    weights = np.zeros(NUM_HANDS)
    for hand, weight in fields.table("weights").items():
        first, other = parse_cards(hand, "weights", count=(2,))
        if not isinstance(weight, int | float) or isinstance(weight, bool) or not 0 <= weight <= 1:
            raise RequestError(
                f"The weight of {hand} must be a number from 0 to 1; got {weight!r}.",
                field="weights",
            )
        weights[hand_index(first, other)] = round(float(weight), 6)
    if weights.any():
        return Range(weights)
    return None


def _describe_range(
    hand_range: Range, board: tuple[int, ...], dialect: str, warnings: list[str]
) -> RangeText:
    weights = hand_range.weights
    is_possible = ~blocked(board)
    combos = float(weights[is_possible].sum())
    return {
        "text": hand_range.export(dialect),
        "weights": {hand_name(int(hand)): float(weights[hand]) for hand in np.flatnonzero(weights)},
        "hands": int(np.count_nonzero(weights[is_possible])),
        "combos": combos,
        "share": combos / int(is_possible.sum()),
        "warnings": warnings,
    }


def _read_board(text: str) -> tuple[int, ...]:
    with in_field("board"):
        if text.strip():
            return parse_cards(text, "board")
        return ()


def estimate(request: Request) -> Answer[SpotEstimate]:
    """Return what a spot is: hands, betting tree with node counts, what was merged, memory, and time of an iteration.

    Fields: ``spot``, the settings of :class:`equilibrist.poker.Holdem`, or with ``game`` "omaha" those of
    :class:`equilibrist.poker.Omaha`; ``line``, where the rows of the
    tree begin; ``sizes``, false where only the tree is wanted; and those of a run.
    """
    fields = body(request).only(*OF_A_RUN, "line", "sizes")
    keywords = read_run_keywords(fields)
    check_goal_of_spot(keywords)
    request_facts = {
        "spot": fields.table("spot"),
        "line": fields.text("line", ""),
        "sizes": fields.flag("sizes", True),
    }
    facts: SpotFacts = workspace_of(request).queue.estimates.ask({**request_facts, **keywords})
    return answer({**facts, **write_lines(facts["game"], keywords)})


def spot_file(request: Request) -> Response:
    """Return a spot as a spot file (TOML), to be kept."""
    fields = body(request).only("spot")
    request_facts = {"spot": fields.table("spot"), "sizes": False}
    # Where a tree that is too large does no harm.
    facts = workspace_of(request).queue.estimates.ask(request_facts)
    settings = facts["settings"]
    text = spot_text(make_spot(settings))
    return download(text.encode(), f"{settings['board']}.toml", "application/toml")


def read_file(request: Request) -> Answer[ReadSpot]:
    """Return the settings in the text of a file: TOML, JSON of wasm-postflop, of PioSOLVER, or of TexasSolver.

    Fields: ``text``, and ``name``, whose ending tells the kind. Of three ranges, for which the form
    of a spot has no fields, ``game`` is what a new run takes.
    """
    fields = body(request).only("text", "name")
    text = fields.text("text", longest=_LONGEST_FILE)
    name = Path(fields.text("name", "spot.toml", longest=200)).name
    ending = Path(name).suffix.lower()
    if ending not in (".toml", ".json", ".txt"):
        raise RequestError(
            f"A spot is read from .toml, .json and .txt files; got {name!r}.", field="name"
        )
    with (
        TemporaryDirectory() as folder,
        warnings.catch_warnings(record=True, action="always") as caught,
    ):
        path = Path(folder) / f"spot{ending}"
        path.write_text(text, encoding="utf-8")
        try:
            game = read_spot_file(str(path))
        except GameError as error:
            sentence = str(error).replace(f"'{path}'", repr(name))
            raise RequestError(
                sentence, field="text", status=400 if error.wrong_use else 422
            ) from error
    if isinstance(game, ThreeRanges | ThreePrizes):
        return answer({"settings": game.settings, "warnings": [], "game": str(game)})
    sentences = [str(warning.message).replace(f"'{path}': ", "") for warning in caught]
    return answer({"settings": whole_settings(game), "warnings": sentences})
