"""Networks in the place of tables (docs/deep.md): exploitability over processor time, three seeds a method.

    python -m benchmarks.deep                      # Kuhn and Leduc, all methods, three seeds
    python -m benchmarks.deep leduc deep-cfr       # one game, one method
    python -m benchmarks.deep phantom              # phantom tic-tac-toe beside sampling with tables
    python -m benchmarks.deep phantom external     # one of its rows

Seconds are processor time, the fits of the average strategy that certificates ask for left out;
"whole" counts them and the certificates. Exploitability is nash_conv / players, payoff per game.
"""

import argparse
import time

import equilibrist as eq

SEEDS = (1, 2, 3)
DeepCFR = eq.deep.DeepCFR
DREAM = eq.deep.DREAM
MMD = eq.deep.MMD
Network = eq.deep.Network

SMALL = Network((32, 32), batch=256)
RUNS = {
    ("kuhn", "deep-cfr"): (
        DeepCFR(traversals=300, steps=100, average_steps=1000, network=SMALL),
        15,
        20,
    ),
    ("kuhn", "dream"): (
        DREAM(plays=500, steps=100, average_steps=1000, network=SMALL),
        20,
        20,
    ),
    ("kuhn", "mmd"): (MMD(), 30, 100),
    ("leduc", "deep-cfr"): (DeepCFR(), 120, 40),
    ("leduc", "dream"): (DREAM(), 120, 40),
    ("leduc", "mmd"): (MMD(temperature=0.05, half_life=200), 300, 200),
}
"""For a game and a method: its numbers, seconds of processor time, iterations between two checkpoints."""

PHANTOM = "phantom_ttt(abrupt=True)"
PHANTOM_METHODS = (
    DREAM(plays=500, network=Network((128, 128))),
    MMD(plays=1000, network=Network((128, 128))),
)
PHANTOM_TABLES = {"outcome": eq.Outcome(tree=False), "external": eq.External(tree=False)}
"""Sampling with tables, which its networks are compared with."""


def train(game, method, seconds, every, seed):
    """Print the exploitability of a run at each checkpoint, and at its end."""
    name = f"{game} {method.name} seed {seed}"
    start = time.process_time()
    agent = eq.deep.train(
        game,
        method,
        seconds=seconds,
        every=every,
        seed=seed,
        callbacks=lambda point: print(
            f"    {point.seconds:.0f} s: iteration {point.iteration:,}, "
            f"exploitability {point.exploitability:.4f}",
            flush=True,
        ),
    )
    whole = time.process_time() - start
    print(
        f"{name}: {agent.trace[-1].exploitability:.4f} after {agent.iterations:,} iterations and "
        f"{agent.histories:,} histories, {agent.seconds:.0f} s (whole {whole:.0f} s)",
        flush=True,
    )


def compare_phantom(name, seconds):
    """Print the exact exploitability of networks and of sampling with tables after equal processor time.

    Certificates walk through all of the game: an hour of the processor for each network, which is
    first asked about 23 million infosets (15 GB of memory), and half an hour for each table.
    """
    for method in PHANTOM_METHODS:
        if name in (None, method.name):
            agent = eq.deep.train(PHANTOM, method, seconds=seconds, seed=1, every=1 << 30)
            exploitability = eq.evaluate(PHANTOM, agent, form="walk").exploitability
            print_phantom(method.name, exploitability, agent.iterations, agent.seconds)
    for sampling_name, sampling in PHANTOM_TABLES.items():
        if name in (None, sampling_name):
            start = time.process_time()
            solution = eq.solve(
                PHANTOM,
                "lcfr",
                sampling=sampling,
                seed=1,
                threads=1,
                iterations=1 << 40,
                callbacks=eq.Callbacks(should_stop=lambda since=start: is_over(since, seconds)),
            )
            took = time.process_time() - start
            exploitability = eq.evaluate(
                PHANTOM, solution, form="walk", missing="uniform"
            ).exploitability
            print_phantom(sampling_name, exploitability, solution.iterations, took)


def print_phantom(name, exploitability, iterations, seconds):
    print(
        f"{PHANTOM} {name}: {exploitability:.4f} after {iterations:,} iterations, {seconds:.0f} s",
        flush=True,
    )


def is_over(since, seconds):
    return time.process_time() - since > seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", choices=["kuhn", "leduc", "phantom"])
    parser.add_argument("method", nargs="?", choices=["deep-cfr", "dream", "mmd", *PHANTOM_TABLES])
    parser.add_argument("--seconds", type=float, help="processor time of each run")
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS, help="of random numbers")
    options = parser.parse_args()
    names = {name for game, name in RUNS if options.game in (None, game)}
    if options.game == "phantom":
        names = {method.name for method in PHANTOM_METHODS} | PHANTOM_TABLES.keys()
    if options.method not in (None, *names):
        parser.error(f"{options.game} has no row {options.method}: choose one of {sorted(names)}.")
    if options.game == "phantom":
        compare_phantom(options.method, options.seconds or 300)
        return
    for (game, name), (method, seconds, every) in RUNS.items():
        if options.game in (None, game) and options.method in (None, name):
            for seed in options.seeds:
                train(game, method, options.seconds or seconds, every, seed)


if __name__ == "__main__":
    main()
