"""Abstractions to be tested, and CFR in an abstraction by plain recursion."""

from functools import partial

from examples.abstractions.buckets import group_of_card

from support import reference

LEAST = {"kuhn-2": 0.055811884, "kuhn-3": 0.029866981, "kuhn-4": 0.012247475, "leduc": 0.042032850}
"""The least exploitability of each abstraction, payoff per game, to nine digits (benchmarks/abstraction_lp.py)."""


def equal_buckets(number):
    """Return the map of Kuhn poker with twelve cards that tells so many groups of neighbouring cards apart."""
    return partial(group_of_card, groups=number)


def forget_first_card(infoset):
    """Kuhn poker in which who has passed remembers no card but a king: imperfect recall."""
    if infoset.key.endswith("pb") and infoset.key[0] != "K":
        return infoset.player, "not a king", infoset.key[1:]
    return None


class CFRInAbstraction(reference.CFR):
    """CFR whose tables are by bucket, by recursion over the histories of the real game."""

    def __init__(self, game, row, find_bucket, **options):
        super().__init__(game, row, **options)
        self.members = {}  # the infosets of each bucket
        for key, histories in reference.infosets(self.root).items():
            infoset = _Infoset(*key, tuple(histories[0].children))
            name = find_bucket(infoset)
            self.members.setdefault(key if name is None else (name,), []).append(key)

    def iterate(self):
        self.t += 1
        for updating in self.passes:
            self.cf_value = {key: dict.fromkeys(row, 0.0) for key, row in self.strategy.items()}
            self.own_reach = {}
            self.visit(self.root, [1.0] * self.players, 1.0)
            for members in self.members.values():
                if members[0][0] in updating:
                    self.update_bucket(members)

    def update_bucket(self, members):
        """Update the first infoset with the values and reach of all, and have the others do as it does."""
        first = members[0]
        for action in self.cf_value[first]:
            self.cf_value[first][action] = sum(self.cf_value[key][action] for key in members)
        self.own_reach[first] = sum(self.own_reach[key] for key in members)
        self.update(first)
        for key in members[1:]:
            self.strategy[key] = self.strategy[first]
            self.strategy_sum[key] = self.strategy_sum[first]
            self.regret_sum[key] = self.regret_sum[first]


class _Infoset:
    """What a map is given."""

    def __init__(self, player, key, actions):
        self.player = player
        self.key = key
        self.actions = actions
