"""Routes of poker: what the page asks of spots, charts, ranges and reports."""
