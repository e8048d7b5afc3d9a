"""Betting trees: the counts of postflop-solver, every step of the rules by hand, payoffs, lines, and the text."""

import itertools
import random
from dataclasses import replace

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.game.protocol import TERMINAL
from equilibrist.poker.spot.bet_sizes import STREETS, combine, read_parts
from equilibrist.poker.spot.betting import build_betting
from equilibrist.poker.spot.betting_tree import BettingRules


def tree(pot, stack, street, bets, donk=None, **rules):
    """Return the tree of sizes that both players have on all streets; ``donk`` are those of the river."""
    base = read_parts(bets, "bets")
    sizes = [[combine(base) for _ in STREETS] for _ in range(2)]
    if donk is not None:
        sizes[0][2] = combine(base, read_parts({"donk": donk}, "donk"))
    return build_betting(BettingRules(street=street, pot=pot, stack=stack, sizes=sizes, **rules))


def totals(built):
    counts = built.counts().values()
    return tuple(sum(own[kind] for own in counts) for kind in ("decision", "terminal", "chance"))


def lines(built):
    return {node.line for node in built.nodes}


def bets(built, line=""):
    """Return the bets and raises after a line."""
    return [action for action in built.nodes[built.find(line)].actions if action[0] in "BRA"]


ALL = {
    "bets": "60%, e, a; 2.5x",
    "donk": "50%",
    "add_all_in": 1.5,
    "force_all_in": 0.15,
    "merge": 0.1,
}


@pytest.mark.parametrize(
    ("pot", "stack", "street", "rules", "expected"),
    [
        (200, 900, 2, ALL, (10, 17, 0)),
        (200, 900, 1, ALL, (75, 111, 9)),
        (200, 900, 0, ALL, (173, 239, 26)),
        (200, 900, 2, {"bets": "50%, a; 60%, a"}, (16, 29, 0)),
        (200, 900, 1, {"bets": "50%, a; 60%, a"}, (80, 129, 7)),
        (50, 200, 0, {"bets": "50%, a; a"}, (104, 157, 12)),
    ],
)
def test_counts_are_those_of_postflop_solver(pot, stack, street, rules, expected):
    assert totals(tree(pot, stack, street, **rules)) == expected


def test_nodes_stand_before_those_after_them_and_know_their_line():
    built = tree(200, 900, 0, **ALL)
    assert built.nodes[0].line == ""
    children = sorted(itertools.chain.from_iterable(node.children for node in built.nodes))
    assert children == list(range(1, len(built.nodes)))
    for index, node in enumerate(built.nodes):
        assert all(child > index for child in node.children)
        if node.player >= 0:
            assert len(node.actions) == len(node.children) == len(set(node.actions)) >= 1
            assert built.find(node.line) == index
            for action, child in zip(node.actions, node.children, strict=True):
                assert built.nodes[child].line.endswith(action)
    decisions = [node.line for node in built.nodes if node.player >= 0]
    assert len(decisions) == len(set(decisions))


def test_what_is_paid_is_in_the_line():
    built = tree(200, 900, 1, **ALL)
    for node in built.nodes:
        paid, player = [0.0, 0.0], 0
        for street in node.line.split("|"):
            put, player = [0.0, 0.0], 0
            for action in filter(None, street.strip().split("-")):
                if action == "C":
                    put[player] = put[1 - player]
                elif action[0] in "BRA":
                    put[player] = float(action[1:])
                player = 1 - player
            paid = [paid[0] + put[0], paid[1] + put[1]]
        assert node.paid == tuple(paid), node.line
        assert max(node.paid) <= 900


