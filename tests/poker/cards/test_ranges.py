"""Ranges: what texts mean, what is written for weights, and what is refused."""

import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist.errors import GameError
from equilibrist.poker.cards.cards import (
    CLASS_OF_HAND,
    CLASSES,
    hand_name,
    parse_cards,
    parse_hand,
)
from equilibrist.poker.cards.ranges import DIALECTS, Range, RangeWarning

OOP = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IP = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"


def classes(text):
    """Return the classes all of whose hands have weight 1 in a range that has no others."""
    grid = Range(text).grid.ravel()
    assert set(grid.tolist()) <= {0.0, 1.0}
    return {CLASSES[number] for number in np.flatnonzero(grid)}


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("AA", "AA"),
        ("AK", "AKs AKo"),
        ("KAo", "AKo"),
        ("aks,QQ", "AKs QQ"),
        ("QQ+", "QQ KK AA"),
        ("ATs+", "ATs AJs AQs AKs"),
        ("K9+", "K9s KTs KJs KQs K9o KTo KJo KQo"),
        ("QQ-99", "QQ JJ TT 99"),
        ("99 - QQ", "QQ JJ TT 99"),
        ("A9s-A6s", "A9s A8s A7s A6s"),
        ("A6s–A9s", "A9s A8s A7s A6s"),
        ("98o-65o", "98o 87o 76o 65o"),
        ("J9-97", "J9s T8s 97s J9o T8o 97o"),
        ("AKs+", "AKs"),
        ("22, 33\n44 55;66 ;\n 77", "22 33 44 55 66 77"),
        ("top 3%", "AA KK QQ JJ TT 99 88"),
        ("Top2.5 %;AKo", "AA KK QQ JJ TT 99 AKo"),
        ("[100]AA[/100],KK", "AA KK"),
        ("random", " ".join(CLASSES)),
    ],
)
def test_classes(text, meant):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert classes(text) == set(meant.split())


def test_single_hands_and_weights():
    with pytest.warns(RangeWarning, match="gives AsAh a second weight"):
        hands = Range("AA:0.5, AsAh, KdKs : 0.25")
    expected = {"AsAh": 1.0, "KsKd": 0.25} | dict.fromkeys(
        ["AsAd", "AsAc", "AhAd", "AhAc", "AdAc"], 0.5
    )
    assert {
        hand_name(hand): hands.weights[hand] for hand in np.flatnonzero(hands.weights)
    } == expected
    assert hands.combos == 3.75
    assert hands.percentage == pytest.approx(100 * 3.75 / 1326)


def test_weights_in_brackets_and_the_best_hands():
    """What GTO+ and Flopzilla write."""
    assert Range("[50]AA, KK:1,QQ[/50],[12.5]JJ[/12.5]TT") == Range("AA:0.5,KK,QQ:0.5,JJ:0.125,TT")
    assert Range("top 10%:0.5").percentage == pytest.approx(5, abs=0.3)
    assert Range("top 100%") == Range("random")
    smaller = Range("top 20%").weights
    assert (smaller <= Range("top 40%").weights).all()
    assert 100 * smaller.mean() == pytest.approx(20, abs=0.5)


def test_every_dialect_that_is_written_is_read():
    dice = np.random.default_rng(1)
    for one in (
        Range("AA,KQs:0.5,JJ:0.5,AhKd:0.29"),
        Range("random:0.333"),
        Range(dice.random(1326)),
    ):
        for dialect in DIALECTS:
            assert Range(one.export(dialect)) == one
    assert Range("AA,KQs:0.5,JJ:0.5").export("gto+") == "AA,[50]JJ,KQs[/50]"
    assert Range('{"QQ-88": 0.5, "AA": 1, "AhKd": 0.25}') == Range("QQ-88:0.5,AA,AhKd:0.25")
    with pytest.raises(GameError, match="dialect must be one of text, gto"):
        Range("AA").export("flopzilla")


