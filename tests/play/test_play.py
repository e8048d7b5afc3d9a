"""Hands against a strategy: what choices cost, luck told apart, nothing hidden shown; and two strategies in a match."""

import io
import json
import math
import re
import subprocess
import sys
from zlib import crc32

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.evaluation.action_values import ActionValues
from equilibrist.game.action_names import find_action
from equilibrist.game.protocol import CHANCE, TERMINAL
from equilibrist.play.session import Session, average
from support.command import Ran, call, start
from support.random_games import RandomGame, random_strategy
from support.reference import best_response, unfold, values

# The equilibrium of Kuhn poker in which player 0 never bluffs; player 1 has only one.
KUHN = {
    **{"J": {"p": 1, "b": 0}, "Q": {"p": 1, "b": 0}, "K": {"p": 1, "b": 0}},
    **{"Jpb": {"p": 1, "b": 0}, "Qpb": {"p": 2 / 3, "b": 1 / 3}, "Kpb": {"p": 0, "b": 1}},
    **{"Jp": {"p": 2 / 3, "b": 1 / 3}, "Qp": {"p": 1, "b": 0}, "Kp": {"p": 0, "b": 1}},
    **{"Jb": {"p": 1, "b": 0}, "Qb": {"p": 2 / 3, "b": 1 / 3}, "Kb": {"p": 0, "b": 1}},
}


def ended_with(typed, *args):
    """Run the command in a process of its own, with these bytes typed in."""
    process = start(*args, stdin=subprocess.PIPE)
    out, err = process.communicate(typed, timeout=60)
    return Ran(process.returncode, out.decode(), err.decode()).checked()


def by_name(*names):
    """Return a player who takes these actions in turn."""
    waiting = list(names)
    return lambda turn: find_action(waiting.pop(0), turn.actions)


def fixed(turn):
    """Return what a fixed, thoughtless strategy does at an infoset."""
    return crc32(f"{turn.seat} {turn.infoset}".encode()) % len(turn.actions)


def every_hand(session, choose):
    """Iterate over all hands that can happen in a seat, as (probability, hand): all outcomes that may be drawn."""
    waiting = [()]
    while waiting:
        prefix = waiting.pop()
        taken, chance = [], 1.0

        def draw(odds, prefix=prefix, taken=taken):
            nonlocal chance
            if len(taken) < len(prefix):
                number = prefix[len(taken)]
            else:
                number, *others = (i for i, odd in enumerate(odds) if odd > 0)
                waiting.extend((*taken, other) for other in others)
            chance *= odds[number]
            taken.append(number)
            return number

        hand = session.play(choose, draw=draw)
        yield chance, hand


def forced(*names):
    """Return a draw that makes these outcomes happen, given by number."""
    waiting = list(names)
    return lambda odds: waiting.pop(0)


@pytest.mark.slow
def test_where_the_linear_programme_fails_the_opponent_is_found_by_cfr():
    session = Session("matrix(payoffs=[[1e15, 0], [0, 1]])", seat=0, seed=0)
    assert session.opponent.startswith("plays what ")


# --- What a choice costs ---


@pytest.mark.parametrize(
    ("against", "seat", "drawn", "choices", "action_values", "cost"),
    [
        # Q is dealt a J or a K. Passing: +1 if J passes (2/3), else folding and calling are both worth -1.
        (KUHN, 0, (1, 1, 1), "pp", [(-1 / 3, -1 / 2), (-1, -1)], 0),
        (KUHN, 0, (1, 0, 0), "b", [(-1 / 3, -1 / 2)], 1 / 6),
        # Folding a king to a bet gives up 2 chips won and loses one: 3.
        (KUHN, 0, (2, 0, 1), "pp", [(7 / 6, 7 / 6), (-1, 2)], 3),
        (KUHN, 0, (0, 1, 1), "pb", [(-1, -1), (-1, -2)], 1),
        ({}, 0, (2, 0, 1), "pp", [(5 / 4 + 1 / 4, 3 / 2), (-1, 2)], 3),
        # Against uniform play a queen that bets wins the pot every other time, and else breaks even.
        ({}, 0, (1, 1, 0), "p", [(0, 1 / 2)], 1 / 2),
        ({}, 1, (0, 1, 1), "p", [(-1, 2)], 3),
    ],
)
def test_costs_are_those_computed_by_hand(against, seat, drawn, choices, action_values, cost):
    session = Session("kuhn", against=against, missing="uniform", seat=seat, seed=0)
    hand = session.play(by_name(*choices), draw=forced(*drawn))
    own = [move for move in hand.moves if move.player == seat]
    for move, expected in zip(own, action_values, strict=True):
        assert move.action_values == pytest.approx(expected, abs=1e-12)
    assert hand.cost == pytest.approx(cost, abs=1e-12)


