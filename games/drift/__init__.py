"""Drift: break rocks that orbit a sun, before they break the ship."""

from renderwright.games.drift.game import Drift

__all__ = ["Drift"]