def test_weights_in_the_order_of_piosolver():
    """2d2c, 2h2c, 2h2d, 2s2c, 2s2d, 2s2h, 3c2c, … AsAh, as its command show_hand_order prints it."""
    names = ["2d2c", "2h2c", "2h2d", "2s2c", "2s2d", "2s2h", "3c2c", "3c2d", "3c2h", "3c2s", "3d2c"]
    for number, name in [*enumerate(names), (1325, "AsAh"), (1324, "AsAd")]:
        weights = ["0"] * 1326
        weights[number] = "0.5"
        assert Range(" ".join(weights)) == Range(f"{name}:0.5")


def test_known_numbers_of_hands():
    """The ranges of issue 13, with the numbers of hands that its boards leave."""
    board = parse_cards("Td9d6hQc2s")
    for cards, oop, ip in ((3, 180, 265), (4, 167, 250), (5, 167, 246)):
        assert np.count_nonzero(Range(OOP, board=board[:cards]).weights) == oop
        assert np.count_nonzero(Range(IP, board=board[:cards]).weights) == ip
    assert Range("random", board=board).combos == 1081
    assert Range("random").percentage == 100


def test_neighbouring_ranks_go_up_together_and_a_warning_says_so():
    with pytest.warns(
        RangeWarning,
        match=r"'T9s\+' at character 4 is read as T9s, JTs, QJs, KQs, AKs; other programs",
    ):
        assert classes("AA,T9s+") == {"AA", "T9s", "JTs", "QJs", "KQs", "AKs"}


