"""Ranges and boards as people paste them: each notation against combinatorics, and the same through every door."""

import json

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.poker.cards.cards import HANDS, parse_cards
from equilibrist.poker.cards.ranges import Range, RangeWarning
from equilibrist.poker.omaha.ranges import read_range as read_omaha

RANKS = HANDS // 4
SUITED = HANDS[:, 0] % 4 == HANDS[:, 1] % 4
PAIR = RANKS[:, 0] == RANKS[:, 1]
ACE = (RANKS == 12).any(axis=1)


def weights_of(**weights):
    """Return the weights of hands by the names of pairs: AA=0.5."""
    found = np.zeros(len(HANDS))
    for name, weight in weights.items():
        found[PAIR & (RANKS[:, 0] == "23456789TJQKA".index(name[0]))] = weight
    return found


def of_one(*names):
    found = np.zeros(len(HANDS))
    for name in names:
        found[(np.sort(parse_cards(name)) == HANDS).all(axis=1)] = 1
    return found


NOTATIONS = [
    ("Ax", ACE),
    ("Ax+", ACE),
    ("A*", ACE),
    ("Axs", ACE & SUITED),
    ("A*s", ACE & SUITED),
    ("axo", ACE & ~SUITED & ~PAIR),
    ("xx", True),
    ("all", True),
    ("100%", True),
    ("-44", weights_of(**{"44": 1, "33": 1, "22": 1})),
    ("44-", weights_of(**{"44": 1, "33": 1, "22": 1})),
    ("A3s-", ACE & SUITED & (RANKS.min(axis=1) <= 1)),
    ("AA@50", weights_of(AA=0.5)),
    ("AA@50%", weights_of(AA=0.5)),
    ("AA:50%", weights_of(AA=0.5)),
    ("AA=0.5", weights_of(AA=0.5)),
    ("AA(0.5), KK (25%)", weights_of(AA=0.5, KK=0.25)),
    ("0.4(AA,KK),QQ", weights_of(AA=0.4, KK=0.4, QQ=1)),
    ("40%(AA,KK:0.5) QQ", weights_of(AA=0.4, KK=0.5, QQ=1)),
    ("(AA, KK)0.5,QQ", weights_of(AA=0.5, KK=0.5, QQ=1)),
    ("(AA KK): 0.5; QQ", weights_of(AA=0.5, KK=0.5, QQ=1)),
    ("(AA) 99, (88)", weights_of(**{"AA": 1, "99": 1, "88": 1})),  # 99 is no weight
    ("99 (AA)", weights_of(**{"AA": 1, "99": 1})),
    ('"AA,KK"', weights_of(AA=1, KK=1)),
    ("'AA', “KK”", weights_of(AA=1, KK=1)),
    ("A♠K♠,a♥️k♥️", of_one("AsKs", "AhKh")),
    ("10s9s", of_one("Ts9s")),
    ("10s10h", of_one("TsTh")),
    ("1010,JJ-1010", weights_of(JJ=1, TT=1)),
]


@pytest.mark.parametrize(("text", "expected"), NOTATIONS, ids=[text for text, _ in NOTATIONS])
def test_notations(text, expected):
    weights = Range(text).weights
    assert np.array_equal(weights, np.broadcast_to(np.asarray(expected, float), weights.shape))
    assert np.array_equal(
        Range(str(Range(text))).weights, weights
    )  # what is written is read by all


@pytest.mark.parametrize(
    ("text", "same", "sentence"),
    [
        ("15%", "top 15%", "is read as top 15%: the best hands by their equity against any hand"),
        ("20 %:0.5", "top 20%:0.5", "is read as top 20%"),
        ("Jx+", "JJ+,A2+,K2+,Q2+,J2+", "is read as all such hands with a card that is J or better"),
        ("Kxs+", "A2s+,K2s+", "is read as all such hands with a card that is K or better"),
        (
            " ".join(["1"] * 14 + ["0"] * 155),
            "AA,A2s+,AKo",
            "169 weights are read row by row of the grid: AA, AKs, AQs",
        ),
    ],
    ids=["percent", "percent with weight", "with a plus", "suited with a plus", "grid"],
)
def test_conventions_are_told(text, same, sentence):
    with pytest.warns(RangeWarning, match=sentence):
        read = Range(text)
    assert read == Range(same)


