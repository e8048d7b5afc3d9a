"""Before the flop: push or fold, raises, all-in equities, the value of chips as prizes, charts."""
