"""The names of the package: each in one place; how a name or a keyword goes; types for type checkers."""

import inspect
import re
import subprocess
import sys

import pytest

import equilibrist as eq
from equilibrist import _old_names
from equilibrist._util.deprecation import accept_old_keyword
from equilibrist.cli.run import _show_warning

SUBJECTS = {"deep": eq.deep, "poker": eq.poker, "learn": eq.learn, "types": eq.types}


def docstrings():
    """Yield the public names with their docstrings, those of methods included."""
    for module in (eq, *SUBJECTS.values()):
        for name in module.__all__:
            thing = getattr(module, name)
            yield name, inspect.getdoc(thing) or ""
            if inspect.isclass(thing):
                for part, method in vars(thing).items():
                    yield f"{name}.{part}", inspect.getdoc(method) or ""


def test_the_reference_can_show_all_docstrings():
    """Tables of reStructuredText are rubbish there, and formatters break their rulers."""
    rulers = re.compile(r"^ *==[= ]*$", re.MULTILINE)
    assert [name for name, text in docstrings() if rulers.search(text)] == []


def test_a_name_is_in_one_place():
    names = [name for module in (eq, *SUBJECTS.values()) for name in module.__all__]
    assert len(names) == len(set(names))
    assert not set(_old_names.OLD_NAMES) & set(eq.__all__)


@pytest.fixture
def old_names(monkeypatch):
    """Two names that went to other places after version 1.4."""
    for old, new in (("share", "poker.equity"), ("judge", "evaluate")):
        monkeypatch.setitem(_old_names.OLD_NAMES, old, _old_names.Place(new, "1.4"))


@pytest.mark.usefixtures("old_names")
def test_an_old_name_gives_the_same_thing_and_warns_whoever_asks():
    with pytest.warns(
        eq.EquilibristDeprecationWarning,
        match=r"^eq\.share is eq\.poker\.equity now; the old name goes after version 1\.4\.$",
    ) as caught:
        assert eq.share is eq.poker.equity
    assert caught[0].filename == __file__
    with pytest.warns(eq.EquilibristDeprecationWarning, match=r"^eq\.judge is eq\.evaluate now"):
        assert eq.judge is eq.evaluate


@pytest.mark.usefixtures("old_names")
def test_an_old_name_warns_each_time():
    for _ in range(2):
        with pytest.warns(eq.EquilibristDeprecationWarning):
            _ = eq.share
    assert "share" not in vars(eq)


@accept_old_keyword("out", "save", last_version="1.4")
def keep(game, *, save=None):
    """Return what it was called with."""
    return game, save


def test_an_old_keyword_does_the_same_and_warns_whoever_calls():
    with pytest.warns(
        eq.EquilibristDeprecationWarning,
        match=r"^keep\(out=\) is keep\(save=\) now; the old name goes after version 1\.4\.$",
    ) as caught:
        assert keep("kuhn", out="here") == keep("kuhn", save="here")
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_a_keyword_by_both_names_is_refused():
    with pytest.raises(eq.AlgorithmError, match="out= is the old name of save=; give one of them"):
        keep("kuhn", out="here", save="there")


def test_one_class_of_warnings_is_what_programs_can_filter():
    assert issubclass(eq.EquilibristDeprecationWarning, DeprecationWarning)
    assert issubclass(eq.EquilibristDeprecationWarning, eq.EquilibristWarning)


def test_the_command_says_what_is_deprecated_as_a_sentence(capsys):
    warning = eq.EquilibristDeprecationWarning("eq.share is eq.poker.equity now.")
    _show_warning(warning, type(warning), __file__, 1)
    assert capsys.readouterr().err == "Warning: eq.share is eq.poker.equity now.\n"


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
