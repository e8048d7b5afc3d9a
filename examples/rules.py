"""Update rules in NumPy: every algorithm that is built in, as in its paper, and others that are not.

    equilibrist solve leduc --rule "rules.py:OptimisticHedge(eta=2)" --iterations 1000

A rule sees many infosets at once: rows are infosets, columns are actions (docs/rules.md).
"""

import numpy as np

import equilibrist as eq


def match(regret):
    """Return regret matching: shares of the positive regrets, all actions alike where none is positive."""
    positive = np.maximum(regret, 0)
    total = positive.sum(axis=1, keepdims=True)
    return np.where(total > 1e-12, positive / np.maximum(total, 1e-12), 1 / positive.shape[1])


def instant_regret(strategy, values):
    """Return what each action would have won beyond what was played."""
    return values - (strategy * values).sum(axis=1, keepdims=True)


def discount(t, exponent):
    """Return what a sum is multiplied by on entering iteration t: (t - 1)^e / ((t - 1)^e + 1)."""
    if t == 1:
        return 1.0  # of nothing
    return 1 / (1 + (t - 1.0) ** -exponent)


class CFR:
    source = "Zinkevich et al. 2007"

    def init(self, num_actions):
        return {"regret": np.zeros(num_actions)}

    def strategy(self, state, t):
        return match(state["regret"])

    def observe(self, state, strategy, values, t):
        state["regret"] += instant_regret(strategy, values)


class CFRPlus(CFR):
    source = "Tammelin 2014"
    gamma = 1

    def observe(self, state, strategy, values, t):
        return {"regret": np.maximum(state["regret"] + instant_regret(strategy, values), 0)}


class LinearCFR(CFR):
    source = "Brown & Sandholm 2019"
    gamma = 1

    def observe(self, state, strategy, values, t):
        return {"regret": discount(t, 1) * state["regret"] + instant_regret(strategy, values)}


class DCFR(CFR):
    source = "Brown & Sandholm 2019"
    gamma = 2

    def observe(self, state, strategy, values, t):
        factor = np.where(state["regret"] > 0, discount(t, 1.5), discount(t, 0))
        return {"regret": factor * state["regret"] + instant_regret(strategy, values)}


class DCFRPlus(CFR):
    source = "Xu et al. 2024"
    gamma = 4

    def observe(self, state, strategy, values, t):
        regret = discount(t, 1.5) * state["regret"] + instant_regret(strategy, values)
        return {"regret": np.maximum(regret, 0)}


class PCFRPlus:
    source = "Farina, Kroer & Sandholm 2021"
    gamma = 2
    weight = 1.0  # of the prediction, which is the last instant regret

    def init(self, num_actions):
        return {"regret": np.zeros(num_actions), "prediction": np.zeros(num_actions)}

    def strategy(self, state, t):
        return match(state["regret"] + self.weight * state["prediction"])

    def observe(self, state, strategy, values, t):
        prediction = instant_regret(strategy, values)
        regret = np.maximum(state["regret"] + prediction, 0)
        return {"regret": regret, "prediction": prediction}


class SAPCFRPlus(PCFRPlus):
    source = "arXiv 2503.12770"
    weight = 1 / 3


class APCFRPlus(PCFRPlus):
    """Trusts a prediction by 1 / (1 + α), where α compares how wrong predictions were with how far regrets moved."""

    source = "Meng et al. 2026 (AAAI), arXiv 2503.12770"

    def __init__(self, largest=5.0):
        self.largest = largest  # of α

    def init(self, num_actions):
        return super().init(num_actions) | {"errors": 0.0, "moves": 0.0}

    def strategy(self, state, t):
        ratio = state["errors"] / np.maximum(state["moves"], 1e-300)
        asymmetry = np.minimum(np.sqrt(ratio), self.largest)[:, None]
        return match(state["regret"] + state["prediction"] / (1 + asymmetry))

    def observe(self, state, strategy, values, t):
        after = super().observe(state, strategy, values, t)
        error = after["prediction"] - state["prediction"]
        move = after["regret"] - state["regret"]
        after["errors"] = state["errors"] + (error**2).sum(axis=1)
        after["moves"] = state["moves"] + (move**2).sum(axis=1)
        return after


