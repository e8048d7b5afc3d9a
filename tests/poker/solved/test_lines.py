"""Hands dealt at a chosen decision: as often as a play comes there, and scored by what the best play would earn."""

import math
import random
from collections import Counter

import pytest

import equilibrist as eq
from equilibrist.evaluation.action_values import ActionValues
from equilibrist.games.compile import compile_any
from equilibrist.play.hand import Move, write_line
from equilibrist.play.lines import InfosetLine
from equilibrist.play.score import Grading, score
from equilibrist.play.session import Session
from equilibrist.play.training import size_groups
from equilibrist.poker.solved.infoset_names import split_infoset
from support.random_games import random_strategy

TURN = "holdem(board='AsKs7s2s', oop='QdQc,KdJh:0.5,9s8s', ip='JdJc,AdQh:0.75,TsTc', pot=100, stack=150, bets='50%; a')"
RIVER = TURN.replace("'AsKs7s2s'", "'AsKs7s2s3c'")


def uniform(turn):
    return random.Random(f"{turn.hand} {turn.infoset}").randrange(len(turn.actions))


def close(counts, expected, draws):
    """Whether counts are those of draws with probabilities, within 5 standard deviations each."""
    assert set(counts) <= {name for name, p in expected.items() if p > 0}
    for name, p in expected.items():
        assert abs(counts[name] - draws * p) <= 5 * math.sqrt(draws * p * (1 - p)) + 1e-9


def cards_of(session):
    """Return the cards that were dealt in the hand that is played."""
    return tuple(move.action for move in session.moves[:2])


@pytest.mark.slow
@pytest.mark.parametrize("tree", [True, False], ids=["tree", "tried"])
def test_infosets_are_dealt_as_often_as_a_play_comes_there(tree):
    """Kuhn: player 0 has passed and is bet at; chances by hand from what both do."""
    p = {
        "J": 0.9,
        "Q": 0.2,
        "K": 0.5,
        "Jp": 0.3,
        "Qp": 0.1,
        "Kp": 0.8,
    }  # of passing, of betting after a pass
    strategy = {
        key: {"pass": x, "bet": 1 - x} if len(key) == 1 else {"bet": x, "pass": 1 - x}
        for key, x in p.items()
    }
    if tree:
        session = Session("kuhn", against=strategy, missing="uniform", seed=5, line="?pb")
    else:
        session = Session("kuhn", against=strategy, missing="uniform", seed=5)
        form = compile_any("kuhn", form="public")
        strategy = {(len(key) - 1, key): row for key, row in strategy.items()}
        values = ActionValues(
            form, eq.Strategy.from_dict(strategy).at_slots(form, missing="uniform")
        )
        session.line = InfosetLine(session.playable, values, "?pb")
    draws, dealt = 1000, Counter()
    for _ in range(draws):
        session.deal()
        assert session.turn.seat == 0
        assert write_line(session.moves) == "pass-bet"
        dealt[cards_of(session)] += 1
        hand = session.take(0)
        assert hand.payoffs == (-1.0, 1.0)
    chance = {(a, b): p[a] * p[b + "p"] for a in "JQK" for b in "JQK" if a != b}
    close(dealt, {deal: x / sum(chance.values()) for deal, x in chance.items()}, draws)


def test_where_the_player_never_goes_the_others_decide():
    """Who never passes is dealt hands there all the same, in proportion to what the other does."""
    bets = {key: {"bet": 1.0, "pass": 0.0} for key in "JQK"}
    session = Session(
        "kuhn",
        against=bets | {"Jp": {"bet": 0.5, "pass": 0.5}},
        missing="uniform",
        seed=1,
        line="Qpb",
    )
    dealt = Counter()
    for _ in range(400):
        session.deal()
        dealt[cards_of(session)] += 1
        session.take(1)
    close(dealt, {("Q", "J"): 0.5, ("Q", "K"): 0.5}, 400)


@pytest.mark.thinned(2)
@pytest.mark.parametrize("line", ["Q", "?pb", "Kb", "*"])
def test_a_dealt_hand_adds_up_and_its_luck_is_fair(line):
    game = "leduc" if line == "*" else "kuhn"
    strategy = random_strategy(eq.compile_game(eq.load(game)).infosets, 3)
    session = Session(game, against=strategy, seed=2, line=line, seat=0 if line == "*" else None)
    values = session.action_values
    for _ in range(400):
        hand = session.play(uniform)
        first = hand.moves[hand.begun]
        assert hand.best_response_value == max(values.at(first.player, first.infoset))
        assert hand.payoff == pytest.approx(hand.best_response_value - hand.cost + hand.luck)
        assert all(
            move.mix == pytest.approx(tuple(strategy[move.player, move.infoset].values()))
            for move in hand.choices
        )
    totals = session.totals()
    assert totals["payoff"].total == pytest.approx(
        sum(totals[part].total for part in ("best play", "choices", "luck"))
    )
    assert abs(totals["luck"].mean) <= 4 * totals["luck"].error


