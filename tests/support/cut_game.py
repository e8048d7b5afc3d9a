"""A game that is cut at a depth, written as rules: the opponent chooses a way to go on, and plays end there."""


class CutGame:
    """A game of two players after so many actions, or before chance moves after a player's move (``streets``).

    At a cut the opponent chooses among ways to go on, strategies as dicts by (player, infoset), by all that they know
    there; then both get what a recursion over the rules says that it is worth.
    """

    players = 2

    def __init__(self, game, depth, *, streets, opponent, ways):
        self.game, self.depth, self.streets, self.opponent, self.ways = (
            game,
            depth,
            streets,
            opponent,
            ways,
        )
        self.leaves, self.group = [], {}
        self._find(self.start())
        for (
            leaf
        ) in self.leaves:  # leaves with a common next infoset of the opponent belong together
            infosets = self._next_infosets(leaf)
            joined = [
                number
                for other, number in self.group.items()
                if self._next_infosets(other) & infosets
            ]
            for other, number in self.group.items():
                if number in joined:
                    self.group[other] = joined[0]
            self.group[leaf] = joined[0] if joined else len(self.group)

    def _find(self, state):
        if state[0] == "leaf":
            self.leaves.append(state[1])
        elif self.player(state) >= -1:
            for action in self.actions(state):
                self._find(self.next(state, action))

    def _next_infosets(self, state):
        player = self.game.player(state)
        if player == self.opponent:
            return {self.game.infoset(state)}
        actions = self.game.actions(state) if player >= -1 else ()
        return set().union(
            *(self._next_infosets(self.game.next(state, action)) for action in actions)
        )

    def worth(self, state, way):
        """Return what both players get on average, by plain recursion."""
        player = self.game.player(state)
        if player == -2:
            return self.game.payoffs(state)
        actions = self.game.actions(state)
        if player == -1:
            shares = self.game.probabilities(state)
        else:
            row = way[player, str(self.game.infoset(state))]
            shares = [row[self._label(state, action)] for action in actions]
        below = [self.worth(self.game.next(state, action), way) for action in actions]
        return [
            sum(share * each[p] for share, each in zip(shares, below, strict=True))
            for p in range(2)
        ]

    def _label(self, state, action):
        label = getattr(self.game, "action_label", None)
        return str(action) if label is None else label(state, action)

    def action_label(self, state, action):
        return self._label(state[1], action) if state[0] == "play" else str(action)

    def start(self):
        return "play", self.game.start(), 0

    def player(self, state):
        if state[0] == "play":
            return self.game.player(state[1])
        if state[0] == "leaf" and len(self.ways) > 1 and self._next_infosets(state[1]):
            return self.opponent
        return -2

    def actions(self, state):
        return self.game.actions(state[1]) if state[0] == "play" else range(len(self.ways))

    def probabilities(self, state):
        return self.game.probabilities(state[1])

    def next(self, state, action):
        if state[0] == "leaf":
            return "end", state[1], action
        _, above, count = state
        moved = self.game.player(above) >= 0
        below = self.game.next(above, action)
        if self.streets:
            count += moved and self.game.player(below) == -1
        else:
            count += moved
        if count == self.depth and self.game.player(below) != -2:
            return "leaf", below
        return "play", below, count

    def infoset(self, state):
        return (
            str(self.game.infoset(state[1]))
            if state[0] == "play"
            else f"leaf {self.group[state[1]]}"
        )

    def payoffs(self, state):
        if state[0] == "play":
            return self.game.payoffs(state[1])
        return self.worth(state[1], self.ways[state[2] if state[0] == "end" else 0])


class FixedBelow(CutGame):
    """The same, but the game goes on below the cut, where the player's moves are those of chance, by the first way."""

    def _find(self, state):
        pass

    def _is_fixed(self, state):
        return state[2] >= self.depth and self.game.player(state[1]) == 1 - self.opponent

    def player(self, state):
        return -1 if self._is_fixed(state) else self.game.player(state[1])

    def actions(self, state):
        return self.game.actions(state[1])

    def probabilities(self, state):
        if not self._is_fixed(state):
            return self.game.probabilities(state[1])
        row = self.ways[0][self.game.player(state[1]), str(self.game.infoset(state[1]))]
        return [row[self._label(state[1], action)] for action in self.actions(state)]

    def next(self, state, action):
        below = super().next(state, action)
        return ("play", below[1], self.depth) if below[0] == "leaf" else below