@pytest.mark.parametrize("rake", [{}, {"rake": 0.05}, {"rake": 0.05, "rake_cap": 12.0}])
def test_payoffs_sum_to_the_pot_less_rake(rake):
    built = tree(200, 900, 1, "50%, a; 60%, a", **rake)
    for node in built.nodes:
        if node.player != eq.TERMINAL:
            continue
        called = min(node.paid)
        taken = min(rake.get("rake", 0) * (200 + 2 * called), rake.get("rake_cap", 1e9))
        paid = built.payoff(node)
        pairs = [paid] if node.folded >= 0 else list(paid)
        assert [sum(pair) for pair in pairs] == pytest.approx([200 - taken] * len(pairs))
        if node.folded >= 0:
            assert paid[node.folded] == -node.paid[node.folded] == -called
        else:
            assert (paid.win[1], paid.lose[0]) == (-called, -called)
            assert paid.tie[0] == paid.tie[1]


def test_fold_and_showdown_by_hand():
    built = tree(200, 900, 2, "50%; 3x", rake=0.1, rake_cap=25.0)
    fold = built.nodes[built.find("B100-F")]
    assert built.payoff(fold) == (180, 0)  # the uncalled 100 are returned, rake is taken of 200
    refused = built.nodes[built.find("X-B100-R300-F")]
    assert built.payoff(refused) == (275, -100)  # 200 are returned, 25 taken of 400
    shown = built.payoff(built.nodes[built.find("B100-C")])
    assert shown.win == (400 - 25 - 100, -100)
    assert shown.tie == (87.5, 87.5)
    assert shown.lose == (-100, 275)


# --- The steps at a decision ---


def test_a_raise_in_per_cent_is_a_call_and_then_a_bet():
    built = tree(100, 1000, 2, "75%; 50%")
    assert bets(built) == ["B75"]
    assert bets(built, "B75") == ["R200"]
    assert bets(built, "B75-R200") == ["R450"]  # 200 + (100 + 400) / 2


def test_a_geometric_raise_leaves_one_bet_less_for_each_raise_before_it():
    built = tree(100, 1300, 2, "100%; 3e")
    # 300 · (1 + 2s)^3 = 300 + 2 · 1200 for the share s of three bets, then of two bets for the rest
    assert bets(built, "B100") == ["R262"]
    assert bets(built, "B100-R262") == ["R599"]  # 262 + 624 · (√(2700 / 624) − 1) / 2


def test_the_least_raise_is_by_as_much_as_the_last():
    built = tree(100, 1000, 2, "100%; 1.2x, 10%")
    assert bets(built, "B100") == ["R200"]
    assert bets(built, "B100-R200") == ["R300"]
    assert [(change.asked, change.became, change.reason) for change in built.changes[:2]] == [
        (120, 200, "minimum"),
        (130, 200, "minimum"),
    ]


def test_the_least_bet():
    built = tree(20, 1000, 2, "10%; 2x", min_bet=10.0)
    assert bets(built) == ["B10"]
    assert bets(tree(20, 1000, 2, "60%; 110%", min_bet=10.0), "B12") == ["R60"]
    assert bets(tree(100, 200, 2, "5c; 1c", min_bet=10.0), "B10") == ["R20"]


def test_no_bet_is_larger_than_the_stack():
    built = tree(100, 150, 2, "200%, 120%; 3x")
    assert bets(built) == ["B120", "A150"]
    assert bets(built, "B120") == ["A150"]  # less than the least raise, as all-in may be
    assert bets(built, "A150") == []


def test_chips_are_rounded_half_up_and_told_where_it_matters():
    assert bets(tree(101, 1000, 2, "50%, 33%")) == ["B33", "B51"]
    assert bets(tree(101, 1000, 2, "50%, 33%", chip=0.1)) == ["B33.3", "B50.5"]
    assert bets(tree(101, 1000, 2, "50%, 33%", chip=0.0, min_bet=0.0)) == ["B33.33", "B50.5"]
    assert tree(101, 1000, 2, "50%").changes == []
    (change, *_) = tree(5, 100, 2, "33%").changes
    assert (change.line, change.asked, change.became, change.reason) == (
        "",
        pytest.approx(1.65),
        2,
        "rounded",
    )