def test_best_replies_are_named():
    session = Session("kuhn", against=KUHN, seat=0, seed=0)
    hand = session.play(by_name("p", "p"), draw=forced(2, 0, 1))
    first, last = (move for move in hand.moves if move.player == 0)
    assert (first.best, last.best, last.action, last.cost) == (
        ("pass", "bet"),
        ("call",),
        "fold",
        pytest.approx(3),
    )
    (opponent,) = (move for move in hand.moves if move.player == 1)
    assert (opponent.infoset, opponent.probabilities) == ("Jp", pytest.approx((2 / 3, 1 / 3)))
    assert (opponent.cost, opponent.best) == (None, ())


GAMES = [
    "kuhn",
    "kuhn(cards=4, players=3)",
    "liars_dice(faces=2)",
    "goofspiel(cards=3)",
    "matrix(payoffs=[[3, 0], [5, 1]], payoffs2=[[3, 5], [0, 1]])",
    *(RandomGame(seed, zero_sum=False, ties=False) for seed in range(6)),
]


@pytest.mark.parametrize("spec", GAMES, ids=str)
def test_luck_is_fair_over_all_hands_that_can_happen(spec):
    """Exactly: payoff = best play - costs + luck in each hand, and luck is 0 on average whatever the player does."""
    game = eq.load(spec)
    strategy = random_strategy(eq.compile_game(game).infosets, 5)
    root = unfold(game)
    for seat in range(game.players):
        session = Session(game, against=strategy, seat=seat, seed=0)
        hands = list(every_hand(session, fixed))
        best = best_response(root, strategy, player=seat)[1]
        assert math.fsum(chance for chance, _ in hands) == pytest.approx(1, abs=1e-12)
        for _, hand in hands:
            assert hand.best_response_value == pytest.approx(best, abs=1e-12)
            assert hand.payoff == pytest.approx(
                hand.best_response_value - hand.cost + hand.luck, abs=1e-12
            )
            assert all(move.cost >= 0 for move in hand.moves if move.player == seat)
        assert math.fsum(chance * hand.luck for chance, hand in hands) == pytest.approx(
            0, abs=1e-12
        )
        # What the player earns on average, by plain recursion, is the best value less the costs.
        own = {
            (seat, key): {action: float(i == fixed(turn)) for i, action in enumerate(actions)}
            for player, key, actions in eq.compile_game(game).infosets
            if player == seat
            for turn in [type("Turn", (), {"seat": seat, "infoset": key, "actions": actions})]
        }
        earned = values(root, strategy | own)[seat]
        assert best - math.fsum(chance * hand.cost for chance, hand in hands) == pytest.approx(
            earned, abs=1e-12
        )


@pytest.mark.slow
def test_luck_is_fair_in_hands_that_are_drawn():
    session = Session(
        "leduc", against=random_strategy(eq.compile_game(eq.load("leduc")).infosets, 1), seed=11
    )
    for _ in range(3_000):
        session.play(fixed)
    totals = session.totals()
    assert abs(totals["luck"].mean) < 4 * totals["luck"].error
    parts = totals["best play"].mean + totals["choices"].mean + totals["luck"].mean
    assert totals["payoff"].mean == pytest.approx(parts, abs=1e-12)
    assert totals["payoff"].total == sum(hand.payoff for hand in session.hands)


@pytest.mark.slow
def test_without_luck_less_hands_are_needed():
    session = Session("leduc", seat=0, seed=2)
    for _ in range(1_000):
        session.play(by_name(*"ccccc"))
    totals = session.totals()
    assert totals["choices"].error < totals["payoff"].error / 2
    exact = eq.play_match(
        "leduc",
        {key: {"c": 1.0} for _, key in eq.exact("leduc").strategy},
        against=session.strategy.strategy,
        hands=2,
        seat=0,
    ).overall.exact
    assert (
        abs(totals["best play"].mean + totals["choices"].mean - exact) < 4 * totals["choices"].error
    )


def test_average():
    assert average([1.0, 2.0, 6.0]) == (9, 3, pytest.approx(math.sqrt(14 / 2 / 3)))
    assert average([5.0]) == (5, 5, None)


