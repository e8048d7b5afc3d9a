"""Texas hold'em: cards and hands, strengths, ranges, betting trees, and the game made of them."""
