"""Apprentice plays Luanti: nodes become levels, and bodies with Luanti's own physics walk by its orders."""

from .play import Attempt, play
from .quest import Quest, made

__all__ = ["Attempt", "Quest", "made", "play"]
