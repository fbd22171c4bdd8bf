"""An unknown attribute of a scene object is refused at the game's line, with the place where a game finds it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from pyglm import glm

from renderwright.engine.scene import (
    Camera,
    DirectionalLight,
    Entity,
    Material,
    PointLight,
    Probe,
    RectangleLight,
    Scene,
    SpotLight,
)
from renderwright.engine.scene.primitives import box
from renderwright.plugins.particles import Emitter
from renderwright.render.errors import UsageError


def entity() -> Entity:
    return Scene().spawn(box(), Material())


MISTAKES: tuple[tuple[Callable[[], object], str, str, str], ...] = (
    (entity, "position", "an Entity", "write entity.transform.position = ..."),
    (entity, "scale", "an Entity", "write entity.transform.scale = ..."),
    (entity, "color", "an Entity", "write entity.material = dataclasses.replace(entity.material, base_color=...)"),
    (entity, "roughness", "an Entity", "dataclasses.replace(entity.material, roughness=...)"),
    (entity, "visibel", "an Entity", 'did you mean "visible"?'),
    (entity, "health", "an Entity", "known: casts_shadow, layers, material, mesh, name, transform, visible"),
    (lambda: Entity(box(), Material()), "position", "an Entity", "write entity.transform.position = ..."),
    (lambda: Scene().group(), "position", "a Group", 'did you mean "positions"?'),
    (Camera, "fov", "a Camera", "write camera.fov_y = math.radians(...)"),
    (Camera, "targt", "a Camera", 'did you mean "target"?'),
    (Camera, "far", "a Camera", "no far plane"),
    (Scene, "ambient", "a Scene", "write scene.sky = Sky(...), or scene.environment = Environment(panorama)"),
    (Scene, "enviroment", "a Scene", 'did you mean "environment"?'),
    (Scene, "light", "a Scene", "write scene.add_light(...)"),
    (DirectionalLight, "colour", "a DirectionalLight", 'did you mean "color"?'),
    (PointLight, "range", "a PointLight", "known: casts_shadow, color, intensity, position, radius"),
    (SpotLight, "angle", "a SpotLight", 'did you mean "outer_angle"?'),
    (RectangleLight, "intensty", "a RectangleLight", 'did you mean "intensity"?'),
    (Emitter, "ratio", "an Emitter", 'did you mean "rate"?'),
    (lambda: Probe((0, 0, 0), (1, 1, 1)), "fading", "a Probe", 'did you mean "fade"?'),
)


@pytest.mark.parametrize(("made", "name", "what", "hint"), MISTAKES, ids=[f"{m[2]} {m[1]}" for m in MISTAKES])
def test_an_unknown_attribute_is_refused_at_the_games_line(
    made: Callable[[], object], name: str, what: str, hint: str
) -> None:
    thing = made()
    with pytest.raises(UsageError) as refused:
        setattr(thing, name, 1.0)
    assert refused.value.message == f'{what} has no attribute "{name}"'
    assert hint in refused.value.hint
    assert refused.value.where is not None
    assert refused.value.where.file == __file__


def test_a_hint_can_be_followed() -> None:
    thing = entity()
    thing.transform.position = glm.vec3(1, 2, 3)
    assert thing.transform.position == glm.vec3(1, 2, 3)


def test_a_property_without_setter_keeps_its_error() -> None:
    with pytest.raises(AttributeError, match="number"):
        entity().number = 3  # type: ignore[misc]


def test_subclasses_may_have_own_attributes() -> None:
    class Level(Scene):
        def __init__(self) -> None:
            super().__init__()
            self.score = 3

    class Enemy(Entity):
        pass

    class ChaseCamera(Camera):
        pass

    @dataclass(eq=False)
    class Lamp(PointLight):
        switched_on: bool = True

    enemy, camera, lamp = Enemy(box(), Material()), ChaseCamera(), Lamp()
    enemy.health = 5  # type: ignore[attr-defined]
    camera.chased = enemy  # type: ignore[attr-defined]
    lamp.flicker = 0.5  # type: ignore[attr-defined]
    assert (Level().score, enemy.health, camera.chased, lamp.flicker, lamp.switched_on) == (3, 5, enemy, 0.5, True)  # type: ignore[attr-defined]
    with pytest.raises(UsageError, match=r"Lamp\.intensity cannot be -1"):
        lamp.intensity = -1.0


def test_objects_still_copy() -> None:
    camera = Camera(fov_y=0.5)
    assert copy.deepcopy(camera) == copy.copy(camera) == camera
    assert copy.deepcopy(SpotLight(intensity=2.0)).intensity == 2.0
