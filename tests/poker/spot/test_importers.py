"""Spots from wasm-postflop, TexasSolver and PioSOLVER: what is read, what is told and what is refused."""

import json
import warnings
from pathlib import Path

import pytest

import equilibrist as eq
from equilibrist.poker.spot.game import Holdem

POSTFLOP = {
    "oopRange": "66+,A8s+,KhQh:0.5",
    "ipRange": "QQ-22,AQs-A2s",
    "config": {
        "board": ["Td", "9d", "6h"],
        "startingPot": 200,
        "effectiveStack": 900,
        "rakePercent": 5,
        "rakeCap": 30,
        "donkOption": True,
        "oopFlopBet": "60, e, a",
        "oopFlopRaise": "2.5x",
        "oopTurnBet": "60, e, a",
        "oopTurnRaise": "2.5x",
        "oopTurnDonk": "",
        "oopRiverBet": "60, e, a",
        "oopRiverRaise": "2.5x",
        "oopRiverDonk": "50",
        "ipFlopBet": "60, e, a",
        "ipFlopRaise": "2.5x",
        "ipTurnBet": "33.3, 2e200, 40c",
        "ipTurnRaise": "2.5x",
        "ipRiverBet": "60, e, a",
        "ipRiverRaise": "2.5x",
        "addAllInThreshold": 150,
        "forceAllInThreshold": 15,
        "mergingThreshold": 10,
        "expectedBoardLength": 3,
        "addedLines": "X>B70,X-X|B33",
        "removedLines": "A900",
    },
}

TEXAS = """\
set_pot 50
set_effective_stack 200
set_board Qs,Jh,2h
set_range_ip AA,KK:0.5,AQs
set_range_oop QQ:0.5,JJ:0.75,TT,AsQs
set_bet_sizes oop,flop,bet,50
set_bet_sizes oop,flop,raise,60
set_bet_sizes ip,flop,bet,50
set_bet_sizes ip,flop,raise,60
set_bet_sizes ip,flop,allin
set_bet_sizes oop,turn,bet,50
set_bet_sizes oop,turn,raise,60
set_bet_sizes ip,turn,bet,50
set_bet_sizes ip,turn,raise,60
set_bet_sizes oop,river,bet,50
set_bet_sizes oop,river,donk,30
set_bet_sizes oop,river,raise,60,100
set_bet_sizes oop,river,allin
set_bet_sizes ip,river,bet,50
set_bet_sizes ip,river,raise,60,100
set_bet_sizes ip,river,allin
set_allin_threshold 0.67
build_tree
set_thread_num 8
set_accuracy 0.5
start_solve
dump_result output_result.json
"""


def write(folder, given, name="spot.json"):
    path = folder / name
    path.write_text(given if isinstance(given, str) else json.dumps(given), encoding="utf-8")
    return path


def changed(**settings):
    return {**POSTFLOP, "config": {**POSTFLOP["config"], **settings}}