@pytest.mark.parametrize(("share", "expected"), [(1.49, ["B50"]), (1.5, ["B50", "A150"])])
def test_all_in_is_added_where_it_is_small(share, expected):
    assert bets(tree(100, 150, 2, "50%", add_all_in=share)) == expected


def test_all_in_is_added_to_raises_of_the_pot_after_the_call():
    built = tree(100, 500, 2, "100%", add_all_in=1.4)
    assert bets(built) == ["B100"]
    assert bets(built, "B100") == ["A500"]  # 400 more, 4/3 of a pot of 300


@pytest.mark.parametrize(("share", "expected"), [(0.24, "B100"), (0.25, "A175")])
def test_all_in_is_forced_where_little_would_be_left(share, expected):
    assert bets(tree(100, 175, 2, "100%", force_all_in=share)) == [
        expected
    ]  # 75 of a pot of 300 left


def test_merging_goes_from_the_largest_down():
    built = tree(100, 1000, 2, "50%, 60%, 70%, 90%", merge=0.1)
    # 1.9 / 1.7 = 1.118 keeps 70; 1.7 / 1.6 = 1.06 drops 60; 1.7 / 1.5 = 1.13 keeps 50
    assert bets(built) == ["B50", "B70", "B90"]
    assert [(c.line, c.asked, c.became, c.reason) for c in built.changes] == [
        ("", 60, 70, "merged"),
        ("X", 60, 70, "merged"),
    ]


TIES = [(10, 21), (20, 32), (60, 76), (70, 87), (80, 98)]


@pytest.mark.parametrize(("smaller", "larger"), TIES)
def test_sizes_that_are_exactly_as_near_as_may_be_are_merged(smaller, larger):
    """(1 + x) / (1 + y) is 1.1; floats have more of some and less of others, and postflop-solver merges all."""
    assert bets(tree(100, 1000, 2, f"{smaller}%, {larger}%", merge=0.1)) == [f"B{larger}"]
    assert bets(tree(100, 1000, 2, f"{smaller}%, {larger + 1}%", merge=0.1)) == [
        f"B{smaller}",
        f"B{larger + 1}",
    ]
    cents = tree(1, 10, 2, f"{smaller}%, {larger}%", merge=0.1, chip=0.01, min_bet=0.01)
    assert bets(cents) == [f"B{larger / 100:g}"]
    raises = tree(80, 9000, 2, f"10c; {smaller}%, {larger}%", merge=0.1)
    assert bets(raises, "B10") == [f"R{10 + larger}"]


def test_raises_are_merged_as_shares_of_the_pot_after_the_call():
    built = tree(100, 2000, 2, "100%; 50%, 60%, 100%", merge=0.1)
    assert bets(built, "B100") == ["R280", "R400"]  # 1.6 / 1.5 = 1.07


@pytest.mark.parametrize(("limit", "deepest"), [(0, "B10"), (1, "B10-R30"), (2, "B10-R30-R90")])
def test_the_limit_of_raises_does_not_count_the_bet(limit, deepest):
    built = tree(20, 5000, 2, "50%; 3x", max_raises=limit, add_all_in=50.0)
    assert bets(built, deepest) == []
    assert all(
        line.count("R") + ("-A" in line.replace("X-A", "")) <= limit for line in lines(built)
    )


def test_donk_bets_are_for_oop_after_a_call():
    built = tree(20, 5000, 1, "50%; 3x", donk="25%")
    both = build_betting(replace(built.rules, sizes=[built.rules.sizes[0]] * 2))
    assert bets(both, "X-B10-C | X") == ["B20"]
    assert bets(built, "X-B10-C |") == ["B10"]
    assert bets(built, "B10-R30-C |") == ["B20"]
    assert bets(built, "B10-C |") == ["B20"]  # IP called
    assert bets(built, "X-X |") == ["B10"]
    assert bets(built, "X-B10-C | X") == ["B20"]  # IP bets
    assert bets(tree(20, 5000, 1, "50%", donk="none"), "X-B10-C |") == []