class PDCFRPlus(PCFRPlus):
    source = "Xu et al. 2024"
    gamma = 5

    def strategy(self, state, t):
        return match(discount(t, 2.3) * state["regret"] + state["prediction"])

    def observe(self, state, strategy, values, t):
        prediction = instant_regret(strategy, values)
        regret = np.maximum(discount(t, 2.3) * state["regret"] + prediction, 0)
        return {"regret": regret, "prediction": prediction}


class HSDCFR(CFR):
    source = "arXiv 2404.09097"
    gamma = eq.Ramp(30, -5)

    def __init__(self, iterations):
        self.iterations = iterations

    def observe(self, state, strategy, values, t):
        share = (t - 1) / self.iterations
        above, below = discount(t, 1 + 3 * share), discount(t, -1 - 2 * share)
        factor = np.where(state["regret"] > 0, above, below)
        return {"regret": factor * state["regret"] + instant_regret(strategy, values)}


class HSPCFRPlus(PCFRPlus):
    source = "arXiv 2404.09097"
    gamma = eq.Ramp(30, -5)


class VADCFR:
    """Discounts the more, the larger instant regrets have been of late; found by a search over programs.

    How large they have been is one number for all infosets that are asked at once, or with
    ``common=False`` each infoset has its own (docs/rules.md).
    """

    source = "Li, Schultz, Hennes & Lanctot 2026, arXiv 2602.16928"
    gamma = 2

    def __init__(self, common=True, first=501, power=1.5):
        self.common = common
        self.first = first  # the iteration with which the average begins
        self.power = power  # of the regrets that are matched

    def init(self, num_actions):
        return {"regret": np.zeros(num_actions), "instant": np.zeros(num_actions), "size": 0.0}

    def volatility(self, state):
        size = state["size"]
        if self.common:
            size = np.full_like(size, size.mean())
        return np.minimum(size / 2, 1)[:, None]

    def discounted(self, state, t):
        """Return the regret sums times their discount: t^e / (t^e + 1)."""
        volatility = self.volatility(state)
        exponent = np.where(state["regret"] >= 0, 1.5 - volatility / 2, -0.1 - volatility / 2)
        return state["regret"] / (1 + float(t) ** -exponent)

    def strategy(self, state, t):
        if t == 1:
            return match(state["regret"])
        optimism = (1 - self.volatility(state) / 2) / (1 + (t - 2) / 100)
        projected = self.discounted(state, t - 1) + optimism * boost(state["instant"])
        shares = match(projected) ** self.power
        return shares / shares.sum(axis=1, keepdims=True)

    def observe(self, state, strategy, values, t):
        state["instant"] = instant_regret(strategy, values)
        size = np.abs(state["instant"]).max(axis=1)
        state["size"] = size if t == 1 else 0.9 * state["size"] + 0.1 * size
        regret = self.discounted(state, t) + boost(state["instant"])
        state["regret"] = np.maximum(regret, -20)

    def weights(self, state, t):
        """Return what iteration t counts beside t²: t^(1.5 v) √(1 + m/2) / (1 + m^1.5), of the instant regret m."""
        size = np.abs(state["instant"]).max(axis=1)
        if t < self.first:
            return np.zeros_like(size)
        exponent = 1.5 * np.minimum(size / 2, 1)
        return t**exponent * np.sqrt(1 + size / 2) / (1 + size**1.5)


def boost(instant):
    return np.where(instant > 0, 1.1 * instant, instant)


