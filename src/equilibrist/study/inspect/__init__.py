"""What is looked at in a solution: spots, lines, infosets, histories, and tables of play against it."""