def test_settings_of_wasm_postflop(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        game = eq.load(write(tmp_path, POSTFLOP))
    same = Holdem(
        "Td9d6h",
        {"range": "66+,A8s+,KhQh:0.5", "turn": {"donk": "none"}, "river": {"donk": "50%"}},
        {"range": "QQ-22,AQs-A2s", "turn": "33.3%, 2e200%, 40c; 2.5x"},
        pot=200,
        stack=900,
        bets="60%, e, a; 2.5x",
        add_all_in=1.5,
        force_all_in=0.15,
        merge=0.1,
        rake=0.05,
        rake_cap=30,
        add_lines=["X-B70", "X-X | B33"],
        remove_lines=["A900"],
    )
    assert game.settings == same.settings


def test_the_flop_of_issue_13_as_wasm_postflop_saves_it(tmp_path):
    sizes = {
        f"{who}{street}{part}": text
        for who in ("oop", "ip")
        for street in ("Flop", "Turn", "River")
        for part, text in (("Bet", "60, e, a"), ("Raise", "2.5x"))
    }
    lines = {"addedLines": "", "removedLines": ""}
    game = eq.load(
        write(tmp_path, changed(**sizes, **lines, oopTurnDonk="60,e,a", rakePercent=0, rakeCap=7))
    )
    own = game.tree.counts().values()
    assert [sum(street[kind] for street in own) for kind in ("decision", "terminal", "chance")] == [
        173,
        239,
        26,
    ]
    assert game.settings["rake_cap"] is None


@pytest.mark.parametrize(
    "given",
    [
        {
            key: value
            for key, value in {**POSTFLOP, **POSTFLOP["config"]}.items()
            if key != "config"
        },
        changed(board=[33, 29, 18]),
        changed(board="Td 9d 6h"),
    ],
    ids=["flat", "numbers", "text"],
)
def test_other_ways_of_saving(given, tmp_path):
    assert str(eq.load(write(tmp_path, given))) == str(
        eq.load(write(tmp_path, POSTFLOP, "other.json"))
    )


def test_a_switch_that_is_off(tmp_path):
    off = changed(
        donkOption=False,
        addAllInThreshold=0,
        forceAllInThreshold=0,
        mergingThreshold=0,
        removedLines="",
    )
    settings = eq.load(write(tmp_path, off)).settings
    assert isinstance(settings["oop"], str)  # no sizes of its own
    assert [settings[key] for key in ("add_all_in", "force_all_in", "merge")] == [None] * 3


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            changed(oopFlopBets="50"),
            "'oopFlopBets' is no setting of wasm-postflop. Did you mean 'oopFlopBet'",
        ),
        (changed(oopFlopBet="50q"), "cannot read '50q' in '50q'"),
        (changed(ipFlopBet=50), "ipFlopBet must be a text such as '50, 2.5x, a'; got 50"),
        (changed(board=[]), "board must be 3 or 4 or 5 cards; got 0"),
        (changed(board=["Td", "9d", "Td"]), "Td is there twice"),
        (
            changed(expectedBoardLength=4),
            r"lines are for a board of 4 cards \(expectedBoardLength\); the board is 'Td9d6h'",
        ),
        (changed(rakePercent=10**400), "rake must be a number of per cent"),
        (changed(addAllInThreshold=10**400), "add_all_in must be a number of per cent"),
        (changed(startingPot=10**400), "pot must be a number of chips, above 0"),
        (changed(addedLines=5), "addedLines must be a text, lines separated by commas; got 5"),
        (
            {**POSTFLOP, "config": "x"},
            "spot.json' must hold an object with the settings of wasm-postflop",
        ),
        (changed(rakePercent="5"), "rake must be a number of per cent; got '5'"),
        ({"config": POSTFLOP["config"]}, "spot.json' lacks oop, ip: write oop = "),
        ({**POSTFLOP, "oopRange": "AKx"}, "oopRange: 'AKx' at character 1 cannot be read"),
        ("{", "spot.json' is no JSON: "),
        ("[]", "spot.json' must hold an object with the settings of wasm-postflop"),
    ],
)
def test_settings_that_are_refused(given, message, tmp_path):
    with pytest.raises(eq.GameError, match=message) as refused:
        eq.load(write(tmp_path, given))
    assert refused.value.wrong_use
    assert str(refused.value).startswith(f"'{tmp_path / 'spot.json'}'")


def test_a_script_of_texas_solver(tmp_path):
    path = write(tmp_path, TEXAS, "spot.txt")
    with pytest.warns(eq.EquilibristWarning) as told:
        game = eq.load(path)
    same = Holdem(
        "QsJh2h",
        {"range": "QQ:0.5,JJ:0.75,TT", "turn": {"donk": "none"}, "river": {"donk": "30%, a"}},
        {"range": "AA,KK:0.5,AQs", "flop": "50%, a; 60%, a"},
        pot=50,
        stack=200,
        bets="50%; 60%",
        river="50%, a; 60%, 100%, a",
        max_raises=3,
        force_all_in=0.339552,
    )
    assert game.settings == same.settings
    assert len(game.hands[0]) == 3 + 3 + 6  # AsQs is blocked and left out
    first, all_in, second = (str(one.message) for one in told)
    assert f"'{path}': oop,flop oop,turn ip,turn: no line asks for all-in there" in all_in
    assert first.startswith(
        f"'{path}': set_allin_threshold 0.67 and set_raise_limit 4 (TexasSolver's defaults are 0.67 and 4)"
    )
    assert (
        "set_thread_num 8; set_accuracy 0.5; start_solve; dump_result output_result.json: that is about"
        in second
    )


