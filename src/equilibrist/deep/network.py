"""Networks: how large they are, how they are made from a seed, and how they are fitted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats
from .._util.validate import is_number, is_whole
from ..errors import AlgorithmError
from .torch_library import import_torch

_ROWS = 1 << 14
"""Rows of which a network is asked at a time."""


@dataclass(frozen=True, slots=True)
class Network:
    """A network of fully connected layers with rectified units between them, trained by Adam.

    Parameters
    ----------
    hidden : tuple of int
        Units of each hidden layer; () for a linear map.
    learning_rate : float
        Of Adam.
    batch : int
        Samples of a step.

    Raises
    ------
    AlgorithmError
        A number makes no sense.
    """

    hidden: tuple[int, ...] = (64, 64)
    learning_rate: float = 1e-3
    batch: int = 1024

    def __post_init__(self) -> None:
        is_row = isinstance(self.hidden, Iterable)
        if is_row:
            object.__setattr__(self, "hidden", tuple(self.hidden))
        if not (is_row and all(is_whole(units, 1) for units in self.hidden)):
            raise AlgorithmError(
                f"hidden must be numbers of units, 1 or more each, as in (64, 64); got "
                f"{self.hidden!r}."
            )
        if not is_number(self.learning_rate, above=0):
            raise AlgorithmError(
                f"learning_rate must be a number above 0; got {self.learning_rate!r}."
            )
        if not is_whole(self.batch, 1):
            raise AlgorithmError(f"batch must be a whole number, 1 or more; got {self.batch!r}.")


class Fitted:
    """A network of its own weights and its own optimiser.

    Parameters
    ----------
    network : Network
        Its size.
    inputs, outputs : int
        Numbers of features and of columns.
    random : numpy.random.Generator
        Where the first weights come from.
    """

    def __init__(
        self, network: Network, inputs: int, outputs: int, random: np.random.Generator
    ) -> None:
        torch = import_torch()
        self.network = network
        widths = (inputs, *network.hidden, outputs)
        layers: list[Any] = []
        for before, after in pairwise(widths):
            if layers:
                layers.append(torch.nn.ReLU())
            layer = torch.nn.Linear(before, after)
            bound = 1 / np.sqrt(max(before, 1))
            with torch.no_grad():
                for parameter in (layer.weight, layer.bias):
                    numbers = random.uniform(-bound, bound, tuple(parameter.shape))
                    parameter.copy_(torch.from_numpy(numbers))
            layers.append(layer)
        self.module = torch.nn.Sequential(*layers)
        self.optimiser = torch.optim.Adam(
            self.module.parameters(), lr=network.learning_rate, fused=True
        )

    def __call__(self, features: NDArray[np.float32]) -> Floats:
        """Return what the network says of features, shape (n, inputs): shape (n, outputs), no gradients."""
        torch = import_torch()
        rows = []
        with torch.inference_mode():
            for first in range(0, len(features), _ROWS):
                rows.append(self.module(torch.from_numpy(features[first : first + _ROWS])).numpy())
        if not rows:
            return np.zeros((0, self.module[-1].out_features))
        return np.concatenate(rows).astype(np.float64)

    def step(self, loss: Any) -> None:
        """Follow the gradient of a loss for one step.

        Raises
        ------
        AlgorithmError
            The loss is no finite number.
        """
        if not np.isfinite(loss.item()):
            raise AlgorithmError(
                f"The loss of a network became {loss.item()}: training diverged. Give a lower "
                f"learning_rate than {self.network.learning_rate:g}, as in "
                "network=eq.deep.Network(learning_rate=1e-4).",
                wrong_use=False,
            )
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self.optimiser.step()

    def set_learning_rate(self, learning_rate: float) -> None:
        """Set the learning rate of the next steps."""
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate

    def move_towards(self, other: Fitted, share: float) -> None:
        """Move all weights a share of the way to those of another network of the same size."""
        torch = import_torch()
        with torch.no_grad():
            pairs = zip(self.module.parameters(), other.module.parameters(), strict=True)
            for weights, goal in pairs:
                weights.lerp_(goal, share)

    def state_dict(self) -> dict[str, Any]:
        """Return weights and the state of the optimiser."""
        return {"weights": self.module.state_dict(), "optimiser": self.optimiser.state_dict()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take over what :meth:`state_dict` returned."""
        self.module.load_state_dict(state["weights"])
        self.optimiser.load_state_dict(state["optimiser"])


def squared_error(predicted: Any, legal: Any, target: Any, weight: Any) -> Any:
    """Return the weighted mean of the squared errors of the legal columns, summed over these."""
    error = (predicted - target) * legal
    return (weight[:, None] * error * error).sum() / len(weight)


def cross_entropy(logits: Any, legal: Any, target: Any, weight: Any) -> Any:
    """Return the weighted mean of the cross entropy of the legal columns, of which ``target`` are probabilities."""
    logarithm = log_probabilities(logits, legal)
    return -(weight[:, None] * target * logarithm * legal).sum() / len(weight)


def log_probabilities(logits: Any, legal: Any) -> Any:
    """Return the logarithms of the probabilities of the legal columns; something finite at the others."""
    torch = import_torch()
    masked = torch.where(legal, logits, torch.full_like(logits, -1e9))
    return torch.log_softmax(masked, dim=1)


def softmax_strategy(logits: Floats, legal: NDArray[np.bool_]) -> Floats:
    """Return the probabilities of the legal columns of which networks give logits, shape (n, columns)."""
    masked = np.where(legal, logits, -np.inf)
    shares = np.exp(masked - masked.max(axis=1, keepdims=True))
    total: Floats = shares / shares.sum(axis=1, keepdims=True)
    return total


def regret_matching(advantages: Floats, legal: NDArray[np.bool_]) -> Floats:
    """Return the shares of positive advantages; where there are none, the largest is played (Brown et al. 2019)."""
    positive = np.where(legal, np.maximum(advantages, 0.0), 0.0)
    total = positive.sum(axis=1, keepdims=True)
    best = np.where(legal, advantages, -np.inf).argmax(axis=1)
    greedy = np.eye(advantages.shape[1])[best]
    return np.where(total > 0, positive / np.where(total > 0, total, 1.0), greedy)
