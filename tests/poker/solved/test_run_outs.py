"""Reports over run-outs: against a walk of the saved strategy, pair of hands by pair of hands, and by texture."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import GameError
from equilibrist.poker.cards.cards import CARDS, parse_cards
from equilibrist.poker.cards.hand_ranks import strength_of
from equilibrist.poker.cards.next_card import next_card

TURN = "holdem(board='Td9d6hQc', oop='AA,QJs,T8s:0.5', ip='KK,JTs,98s', pot=100, stack=100, bets='50%')"
POT = 100.0


@pytest.fixture(scope="module")
def solution():
    return eq.solve(TURN, iterations=30)


@pytest.fixture(scope="module")
def report(solution):
    return eq.poker.run_out_report(solution, "X-X")


def walk(solution, line, board, fits=lambda hand: True):
    """Return deals, EVs, equities and frequencies at a line of a board, by the strategy as it is saved."""
    game = solution.strategy.form.game
    nodes = game.tree.nodes
    index_of = {node.line.strip(" |"): k for k, node in enumerate(nodes) if node.player >= 0}
    at = index_of[line]
    cards = parse_cards(board)

    def shares(node, hand, length):
        key = f"{hand} {cards_of(length)} {node.line}".rstrip()
        played = solution.strategy[node.player, key]
        return [played[action] for action in node.actions]

    def cards_of(length):
        return "".join(CARDS[card] for card in cards[:length])

    def ends(index, pair):
        """Yield the probability and the chips won by each player of each end."""
        node = nodes[index]
        if node.player == -1:
            yield from ends(node.children[0], pair)
        elif node.player < 0:
            total = POT + sum(node.paid)
            won = {"OOP wins": 1.0, "IP wins": 0.0}.get(node.result)
            if won is None:
                won = showdown(pair)
            yield 1.0, (won * total, (1 - won) * total), node.paid
        else:
            of_hand = shares(node, pair[node.player], 4 + node.line.count("|"))
            for share, child in zip(of_hand, node.children, strict=True):
                for probability, chips, paid in ends(child, pair):
                    yield share * probability, chips, paid

    def showdown(pair):
        strengths = strength_of(
            np.array([sorted((*parse_cards(hand), *cards)) for hand in pair])
        ).tolist()
        return 0.5 + 0.5 * float(np.sign(strengths[0] - strengths[1]))

    deals, evs, equities = 0.0, np.zeros(2), np.zeros(2)
    mix = Counter()
    path = list(game.tree.path(nodes[at].line))
    for one, other in product(*game.hands):
        held = {*parse_cards(one), *parse_cards(other)}
        if len(held) < 4 or held & set(cards) or not fits((one, other)[nodes[at].player]):
            continue
        weight = 0.5 if one[0] == "T" else 1.0
        for node, action in path:
            weight *= shares(node, (one, other)[node.player], 4 + node.line.count("|"))[action]
        deals += weight
        equities += weight * np.array([showdown((one, other)), 1 - showdown((one, other))])
        for probability, chips, paid in ends(at, (one, other)):
            later = np.array(paid) - np.array(nodes[at].paid)
            evs += weight * probability * (np.array(chips) - later)
        own = shares(nodes[at], (one, other)[nodes[at].player], len(cards))
        for action, share in zip(nodes[at].actions, own, strict=True):
            mix[action] += weight * share
    return (
        deals,
        evs / deals,
        equities / deals,
        {name: share / deals for name, share in mix.items()},
    )


@pytest.mark.slow
@pytest.mark.parametrize("line", ["X-X", "X-X | B50", "X-B50-C"])
def test_each_card_is_what_a_walk_of_the_strategy_says(solution, line):
    report = eq.poker.run_out_report(solution, line)
    rows = [row for row in report.rows if row["card"] in ("2c", "Th", "Kd", "8s")]
    walked = [walk(solution, line, row["board"]) for row in rows]
    total = sum(deals for deals, *_ in walked)
    told = sum(row["deals"] / row["alike"] for row in rows)
    assert len(rows) >= 3
    for row, (deals, evs, equities, mix) in zip(rows, walked, strict=True):
        assert row["deals"] / row["alike"] / told == pytest.approx(deals / total, abs=1e-6)
        assert [row["ev_oop"], row["ev_ip"]] == pytest.approx(evs.tolist(), abs=1e-4)
        assert [row["equity_oop"], row["equity_ip"]] == pytest.approx(equities.tolist(), abs=1e-6)
        assert {name: row[name] for name in mix} == pytest.approx(mix, abs=1e-6)


@pytest.mark.slow
def test_a_filter_counts_the_hands_that_pass(solution):
    report = eq.poker.run_out_report(solution, "X-X", only="QJs or Ah")
    (row,) = [row for row in report.rows if row["card"] == "2c"]
    _, evs, equities, mix = walk(
        solution, "X-X", row["board"], lambda hand: hand[::2] == "QJ" or "Ah" in hand
    )
    assert row["ev_oop"] == pytest.approx(evs[0], abs=1e-4)
    assert row["equity_oop"] == pytest.approx(equities[0], abs=1e-6)
    assert {name: row[name] for name in mix} == pytest.approx(mix, abs=1e-6)
    assert "ev_ip" not in row
    assert all(row["alike"] == 1 for row in report.rows)  # cards of a suit are no longer alike


@pytest.mark.slow
def test_means_are_those_of_the_turn(solution, report):
    mean = report.mean()
    assert sum(row["deals"] for row in report.rows) == pytest.approx(1)
    assert sum(row["alike"] for row in report.rows) == 48
    assert mean["ev_oop"] + mean["ev_ip"] == pytest.approx(100, abs=1e-9)
    assert mean["eqr_oop"] == pytest.approx(mean["ev_oop"] / mean["equity_oop"] / 100)
    before = eq.poker.SolvedSpot(solution).node("X")
    check = before.actions.index("X")
    played = before.probabilities[1] * before.strategy[check]
    assert mean["ev_ip"] == pytest.approx(
        float((played * before.action_ev[check]).sum() / played.sum()), abs=1e-6
    )


def test_textures_divide_all_boards(report):
    whole = report.mean()
    for by in (["flush"], ["rank", "straight"], ["suits", "pairing", "connected", "high"]):
        parts = report.by_texture(by)
        assert sum(part["boards"] for part in parts) == whole["boards"]
        for name in ("ev_oop", "equity_ip", "B50"):
            mean = sum(part["deals"] * part[name] for part in parts)
            assert mean == pytest.approx(whole[name], abs=1e-12)
    kinds = {row["flush"]: row["boards"] for row in report.by_texture("flush")}
    assert kinds == {"third of a suit": 11, "second of a suit": 24, "new suit": 13}


@pytest.mark.parametrize(
    ("board", "card", "expected"),
    [
        ("QsJh2h", "Ac", ("overcard", "new suit", True)),  # K and T make the ace's straight
        ("QsJh2h", "7h", ("middle", "third of a suit", False)),
        ("QsJh3h", "2s", ("undercard", "second of a suit", False)),
        ("QsJh2h", "Js", ("pairs", "second of a suit", False)),
        ("QhJh2h3h", "Kh", ("overcard", "fifth of a suit", True)),
        ("9s8s7d6d", "5d", ("undercard", "third of a suit", True)),
    ],
)
def test_what_a_card_does_to_a_board(board, card, expected):
    assert next_card(parse_cards(board), *parse_cards(card)) == expected


@pytest.mark.parametrize(
    ("line", "options", "match"),
    [
        ("X", {}, "no card that is not given is dealt before the decision 'X' on Td9d6hQc"),
        ("X-X", {"board": "2c"}, "no card that is not given is dealt"),
        ("X-X", {"only": "equity < 0"}, "no hand passes 'equity < 0' on any board"),
        ("X-X", {"only": "tops"}, "'tops' at character 1 is no hand"),
        ("X-B50-F", {}, "the hand is over"),
        ("Y", {}, "line"),
    ],
)
def test_what_has_no_run_outs_is_refused(solution, line, options, match):
    with pytest.raises(GameError, match=match):
        eq.poker.run_out_report(solution, line, **options)


def test_textures_that_there_are_not(report):
    with pytest.raises(GameError, match=r"by must name some of rank, flush, .*; got colour"):
        report.by_texture(["colour"])


def test_a_report_is_shown_and_written(report, tmp_path):
    assert report.to_arrow().num_rows == len(report.rows)
    report.write_csv(tmp_path / "boards.csv")
    assert (tmp_path / "boards.csv").read_text().startswith("card,alike,board,deals,rank,flush,")
    assert "third of a suit" in report._repr_html_()
    assert repr(report).startswith("<RunOutReport: ")


@pytest.mark.slow
def test_two_streets_at_once():
    flop = "holdem(board='Td9d6h', oop='AsAc', ip='KsKc', pot=10, stack=10, bets='a')"
    report = eq.poker.run_out_report(eq.solve(flop, iterations=3), "X-X | X-X")
    assert sum(row["alike"] for row in report.rows) == 45 * 44
    mean = report.mean()
    assert mean["ev_oop"] + mean["ev_ip"] == pytest.approx(10, abs=1e-9)
