"""What a person may write for a game, and what each mistake is told."""

from __future__ import annotations

from pathlib import Path

import pytest

import equilibrist as eq
from equilibrist.games.kuhn import Kuhn
from equilibrist.loading import load

RULES = '''
from dataclasses import dataclass

from equilibrist.errors import GameError
from equilibrist.games.kuhn import Kuhn


@dataclass
class Plain:  # dataclasses look their module up in sys.modules
    number: int = 1


class Mine(Kuhn):
    def __init__(self, ante=1, *, deck="JQK"):
        if ante == 13:
            raise ValueError("an unlucky number.")
        if ante < 0:
            raise GameError("The ante cannot be negative.", wrong_use=True)
        super().__init__(ante=ante, cards=len(deck))


make_mine = Mine
number = 3
'''


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
    fails(object(), "A object is not a game: it has no players, start, .*, infoset", wrong_use=False)

    class Half:
        players = 2
        start = player = actions = next = payoffs = infoset = lambda self: None

    fails(Half(), r"A Half is not a game: it has no probabilities\.", wrong_use=False)


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
        ("kuhn-poker", "There is no game 'kuhn-poker'"),
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
    assert str(load(f"{rules}:Mine")) == "kuhn"
    assert str(load(f"{rules}:Mine(ante=2, deck='JQKA')")) == "kuhn(cards=4, ante=2)"
    assert type(load(f"{rules}:Mine")).__module__.startswith("_equilibrist_game_")


def test_the_file_is_read_again_each_time(rules):
    load(f"{rules}:Mine")
    rules.write_text(RULES.replace("ante=1,", "ante=9,"))
    assert str(load(f"{rules}:Mine")) == "kuhn(ante=9)"


def test_a_path_may_hold_a_colon(tmp_path):
    folder = tmp_path / "c:games"
    folder.mkdir()
    (folder / "rules.py").write_text(RULES)
    assert str(load(f"{folder}/rules.py:Mine(ante=2)")) == "kuhn(ante=2)"


def test_mistakes_with_a_file(rules):
    fails(f"{rules}:Min", r"There is no class 'Min' in '.*rules.py'. Did you mean 'Mine'\?")
    fails(f"{rules}:number", "There is no class 'number'")
    fails(f"{rules}:Mine(3)", "Give every setting of 'Mine' its name")
    fails(f"{rules}:Mine(antee=3)", r"Mine of '.*' takes \(ante=1, \*, deck='JQK'\): got an unexpected keyword")
    fails(f"{rules}:Mine(ante=-1)", "The ante cannot be negative")
    fails(f"{rules}:Mine(ante=13)", "line 16: making .* failed with ValueError: an unlucky number", wrong_use=False)
    fails(f"{rules}:Plain", "A Plain is not a game", wrong_use=False)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n\nx = 1 +", "rules.py', line 3: importing it failed with SyntaxError: invalid syntax"),
        ("\nx = y", "rules.py', line 2: importing it failed with NameError: name 'y' is not defined"),
        ("import no_such_module_", "line 1: .*ModuleNotFoundError: No module named 'no_such_module_'"),
        ("import sys\nsys.exit(3)", "line 2: .*SystemExit: 3"),
        ("x = '\udce4'", r"rules.py', line 1: importing it failed with SyntaxError"),
    ],
)
def test_a_broken_file_is_told_with_its_line(rules, text, message):
    rules.write_bytes(text.encode("utf-8", errors="surrogateescape"))
    fails(f"{rules}:Mine", message, wrong_use=False)


def test_a_file_without_classes(rules):
    rules.write_text("x = 1")
    fails(f"{rules}:Mine", "There is no class 'Mine' in .* It defines no class")
