"""The game engine: write a ``Game``, fill its ``Scene``, pick a skeleton and plugins, and play it.

Shapes are in ``engine.scene.primitives``, models in ``engine.scene.gltf``, everything else of a scene in
``engine.scene``, input in ``engine.input``.
"""

from engine.clock import FixedStepClock
from engine.game import Game, GameContext, GameRunner, Hud
from engine.input import InputMap, InputState
from engine.scene import Camera, Entity, Material, Mesh, Scene, Transform

__all__ = [
    "Camera",
    "Entity",
    "FixedStepClock",
    "Game",
    "GameContext",
    "GameRunner",
    "Hud",
    "InputMap",
    "InputState",
    "Material",
    "Mesh",
    "Scene",
    "Transform",
]
