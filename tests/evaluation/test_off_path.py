"""What a best response from each infoset gains, against an enumeration of histories and plans, on every form."""

import itertools
import json
import math
import re

import numpy as np
import pytest
from pyarrow.csv import read_csv

import equilibrist as eq
from equilibrist.game.protocol import CHANCE, TERMINAL, action_label
from support.command import call
from support.random_games import RandomGame, random_strategy


def histories_of(game, strategy):
    """Return {(player, infoset): [(state, reach of chance and the others, own reach)]}."""
    found = {}

    def visit(state, chance, reach):
        who = game.player(state)
        if who == TERMINAL:
            return
        if who == CHANCE:
            for action, p in zip(game.actions(state), game.probabilities(state), strict=True):
                visit(game.next(state, action), chance * p, reach)
            return
        key = (who, str(game.infoset(state)))
        found.setdefault(key, []).append(
            (state, chance * math.prod(np.delete(reach, who)), reach[who])
        )
        for action in game.actions(state):
            after = reach.copy()
            after[who] *= strategy[key][action_label(game, state, action)]
            visit(game.next(state, action), chance, after)

    visit(game.start(), 1.0, np.ones(game.players))
    return found


def best_value(game, strategy, histories, player):
    """Return the value of the best continuation from histories with these weights: one infoset after the other.

    Every play goes on until the player is to move or the game ends; what is then in one infoset is decided together.
    """
    total, groups = 0.0, {}
    waiting = list(histories)
    while waiting:
        state, weight = waiting.pop()
        who = game.player(state)
        if who == TERMINAL:
            total += weight * game.payoffs(state)[player]
        elif who == player:
            groups.setdefault(str(game.infoset(state)), []).append((state, weight))
        elif who == CHANCE:
            waiting += [
                (game.next(state, a), weight * p)
                for a, p in zip(game.actions(state), game.probabilities(state), strict=True)
            ]
        else:
            mix = strategy[who, str(game.infoset(state))]
            waiting += [
                (game.next(state, a), weight * mix[action_label(game, state, a)])
                for a in game.actions(state)
            ]
    for group in groups.values():
        choices = [
            [(game.next(state, game.actions(state)[a]), weight) for state, weight in group]
            for a in range(len(game.actions(group[0][0])))
        ]
        total += max(best_value(game, strategy, after, player) for after in choices)
    return total


def value(game, strategy, state, player):
    who = game.player(state)
    if who == TERMINAL:
        return game.payoffs(state)[player]
    if who == CHANCE:
        shares = game.probabilities(state)
    else:
        mix = strategy[who, str(game.infoset(state))]
        shares = [mix[action_label(game, state, a)] for a in game.actions(state)]
    return sum(
        p * value(game, strategy, game.next(state, a), player)
        for a, p in zip(game.actions(state), shares, strict=True)
    )


def check(table, game, strategy):
    rows = {(row["player"], row["infoset"]): row for row in table.rows()}
    found = histories_of(game, strategy)
    assert rows.keys() == found.keys()
    for (player, key), histories in found.items():
        row, mass = rows[player, key], sum(weight for _, weight, _ in histories)
        assert row["cf_reach"] == pytest.approx(mass, abs=1e-14)
        assert row["own_reach"] == pytest.approx(histories[0][2], abs=1e-14)
        if mass == 0:
            assert row["gain"] is None
            continue
        beliefs = [(state, weight / mass) for state, weight, _ in histories]
        followed = sum(weight * value(game, strategy, state, player) for state, weight in beliefs)
        assert row["gain"] == pytest.approx(
            best_value(game, strategy, beliefs, player) - followed, abs=1e-12
        )
        assert row["gain"] >= -1e-12


@pytest.mark.parametrize(
    "text", ["kuhn", "kuhn(players=3)", "leduc(ranks=2)", "goofspiel(cards=3)", "rps"]
)
def test_gains_are_those_of_an_enumeration(text):
    strategy = eq.solve(
        text, "cfr", iterations=3
    ).strategy  # with some actions that are never played
    check(eq.evaluate(text, strategy, off_path=True).off_path, eq.load(text), strategy)


@pytest.mark.parametrize("seed", range(12))
def test_gains_in_random_games(seed):
    game = RandomGame(seed, zero_sum=seed % 3 > 0, ties=seed % 2 > 0)
    strategy = eq.Strategy.from_dict(random_strategy(eq.compile_game(game).infosets, seed))
    check(eq.evaluate(game, strategy, off_path=True).off_path, game, strategy)


def kuhn(alpha, folded_king=0.0):
    """Return the equilibrium of Kuhn poker in which jacks bet with probability α, from the literature.

    Of kings, which bet with probability 3α, ``folded_king`` are folded to a bet after a pass.
    """
    bets = {"J": alpha, "Q": 0, "K": 3 * alpha, "Jp": 1 / 3, "Qp": 0, "Kp": 1}
    calls = {"Jpb": 0, "Qpb": alpha + 1 / 3, "Kpb": 1 - folded_king, "Jb": 0, "Qb": 1 / 3, "Kb": 1}
    bets = {key: {"bet": p, "pass": 1 - p} for key, p in bets.items()}
    return bets | {key: {"call": p, "fold": 1 - p} for key, p in calls.items()}


