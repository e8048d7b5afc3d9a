"""Nodes of solved spots of hold'em, against sums over pairs of hands, full enumeration and analytic solutions."""

import csv
import itertools

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.game.card_game import ShowdownPayoffs
from equilibrist.poker.cards.cards import parse_cards

RIVER = (
    "holdem(board='Td9d6hQc2s', oop='AA:0.5,QJs,T8s,A5s', ip='KK,JTs:0.25,98s,QTo', pot=100, stack=300, "
    "bets='50%, a; 60%')"
)
TURN = "holdem(board='AsKs7s2s', oop='QQ,KJo:0.5,98s', ip='JJ,AQo:0.75,T9s', pot=100, stack=150, bets='50%; a')"


@pytest.fixture(scope="module")
def river():
    return eq.solve(RIVER, iterations=20)


@pytest.fixture(scope="module")
def turn():
    return eq.solve(TURN, iterations=20)


def play(game, strategy, state, hands, names, board):
    """Return what both players receive on average from a node of a river on, for a hand of each."""
    node = game.tree.nodes[state]
    if node.player < 0:
        payoff = game.payoff(state)
        if isinstance(payoff, ShowdownPayoffs):
            one, other = (
                own[0, hand]
                for own, hand in zip(game.strengths(np.array([board])), hands, strict=True)
            )
            payoff = payoff.win if one > other else payoff.lose if one < other else payoff.tie
        return np.array(payoff)
    mix = strategy[node.player, f"{names[node.player]} Td9d6hQc2s {node.line}".strip()]
    below = [play(game, strategy, game.next(state, action), hands, names, board) for action in mix]
    return sum(share * value for share, value in zip(mix.values(), below, strict=True))


def reach_of(game, strategy, line, player, name):
    """Return the probability with which a hand of a player follows a line."""
    state, reach = 0, 1.0
    for action in [action for action in line.split("-") if action]:
        node = game.tree.nodes[state]
        if node.player == player:
            reach *= strategy[player, f"{name} Td9d6hQc2s {node.line}".strip()][action]
        state = game.next(state, action)
    return reach


@pytest.mark.parametrize("line", ["", "X", "B50", "X-B50", "X-A300", "B50-R170"])
def test_river_is_the_sum_over_pairs_of_hands(river, line):
    spot = eq.poker.SolvedSpot(river)
    game, node = spot.game, spot.node(line)
    state = game.tree.find(line)
    pairs = np.zeros((3, 2, *map(len, game.hands)))  # weight, what is received, share of the pot
    reaches = [
        [reach_of(game, river.strategy, line, player, name) for name in game.hands[player]]
        for player in range(2)
    ]
    strengths = game.strengths(np.array([game.board]))
    dealt = 0.0
    for i, j in itertools.product(*(range(len(own)) for own in game.hands)):
        if set(game.deal.hands[0][i]) & set(game.deal.hands[1][j]):
            continue
        dealt += game.deal.weights[0][i] * game.deal.weights[1][j]
        names = game.hands[0][i], game.hands[1][j]
        weight = game.deal.weights[0][i] * reaches[0][i], game.deal.weights[1][j] * reaches[1][j]
        pairs[0, :, i, j] = weight
        pairs[1, :, i, j] = (
            play(game, river.strategy, state, (i, j), names, game.board)
            + game.tree.nodes[state].paid
        )
        pairs[2, 0, i, j] = (1 + np.sign(int(strengths[0][0, i]) - int(strengths[1][0, j]))) / 2
        pairs[2, 1, i, j] = 1 - pairs[2, 0, i, j]
    together = pairs[0, 0] * pairs[0, 1]
    assert node.reach == pytest.approx(together.sum() / dealt, rel=1e-12)
    for player in range(2):
        others = pairs[0, 1 - player].sum(axis=1 - player)
        for known, sought in ((node.ev, pairs[1]), (node.equity, pairs[2])):
            expected = (pairs[0, 1 - player] * sought[player]).sum(axis=1 - player) / others
            np.testing.assert_allclose(known[player], expected, atol=1e-9, rtol=0)
            mean = (together * sought[player]).sum() / together.sum()
            assert node._mean(player, known) == pytest.approx(mean, abs=1e-9)
        np.testing.assert_allclose(
            node.probabilities[player], together.sum(axis=1 - player) / together.sum()
        )
        np.testing.assert_allclose(node.ranges[player], game.deal.weights[player] * reaches[player])
    assert sum(node.evs) == pytest.approx(node.pot, abs=1e-9)
    assert sum(node.equities) == pytest.approx(1.0, abs=1e-12)
    mover = node.probabilities[node.player]
    assert node.frequencies == pytest.approx((node.strategy * mover).sum(axis=1))
    np.testing.assert_allclose(
        (node.strategy * node.action_ev).sum(axis=0), node.ev[node.player], atol=1e-9
    )