def test_after_an_all_in_and_a_call_the_cards_are_only_dealt():
    built = tree(50, 200, 0, "a")
    called = built.nodes[built.find("A200")]
    chance = built.nodes[called.children[called.actions.index("C")]]
    assert chance.player == eq.CHANCE
    assert (chance.line, chance.street) == ("A200-C", 0)
    second = built.nodes[chance.children[0]]
    assert (second.player, second.line, second.street) == (eq.CHANCE, "A200-C |", 1)
    end = built.nodes[second.children[0]]
    assert (end.player, end.line, end.street) == (eq.TERMINAL, "A200-C | |", 2)
    assert built.find("A200-C") == second.children[0]
    assert built.counts()["flop"]["chance"] == 1  # after X-X; run-outs are not counted


# --- Lines added and removed ---


def test_lines_are_added_with_all_that_follows():
    plain = tree(100, 1000, 1, "50%; 3x")
    built = tree(100, 1000, 1, "50%; 3x", add_lines=["B50-R200", "X-X | B77", "A-C"])
    assert bets(built, "B50") == ["R150", "R200"]
    assert bets(built, "X-X") == ["B50", "B77"]
    assert bets(built, "B50-R200") == ["R600"]
    assert "A1000" in bets(built)
    assert bets(built, "X-B50") == bets(plain, "X-B50")
    assert lines(plain) < lines(built)
    assert lines(tree(100, 1000, 1, "50%; 3x", add_lines=["B50-R150", "X-B50-C | X"])) == lines(
        plain
    )


def test_lines_are_removed_with_all_that_follows():
    plain = tree(100, 1000, 1, "50%, 100%; 3x")
    built = tree(100, 1000, 1, "50%, 100%; 3x", remove_lines=["X-B100", "B50-C | B200"])
    gone = ("X-B100", "B50-C | B200")
    assert lines(built) == {line for line in lines(plain) if not line.startswith(gone)}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"remove_lines": ["X-B70"]},
            r"^There is no 'B70' in the line 'X-B70': the actions after 'X' are X, B50\.$",
        ),
        (
            {"remove_lines": ["B50-F-X"]},
            r"There is no 'X' in the line 'B50-F-X': the hand is over after 'B50-F'",
        ),
        ({"remove_lines": ["X", "B50"]}, "remove_lines leaves no action at the start; got X, B50"),
        (
            {"remove_lines": ["Q7"]},
            r"Cannot read 'Q7' in the line 'Q7'; write lines as 'X-B120-C \| B200-A900'",
        ),
        (
            {"add_lines": ["B50-R80"]},
            "add_lines: 'R80' in 'B50-R80' must be at least 100, the least raise after 'B50'",
        ),
        (
            {"add_lines": ["B1200"]},
            "add_lines: 'B1200' in 'B1200' must be at least 1, the least bet at the start, and at",
        ),
        (
            {"add_lines": ["X-X-B50-R200-X"]},
            "There is no 'X' in the line 'X-X-B50-R200-X': the actions after 'X-X |",
        ),
        (
            {"add_lines": ["A1000-R1000"]},
            "There is no 'R1000' in the line 'A1000-R1000': the actions after 'A1000' are F, C",
        ),
    ],
)
def test_lines_that_make_no_sense(given, message):
    with pytest.raises(eq.GameError, match=message) as refused:
        tree(100, 1000, 1, "50%; 3x", **given)
    assert refused.value.wrong_use


def test_a_line_that_is_not_there_is_told_with_those_that_are():
    built = tree(100, 1000, 2, "50%; 3x")
    with pytest.raises(
        eq.GameError,
        match=r"There is no 'B80' in the line 'X-B80': the actions after 'X' are X, B50\.",
    ):
        built.find("X-B80")
    assert built.nodes[built.find("x > b50 - r150")].line == "X-B50-R150"


