"""What is of another kind is refused at the game's line, with what to write instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pyglm import glm

from renderwright.engine.scene import (
    Camera,
    Coat,
    DirectionalLight,
    Environment,
    Image,
    Material,
    Panorama,
    PointLight,
    Probe,
    Scene,
    Sheen,
    Sky,
    Specular,
    SpotLight,
)
from renderwright.engine.scene.primitives import box
from renderwright.plugins.cookies import Cookie
from renderwright.plugins.particles import Emitter
from renderwright.render.errors import UsageError

WHITE = Image("white", np.full((1, 1, 4), 255, np.uint8))
PANORAMA = Panorama.of_sky(Sky(), 2)


def assigned(name: str, value: object) -> Callable[[Scene], None]:
    return lambda scene: setattr(scene, name, value)


def lit_by(light: Any) -> Callable[[Scene], None]:
    return lambda scene: scene.add_light(light) and None


REFUSED: list[tuple[Callable[[Scene], None], str, str]] = [
    (lit_by(Cookie(SpotLight(), WHITE)), "the light of scene.add_light cannot be a Cookie", "scene.placed.add(Cookie"),
    (lit_by(Emitter()), "the light of scene.add_light cannot be an Emitter", "scene.placed.add(Emitter(...))"),
    (lit_by(Probe((0, 0, 0), (1, 1, 1))), "scene.add_light cannot be a Probe", "scene.probes.add(Probe(...))"),
    (lit_by(PointLight), "cannot be the class PointLight", "write PointLight(...)"),
    (lit_by(None), "cannot be None", "give a PointLight, SpotLight, RectangleLight or DirectionalLight"),
    (assigned("cameras", Camera()), "scene.cameras cannot be a Camera", "scene.cameras = [camera]"),
    (assigned("cameras", [Camera(), None]), "scene.cameras[1] cannot be None", "give a Camera"),
    (assigned("cameras", None), "scene.cameras cannot be None", "each of context.players"),
    (assigned("camera", glm.vec3(0)), "scene.camera cannot be a vec3", "give a Camera"),
    (assigned("sun", PointLight()), "scene.sun cannot be a PointLight", "scene.add_light(PointLight(...))"),
    (assigned("sun", 3.0), "scene.sun cannot be 3.0", "give a DirectionalLight, or None for no sun"),
    (assigned("sky", None), "scene.sky cannot be None", "scene.sky = Sky(intensity=0.0)"),
    (assigned("sky", (0.1, 0.2, 0.3)), "scene.sky cannot be (0.1, 0.2, 0.3)", "Sky(zenith=..., horizon=..., ground"),
    (assigned("sky", PANORAMA), "scene.sky cannot be a Panorama", "scene.environment = Environment(panorama)"),
    (assigned("environment", PANORAMA), "scene.environment cannot be a Panorama", "Environment(panorama)"),
    (assigned("environment", "a.hdr"), "scene.environment cannot be 'a.hdr'", "Environment(Panorama.load(path))"),
    (assigned("environment", Sky()), "scene.environment cannot be a Sky", "scene.sky = Sky(...)"),
    (lambda scene: scene.add(box()) and None, "is no entity", "write scene.spawn(mesh, material)"),
    (lambda scene: scene.add(PointLight()) and None, "is no entity", "scene.add_light(PointLight(...))"),
]


@pytest.mark.parametrize(("mistake", "message", "hint"), REFUSED, ids=[message for _, message, _ in REFUSED])
def test_another_kind_is_refused_at_the_games_line(mistake: Callable[[Scene], None], message: str, hint: str) -> None:
    with pytest.raises(UsageError) as refused:
        mistake(Scene())
    assert message in refused.value.message
    assert hint in refused.value.hint
    assert refused.value.where is not None
    assert refused.value.where.file == __file__


@pytest.mark.parametrize(
    ("make", "message", "hint"),
    [
        (lambda: Material(base_color_image="a.png"), "Material.base_color_image cannot be 'a.png'", "load_image(path)"),
        (lambda: Material(coat=0.5), "Material.coat cannot be 0.5", "give a Coat(...), or None"),
        (lambda: Coat(normal_image="a.png"), "Coat.normal_image cannot be 'a.png'", "give an Image"),
        (lambda: Sheen(image=3), "Sheen.image cannot be 3", "give an Image"),
        (lambda: Specular(image=3), "Specular.image cannot be 3", "give an Image"),
        (lambda: Environment("a.hdr"), "Environment.panorama cannot be 'a.hdr'", "Panorama.load(path)"),
    ],
)
def test_parts_of_another_kind_are_refused_where_they_are_given(
    make: Callable[[], object], message: str, hint: str
) -> None:
    with pytest.raises(UsageError) as refused:
        make()
    assert refused.value.message == message
    assert hint in refused.value.hint
    assert refused.value.where is not None
    assert refused.value.where.file == __file__


def test_what_is_right_is_taken() -> None:
    scene, cameras = Scene(), [Camera()]
    scene.sun, scene.environment, scene.sky = None, Environment(PANORAMA), Sky(intensity=0.0)
    scene.sun = DirectionalLight()
    scene.cameras = cameras
    assert scene.cameras is cameras
    scene.cameras = (Camera(), Camera())  # type: ignore[assignment]
    scene.camera = cameras[0]
    assert scene.cameras[0] is cameras[0]
    scene.cameras = []
    with pytest.raises(UsageError, match=r"scene\.cameras is empty"):
        _ = scene.camera
    scene.camera = cameras[0]
    scene.check()


def test_lights_that_reach_the_list_by_another_way_are_looked_at_in_each_step() -> None:
    scene = Scene()
    scene.add_light(PointLight())
    scene.lights.append(Cookie(SpotLight(), WHITE))  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"scene.lights\[1\] cannot be a Cookie\n  write scene.placed.add"):
        scene.check()


def test_a_cone_may_be_out_of_order_within_a_step_only() -> None:
    scene = Scene()
    spot = scene.add_light(SpotLight(inner_angle=0.5, outer_angle=0.8))
    spot.outer_angle = 0.3
    spot.inner_angle = 0.1
    scene.check()
    spot.inner_angle = 0.4
    with pytest.raises(UsageError, match=r"scene.lights\[0\].inner_angle cannot be 0.4: its outer_angle is 0.3"):
        scene.check()
    with pytest.raises(UsageError, match=r"SpotLight\.inner_angle cannot be 0\.5") as refused:
        SpotLight(inner_angle=0.5, outer_angle=0.2)
    assert refused.value.where is not None
    assert refused.value.where.file == __file__
