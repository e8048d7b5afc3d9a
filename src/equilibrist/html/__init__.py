"""All HTML: what notebooks show, and the reports of runs, batches and boards.

Only `cli` imports this room; objects reach it through their `_repr_html_`.
"""
