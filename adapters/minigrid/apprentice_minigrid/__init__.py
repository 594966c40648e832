"""Apprentice plays MiniGrid."""

from .convert import Converted, NotExpressible, convert
from .drive import Attempt, attempt

__all__ = ["Attempt", "Converted", "NotExpressible", "attempt", "convert"]
