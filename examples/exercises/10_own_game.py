"""Exercise 10: a game of your own.

Write MyGame, a game for two players in which what one player wins the other loses, and in which somebody does not see
everything. A state may be any value; next returns a new one. Then solve it, with a program from the exercises before,
and set VALUE to what player 0 wins on average in an equilibrium, to three digits after the point.

Any game will do that has at least two infosets for each player and at most 100,000 histories. The solution is poker
with one card each from a deck of four, where player 0 may bet and player 1 may call.
"""

import equilibrist as eq


class MyGame:
    players = 2

    def start(self):
        """Return the state in which the game begins."""
        # solution
        return ()

    def player(self, state):
        """Return who moves: 0, 1, eq.CHANCE, or eq.TERMINAL when the game is over."""
        # solution
        if len(state) < 2:
            return eq.CHANCE
        if len(state) == 2:
            return 0
        return 1 if state[2:] == ("bet",) else eq.TERMINAL

    def actions(self, state):
        """Return the list of what the player, or chance, can do."""
        # solution
        if len(state) < 2:
            return [card for card in (1, 2, 3, 4) if card not in state]
        return ["check", "bet"] if len(state) == 2 else ["fold", "call"]

    def probabilities(self, state):
        """Return the probability of each outcome, where chance moves."""
        # solution
        return [1 / len(self.actions(state))] * len(self.actions(state))

    def next(self, state, action):
        """Return the state after an action."""
        # solution
        return (*state, action)

    def payoffs(self, state):
        """Return what each player wins, when the game is over."""
        # solution
        if state[-1] == "fold":
            return [1, -1]
        stake = 2 if state[-1] == "call" else 1
        return [stake, -stake] if state[0] > state[1] else [-stake, stake]

    def infoset(self, state):
        """Return what the player who moves knows, as a text."""
        # solution
        return f"{state[0]}" if len(state) == 2 else f"{state[1]} bet"


VALUE = 0.083  # solution


if __name__ == "__main__":
    print(eq.solve(MyGame(), until=1e-6).value)