QSJH2H = Path(__file__).parents[3] / "examples" / "spots" / "qsjh2h.toml"
PUBLISHED = {  # the hands of each weight in the benchmark of TexasSolver's repository
    "oop": {
        1: "AA KK QQ JJ TT AK AQs AJs KQs KJs",
        0.75: "99 88 AQo ATs A5s A4s KTs QJs QTs JTs J9s J8s T9s T8s T7s 98s 97s 87s 76s 65s 54s",
        0.5: "77 AJo A3s A2s KQo Q9s 96s 86s 85s 75s 64s 53s 43s",
        0.25: "66 55 A6s K5s K4s",
    },
    "ip": {
        1: "TT 99 88 77 66 55 44 33 22 AQs AJs ATs A9s A8s A7s A6s A5s A4s A3s A2s KQ KJ KTs K9s K8s K7s K6s K5s QJ "
        "QTs Q9s Q8s Q7s JTs J9s J8s T9s T8s T7s 98s 97s 96s 87s 86s 76s 75s 65s 64s 54s 53s 43s",
        0.75: "JJ AQo AJo ATo",
        0.5: "QQ KTo K4s K3s K2s JTo",
        0.25: "AKo",
    },
}


@pytest.mark.slow
def test_the_published_benchmark_of_texas_solver_is_a_spot_of_ours(tmp_path):
    """All-in is a size of both on every street, but not of IP on the turn."""
    script = "set_board Qs,Jh,2h\nset_pot 10\nset_effective_stack 95\nset_allin_threshold 1.0\n"
    for who, weights in PUBLISHED.items():
        hands = ",".join(
            f"{hand}:{weight}"
            for weight, all_of_it in weights.items()
            for hand in all_of_it.split()
        )
        script += f"set_range_{who} {hands}\n"
        for street in ("flop", "turn", "river"):
            kinds = ["bet,100", "raise,50"]
            kinds += ["donk,100"] if who == "oop" and street != "flop" else []
            kinds += ["allin"] if (who, street) != ("ip", "turn") else []
            script += "".join(f"set_bet_sizes {who},{street},{kind}\n" for kind in kinds)
    with (
        pytest.warns(eq.EquilibristWarning, match="set_raise_limit 4"),
        pytest.warns(eq.EquilibristWarning, match="ip,turn: no line asks for all-in there"),
    ):
        theirs = eq.load(write(tmp_path, script, "spot.txt"))
    ours = eq.load(QSJH2H)
    assert theirs.tree.nodes == ours.tree.nodes
    assert eq.compile_cards(theirs).fingerprint == eq.compile_cards(ours).fingerprint
    assert sum(street["decision"] for street in ours.tree.counts().values()) == 231


def test_the_published_benchmark_without_the_3bets_that_piosolver_was_told_to_leave_out():
    """What docs/holdem.md says of Dont3bet: IP does not raise where two bets and raises were made on the street."""
    spot = eq.load(QSJH2H)
    removed = [
        f"{node.line}-{action}"
        for node in spot.tree.nodes
        if node.player == 1 and sum(letter in "BRA" for letter in node.line.rpartition("|")[2]) >= 2
        for action in node.actions
        if action[0] in "RA"
    ]
    counts = Holdem(**spot.settings | {"remove_lines": removed}).tree.counts()
    assert (len(removed), sum(street["decision"] for street in counts.values())) == (14, 202)


@pytest.mark.parametrize(
    ("threshold", "line", "made"), [(0.5, "B100", "A200"), (0.9, "B100", "B100")]
)
def test_the_threshold_of_texas_solver(threshold, line, made, tmp_path):
    """It goes all-in where a bet and half of the pot exceed the threshold times the stack: 100 + 25 > 0.5 · 200."""
    script = "set_pot 50\nset_effective_stack 200\nset_board Qs,Jh,2h,3c,4d\nset_range_ip AA\nset_range_oop KK\n"
    script += (
        f"set_bet_sizes oop,river,bet,200\nset_allin_threshold {threshold}\nset_raise_limit 1\n"
    )
    with pytest.warns(eq.EquilibristWarning):
        game = eq.load(write(tmp_path, script, "spot.txt"))
    assert game.actions(0) == ("X", made)
    assert game.settings["max_raises"] == 0


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "set_pot 50",
            "set_pots 50",
            "line 1: 'set_pots' is no command of TexasSolver. Did you mean 'set_pot'",
        ),
        (
            "oop,flop,bet,50",
            "oop,flop,bets,50",
            "line 6: write 'set_bet_sizes oop,flop,bet,50,100' .*; got 'set_bet_sizes oop,",
        ),
        ("set_pot 50", "", "lacks pot"),
        (
            "set_pot 50",
            "set_pot 50\nset_raise_limit inf",
            "set_raise_limit must be a number; got 'inf'",
        ),
        ("set_pot 50", "set_pot fifty", "pot must be a number; got 'fifty'"),
        ("AA,KK:0.5", "AA,KKs", "set_range_ip: 'KKs' at character 4 cannot be read"),
        ("set_board Qs,Jh,2h", "", "board must be 3 or 4 or 5 cards; got 0"),
    ],
)
@pytest.mark.filterwarnings("ignore::equilibrist.EquilibristWarning")
def test_scripts_that_are_refused(old, new, message, tmp_path):
    with pytest.raises(eq.GameError, match=message) as refused:
        eq.load(write(tmp_path, TEXAS.replace(old, new), "spot.txt"))
    assert refused.value.wrong_use


