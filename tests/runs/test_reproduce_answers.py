"""Runs of answers to a model: no line makes them again, and one goes on with them."""

import equilibrist as eq
from equilibrist.runs.reproduce import carried_settings, reproduce


def test_an_answer_is_gone_on_with_by_its_own_command(tmp_path):
    answer = eq.exploit("kuhn", "uniform", iterations=20, save=tmp_path / "answer")
    lines = reproduce(answer.solution, str(tmp_path / "answer"))
    assert lines["resume"].startswith("equilibrist exploit --resume")
    assert lines["command"].startswith("# The model of the opponent is in the tables of the run")
    assert "trust(" not in "".join(lines.values())
    assert carried_settings(answer.solution) == {}
