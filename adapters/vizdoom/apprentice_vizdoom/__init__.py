"""Apprentice plays Doom, in quests of grids that are exported as its levels."""

from .drive import Attempt, attempt
from .export import Quest, wad

__all__ = ["Attempt", "Quest", "attempt", "wad"]