PIO = """\
#TreeBuilding#V2
#Range0#AA,KK:0.5,AhKh
#Range1#QQ,JJ
#Board#Qs Jh 2h
#Pot#60
#EffectiveStacks#180
#AllinThreshold#67
#AddAllinOnlyIfLessThanThisTimesThePot#500
#MergeSimilarBets#True
#MergeSimilarBetsThreshold#12
#MinimumBetsize#0
#UseUnifiedBetAfterRaise#False
#ForceOOPBet#False
#Cap#0
#CapEnabled#False
#RemovedLines#
#FlopConfig.RaiseSize#2.5x
#FlopConfig.AddAllin#True
#TurnConfig.BetSize#33, 66
#TurnConfig.RaiseSize#a
#TurnConfig.AddAllin#False
#TurnConfig.DonkBetSize#
#RiverConfig.BetSize#30 66
#RiverConfig.RaiseSize#3x
#RiverConfig.AddAllin#True
#RiverConfig.DonkBetSize#30
#FlopConfigIP.BetSize#25
#FlopConfigIP.RaiseSize#2.5x
#FlopConfigIP.AddAllin#True
#FlopConfigIP.Dont3bet#False
#TurnConfigIP.BetSize#33, 66
#TurnConfigIP.RaiseSize#a
#TurnConfigIP.AddAllin#False
#RiverConfigIP.BetSize#30 66
#RiverConfigIP.RaiseSize#3x
#RiverConfigIP.AddAllin#True
#Rake.Cap#8
#Rake.Fraction#0.05
#Rake.Enabled#True
#ICM.Enabled#False
"""


def test_settings_of_piosolver(tmp_path):
    path = write(tmp_path, PIO, "spot.txt")
    with pytest.warns(eq.EquilibristWarning) as told:
        game = eq.load(path)
    same = Holdem(
        "QsJh2h",
        {
            "range": "AA,KK:0.5,AhKh",
            "flop": "none; 2.5x, a",
            "turn": "33%, 66%; a; none",
            "river": "30%, 66%, a; 3x, a; 30%, a",
        },
        {"range": "QQ,JJ", "flop": "25%, a; 2.5x, a"},
        pot=60,
        stack=180,
        bets="33%, 66%; a",
        river="30%, 66%, a; 3x, a",
        merge=0.12,
        force_all_in=0.197211,  # 180 - 120.6 = 59.4 of 60 + 2 · 120.6
        rake=0.05,
        rake_cap=8,
    )
    assert game.tree.nodes == same.tree.nodes
    assert game.hands == same.hands
    assert [str(one.message) for one in told] == [
        f"'{path}': #AllinThreshold#67 is written as force_all_in = 0.197211, a share of the pot after a call."
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "ForceOOPBet#False",
            "ForceOOPBet#True",
            "#ForceOOPBet#True: a spot has nothing like it, so it is left out and the tree",
        ),
        (
            "Dont3bet#False",
            "Dont3bet#True",
            "#FlopConfigIP.Dont3bet#True: a spot has nothing like it",
        ),
        (
            "ThePot#500",
            "ThePot#250",
            "#AddAllinOnlyIfLessThanThisTimesThePot#250: the size a is there whatever the pot",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::equilibrist.EquilibristWarning")
def test_what_a_spot_cannot_say_is_told(old, new, message, tmp_path):
    with pytest.warns(eq.EquilibristWarning, match=message):
        eq.load(write(tmp_path, PIO.replace(old, new), "spot.txt"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "ICM.Enabled#False",
            "ICM.Enabled#True",
            "must hold the settings of a tree after the flop, .* without ICM",
        ),
        (
            "#Range0#AA,KK:0.5,AhKh",
            "",
            "must hold the settings of a tree after the flop, with #Range0#",
        ),
        ("KK:0.5", "KKs", "#Range0#: 'KKs' at character 4 cannot be read"),
        ("Pot#60", "Pot#sixty", "#Pot# must be a number; got 'sixty'"),
        ("#Pot#60", "", "lacks pot"),
        ("Pot#60", "Pot#inf", "#Pot# must be a number; got 'inf'"),
        ("AllinThreshold#67", "AllinThreshold#nan", "#AllinThreshold# must be a number; got 'nan'"),
        ("BetSize#25", "BetSize#25q", "cannot read '25q'"),
    ],
)
@pytest.mark.filterwarnings("ignore::equilibrist.EquilibristWarning")
def test_settings_of_piosolver_that_are_refused(old, new, message, tmp_path):
    with pytest.raises(eq.GameError, match=message) as refused:
        eq.load(write(tmp_path, PIO.replace(old, new), "spot.txt"))
    assert refused.value.wrong_use


