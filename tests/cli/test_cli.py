"""The command: what it prints, what it writes, how it ends, and how it fails."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from fractions import Fraction

import pytest
from typer.main import get_command
from typer.testing import CliRunner

import equilibrist as eq
from equilibrist._util.command_line import quote_word
from equilibrist.cli import main, table
from equilibrist.cli.arguments import make_app
from equilibrist.games.registry import BUILT_IN
from equilibrist.mccfr.sampling import SCHEMES
from support.command import PROGRAM, ended, environment, python, spawn, start
from support.systems import posix, signals

COMMANDS = (
    *("solve", "evaluate", "exact", "compare", "check", "games", "algorithms"),
    *("explain", "play", "plot", "report"),
)
FULL_DEVICE = "/dev/full"
HEADER = "player,infoset,action,probability\n"

RULES = """
class Coins:
    '''Two players call heads or tails at once; parts of it are replaced to see what is said about them.'''

    players = 2

    def start(self): return ()
    def player(self, state): return len(state) if len(state) < 2 else -2
    def actions(self, state): return ["h", "t"]
    def probabilities(self, state): return []
    def next(self, state, action): return (*state, action)
    def payoffs(self, state): return (1, -1) if state[0] == state[1] else (-1, 1)
    def infoset(self, state): return "call"
"""


pytestmark = pytest.mark.usefixtures("somewhere")


@pytest.fixture
def rules(tmp_path):
    """Write a file of rules, some of whose methods are replaced; return what the command takes for it."""

    def write(name="rules", *, top="", **bodies):
        text = RULES
        for method, body in bodies.items():
            old = next(line for line in text.splitlines() if line.startswith(f"    def {method}("))
            text = text.replace(old, f"{old.partition('):')[0]}):\n        {body}")
        (tmp_path / f"{name}.py").write_text(f"{top}\n{text}", encoding="utf-8")
        return f"{name}.py:Coins"

    return write


@pytest.fixture
def saved(run):
    """Save a short run of Kuhn poker, and return its folder."""
    assert run("solve", "kuhn", "-a", "cfr", "-n", 10, "--save", "run").code == 0
    return "run"


def files(folder):
    """Return the content of each file in a folder."""
    return {name: (folder / name).read_bytes() for name in sorted(os.listdir(folder))}


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


# --- What it prints ---


def test_help_imports_nothing_heavy():
    ran = python(
        "import sys; sys.argv = ['equilibrist', '--help']\n"
        "from equilibrist.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code\n"
        "print(sorted({'numpy', 'numba', 'scipy'} & set(sys.modules)))"
    )
    assert ran.out.splitlines()[-1] == "[]"


@pytest.mark.slow
def test_the_help_lists_the_commands_in_sections(run):
    overview = run("--help").out
    assert [line[:-1] for line in overview.splitlines() if re.fullmatch(r"[A-Z].*:", line)] == [
        "Options",
        *dict.fromkeys(entry.section for entry in table.COMMANDS.values()),
    ]
    listed = list(table.COMMANDS)
    assert listed == list(get_command(make_app()).commands)
    places = [overview.index(f"\n  {name} ") for name in listed]
    assert places == sorted(places)
    assert run("help").out == overview
    assert run("help", "solve").out == run("solve", "--help").out


@pytest.mark.parametrize("typed", ["1000", "1,000", "1_000", "1e3"])
def test_counts_as_people_write_them(run, typed):
    assert run("solve", "kuhn", "--iterations", typed, "--json").json["iterations"] == 1000


def test_every_command_has_help():
    app = make_app()
    overview = CliRunner().invoke(app, ["--help"])
    for command in COMMANDS:
        assert command in overview.stdout
        assert "--json" in CliRunner().invoke(app, [command, "--help"]).stdout


def test_no_command_shows_the_help(run):
    ran = run()
    assert ran.code == 2
    assert all(command in ran.err for command in COMMANDS)


def test_version(run):
    assert re.fullmatch(r"equilibrist \d+\.\d+\.\d+(rc\d+)?\n", run("--version").out)


def test_solve_prints_trace_certificate_and_strategy(run):
    ran = run("solve", "kuhn", "--algorithm", "cfr", "--until", "1e-3")
    assert (ran.code, ran.err) == (0, "")
    for word in (
        "Solving kuhn",
        "nodes/s",
        "cfr, alternating updates",
        "reached the exploitability asked for",
    ):
        assert word in " ".join(ran.out.split())
    for word in (
        "value",
        "exploitability",
        "nash_conv",
        "58 histories, 12 infosets ",
        "in all ",
        "Nash equilibrium",
    ):
        assert word in ran.out
    assert all(f"│ {infoset} " in ran.out for infoset in ("J", "Jpb", "Qb", "Kp"))
    assert "Saved" not in ran.out


@pytest.mark.slow
def test_what_developers_read_is_said_on_request(run):
    for command in (("solve", "kuhn", "-n", 5), ("exact", "kuhn")):
        assert "slots" not in run(*command).out
        assert "compile" not in run(*command).out
        verbose = run(*command, "--verbose").out
        assert "58 histories, 12 infosets, 26 slots" in verbose
        assert re.search(r"time +compile .* jit .* solve ", verbose)
    assert "sequence form: 2 blocks and 12 rows" in run("solve", "kuhn", "-n", 5, "--verbose").out
    assert "blocks" not in run("solve", "kuhn", "-n", 5).out


def test_evaluate_prints_where_a_strategy_loses(run, tmp_path):
    (tmp_path / "uniform.csv").write_text(HEADER)
    ran = run("evaluate", "kuhn", "uniform.csv", "--missing", "uniform")
    assert ran.code == 0
    assert "9.166667e-01" in ran.out
    assert ran.out.index("│ Kb ") < ran.out.index("│ Kpb ")  # the largest loss first


def test_evaluate_judges_teams(run, tmp_path):
    """A team of one responds as the player; partners of three-player Kuhn poker gain at least what one gains alone."""
    (tmp_path / "uniform.csv").write_text(HEADER)
    uniform = ["uniform.csv", "--missing", "uniform"]
    ran = run("evaluate", "kuhn", *uniform, "--teams", "0/1", "--json").json
    assert [team["players"] for team in ran["teams"]] == [[0], [1]]
    assert [team["best_response_value"] for team in ran["teams"]] == pytest.approx(
        ran["best_response_value"]
    )
    ran = run("evaluate", "kuhn(players=3)", *uniform, "--teams", "0,2/1", "--json").json
    together, _ = ran["teams"]
    assert together["value"] == pytest.approx(ran["value"][0] + ran["value"][2])
    assert together["alone"] <= together["best_response_value"] <= together["upper_bound"]
    assert "│  0,2 │" in run("evaluate", "kuhn(players=3)", *uniform, "--teams", "0,2/1").out
    assert "teams" not in run("evaluate", "kuhn", *uniform, "--json").json
    run("evaluate", "kuhn", *uniform, "--teams", "0;1").fails(
        2, "as '0,2/1,3' does for four; got '0;1'"
    )
    run("evaluate", "kuhn", *uniform, "--teams", "0,1,2").fails(
        2, "teams must name each of the players 0 to 1 once"
    )


def test_exact_prints_no_iterations(run):
    ran = run("exact", "kuhn")
    assert ran.code == 0
    assert "linear programme" in ran.out
    assert "iteration" not in ran.out


def test_check_prints_the_sizes(run):
    ran = run("check", "kuhn(players=3)")
    assert ran.code == 0
    assert "kuhn(players=3) is well formed." in ran.out
    assert re.search(r"^histories +617 *$", ran.out, re.MULTILINE)
    assert re.search(r"^infosets of players +16, 16, 16 *$", ran.out, re.MULTILINE)
    merged = (
        "  48 infosets of 6 histories, such as player 0 at 'J': ['J', 'Q', 'K'], ['J', 'Q', 'A'], "
        "['J', 'K', 'Q'], ['J', 'K', 'A'], and 2 more"
    )
    assert merged in ran.out
    assert ran.err == ""


def test_check_shows_the_smallest_and_the_largest_infosets(run):
    ran = run("check", "leduc(players=3)")
    sizes = re.findall(r"infosets? of (\d+) histor", ran.out)
    assert sizes == [str(group.size) for group in eq.merged_histories("leduc(players=3)")]
    assert (
        "What infosets merge" not in run("check", "liars_dice(faces=6)").out
    )  # too many to write out


FORGETFUL = """
from equilibrist.games.kuhn import Kuhn as Whole


