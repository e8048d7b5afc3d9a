"""The one table of the settings of a run, beside what it is a table of: `solve`, the command, its parts."""

import dataclasses
import inspect

import pytest
from typer.main import get_command

import equilibrist as eq
from equilibrist.cli.arguments import make_app
from equilibrist.solving.settings import SETTINGS

PARTS = {
    "limits": eq.Limits,
    "algorithm": eq.Algorithm,
    "save": eq.Save,
    "record": eq.Record,
    "backend": eq.Cluster,
}


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_each_is_an_argument_of_solve_or_a_part_of_one(setting):
    argument, _, part = (setting.argument or setting.name).partition(".")
    assert argument in inspect.signature(eq.solve).parameters
    if part:
        assert part in {field.name for field in dataclasses.fields(PARTS[argument])}


@pytest.mark.thinned(22)
@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_each_is_an_option_of_the_command(setting):
    options = {
        flag: option
        for option in get_command(make_app("solve")).commands["solve"].params
        for flag in option.opts
    }
    assert options[setting.flags[0]].help.startswith(setting.about)


def test_names_are_there_once():
    names = [setting.name for setting in SETTINGS]
    assert len(set(names)) == len(names)
