"""Helpers for tests of plugins and games.

``run_node`` runs a node alone, ``PlayedGame`` plays a game with plugins, ``assert_alike`` compares pictures. The module
``fixtures`` has them as fixtures of pytest, which share a device.
"""

from renderwright.engine.renderer.blobs import CameraView, LightSet
from renderwright.engine.testing.nodes import run_node
from renderwright.engine.testing.pictures import assert_alike
from renderwright.engine.testing.played_game import PlayedGame

__all__ = ["CameraView", "LightSet", "PlayedGame", "assert_alike", "run_node"]
