"""Forms of three ranges: hands of two cards, of which three are dealt, on boards of one or more streets.

The deal is never written out. Ends are paid by sums over disjoint hands (:mod:`.disjoint`), in the
order of strength (:mod:`.values`); all else is a sequence form.
"""
