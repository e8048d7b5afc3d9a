"""Other people's games in, ours out: OpenSpiel and Gambit."""