# --- What the other program rounds, ignores or drops: done as there, or named in a warning (docs/holdem.md) ---

RIVER_OF_TEXAS = """\
set_pot 10
set_effective_stack 20
set_board Qs,Jh,2h,3c,4d
set_range_ip AA,KK
set_range_oop QQ,TT
set_bet_sizes oop,river,bet,50
set_bet_sizes oop,river,allin
set_bet_sizes ip,river,bet,50
set_bet_sizes ip,river,allin
set_allin_threshold 1
"""


def told_by(tmp_path, text, name):
    """Return a spot, and what its conversion tells."""
    with warnings.catch_warnings(record=True, action="always") as caught:
        game = eq.load(write(tmp_path, text, name))
    return game, [str(one.message) for one in caught if one.category is eq.EquilibristWarning]


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (
            "set_enable_equity 1\nset_enable_range 1",
            "set_enable_equity 1; set_enable_range 1: no command of TexasSolver",
        ),
        (
            "set_range_oop QQ,TT:0.0003",
            "set_range_oop: 6 hands weigh 0.005 or less and are left out, as TexasSolver",
        ),
        (
            "set_range_oop QQ,TsTh:0.005",
            "set_range_oop: 1 hand weighs 0.005 or less and is left out, as TexasSolver",
        ),
        (
            "set_effective_stack 20.5",
            "bets are whole chips, as in TexasSolver, which rounds all-in down as well",
        ),
        ("set_pot 11", "bets are whole chips, as in TexasSolver, which rounds all-in down as well"),
        ("set_accuracy 0.5", "set_accuracy 0.5: that is about solving"),
    ],
)
def test_what_texas_solver_drops_is_told(more, sentence, tmp_path):
    _, plain = told_by(tmp_path, RIVER_OF_TEXAS, "spot.txt")
    _, told = told_by(tmp_path, RIVER_OF_TEXAS + more + "\n", "spot.txt")
    (new,) = [
        message
        for message in told
        if message.partition(": ")[2] not in {m.partition(": ")[2] for m in plain}
        and "set_allin_threshold" not in message
        and "stands before" not in message
    ]
    assert sentence in new


def test_bets_of_texas_solver_are_whole_chips(tmp_path):
    """A third of a pot of 5.5 is 1.82 chips, and half of it 2.75: there as here 2 and 3."""
    text = RIVER_OF_TEXAS.replace("set_pot 10", "set_pot 5.5").replace(
        "set_effective_stack 20", "set_effective_stack 97.5"
    )
    game, _ = told_by(tmp_path, text.replace("oop,river,bet,50", "oop,river,bet,33,50"), "spot.txt")
    assert game.actions(0) == ("X", "B2", "B3", "A97.5")


def test_small_weights_of_texas_solver(tmp_path):
    """Of QQ, whose queen is on the board, three hands are left; tens at 0.005 are none there, and at 0.006 they are."""
    for weight, hands in (("0.005", 3), ("0.006", 9)):
        game, _ = told_by(tmp_path, RIVER_OF_TEXAS.replace("TT", f"TT:{weight}"), "spot.txt")
        assert len(game.hands[0]) == hands


