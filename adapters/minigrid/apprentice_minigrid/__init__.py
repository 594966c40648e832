"""Apprentice plays MiniGrid."""

from .drive import Attempt, attempt
from .mission import Mission, NotExpressible, read
from apprentice_serving import Apprentice, Refused

__all__ = ["Apprentice", "Attempt", "Mission", "NotExpressible", "Refused", "attempt", "read"]