class Kuhn:
    players = 2

    def __init__(self):
        self.whole = Whole()

    def __getattr__(self, name):
        return getattr(self.whole, name)

    def infoset(self, state):
        return self.whole.infoset(state)[1:]
"""


def test_check_warns_of_a_forgotten_card(run):
    with open("forgetful.py", "w", encoding="utf-8") as file:
        file.write(FORGETFUL)
    ran = run("check", "forgetful.py:Kuhn")
    assert ran.code == 0
    assert "is well formed" in ran.out
    assert "Warning: Kuhn: the infosets of players 0 and 1 do not depend on chance" in ran.err
    assert "4 infosets of 6 histories" in ran.out


@pytest.mark.parametrize(("command", "names"), [("games", BUILT_IN), ("algorithms", eq.ALGORITHMS)])
def test_lists(run, command, names):
    ran = run(command)
    assert ran.code == 0
    lines = [line.split("\t") for line in ran.out.splitlines() if "\t" in line]
    first = [line[0] for line in lines]
    assert first[: 1 + len(names)] == [command.removesuffix("s"), *names]
    assert {len(line) for line in lines[: 1 + len(names)]} == {len(lines[0])}
    assert [row["name"] for row in run(command, "--json").json[command]] == list(names)


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("command", ["games", "algorithms"])
def test_lists_fit_a_terminal_and_break_between_words(run, monkeypatch, command, columns):
    piped = run(command).out
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = run(command).out
    assert max(map(len, shown.splitlines())) <= columns
    assert "…" not in shown
    table = " ".join(line for line in shown.splitlines() if line.startswith("│"))
    words = set(re.split(r"[│\s(,=]+", table)) - {"no", "parameters"}
    assert words <= set(re.split(r"[\s(,=]+", piped))
    assert (command == "games") or (("source" in shown) == (columns >= 80))


@pytest.mark.parametrize(
    ("spec", "label"),
    [
        ("kuhn", "Two-player zero-sum: a Nash equilibrium up to nash_conv"),
        ("kuhn(players=3)", "A 3-player game. No theorem says that CFR finds an equilibrium"),
        (
            "matrix(payoffs=[[3, 0], [5, 1]], payoffs2=[[3, 5], [0, 1]])",
            "2-player general-sum game: CFR promises no",
        ),
    ],
)
def test_what_nash_conv_means_is_said(run, spec, label):
    assert label in " ".join(run("solve", spec, "-n", 20).out.split())
    table = run("solve", spec, "-n", 20, "--json").json
    assert label in table["guarantee"]
    assert table["exploitability"] == table["nash_conv"] / table["players"]


@pytest.mark.slow
def test_sampling_prints_how_it_went(run):
    ran = run(
        "solve",
        "kuhn",
        "--sampling",
        "outcome(epsilon=0.5, batch=4)",
        "--seed",
        3,
        "--threads",
        2,
        "-n",
        500,
    )
    assert (ran.code, ran.err) == (0, "")
    text = " ".join(ran.out.split())
    for words in (
        "outcome(epsilon=0.5, batch=4)",
        "500 iterations",
        "58 histories",
        "exploitability",
    ):
        assert words in text
    assert "Nash equilibrium up to nash_conv" in text


@pytest.mark.slow
def test_sampling_without_a_tree_proves_nothing(run):
    ran = run(
        "solve",
        "leduc",
        "-s",
        "external(tree=False)",
        "--nodes",
        20_000,
        "--strategy",
        "s.csv",
        "--save",
        "run",
    )
    assert (ran.code, ran.err) == (0, "")
    assert "exploitability unknown: 'equilibrist evaluate' computes it" in " ".join(ran.out.split())
    assert "histories, " not in ran.out
    table = run("solve", "--resume", "run", "--nodes", 30_000, "--json").json
    sampling = table["config"]["sampling"]
    assert (table["stop_reason"], sampling["scheme"], sampling["tree"]) == (
        "nodes",
        "external",
        False,
    )
    assert table["config"]["seed"] == 0
    assert table["nodes_touched"] >= 30_000
    assert table["table_bytes"] > 0
    assert [table[name] for name in ("histories", "nash_conv", "exploitability", "zero_sum")] == [
        None
    ] * 4
    assert (table["value"], table["deviation_gains"]) == ([], [])
    assert (
        run("evaluate", "leduc", "s.csv", "--missing", "uniform", "--json").json["exploitability"]
        < 2
    )


def test_the_samplings_are_listed(run):
    ran = run("algorithms")
    assert all(f"\n{name}\t" in ran.out for name in SCHEMES)
    assert [row["name"] for row in run("algorithms", "--json").json["samplings"]] == list(SCHEMES)


# --- JSON ---


def test_solve_and_evaluate_have_the_same_fields_in_json(run):
    solved = run("solve", "kuhn", "-a", "dcfr", "-n", 100, "--strategy", "s.csv", "--json")
    judged = run("evaluate", "kuhn", "s.csv", "--json")
    for ran in (solved, judged):
        assert ran.code == 0
        assert ran.out.count("\n") == 1
        table = ran.json
        assert (table["game"], table["players"], table["histories"]) == ("kuhn", 2, 58)
        assert (table["infosets"], table["slots"]) == (12, 26)
        assert len(table["value"]) == 2
        assert {"compile", "solve"} <= set(table["seconds"])
        assert table["exploitability"] == table["nash_conv"] / 2
    assert (solved.json["algorithm"], solved.json["iterations"]) == ("dcfr", 100)
    assert (judged.json["algorithm"], judged.json["iterations"]) == (None, None)
    assert judged.json["nash_conv"] == solved.json["nash_conv"]
    assert sum(loss["loss"] for loss in judged.json["losses"]) == pytest.approx(
        judged.json["nash_conv"]
    )


def test_exact_and_check_in_json(run):
    assert run("exact", "kuhn", "--json").json["value"][0] == pytest.approx(-1 / 18)
    assert run("check", "kuhn", "--json").json == {
        "game": "kuhn",
        "well_formed": True,
        "players": 2,
        "zero_sum": True,
        "histories": 58,
        "infosets": 12,
        "infosets_of_players": [6, 6],
        "slots": 26,
        "depth": 5,
        "merged": [
            {
                "size": 2,
                "infosets": 12,
                "player": 0,
                "infoset": "J",
                "histories": ["['J', 'Q']", "['J', 'K']"],
            }
        ],
    }


@pytest.mark.parametrize("command", ["solve", "check", "exact"])
def test_rules_that_print_leave_the_object_alone(run, rules, command):
    ran = run(
        command, rules(top="print('hello')", actions="print('called'); return 'ht'"), "--json"
    )
    assert ran.json["histories"] == 7
    assert "hello" in ran.err
    assert "called" in ran.err


@pytest.mark.parametrize(
    ("args", "code", "sentence"),
    [
        (["solve", "khun"], 2, "There is no game 'khun'. Did you mean 'kuhn'?"),
        (["solve", "kuhn", "--iterations", "many"], 2, "Invalid value for '--iterations'"),
        (["evaluate", "kuhn"], 2, "Missing argument 'STRATEGY'."),
        (["check", "kuhn", "--max-depth", 2], 1, "does not end within 2 moves"),
    ],
)
def test_errors_in_json(run, args, code, sentence):
    ran = run(*args, "--json").fails(code, sentence)
    assert list(ran.json) == ["error"]
    assert sentence in ran.json["error"]


# --- What it writes ---


def test_the_strategy_is_written_as_rows(run):
    ran = run("solve", "kuhn", "-n", 50, "--strategy", "strategy.csv")
    assert "Strategy written to strategy.csv" in ran.out
    table = rows("strategy.csv")
    assert list(table[0]) == ["player", "infoset", "action", "probability"]
    assert len(table) == 24
    sums = {}
    for row in table:
        key = row["player"], row["infoset"]
        sums[key] = sums.get(key, 0.0) + float(row["probability"])
    assert len(sums) == 12
    assert sums["1", "Qb"] == pytest.approx(1)
    assert run("exact", "kuhn", "--strategy", "exact.csv").code == 0
    assert len(rows("exact.csv")) == 24


def test_an_equilibrium_can_be_judged(run):
    """Its nash_conv is 0 while rounding leaves a loss of 1e-17: no share can be taken of 0."""
    run("exact", "liars_dice(faces=3)", "--strategy", "s.csv")
    assert run("evaluate", "liars_dice(faces=3)", "s.csv").code == 0


@pytest.mark.slow
def test_the_strategy_is_written_before_the_report(tmp_path):
    """Whoever reads the report may have left: `equilibrist solve … --strategy s.csv | head -1`."""
    reader, writer = os.pipe()
    os.close(reader)
    ran = ended(
        start("solve", "kuhn", "-n", 10, "--strategy", "s.csv", cwd=tmp_path, stdout=writer)
    )
    os.close(writer)
    assert ran.code == 1
    assert "Error" not in ran.err
    assert len(rows("s.csv")) == 24


def test_saved_and_resumed_equals_uninterrupted(run, tmp_path):
    first = run("solve", "leduc", "-a", "cfr+", "-n", 20, "--save", "runs/part")
    assert "Saved in runs/part" in first.out
    assert sorted(os.listdir("runs/part")) == ["checkpoint.npz", "solution.json", "strategy.csv"]
    assert run("solve", "--resume", "runs/part", "-n", 50).code == 0
    run("solve", "leduc", "-a", "cfr+", "-n", 50, "--save", "runs/whole")
    parts = [files(tmp_path / "runs" / name)["strategy.csv"] for name in ("part", "whole")]
    assert parts[0] == parts[1]
    assert json.loads((tmp_path / "runs/part/solution.json").read_text())["iterations"] == 50


@pytest.mark.slow
@pytest.mark.parametrize(
    "way", ["outcome(batch=3, average='lazy')", "external(tree=False, baseline='infoset')"]
)
def test_sampled_and_resumed_equals_uninterrupted(run, tmp_path, way):
    assert (
        run("solve", "leduc", "-a", "dcfr", "-s", way, "--seed", 5, "-n", 70, "--save", "part").code
        == 0
    )
    assert run("solve", "--resume", "part", "-n", 200).code == 0
    run("solve", "leduc", "-a", "dcfr", "-s", way, "--seed", 5, "-n", 200, "--save", "whole")
    assert files(tmp_path / "part")["strategy.csv"] == files(tmp_path / "whole")["strategy.csv"]
    states = [eq.load_solution(folder).state for folder in ("part", "whole")]
    assert {name: array.tolist() for name, array in states[0].items()} == {
        name: array.tolist() for name, array in states[1].items()
    }


def test_memory_runs_out_and_more_is_given(run):
    limited = ("-s", "external(tree=False, gigabytes=0.002)", "--save", "run", "--json")
    cut = run("solve", "liars_dice", "-n", 200, *limited).json
    assert cut["stop_reason"] == "out of memory"
    assert 0 < cut["iterations"] < 200
    table = run(
        "solve", "--resume", "run", "-s", "external(tree=False, gigabytes=1)", "-n", 200, "--json"
    ).json
    assert (table["stop_reason"], table["iterations"]) == ("iterations", 200)


def test_resume_saves_where_save_says(run, saved, tmp_path):
    before = files(tmp_path / saved)
    assert run("solve", "--resume", saved, "-n", 30, "--save", "other").code == 0
    assert files(tmp_path / saved) == before
    assert eq.load_solution("other").iterations == 30


def test_resumed_from_another_folder(run, saved, tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert run("solve", "--resume", tmp_path / saved, "-n", 20, "--json").json["iterations"] == 20


@pytest.mark.slow
def test_two_runs_that_save_to_the_same_folder(tmp_path):
    """Each file is whole; a run is refused while the other saves."""
    args = ["-a", "cfr", "--seconds", 0.3, "--save", "run"]
    both = [start("solve", game, *args, cwd=tmp_path) for game in ("kuhn", "leduc")]
    codes = [ended(process).code for process in both]
    assert 0 in codes
    assert set(codes) <= {0, 2}
    assert eq.load_solution("run").game in ("kuhn", "leduc")
    assert sorted(os.listdir("run")) == ["checkpoint.npz", "solution.json", "strategy.csv"]


def test_names_with_spaces_quotes_and_brackets(run, rules, tmp_path):
    folder = tmp_path / "my games (v2)" / "it's [bold]"
    folder.mkdir(parents=True)
    spec = f"{folder}/{rules(infoset='''return '[red]x[/red] [/] :smile:' ''')}"
    os.rename("rules.py", folder / "rules.py")
    ran = run("solve", spec, "-n", 5, "--save", "a [b] c", "--strategy", "[s].csv")
    assert ran.code == 0
    assert "[red]x[/red] [/] :smile:" in ran.out
    assert "Strategy written to [s].csv" in ran.out
    assert "--resume 'a [b] c'" in " ".join(ran.out.split())
    assert run("solve", "--resume", "a [b] c", "-n", 9, "--trust").code == 0
    assert run("evaluate", spec, "[s].csv").code == 0


def test_settings_may_hold_anything_plain(run):
    spec = "matrix( payoffs = [[1, (2)], [3.5, -4]], rows = ['up (1)', \"it's, down\"] )"
    ran = run("solve", spec, "-n", 5, "--strategy", "s.csv")
    assert ran.code == 0
    assert [row["action"] for row in rows("s.csv")][:2] == ["up (1)", "it's, down"]
    assert run("evaluate", spec, "s.csv").code == 0


def test_control_characters_are_spelled_out(run, rules):
    """Nothing that a game is called may move the cursor; and every key comes back from a file."""
    odd = "♠ß\n\t\x1b[31m\x00\u202e,\"'"
    spec = rules(infoset=f"return {odd!r}", actions=f"return [{odd!r}, '']")
    ran = run("solve", spec, "-n", 5, "--strategy", "s.csv", "--save", "run")
    assert ran.code == 0
    assert not {"\x1b", "\x00", "\t", "\u202e"} & set(ran.out)
    assert r"♠ß\n\t\x1b[31m\x00\u202e" in ran.out
    assert run("evaluate", spec, "s.csv").code == 0
    run("solve", "--resume", "run", "-n", 9).fails(2, "say so with trust=True (--trust)")
    assert run("solve", "--resume", "run", "-n", 9, "--trust").code == 0


# --- Wrong use: exit code 2 ---


@pytest.mark.thinned(2)
@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["solv", "kuhn"], "No such command 'solv'. Did you mean 'solve'"),
        (["kuhn"], "'kuhn' is a game, not a command. To solve it: equilibrist solve kuhn"),
        (
            ["kuhn_poker(cards=4)"],
            f"To solve it: equilibrist solve {quote_word('kuhn_poker(cards=4)')}",
        ),
        (["holdem"], "'holdem' is a game, not a command."),
        (["spots/turn.toml"], "'spots/turn.toml' is a game, not a command."),
        (["khun"], "No such command 'khun'."),
        (["solve", "holdem"], "'equilibrist spot' shows a spot before it is solved"),
        (["solve", "kuhn", "1000"], "extra argument(s) (1000). Did you mean --iterations 1000?"),
        (
            ["solve", "kuhn", "cards=4", "ante=2"],
            "Settings of a game stand in brackets: 'kuhn(cards=4, ante=2)'",
        ),
        (["compare", "kuhn", "-a", "cfr", "cfr+"], "Several are separated by commas: -a cfr,cfr+"),
        (
            ["compare", "kuhn", "--sampling", "full", "external"],
            "Several are separated by commas: --sampling full,external",
        ),
        (["compare", "kuhn", "leduk"], "There is no game 'leduk'. Did you mean"),
        (["compare", "kuhn", "kuhn(players=4)"], "kuhn: players must be a whole number, 2 to 3"),
        (
            ["explain", "kuhn", "--deals", "QK", "QJ"],
            "Several are separated by commas: --deals QK,QJ",
        ),
        (
            ["solve", "kuhn", "--quiet"],
            "No such option: --quiet. '> /dev/null' leaves out what is printed;",
        ),
        (["solve", "kuhn", "--save", ""], "--save is empty: name a file or a folder."),
        (["solve", "kuhn", "--save="], "--save is empty: name a file or a folder."),
        (
            ["solve", "kuhn", "-n", "1e5x"],
            "'1e5x' is no whole number; write 100000, 100,000 or 1e5.",
        ),
        (["solve", "kuhn", "-n", "1,00"], "'1,00' is no whole number"),
        (["solve", "kuhn", "-n", "1e400"], "'1e400' is no whole number"),
        (
            ["exact", "mini_euchre"],
            "mini_euchre has 4 players. Use solve() (equilibrist solve) instead.",
        ),
        (["solve", "kuhn", "--iteration", 3], "--iterations"),
        (["solve", "kuhn", "leduc"], "unexpected extra argument"),
        (["solve"], "Say what to solve: a GAME, or --resume FOLDER."),
        (["solve", "leduk"], "There is no game 'leduk'. Did you mean 'leduc'?"),
        (["solve", "k\udcffhn"], "Did you mean 'kuhn'?"),
        (["solve", ""], "Cannot read ''"),
        (["solve", "kuhn(cards=4"], "Cannot read 'kuhn(cards=4'"),
        (["solve", "kuhn(4)"], "Give every setting of 'kuhn' its name"),
        (["solve", "kuhn(cards=print())"], "must be a plain value"),
        (["solve", "kuhn(card=4)"], "kuhn has no parameter 'card'; it takes cards, names, players"),
        (["solve", "kuhn(cards=2)"], "cards must be a whole number, 3 to 2000; got 2."),
        (["solve", "kuhn(cards='many')"], "cards must be a whole number"),
        (["solve", "kuhn(cards=1e400)"], "cards must be a whole number"),
        (["solve", "matrix"], "matrix needs the parameter 'payoffs'"),
        (["solve", "missing.efg"], "There is no file 'missing.efg'."),
        (["solve", "missing.py:Game"], "There is no file 'missing.py'."),
        (["solve", "rules.py"], "Say which class of 'rules.py' is the game"),
        (["solve", "kuhn", "-a", "dcr"], "There is no algorithm 'dcr'. Did you mean"),
        (["solve", "kuhn", "-a", "hs-dcfr", "--until", 0.1], "'hs-dcfr' is a schedule"),
        (
            ["solve", "kuhn", "-s", "extrnal"],
            "There is no sampling 'extrnal'. Did you mean 'external'?",
        ),
        (["solve", "kuhn", "-s", ""], "Cannot read ''"),
        (
            ["solve", "kuhn", "-s", "external(batch=0)"],
            "batch must be a whole number, 1 to 10^9; got batch=0.",
        ),
        (
            ["solve", "kuhn", "-s", "external(beta=2)"],
            "Sampling 'external' takes no beta; got beta=2. Leave it out",
        ),
        (["solve", "kuhn", "-s", "public-chance"], "Use 'chance' or 'external'."),
        (
            ["solve", "kuhn", "-s", "external", "--seed", -1],
            "seed must be a whole number, 0 to 2^63 - 1; got -1.",
        ),
        (["solve", "kuhn", "-s", "external", "--seed", "x"], "Invalid value for '--seed'"),
        (
            ["solve", "kuhn", "--seed", 1],
            "Sampling 'full' draws nothing, so that seed=1 would do nothing.",
        ),
        (
            ["solve", "kuhn", "-s", "external", "--threads", 2],
            "so that threads=2 would do nothing for 'external'.",
        ),
        (
            ["solve", "kuhn", "-s", "external(batch=4)", "--threads", 0],
            "threads must be a whole number, 1 to 1024",
        ),
        (["solve", "kuhn", "--nodes", 0], "nodes must be a whole number, 1 or more; got 0."),
        (
            ["solve", "kuhn", "-a", "hs-dcfr", "-s", "external", "-n", 9],
            "The sampling of 'hs-dcfr' must be 'full'",
        ),
        (
            ["solve", "rps", "-s", "external(tree=False)", "-u", 0.1],
            "which is not known without a tree",
        ),
        (
            ["compare", "kuhn", "--sampling", "external(tree=False)", "-n", 5],
            "no exact exploitability to compare",
        ),
        (["compare", "kuhn", "--seeds", 0], "seeds must be a whole number, 1 to 1,000,000; got 0."),
        (["solve", "kuhn", "-n", 0], "iterations must be a whole number, 1 or more; got 0."),
        (["solve", "kuhn", "-n", 1.5], "Invalid value for '--iterations'"),
        (
            ["solve", "kuhn", "--until", -1],
            "until must be a number above 0, or a share of the pot such as '0.5%'; got -1.0.",
        ),
        (
            ["solve", "kuhn", "--until", "nan"],
            "until must be a number above 0, or a share of the pot such as '0.5%'; got nan.",
        ),
        (["solve", "kuhn", "--seconds", "inf"], "seconds must be a number above 0; got inf."),
        (
            ["solve", "kuhn", "--max-histories", 0],
            "histories must be a whole number, 1 or more; got 0.",
        ),
        (
            ["solve", "kuhn", "--strategy", "no/folder/s.csv"],
            "The folder of no/folder/s.csv is not there",
        ),
        (["solve", "kuhn", "--strategy", "."], ". is a folder; give the name of a file."),
        (["solve", "--resume", "nowhere"], "There is no solution in nowhere"),
        (
            ["evaluate", "kuhn", "missing.csv"],
            "There is no file or folder missing.csv. Give a strategy as a .csv, .parquet or .npz file",
        ),
        (["evaluate", "kuhn"], "Missing argument 'STRATEGY'."),
        (["exact", "kuhn(players=3)"], "The linear programme solves two-player zero-sum games"),
        (["exact", "kuhn", "--save", "x"], "No such option: --save"),
        (["check", "nothing"], "There is no game 'nothing'."),
    ],
)
def test_wrong_use(run, args, sentence):
    assert run(*args).fails(2, sentence).out == ""


def test_openspiel_names_get_the_nearest(run):
    pytest.importorskip("pyspiel")
    run("solve", "openspiel:kuhn_pokr").fails(
        2, "OpenSpiel has no game 'kuhn_pokr'. Did you mean 'kuhn_poker'"
    )
    run("solve", "openspiel:leduc_poker(suits=9)").fails(2, "OpenSpiel refuses")


def test_a_class_that_is_not_there(run, rules):
    run("solve", rules().replace("Coins", "Coin")).fails(
        2, "There is no class 'Coin' in 'rules.py'. Did you mean"
    )
    run("solve", f"{rules()}(stake=2)").fails(2, "Coins of 'rules.py' takes ()")


def test_a_saved_run_goes_on_as_it_began(run, saved, rules):
    run("solve", "--resume", saved, "-a", "dcfr").fails(2, "and can only go on so")
    run("solve", "--resume", saved, "--simultaneous").fails(2, "and can only go on so")
    run("solve", "leduc", "--resume", saved).fails(1, "The saved run solved another game")
    run("solve", rules("mine"), "-n", 5, "--save", "mine").checked()
    rules("mine", payoffs="return (2, -2)")
    run("solve", "--resume", "mine", "-n", 9, "--trust").fails(
        1, "The saved run solved another game"
    )
    run("solve", "--resume", saved, "-s", "external").fails(2, "and can only go on so")
    run("solve", "--resume", saved, "--seed", 1).fails(2)
    run("solve", "kuhn", "-s", "external", "-n", 9, "--save", "drawn").checked()
    run("solve", "--resume", "drawn", "--seed", 1).fails(
        2, "seed=0, and can only go on so; got seed=1"
    )
    run("solve", "--resume", "drawn", "-s", "outcome").fails(2, "and can only go on so")
    run("solve", "--resume", "drawn", "-s", "full").fails(2, "and can only go on so")
    run("solve", "leduc", "--resume", "drawn").fails(1, "The saved run solved another game")
    os.remove("mine.py")
    run("solve", "--resume", "mine", "-n", 9, "--trust").fails(2, "There is no file 'mine.py'.")


# --- Failures: exit code 1 ---


@pytest.mark.thinned(17)
@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "probability a number: Empty CSV file."),
        (
            "player;infoset;action;probability\n0;J;p;1\n",
            "got 'player;infoset;action;probability'.",
        ),
        (
            "Player,infoset,action,probability\n0,J,p,1\n",
            "columns player, infoset, action, probability; got 'Player,infoset,action,probability'.",
        ),
        (HEADER, "The strategy lacks 12 of the 12 infosets of kuhn: player 0 'J'"),
        (
            f"{HEADER}0,J,p,0.5\n0,J,b,0.4\n",
            "player 0 'J': the probabilities must sum to 1; got [0.5, 0.4]",
        ),
        (
            f"{HEADER}0,J,p,1.5\n0,J,b,-0.5\n",
            "the probability of 'p' must be between 0 and 1; got 1.5",
        ),
        (f"{HEADER}0,J,p,nan\n", "must be between 0 and 1; got nan"),
        (
            f"{HEADER}0,J,p,half\n",
            "in which player is a whole number and probability a number: In CSV column #3: Row #2",
        ),
        (f'{HEADER}0,J,p,"0,5"\n', "Row #2: CSV conversion error to double: invalid value '0,5'."),
        (f"{HEADER}one,J,p,1\n", "Row #2: CSV conversion error to int64: invalid value 'one'."),
        (f"{HEADER}0,J\n", "Row #2: Expected 4 columns, got 2"),
        (f"{HEADER}0,J,p,1\n0,J,p,0\n", "s.csv: Action 'p' of player 0 'J' is there twice."),
        (
            f"{HEADER}0,A,p,1\n",
            "The strategy names infosets that kuhn does not have (1): player 0 'A'.",
        ),
        (f"{HEADER}{10**30},J,p,1\n", "Row #2: CSV conversion error to int64"),
        (
            f"{HEADER}0,J,fold,1\n",
            "Player 0 'J' has the actions 'pass', 'bet' in kuhn; the strategy names 'fold'.",
        ),
        (b"\xff\xfe" + HEADER.encode("utf-16-le"), "is not a text file in UTF-8"),
        (b"\x89PNG\r\n", "is not a text file in UTF-8"),
    ],
)
def test_strategies_that_make_no_sense(run, tmp_path, content, sentence):
    (tmp_path / "s.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    assert run("evaluate", "kuhn", "s.csv").fails(1, sentence).out == ""


def test_the_folder_of_a_run_is_a_strategy(run, tmp_path):
    run("evaluate", "kuhn", tmp_path).fails(2, "There is no solution in")
    solved = json.loads(run("solve", "kuhn", "-n", 50, "--save", "kuhn", "--json").out)
    for option in ((), ("--rational",)):
        evaluated = json.loads(run("evaluate", "kuhn", "kuhn", "--json", *option).out)
        exploitability = float(Fraction(evaluated["exploitability"]))
        assert exploitability == pytest.approx(solved["exploitability"])


@posix
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_a_device_is_not_a_strategy(run, device):
    if not os.path.exists(device):
        pytest.skip(f"there is no {device}")
    run("evaluate", "kuhn", device).fails(2, f"{device} is a device; give a file.")


def test_fill(run, tmp_path):
    (tmp_path / "part.csv").write_text(f"{HEADER}0,J,p,1\n")
    run("evaluate", "kuhn", "part.csv").fails(
        1, "The strategy lacks 11 of the 12 infosets of kuhn: player"
    )
    assert run("evaluate", "kuhn", "part.csv", "--missing", "uniform").code == 0
    run("evaluate", "kuhn", "part.csv", "--missing", "zero").fails(
        2, "missing must be None or 'uniform'; got 'zero'."
    )


@pytest.mark.thinned(8)
@pytest.mark.parametrize(
    "change", ["bom", "crlf", "cr", "columns", "order", "quotes", "blank", "cut"]
)
def test_strategies_as_other_programs_write_them(run, tmp_path, change):
    expected = run("solve", "kuhn", "-n", 50, "--strategy", "s.csv", "--json").json["nash_conv"]
    lines = (tmp_path / "s.csv").read_text().splitlines()
    text = {
        "bom": "\ufeff" + "\n".join(lines),
        "crlf": "\r\n".join(lines),
        "cr": "\r".join(lines),
        "columns": "\n".join(f"{line},note" for line in lines),
        "order": "\n".join([lines[0], *reversed(lines[1:])]),
        "quotes": "\n".join(",".join(f'"{cell}"' for cell in line.split(",")) for line in lines),
        "blank": "\n\n".join(lines) + "\n\n",
        "cut": "\n".join(lines),  # without the last line end
    }[change]
    (tmp_path / "s.csv").write_bytes(text.encode())
    assert run("evaluate", "kuhn", "s.csv", "--json").json["nash_conv"] == pytest.approx(
        expected, abs=1e-15
    )


@pytest.mark.parametrize(
    "content", [b"", b"hello", b"PK\x03\x04 half", None], ids=["empty", "text", "zip", "half"]
)
def test_a_saved_run_that_is_broken(run, saved, tmp_path, content):
    path = tmp_path / saved / "checkpoint.npz"
    path.write_bytes(path.read_bytes()[:1000] if content is None else content)
    run("solve", "--resume", saved).fails(
        1, "checkpoint.npz is broken, or was not written by this version of Equilibrist"
    )


@pytest.mark.parametrize(
    ("bodies", "sentence"),
    [
        ({"payoffs": "return (1,)"}, "payoffs for 2 players are needed after ['h', 'h']; got (1,)"),
        ({"payoffs": "return (float('nan'), 0)"}, "payoffs must be finite"),
        (
            {"player": "return 5"},
            "player() must return 0 to 1, CHANCE or TERMINAL; got 5 after the start.",
        ),
        ({"player": "return None"}, "got None after the start"),
        (
            {"actions": "return []"},
            "nobody can move after the start, but the game is not over there",
        ),
        ({"actions": "return ['h', 'h']"}, "two actions have the same name"),
        (
            {
                "actions": "return 'ht'[:1 + len(state)]",
                "player": "return 0 if len(state) < 2 else -2",
            },
            "actions differ",
        ),
        ({"player": "return 0 if len(state) < 2 else -2"}, "imperfect recall"),
        (
            {"player": "return -1 if not state else -2", "probabilities": "return [0.5, 0.4]"},
            "sum to 1",
        ),
        ({"player": "return 0", "infoset": "return state"}, "the game does not end within"),
        (
            {"actions": "raise ValueError('oops')"},
            "failed after the start with ValueError: oops (rules.py, line",
        ),
        ({"actions": "return self.actions(state)"}, "RecursionError"),
        ({"actions": "raise MemoryError"}, "takes more memory than there is"),
        ({"start": "return ()", "infoset": "return [1]"}, "unhashable type"),
    ],
)
def test_games_that_are_not_well_formed(run, rules, bodies, sentence):
    for command in ("check", "solve"):
        run(command, rules(**bodies), "--max-depth", 12).fails(1, sentence)


@pytest.mark.parametrize(
    ("bodies", "sentence"),
    [
        ({"payoffs": "return (1,)"}, "payoffs for 2 players are needed after"),
        (
            {"player": "return 5"},
            "player() must return 0 to 1, CHANCE or TERMINAL; got 5 after the start.",
        ),
        ({"player": "return 0 if len(state) < 2 else -2"}, "imperfect recall"),
        (
            {"next": "raise ValueError('oops')"},
            "failed after the start with ValueError: oops (rules.py, line",
        ),
        ({"actions": "raise SystemExit(0)"}, "failed after the start with SystemExit: 0"),
        ({"actions": "raise MemoryError"}, "The memory of this machine does not suffice"),
        (
            {"player": "return 0", "infoset": "return state"},
            "the game does not end within 12 moves",
        ),
    ],
)
@pytest.mark.thinned(2)
@pytest.mark.parametrize("as_json", [False, True])
def test_games_that_are_not_well_formed_without_a_tree(run, rules, bodies, sentence, as_json):
    args = ("-s", "external(tree=False)", "--max-depth", 12, *["--json"] * as_json)
    ran = run("solve", rules(**bodies), *args).fails(1, sentence)
    assert (list(ran.json) == ["error"]) if as_json else (ran.out == "")


def name_error_of_null_bytes():
    """Return what Python raises where a source has null bytes: a ValueError before some release of 3.11."""
    with pytest.raises((SyntaxError, ValueError)) as caught:
        compile("x = '\0'", "rules.py", "exec")
    return caught.type.__name__


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "class Coins:\n  def (:\n",
            "'rules.py', line 2: importing it failed with SyntaxError: invalid syntax.",
        ),
        (
            "x = 1\nraise RuntimeError('oops')",
            "'rules.py', line 2: importing it failed with RuntimeError: oops.",
        ),
        ("import sys; sys.exit(0)", "importing it failed with SystemExit: 0."),
        (
            "class Coins: players = 2",
            "An object of type 'Coins' is not a game: it has no start, player",
        ),
        ("class Coins:\n  def __init__(self): 1 / 0", "making Coins failed with ZeroDivisionError"),
        (
            "x = '\0'",
            f"importing it failed with {name_error_of_null_bytes()}: source code string cannot contain",
        ),
    ],
)
def test_files_of_rules_that_are_broken(run, tmp_path, text, sentence):
    (tmp_path / "rules.py").write_text(text)
    run("solve", "rules.py:Coins").fails(1, sentence)


def test_a_gambit_file_that_is_broken(run, tmp_path):
    (tmp_path / "game.efg").write_text('EFG 2 R "half a game" { "1" "2" }\np "" 1 1')
    run("check", "game.efg").fails(1, "game.efg")


def test_a_game_that_is_too_large(run):
    run("solve", "leduc", "--max-histories", 100).fails(1, "leduc: more than 100 histories")


def test_a_message_of_several_lines_is_one(run, rules):
    run("check", rules(actions="raise ValueError('one\\ntwo')")).fails(1, "one two")


@pytest.mark.parametrize("error", [ZeroDivisionError, EOFError])
def test_a_mistake_of_ours_is_admitted_in_a_sentence(capsys, monkeypatch, error):
    """EOFError too, which Typer takes for an interrupt."""

    def fail(games):
        raise error("ours")

    monkeypatch.setattr("equilibrist.cli.commands.game_rows", fail)
    monkeypatch.setattr(sys, "argv", ["equilibrist", "games", "--json"])
    with pytest.raises(SystemExit, match="1"):
        main()
    assert f"Equilibrist itself failed, with {error.__name__}: ours." in capsys.readouterr().err
    monkeypatch.setenv("EQUILIBRIST_TRACEBACK", "1")
    with pytest.raises(error, match="ours"):
        main()


# --- Interrupts ---


def test_ctrl_c_reports_and_saves(tmp_path):
    """A real Ctrl-C at a real terminal, once the table of checkpoints is there."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    args = ("solve", "liars_dice(faces=4)", "-a", "cfr", "-n", 10**9, "--save", "run")
    process = start(
        *args,
        cwd=tmp_path,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=_own_terminal,
    )
    os.close(theirs)
    screen, pressed, deadline = b"", False, time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            screen += os.read(ours, 65536)
        except OSError:  # the terminal is gone with its last process
            break
        if not pressed and b"exploitability" in screen:
            os.write(ours, b"\x03")
            pressed = True
    os.close(ours)
    ran = ended(process)
    text = screen.decode(errors="replace")
    assert ran.code == 0, text
    assert "interrupted" in text
    assert "Saved in run" in text
    assert "Traceback" not in text
    assert text.count("\x1b[?25l") == text.count("\x1b[?25h")  # the cursor is shown again

    cut = eq.load_solution("run")
    assert cut.stop_reason == "interrupt"
    last = cut.iterations + 10
    resumed, whole = (
        eq.solve(resume="run", iterations=last),
        eq.solve(cut.game, "cfr", iterations=last),
    )
    assert resumed.nash_conv == whole.nash_conv


