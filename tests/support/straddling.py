"""A game whose parts cannot all be solved again by themselves."""


class Straddling:
    """A game in which player 1 does not see whether player 0 has moved once or three times."""

    players = 2

    def __str__(self):
        return "straddling"

    def start(self):
        return ""

    def player(self, state):
        return {"": 0, "a": 1, "b": 0, "bz": 0, "bzc": 1, "bzd": 1}.get(state, -2)

    def actions(self, state):
        return {"": "ab", "b": "z", "bz": "cd"}.get(state, "xy")

    def probabilities(self, state):
        return ()

    def next(self, state, action):
        return state + action

    def infoset(self, state):
        return {"": "first", "b": "forced", "bz": "second", "bzd": "alone"}.get(state, "either")

    def payoffs(self, state):
        return (len(state), -len(state))