def test_a_tree_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr("equilibrist.poker.spot.betting.MAX_NODES", 100)
    with pytest.raises(
        eq.GameError,
        match=r"more than 100 nodes, .*Give fewer sizes, .* merge of 0\.1, .* max_raises",
    ) as refused:
        tree(200, 900, 0, **ALL)
    assert refused.value.wrong_use


ELEVEN = ",".join(f"{10 * k}%" for k in range(5, 16))


def test_a_tree_that_is_far_too_large_is_refused_by_random_plays(monkeypatch):
    monkeypatch.setattr("equilibrist.poker.spot.betting._PROJECT_AT", 5_000)
    with pytest.raises(
        eq.GameError,
        match=r"The betting tree: more than 2,000,000 nodes, about [\d,.e+]+\. Give fewer",
    ):
        tree(1, 100_000, 0, f"{ELEVEN}; {ELEVEN}", max_raises=3)


def test_lines_that_are_removed_are_not_estimated(monkeypatch):
    """Random plays know nothing of them: what is left may be small."""
    for name, value in (("_LOOK_AT", 1), ("_PROJECT_AT", 1), ("MAX_NODES", 100)):
        monkeypatch.setattr(f"equilibrist.poker.spot.betting.{name}", value)
    sizes = f"{ELEVEN}; {ELEVEN}"
    with pytest.raises(eq.GameError, match="more than 100 nodes, about"):
        tree(100, 100_000, 2, sizes)
    removed = [f"{check}B{10 * k}" for check in ("", "X-") for k in range(5, 16)]
    assert lines(tree(100, 100_000, 2, sizes, remove_lines=removed)) == {"", "X", "X-X"}


def test_raises_without_end_are_refused():
    with pytest.raises(
        eq.GameError,
        match="more than 50 raises on a street, in a line that begins with 'X-B1-R2-R3': give larger raises, or max_",
    ):
        tree(100, 5000, 2, "1c; 1c")


# --- Random trees against a recursion of its own ---


def recursion(pot, stack, street, betting, raising, limit):
    """Return the lines of a tree whose sizes are shares of the pot: no thresholds, written as a person would count."""
    found = []

    def play(line, street, before, put, player, raises):
        facing = put[1 - player]
        most, after_call = stack - before, pot + 2 * (before + facing)
        ends = {"F": None, "C": facing} if facing else {"X": 0}
        sizes = (raising if raises < limit else []) if facing else betting
        if facing == most:
            sizes = []
        least = facing + max(facing - put[player], 1)
        amounts = {
            min(max(facing + int(after_call * share / 100 + 0.5), least), most) for share in sizes
        }
        for name, paid in ends.items():
            here = f"{line}{name}"
            if name == "F":
                found.append(here)
            elif name == "X" and player == 0:
                play(f"{here}-", street, before, put, 1, 0)
            elif street == 2:
                found.append(here)
            elif before + paid == stack:
                found.append(here + " |" * (2 - street))
            else:
                play(f"{here} | ", street + 1, before + paid, [0, 0], 0, 0)
        for amount in sorted(amounts):
            letter = "A" if amount == most else "R" if facing else "B"
            now = [amount, put[1]] if player == 0 else [put[0], amount]
            play(f"{line}{letter}{amount}-", street, before, now, 1 - player, raises + bool(facing))

    play("", street, 0, [0, 0], 0, 0)
    return found


@pytest.mark.parametrize("seed", range(12))
def test_random_trees_have_the_lines_of_a_recursion(seed):
    draw = random.Random(seed)
    pot, stack, street = draw.randint(1, 60), draw.randint(1, 300), draw.choice([1, 1, 2])
    shares = [[draw.randint(5, 250) for _ in range(draw.randint(0, 2))] for _ in range(2)]
    text = "; ".join(", ".join(f"{share}%" for share in own) or "none" for own in shares)
    limit = draw.randint(0, 3)
    built = tree(pot, stack, street, text, max_raises=limit)
    ends = [node.line for node in built.nodes if node.player == eq.TERMINAL]
    assert ends == recursion(pot, stack, street, *shares, limit)


