"""The hands of a decision that pass a filter: means against sums over the hands, and what stays as it was."""

import pytest

import equilibrist as eq
from equilibrist.errors import GameError
from equilibrist.evaluation.units import UNITS

RIVER = (
    "holdem(board='Td9d6hQc2s', oop='AA,KQs,JJ:0.5,87s,A5s', ip='QQ,KJs,T9s,A9s,76s', pot=100, stack=100, "
    "bets='50%, a')"
)


@pytest.fixture(scope="module")
def node():
    return eq.poker.SolvedSpot(eq.solve(RIVER, iterations=20)).node("X")


def rows_of(node, player, fits):
    rows = [
        dict(zip(node.columns(player), values, strict=True))
        for values in zip(*node.columns(player).values(), strict=True)
    ]
    return [row for row in rows if fits(row)]


def mean(rows, name):
    total = sum(row["probability"] for row in rows)
    return sum(row["probability"] * row[name] for row in rows if row["probability"] > 0) / total


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("second pair or two pair", lambda row: row["made"] in ("second pair", "two pair")),
        ("equity > 40, not set", lambda row: row["equity"] > 0.4 and row["made"] != "set"),
        ("X > 50 and Ax", lambda row: row["X"] > 0.5 and "A" in row["hand"]),
        ("EV > 30", lambda row: row["ev"] > 30),
    ],
)
def test_means_are_those_over_the_hands_that_pass(node, text, fits):
    rows = rows_of(node, 1, fits)
    part = node.only_hands(text)
    assert list(part.hands[1]) == [row["hand"] for row in rows]
    assert part.evs[1] == pytest.approx(mean(rows, "ev"), abs=1e-12)
    assert part.equities[1] == pytest.approx(mean(rows, "equity"), abs=1e-12)
    for action, share in zip(node.actions, part.frequencies, strict=True):
        assert share == pytest.approx(mean(rows, action), abs=1e-12)
    assert part.evs[0] == node.evs[0]
    assert part.only.startswith(f"IP with {text} alone: ")


def test_the_other_player_has_no_actions_to_filter_by(node):
    part = node.only_hands("overpair", 0)
    assert set(part.columns(0)["made"]) == {"overpair"}
    assert part.frequencies.tolist() == node.frequencies.tolist()
    with pytest.raises(
        GameError, match="'X' at character 1 is none of weight, equity, EV, which have limits"
    ):
        node.only_hands("X > 50", 0)


def test_evs_are_in_the_unit_that_is_given(node):
    chips = node.passes("EV > 40")
    assert (node.passes("EV > 40", unit=UNITS["pot"]) == chips).all()  # of a pot of 100
    assert (node.passes("EV > -10", unit=UNITS["net"]) == chips).all()
    assert 0 < chips.sum() < len(chips)


def test_nothing_that_passes_is_refused(node):
    with pytest.raises(GameError, match="no hand in the range of IP passes 'straight flush' here"):
        node.only_hands("straight flush")


@pytest.mark.needs("pandas")
def test_a_frame_has_the_hands_that_pass(node):
    assert node.only_hands("hearts").to_pandas()["hand"].str.contains("h").all()


def test_a_table_has_the_hands_that_pass(node):
    hands = node.only_hands("hearts").to_arrow()["hand"].to_pylist()
    assert hands
    assert all("h" in hand for hand in hands)


# --- Four cards ---

OMAHA = (
    "omaha(board='Kh9s4d7c', oop='KKQJ,AQJ8:0.5', ip='99AK,JT86', pot=100, stack=100, bets='50%')"
)


@pytest.fixture(scope="module")
def omaha():
    return eq.poker.SolvedSpot(eq.solve(OMAHA, iterations=3)).node("X")


def suits(hand):
    """Return how many cards a hand has of its suits, the most first."""
    return sorted((hand[1::2].count(suit) for suit in set(hand[1::2])), reverse=True)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("set", lambda row: row["made"] == "set"),
        ("wrap", lambda row: row["draws"].endswith("wrap")),
        ("set, high card", lambda row: row["made"] in ("set", "high card")),
        ("not gutshot", lambda row: "gutshot" not in row["draws"]),
        ("JT86", lambda row: sorted(row["hand"][::2]) == sorted("JT86")),
        ("AAxx or 99xx", lambda row: row["hand"].count("9") >= 2),
        ("99+", lambda row: any(row["hand"].count(rank) >= 2 for rank in "9TJQKA")),
        ("99:xxyy", lambda row: row["hand"].count("9") >= 2 and suits(row["hand"]) == [2, 2]),
        ("double-suited", lambda row: suits(row["hand"]) == [2, 2]),
        ("single-suited", lambda row: suits(row["hand"]) == [2, 1, 1]),
        ("rainbow", lambda row: suits(row["hand"]) == [1, 1, 1, 1]),
        ("Ah and not clubs", lambda row: "Ah" in row["hand"] and "c" not in row["hand"]),
        ("equity > 60 or X > 50", lambda row: row["equity"] > 0.6 or row["X"] > 0.5),
        ("EV > 55", lambda row: row["ev"] > 55),
    ],
)  # fmt: skip
def test_means_of_four_cards_are_those_over_the_hands_that_pass(omaha, text, fits):
    rows = rows_of(omaha, 1, lambda row: fits(row) and row["range"] > 0)
    held = [row for row in rows_of(omaha, 1, fits) if row["probability"] > 0]
    if not held:
        with pytest.raises(GameError, match="no hand in the range of IP passes"):
            omaha.only_hands(text)
        return
    part = omaha.only_hands(text)
    shown = [hand for hand, weight in zip(part.hands[1], part.ranges[1], strict=True) if weight > 0]
    assert shown == [row["hand"] for row in rows]
    assert part.evs[1] == pytest.approx(mean(rows, "ev"), abs=1e-9)
    cells = part.made_cells(1)
    assert sum(cell["hands"] for cell in cells) == len(rows)
    assert sum(cell["probability"] for cell in cells) == pytest.approx(1)


@pytest.mark.parametrize("text", ["top set", "AhKd", "suited", "AA:0.5", "20%", "B50 and"])
def test_what_is_no_filter_of_four_cards_says_how_one_is_written(omaha, text):
    with pytest.raises(GameError, match=r"^filter: .*write set, flush draw, wrap, AAxxds") as error:
        omaha.only_hands(text)
    assert error.value.span is not None


@pytest.mark.slow
def test_run_outs_of_four_cards_count_the_hands_of_a_filter():
    solved = eq.poker.SolvedSpot(eq.solve(OMAHA, iterations=3))
    report = eq.poker.run_out_report(solved, "X-X", only="set", player="OOP")
    for row in report.rows[:3]:
        node = solved.node("X-X", row["board"])
        made = node.columns(0)["made"]
        held = node.probabilities[0]
        assert row["ev_oop"] == pytest.approx(
            float(node.ev[0][(made == "set") & (held > 0)] @ held[(made == "set") & (held > 0)])
            / float(held[made == "set"].sum())
        )