@pytest.mark.parametrize(
    "text", [RIVER, TURN, RIVER.replace("pot=100", "pot=100, rake=0.05, rake_cap=10")]
)
def test_the_mean_of_all_hands_is_the_value_of_the_game(text):
    solution = eq.solve(text, iterations=20)
    assert eq.poker.SolvedSpot(solution).node().evs == pytest.approx(solution.value, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("line", "action"), [("X", "X"), ("B50", "C"), ("X-B50", "C")])
def test_action_before_a_card_is_the_mean_over_all_cards(turn, line, action):
    spot = eq.poker.SolvedSpot(turn)
    assert len(spot.form.boards.streets[1]) < 30  # of 48: suits that are alike are stored once
    node = spot.node(line)
    number, game = node.actions.index(action), spot.game
    player = node.player
    hands = game.deal.hands
    apart = np.array(
        [[not set(own) & set(other) for other in hands[1 - player]] for own in hands[player]]
    )
    total = np.zeros(len(hands[player]))
    cards = [name for card, name in enumerate(game.cards) if card not in game.board]
    for card in cards:
        below = spot.node(f"{line}-{action}", card)
        assert sum(below.evs) == pytest.approx(below.pot, abs=1e-9)
        held = np.array([parse_cards(card)[0] in hand for hand in hands[player]])
        assert (below.ranges[player][held] == 0).all()
        mass = np.where(held, 0.0, apart @ below.ranges[1 - player])
        total += np.where(mass > 0, below.ev[player], 0.0) * mass / 44
    paid = (
        game.tree.nodes[game.tree.find(f"{line}-{action}")].paid[player]
        - game.tree.nodes[game.tree.find(line)].paid[player]
    )
    expected = total / (apart @ node.ranges[1 - player]) - paid
    np.testing.assert_allclose(node.action_ev[number], expected, atol=1e-9)


def test_nobody_comes_to_a_card_that_all_hands_of_a_player_hold():
    game = "holdem(board='AsKs7s2s', oop='QdQc', ip='JdJc', pot=100, stack=150, bets='a')"
    spot = eq.poker.SolvedSpot(eq.solve(game, iterations=2))
    assert spot.reach("X-X", "Qd") == 0.0
    assert spot.reach("X-X", "4h") > 0.0


def test_boards_alike_by_suits_are_told_apart(turn):
    spot = eq.poker.SolvedSpot(turn)
    suits = str.maketrans("cdh", "dhc")
    one, other = spot.node("X-X", "Qc"), spot.node("X-X", "AsKs7s2sQd")
    assert (one.board, other.board) == ("AsKs7s2sQc", "AsKs7s2sQd")
    for player in range(2):
        held = np.flatnonzero(one.ranges[player])
        names = [one.hands[player][hand].translate(suits) for hand in held]
        moved = [
            other.number(name if name in other.hands[player] else name[2:] + name[:2], player)
            for name in names
        ]
        np.testing.assert_allclose(one.ev[player][held], other.ev[player][moved], atol=1e-9)
        assert set(held) != set(np.flatnonzero(other.ranges[player]))