def test_the_order_of_pot_and_stack_of_texas_solver(tmp_path):
    lines = RIVER_OF_TEXAS.splitlines()
    _, told = told_by(tmp_path, "\n".join([lines[1], lines[0], *lines[2:]]), "spot.txt")
    assert any(
        "set_effective_stack stands before set_pot: TexasSolver then counts half of another pot"
        in m
        for m in told
    )


def test_all_in_of_texas_solver(tmp_path):
    _, told = told_by(
        tmp_path, RIVER_OF_TEXAS.replace("set_bet_sizes ip,river,allin\n", ""), "spot.txt"
    )
    assert any(
        "ip,river: no line asks for all-in there, so that it is no size here; the console" in m
        for m in told
    )


def test_sizes_that_texas_solver_passes_over(tmp_path):
    """Donk bets on the first street, and those of IP, are in its script and not in its tree."""
    more = "set_bet_sizes oop,river,donk,25\nset_bet_sizes ip,river,donk,25\n"
    assert (
        told_by(tmp_path, RIVER_OF_TEXAS + more, "a.txt")[0].settings
        == told_by(tmp_path, RIVER_OF_TEXAS, "b.txt")[0].settings
    )


def test_lines_of_piosolver_that_are_not_known(tmp_path):
    _, told = told_by(
        tmp_path, PIO + "#FlopConfig.Sparkle#7\n#TurnConfig.Other#\n#Novelty#1\n", "spot.txt"
    )
    assert any(
        "#FlopConfig.Sparkle#7, #Novelty#1: not known here, so it is left out." in message
        for message in told
    )
    assert not any("not known" in message for message in told_by(tmp_path, PIO, "spot.txt")[1])


def river_of_wasm(**changed):
    sizes = {
        f"{who}River{part}": "50" if part == "Bet" else ""
        for who in ("oop", "ip")
        for part in ("Bet", "Raise")
    }
    values = {
        "oopRange": "QQ,TT",
        "ipRange": "AA,KK",
        "board": "QsJh2h3c4d",
        "startingPot": 100,
        "effectiveStack": 200,
    }
    return json.dumps({**values, **sizes, **changed})


@pytest.mark.thinned(7)
@pytest.mark.parametrize(
    ("changed", "same"),
    [
        ({"rakePercent": 5, "rakeCap": 0}, {}),  # at most no chips
        ({"rakePercent": 0, "rakeCap": 10}, {}),
        ({"donkOption": False, "oopRiverDonk": "25"}, {}),
        ({"oopRiverBet": "50, "}, {}),
        ({"addAllInThreshold": 0, "forceAllInThreshold": 0, "mergingThreshold": 0}, {}),
        ({"oopFlopBet": "33", "ipTurnRaise": "3x"}, {}),  # of streets that are over
        ({"oopRiverBet": "33"}, {"oopRiverBet": "33.0"}),
    ],
)
def test_what_wasm_postflop_ignores_is_ignored(changed, same, tmp_path):
    """Payoffs and lines are the same."""
    one, other = (
        told_by(tmp_path, river_of_wasm(**values), "spot.json")[0] for values in (changed, same)
    )
    assert one.tree.nodes == other.tree.nodes
    for values in zip(eq.exact(one).value, eq.exact(other).value, strict=True):
        assert values[0] == pytest.approx(values[1], abs=1e-9)


def test_bets_of_wasm_postflop_are_whole_chips(tmp_path):
    game, _ = told_by(tmp_path, river_of_wasm(oopRiverBet="33.3"), "spot.json")
    assert game.actions(0) == ("X", "B33")


def exported(name, **items):
    data = [{"path": ["Group"], "isGroup": True}]
    data += [
        {"path": path.split("/"), "isGroup": False, "value": value} for path, value in items.items()
    ]
    return json.dumps({"version": 2, "name": name, "data": data})


TREE = {
    key: value
    for key, value in json.loads(river_of_wasm()).items()
    if key not in ("board", "oopRange", "ipRange")
}
BESIDE = ("--board", "QsJh2h3c4d", "--oop", "QQ,TT", "--ip", "AA,KK")


