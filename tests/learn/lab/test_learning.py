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
FORM = eq.compile_game(eq.load("kuhn"))
WIDTHS = [7, 16, 2]
STEPS, RATE, STRATEGIES = 60, 0.01, 20

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
    network = torch.nn.Sequential(layers[0], torch.nn.ReLU(), layers[1])
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
