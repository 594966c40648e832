"""Apprentice plays Doom: quests of grids that are exported as its levels, and its own levels."""

from .drive import Attempt, attempt
from .export import Quest, wad
from .follow import Played, play

__all__ = ["Attempt", "Played", "Quest", "attempt", "play", "wad"]
