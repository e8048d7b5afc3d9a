"""All HTML: what notebooks show, the report of a run, and the interactive page.

Only `cli` imports this room; objects reach it through their `_repr_html_`.
"""
