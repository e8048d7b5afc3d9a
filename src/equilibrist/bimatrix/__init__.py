"""All equilibria of small two-player games: vertices of both best-response polytopes, in fractions."""