@pytest.mark.thinned(4)
@pytest.mark.parametrize(
    "spec", ["kuhn(cards=5)", "leduc", "liars_dice(faces=3)", "leduc(ranks=4, raises=1)"]
)
def test_public_states_know_the_same(spec):
    game = eq.load(spec)
    written, public = eq.compile_game(game, keep_tree=True), eq.compile_public(game.public_states())
    strategy = random_strategy(written.infosets, 3)
    one, other = (
        ActionValues(form, eq.Strategy.from_dict(strategy).at_slots(form))
        for form in (written, public)
    )
    assert one.certificate.best_response_value == pytest.approx(
        other.certificate.best_response_value, abs=1e-12
    )
    for player, key, _ in written.infosets:
        assert one.at(player, key) == pytest.approx(other.at(player, key), abs=1e-9)


def test_nothing_is_worth_anything_where_the_others_never_lead():
    form = eq.compile_game(eq.load("kuhn"), keep_tree=True)
    known = ActionValues(
        form,
        eq.Strategy.from_dict(
            {(int(len(key) == 2), key): row for key, row in KUHN.items()}
        ).at_slots(form),
    )
    assert known.at(1, "Jb") is None  # player 0 never bets
    assert known.certificate.value == pytest.approx((-1 / 18, 1 / 18))


# --- Seats, seeds, and what is seen ---


def test_every_player_in_turn():
    session = Session("kuhn(players=3)", against={}, missing="uniform", seed=4)
    seats = [session.play(fixed).seat for _ in range(7)]
    assert seats == [0, 1, 2, 0, 1, 2, 0]
    for hand in session.hands:
        assert {move.player for move in hand.moves if move.action_values} <= {hand.seat}
        assert {move.player for move in hand.moves if move.probabilities and move.infoset} <= {
            0,
            1,
            2,
        } - {hand.seat}
        assert sum(hand.payoffs) == 0


def test_the_seed_decides_each_hand_by_itself():
    def dealt(choose, seed):
        session = Session("kuhn", against=KUHN, seed=seed)
        return [
            [move.action for move in session.play(choose).moves if move.player == CHANCE]
            for _ in range(20)
        ]

    assert dealt(fixed, 1) == dealt(lambda turn: 0, 1)
    assert dealt(fixed, 1) != dealt(fixed, 2)
    assert Session("kuhn", against=KUHN).seed != Session("kuhn", against=KUHN).seed


@pytest.mark.slow
def test_draws_have_the_probabilities_asked_for():
    session = Session("kuhn", against=KUHN, seat=1, seed=3)
    dealt = [session.play(lambda turn: 0).moves[:2] for _ in range(6_000)]
    for hand in range(2):
        counts = np.unique([moves[hand].action for moves in dealt], return_counts=True)[1]
        assert np.abs(counts - 2_000).max() < 4 * math.sqrt(6_000 * 2 / 9)


@pytest.mark.thinned(12)
@pytest.mark.parametrize(
    "spec",
    [
        "kuhn",
        "kuhn(players=3)",
        "leduc",
        "leduc(players=3, raises=1)",
        "no_limit_leduc(stack=4)",
        "liars_dice(dice=(1, 2), faces=2)",
        "goofspiel(prizes='random', cards=3)",
        "goofspiel(hidden=False)",
        "battleship(ships=(2, 1), shots=2)",
        "mini_euchre",
    ],
)
def test_the_table_says_nothing_that_the_infoset_does_not(spec):
    game, seen, waiting = eq.load(spec), {}, []
    waiting.append(game.start())
    while waiting:
        state = waiting.pop()
        player = game.player(state)
        if player >= 0:
            rows = game.table(state, player)
            assert seen.setdefault((player, game.infoset(state)), rows) == rows
        waiting.extend(
            game.next(state, action)
            for action in (game.actions(state) if player != TERMINAL else [])
        )
    assert len(seen) == len(eq.compile_game(game).infosets)


@pytest.mark.slow
def test_the_table_of_poker():
    session = Session("no_limit_leduc(stack=6)", against={}, missing="uniform", seat=1, seed=0)
    turns = []

    def choose(turn):
        turns.append(turn)
        return find_action("c", turn.actions)

    session.play(
        choose, draw=forced(2, 1, 1, 0, 0)
    )  # K and Q are dealt; c by player 0 (c, r2 …: r2); then J is turned
    first, second = turns
    assert dict(first.table) == {
        "your card": "Q",
        "public card": "not turned yet",
        "pot": "3",
        "paid": "player 0 2, you 1",
        "you have left": "5",
    }
    assert dict(second.table)["public card"] == "J"
    assert dict(second.table)["pot"] == "4"


# --- In the terminal ---


@pytest.fixture
def answer(capsys, monkeypatch, somewhere):
    """Give a function that runs ``equilibrist play`` with these lines typed in."""

    def run(lines, *args):
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines) if isinstance(lines, str) else lines)
        return call(capsys, "play", *args)

    return run