def test_a_band_of_hands():
    with pytest.warns(RangeWarning, match="what top 15% has and top 5% has not"):
        band = Range("5%-15%").weights
    assert np.array_equal(band + Range("top 5%").weights, Range("top 15%").weights)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("AA:50", r"'AA:50' at character 1: a weight is a number from 0 to 1 \(50 % is 50%\)"),
        ("AA@150", "a weight is a number from 0 to 1"),
        ("AA@", "a weight is a number from 0 to 1"),
        ("(AA,KK)5", r"a weight is a number from 0 to 1 \(5 % is 5%\)"),
        ("15%-5%", "the shares of the best hands go up, as in 5%-15%"),
        ("AA,(KK", r"'\(KK' at character 4 cannot be read"),
        ("QQ+-", r"'QQ\+-' at character 1 cannot be read"),
        ("top 0%", "the share of the best hands is above 0"),
    ],
)
def test_what_has_no_clear_meaning_is_refused(text, sentence):
    with pytest.raises(eq.GameError, match=sentence) as raised:
        Range(text)
    assert raised.value.span is not None


def test_places_of_errors_are_those_of_the_text():
    with pytest.raises(eq.GameError, match=r"'bad' at character 17") as raised:
        Range('"AA", (KK)0.5 , bad')
    assert raised.value.span == (16, 3)


@pytest.mark.parametrize("text", ["[Qs Jh 2h]", "Q♠ J♥ 2♥", "Q♠️J♥️2♥️", "[Q♠,J♥,2♥]", "qsjh2h"])
def test_boards(text):
    assert parse_cards(text) == parse_cards("QsJh2h")
    assert parse_cards(text.replace("2", "10")) == parse_cards("QsJhTh")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("A♠A♥K♦Q♣", "AsAhKdQc"),
        ("10s9s8s7s", "Ts9s8s7s"),
        ("AAxx:50%", "AAxx:0.5"),
        ("all", "random"),
    ],
)
def test_hands_of_omaha(text, plain):
    read, expected = read_omaha(text), read_omaha(plain)
    assert np.array_equal(read.hands, expected.hands)
    assert np.array_equal(read.weights, expected.weights)


def test_a_share_of_the_hands_of_omaha_needs_an_order_that_is_not_there():
    with pytest.raises(
        eq.GameError, match=r"'15%' at character 1: there is no order of the hands of Omaha here"
    ):
        read_omaha("15%")


# --- One reader behind all doors ---

BOARD = "[10♠ 9♥ 3c 2d 2h]"
OOP = '"1010", (A♥K♥, QQ)50%, -44'
IP = "A10s@25,KK=0.5"
PLAIN = {
    "board": "Ts9h3c2d2h",
    "oop": "TT,AhKh:0.5,QQ:0.5,44-22",
    "ip": "ATs:0.25,KK:0.5",
}
EXPECTED = eq.poker.Holdem(**PLAIN, pot=10, stack=20, bets="50%")


def as_object(tmp_path, board, oop, ip):
    return eq.poker.Holdem(board, oop, ip, pot=10, stack=20, bets="50%")


def as_text(tmp_path, board, oop, ip):
    return eq.load(f"holdem(board={board!r}, oop={oop!r}, ip={ip!r}, pot=10, stack=20, bets='50%')")


def as_toml(tmp_path, board, oop, ip):
    path = tmp_path / "spot.toml"
    lines = [f"board = {json.dumps(board)}", f"oop = {json.dumps(oop)}", f"ip = {json.dumps(ip)}"]
    path.write_text("\n".join([*lines, 'pot = 10\nstack = 20\nbets = "50%"\n']), encoding="utf-8")
    return eq.load(path)