# --- The text ---


def test_the_text_fits_80_columns_and_has_every_line():
    built = tree(200, 900, 0, **ALL)
    rows = built.rows()
    assert max(map(len, rows)) <= 80
    assert len(rows) == 1 + sum(node.player != eq.CHANCE for node in built.nodes)
    assert rows[1].split() == ["start", "OOP", "200", "900", "/", "900"]
    first = built.rows(streets=1)
    assert any("turn: OOP …" in row for row in first)
    assert len(first) < len(rows) / 5
    below = built.rows("X-B120-C", width=60)
    assert max(map(len, below)) == 60
    assert below[1].startswith("X-B120-C |  OOP")


def test_the_tree_prints_itself_with_counts_and_changes():
    text = str(tree(200, 900, 0, **ALL))
    assert "all            173       239        26" in text
    assert (
        "Merged with a size of about the same: 6 sizes, the first at the start: 115 became 120."
        in text
    )
    assert (
        "All-in by force_all_in: 36 sizes, the first after 'X-X | X-X | X-B120-R300': 750 became 900."
        in text
    )


@pytest.mark.parametrize("line", ["X-B100", "X-X", "B100-C | X", ""])
def test_the_part_of_a_tree_below_a_line(line):
    """Everything is as in the whole tree, whose lines go on there; payoffs are counted from there."""
    whole = eq.load(
        "holdem(board='Td9d6hQc', oop='AA', ip='KK', pot=200, stack=900, bets='50%, a; 60%', rake=.05)"
    ).tree
    part = whole.below(line)
    begin = whole.nodes[whole.find(line)]
    assert part.pot == 200 + sum(begin.paid)
    assert part.rules.street == begin.street
    assert part.nodes[0].line == ""
    nodes = [
        node
        for node in whole.nodes
        if f"{node.line} ".startswith((f"{begin.line} ", f"{begin.line}-")) or not line
    ]
    assert len(nodes) == len(part.nodes)
    for there, node in zip(nodes, part.nodes, strict=True):
        assert there.line.replace(" ", "").endswith(node.line.replace(" ", ""))
        assert (there.player, there.paid, there.actions) == (node.player, node.paid, node.actions)
        assert [part.nodes[child].actions for child in node.children] == [
            whole.nodes[child].actions for child in there.children
        ]
        if node.player == TERMINAL:
            for given, own in zip(
                np.ravel(whole.payoff(there)), np.ravel(part.payoff(node)), strict=True
            ):
                assert own - given in begin.paid


def test_a_part_of_a_tree_tells_its_own_changes():
    whole = tree(100, 1000, 2, "50%, 60%, 70%, 90%", merge=0.1)
    assert [change.line for change in whole.changes] == ["", "X"]
    assert [(change.line, change.asked) for change in whole.below("X").changes] == [("", 60)]
    assert whole.below("B50").changes == []


@pytest.mark.parametrize("chips", [1e15, 1e14])
@pytest.mark.parametrize("chip", [0.01, 1e-12])
def test_counts_of_chips_that_no_float_holds_are_not_rounded(chips, chip):
    """The largest stacks that are taken: a size of it is all-in or a share of the pot, whatever a chip is."""
    game = eq.poker.Holdem(
        "Td9d6hQc2s", "AA", "KK", pot=chips / 1e3, stack=chips, bets="50%, a; a", chip=chip
    )
    names = game.tree.nodes[0].actions
    assert len(names) == 3
    paid = [game.tree.nodes[child].paid[0] for child in game.tree.nodes[0].children]
    assert paid[1:] == pytest.approx([chips / 2e3, chips], rel=1e-12)
