"""Terminal values of card games: what plays pay that end on a board, and which hands exclude each other."""