@signals
@pytest.mark.slow
def test_ctrl_c_in_the_middle_of_a_sample(rules, tmp_path):
    """Rules in Python that never answer any more: what was there before is saved."""
    following = "global asked; asked += 1\n        if asked > 300: open('asked', 'w').close(); time.sleep(99)"
    spec = rules(top="import time\nasked = 0", next=f"{following}\n        return (*state, action)")
    args = ("-s", "external(tree=False)", "-n", 10**6, "--save", "run", "--json")
    process = start("solve", spec, *args, cwd=tmp_path)
    deadline = time.monotonic() + 60
    while not (tmp_path / "asked").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    ran = ended(process)
    assert ran.code == 0
    assert (ran.json["stop_reason"], ran.json["infosets"]) == ("interrupt", 2)
    assert eq.load_solution("run").iterations == ran.json["iterations"] > 5


def _own_terminal():
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@signals
@pytest.mark.slow
@pytest.mark.parametrize("as_json", [False, True])
def test_an_interrupt_while_compiling(rules, tmp_path, as_json):
    """Rules that never answer; the file says when they are asked."""
    spec = rules(actions="open('asked', 'w').close()\n        while True: pass")
    process = start("solve", spec, "--save", "run", *["--json"] * as_json, cwd=tmp_path)
    deadline = time.monotonic() + 60
    while not (tmp_path / "asked").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    ran = ended(process).fails(1, "Interrupted before there was anything to report.")
    assert (list(ran.json) == ["error"]) if as_json else (ran.out == "")
    assert os.listdir("run") == []