def test_a_hand_is_broken_off_after_an_answer():
    session = Session("kuhn", against=eq.exact("kuhn"), seed=2, line="Qpb", answers=1)
    hand = session.play(lambda turn: turn.actions.index("fold"))
    assert (hand.payoff, hand.luck) == (None, None)
    assert hand.cost == pytest.approx(0, abs=1e-9)
    assert session.turn is None
    assert list(session.totals()) == ["best play", "choices"]


@pytest.fixture(scope="module")
def turn():
    return eq.solve(TURN, iterations=15)


@pytest.mark.slow
@pytest.mark.parametrize(("line", "board"), [("X-B50", None), ("X-X", "AsKs7s2s3c"), ("X-X", None)])
def test_a_line_of_a_spot_is_dealt_with_the_ranges_that_come_there(turn, line, board):
    """Against the ranges of the node, of all rivers where they are dealt."""
    session = Session(TURN, against=turn, seed=4, line=line, board=board, answers=1)
    draws, dealt = 600, Counter()
    for _ in range(draws):
        session.deal()
        own = dict(session.turn.table)["your hand"]
        dealt[own] += 1
        assert session.turn.infoset.endswith(line) or session.turn.infoset.endswith(line + " |")
        if board:
            assert dict(session.turn.table)["board"] == board
        session.take(0)
    spot, chance = eq.poker.SolvedSpot(turn), Counter()
    known = [line != "X-X" and None] if line != "X-X" else [board] if board else all_rivers()
    for river in known:
        node = spot.node(line, river or None)
        mass = (
            spot.form.blockers.mass_of_others(node.ranges, node.player) * node.ranges[node.player]
        )
        chance.update(dict(zip(node.hands[node.player], mass.tolist(), strict=True)))
    total = sum(chance.values())
    close(
        dealt, {hand: mass / total for hand, mass in chance.items() if mass > 1e-9 * total}, draws
    )


@pytest.mark.slow
@pytest.mark.parametrize("line", ["X", "B50"])
def test_pairs_of_hands_are_dealt_as_often_as_play_leads_there(line):
    """By hand over all pairs: weights × what who acts first plays; none that share a card."""
    game = (
        "holdem(board='AsKs7s2s3c', oop='QdQc,JhJd:0.5,9s8s', ip='QdJc,QcJs:0.5,TsTc', "
        "pot=100, stack=150, bets='50%')"
    )
    solution = eq.solve(game, iterations=3)
    session = Session(game, against=solution, seed=6, line=line, answers=1)
    draws, dealt = 800, Counter()
    for _ in range(draws):
        session.deal()
        dealt[cards_of(session)] += 1
        session.take(0)
    first = {"QdQc": 1.0, "JhJd": 0.5, "9s8s": 1.0}
    second = {"QdJc": 1.0, "QcJs": 0.5, "TsTc": 1.0}
    chance = {
        (one, other): p * q * solution.strategy[0, f"{one} AsKs7s2s3c"][line]
        for one, p in first.items()
        for other, q in second.items()
        if not {one[:2], one[2:]} & {other[:2], other[2:]}
    }
    assert len(chance) == 7
    total = sum(chance.values())
    close(dealt, {pair: mass / total for pair, mass in chance.items()}, draws)
    for seat in range(2):  # of which there are fewer, so that less is left to luck
        of_seat, expected = Counter(), Counter()
        for pair, count in dealt.items():
            of_seat[pair[seat]] += count
        for pair, mass in chance.items():
            expected[pair[seat]] += mass / total
        close(of_seat, expected, draws)


@pytest.mark.slow
def test_actions_after_a_card_that_is_dealt_count_as_well(turn):
    """By hand over all pairs and rivers: weights × what both play on the turn and on each river."""
    line = "X-X | X"
    session = Session(TURN, against=turn, seed=8, line=line, answers=1)
    draws, dealt = 400, Counter()
    for _ in range(draws):
        session.deal()
        dealt[cards_of(session)[0]] += 1  # of who has acted on the river
        session.take(0)
    spot, chance = eq.poker.SolvedSpot(turn), Counter()
    first = {"QdQc": 1.0, "KdJh": 0.5, "9s8s": 1.0}
    second = {"JdJc": 1.0, "AdQh": 0.75, "TsTc": 1.0}
    for board in all_rivers():
        for one, p in first.items():
            for other, q in second.items():
                held = {one[:2], one[2:], other[:2], other[2:]}
                odds = 0.0 if board[-2:] in held else p * q
                for node, action in spot.game.tree.path(line) if odds else ():
                    shown = board[:8] if node.line in ("", "X") else board
                    odds *= spot.mix(node.line, shown, (one, other)[node.player])[action]
                chance[one] += odds
    total = sum(chance.values())
    close(dealt, {hand: mass / total for hand, mass in chance.items()}, draws)


