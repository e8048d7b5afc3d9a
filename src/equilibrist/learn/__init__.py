"""For those who learn a game: one iteration explained, hands played, and what each choice cost."""