def test_a_tree_that_wasm_postflop_exports(tmp_path, run):
    """With board and ranges it is the same spot as the object that has them."""
    trees = write(
        tmp_path,
        exported("configurations", **{"Group/one": TREE, "two": {**TREE, "startingPot": 7}}),
        "trees.json",
    )
    ranges = write(
        tmp_path, exported("ranges", **{"Group/first": "QQ,TT", "second": "AA,KK"}), "ranges.json"
    )
    run("spot", trees, "--tree", "Group/one", *BESIDE, "--out", str(tmp_path / "a.toml"))
    expected = told_by(tmp_path, river_of_wasm(), "spot.json")[0]
    assert str(eq.load(tmp_path / "a.toml")) == str(expected)
    named = ("--oop", f"{ranges}:Group/first", "--ip", f"{ranges}:second")
    run(
        "spot",
        trees,
        "--tree",
        "Group/one",
        "--board",
        "QsJh2h3c4d",
        *named,
        "--out",
        str(tmp_path / "b.toml"),
    )
    assert str(eq.load(tmp_path / "b.toml")) == str(expected)
    alone = write(tmp_path, exported("configurations", only=TREE), "only.json")
    run("spot", alone, *BESIDE, "--out", str(tmp_path / "c.toml"))
    assert str(eq.load(tmp_path / "c.toml")) == str(expected)

    run("spot", trees, *BESIDE).fails(2, r"holds Group/one, two: name one tree by --tree")
    run("spot", trees, "--tree", "on", *BESIDE).fails(2, "holds Group/one, two, and no tree 'on'")
    run("spot", trees, "--tree", "two").fails(
        2, "no board and no ranges: give --board, --oop, --ip to"
    )
    run("solve", alone, "-n", "1").fails(
        2, "no board and no ranges: give --board, --oop, --ip to 'equilibrist spot'"
    )
    run("solve", ranges, "-n", "1").fails(2, "holds ranges of wasm-postflop and no tree")
    run("spot", alone, *BESIDE[:2], "--oop", f"{ranges}:none", "--ip", "AA").fails(
        2, "and no range 'none'"
    )
    run("spot", alone, *BESIDE[:2], "--oop", f"{alone}:only", "--ip", "AA").fails(
        2, "holds no ranges as wasm-postflop"
    )
    plain = write(tmp_path, river_of_wasm(), "plain.json")
    run("spot", plain, "--tree", "a").fails(2, "holds one spot, so that there is no tree 'a'")
    toml = write(tmp_path, (tmp_path / "a.toml").read_text(), "d.toml")
    run("spot", toml, "--board", "QsJh2h").fails(
        2, "has board and ranges of its own; --board, --oop, --ip and --tree"
    )


def test_a_run_tells_of_its_conversion_once_and_of_no_changed_file(tmp_path, run):
    """Shown, graded and resumed it is what was solved, whatever becomes of the script."""
    path = Path(write(tmp_path, RIVER_OF_TEXAS + "set_accuracy 0.5\n", "script.txt"))
    folder = str(tmp_path / "run")
    assert (
        "set_accuracy 0.5: that is about solving"
        in run("solve", str(path), "-n", "20", "--save", folder).err
    )
    shown = run("show", folder)
    assert "Warning" not in shown.err
    path.write_text(RIVER_OF_TEXAS.replace("set_pot 10", "set_pot 30"), encoding="utf-8")
    again = run("show", folder)
    assert (again.out, again.err) == (shown.out, shown.err)
    with warnings.catch_warnings(action="error", category=eq.EquilibristWarning):
        assert eq.solve(resume=folder, iterations=30).strategy.form.game.settings["pot"] == 10
    path.unlink()
    assert run("show", folder).out == shown.out


def test_other_files_are_no_games(tmp_path):
    with pytest.raises(eq.GameError, match="line 1: 'Dear' is no command of TexasSolver"):
        eq.load(write(tmp_path, "Dear all,", "letter.txt"))


def test_warnings_name_the_line_that_loads_the_file(tmp_path):
    with pytest.warns(eq.EquilibristWarning) as warned:
        eq.load(write(tmp_path, TEXAS, "spot.txt"))
    assert {warning.filename for warning in warned} == {__file__}


def test_a_threshold_that_no_float_tells_from_zero_is_none(tmp_path):
    """Twice the threshold times the stack is 0 in floats, as it is where the threshold is 0."""
    for stack, threshold in (("1e-12", "5e-324"), ("200", "0")):
        script = TEXAS + f"set_effective_stack {stack}\nset_allin_threshold {threshold}\n"
        settings = eq.load(str(write(tmp_path, script, "spot.txt"))).settings
        assert not settings.get("force_all_in")