def as_wasm(tmp_path, board, oop, ip):
    sizes = {
        f"{who}River{part}": "50" if part == "Bet" else ""
        for who in ("oop", "ip")
        for part in ("Bet", "Raise")
    }
    values = {
        "oopRange": oop,
        "ipRange": ip,
        "board": board,
        "startingPot": 10,
        "effectiveStack": 20,
        **sizes,
    }
    path = tmp_path / "spot.json"
    path.write_text(json.dumps(values), encoding="utf-8")
    return eq.load(path)


def as_piosolver(tmp_path, board, oop, ip):
    lines = [f"#Range0#{oop}", f"#Range1#{ip}", f"#Board#{board}", "#Pot#10", "#EffectiveStacks#20"]
    path = tmp_path / "spot.txt"
    path.write_text(
        "\n".join([*lines, "#RiverConfig.BetSize#50", "#RiverConfigIP.BetSize#50"]),
        encoding="utf-8",
    )
    return eq.load(path)


def as_texas_solver(tmp_path, board, oop, ip):
    lines = [
        "set_pot 10",
        "set_effective_stack 20",
        f"set_board {board}",
        f"set_range_oop {oop}",
        f"set_range_ip {ip}",
    ]
    lines += [
        "set_bet_sizes oop,river,bet,50",
        "set_bet_sizes ip,river,bet,50",
        "set_allin_threshold 1",
    ]
    path = tmp_path / "spot.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.warns(eq.EquilibristWarning):
        return eq.load(path)


DOORS = [as_object, as_text, as_toml, as_wasm, as_piosolver, as_texas_solver]


@pytest.mark.parametrize("door", DOORS)
def test_every_door_reads_the_same(door, tmp_path):
    game = door(tmp_path, BOARD, OOP, IP)
    assert game.settings["board"] == PLAIN["board"]
    for read, expected in zip(game.ranges, EXPECTED.ranges, strict=True):
        assert read == expected
    plain = door(tmp_path, *PLAIN.values())
    assert str(plain) == str(game)


def test_the_command_and_the_aggregate_read_the_same(run):
    pasted = run("equity", BOARD, OOP, IP, "--json").json
    assert pasted == run("equity", *PLAIN.values(), "--json").json
    river = "holdem(board='Qs9h3c2d2h', oop='AA,KK', ip='QQ,JJ', pot=10, stack=10, bets='a')"
    pasted, plain = (
        eq.poker.board_report(river, [board], until="5%") for board in (BOARD, PLAIN["board"])
    )
    assert set(pasted.to_arrow()["board"].to_pylist()) == {PLAIN["board"]}
    assert pasted.to_arrow()["board"] == plain.to_arrow()["board"]


@pytest.mark.parametrize(
    ("text", "hands"),
    [
        ("QQ,!QhQs", "QsQd,QsQc,QhQd,QhQc,QdQc"),
        ("AKs{ss}", "AsKs"),
        ("AK{hx}", "AhKs,AhKh,AhKd,AhKc"),
        ("QQ{hs}", "QsQh"),  # cards of a pair may change places
        ("A5s-A3s{cc}:0.5", "Ac5c:0.5,Ac4c:0.5,Ac3c:0.5"),
        ("AA,KK,!AA", "KK"),
    ],
)
def test_suits_in_braces_and_hands_that_are_left_out(text, hands):
    assert Range(text) == Range(hands)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("QQ,!QhQs:0.5", "'!QhQs:0.5' at character 4: what ! leaves out has no weight"),
        ("AKs{hs}", "'AKs{hs}' at character 1 has no hand of these suits"),
        ("AK{h}", "cannot be read"),
        ("!!AA", "cannot be read"),
    ],
)
def test_braces_and_marks_that_cannot_be_read(text, match):
    with pytest.raises(eq.EquilibristError, match=match):
        Range(text)