@pytest.mark.parametrize("module", ["typer", "rich.live", "equilibrist.cli.commands"])
@pytest.mark.parametrize("as_json", [False, True])
def test_an_interrupt_while_importing(module, as_json):
    program = f"""
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Finder())
sys.argv = ["equilibrist", "games", *["--json"] * {as_json}]
from equilibrist.cli import main
main()
"""
    ran = python(program).fails(1, "Interrupted before there was anything to report.")
    assert (list(ran.json) == ["error"]) if as_json else (ran.out == "")


# --- Where the output goes ---


@pytest.mark.thinned(3)
@pytest.mark.parametrize(
    "args", [("games",), ("solve", "kuhn", "-n", "5", "--json"), ("solve", "--help")]
)
def test_a_reader_that_leaves(args):
    reader, writer = os.pipe()
    os.close(reader)
    ran = ended(start(*args, stdout=writer))
    os.close(writer)
    assert (ran.code, ran.err) == (1, "")


@pytest.mark.skipif(not os.path.exists(FULL_DEVICE), reason=f"there is no {FULL_DEVICE}")
@pytest.mark.parametrize("args", [("games",), ("games", "--json"), ("--help",)])
def test_output_that_cannot_be_written(args):
    with open(FULL_DEVICE, "w", encoding="utf-8") as full:
        spawn(*args, stdout=full).fails(1, "The output cannot be written: No space left on device.")


