"""What browsers are given: the page's JavaScript and style sheets, and the bundler that makes one script of modules.

It knows no route and no type of result; the server sends its files, and pages that stand alone bundle some of them.
"""

SUFFIXES = frozenset({".css", ".html", ".js", ".svg"})
"""Endings of the files that a browser is given. What else lies in this folder is the package's own."""
