"""Duel: hover tanks for one to four players, in an arena that comes apart."""

from renderwright.games.duel.game import Duel

__all__ = ["Duel"]