def test_no_output_at_all():
    shell = subprocess.run(
        f"'{PROGRAM}' games >&-",
        shell=True,
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
    )
    assert (shell.returncode, shell.stdout, shell.stderr) == (0, "", "")


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_terminals_without_unicode(encoding):
    """Redirected on Windows, or LC_ALL=C: boxes and bars become what there is."""
    ran = spawn(
        "solve", "kuhn", "-n", 50, env=environment(PYTHONIOENCODING=encoding, FORCE_COLOR="1")
    )
    assert ran.code == 0
    assert "########" in ran.out


@pytest.mark.slow
def test_every_list_without_unicode():
    for command in ("games", "algorithms"):
        assert spawn(command, env=environment(PYTHONIOENCODING="ascii")).code == 0


@pytest.mark.thinned(4)
@pytest.mark.parametrize("time", ["9 s", "12.3 µs"])
@pytest.mark.parametrize("columns", [1, 40, 80, 200])
def test_narrow_terminals(run, monkeypatch, columns, time):
    """Which columns fit does not depend on how many digits the clock shows."""
    monkeypatch.setattr("equilibrist.cli.progress.format_seconds", lambda seconds: time)
    monkeypatch.setenv("COLUMNS", str(columns))
    ran = run("solve", "kuhn", "-n", 1000)
    assert ran.code == 0
    if columns >= 40:
        assert all(len(line) <= columns for line in ran.out.splitlines())
        assert "…" not in ran.out  # no number is cut
        assert "4.583e-01" in ran.out
    assert ("nodes/s ┃" in ran.out) == (columns >= 80)
    for command in ("games", "algorithms"):
        assert run(command).code == 0


