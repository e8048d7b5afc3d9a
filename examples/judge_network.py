"""Judge a policy of any library: whatever maps observations to logits is asked once about each infoset, and certified.

    python examples/judge_network.py

``apply`` below is NumPy, so that the example needs nothing else. A network of JAX or PyTorch takes its place as it is:

    apply = lambda observations: model.apply(parameters, observations)      # Flax
    apply = lambda observations: network(torch.as_tensor(observations))     # PyTorch
"""

import numpy as np

import equilibrist as eq

GAME = "dark_hex(size=2, abrupt=True)"


def make_network(seed, inputs, outputs, hidden=32):
    """Return a function of observations, shape (n, inputs), to logits: two layers of random weights."""
    random = np.random.default_rng(seed)
    first = random.normal(size=(inputs, hidden)) / np.sqrt(inputs)
    second = random.normal(size=(hidden, outputs)) / np.sqrt(hidden)
    return lambda observations: np.maximum(observations @ first, 0) @ second


def policy_of(apply, temperature=1.0):
    """Return the policy that plays the legal actions by the softmax of a network's logits."""

    def policy(decisions):
        if hasattr(apply(decisions.observations[:1]), "detach"):  # PyTorch
            logits = apply(decisions.observations).detach().numpy()
        else:  # JAX and NumPy
            logits = np.asarray(apply(decisions.observations))
        masked = np.where(decisions.legal, logits / temperature, -np.inf)
        shares = np.exp(masked - masked.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True)

    return policy


cells = 4  # an observation has a row for each attempt: its cell, and whether it failed
apply = make_network(1, inputs=cells * (cells + 1), outputs=cells)
for temperature in (0.1, 1.0, 10.0):
    result = eq.evaluate(GAME, policy_of(apply, temperature), form="walk")
    print(f"temperature {temperature:4}: exploitability {result.exploitability:.3f}")

# Where a library numbers its observations in its own way, ask it by the text of the infoset, in a table of logits:
known = {"-": [0.0, 0.0, 0.0, 0.0]}


def by_name(decisions):
    logits = np.array([known.get(infoset, [0.0] * cells) for infoset in decisions.infosets])
    shares = np.where(decisions.legal, np.exp(logits), 0.0)
    return shares / shares.sum(axis=1, keepdims=True)


print(f"by name: exploitability {eq.evaluate(GAME, by_name, form='walk').exploitability:.3f}")
