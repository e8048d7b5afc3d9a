"""What a person may write for a game, and what each mistake is told."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import equilibrist as eq
from equilibrist.games import gambit_nfg
from equilibrist.games.kuhn import Kuhn
from equilibrist.games.load import load

RULES = """
from __future__ import annotations

from dataclasses import dataclass

from equilibrist.errors import GameError


@dataclass
class Plain:  # dataclasses look their module up in sys.modules
    number: int = 1


class Flip:
    players = 1

    def __init__(self, prize=1, *, sides="ht"):
        if prize == 13:
            raise ValueError("an unlucky number.")
        if prize < 0:
            raise GameError("The prize cannot be negative.", wrong_use=True)
        self.prize, self.sides = prize, sides

    def __str__(self): return f"Flip({self.prize}, {self.sides})"
    def start(self): return ""
    def player(self, state): return -2 if state else 0
    def actions(self, state): return list(self.sides)
    def probabilities(self, state): return []
    def next(self, state, action): return action
    def payoffs(self, state): return [self.prize * (state == "h")]
    def infoset(self, state): return "flip"


number = 3
"""


@pytest.fixture
def rules(tmp_path):
    path = tmp_path / "rules.py"
    path.write_text(RULES)
    return path


def fails(spec, message, *, wrong_use=True):
    with pytest.raises(eq.GameError, match=message) as caught:
        load(spec)
    assert caught.value.wrong_use == wrong_use
    assert "\n" not in str(caught.value)


def test_a_game_is_itself():
    game = Kuhn()
    assert load(game) is game


def test_what_is_not_a_game():
    fails(Kuhn, r"Kuhn is a class; pass an instance: Kuhn\(\.\.\.\)")
    fails(
        object(),
        "type 'object' is not a game: it has no players, start, .*, infoset",
        wrong_use=False,
    )

    class Half:
        players = 2
        start = player = actions = next = payoffs = infoset = lambda self: None

    fails(Half(), r"type 'Half' is not a game: it has no probabilities\.", wrong_use=False)


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("kuhn", "kuhn"),
        (" kuhn ( ) ", "kuhn"),
        ("kuhn(cards=10, ante=2)", "kuhn(cards=10, ante=2)"),
        ("kuhn(cards=4,)", "kuhn(cards=4)"),
    ],
)
def test_built_in_games(spec, name):
    assert str(load(spec)) == name


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "Cannot read ''"),
        ("khun", "Did you mean 'kuhn'"),
        ("khun-poker", "There is no game 'khun-poker'"),
        ("kuhn(cards=4", r"Cannot read 'kuhn\(cards=4'"),
        ("kuhn(cards=4)(ante=1)", "Cannot read"),
        ("kuhn(cards=)", "Cannot read the settings of 'kuhn'"),
        ("kuhn(cards=4) or f()", "Cannot read"),
        ("kuhn(cards=4) or f(ante=1)", "Cannot read"),
        ("kuhn(cards 4)", "Cannot read the settings of 'kuhn'"),
        ("kuhn(cards=\0)", "Cannot read the settings of 'kuhn'"),
        ("kuhn(10)", r"Give every setting of 'kuhn' its name.*got 'kuhn\(10\)'"),
        ("kuhn(**{'cards': 4})", "Give every setting of 'kuhn' its name"),
        ("kuhn(cards=4, cards=5)", "'cards' of 'kuhn' is given twice"),
        ("kuhn(cards=ten)", "'cards' of 'kuhn' must be a plain value.*got ten"),
        ("kuhn(cards=__import__('os').getpid())", "must be a plain value"),
        ("kuhn(cards={[]: 1})", "must be a plain value"),
        ("kuhn(crds=4)", "kuhn has no parameter 'crds'"),
        ("kuhn(cards='x')", "cards must be a whole number"),
        ("nowhere.efg", "There is no file 'nowhere.efg'"),
        ("a\0b.efg", r"There is no file 'a\\x00b.efg'"),
        ("\ud800.efg", r"There is no file '\\ud800.efg'"),
        ("a\0b.toml", r"No file or folder can be named 'a\\x00b.toml'"),
        ("\ud800.toml", r"No file or folder can be named '\\ud800.toml'"),
        ("nowhere.py:Game", "There is no file 'nowhere.py'"),
        ("nowhere.py", "Say which class of 'nowhere.py' is the game: 'nowhere.py:Class'"),
    ],
)
def test_mistakes(spec, message):
    fails(spec, message)


def test_a_gambit_file_by_text_or_path():
    path = Path(__file__).parent / "data" / "inner.efg"
    assert load(path).players == load(str(path)).players == 2


def test_an_openspiel_game():
    pytest.importorskip("pyspiel")
    game = load("openspiel:liars_dice(dice_sides=4)")
    assert str(game) == "openspiel:liars_dice(dice_sides=4)"
    assert str(load(str(game))) == str(game)
    fails("openspiel:leduc_pokr", "Did you mean 'leduc_poker'")


def test_a_class_in_a_file(rules):
    assert str(load(f"{rules}:Flip")) == "Flip(1, ht)"
    assert str(load(f"{rules}:Flip(prize=2, sides='hte')")) == "Flip(2, hte)"
    assert type(load(f"{rules}:Flip")).__module__.startswith("_equilibrist_game_")


def test_the_file_is_read_again_each_time(rules):
    load(f"{rules}:Flip")
    rules.write_text(RULES.replace("prize=1,", "prize=9,"))
    assert str(load(f"{rules}:Flip")) == "Flip(9, ht)"


@pytest.mark.skipif(os.name == "nt", reason="there a colon belongs to drives only")
def test_a_path_may_hold_a_colon(tmp_path):
    folder = tmp_path / "c:games"
    folder.mkdir()
    (folder / "rules.py").write_text(RULES)
    assert str(load(f"{folder}/rules.py:Flip(prize=2)")) == "Flip(2, ht)"


def test_mistakes_with_a_file(rules):
    fails(f"{rules}:Flp", r"There is no class 'Flp' in '.*rules.py'. Did you mean 'Flip'\?")
    fails(f"{rules}:number", "There is no class 'number'")
    fails(f"{rules}:Flip(3)", "Give every setting of 'Flip' its name")
    fails(
        f"{rules}:Flip(price=3)",
        r"Flip of '.*' takes \(prize=1, \*, sides='ht'\): got an unexpected keyword",
    )
    fails(f"{rules}:Flip(prize=-1)", "The prize cannot be negative")
    fails(
        f"{rules}:Flip(prize=13)",
        "line 19: making .* failed with ValueError: an unlucky number",
        wrong_use=False,
    )
    fails(f"{rules}:Plain", "type 'Plain' is not a game", wrong_use=False)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n\nx = 1 +", "rules.py', line 3: importing it failed with SyntaxError: invalid syntax"),
        (
            "\nx = y",
            "rules.py', line 2: importing it failed with NameError: name 'y' is not defined",
        ),
        (
            "import no_such_module_",
            "line 1: .*ModuleNotFoundError: No module named 'no_such_module_'",
        ),
        ("import sys\nsys.exit(3)", "line 2: .*SystemExit: 3"),
        ("x = '\udce4'", r"rules.py', line 1: importing it failed with SyntaxError"),
    ],
)
def test_a_broken_file_is_told_with_its_line(rules, text, message):
    rules.write_bytes(text.encode("utf-8", errors="surrogateescape"))
    fails(f"{rules}:Flip", message, wrong_use=False)


def test_a_file_that_is_not_trusted_is_not_run(rules):
    rules.write_text("raise RuntimeError('it was run')")
    with pytest.raises(
        eq.GameError, match=r"rules.py:Flip' is a Python file.* trust=True \(--trust\)"
    ) as caught:
        load(f"{rules}:Flip", trust=False)
    assert caught.value.wrong_use
    assert "\n" not in str(caught.value)
    for spec in ("kuhn(cards=4)", Path(__file__).parent / "data" / "inner.efg", Kuhn()):
        assert load(spec, trust=False).players == 2


def test_other_files_are_named_for_what_they_are(tmp_path):
    path = tmp_path / "chicken.nfg"
    fails(str(path), "There is no file '.*chicken.nfg'")
    (tmp_path / "game.csv").write_text("1,2")
    fails(str(tmp_path / "game.csv"), "game.csv' is no game: a file is loaded as 'file.efg'")
    (tmp_path / "game.json").write_text("{}")
    fails(
        str(tmp_path / "game.json"),
        "game.json' must hold an object with the settings of wasm-postflop",
    )


def test_a_file_without_classes(rules):
    rules.write_text("x = 1")
    fails(f"{rules}:Flip", "There is no class 'Flip' in .* It defines no class")


def test_a_file_may_import_what_lies_next_to_it(tmp_path):
    (tmp_path / "beside.py").write_text("PRIZE = 7\n")
    (tmp_path / "rules.py").write_text(RULES.replace("number = 3", "from beside import PRIZE"))
    before = list(sys.path)
    load(f"{tmp_path}/rules.py:Flip")
    assert sys.path == before


def test_a_built_in_game_may_be_extended(tmp_path):
    text = "from equilibrist.games import Kuhn\nclass Mine(Kuhn):\n    def __init__(self): super().__init__(cards=5)\n"
    (tmp_path / "rules.py").write_text(text)
    mine = load(f"{tmp_path}/rules.py:Mine")
    assert load(str(mine)).parameters == mine.parameters


def test_no_public_function_hides_behind_its_module():
    """A module that is imported becomes an attribute of its package, in the place of a function of its name."""
    rooms = {"deep", "learn", "plot", "poker", "track", "types"}
    folder = Path(eq.__file__).parent
    for package in (eq, *(getattr(eq, room) for room in rooms)):
        path = Path(package.__file__)
        modules = set()
        if path.name == "__init__.py":
            modules = {module.stem for module in path.parent.iterdir()}
        if path.parent == folder:
            modules -= rooms
        assert not modules & set(package.__all__), package.__name__


def test_a_name_where_rules_are_needed():
    for ask in (eq.compile_game, eq.check_game):
        with pytest.raises(eq.GameError, match=r"give eq\.load\('kuhn'\)"):
            ask("kuhn")


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: eq.compile_game("kuhn"),
            r"Rules are needed here, not their name: give eq\.load\('kuhn'\)",
        ),
        (lambda: eq.compile_public("kuhn"), "A public game is needed here .*; got 'kuhn'"),
        (lambda: eq.compile_public(eq.load("kuhn")), "A public game is needed here .*; got Kuhn"),
        (lambda: eq.compile_cards("holdem"), "A card game is needed here .*; got 'holdem'"),
        (
            lambda: eq.Strategy.from_dict(5),
            r"A strategy is \{infoset: \{action: probability\}\}; got 5",
        ),
        (lambda: eq.plot.convergence(5), "Runs are drawn, or folders of saved ones; got 5"),
        (
            lambda: eq.team_responses("kuhn", {}, 5, missing="uniform"),
            "teams must name each of the players .*; got 5",
        ),
    ],
)
def test_what_is_given_instead_of_the_right_thing(call, sentence):
    with pytest.raises(eq.EquilibristError, match=sentence) as caught:
        call()
    assert caught.value.wrong_use


@pytest.mark.parametrize(
    ("sizes", "fits"), [("2 2", True), ("1 4", True), ("2 3", False), ("3 2", False)]
)
def test_the_most_profiles_of_a_table_are_as_many_as_are_said(sizes, fits, tmp_path, monkeypatch):
    """The limit itself is allowed; one profile more is not."""
    monkeypatch.setattr(gambit_nfg, "_MAX_PROFILES", 4)
    first, second = map(int, sizes.split())
    path = tmp_path / "a.nfg"
    path.write_text(f'NFG 1 R "a" {{ "Ann" "Ben" }} {{ {sizes} }} {"1 -1 " * (first * second)}')
    if fits:
        assert len(gambit_nfg.read_nfg(path).actions(0)) == first
    else:
        with pytest.raises(eq.GameError, match="at most 4 profiles"):
            gambit_nfg.read_nfg(path)
