"""What a result shows, as blocks of four kinds, and who paints them: a terminal, and HTML.

Each room says the blocks of its own results, in a module that :mod:`.registry` lists; painters know
blocks alone.
"""