@pytest.fixture
def kuhn(tmp_path):
    """Write Kuhn's equilibrium to a file."""
    path = tmp_path / "kuhn.csv"
    eq.Strategy.from_dict({(int(len(key) == 2), key): row for key, row in KUHN.items()}).write_csv(
        path
    )
    return path


def test_hands_in_the_terminal(answer, kuhn):
    ran = answer("p\np\np\nq\n", "kuhn", "--against", kuhn, "--seat", 0, "--seed", 4)
    assert (ran.code, ran.err) == (0, "")
    out = ran.out
    assert (
        out.index("Hand 1: you are player 0") < out.index("Your move: p") < out.index("The hand: ")
    )
    assert "hands played, --seed 4." in out or "1 hand played, --seed 4." in out
    assert "Without luck: " in out
    for word in ("payoff", "= best play", "+ your choices", "+ luck", "best response", "cost"):
        assert word in out


@pytest.mark.parametrize(
    "game", ["kuhn", "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10)"]
)
def test_a_run_stands_for_its_game_and_its_strategy(answer, game):
    """Also the part of a hand that was solved again, which has no name that could be typed."""
    solution = eq.solve(game, iterations=50)
    part = solution if game == "kuhn" else eq.resolve(solution, "X", iterations=50)
    part.save("run")
    told = answer("", "run", "--as", "run", "--hands", 100, "--seed", 1, "--json").json
    assert [seat["exact"] for seat in told["seats"]] == pytest.approx(list(part.value), abs=1e-5)
    ran = answer("q\n", "run", "--seed", 4)
    assert ran.code == 0
    assert "Your opponent plays run." in ran.out


def test_wrong_answers_are_asked_again(answer, kuhn):
    ran = answer("z\n\n9\n?\nP\n2\n\x1b[2J\nq\n", "kuhn", "--against", kuhn, "--seed", 4)
    assert ran.code == 0
    assert "No action is called 'z'. There is pass, bet. ? helps, q leaves." in ran.out
    assert "No action is called '9'." in ran.out
    assert "the highest card wins" in ran.out
    assert "\x1b[2J" not in ran.out  # nor can a typed answer move the cursor


def test_actions_that_are_numbers_are_no_places_in_the_list(answer):
    ran = answer("5\n4\n4\n1\n3\nq\n", "goofspiel(cards=4)", "--seat", 0, "--seed", 1)
    assert ran.code == 0
    assert "No action is called '5'." in ran.out
    assert "The hand: you 4" in ran.out
    assert "No action is called '4'. There is 1, 2, 3." in ran.out


def test_a_player_who_is_not_asked_can_leave(answer):
    game = "kuhn(pass_ends=True)"  # where player 1 is not asked if player 0 passes, as with a queen
    ran = answer("\n\n\nq\nq\n", game, "--seat", 1, "--seed", 1)
    assert ran.code == 0
    assert "and were not asked." in ran.out
    assert "Enter deals the next hand, q leaves: " in ran.out
    ran = answer("", "kuhn(pass_ends=True)", "--seat", 1, "--seed", 1, "--hands", 1)
    assert (ran.code, "Enter deals" in ran.out) == (0, False)


def test_many_actions_name_the_nearest(answer):
    ran = answer("bet to 99\nzzz\nq\n", "no_limit_leduc(stack=9)", "--seat", 0, "--seed", 1)
    assert "No action is called 'bet to 99'. Did you mean 'bet to 9'" in ran.out
    assert "No action is called 'zzz'. There are 9, from 'check' to 'bet to 9'." in ran.out


def last_table(spec, *moves):
    """Return what the mover sees after these moves, given by their labels."""
    game = eq.load(spec)
    state = game.start()
    for move in moves:
        actions = game.actions(state)
        state = game.next(
            state, actions[find_action(move, [game.action_label(state, a) for a in actions])]
        )
    return dict(game.table(state, game.player(state)))


def test_the_tables_of_other_games():
    assert last_table("liars_dice(dice=(1, 2))", "5", "6", "3", "1x2", "2x5") == {
        "your dice": "5",
        "dice in all": "3",
        "bids": "you 1x2, player 1 2x5",
    }
    assert last_table("goofspiel", "3", "4", "2", "1", "1") == {
        "prize": "2",
        "your cards": "2 3",
        "points": "you 4, player 0 3",
    }
    assert last_table("battleship(ships=(2,))", "a1-a2", "a1-b1", "a1", "b2", "a2") == {
        "your ships": "a1-b1",
        "you shot": "b2 water",
        "shot at you": "a1 hit, a2 water",
    }
    assert last_table("mini_euchre", "QsAs", "JsKs", "QcKc", "JcAc", "As", "Js", "Kc") == {
        "your cards": "JcAc",
        "your partner": "player 1",
        "trump": "spades",
        "this trick": "player 0 As, player 1 Js, player 2 Kc",
        "tricks": "your team 0, the others 0",
    }


