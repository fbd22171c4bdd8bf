"""The game engine: write a ``Game``, fill its ``Scene``, pick a skeleton and plugins, and play it.

Shapes are in ``renderwright.engine.scene.primitives``, models in ``renderwright.engine.scene.gltf``, everything else of
a scene in ``renderwright.engine.scene``, input in ``renderwright.engine.input``. The names below are imported when
first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from renderwright.engine.clock import FixedStepClock
    from renderwright.engine.game import Game, GameContext, GameRunner, Hud
    from renderwright.engine.input import InputMap, InputState
    from renderwright.engine.scene import Camera, Entity, Material, Mesh, Scene, Transform

_HOMES = {
    "Camera": "renderwright.engine.scene",
    "Entity": "renderwright.engine.scene",
    "FixedStepClock": "renderwright.engine.clock",
    "Game": "renderwright.engine.game",
    "GameContext": "renderwright.engine.game",
    "GameRunner": "renderwright.engine.game",
    "Hud": "renderwright.engine.game",
    "InputMap": "renderwright.engine.input",
    "InputState": "renderwright.engine.input",
    "Material": "renderwright.engine.scene",
    "Mesh": "renderwright.engine.scene",
    "Scene": "renderwright.engine.scene",
    "Transform": "renderwright.engine.scene",
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


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
