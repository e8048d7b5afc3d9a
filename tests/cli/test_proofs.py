"""``equilibrist prove`` and ``check-proof``, and fractions in ``exact`` and ``evaluate``."""

import json


def test_a_proof_is_written_and_checked(run, tmp_path):
    path = tmp_path / "kuhn.proof.json"
    assert "-1/18" in run("prove", "kuhn", "--out", path).out
    assert "kuhn is worth -1/18 to player 0" in run("check-proof", path).out
    assert run("check-proof", path, "--json").json["proved"] is True
    told = json.loads(path.read_text())
    assert told["value"] == ["-1/18", "1/18"]
    told["value"] = ["-1/17", "1/17"]
    path.write_text(json.dumps(told))
    run("check-proof", path).fails(1, "proves another value than it tells: -1/18")
    run("check-proof", tmp_path / "none.json").fails(1, "none.json")
    run("prove", "kuhn", "--out", tmp_path / "kuhn.txt").fails(2, ".json")


def test_fractions_of_exact_and_evaluate(run, tmp_path):
    strategy = tmp_path / "kuhn.csv"
    told = run("exact", "kuhn", "--rational", "--strategy", strategy, "--json").json
    assert told["value"] == ["-1/18", "1/18"]
    assert told["exploitability"] == "0"
    judged = run("evaluate", "kuhn", strategy, "--rational", "--json").json
    assert "/" in judged["value"][0]
    assert "in fractions, without rounding" in run("evaluate", "kuhn", strategy, "--rational").out
    run("evaluate", "kuhn", strategy, "--rational", "--lbr", 10).fails(2, "--rational")
    run("evaluate", "kuhn", strategy, "--rational", "--off-path").fails(2, "off_path")