@pytest.mark.slow
@pytest.mark.parametrize("width", [60, 80])
def test_narrow_terminals_cut_nothing_off(answer, monkeypatch, tmp_path, width):
    monkeypatch.setenv("COLUMNS", str(width))
    (tmp_path / "none.csv").write_text("player,infoset,action,probability\n")
    options = (
        "--against",
        tmp_path / "none.csv",
        "--missing",
        "uniform",
        "--seat",
        0,
        "--seed",
        1,
        "--hands",
        1,
    )
    ran = answer("1x1\nliar\n", "liars_dice", *options)
    assert max(map(len, ran.out.splitlines())) <= width
    assert "  8 2x2 " in ran.out  # a number stays beside its action
    heading, own = re.search(r"(.*cost) *\n.*\n( you .*)", ran.out).groups()
    assert heading.startswith(" player ┃ knew")
    assert re.fullmatch(r" you +│ 4 +│ 1x1 .*│ 1x1 +│ \S+ +│ \d\.\d{3} *", own)
    assert "…" not in ran.out


def test_what_is_known_is_shown_whole(answer, tmp_path):
    (tmp_path / "long.py").write_text(
        "from equilibrist import TERMINAL\n"
        "class Long:\n"
        "    players = 1\n"
        "    start = staticmethod(lambda: '')\n"
        "    player = staticmethod(lambda state: TERMINAL if state else 0)\n"
        "    actions = staticmethod(lambda state: 'ab')\n"
        "    next = staticmethod(lambda state, action: action)\n"
        "    infoset = staticmethod(lambda state: 'x' * 300 + 'END')\n"
        "    probabilities = staticmethod(lambda state: [])\n"
        "    payoffs = staticmethod(lambda state: [float(state == 'a')])\n"
    )
    ran = answer("a\n", f"{tmp_path / 'long.py'}:Long", "--hands", 1)
    before, _, _ = ran.out.partition("Your move")
    assert (before.count("x"), before.count("END")) == (300, 1)


def test_zeros_have_no_sign(answer):
    out = answer("rock\n", "rps", "--hands", 1, "--seat", 0).out
    assert "rock 0.000" in out
    assert "paper 0.000" in out
    assert "-0.000" not in out


@pytest.mark.thinned(12)
@pytest.mark.parametrize("seed", range(12))
def test_the_cards_of_others_are_not_shown_before_the_end(answer, kuhn, seed):
    ran = answer(
        "p\np\np\n",
        "kuhn(players=3)",
        "--missing",
        "uniform",
        "--hands",
        1,
        "--seat",
        1,
        "--seed",
        seed,
    )
    before, _, after = ran.out.partition("The hand: ")
    cards = re.match(r"\[(\w)\] \[(\w)\] \[(\w)\]", after).groups()
    assert re.search(rf"your card +{cards[1]}\b", before)
    for other in (cards[0], cards[2]):
        assert not re.search(rf"\b{other}[pb]*\b", before)


class _Interrupted(io.StringIO):
    """Somebody who presses Ctrl-C after these lines."""

    def readline(self, *args):
        line = super().readline(*args)
        if not line:
            raise KeyboardInterrupt
        return line


@pytest.mark.parametrize("source", [io.StringIO, _Interrupted])
def test_leaving_without_a_word(answer, kuhn, source):
    ran = answer(source("p\np\n"), "kuhn", "--against", kuhn, "--seat", 0, "--seed", 4)
    assert (ran.code, ran.err) == (0, "")
    assert "1 hand played" in ran.out
    why = "The input ended" if source is io.StringIO else "Interrupted"
    answer(source(""), "kuhn", "--against", kuhn).fails(
        1, f"Error: {why} before a hand was played to its end."
    )
    ran = answer(
        source(""), "kuhn", "--against", kuhn, "--json"
    )  # the dialogue is on standard error
    assert (ran.code, ran.json) == (1, {"error": f"{why} before a hand was played to its end."})


def test_leaving_at_once_is_no_mistake(answer, kuhn):
    ran = answer("q\n", "kuhn", "--against", kuhn)
    assert (ran.code, ran.err) == (0, "")
    assert "No hand was played to its end." in ran.out