def all_rivers():
    shown = {"As", "Ks", "7s", "2s"}
    return [
        "AsKs7s2s" + rank + suit
        for rank in "23456789TJQKA"
        for suit in "cdhs"
        if rank + suit not in shown
    ]


def test_hands_of_a_line_of_a_spot_add_up(turn):
    session = Session(TURN, against=turn, seed=4, line="X-X")
    for _ in range(6):
        hand = session.play(uniform)
        assert hand.payoff == pytest.approx(hand.best_response_value - hand.cost + hand.luck)
        assert sum(hand.payoffs) == pytest.approx(0)  # beyond half the pot each
        assert write_line(hand.moves).startswith("X-X | ")


def test_only_some_hands_are_dealt(turn):
    session = Session(TURN, against=turn, seed=4, line="X", dealt="TT", answers=1)
    session.deal()
    assert dict(session.turn.table)["your hand"] == "TsTc"


@pytest.mark.parametrize(
    ("game", "line", "more", "message"),
    [
        ("kuhn", "Qpbb", {}, "kuhn has no infoset 'Qpbb'.*'Qpb'"),
        ("kuhn", "?", {"seat": 1}, "player 1 of kuhn has no infoset"),
        ("kuhn", "*b", {}, "players 0 and 1 of kuhn; give a seat"),
        ("kuhn", "Q", {"board": "2c"}, "belong to spots"),
        (TURN, "X-C", {}, "the actions after 'X' are"),
        (TURN, "B50-F", {}, "the hand is over"),
        (TURN, "X-X", {"board": "2s"}, "board"),
        (TURN, "X", {"dealt": "22"}, "Nobody comes to 'X' with 22"),
        (TURN, "X", {"dealt": "22\n"}, "Nobody comes to 'X' with 22 with"),  # in one line
    ],
)
def test_lines_refused(game, line, more, message):
    with pytest.raises(eq.EquilibristError, match=message):
        Session(game, against={}, missing="uniform", line=line, **more)


@pytest.mark.slow
def test_two_strategies_of_a_spot_are_not_written_out(turn):
    """A match on a turn is played by the rules; its exact value is that of the profile on the tree of all histories."""
    other = eq.solve(TURN, iterations=2)
    match = eq.play_match(TURN, turn, against=other, hands=200, seed=3)
    assert match.sampled == "rules"
    form = compile_any(TURN, form="sequence")
    for seat, payoff in match.seats.items():
        sides = [other.strategy.at_slots(form), turn.strategy.at_slots(form)]
        mixed = form.with_player(sides[0], sides[1], seat)
        assert payoff.exact == pytest.approx(
            eq.evaluate(form, eq.Strategy.from_form(form, mixed)).value[seat], abs=1e-6
        )
    assert abs(match.overall.z_score) < 4


def test_scores_of_choices():
    """By hand: costs 0, 1 and 3 of stakes 2, 2 and 4, in units of 10; what is lost by rounding is no mistake."""

    def move(*values, taken=0):
        return Move(0, "I", tuple("abc"[: len(values)]), taken, action_values=values)

    grading = Grading(10.0)
    kept, grades = score([move(2.0, 0.0), move(1.0, 2.0, 0.0), move(-3.0, 0.0, -4.0)], grading)
    assert kept == pytest.approx(1 - 4 / 8)
    assert grades == {"best": 1, "inaccuracy": 0, "mistake": 0, "blunder": 2}
    assert score([move(1.0, 1.001)], grading) == (
        1.0,
        {"best": 1, "inaccuracy": 0, "mistake": 0, "blunder": 0},
    )
    assert score([Move(0, "I", ("a", "b"), 0)], grading)[0] == 1.0
    assert grading.grade(Move(0, "I", ("a", "b"), 0)) is None
    costs = (0.01, 0.011, 0.1, 0.11, 0.5, 0.51)
    assert [grading.grade(move(0.0, cost)) for cost in costs] == [0, 1, 1, 2, 2, 3]
    assert grading.note is None


