"""Histories that a solution writes of itself: frequencies, and what other programs read in the files."""

import math
import re
import tomllib
from collections import Counter

import pytest

import equilibrist as eq
from equilibrist.game import unfold
from equilibrist.poker.histories.hand import Deal, decisions
from equilibrist.poker.histories.read import read_hands

RIVER = (
    "holdem(board='AsKs7s2s3c', oop='QdQc,KdJh:0.5,9s8s', ip='JdJc,AdQh:0.75,TsTc', "
    "pot=80, stack=150, bets='50%; a')"
)
TURN = RIVER.replace("2s3c", "2s")
OMAHA = (
    "omaha(board='AsKs7s2s3c', oop='QQJxds,AAxxr:0.5', ip='KKQxds:0.75,JT98', pot=80, stack=150, "
    "bets='50%, 100%; 100%', min_bet=11)"
)
AFTER = RIVER.replace(")", ", after='B40-R150', rake=0.05, rake_cap=3)")


@pytest.fixture(scope="module")
def solution():
    return eq.solve(RIVER, iterations=8)


def tables(path):
    return list(tomllib.loads(path.read_text(encoding="utf-8")).values())


def steps(table):
    """Yield player, line before and action on the river, from the actions of a table of PHH."""
    line, bet = [], 0
    after = table["actions"][[*map(str.split, table["actions"])].index(["d", "db", "3c"]) + 1 :]
    for action in after:
        player, word, *rest = action.split()
        if word != "sm":
            chips = rest[0] if rest else ""
            name = {"f": "F", "cc": "C" if bet else "X"}.get(word, f"{'R' if bet else 'B'}{chips}")
            name = f"A{chips}" if chips == "150" else name
            yield int(player[1]) - 1, "-".join(line), name
            line.append(name)
            bet = chips or bet


@pytest.mark.slow
@pytest.mark.parametrize("hands", [1_500, 10_000])
def test_frequencies_are_those_of_the_run(solution, tmp_path, hands):
    """Deals, and the actions of each hand at each decision, within four standard errors."""
    path = tmp_path / "hands.phhs"
    assert eq.poker.write_hands(solution, path, hands=hands, seed=1) == 1
    spot, visits, taken, pairs = eq.poker.SolvedSpot(solution), Counter(), Counter(), Counter()
    for table in tables(path):
        dealt = [action.split()[3] for action in table["actions"][:2]]
        pairs[tuple(dealt)] += 1
        for player, line, action in steps(table):
            visits[line, dealt[player]] += 1
            taken[line, dealt[player], action] += 1
    nodes = {line: spot.node(line) for line, _ in visits}
    assert {line for line, _, _ in taken} == set(nodes)
    assert len(visits) > 15
    for (line, hand), number in visits.items():
        node = nodes[line]
        played = node.strategy[:, node.number(hand)]
        for action, share in zip(node.actions, played.tolist(), strict=True):
            error = math.sqrt(number * share * (1 - share))
            assert abs(taken[line, hand, action] - number * share) <= 4 * error + 1e-6, (
                line,
                hand,
                action,
            )
    weights = {"QdQc": 1, "KdJh": 0.5, "9s8s": 1, "JdJc": 1, "AdQh": 0.75, "TsTc": 1}
    total = sum(weights[first] * weights[second] for first, second in pairs)
    assert len(pairs) == 9  # no two of these hands share a card
    for (first, second), number in pairs.items():
        share = weights[first] * weights[second] / total
        assert abs(number - hands * share) <= 4 * math.sqrt(hands * share * (1 - share))


def test_a_seed_decides_the_file(solution, tmp_path):
    paths = [tmp_path / name for name in "abc"]
    seeds = [
        eq.poker.write_hands(solution, path, hands=20, seed=seed)
        for path, seed in zip(paths, (1, 1, None), strict=True)
    ]
    assert paths[0].read_bytes() == paths[1].read_bytes() != paths[2].read_bytes()
    assert eq.poker.write_hands(solution, paths[0], hands=20, seed=seeds[2]) == seeds[2]
    assert paths[0].read_bytes() == paths[2].read_bytes()


