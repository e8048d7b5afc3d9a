"""All equilibria of small two-player games, in fractions: vertices of best-response polytopes."""