def test_a_second_weight_of_a_hand_is_warned_of():
    sentence = (
        "range: 'AKs:0.25' at character 5 gives AcKc a second weight: 0.25 counts here, where the last token does, "
        "and 1 in postflop-solver, where the first one does; name each hand once."
    )
    with pytest.warns(RangeWarning) as told:
        assert Range("AKs,AKs:0.25").combos == 1
    assert [str(one.message) for one in told] == [sentence]
    with pytest.warns(
        RangeWarning, match="'KK:0' at character 5 gives KdKc a second weight: 0 counts here"
    ):
        assert classes("QQ+,KK:0") == {"QQ", "AA"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Range("AKs:0.5,AKo,AKs:0.5")


def test_texts_are_short():
    assert str(Range(OOP)) == OOP
    assert str(Range(IP)) == IP
    assert str(Range("random")) == "22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32"
    assert str(Range("AKo:0.5,AKs:0.5,AQ:0.25,QdQc,QsQh:0.125")) == "QsQh:0.125,QdQc,AK:0.5,AQ:0.25"
    assert repr(Range("22,33")) == "Range('33-22')"


WEIGHTS = st.sampled_from([0.0, 0.0, 1.0, 0.5, 1 / 3, 1e-7]) | st.floats(0, 1)


@pytest.mark.slow
@given(
    st.lists(WEIGHTS, min_size=169, max_size=169),
    st.dictionaries(st.integers(0, 1325), WEIGHTS, max_size=30),
)
def test_texts_are_read_as_what_they_were_written_for(of_classes, of_hands):
    weights = np.array(of_classes)[CLASS_OF_HAND]
    for hand, weight in of_hands.items():
        weights[hand] = weight
    weights[0] = 1.0  # one hand at least
    written = Range(weights)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Range(str(written)) == written
    assert np.array_equal(written.weights, weights)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "QQ,AKx",
            "OOP: 'AKx' at character 4 cannot be read; write AA, AKs, AKo, AK, QQ.*, and commas between",
        ),
        ("AAs", "'AAs' at character 1 cannot be read"),
        ("A9s-A6o", "'A9s-A6o' at character 1 cannot be read"),
        ("QQ+-88", "cannot be read"),
        ("AA-AK", "cannot be read"),
        ("AsAh+", "cannot be read"),
        ("AA K", "'K' at character 4 cannot be read"),
        (":0.5", "':0.5' at character 1 cannot be read"),
        (
            "A9s-K6s",
            "the ends of a dash share their high card, as A9s-A6s, or are as far apart, as 98o-65o; write AA",
        ),
        ("KK, AA:1.5", "'AA:1.5' at character 5: a weight is a number from 0 to 1; write AA"),
        ("AA:-0.5", "a weight is a number from 0 to 1"),
        ("AA:", "a weight is a number from 0 to 1"),
        ("AA:nan", "a weight is a number from 0 to 1"),
        ("[50]QQ", r"'\[50\]' at character 1 is not closed; write \[/50\] after its hands"),
        ("QQ,[50]KK[/25]", r"'\[/25\]' at character 10 cannot be read; write \[50\]AA,KK\[/50\]"),
        ("[50][25]QQ[/25][/50]", r"'\[25\]' at character 5 cannot be read"),
        ("QQ[/50]", r"'\[/50\]' at character 3 cannot be read"),
        ("[half]QQ[/half]", r"'\[half\]' at character 1 cannot be read"),
        ("[150]QQ[/150]", "a weight in brackets is at most 100 %"),
        ('{"AA": 2}', "the weight of 'AA' is a number from 0 to 1; got 2"),
        ('{"AA": true}', "the weight of 'AA' is a number from 0 to 1; got True"),
        ('{"AA": 1', "the JSON cannot be read"),
        ('{"A:A": 1}', "'A:A' cannot be read"),
        (" ".join(["2"] * 1326), "1326 weights are from 0 to 1; got 2"),
        ("QQ]", r"'\]' at character 3 cannot be read"),
        ("top 0%", "the share of the best hands is above 0 and at most 100 %"),
        ("top 1.2.3%", "'top 1.2.3%' at character 1 cannot be read"),
        ("AsAs", "'AsAs' at character 1 holds the same card twice; name two different cards"),
        (
            "KK,AsAh",
            "'AsAh' at character 4 holds a card of AsKd2c in each of its hands; leave it out",
        ),
        ("", "no hand has any weight; write AA"),
        ("AA:0", "no hand has any weight"),
        (np.ones(1325), "give a text, or 1326 weights from 0 to 1"),
        (np.full(1326, 1.5), "give a text, or 1326 weights from 0 to 1"),
        (None, "give a text, or 1326 weights from 0 to 1, one for each hand; got None"),
    ],
)
def test_what_is_no_range_is_refused_with_the_token(text, message):
    with pytest.raises(GameError, match=message) as caught:
        Range(text, board=parse_cards("AsKd2c"), name="OOP")
    assert caught.value.wrong_use
    assert str(caught.value).count(".") - str(caught.value).count("0.") - str(text).count(".") <= 1


def test_ranges_are_values():
    one = Range("AA:0.5,KK")
    assert one == Range(one.weights) == Range(one) == pickle.loads(pickle.dumps(one))
    assert hash(one) == hash(Range("KK,AA:0.5,QQ:-0"))
    assert one != Range("AA,KK")
    assert np.array_equal(np.asarray(one), one.weights)
    assert not one.weights.flags.writeable


def test_weights_are_multiplied_and_blocked_hands_removed():
    one = Range("AA:0.5,KK")
    assert str(one * 0.5) == "AA:0.25,KK:0.5"
    assert one * Range("AA") == Range("AA:0.5") == Range("AA") * one
    only = np.zeros(1326)
    only[parse_hand("KsKh")] = 0.5
    assert str(one * only) == "KsKh:0.5"
    assert str(one.without(parse_cards("AsAhKd"))) == "AdAc:0.5,KsKh,KsKc,KhKc"
    with pytest.raises(
        GameError, match="no hand has any weight but those that hold a card of AsAhAd"
    ):
        Range("AA").without(parse_cards("AsAhAd"))