def test_grades_are_no_finer_than_the_strategy():
    """By hand: an exploitability of 0.2 in a pot of 10 is 2 %; what the strategy plays by 3 % is no mistake."""
    coarse = Grading(10.0, exploitability=0.2)
    costs = (0.011, 0.2, 0.21, 0.5, 0.51)
    choices = [Move(0, "I", ("a", "b"), 0, action_values=(0.0, cost)) for cost in costs]
    assert [coarse.grade(choice) for choice in choices] == [0, 0, 2, 2, 3]
    assert "exact to 0.2 a hand" in coarse.note
    assert [
        coarse.grade(choices[-1]._replace(mix=(share, 1 - share))) for share in (0.03, 0.029)
    ] == [0, 3]


def test_no_choice_of_a_solution_is_a_mistake():
    """Every action that a rough solution of a turn plays by 3 % or more is graded best, whatever it costs."""
    rough = eq.solve(TURN, iterations=20)
    session = Session(TURN, against=rough, line="", answers=1, seed=1)
    assert session.grading.exploitability == pytest.approx(rough.exploitability)
    finest, dear = Grading(session.grading.unit), 0
    for _ in range(20):
        session.deal()
        (choice,) = session.take(0).choices
        for taken, share in enumerate(choice.mix):
            if share >= 0.03:
                played = choice._replace(taken=taken)
                assert session.grading.grade(played) == 0
                dear += played.cost > finest.limits[0]
    assert dear > 0


def test_any_decision_of_a_spot_is_dealt(turn):
    """Each street equally often, and of a street each of its lines that play comes to."""
    session = Session(TURN, against=turn, seed=1, line="*", answers=1)
    lines, boards = Counter(), Counter()
    for _ in range(120):
        hand = session.play(lambda turn: 0)
        _, board, line = split_infoset(hand.choices[0].infoset)
        lines[line] += 1
        boards[len(board)] += 1
    assert boards[8] + boards[10] == 120
    assert 0.35 <= boards[8] / 120 <= 0.65  # turn and river
    assert len(lines) > 5
    some = Session(TURN, against=turn, seed=1, line="X*", answers=1)
    for _ in range(20):
        assert split_infoset(some.play(lambda turn: 0).choices[0].infoset)[2].startswith("X")
    with pytest.raises(eq.GameError, match="No line of the spot fits 'Z\\*'"):
        Session(TURN, against=turn, line="Z*")
    with pytest.raises(eq.AlgorithmError, match="A board belongs to one line"):
        Session(TURN, against=turn, line="*", board="2s3h4d6c")


def test_any_decision_of_any_player_is_dealt():
    session = Session("kuhn", seed=1, line="*", answers=1)
    seats = Counter(session.play(lambda turn: 0).seat for _ in range(60))
    assert 18 <= seats[0] <= 42
    assert Session("kuhn", seed=1, line="*", seat=1).play(lambda turn: 0).seat == 1


def test_costs_are_dealt_in_proportion(turn):
    first = Session(TURN, against=turn, seed=3, line="*", answers=1)
    names = [first.play(lambda turn: 0).choices[0] for _ in range(2)]
    costs = {
        (names[0].player, names[0].infoset): 3.0,
        (None, names[1].infoset): 1.0,
        (0, "AsAh 2c3c4c5c X"): 1.0,
    }
    drill = Session(TURN, against=turn, seed=4, line=costs, answers=1)
    dealt = Counter(drill.play(lambda turn: 0).choices[0].infoset for _ in range(80))
    assert set(dealt) == {name.infoset for name in names}
    assert dealt[names[0].infoset] == pytest.approx(60, abs=14)
    with pytest.raises(eq.GameError, match="no decision that costs anything; play some hands"):
        Session("kuhn", line={})
    kuhn = Session("kuhn", line={(1, "Jp"): 1.0}, answers=1).play(lambda turn: 0)
    assert kuhn.choices[0].infoset == "Jp"


def test_a_group_of_sizes_stands_for_what_the_strategy_plays_most():
    game = RIVER.replace("'50%; a'", "'33%, 75%; a'")
    session = Session(game, against=eq.solve(game, iterations=60), seed=1, line="", answers=1)
    for _ in range(20):
        session.deal()
        mix = session.strategy.probabilities_at(
            (0, session.turn.infoset), session.turn.actions, game
        )
        groups = size_groups(session.turn.actions)
        (bets,) = (numbers for name, numbers in groups.items() if name == "bet")
        chosen = session.preferred(bets)
        if max(mix[number] for number in bets) >= 0.03:
            assert mix[chosen] == max(mix[number] for number in bets)
        hand = session.take(chosen)
        if mix[chosen] < 0.03:
            values = hand.choices[0].action_values
            assert values[chosen] == max(values[number] for number in bets)
