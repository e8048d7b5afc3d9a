"""Cards, hands, the ranks of hands, ranges and their equity: poker before there is a bet."""