@pytest.mark.parametrize("folded", [0.0, 0.25, 1.0])
def test_an_equilibrium_may_err_where_it_does_not_come(folded):
    """Kings always bet; a jack bets a third of the time after a pass, and a call of it wins 2 instead of losing 1."""
    result = eq.evaluate("kuhn", kuhn(1 / 3, folded), off_path=True)
    assert abs(result.exploitability) < 1e-12
    assert result.off_path["Kpb"] == pytest.approx(3 * folded, abs=1e-12)
    assert result.off_path.max_gain == pytest.approx(3 * folded, abs=1e-12)
    assert not folded or result.off_path.worst == (0, "Kpb")
    assert result.off_path.by_depth == pytest.approx((0.0, 3 * folded), abs=1e-12)
    rare = [row["infoset"] for row in result.off_path.rows() if row["rare"]]
    assert rare == ["Kpb"]


def test_where_the_others_never_lead_nothing_is_known():
    result = eq.evaluate("kuhn", kuhn(0.0), off_path=True)
    unknown = [row["infoset"] for row in result.off_path.rows() if row["gain"] is None]
    assert unknown == ["Jb", "Qb", "Kb"]  # nobody bets first


FORMS = {
    "kuhn": ("sequence", "public"),
    "leduc": ("sequence", "public"),
    "river": ("sequence", "public", "cards"),
    "turn": ("sequence", "cards"),
}
GAMES = {
    "river": eq.poker.Holdem(
        "Td9d6hQc2s", "AA,KK,A5s", "QJs,T9s,99", pot=100, stack=200, bets="100%; a"
    ),
    "turn": eq.poker.Holdem(
        "Td9d6d2d", "AA,KK", "JJ,99", pot=100, stack=100, bets="a"
    ),  # suits are merged
}


@pytest.mark.thinned(2)
@pytest.mark.parametrize("name", FORMS)
def test_all_forms_say_the_same_and_bound_what_is_lost(name):
    game = GAMES.get(name, name)
    strategy, tables = eq.solve(game, "cfr", iterations=4).strategy, []
    for form in FORMS[name]:
        result = eq.evaluate(game, strategy, form=form, off_path=True)
        off_path, gains = result.off_path, np.subtract(result.best_response_value, result.value)
        assert np.nanmin(off_path.gain) >= 0
        reached, owner = np.nan_to_num(off_path.gain) * off_path.cf_reach, off_path.infosets.owner
        for player, gain in enumerate(gains):
            first = (owner == player) & (off_path.own_moves == 0)
            assert reached[first].sum() == pytest.approx(
                gain, abs=1e-10
            )  # a theorem: first infosets are separate games
            assert (off_path.own_reach * reached)[owner == player].max() <= gain + 1e-10
        tables.append({(row["player"], row["infoset"]): row for row in off_path.rows()})
    for one, other in itertools.pairwise(tables):
        assert one.keys() == other.keys()
        for key, row in one.items():
            numbers = list(row.values())[2:]
            assert numbers == pytest.approx(list(other[key].values())[2:], abs=1e-10, nan_ok=True)


@pytest.mark.parametrize("name", ["river", "turn"])
def test_action_values_do_not_depend_on_the_form(name):
    strategy, tables = eq.solve(GAMES[name], "cfr", iterations=4).strategy, []
    for form in ("sequence", "cards"):
        values = eq.evaluate(GAMES[name], strategy, form=form, action_values=True).action_values
        rows = {(row["player"], row["infoset"], row["action"]): row for row in values.rows()}
        tables.append({key: (row["value"], row["best_value"]) for key, row in rows.items()})
    assert tables[0].keys() == tables[1].keys()
    for key, numbers in tables[0].items():
        assert tables[1][key] == pytest.approx(numbers, abs=1e-9, nan_ok=True), key


def test_locked_hands_gain_nothing():
    game = eq.poker.Holdem(
        "Td9d6hQc2s",
        "AA,KK",
        "QJs,99",
        pot=100,
        stack=100,
        bets="a",
        locks=[{"line": "", "strategy": {"X": 1}}],
    )
    result = eq.evaluate(game, eq.solve(game, iterations=50).strategy, off_path=True)
    gains = np.nan_to_num(result.off_path.gain) * result.off_path.cf_reach
    assert gains[result.off_path.own_moves == 0].sum() == pytest.approx(result.nash_conv, abs=1e-10)
    lost = sum(loss.loss for loss in result.losses)
    assert lost == pytest.approx(result.nash_conv, abs=1e-10)
    assert all(loss.player == 1 or loss.infoset.split()[2:] for loss in result.losses)
    assert result.guarantee.startswith("The strategy is locked in part")
    assert result.locks == len(game.hands[0])