def test_json_of_hands(answer, kuhn):
    ran = answer("p\np\nq\n", "kuhn", "--against", kuhn, "--seat", 0, "--seed", 4, "--json")
    table = ran.json
    assert (table["seed"], table["hands"], table["opponent"]) == (4, 1, str(kuhn))
    (hand,) = table["played"]
    assert hand["payoff"] == pytest.approx(
        hand["best_response_value"] - hand["cost"] + hand["luck"]
    )
    assert hand["moves"][2]["infoset"] == "Q"
    assert table["totals"]["payoff"]["mean"] == hand["payoff"]


def test_training_in_the_terminal(answer, kuhn):
    """A king that faces a bet: folding costs 3, the pot of 1 and the 2 of the call."""
    ran = answer("f\nf\nc\nq\n", "kuhn", "--against", kuhn, "--from", "Kpb", "--seed", 4)
    assert ran.code == 0
    assert "Hands are dealt at Kpb" in ran.out
    assert ran.out.count("The hand ends with your answer.") == 3
    assert "Score: 33.3% of what was at stake; 1 best, 2 blunder." in ran.out
    assert "Without luck" not in ran.out
    ran = answer(
        "c\nc\n", "kuhn", "--against", kuhn, "--from", "?pb", "--answers", 5, "--hands", 2, "--json"
    )
    assert (
        ran.json["totals"]["payoff"]["mean"]
        == sum(hand["payoff"] for hand in ran.json["played"]) / 2
    )
    assert {hand["begun"] for hand in ran.json["played"]} == {4}


def test_wrong_use(answer, kuhn, tmp_path):
    answer("", "kuhn", "--against", kuhn, "--from", "Z").fails(2, "kuhn has no infoset 'Z'")
    answer("", "kuhn", "--against", kuhn, "--as", kuhn, "--from", "Kpb").fails(
        2, "--from trains you"
    )
    answer("", "kuhn", "--against", kuhn, "--seat", 7).fails(
        2, "kuhn has the seats 0 to 1; got seat 7."
    )
    answer("", "kuhn", "--against", kuhn, "--seed", -1).fails(2, "seed must be a whole number")
    answer("", "kuhn", "--against", kuhn, "--hands", 0).fails(2, "--hands")
    answer("", "kuhn", "--against", kuhn, "--missing", "best").fails(
        2, "missing must be None or 'uniform'; got 'best'."
    )
    answer("", "kuhn", "--against", "nowhere").fails(2, "nowhere")
    answer("", "khun", "--against", kuhn).fails(2, "Did you mean 'kuhn'?")
    eq.solve("leduc", iterations=1, save=tmp_path / "run")
    answer("", "kuhn", "--against", tmp_path / "run").fails(
        1, "run, a run of leduc: The strategy names infosets"
    )
    lines = kuhn.read_text().splitlines()
    (tmp_path / "part.csv").write_text("\n".join(lines[:9]))
    answer("", "kuhn", "--against", tmp_path / "part.csv").fails(
        1, "lacks 8 of the 12 infosets of kuhn"
    )
    assert (
        answer("q\n", "kuhn", "--against", tmp_path / "part.csv", "--missing", "uniform").code == 0
    )


def test_a_game_that_cannot_be_compiled_is_played_all_the_same(answer, kuhn):
    ran = answer(
        "p\np\np\n",
        "kuhn",
        "--against",
        kuhn,
        "--max-histories",
        9,
        "--hands",
        1,
        "--seat",
        0,
        "--seed",
        4,
    )
    assert ran.code == 0
    assert "Costs are unknown" in ran.out
    assert "more than 9 histories" in " ".join(ran.out.split())
    assert "payoff" in ran.out
    assert "luck" not in ran.out
    ran = answer(
        "1\n1\n1\n1\n1\n",
        "leduc",
        "--against",
        kuhn,
        "--max-histories",
        9,
        "--hands",
        1,
        "--seed",
        4,
    )
    assert "(unknown to it: uniform)" in ran.out
    ran = answer("p\np\np\n", "kuhn", "--max-histories", 9, "--hands", 1, "--seed", 4)
    assert "plays uniformly at random" in ran.out


class Tabled:
    """A game whose table cannot be described."""

    players = 1
    start = staticmethod(lambda: "")
    player = staticmethod(lambda state: TERMINAL if state else 0)
    actions = staticmethod(lambda state: "ab")
    probabilities = staticmethod(lambda state: [])
    next = staticmethod(lambda state, action: action)
    payoffs = staticmethod(lambda state: [state == "a"])
    infoset = staticmethod(lambda state: "pick")

    def __init__(self, table):
        self.table = table