@pytest.mark.thinned(3)
@pytest.mark.parametrize(("spot", "rake"), [(RIVER, 0), (TURN, 0), (AFTER, 3), (OMAHA, 0)])
def test_pokerkit_reads_and_pays_what_was_written(spot, rake, tmp_path):
    """Pokerkit plays each hand by its rules of poker, and refuses what they do not allow; stacks end as written."""
    pokerkit = pytest.importorskip("pokerkit", reason="needs pokerkit, of the extra 'hands'")
    run = eq.solve(spot, iterations=20)
    paths = {name: tmp_path / name for name in ("phh", "pokerstars")}
    for name, path in paths.items():
        eq.poker.write_hands(run, path, hands=60, format=name, seed=2)
    texts = paths["pokerstars"].read_text().split("\n\n\n")[:-1]
    with paths["phh"].open("rb") as file:
        histories = list(pokerkit.HandHistory.load_all(file))
    assert len(histories) == len(texts) == 60
    for history, text in zip(histories, texts, strict=True):
        *_, state = history
        assert not state.status
        assert list(state.starting_stacks) == [190, 190]
        collected = dict(re.findall(r"^(OOP|IP) collected \$([\d.]+) from pot", text, re.MULTILINE))
        bets = re.findall(
            r"^(OOP|IP): (?:bets|raises)",
            re.split(r"\*\*\* (?:FLOP|TURN|RIVER) ", text)[-1],
            re.MULTILINE,
        )
        assert re.findall(r"^(OOP|IP): shows", text, re.MULTILINE)[:1] in ([], bets[-1:] or ["OOP"])
        returned = re.search(r"Uncalled bet \(\$([\d.]+)\) returned to (OOP|IP)", text)
        pot = float(re.search(r"Total pot \$([\d.]+)", text)[1])
        assert sum(map(float, collected.values())) == pot - rake
        paid = (pot / 2, pot / 2)
        for i, name in enumerate(("OOP", "IP")):
            won = float(collected.get(name, 0)) + rake * (len(collected) == 1) * (name in collected)
            assert float(state.payoffs[i]) == won + rake / 2 * (len(collected) == 2) - paid[i]
        assert (returned is None) == (text.count(": folds") == 0)


@pytest.mark.slow
def test_pokerkit_reads_the_text_of_pokerstars(solution, tmp_path):
    pokerkit = pytest.importorskip("pokerkit", reason="needs pokerkit, of the extra 'hands'")
    paths = [tmp_path / name for name in ("phh", "pokerstars")]
    for path in paths:
        eq.poker.write_hands(solution, path, hands=60, format=path.name, seed=5)
    with pytest.warns(
        UserWarning, match="time_zone_abbreviation"
    ):  # which pokerkit finds, and then wonders at
        histories = list(
            pokerkit.HandHistory.from_pokerstars(paths[1].read_text(), error_status=True)
        )
    assert len(histories) == 60
    for history, table in zip(histories, tables(paths[0]), strict=True):
        assert [action for action in history.actions if " dh " not in action] == [
            action for action in table["actions"] if " dh " not in action
        ]
        assert (
            history.actions[0] == table["actions"][0]
        )  # the cards of OOP; those of IP are not dealt face up


@pytest.mark.parametrize("format", ["phh", "pokerstars"])
def test_short_decks_are_dealt_and_graded_by_their_cards(format, tmp_path):
    """Cards are those of the deck, hands are named by it, and runs of the other deck grade none of them."""
    spot = "holdem(board='9s8h7dKcAs', oop='Ad6d', ip='KsKh', pot=20, stack=20, bets='a', deck='short')"
    run, path = eq.solve(spot, iterations=200), tmp_path / "hands.phhs"
    eq.poker.write_hands(run, path, hands=20, format=format, seed=1)
    text = path.read_text()
    shown = {
        "phh": ['variant = "NS"', '"d db 9s8h7d"', '"d db Kc"', '"d db As"'],
        "pokerstars": [
            " 6+ Hold'em No Limit ",
            "[9s 8h 7d Kc As]",
            "OOP: shows [Ad 6d] (straight)",
        ],
    }[format]
    assert [each for each in shown if each not in text] == []
    grades = eq.poker.grade(path, run)
    assert (grades.hands, len(grades.decisions) >= 20, grades.cost) == (20, True, 0.0)
    full = eq.solve(spot.replace("deck='short'", "deck='full'"), iterations=2)
    assert len(eq.poker.grade(path, full).decisions) == 0


