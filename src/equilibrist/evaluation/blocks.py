"""What evaluations show, as blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING

from ..show.blocks import Block, Column, Fact, Facts, Rest, Table
from ..show.numbers import format_seconds
from ..show.registry import find_subject
from ..strategy.blocks import first_infosets, rest_of_infosets, strategy_table
from .gaps import find_gap, gap_words
from .off_path import MARK, PROMISES_NOTHING, off_path_note

if TYPE_CHECKING:
    from ..strategy.strategy import Strategy
    from .action_values import ActionValueTable
    from .evaluate import Evaluation
    from .off_path import OffPath
    from .teams import TeamResponse

_LOSSES = 10  # infosets, of those where something is lost
_ROUNDING = 1e-9  # gains below are what rounding leaves of none
_REMEDY = "--json lists all"
_VALUE = "+.9f"


def evaluation_blocks(result: Evaluation, teams: Sequence[TeamResponse] = ()) -> list[Block]:
    """Return what an evaluation shows; ``teams`` are responses of partners to the same strategy."""
    blocks: list[Block] = [
        Facts([*certificate_facts(result), *size_facts(result)], title=result.game),
        _player_table(result),
    ]
    if teams:
        blocks.append(_team_table(teams))
    if result.losses:
        blocks.append(loss_table(result))
    if result.action_values is not None:
        blocks.append(_action_value_table(result.action_values))
    if result.off_path is not None:
        blocks += _off_path_blocks(result.off_path)
    return blocks


def certificate_facts(result: Evaluation) -> list[Fact]:
    """Return the value, and how far the strategy is from an equilibrium."""
    gains = [
        best - value for best, value in zip(result.best_response_value, result.value, strict=True)
    ]
    return [value_fact(result.value), *gap_facts(result.nash_conv, gains)]


def value_fact(value: Sequence[float]) -> Fact:
    """Return the value of a strategy for each player."""
    return Fact("value", value, _VALUE, note="payoff per game, player 0 first")


def gap_facts(nash_conv: float, gains: Sequence[float], percent: float | None = None) -> list[Fact]:
    """Return exploitability and nash_conv, or of three players and more their largest gain and the sum of gains.

    ``percent`` is the first of them in % of the pot, in spots.
    """
    words = gap_words(len(gains))
    gap = find_gap(nash_conv / len(gains), gains)
    note = "" if percent is None else f"{percent:.3g} % of the pot"
    return [
        Fact(words.gap, gap, ".6e", note, words.meaning, leads=True),
        Fact(words.total, nash_conv, ".6e"),
    ]


def size_facts(result: Evaluation) -> list[Fact]:
    """Return the sizes of the game, the time, and what the numbers promise."""
    size = f"{result.histories:,} histories, {result.infosets:,} infosets"
    return [Fact("size", size), time_fact(result.seconds), Fact("means", result.guarantee)]


def time_fact(seconds: Mapping[str, float], *, by_stage: bool = False) -> Fact:
    """Return the time of solving and in all, or ``by_stage`` of each stage."""
    times = seconds if by_stage else {"solve": seconds["solve"], "in all": sum(seconds.values())}
    return Fact("time", dict(times), format_seconds)


def _player_table(result: Evaluation) -> Table:
    pairs = zip(result.value, result.best_response_value, strict=True)
    return Table(
        [
            Column("player", range(len(result.value)), "d"),
            Column("value", result.value, _VALUE),
            Column("best response", result.best_response_value, _VALUE),
            Column("gain", [best - value for value, best in pairs], ".3e"),
        ],
        title="Per player",
    )


def _team_table(teams: Sequence[TeamResponse]) -> Table:
    return Table(
        [
            Column("team", [",".join(map(str, team.players)) for team in teams], str),
            Column("value", [team.value for team in teams], _VALUE),
            Column("one alone", [team.alone for team in teams], _VALUE, leaves=1),
            Column("together", [team.best_response_value for team in teams], _VALUE),
            Column("at most", [team.upper_bound for team in teams], _VALUE),
        ],
        title="Per team",
        note="together: the best strategies found for partners who change together; at most: if "
        "they told each other, at each move, all that they have seen.",
    )


def loss_table(result: Evaluation) -> Table:
    """Return where a strategy loses most."""
    # It is nash_conv but for rounding, which may make that 0.
    total = sum(loss.loss for loss in result.losses)
    losses = result.losses[:_LOSSES]
    return Table(
        [
            Column("player", [loss.player for loss in losses], "d"),
            Column("infoset", [loss.infoset for loss in losses]),
            Column("loss", [loss.loss for loss in losses], ".3e"),
            Column("share", [loss.loss / total for loss in losses], ".0%", bars=True),
        ],
        title="Where it loses most (payoff per game)",
        rest=rest_of_infosets(len(result.losses) - len(losses), _REMEDY),
    )


def _action_value_table(table: ActionValueTable) -> Table:
    infosets = table.strategy.infosets
    keys = [infosets[index] for index in first_infosets(table.strategy)]
    rows = [
        (player, key, action, *value)
        for player, key, _ in keys
        for action, value in table[player, key].items()
    ]
    columns = list(zip(*rows, strict=True))
    return Table(
        [
            Column("player", columns[0], "d"),
            Column("infoset", columns[1]),
            Column("action", columns[2]),
            Column("probability", columns[3], _reach_text),
            Column("value", columns[4], _reach_text),
            Column("cf value", columns[5], _reach_text),
            Column("best value", columns[6], _reach_text, leaves=1),
        ],
        title="Action values (payoff)",
        note="value: expected payoff of who is there, takes the action and follows the strategy; "
        "cf value: that × the reach of chance and the others; best value: with the best response "
        "afterwards.",
        rest=rest_of_infosets(len(infosets) - len(keys), _REMEDY),
    )


def _reach_text(value: float) -> str:
    return "never reached" if isnan(value) else f"{value:.4g}"


def _off_path_blocks(off_path: OffPath) -> Iterator[Block]:
    """Yield the largest gains by depth, the infosets of the largest, and what is not known."""
    indices = [i for i in off_path.order if off_path.gain[i] > _ROUNDING][:_LOSSES]
    by_depth = "  ".join(f"{gain if gain > _ROUNDING else 0:.4g}" for gain in off_path.by_depth)
    yield Facts([f"Largest gain after 0, 1, … own decisions: {by_depth}"])
    if indices:
        marks = [f" {MARK}" if off_path.rare[i] else "" for i in indices]
        infosets = [off_path.infosets[i] for i in indices]
        names = [infoset.key + mark for infoset, mark in zip(infosets, marks, strict=True)]
        yield Table(
            [
                Column("player", [infoset.player for infoset in infosets], "d"),
                Column("infoset", names),
                Column("gain", off_path.gain[indices].tolist(), ".4g"),
                Column("own reach", off_path.own_reach[indices].tolist(), ".4g"),
                Column("cf reach", off_path.cf_reach[indices].tolist(), ".4g"),
            ],
            title="What a best response from there gains (payoff, given that play is there)",
        )
    sentences: list[str | Rest] = []
    if off_path.rare[indices].any():
        sentences.append(off_path_note(PROMISES_NOTHING))
    num_unknown = sum(map(isnan, off_path.gain.tolist()))
    if num_unknown:
        sentences.append(
            f"{num_unknown:,} infosets are never reached by chance and the others: no beliefs, no "
            "gain."
        )
    if len(off_path) > len(indices):
        sentences.append(Rest(f"{len(off_path):,} infosets in all", "--json lists them"))
    yield Facts(sentences)


def strategy_blocks(strategy: Strategy) -> Sequence[Block]:
    """Return what a strategy shows: its first infosets, where its game has nothing else to show."""
    subject = find_subject(strategy)
    if subject is not None:
        return subject.strategy_blocks(strategy)
    return [strategy_table(strategy)]