def test_a_game_for_one_and_its_table():
    with pytest.raises(eq.GameError, match=r"Tabled: its table\(\) failed with TypeError"):
        Session(Tabled(lambda: []), against={}, missing="uniform").play(lambda turn: 0)
    hand = Session(Tabled("no rows"), against={}, missing="uniform").play(by_name("b"))
    assert (hand.payoff, hand.cost, hand.luck) == (0, 1, 0)


class Forgetful(Tabled):
    """One player who moves twice and forgets the first move, which no sequence form can hold."""

    actions = staticmethod(lambda state: "ab")
    player = staticmethod(lambda state: TERMINAL if len(state) == 2 else 0)
    next = staticmethod(lambda state, action: state + action)
    payoffs = staticmethod(lambda state: [state == "ab"])
    infoset = staticmethod(lambda state: "second" if state else "first")


def test_a_player_who_forgets():
    session = Session(Forgetful(None), against={})
    hand = session.play(by_name("a", "b"))
    assert "imperfect recall" in session.playable.reason
    assert (hand.payoff, hand.cost, hand.luck) == (1, None, None)
    assert list(session.totals()) == ["payoff"]


@pytest.mark.slow
def test_what_is_no_text_is_no_action(kuhn):
    ran = ended_with(b"\xff\nq\n", "play", "kuhn", "--against", kuhn)
    assert (ran.code, ran.err) == (0, "")
    assert "No action is called" in ran.out


# --- Strategies against each other ---


@pytest.mark.parametrize(
    "spec",
    [
        "kuhn",
        "kuhn(players=3)",
        "leduc",
        "goofspiel(cards=3)",
        RandomGame(2, zero_sum=False, ties=True),
    ],
    ids=str,
)
def test_the_exact_value_is_that_of_the_mixed_profile(spec):
    game = eq.load(spec)
    one, other = (random_strategy(eq.compile_game(game).infosets, seed) for seed in (1, 2))
    match = eq.play_match(game, one, against=other, hands=90_001, seed=6)
    for seat, payoff in match.seats.items():
        mixed = {key: (one if key[0] == seat else other)[key] for key in one}
        assert payoff.exact == eq.evaluate(game, mixed).value[seat]
        assert abs(payoff.mean - payoff.exact) <= 4 * payoff.standard_error + 1e-12
    assert sum(payoff.hands for payoff in match.seats.values()) == match.overall.hands == 90_001
    assert list(match.seats) == list(range(game.players))
    share = [payoff.hands / 90_001 for payoff in match.seats.values()]
    assert match.overall.mean == pytest.approx(
        np.dot(share, [payoff.mean for payoff in match.seats.values()])
    )
    assert match.overall.exact == pytest.approx(
        np.dot(share, [payoff.exact for payoff in match.seats.values()])
    )


@pytest.mark.slow
def test_confidence_intervals_hold_the_exact_value_as_often_as_they_say():
    inside = sum(
        eq.play_match("kuhn", KUHN, against={}, missing="uniform", seed=seed).overall.holds_exact
        for seed in range(150)
    )
    assert 0.95 * 150 - 4 * math.sqrt(150 * 0.95 * 0.05) < inside < 150


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["kuhn", "kuhn(cards=400)"])
def test_hands_by_the_rules(spec):
    """Without a tree, for it is too large or the game is known by its public states, hands are played one by one."""
    limit = 20 if spec == "kuhn" else 10_000_000
    match = eq.play_match(
        spec,
        {},
        against={},
        hands=2_000,
        seed=3,
        missing="uniform",
        limits=eq.Limits(histories=limit),
    )
    assert match.sampled == "rules"
    assert (match.overall.exact is None) == (spec == "kuhn")
    assert match.lacking > 2_000  # uniform play is that of a strategy without infosets
    value = eq.evaluate(
        "kuhn", {}, missing="uniform"
    ).value  # of uniform play, whatever the number of cards
    for seat, payoff in match.seats.items():
        assert abs(payoff.mean - value[seat]) < 4 * payoff.standard_error
        assert payoff.exact is None or payoff.exact == pytest.approx(value[seat])


def test_matches_are_reproducible():
    first, again, other = (
        eq.play_match("leduc", {}, against={}, missing="uniform", seed=seed) for seed in (1, 1, 2)
    )
    assert first == again
    assert first.overall.mean != other.overall.mean
    assert eq.play_match("kuhn", KUHN, against=KUHN, hands=7, seat=1).seats.keys() == {1}


