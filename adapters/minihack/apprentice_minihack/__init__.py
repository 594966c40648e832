"""Apprentice plays MiniHack, by what it has seen."""

from .drive import Attempt, attempt
from .sight import Sight

__all__ = ["Attempt", "Sight", "attempt"]
