"""What a solver works on: a game in any form, of which something is stored or nothing."""

from __future__ import annotations

from .compiled_game import CompiledGame
from .walk.form import WalkedGame

GameForm = CompiledGame | WalkedGame
"""A game that was compiled, or that is walked."""
