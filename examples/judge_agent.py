"""Judge your own agent: a policy network in PyTorch that plays itself at Leduc poker, certified as it learns.

    pip install "equilibrist[openspiel]" torch
    python examples/judge_agent.py

The network knows nothing of Equilibrist: it plays OpenSpiel's states, and learns by a policy gradient with an entropy
bonus. Now and then the exact exploitability says how far it is from an equilibrium; it should be 0.
"""

import sys

import pyspiel
import torch

import equilibrist as eq

NAME = "leduc_poker"
game = pyspiel.load_game(NAME)
torch.manual_seed(1)
network = torch.nn.Sequential(
    torch.nn.Linear(game.information_state_tensor_size(), 128),
    torch.nn.ReLU(),
    torch.nn.Linear(128, game.num_distinct_actions()),
)
optimiser = torch.optim.Adam(network.parameters(), lr=2e-3)


def policy(observations, legal):
    logits = network(torch.as_tensor(observations)).masked_fill(~torch.as_tensor(legal), -1e9)
    return torch.distributions.Categorical(logits=logits)


def play(games):
    """Play some games at once; return the logarithm of each decision, its entropy, and what its player won."""
    states, log_probability, entropy, owner = (
        [game.new_initial_state() for _ in range(games)],
        [],
        [],
        [],
    )
    while any(not state.is_terminal() for state in states):
        for state in states:
            while state.is_chance_node():
                actions, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(actions[int(torch.multinomial(torch.tensor(odds), 1))])
        moving = [i for i, state in enumerate(states) if not state.is_terminal()]
        observations = [states[i].information_state_tensor() for i in moving]
        played = policy(
            observations, [[bool(x) for x in states[i].legal_actions_mask()] for i in moving]
        )
        actions = played.sample()
        log_probability.append(played.log_prob(actions))
        entropy.append(played.entropy())
        owner += [(i, states[i].current_player()) for i in moving]
        for i, action in zip(moving, actions.tolist(), strict=True):
            states[i].apply_action(action)
    won = torch.tensor([states[i].returns()[player] for i, player in owner])
    return torch.cat(log_probability), torch.cat(entropy), won


def exploitability():
    return eq.evaluate(
        f"openspiel:{NAME}", lambda asked: policy(asked.observations, asked.legal).probs
    ).exploitability


updates = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
for update in range(updates + 1):
    if update % 250 == 0:
        print(f"after {update:4} updates: exploitability {exploitability():.3f}")
    log_probability, entropy, won = play(128)
    loss = -(log_probability * won + 0.4 * entropy).mean()
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
