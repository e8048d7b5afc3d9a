"""The arithmetic of the learning lab, in Node, against the package's regrets and PyTorch's Adam."""

import json
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.cfr.algorithms import find_algorithm
from equilibrist.cfr.sequence_cfr import SequenceCFR

NODE = shutil.which("node")
SCRIPT = Path(__file__).with_name("learning.js")
LEARNED = SCRIPT.with_name("learned.js")
FORM = eq.compile_game(eq.load("kuhn"))
WIDTHS = [7, 16, 2]
STEPS, RATE, STRATEGIES = 60, 0.01, 20
LEAK = 0.2
OFFERED = {"units": (8, 16, 64), "traversals": (10, 100, 1000), "steps": (50, 100, 400)}
LEARNED_WITH = [
    (8, 10, 50),
    (8, 10, 400),
    (8, 100, 100),
    (8, 1000, 100),
    (16, 10, 100),
    (16, 100, 50),
    (16, 100, 100),
    (16, 1000, 400),
    (64, 100, 100),
]
"""Settings that are tested: each that is offered, alone and with others."""
TEXT = (Path(__file__).parents[3] / "docs" / "lab-learning.md").read_text("utf-8")

pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed: https://nodejs.org")


def computed(tmp_path, strategies):
    """Return what the lab computes of strategies, and of steps of Adam."""
    path = tmp_path / "cases.json"
    cases = {"strategies": strategies, "steps": STEPS, "rate": RATE, "widths": WIDTHS}
    path.write_text(json.dumps(cases), encoding="utf-8")
    result = subprocess.run(
        [NODE, SCRIPT, path], check=True, capture_output=True, text=True, timeout=60
    )
    return json.loads(result.stdout)


def instant_regrets(bets):
    """Return the regrets of one iteration of CFR that begins with a strategy, by infoset."""
    solver = SequenceCFR(FORM, find_algorithm("cfr(alternating=False)"))
    state = solver.state_dict()
    state["strategy"][FORM.slot] = np.stack([1 - bets, bets], axis=1).ravel()
    solver.load_state(state)
    solver.run(1)
    pairs = solver.tables["regret_sum"][FORM.slot].reshape(-1, 2)
    return {infoset.key: row for infoset, row in zip(FORM.infosets, pairs, strict=True)}


@pytest.mark.slow
def test_the_exact_table_has_the_regrets_of_the_package(tmp_path):
    rng = np.random.default_rng(8)
    bets = rng.random((STRATEGIES, FORM.num_infosets))
    strategies = [
        {infoset.key: bet for infoset, bet in zip(FORM.infosets, row.tolist(), strict=True)}
        for row in bets
    ]
    ours = computed(tmp_path, strategies)["exact"]
    for row, table in zip(bets, ours, strict=True):
        for key, regrets in instant_regrets(row).items():
            assert table[key] == pytest.approx(regrets, abs=1e-13), key


@pytest.mark.slow
def test_steps_of_adam_are_those_of_pytorch(tmp_path):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install '.[deep]'")
    run = computed(tmp_path, [])
    layers = [torch.nn.Linear(a, b, dtype=torch.float64) for a, b in pairwise(WIDTHS)]
    with torch.no_grad():
        for layer, rows in zip(layers, run["before"], strict=True):
            numbers = torch.tensor(rows, dtype=torch.float64)
            layer.weight.copy_(numbers[:, :-1])
            layer.bias.copy_(numbers[:, -1])
    network = torch.nn.Sequential(layers[0], torch.nn.LeakyReLU(LEAK), layers[1])
    adam = torch.optim.Adam(network.parameters(), lr=RATE)
    for batch in run["batches"]:
        x, y, weight = (
            torch.tensor([sample[name] for sample in batch], dtype=torch.float64)
            for name in ("x", "y", "weight")
        )
        loss = (weight[:, None] * (network(x) - y) ** 2).sum() / weight.sum()
        adam.zero_grad()
        loss.backward()
        adam.step()
    for layer, rows in zip(layers, run["after"], strict=True):
        numbers = np.array(rows)
        assert layer.weight.detach().numpy() == pytest.approx(numbers[:, :-1], abs=1e-11)
        assert layer.bias.detach().numpy() == pytest.approx(numbers[:, -1], abs=1e-11)


def learned(*settings):
    """Return what networks come to with settings; without any, the settings that the lab offers."""
    words = [json.dumps(one) for one in settings]
    result = subprocess.run(
        [NODE, LEARNED, *words], check=True, capture_output=True, text=True, timeout=300
    )
    return json.loads(result.stdout)


def test_each_setting_that_is_offered_is_tested():
    offered = {name: tuple(map(int, choices)) for name, choices in learned().items()}
    assert offered == OFFERED
    tested = [tuple(sorted(set(values))) for values in zip(*LEARNED_WITH, strict=True)]
    assert tested == list(OFFERED.values())


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("units", "traversals", "steps"), LEARNED_WITH, ids="{0}".format)
def test_the_networks_come_down(units, traversals, steps):
    """The lab says of the average what the package does, and the average is good where there is much to learn from."""
    run = learned({"units": units, "traversals": traversals, "steps": steps, "iterations": 30})
    strategy = {key: {"p": 1 - bet, "b": bet} for key, bet in run["average"].items()}
    exploitabilities = run["exploitabilities"]
    certified = eq.evaluate("kuhn", strategy).exploitability
    assert exploitabilities[-1] == pytest.approx(certified, abs=1e-12)
    assert exploitabilities[-1] < min(0.1, exploitabilities[2] / 2)
    assert run["error"] < 0.05 + 1.5 * run["floor"]


@pytest.mark.slow
def test_the_figures_of_the_page():
    def figures(**settings):
        run = learned(settings | {"iterations": 30})
        numbers = (run["exploitabilities"][-1], run["error"], run["floor"])
        return [f"{number:.3f}" for number in numbers]

    scarce, error, floor = figures(traversals=10)
    assert (
        f"the samples' error is {floor} chips, and the networks' is not much more, {error}" in TEXT
    )
    assert f"The exploitability is {scarce}." in TEXT
    plenty, error, floor = figures(traversals=1000, steps=400)
    assert f"error is {floor}, the networks' {error}, and the exploitability {plenty}." in TEXT
    assert f"After thirty of them the exploitability is {figures(steps=50)[0]}." in TEXT
    large, small = figures(units=64)[0], figures(units=8)[0]
    assert f"the exploitability is {large}; with 8 it is {small}." in TEXT