def test_the_table_converts_and_is_written(tmp_path):
    off_path = eq.evaluate("kuhn", kuhn(0.0), off_path=True).off_path
    off_path.write_csv(tmp_path / "gains.csv")
    read = read_csv(tmp_path / "gains.csv")
    assert read.column_names == off_path.to_arrow().column_names
    assert read["gain"].null_count == off_path.to_arrow()["gain"].null_count == 3
    assert eq.evaluate("kuhn", kuhn(0.0)).off_path is None


def reach_of(spot, board, steps):
    """Return how often a line is taken on a board, pair of hands by pair: steps are (player, cards, line, action)."""
    deal, totals = spot.game.deal, np.zeros(2)
    strategy, shown = spot.strategy, {board[i : i + 2] for i in range(0, len(board), 2)}
    for one, other in itertools.product(range(len(deal.hands[0])), range(len(deal.hands[1]))):
        pair = spot.game.hands[0][one], spot.game.hands[1][other]
        cards = [hand[i : i + 2] for hand in pair for i in (0, 2)]
        if len({*cards} | shown) < 4 + len(shown):
            continue
        weight = deal.weights[0][one] * deal.weights[1][other]
        mixes = [
            strategy[who, f"{pair[who]} {there} {line}".strip()][action]
            for who, there, line, action in steps
        ]
        totals += weight * np.array([math.prod(mixes), 1.0])
    return totals[0] / totals[1]


def test_a_node_knows_how_often_it_is_reached():
    game, board = GAMES["turn"], "Td9d6d2d"
    solution = eq.solve(game, "cfr", iterations=4)
    spot = eq.poker.SolvedSpot(solution)
    spot.strategy = eq.Strategy.from_dict(
        {key: solution.strategy[key] for key in solution.strategy}
    )
    on_turn = [(0, board, "", "X"), (1, board, "X", "X")]
    assert spot.node("X").reach == pytest.approx(reach_of(spot, board, on_turn[:1]), abs=1e-12)
    for card in ("3c", "Jd"):
        there = board + card
        river = [*on_turn, (0, there, "X-X |", "X"), (1, there, "X-X | X", "A100")]
        for line, steps in (("X-X", 2), ("X-X | X", 3), ("X-X | X-A100", 4)):
            found = spot.node(line, there)
            assert found.reach == pytest.approx(reach_of(spot, there, river[:steps]), abs=1e-12)
            assert bool(found.off_path) == (found.reach <= 1e-3)


RIVER = eq.poker.Holdem(
    "Td9d6hQc2s",
    "AA,KK,JJ,88,A5s,54s",
    "QJs,QTs,T9s,99,AQo,KQs",
    pot=100,
    stack=200,
    bets="100%; a",
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("concept", "promise"),
    [
        ("nash", "a Nash equilibrium promises nothing there, and any answer may stand."),
        (
            "floors(0.0005)",
            "every action keeps 0.0005, so that the answer there counts, with the weight of that reach.",
        ),
        (
            "qre('1%')",
            "each action is played by its value given what leads there, so that the answer there counts.",
        ),
        (
            "floors({'*': 0.0005})",
            "the answer there counts as far as floors({'*': 0.0005}) make play come there.",
        ),
    ],
)
def test_every_room_says_what_is_promised(concept, promise, tmp_path, capsys):
    solution = eq.solve(RIVER, iterations=300, concept=concept, save=tmp_path / "run")
    node = eq.poker.SolvedSpot(solution).node("X-B100-A200")
    sentence = f"† reached at most 0.1% of the time on this board: {promise}"
    assert node.off_path == node.summary()["off_path"] == sentence
    assert "after X-B100-A200 †" in node.to_html()
    assert promise.split("{")[0] in node.to_html()
    shown = call(capsys, "show", str(tmp_path / "run"), "--line", "X-B100-A200").out
    assert sentence in " ".join(shown.split())  # wherever the terminal breaks lines
    pytest.importorskip("matplotlib")
    texts = [text.get_text().replace("\n", " ") for text in eq.plot.range_grid(node).texts]
    assert any(promise in text for text in texts)
    assert "†" not in call(capsys, "show", str(tmp_path / "run"), "--line", "X").out


def test_the_command_lists_the_largest_gains(tmp_path, capsys):
    owners = {key: int(len(key) == 2) for key in kuhn(1 / 3)}
    table = {(owners[key], key): mix for key, mix in kuhn(1 / 3, 1.0).items()}
    eq.Strategy.from_dict(table).write_csv(tmp_path / "kuhn.csv")
    out = call(capsys, "evaluate", "kuhn", str(tmp_path / "kuhn.csv"), "--off-path").out
    assert re.search(r"0, 1, … own decisions: 0  3 *\n", out)
    assert re.search(r"0 │ Kpb † +│ +3 │ +0 │ +0\.05556", out)
    assert "promises nothing there" in " ".join(out.split())
    found = json.loads(
        call(capsys, "evaluate", "kuhn", str(tmp_path / "kuhn.csv"), "--off-path", "--json").out
    )
    assert found["off_path"]["worst"] == [0, "Kpb"]
    assert len(found["off_path"]["infosets"]) == 12
