"""Marbles: tilt a wooden labyrinth and bring every marble home."""

from games.marbles.game import Marbles

__all__ = ["Marbles"]