@pytest.mark.thinned(2)
@pytest.mark.parametrize("format", ["phh", "pokerstars"])
def test_omaha_is_dealt_and_graded(format, tmp_path):
    """Hands have four cards; raises before the flop keep to the limit; runs of hold'em on the board grade none."""
    run, path = (
        eq.solve(OMAHA.replace("min_bet=11", "min_bet=1"), iterations=60),
        tmp_path / "hands",
    )
    eq.poker.write_hands(run, path, hands=20, format=format, seed=1)
    text = path.read_text()
    shown = {
        "phh": [
            'variant = "PO"',
            '"p2 cbr 2.52", "p1 cbr 6.33", "p2 cbr 15.91", "p1 cbr 40", "p2 cc"',
        ],
        "pokerstars": [
            " Omaha Pot Limit ($0.50/$1.00 USD)",
            "OOP: raises $24.09 to $40\nIP: calls $24.09",
        ],
    }[format]
    assert [each for each in shown if each not in text] == []
    grades = eq.poker.grade(path, run)
    assert (grades.hands, len(grades.decisions) >= 20, grades.cost) == (20, True, 0.0)
    row = grades.decisions.to_pylist()[0]
    assert eq.poker.SolvedSpot(run).node(row["line"]).number(row["cards"]) >= 0
    assert row["class"][:4] == row["cards"][::2]
    assert row["made"] in (
        "overpair",
        "top pair",
        "pair",
        "two pair",
        "set",
        "trips",
        "straight",
        "flush",
        "high card",
    )
    path.write_text(
        re.sub("(?<=[2-9TJQKA])[shdc]", lambda suit: "hdcs"["shdc".index(suit[0])], text)
    )
    assert len(eq.poker.grade(path, run).decisions) == len(
        grades.decisions
    )  # ranges are the same in all suits
    assert len(eq.poker.grade(path, eq.solve(RIVER, iterations=1)).decisions) == 0


def test_what_cannot_be_dealt(solution, tmp_path, monkeypatch):
    with pytest.raises(
        eq.AlgorithmError,
        match=r"format must be phh or pokerstars; got 'phhs'\. Did you mean 'phh'\?",
    ):
        eq.poker.write_hands(solution, tmp_path / "a", format="phhs")
    with pytest.raises(eq.AlgorithmError, match="hands must be a whole number, 1 or more; got 0"):
        eq.poker.write_hands(solution, tmp_path / "a", hands=0)
    with pytest.raises(
        eq.SolutionError, match="kuhn is no run of a spot of hold'em or Omaha; give one of a spot"
    ):
        eq.poker.write_hands(eq.solve("kuhn", iterations=2), tmp_path / "a")
    with pytest.raises(
        eq.GameError,
        match=r"this spot has no such limit \(pot_limit=False\); solve it with the limit",
    ):
        eq.poker.write_hands(
            eq.solve(OMAHA.replace("min_bet=11", "pot_limit=False"), iterations=1), tmp_path / "a"
        )
    with monkeypatch.context() as context:
        context.setattr(unfold, "_MOST_PAIRS", 8)
        with pytest.raises(
            eq.GameError, match="has 9 pairs of hands, of which at most 8 can be dealt one by one"
        ):
            eq.poker.write_hands(solution, tmp_path / "a")
    thirds = eq.solve(
        RIVER.replace("pot=80", "pot=100").replace("50%", "33.333%, a").replace(")", ", chip=0)"),
        iterations=2,
    )
    with pytest.raises(
        eq.GameError, match=r"PokerStars counts in cents, and 33\.333 chips are no whole ones"
    ):
        eq.poker.write_hands(thirds, tmp_path / "a", hands=50, format="pokerstars", seed=1)
    assert list(tmp_path.iterdir()) == []  # nothing half-written stays


@pytest.mark.thinned(2)
@pytest.mark.parametrize("after", ["X-B50", "X-B50-C | X", "X-X | X-B50", "X-B50-R100"])
def test_a_spot_within_the_betting_begins_with_what_was_done(after, tmp_path):
    """The line before it is part of each hand: read again, the moves on its streets are those of the line."""
    board = "AsKs7s2s" if "|" in after else "AsKs7s"
    ranges = {"oop": "QdQc,KdJh", "ip": "JdJc,AdQh"}
    spot = eq.poker.Holdem(board, **ranges, pot=100, stack=300, bets="50%, a; 2x, a", after=after)
    path = tmp_path / "hands.phhs"
    eq.poker.write_hands(eq.solve(spot, iterations=2), path, hands=20, seed=1)
    words = [word[0] for word in after.replace(" ", "").replace("|", "-").split("-") if word]
    hands = list(read_hands([path]))
    assert len(hands) == 20
    for hand in hands:
        first = next(number for number, move in enumerate(hand.moves) if isinstance(move, Deal))
        acted = [move.kind for move in hand.moves[first:] if not isinstance(move, Deal)]
        expected = [{"X": "C", "R": "B"}.get(word, word) for word in words]
        assert acted[: len(words)] == expected
        list(decisions(hand))  # which follows the whole hand, and refuses what does not fit
