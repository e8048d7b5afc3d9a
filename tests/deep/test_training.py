"""Training: fits against least squares, mirror descent against its closed form, runs that are saved and go on."""

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import AlgorithmError, GameError, SolutionError

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install '.[deep]'")

from equilibrist.deep.learner import FIT  # noqa: E402
from equilibrist.deep.memory import Reservoir  # noqa: E402
from equilibrist.deep.mmd import mirror_loss  # noqa: E402
from equilibrist.deep.torch_library import torch_threads  # noqa: E402
from equilibrist.deep.vector_game import VectorGame  # noqa: E402

TINY = eq.deep.Network(hidden=(16,), batch=128)
METHODS = {
    "deep-cfr": eq.deep.DeepCFR(traversals=30, steps=5, average_steps=20, memory=300, network=TINY),
    "dream": eq.deep.DREAM(
        plays=40,
        steps=5,
        baseline_steps=5,
        baseline_memory=100,
        average_steps=20,
        memory=300,
        network=TINY,
    ),
    "mmd": eq.deep.MMD(plays=50, network=TINY),
}


def one_hot_cells(player, observation):
    """Return features of Kuhn's infosets: a table, of which each infoset is one cell."""
    return np.eye(24)[6 * observation[:, 0] + observation[:, 1]]


def test_a_linear_network_of_one_hot_features_has_the_weighted_mean_of_the_samples():
    """Then Deep CFR is linear CFR with tables: least squares, cell by cell, of external sampling's regrets."""
    network = eq.deep.Network(hidden=(), learning_rate=0.05, batch=512)
    method = eq.deep.DeepCFR(traversals=60, steps=600, restart=True, network=network)
    learner = method.learner(VectorGame("kuhn", one_hot_cells), 1)
    with torch_threads(1):
        for _ in range(3):
            learner.iterate()
    for player in (0, 1):
        observation, _, target, weight = learner._regrets[player].all()
        cells = one_hot_cells(player, observation)
        assert set(weight.tolist()) == {1.0, 2.0, 3.0}  # iteration t counts t times
        totals = cells.T @ weight
        met = totals > 0
        means = (cells.T @ (weight[:, None] * target))[met] / totals[met, None]
        fitted = learner._advantages[player](np.eye(24, dtype=np.float32)[met])
        np.testing.assert_allclose(fitted, means, atol=0.02)


def test_mirror_descent_on_a_matrix_game_is_its_closed_form():
    """The minimum over logits is π ∝ (π₀^(1/η) e^q)^(1/(α + 1/η)), of one player's values against the other's play."""
    payoffs = np.array([[0.0, -1.0, 2.0], [1.0, 0.0, -1.0], [-2.0, 1.0, 0.0]])
    opponent = np.array([0.5, 0.3, 0.2])
    before = np.array([0.2, 0.3, 0.5])
    temperature = 0.3
    step_size = 2.0
    values = payoffs @ opponent
    exponents = (np.log(before) / step_size + values) / (temperature + 1 / step_size)
    closed = np.exp(exponents) / np.exp(exponents).sum()

    def loss_at(logits, action_values):
        return mirror_loss(
            logits,
            torch.ones((1, 3), dtype=torch.bool),
            torch.log(torch.tensor(before)[None, :]),
            torch.tensor(action_values)[None, :],
            temperature=temperature,
            step_size=step_size,
        )

    at_closed = torch.log(torch.tensor(closed))[None, :].requires_grad_()
    loss_at(at_closed, values).backward()
    np.testing.assert_allclose(at_closed.grad.numpy(), 0.0, atol=1e-12)
    # The gradient of the sampled estimates, over all actions by the policy before, is that of the values.
    sampled = torch.zeros((1, 3), dtype=torch.float64)
    for action in range(3):
        logits = torch.log(torch.tensor(before)[None, :]).requires_grad_()
        estimate = np.zeros(3)
        estimate[action] = values[action] / before[action]
        loss_at(logits, estimate).backward()
        sampled += before[action] * logits.grad
    logits = torch.log(torch.tensor(before)[None, :]).requires_grad_()
    loss_at(logits, values).backward()
    np.testing.assert_allclose(sampled.numpy(), logits.grad.numpy(), atol=1e-12)