@pytest.mark.slow
def test_equity_of_a_flop_is_that_of_all_boards():
    solution = eq.solve(
        "holdem(board='QsJh2h', oop='AhTh,QdQc,9s8s', ip='AsKs:0.5,2c2d,JsTs', pot=10, stack=10, bets='none')",
        iterations=1,
    )
    spot = eq.poker.SolvedSpot(solution)
    game = spot.game
    shares, count = np.zeros((3, 3)), np.zeros((3, 3))
    left = [card for card in range(52) if card not in game.board]
    boards = np.array([(*game.board, *cards) for cards in itertools.combinations(left, 2)])
    strengths = [own.astype(int) for own in game.strengths(boards)]
    for i, j in itertools.product(range(3), range(3)):
        held = {*game.deal.hands[0][i], *game.deal.hands[1][j]}
        if len(held) == 4:
            free = ~np.isin(boards, list(held)).any(axis=1)
            shares[i, j] = ((1 + np.sign(strengths[0][free, i] - strengths[1][free, j])) / 2).mean()
            count[i, j] = game.deal.weights[0][i] * game.deal.weights[1][j]
            assert free.sum() == 990
    node = spot.node()
    np.testing.assert_allclose(
        node.equity[0], (shares * count).sum(axis=1) / count.sum(axis=1), atol=1e-12
    )
    assert node.equities[0] == pytest.approx((shares * count).sum() / count.sum(), abs=1e-12)
    assert node.eqrs == pytest.approx((1.0, 1.0))


def test_clairvoyance():
    game = "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a')"
    spot = eq.poker.SolvedSpot(eq.solve(game, until=1e-4))
    node = spot.node()
    assert node.evs == pytest.approx((40 / 3, 20 / 3), abs=1e-3)
    assert node.eqrs == pytest.approx((4 / 3, 2 / 3), abs=1e-3)
    assert node.frequencies == pytest.approx([1 / 3, 2 / 3], abs=1e-3)
    assert node.strategy[1, node.number("QsQh")] == pytest.approx(1 / 3, abs=1e-3)
    assert spot.node("A10").frequencies == pytest.approx([1 / 3, 2 / 3], abs=1e-3)


def test_a_strategy_and_its_game_do_as_well(river):
    strategy = eq.Strategy(list(river.strategy.infosets), river.strategy.probabilities)
    node = eq.poker.SolvedSpot(strategy, RIVER).node("X-B50")
    np.testing.assert_allclose(node.ev[0], eq.poker.SolvedSpot(river).node("X-B50").ev[0])
    with pytest.raises(eq.GameError, match="A spot of hold'em is needed"):
        eq.poker.SolvedSpot(strategy)
    with pytest.raises(eq.GameError, match="got 'kuhn'"):
        eq.poker.SolvedSpot(eq.solve("kuhn", iterations=1))


@pytest.mark.parametrize(
    ("line", "board", "match"),
    [
        ("X-B7", None, r"There is no 'B7' in the line 'X-B7': the actions after 'X' are X, B50"),
        ("B50-F", None, r"the hand is over after 'B50-F' \(OOP wins\)"),
        (
            "X-X",
            None,
            r"after 'X-X' it is the river, so the board is AsKs7s2s and 1 more card; got none",
        ),
        ("X-X", "AsKs7s2s", "1 more card; got 'AsKs7s2s'"),
        ("X-X", "7s", "1 more card; got '7s'"),
        ("X", "AsKs7s2s4c", "after 'X' it is the turn, so the board is AsKs7s2s; got"),
        ("X-X", "Zz", "'Zz' at character 1"),
    ],
)
def test_lines_and_boards_that_are_not_there(turn, line, board, match):
    with pytest.raises(eq.GameError, match=match) as error:
        eq.poker.SolvedSpot(turn).node(line, board)
    assert error.value.wrong_use


@pytest.mark.parametrize(
    ("hand", "match"),
    [
        ("QdQc", "hand: QdQc has a card of the board"),
        ("7h2c", "7h2c is not in the range of OOP; it has 16 hands, none of them 72o"),
        ("72", "'72' at character 1"),
    ],
)
def test_hands_that_are_not_there(river, hand, match):
    with pytest.raises(eq.GameError, match=match):
        eq.poker.SolvedSpot(river).node().number(hand)