def test_too_few_hands_for_an_interval():
    match = eq.play_match("kuhn", KUHN, against=KUHN, hands=2, seed=1)
    payoff = match.overall
    assert (payoff.standard_error, payoff.interval, payoff.z_score, payoff.holds_exact) == (
        None,
    ) * 4
    assert match.summary()["interval"] is None
    certain = eq.play_match(
        "matrix(payoffs=[[2, 2], [2, 2]])", {}, against={}, missing="uniform", hands=50
    ).overall
    assert (certain.standard_error, certain.z_score, certain.holds_exact) == (0, None, True)


@pytest.mark.parametrize("hands", [2, 3, 5, 17])
def test_few_hands_of_a_coin_have_the_standard_error_by_hand(hands):
    """Of k heads in n throws: √(m (1 − m) / (n − 1)) with m = k / n; the mean exceeds the half by z of these."""
    signs = set()
    for seed in range(12):
        payoff = eq.play_match(
            "matrix(payoffs=[[0, 1]])",
            {},
            against={},
            missing="uniform",
            seat=0,
            hands=hands,
            seed=seed,
        ).overall
        mean = payoff.mean
        error = math.sqrt(mean * (1 - mean) / (hands - 1))
        assert mean * hands == pytest.approx(round(mean * hands))
        assert payoff.standard_error == pytest.approx(error, abs=1e-12)
        assert payoff.exact == pytest.approx(0.5)
        if error > 0:
            assert payoff.z_score == pytest.approx((mean - 0.5) / error)
            assert payoff.interval == pytest.approx(
                (mean - 1.96 * error, mean + 1.96 * error), rel=1e-3
            )
            signs.add(np.sign(payoff.z_score))
    assert len(signs) > 1 or hands == 2


def test_a_match_by_command(answer, kuhn):
    arguments = ("kuhn", "--as", kuhn, "--against", kuhn, "--hands", 100_000, "--seed", 5)
    ran = answer("", *arguments)
    assert (ran.code, ran.err) == (0, "")
    assert "-0.055556" in ran.out  # exactly -1/18
    assert "in the 95 % interval" in ran.out or "outside of the 95 % interval" in ran.out
    table = answer("", *arguments, "--json").json
    assert table["exact"] == pytest.approx(0, abs=1e-12)
    assert [seat["seat"] for seat in table["seats"]] == [0, 1]
    assert table["seats"][0]["exact"] == pytest.approx(-1 / 18)
    assert abs(table["z_score"]) < 4
    low, high = table["interval"]
    assert low < table["mean"] < high
    assert json.dumps(table) == json.dumps(
        eq.play_match("kuhn", kuhn, against=kuhn, hands=100_000, seed=5).summary()
    )


def test_an_interval_of_equal_payoffs_is_no_verdict(answer, tmp_path):
    """Once in a thousand hands the payoff is 0 instead of 2; in ten hands it never is."""
    rows = "0,row,r1,0.001\n0,row,r2,0.999\n1,column,c1,0\n1,column,c2,1\n"
    (tmp_path / "rare.csv").write_text(f"player,infoset,action,probability\n{rows}")
    rare = ("--as", tmp_path / "rare.csv", "--against", tmp_path / "rare.csv", "--seat", 0)
    ran = answer("", "matrix(payoffs=[[0, 0], [0, 2]])", *rare, "--hands", 10, "--seed", 1)
    assert "+2.000000 ± 0.000000" in ran.out
    assert "the interval tells nothing" in ran.out


def test_a_match_against_nobody_in_particular(answer, kuhn):
    ran = answer("", "kuhn", "--as", kuhn, "--seed", 5)
    assert "an opponent that plays an equilibrium, found by linear" in ran.out
    assert "1,000" in ran.out
    answer("", "kuhn", "--as", kuhn, "--seat", 2).fails(2, "kuhn has the seats 0 to 1; got seat 2.")


def test_matches_refused():
    with pytest.raises(eq.AlgorithmError, match="hands must be a whole number, 1 or more; got 0"):
        eq.play_match("kuhn", KUHN, against=KUHN, hands=0)
    with pytest.raises(eq.AlgorithmError, match="seed must be a whole number"):
        eq.play_match("kuhn", KUHN, against=KUHN, seed=0.5)
    with pytest.raises(eq.GameError, match=r"compiled already.*give the game itself"):
        eq.play_match(eq.compile_game(eq.load("kuhn")), KUHN, against=KUHN)
    with pytest.raises(
        eq.SolutionError, match=r"The solution of leduc: The strategy names infosets"
    ):
        eq.play_match("kuhn", eq.solve("leduc", iterations=1), against=KUHN)