def test_a_reservoir_keeps_all_samples_with_the_same_probability():
    random = np.random.default_rng(4)
    counts = np.zeros(40)
    for _ in range(2000):
        memory = Reservoir(10, 1, 1)
        for first in range(0, 40, 8):
            numbers = np.arange(first, first + 8)[:, None]
            memory.add(numbers, numbers >= 0, numbers, np.ones(8), random)
        counts[memory.all()[0][:, 0]] += 1
    assert counts.sum() == 20_000
    expected = 2000 * 10 / 40
    assert np.abs(counts - expected).max() < 5 * np.sqrt(expected * 0.75)


@pytest.mark.parametrize("name", METHODS)
def test_a_run_that_goes_on_ends_as_one_that_was_not_stopped(tmp_path, name):
    method = METHODS[name]
    whole = eq.deep.train("kuhn", method, iterations=6, every=2, seed=3)
    path = tmp_path / "run.pt"
    eq.deep.train("kuhn", method, iterations=4, every=2, seed=3, save=path)
    resumed = eq.deep.resume(path, iterations=6)
    assert resumed.stop_reason == "iterations"
    exploitabilities = [point.exploitability for point in whole.trace]
    assert [point.exploitability for point in resumed.trace] == exploitabilities
    assert [point.iteration for point in resumed.trace] == [2, 4, 6]
    loaded = eq.deep.load_agent(path)
    assert loaded.method == method
    for agent in (whole, resumed, loaded):
        certificate = eq.evaluate("kuhn", agent)
        assert certificate.exploitability == pytest.approx(exploitabilities[-1], abs=1e-12)
    assert eq.deep.train("kuhn", method, iterations=2, seed=4).trace[-1] != whole.trace[0]


@pytest.mark.parametrize("name", METHODS)
def test_agents_are_certified_on_games_with_columns_of_their_own(name):
    """Cells of a board and bids are numbers of actions; the walk and the compiled tree agree."""
    agent = eq.deep.train("dark_hex(size=2, abrupt=True)", METHODS[name], iterations=2)
    by_walk = eq.evaluate(agent.game, agent, form="walk")
    assert by_walk.exploitability == pytest.approx(agent.trace[-1].exploitability, abs=1e-12)
    dice = eq.deep.train("liars_dice(faces=3)", METHODS[name], iterations=2)
    by_tree = eq.evaluate(dice.game, dice)
    assert by_tree.exploitability == pytest.approx(dice.trace[-1].exploitability, abs=1e-12)


def test_deep_cfr_comes_near_the_equilibrium_of_kuhn():
    network = eq.deep.Network(hidden=(32,), batch=256, learning_rate=3e-3)
    method = eq.deep.DeepCFR(traversals=200, steps=40, average_steps=300, network=network)
    agent = eq.deep.train("kuhn", method, iterations=15, every=15)
    assert agent.trace[-1].exploitability < 0.1  # 0.458 at the beginning


@pytest.mark.slow
def test_mirror_descent_comes_near_the_equilibrium_of_kuhn():
    agent = eq.deep.train("kuhn", eq.deep.MMD(), iterations=100, every=100, seed=1)
    assert agent.trace[-1].exploitability < 0.05  # 0.458 at the beginning, 0.0233 when written


def test_the_answer_of_mirror_descent_is_the_mean_of_the_weights_of_late_iterations():
    learner = METHODS["mmd"].learner(VectorGame("kuhn"), 2)
    averages = [fitted.module[0].weight.detach().clone() for fitted in learner._policies]
    with torch_threads(1):
        for t in range(1, 4):
            learner.iterate()
            for average, fitted in zip(averages, learner._policies, strict=True):
                share = 8 / (t + 8)
                average.copy_((1 - share) * average + share * fitted.module[0].weight.detach())
    for average, fitted in zip(averages, learner._averages, strict=True):
        torch.testing.assert_close(fitted.module[0].weight.detach(), average)


def test_callbacks_follow_a_run_and_end_it():
    told = []
    callbacks = eq.Callbacks(
        on_start=lambda about: told.append(about.parameters["method"]),
        on_checkpoint=lambda point: told.append(point.iteration),
        on_end=lambda agent: told.append(agent.stop_reason),
        should_stop=lambda: 3 in told,
    )
    agent = eq.deep.train("kuhn", METHODS["mmd"], iterations=9, every=3, callbacks=callbacks)
    assert told == ["mmd", 3, 4, "callback"]
    assert agent.iterations == 4
    assert repr(agent).startswith("<Agent of kuhn by mmd: 4 iterations")
    assert agent.summary()["exploitability"] == agent.trace[-1].exploitability


