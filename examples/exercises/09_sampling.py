"""Exercise 9: chance sampling and external sampling.

Write two functions that walk through a part of the game, which is drawn. Both get draw: draw(probabilities) returns
the number of an outcome, 0, 1, …, drawn with these probabilities. Use no other random numbers.

chance_sampled(game, strategy, player, draw) draws what chance does, and follows all moves of both players. It returns
a dictionary: for each infoset of the player that was visited, the list of regrets.

external_sampled(game, strategy, player, draw) draws what chance does and what the other player does, and follows all
moves of the player alone. It returns a pair: the regrets as above, and what is to be added to the average strategy:
for each infoset of the *other* player that was visited, the probabilities there, once for each visit.

On average over all draws, the regrets must be those of the whole game. So whatever is drawn with its probability is not
multiplied by it as well.
"""

import random

import equilibrist as eq


def chance_sampled(game, strategy, player, draw):
    # solution
    regrets = {}

    def walk(state, others):
        mover = game.player(state)
        if mover == eq.TERMINAL:
            return game.payoffs(state)[player]
        actions = game.actions(state)
        if mover == eq.CHANCE:
            return walk(game.next(state, actions[draw(game.probabilities(state))]), others)
        probabilities = strategy[mover, game.infoset(state)]
        below = []
        for action, p in zip(actions, probabilities, strict=True):
            below.append(walk(game.next(state, action), others if mover == player else others * p))
        mean = sum(p * value for p, value in zip(probabilities, below, strict=True))
        if mover == player:
            row = regrets.setdefault(game.infoset(state), [0.0] * len(actions))
            for number, value in enumerate(below):
                row[number] += others * (value - mean)
        return mean

    walk(game.start(), 1.0)
    return regrets


def external_sampled(game, strategy, player, draw):
    # solution
    regrets, average = {}, {}

    def walk(state):
        mover = game.player(state)
        if mover == eq.TERMINAL:
            return game.payoffs(state)[player]
        actions = game.actions(state)
        if mover == eq.CHANCE:
            return walk(game.next(state, actions[draw(game.probabilities(state))]))
        infoset = game.infoset(state)
        probabilities = strategy[mover, infoset]
        if mover != player:
            row = average.setdefault(infoset, [0.0] * len(actions))
            for number, p in enumerate(probabilities):
                row[number] += p
            return walk(game.next(state, actions[draw(probabilities)]))
        below = [walk(game.next(state, action)) for action in actions]
        mean = sum(p * value for p, value in zip(probabilities, below, strict=True))
        row = regrets.setdefault(infoset, [0.0] * len(actions))
        for number, value in enumerate(below):
            row[number] += value - mean
        return mean

    walk(game.start())
    return regrets, average


if __name__ == "__main__":
    dice = random.Random(1)

    def draw(probabilities):
        return dice.choices(range(len(probabilities)), probabilities)[0]

    names = [(0, card + moves) for card in "JQK" for moves in ("", "pb")]
    names += [(1, card + moves) for card in "JQK" for moves in ("p", "b")]
    uniform = {name: [0.5, 0.5] for name in names}
    print("one walk:", chance_sampled(eq.load("kuhn"), uniform, 0, draw))
    print("one walk:", external_sampled(eq.load("kuhn"), uniform, 0, draw))