@eq.compiled_rule
class SteadyVADCFR:
    """VAD-CFR as if nothing was volatile, as machine code: what remains when regrets have become small."""

    source = "Li, Schultz, Hennes & Lanctot 2026, arXiv 2602.16928"
    gamma = 2

    def __init__(self, first=501.0):
        self.first = first  # the iteration with which the average begins

    def init(self, num_actions):
        return {"regret": np.zeros(num_actions), "instant": np.zeros(num_actions)}

    def strategy(self, state, t):
        kept = discount_steadily(state["regret"], max(t - 1, 1))
        matched = match(kept + state["instant"] / (1 + max(t - 2, 0) / 100))
        shares = matched * np.sqrt(matched)
        return shares / shares.sum(axis=1, keepdims=True)

    def observe(self, state, strategy, values, t):
        kept = discount_steadily(state["regret"], t)
        instant = boost(instant_regret(strategy, values))
        return {"regret": np.maximum(kept + instant, -20), "instant": instant}

    def weights(self, state, t):
        return np.full(len(state["regret"]), 1.0 if t >= self.first else 0.0)


def discount_steadily(regret, t):
    """Return regret sums times t^e / (t^e + 1): e is 1.5 where they are 0 or more, -0.1 below."""
    above = 1 / (1 + t**-1.5)
    below = 1 / (1 + t**0.1)
    return regret * np.where(regret >= 0, above, below)


class RPCFRPlus(PCFRPlus):
    """Predicts by an exponential moving average φ of instant regrets: matches (1 − λ) R + λ φ."""

    source = "github.com/ThinkerYZ/RPCFRplus 2025"
    gamma = 5

    def __init__(self, strength=0.6, newest=0.3):
        self.strength = strength  # λ
        self.newest = newest  # β

    def strategy(self, state, t):
        return match((1 - self.strength) * state["regret"] + self.strength * state["prediction"])

    def observe(self, state, strategy, values, t):
        instant = instant_regret(strategy, values)
        regret = np.maximum(state["regret"] + instant, 0)
        prediction = (1 - self.newest) * state["prediction"] + self.newest * instant
        return {"regret": regret, "prediction": prediction}


class RPDCFRPlus(RPCFRPlus):
    """RPCFR⁺ whose regrets and predictions are discounted as those of PDCFR⁺."""

    exponent = 3  # α of the discount

    def observe(self, state, strategy, values, t):
        instant = instant_regret(strategy, values)
        regret = discount(t, self.exponent) * state["regret"] + instant
        kept = (1 - self.newest) * discount(t + 1, self.exponent)
        prediction = kept * state["prediction"] + self.newest * instant
        return {"regret": np.maximum(regret, 0), "prediction": prediction}


def project(regret, least=1.0):
    """Return the nearest vectors of which no number is below 0 and the sum is at least ``least``."""
    positive = np.maximum(regret, 0)
    descending = -np.sort(-regret, axis=1)
    surplus = (descending.cumsum(axis=1) - least) / np.arange(1, regret.shape[1] + 1)
    last = (descending > surplus).sum(axis=1, keepdims=True) - 1
    on_simplex = np.maximum(regret - np.take_along_axis(surplus, last, axis=1), 0)
    return np.where(positive.sum(axis=1, keepdims=True) < least, on_simplex, positive)


class SmoothPRMPlus:
    """Predictive RM⁺ whose regrets sum to 1 or more, so that what is played changes smoothly."""

    source = "Farina, Grand-Clément, Kroer, Lee & Luo 2023"
    alternating = False
    last_iterate = True

    def __init__(self, eta=0.1):
        self.eta = eta

    def init(self, num_actions):
        return {"regret": np.full(num_actions, 1 / num_actions), "last": np.zeros(num_actions)}

    def strategy(self, state, t):
        ahead = project(state["regret"] + self.eta * state["last"])
        return ahead / ahead.sum(axis=1, keepdims=True)

    def observe(self, state, strategy, values, t):
        instant = instant_regret(strategy, values)
        return {"regret": project(state["regret"] + self.eta * instant), "last": instant}