def test_classes_are_means_over_their_hands(river):
    node = eq.poker.SolvedSpot(river).node()
    held, mix = node.classes()
    assert held[0] == pytest.approx(0.5)  # AA:0.5
    assert held[1] == 0  # AKs
    assert np.isnan(mix[:, 1]).all()
    aces = [number for number, name in enumerate(node.hands[0]) if name[0] == name[2] == "A"]
    np.testing.assert_allclose(mix[:, 0], node.strategy[:, aces].mean(axis=1))
    other, whole = node.classes(1)
    assert other[14] == 1  # KK
    assert whole[0, 14] == 1
    assert whole.shape == (1, 169)  # who does not decide plays no action


def test_tables(river, tmp_path):
    node = eq.poker.SolvedSpot(river).node("X")
    node.write_csv(tmp_path / "node.csv")
    with open(tmp_path / "node.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["hand"] for row in rows] == list(node.hands[1])
    assert [float(row["ev X"]) for row in rows] == node.action_ev[0].tolist()
    assert list(rows[0])[:8] == [
        "hand",
        "class",
        "made",
        "draws",
        "range",
        "probability",
        "ev",
        "equity",
    ]
    pytest.importorskip("pyarrow")
    from pyarrow.parquet import read_table

    node.write_parquet(tmp_path / "node.parquet", player=0)
    assert read_table(tmp_path / "node.parquet")["ev"].to_pylist() == node.ev[0].tolist()
    assert node.to_arrow().column_names == list(rows[0])


def test_a_run_saved_without_its_river_has_no_values(turn, tmp_path):
    turn.save(tmp_path, streets=1)
    whole, spot = eq.poker.SolvedSpot(turn), eq.poker.SolvedSpot(eq.load_solution(tmp_path))
    for line in ("", "X-B50"):
        node, known = spot.node(line), whole.node(line)
        np.testing.assert_array_equal(node.strategy, known.strategy)
        assert node.frequencies.tolist() == known.frequencies.tolist()
        assert node.equities == pytest.approx(known.equities, abs=1e-12)
        assert np.isnan([*node.evs, *node.eqrs]).all()
        assert np.isnan(node.action_ev).all()
    with pytest.raises(
        eq.GameError, match="the first 1 of 2 streets, and 'X-X' goes on after them"
    ):
        spot.node("X-X", "4c")
    uniform = eq.poker.SolvedSpot(eq.load_solution(tmp_path), missing="uniform").node("X-X", "4c")
    assert set(uniform.strategy[:, uniform.ranges[0] > 0].ravel()) == {0.5}
    assert not np.isnan(uniform.evs).any()


@pytest.mark.slow
def test_what_is_kept_of_streets_and_boards_does_not_change_a_node(turn):
    asked = eq.poker.SolvedSpot(turn)
    cards = [name for name in asked.game.cards if name not in ("As", "Ks", "7s", "2s")]
    seen = {card: asked.node("X-X", card) for card in cards}  # more boards than are kept
    for line, card in (("X-X | X", cards[0]), ("X-B50-C", cards[1]), ("X-X", cards[0])):
        asked.node(line, card)
    for card in (cards[0], cards[1], cards[-1]):
        for node in (asked.node("X-X", card), eq.poker.SolvedSpot(turn).node("X-X", card)):
            for name in ("ranges", "probabilities", "ev", "equity", "strategy", "action_ev"):
                np.testing.assert_array_equal(getattr(node, name), getattr(seen[card], name))


def test_the_table_of_either_player_has_none_where_nothing_is_known(river):
    node = eq.poker.SolvedSpot(river).node("X-B50")
    for player in range(2):
        table, columns = node.table(player), node.columns(player)
        assert list(table) == list(columns)
        assert [name for name, column in table.items() if name.startswith("ev ")] == (
            ["ev F", "ev C", "ev R170"] if player == node.player else []
        )
        assert all(
            value is None
            for value, ev in zip(table["ev"], columns["ev"], strict=True)
            if np.isnan(ev)
        )
        assert all(
            value == ev
            for value, ev in zip(table["ev"], columns["ev"], strict=True)
            if not np.isnan(ev)
        )
