"""The names of the package: each in one place, old ones still there with a warning, and types for type checkers."""

import subprocess
import sys
from operator import attrgetter

import pytest

import equilibrist as eq
from equilibrist._moved import MOVED

SUBJECTS = {"deep": eq.deep, "poker": eq.poker, "learn": eq.learn, "types": eq.types}


def test_a_name_is_in_one_place():
    names = [name for module in (eq, *SUBJECTS.values()) for name in module.__all__]
    assert len(names) == len(set(names))
    assert not set(MOVED) & set(eq.__all__)


@pytest.mark.parametrize("name", MOVED)
def test_an_old_name_gives_the_same_thing_and_warns_whoever_asks(name):
    with pytest.warns(DeprecationWarning, match=rf"^eq\.{name} is eq\.{MOVED[name]} now") as caught:
        thing = getattr(eq, name)
    assert thing is attrgetter(MOVED[name])(eq)
    assert caught[0].filename == __file__


def test_an_old_name_warns_after_the_new_one_was_used():
    for place in MOVED.values():
        attrgetter(place)(eq)
    assert not set(MOVED) & set(vars(eq))


def test_what_never_was_a_name_is_none():
    with pytest.raises(AttributeError, match="nothing"):
        eq.nothing  # noqa: B018


def test_a_subject_is_imported_when_it_is_asked_for():
    code = (
        "import sys, equilibrist as eq; before = 'equilibrist.poker.cards.ranges' in sys.modules; "
        "eq.poker.Range; print(before, 'equilibrist.poker.cards.ranges' in sys.modules)"
    )
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert asked.stdout.split() == ["False", "True"]