def test_what_is_piped_is_never_cut(run, monkeypatch):
    """A terminal has the columns that fit; a file or a pipe has all of them, and no sentence is wrapped."""
    command = (
        "compare",
        "kuhn",
        "-a",
        "cfr,cfr+",
        "--sampling",
        "chance,external",
        "-n",
        5,
        "--seeds",
        2,
    )
    piped = run(*command).out
    assert all(
        f" {heading} " in piped for heading in ("nash_conv", "lowest", "highest", "iterations")
    )
    monkeypatch.setenv("COLUMNS", "80")
    assert " nash_conv " not in run(*command).out


def test_colours(run, monkeypatch):
    assert "\x1b[" not in run("solve", "kuhn", "-n", 5).out
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b[1;32m" in run("solve", "kuhn", "-n", 5).out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[1;32m" not in run("solve", "kuhn", "-n", 5).out


# --- Where the files go ---


@pytest.fixture
def full_disk():
    """Return a context in which no file can be longer than 200 bytes."""
    resource = pytest.importorskip("resource")

    class FullWidthCFR:
        def __enter__(self):
            self.before = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.setrlimit(resource.RLIMIT_FSIZE, (200, self.before[1]))

        def __exit__(self, *_):
            resource.setrlimit(resource.RLIMIT_FSIZE, self.before)

    return FullWidthCFR()


def test_a_disk_that_is_full(run, saved, tmp_path, full_disk):
    before = files(tmp_path / saved)
    with full_disk:
        ran = run("solve", "--resume", saved, "-n", 20)
    ran.fails(1, "run/checkpoint.npz cannot be written")
    assert files(tmp_path / saved) == before  # and no half of a file beside them


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("command", ["solve", "exact"])
def test_a_full_disk_does_not_take_the_report_with_it(run, tmp_path, full_disk, command, as_json):
    (tmp_path / "s.csv").write_text("as it was")
    with full_disk:
        ran = run(command, "kuhn", "--strategy", "s.csv", *["--json"] * as_json)
    ran.fails(1, "s.csv cannot be written")
    assert (tmp_path / "s.csv").read_text() == "as it was"
    assert (list(ran.json) == ["error"]) if as_json else ("exploitability" in ran.out)
    assert "Strategy written" not in ran.out


@posix
def test_folders_that_cannot_be_written(run, tmp_path):
    (tmp_path / "file").write_text("")
    run("solve", "kuhn", "--save", "file").fails(
        1, "Nothing can be written to the folder file: File exists."
    )
    run("solve", "kuhn", "--save", "file/run").fails(
        1, "Nothing can be written to the folder file/run"
    )
    for option in ("--save", "--strategy"):
        (tmp_path / "closed").mkdir(exist_ok=True)
        (tmp_path / "closed").chmod(0o500)
        if not os.access(tmp_path / "closed", os.W_OK):  # root may write anywhere
            target = "closed/run" if option == "--save" else "closed/s.csv"
            run("solve", "kuhn", option, target).fails(
                1, "Nothing can be written to the folder closed"
            )
    if os.path.isdir("/proc/self"):
        run("solve", "kuhn", "--save", "/proc/self/run").fails(
            1, "Nothing can be written to the folder /proc/self/run"
        )
        run("exact", "kuhn", "--strategy", "/proc/s.csv").fails(
            1, "Nothing can be written to the folder /proc"
        )


# --- Bugs that were ---


@posix
@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_what_is_no_plain_file_is_written_to_and_stays(run, tmp_path, kind):
    path = tmp_path / "s.csv"
    if kind == "link":
        (tmp_path / "target.csv").write_text("old")
        path.symlink_to("target.csv")
    else:
        os.mkfifo(path)
        reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    assert run("solve", "kuhn", "-n", 3, "--strategy", "s.csv").code == 0
    if kind == "link":
        assert path.is_symlink()
        assert len(rows("target.csv")) == 24
    else:
        assert path.is_fifo()
        assert os.read(reader, 100).startswith(HEADER.encode())
        os.close(reader)


@pytest.mark.slow
def test_machines_where_nothing_can_be_cached():
    """A folder of machine code that may not be written to."""
    ran = python(
        "import sys, equilibrist._jit.cache_folder as folder\n"
        "def refuse(): raise PermissionError(13, 'Permission denied')\n"
        "folder.open_folder = refuse\n"
        "sys.argv = ['equilibrist', 'solve', 'kuhn', '-n', '3', '--json']\n"
        "import equilibrist.cli; equilibrist.cli.main()"
    )
    assert ran.code == 0
    assert "Machine code cannot be kept in " in ran.err
    assert "(Permission denied): every process compiles its kernels" in ran.err
    warnings = [line for line in ran.err.splitlines() if line.startswith("Warning: ")]
    assert len(warnings) == 1
    assert "EQUILIBRIST_CACHE" in warnings[0]


def test_a_strategy_with_a_quote_that_is_never_closed(run, tmp_path):
    (tmp_path / "s.csv").write_text(f'{HEADER}0,"J,p,1\n' + "0,Q,p,1\n" * 20_000)
    run("evaluate", "kuhn", "s.csv").fails(1, "s.csv")


def test_rules_that_leave(run, rules):
    run("check", rules(actions="raise SystemExit(0)")).fails(1, "SystemExit")


def test_rules_that_cannot_start(run, rules):
    run("check", rules(start="raise KeyError('oops')")).fails(1, "KeyError: 'oops' (rules.py, line")


def test_rules_that_cannot_say_their_name(run, rules):
    spec = rules(infoset="return 'call'\n    def __str__(self): return 1")
    run("check", spec).fails(1, "__str__")


def test_keys_that_no_file_can_hold(run, rules):
    run("check", rules(infoset="return 'call' + chr(0xD800)")).fails(1, "infoset")


def test_rules_that_change_a_state_in_place(run, rules):
    spec = rules(start="return []", next="state.append(action); return state")
    run("check", spec).fails(1, "next()")


def test_evaluate_names_the_game_as_solve_does(run, rules):
    spec = rules()
    solved = run("solve", spec, "-n", 3, "--strategy", "s.csv", "--json").json
    assert run("evaluate", spec, "s.csv", "--json").json["game"] == solved["game"] == spec
