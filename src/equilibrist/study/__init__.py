"""The web interface: routes with JSON, workers that solve, and pages of plain ES modules.

Only `cli` imports this room, and heavy modules are imported where a request needs them: the server
answers at once.
"""
