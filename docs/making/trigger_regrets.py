"""The table of docs/correlated.md: ``python -m docs.making.trigger_regrets``.

How many iterations and seconds trigger regrets need until no deviation gains more than a share of the largest
difference between two payoffs of a player.
"""

import time

import equilibrist as eq

GAMES = (
    "kuhn(players=3)",
    "leduc",
    "leduc(players=3)",
    "goofspiel(cards=5)",
    "liars_dice(faces=5)",
)
SHARES = (0.01, 0.001)


class Clock:
    """Measures seconds from the first iteration on."""

    start = 0.0

    def __call__(self, text: str) -> None:
        if text.startswith("Iteration 1:"):
            self.start = time.perf_counter()


def row(game: str) -> str:
    """Return what the table says of a game."""
    pays = eq.compile_game(eq.load(game), keep_tree=True).tree.payoffs
    spread = float((pays.max(axis=0) - pays.min(axis=0)).max())
    cells = [f"`{game}`", f"{spread:g}"]
    for share in SHARES:
        clock = Clock()
        result = eq.correlated_equilibrium(
            game, method=eq.TriggerRegrets(until=share * spread), callbacks=clock
        )
        seconds = time.perf_counter() - clock.start
        cells += [f"{len(result.mixture):,}", f"{seconds:.2g} s"]
    return " | ".join(["", cells[0], f"{len(result.deviations):,}", *cells[1:], ""]).strip()


if __name__ == "__main__":
    print("| game | triggers | difference of payoffs | iterations to 1 % | | to 0.1 % | |")
    print("|---|---|---|---|---|---|---|")
    for name in GAMES:
        print(row(name), flush=True)