@pytest.mark.needs("tensorboard")
def test_runs_tell_tensorboard(tmp_path):
    tracker = eq.track.TensorBoard(tmp_path)
    eq.deep.train("kuhn", METHODS["mmd"], iterations=2, every=1, callbacks=tracker)
    (folder,) = tmp_path.iterdir()
    assert folder.name.startswith("kuhn-mmd-seed0")


def test_own_features_are_asked_for_again(tmp_path):
    path = tmp_path / "run.pt"
    eq.deep.train("kuhn", METHODS["mmd"], iterations=1, features=one_hot_cells, save=path)
    with pytest.raises(SolutionError, match="features= of its own"):
        eq.deep.load_agent(path)
    assert eq.deep.load_agent(path, features=one_hot_cells).iterations == 1
    with pytest.raises(GameError, match="a row for each of"):
        eq.deep.train(
            "kuhn", METHODS["mmd"], iterations=1, features=lambda player, observation: [1.0]
        )


def test_other_games_and_damaged_files_are_refused(tmp_path):
    path = tmp_path / "run.pt"
    agent = eq.deep.train("kuhn", METHODS["mmd"], iterations=1, save=path)
    with pytest.raises(SolutionError, match="trained on kuhn, not on kuhn\\(players=3\\)"):
        eq.evaluate("kuhn(players=3)", agent)
    with pytest.raises(SolutionError, match="is a run of kuhn, not of leduc"):
        eq.deep.load_agent(path, game="leduc")
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(SolutionError, match="is damaged"):
        eq.deep.load_agent(path)
    with pytest.raises(SolutionError, match="There is no file"):
        eq.deep.load_agent(tmp_path / "none.pt")


def test_training_that_diverges_says_so():
    network = eq.deep.Network(hidden=(16,), learning_rate=1e30, batch=64)
    method = eq.deep.DeepCFR(traversals=20, steps=20, network=network)
    with pytest.raises(AlgorithmError, match="training diverged"):
        eq.deep.train("kuhn", method, iterations=5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        pytest.param(lambda: eq.deep.DeepCFR(traversals=0), "traversals must be", id="traversals"),
        pytest.param(
            lambda: eq.deep.DREAM(exploration=1.5), "exploration must be", id="exploration"
        ),
        pytest.param(lambda: eq.deep.MMD(temperature=0), "temperature must be", id="temperature"),
        pytest.param(lambda: eq.deep.Network(hidden=(0,)), "hidden must be", id="hidden"),
        pytest.param(lambda: eq.deep.Network(hidden=64), "hidden must be.* got 64", id="number"),
        pytest.param(lambda: eq.deep.DeepCFR(network=3), "an eq.deep.Network.* got 3", id="deep"),
        pytest.param(lambda: eq.deep.DREAM(network=3), "an eq.deep.Network.* got 3", id="dream"),
        pytest.param(lambda: eq.deep.MMD(network=3), "an eq.deep.Network.* got 3", id="mmd"),
        pytest.param(lambda: eq.deep.Network(learning_rate=0), "learning_rate must", id="rate"),
        pytest.param(lambda: eq.deep.Network(batch=0), "batch must be", id="batch"),
        pytest.param(
            lambda: eq.deep.train("kuhn", METHODS["mmd"]), "Give iterations= or", id="limits"
        ),
        pytest.param(
            lambda: eq.deep.train("kuhn", "mmd", iterations=1), "method must be one", id="method"
        ),
        pytest.param(
            lambda: eq.deep.train("kuhn", eq.deep.MMD, iterations=1),
            "method must be one",
            id="class",
        ),
        pytest.param(
            lambda: eq.deep.train("kuhn", METHODS["mmd"], iterations=1, every=0),
            "every must be",
            id="every",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(call, message):
    with pytest.raises(AlgorithmError, match=message):
        call()


@pytest.mark.parametrize(
    ("features", "message"),
    [
        (lambda player, observation: np.full((len(player), 2), np.nan), "got .nan, nan."),
        (lambda player, observation: np.full((len(player), 1), "a"), "array of numbers; got"),
        (lambda player, observation: np.zeros(3), r"got shape \(3,\)"),
    ],
    ids=["nan", "text", "shape"],
)
def test_features_that_are_no_numbers_are_refused(features, message):
    with pytest.raises(GameError, match=message):
        eq.deep.train("kuhn", METHODS["mmd"], iterations=1, features=features)


def test_streams_of_random_numbers_differ_by_use():
    learner = METHODS["deep-cfr"].learner(VectorGame("kuhn"), 0)
    assert learner.random(FIT, 0).random() != learner.random(FIT, 1).random()