class ExRMPlus(SmoothPRMPlus):
    """Extragradient RM⁺: odd iterations look half a step ahead, even ones make the step from there."""

    def init(self, num_actions):
        uniform = np.full(num_actions, 1 / num_actions)
        return {"regret": uniform, "ahead": uniform}

    def strategy(self, state, t):
        played = state["regret"] if t % 2 else state["ahead"]
        return played / played.sum(axis=1, keepdims=True)

    def observe(self, state, strategy, values, t):
        step = project(state["regret"] + self.eta * instant_regret(strategy, values))
        if t % 2:
            return {"regret": state["regret"], "ahead": step}
        return {"regret": step, "ahead": step}


class SOGRMPlus(SmoothPRMPlus):
    """Smooth optimistic gradient RM⁺: one projection an iteration, the last instant regret taken off again."""

    source = "Meng et al. 2025 (NeurIPS)"

    def strategy(self, state, t):
        return state["regret"] / state["regret"].sum(axis=1, keepdims=True)

    def observe(self, state, strategy, values, t):
        instant = instant_regret(strategy, values)
        before = state["last"] if t > 1 else instant
        regret = project(state["regret"] + self.eta * (2 * instant - before))
        return {"regret": regret, "last": instant}


class MISPRMPlus:
    """Smooth predictive RM⁺ without a step size: the least sum of the regrets grows while play is not smooth."""

    source = "A faster parameter-free regret matching algorithm (ICLR 2026)"
    alternating = False

    def init(self, num_actions):
        uniform = np.full(num_actions, 1 / num_actions)
        return {
            "regret": uniform,
            "ahead": uniform,
            "last": np.zeros(num_actions),
            "least": 1.0,
            "played_least": 1.0,
        }

    def look_ahead(self, state):
        return project(state["regret"] + state["last"], state["least"][:, None])

    def strategy(self, state, t):
        ahead = self.look_ahead(state)
        return ahead / ahead.sum(axis=1, keepdims=True)

    def observe(self, state, strategy, values, t):
        instant = instant_regret(strategy, values)
        ahead = self.look_ahead(state)
        moves = ((state["regret"] - state["ahead"]) ** 2 + (state["regret"] - ahead) ** 2) / 4
        excess = ((instant - state["last"]) ** 2 - moves).sum(axis=1)
        return {
            "regret": project(state["regret"] + instant, state["least"][:, None]),
            "ahead": ahead,
            "last": instant,
            "least": state["least"] + (excess > 0),
            "played_least": state["least"],
        }

    def weights(self, state, t):
        return state["played_least"]


class Hedge:
    source = "Freund & Schapire 1997"
    alternating = False

    def __init__(self, eta=1.0):
        self.eta = eta

    def init(self, num_actions):
        return {"total": np.zeros(num_actions)}

    def strategy(self, state, t):
        logits = self.eta * state["total"]
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True)

    def observe(self, state, strategy, values, t):
        return {"total": state["total"] + values}


class OptimisticHedge(Hedge):
    source = "Syrgkanis et al. 2015"

    def init(self, num_actions):
        return {"total": np.zeros(num_actions), "last": np.zeros(num_actions)}

    def strategy(self, state, t):
        return super().strategy({"total": state["total"] + state["last"]}, t)

    def observe(self, state, strategy, values, t):
        return {"total": state["total"] + values, "last": values}


BUILT_IN = {
    "cfr": CFR,
    "cfr+": CFRPlus,
    "lcfr": LinearCFR,
    "dcfr": DCFR,
    "dcfr+": DCFRPlus,
    "pcfr+": PCFRPlus,
    "sapcfr+": SAPCFRPlus,
    "pdcfr+": PDCFRPlus,
    "hs-dcfr": HSDCFR,
    "hs-pcfr+": HSPCFRPlus,
}
