"""What objects say of themselves at a prompt: what they are and how large, in one line."""

import pytest

import equilibrist as eq
from support.random_games import RandomGame


@pytest.mark.parametrize(
    ("thing", "text"),
    [
        (
            lambda: eq.load("kuhn(cards=4)"),
            "Kuhn(cards=4, names=None, players=2, ante=1, bet=1, pass_ends=False)",
        ),
        (lambda: eq.load("rps"), "<RockPaperScissors: 3 × 3 actions>"),
        (lambda: eq.load("leduc").public_states(), "<Public states of Leduc(ranks=3, suits=2, "),
        (
            lambda: eq.compile_game(eq.load("kuhn")),
            "<SequenceForm of kuhn: 12 infosets, 26 slots, 58 histories>",
        ),
        (lambda: eq.compile_game(RandomGame(1), keep_tree=True), ", with its tree>"),
        (
            lambda: eq.compile_public(eq.load("kuhn").public_states()),
            "public nodes, 12 infosets, 26 slots, 58 histories>",
        ),
        (
            lambda: eq.evaluate("kuhn", eq.exact("kuhn").strategy),
            "<Evaluation of a strategy of kuhn: value (-0.0555556, ",
        ),
        (
            lambda: eq.solve("kuhn", iterations=8, record=eq.Record(["Q"], every=2)).recording.at(
                "Q"
            ),
            "<Recorded 'Q' of player 0: actions ",
        ),
        (
            lambda: eq.play_match("kuhn", {}, against={}, missing="uniform", hands=2_000, seed=1),
            "<Match on kuhn: 2,000 hands, seed 1, mean payoff ",
        ),
        (lambda: eq.exact("kuhn").strategy, "<Strategy: 12 infosets, 24 probabilities>"),
    ],
)
def test_reprs_say_what_a_thing_is(thing, text):
    shown = repr(thing())
    assert text in shown
    assert "\n" not in shown
    assert len(shown) < 200
