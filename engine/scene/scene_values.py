"""Checks of what a game gives to a scene: a value of another kind is refused, with what to write instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import get_args

from renderwright.engine.caller import caller_location
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.entity import Entity
from renderwright.engine.scene.entity_values import shortened
from renderwright.engine.scene.environment import Environment, Panorama
from renderwright.engine.scene.light import DirectionalLight, Light
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.placements import Placed
from renderwright.engine.scene.probe import Probe
from renderwright.engine.scene.sky import Sky
from renderwright.render.errors import SourceLocation, UsageError

_LIGHTS: tuple[type, ...] = get_args(Light)


def check_light(name: str, light: object, where: SourceLocation | None = None) -> None:
    """Refuse what is no light (``UsageError``); messages call it ``name``."""
    if not isinstance(light, _LIGHTS):
        hint = _way_of(light) or "give a PointLight, SpotLight, RectangleLight or DirectionalLight"
        raise _refusal(name, light, hint, where)


def check_camera(name: str, camera: object, where: SourceLocation | None = None) -> None:
    """Refuse what is no camera (``UsageError``); messages call it ``name``."""
    if not isinstance(camera, Camera):
        raise _refusal(name, camera, _way_of(camera) or "give a Camera", where)


def check_entity(entity: object) -> None:
    """Refuse what is no entity (``UsageError``)."""
    if not isinstance(entity, Entity):
        raise UsageError(
            f"{shortened(entity)} is no entity",
            hint=_way_of(entity) or "give entities, such as those that scene.spawn returns, or a group of them",
            where=caller_location(),
        )


def _checked_sun(sun: object) -> object:
    if sun is not None and not isinstance(sun, DirectionalLight):
        raise _refused("scene.sun", sun, _way_of(sun) or "give a DirectionalLight, or None for no sun")
    return sun


def _checked_sky(sky: object) -> object:
    if isinstance(sky, Sky):
        return sky
    if isinstance(sky, Environment | Panorama):
        hint = _ENVIRONMENT
    elif sky is None:
        hint = "write scene.sky = Sky(intensity=0.0) for a sky without light"
    else:
        hint = "write scene.sky = Sky(zenith=..., horizon=..., ground=...), each (red, green, blue)"
    raise _refused("scene.sky", sky, hint)


def _checked_environment(environment: object) -> object:
    if environment is None or isinstance(environment, Environment):
        return environment
    if isinstance(environment, str | Path):
        raise _refused("scene.environment", environment, "write Environment(Panorama.load(path))")
    hint = "write scene.sky = Sky(...)" if isinstance(environment, Sky) else _ENVIRONMENT
    raise _refused("scene.environment", environment, hint)


def _checked_cameras(cameras: object) -> object:
    if isinstance(cameras, Camera):
        raise _refused("scene.cameras", cameras, "write scene.cameras = [camera]")
    if not isinstance(cameras, list | tuple):
        raise _refused("scene.cameras", cameras, "give a list with a Camera for each of context.players")
    for number, camera in enumerate(cameras):
        check_camera(f"scene.cameras[{number}]", camera, caller_location())
    return list(cameras) if isinstance(cameras, tuple) else cameras


CHECKED: Mapping[str, Callable[[object], object]] = {
    "sun": _checked_sun,
    "sky": _checked_sky,
    "environment": _checked_environment,
    "cameras": _checked_cameras,
}
"""By attribute of a scene, what makes its value of an assigned one. Raises ``UsageError``."""

_ENVIRONMENT = "write scene.environment = Environment(panorama)"


def _way_of(thing: object) -> str:
    """How such a thing comes into a scene, '' if it does not."""
    kind = type(thing).__name__
    if isinstance(thing, type):
        return f"write {thing.__name__}(...): this is the class"
    if isinstance(thing, _LIGHTS):
        return f"write scene.add_light({kind}(...))"
    if isinstance(thing, Probe):
        return "write scene.probes.add(Probe(...))"
    if isinstance(thing, Camera):
        return "write scene.camera = Camera(...)"
    if isinstance(thing, Sky):
        return "write scene.sky = Sky(...)"
    if isinstance(thing, Environment):
        return _ENVIRONMENT
    if isinstance(thing, Entity):
        return "write scene.add(Entity(...))"
    if isinstance(thing, Mesh):
        return "write scene.spawn(mesh, material)"
    return f"write scene.placed.add({kind}(...))" if isinstance(thing, Placed) else ""


def _refused(name: str, value: object, hint: str) -> UsageError:
    return _refusal(name, value, hint, caller_location())


def _refusal(name: str, value: object, hint: str, where: SourceLocation | None) -> UsageError:
    return UsageError(f"{name} cannot be {_shown(value)}", hint=hint, where=where)


def _shown(value: object) -> str:
    kind = type(value)
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if value is None or kind.__module__ == "builtins":
        return shortened(value)
    return f"{'an' if kind.__name__[0] in 'AEIOU' else 'a'} {kind.__name__}"
