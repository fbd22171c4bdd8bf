"""Marbles: tilt a wooden labyrinth and bring every marble home."""

from renderwright.games.marbles.game import Marbles

__all__ = ["Marbles"]
