"""The game engine: write a ``Game``, fill its ``Scene``, pick a skeleton and plugins, and play it.

Shapes are in ``engine.scene.primitives``, models in ``engine.scene.gltf``, everything else of a scene in
``engine.scene``, input in ``engine.input``. The names below are imported when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.clock import FixedStepClock
    from engine.game import Game, GameContext, GameRunner, Hud
    from engine.input import InputMap, InputState
    from engine.scene import Camera, Entity, Material, Mesh, Scene, Transform

_HOMES = {
    "Camera": "engine.scene",
    "Entity": "engine.scene",
    "FixedStepClock": "engine.clock",
    "Game": "engine.game",
    "GameContext": "engine.game",
    "GameRunner": "engine.game",
    "Hud": "engine.game",
    "InputMap": "engine.input",
    "InputState": "engine.input",
    "Material": "engine.scene",
    "Mesh": "engine.scene",
    "Scene": "engine.scene",
    "Transform": "engine.scene",
}

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


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
