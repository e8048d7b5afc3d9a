"""Maps of infosets: how buckets are numbered, what is refused, and whether anybody forgets."""

import numpy as np
import pytest
from examples.abstractions.buckets import forget_bets, jack_is_queen

import equilibrist as eq
from equilibrist.form.abstract.infoset_map import make_infoset_map, number_buckets
from support.abstractions import forget_first_card


@pytest.fixture(scope="module")
def kuhn():
    return eq.compile_game(eq.load("kuhn"))


@pytest.fixture(scope="module")
def leduc():
    return eq.compile_game(eq.load("leduc"))


def test_buckets_are_numbered_as_they_are_met(kuhn):
    table = {"J": "low", "Q": "low", (1, "Kb"): "good", (1, "Qb"): "good"}
    made = make_infoset_map(kuhn, table)
    keys = [infoset.key for infoset in kuhn.infosets]
    assert made.bucket[keys.index("J")] == made.bucket[keys.index("Q")] == 0
    assert made.bucket[keys.index("Kb")] == made.bucket[keys.index("Qb")]
    assert made.num_buckets == 10
    first = [list(made.bucket).index(bucket) for bucket in range(10)]
    assert first == sorted(first)
    assert made.owner.tolist() == [kuhn.infosets[i].player for i in first]
    for i, bucket in enumerate(made.bucket):
        begin = made.first_action[bucket]
        actions = made.bucket_action[kuhn.first_action[i] : kuhn.first_action[i + 1]]
        assert actions.tolist() == [begin, begin + 1]


def test_names_of_buckets_do_not_count(kuhn):
    by_text = make_infoset_map(kuhn, lambda infoset: f"{infoset.player} {infoset.key[1:]}")
    by_tuple = make_infoset_map(kuhn, lambda infoset: (infoset.player, infoset.key[1:]))
    assert by_text.digest == by_tuple.digest
    assert by_text.digest != make_infoset_map(kuhn, {}).digest


def test_a_table_leaves_infosets_by_themselves(kuhn):
    made = make_infoset_map(kuhn, {})
    assert made.bucket.tolist() == list(range(12))
    assert made.has_perfect_recall


@pytest.mark.parametrize(
    ("game", "find_bucket", "remembers"),
    [
        ("kuhn", lambda infoset: (infoset.player, infoset.key[1:]), True),
        ("kuhn", forget_first_card, False),
        # A jack or queen becomes two buckets once the public card is there: nobody forgets.
        ("leduc", jack_is_queen, True),
        ("leduc", forget_bets, False),
    ],
    ids=["lines", "first-card", "jack-is-queen", "bets"],
)
def test_who_forgets_is_found(game, find_bucket, remembers, request):
    made = make_infoset_map(request.getfixturevalue(game), find_bucket)
    assert made.has_perfect_recall == remembers


def test_infosets_of_a_bucket_have_the_same_player(kuhn):
    message = (
        r"^The bucket 'x' has 'J' of player 0 \(pass, bet\) and 'Qp' of player 1 \(pass, bet\): "
    )
    with pytest.raises(eq.GameError, match=message) as caught:
        make_infoset_map(kuhn, lambda infoset: "x")
    assert caught.value.wrong_use
    assert caught.value.field == "map"


def test_infosets_of_a_bucket_have_the_same_actions(kuhn):
    message = r"'J' of player 0 \(pass, bet\) and 'Jpb' of player 0 \(fold, call\): the infosets"
    with pytest.raises(eq.GameError, match=message):
        make_infoset_map(kuhn, lambda infoset: infoset.player)


def test_an_infoset_of_a_bucket_does_not_come_after_another(leduc):
    message = r"^A bucket has 'J' of player 0 \(check, bet\) and 'Jcc/Q', which comes after it in"
    with pytest.raises(eq.GameError, match=message):
        make_infoset_map(leduc, lambda infoset: (infoset.player, infoset.actions))


def test_a_key_that_fits_nothing_is_refused(kuhn):
    with pytest.raises(
        eq.GameError, match=r"^kuhn has no infoset 'Zz', which the map names\. .* 'J'"
    ):
        make_infoset_map(kuhn, {"J": 1, "Zz": 1})


def test_a_function_that_fails_is_told_with_its_infoset(kuhn):
    with pytest.raises(
        eq.GameError, match=r"at the infoset 'J' of player 0 with ZeroDivisionError"
    ):
        make_infoset_map(kuhn, lambda infoset: 1 / 0)
    with pytest.raises(eq.GameError, match="with TypeError: unhashable"):
        make_infoset_map(kuhn, lambda infoset: [infoset.key])


@pytest.mark.parametrize(
    "numbers", [[0] * 12, list(range(11)), [0, *range(2, 13)]], ids=["one", "few", "a gap"]
)
def test_numbers_of_another_game_are_no_buckets(kuhn, numbers):
    with pytest.raises(ValueError, match="buckets"):
        number_buckets(kuhn, np.array(numbers))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (3, "got an object of type 'int'"),
        (eq.Limits, "got an object of type 'type'"),
        ("buckets", "got 'buckets'"),
        ("no.py:such", "There is no file 'no.py'"),
    ],
    ids=["number", "class", "name", "file"],
)
def test_what_is_no_map_is_refused(source, message):
    with pytest.raises(eq.GameError, match=message):
        eq.abstract("kuhn", source)


def test_a_map_of_a_file(tmp_path):
    file = tmp_path / "buckets.py"
    file.write_text(
        "LOW = {'J': 'low', 'Q': 'low'}\ndef low(infoset): return LOW.get(infoset.key)\n"
    )
    by_table = eq.abstract("kuhn", f"{file}:LOW").abstraction
    by_function = eq.abstract("kuhn", f"{file}:low").abstraction
    form = eq.compile_game(eq.load("kuhn"))
    assert by_table.make_map(form).digest == by_function.make_map(form).digest
    with pytest.raises(eq.GameError, match=r"no function or table 'Low' .* Did you mean 'low'"):
        eq.abstract("kuhn", f"{file}:Low")


def test_an_abstraction_is_of_a_real_game():
    game = eq.abstract("kuhn", {})
    with pytest.raises(eq.GameError, match="kuhn is abstracted already"):
        eq.abstract(game, {})
    with pytest.raises(eq.AlgorithmError, match=r"opponent must be one of .*; got 'nobody'"):
        eq.abstract("kuhn", {}, opponent="nobody")
    with pytest.raises(eq.GameError, match=r"certified and compared in the real game"):
        eq.evaluate(game, {}, missing="uniform")
