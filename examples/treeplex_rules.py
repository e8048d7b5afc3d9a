"""First-order methods on treeplexes, each as in its paper.

    equilibrist solve kuhn --rule "treeplex_rules.py:DOMWU(eta=0.5)" --iterations 2000

A vector has a number for each sequence of a player; values are the gradient of what the player is
paid, which is maximised (docs/rules.md).
"""

import numpy as np


class MirrorAscent:
    """x^(t+1) = argmax η_t⟨v^t, x⟩ − D(x‖x^t) with η_t = η / √t."""

    source = "Nemirovski & Yudin 1983; Hoda et al. 2010"
    alternating = False

    def __init__(self, eta=1.0):
        self.eta = eta

    def init(self, treeplex):
        return {"plan": treeplex.uniform_plan()}

    def plan(self, treeplex, state, t):
        return state["plan"]

    def observe(self, treeplex, state, plan, values, t):
        return {"plan": treeplex.prox(self.eta / np.sqrt(t) * values, plan)}


class ProjectedAscent(MirrorAscent):
    """x^(t+1) = the plan nearest to x^t + η_t v^t."""

    source = "Zinkevich 2003"

    def observe(self, treeplex, state, plan, values, t):
        return {"plan": treeplex.project(plan + self.eta / np.sqrt(t) * values)}


class DOMWU:
    """x^t = argmax η⟨v^(t-1), x⟩ − D(x‖x̂^t),   x̂^(t+1) = argmax η⟨v^t, x⟩ − D(x‖x̂^t).

    On a matrix game it is optimistic multiplicative weights (OMWU). The answer is the last iterate.
    """

    source = "Lee, Kroer & Luo 2021"
    alternating = False
    last_iterate = True

    def __init__(self, eta=0.5):
        self.eta = eta

    def init(self, treeplex):
        return {"center": treeplex.uniform_plan(), "last": np.zeros(treeplex.num_sequences)}

    def plan(self, treeplex, state, t):
        return treeplex.prox(self.eta * state["last"], state["center"])

    def observe(self, treeplex, state, plan, values, t):
        return {"center": treeplex.prox(self.eta * values, state["center"]), "last": values}


class VOGDA(DOMWU):
    """The same with the Euclidean distance: x^t is nearest to x̂^t + η v^(t-1)."""

    source = "Lee, Kroer & Luo 2021"

    def plan(self, treeplex, state, t):
        return treeplex.project(state["center"] + self.eta * state["last"])

    def observe(self, treeplex, state, plan, values, t):
        return {"center": treeplex.project(state["center"] + self.eta * values), "last": values}


class MirrorProx:
    """w = argmax η⟨v(z), x⟩ − D(x‖z),   z ← argmax η⟨v(w), x⟩ − D(x‖z): the answer is the average of w.

    Each step takes two gradients, and so two iterations: odd ones play z, even ones w.
    """

    source = "Nemirovski 2004; Kroer et al. 2020"
    alternating = False

    def __init__(self, eta=0.5):
        self.eta = eta

    def init(self, treeplex):
        zeros = np.zeros(treeplex.num_sequences)
        return {"center": treeplex.uniform_plan(), "values": zeros, "sum": zeros}

    def plan(self, treeplex, state, t):
        if t % 2 == 1:
            return state["center"]
        return treeplex.prox(self.eta * state["values"], state["center"])

    def observe(self, treeplex, state, plan, values, t):
        if t % 2 == 1:
            return state | {"values": values}
        center = treeplex.prox(self.eta * values, state["center"])
        return {"center": center, "values": values, "sum": state["sum"] + plan}

    def answer(self, treeplex, state, t):
        if t < 2:
            return state["center"]
        return state["sum"] / state["sum"][0]


class RTCFRPlus:
    """CFR⁺ on the game with rewards v − μ(x − r) and at least γ for each action; r and γ move in epochs.

    The last iterate is the answer. σ is the play of regret matching, x the plan of (1 − γ|A|) σ + γ.
    """

    source = "Meng et al. 2025"
    last_iterate = True

    def __init__(self, mu=1e-3, gamma=1e-10, epoch=100):
        self.mu = mu
        self.gamma = gamma
        self.epoch = epoch

    def init(self, treeplex):
        uniform = treeplex.to_behaviour(treeplex.uniform_plan())
        zeros = np.zeros(treeplex.num_sequences)
        return {"regret": zeros, "sigma": uniform, "reference": treeplex.to_plan(uniform)}

    def plan(self, treeplex, state, t):
        floor = self.gamma * 0.5 ** ((t - 1) // self.epoch)
        num_actions = np.append(1, np.diff(treeplex.first)[treeplex.infoset_of])
        return treeplex.to_plan((1 - floor * num_actions) * state["sigma"] + floor)

    def observe(self, treeplex, state, plan, values, t):
        reference = plan if t % self.epoch == 0 else state["reference"]
        transformed = values - self.mu * (plan - reference)
        worth = treeplex.counterfactual_values(state["sigma"], transformed)
        expected = np.add.reduceat(state["sigma"] * worth, treeplex.first[:-1])
        instant_regret = np.append(0, worth[1:] - expected[treeplex.infoset_of])
        regret = np.maximum(state["regret"] + instant_regret, 0)
        sigma = treeplex.to_behaviour(regret)
        return {"regret": regret, "sigma": sigma, "reference": reference}
