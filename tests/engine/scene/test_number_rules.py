"""Wrong numbers of scene objects are refused at the line that sets them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from pyglm import glm

from renderwright.engine.scene import (
    Camera,
    DirectionalLight,
    Entity,
    Environment,
    Material,
    Panorama,
    PointLight,
    Scene,
    Sky,
    Transform,
)
from renderwright.engine.scene import SpotLight as Spot
from renderwright.engine.scene.primitives import box
from renderwright.render.errors import UsageError

NAN = math.nan
LIGHT = PointLight()
CAMERA = Camera()
CUBE = Scene().spawn(box(1.0), Material(), name="cube")


def assigned(owner: object, field: str, value: object) -> Callable[[], None]:
    return lambda: setattr(owner, field, value)


def changed_in_place() -> Transform:
    """A transform whose scale is invalid, which no assignment has seen."""
    transform = Transform()
    transform.scale.z = NAN
    return transform


def add_after_change_in_place() -> None:
    entity = Entity(box(1.0), Material(), name="late")
    entity.transform.position.x = NAN
    Scene().add(entity)


def moved(by: glm.vec3) -> None:
    transform = Transform()
    transform.position += by


REFUSED: dict[str, Callable[[], Any]] = {
    "Material.base_color cannot be (1, 0, 0)": lambda: Material((1, 0, 0)),  # type: ignore[arg-type]
    "Material.base_color cannot be (nan, 0, 0, 1)": lambda: Material((NAN, 0, 0, 1)),
    "Material.metallic cannot be 1.5": lambda: Material(metallic=1.5),
    "Material.roughness cannot be -0.1": lambda: Material(roughness=-0.1),
    "Material.emissive cannot be (inf, 0, 0)": lambda: Material(emissive=(math.inf, 0, 0)),
    "Camera.near cannot be 0": lambda: Camera(near=0),
    "Camera.near cannot be -1": assigned(CAMERA, "near", -1),
    "Camera.fov_y cannot be 60": assigned(CAMERA, "fov_y", 60),
    "Camera.position cannot be (0, nan, 0)": assigned(CAMERA, "position", glm.vec3(0, NAN, 0)),
    "Camera.target cannot be (nan, 0, 0)": lambda: Camera(target=glm.vec3(NAN, 0, 0)),
    "Camera.up cannot be (0, 0, 0)": assigned(CAMERA, "up", glm.vec3(0)),
    "Camera.rotation cannot be (0, 0, 0, 0)": assigned(CAMERA, "rotation", glm.quat(0, 0, 0, 0)),
    "Camera.position cannot be None": assigned(CAMERA, "position", None),
    "DirectionalLight.direction cannot be (0, 0, 0)": lambda: DirectionalLight(glm.vec3(0)),
    "PointLight.intensity cannot be nan": assigned(LIGHT, "intensity", NAN),
    "PointLight.radius cannot be 0": assigned(LIGHT, "radius", 0),
    "PointLight.color cannot be (1, nan, 1)": assigned(LIGHT, "color", (1, NAN, 1)),
    "PointLight.intensity cannot be 'bright'": assigned(LIGHT, "intensity", "bright"),
    "PointLight.intensity cannot be -1": assigned(LIGHT, "intensity", -1),
    "PointLight.color cannot be (1, -0.5, 1)": lambda: PointLight(color=(1, -0.5, 1)),
    "SpotLight.outer_angle cannot be 20": lambda: Spot(outer_angle=20),
    "SpotLight.inner_angle cannot be -0.1": lambda: Spot(inner_angle=-0.1),
    "Sky.intensity cannot be -1": lambda: Sky(intensity=-1),
    "Sky.ground cannot be (0, 0, -1)": lambda: Sky(ground=(0, 0, -1)),
    "Environment.intensity cannot be -2": lambda: Environment(Panorama.of_sky(Sky(), 2), -2),
    "SpotLight.outer_angle cannot be inf": lambda: Spot(outer_angle=math.inf),
    "Sky.zenith cannot be (nan, 0, 0)": lambda: Sky(zenith=(NAN, 0, 0)),
    "Environment.intensity cannot be nan": lambda: Environment(Panorama.of_sky(Sky(), 2), NAN),
    "Transform.position cannot be (0, nan, 0)": lambda: Transform(glm.vec3(0, NAN, 0)),
    "Transform.position cannot be (nan, 0, 0)": assigned(CUBE.transform, "position", glm.vec3(NAN, 0, 0)),
    "Transform.position cannot be (0, 0, inf)": lambda: moved(glm.vec3(0, 0, math.inf)),
    "Transform.rotation cannot be (nan, 0, 0, 0)": assigned(CUBE.transform, "rotation", glm.quat(NAN, 0, 0, 0)),
    "Transform.rotation cannot be (0, 0, 0, 0)": lambda: Transform(rotation=glm.quat(0, 0, 0, 0)),
    "Transform.scale cannot be (1, 1, -inf)": assigned(Transform(), "scale", glm.vec3(1, 1, -math.inf)),
    'transform.scale of the entity "cube" cannot be (1, 1, nan)': assigned(CUBE, "transform", changed_in_place()),
    'transform.position of the entity "late" cannot be (nan, 0, 0)': add_after_change_in_place,
}


@pytest.mark.parametrize("message", REFUSED)
def test_a_wrong_number_is_refused_where_it_is_set(message: str) -> None:
    with pytest.raises(UsageError) as refused:
        REFUSED[message]()
    assert refused.value.message == message
    assert refused.value.hint.startswith("it is ")
    assert refused.value.where is not None
    assert refused.value.where.file == __file__


def test_an_angle_in_degrees_is_told_from_a_wrong_one() -> None:
    with pytest.raises(UsageError, match=r"above 0 and at most 1.5708, in radians; 20 degrees are math.radians\(20\)"):
        Spot(outer_angle=20)
    with pytest.raises(UsageError, match=r"in radians; 60 degrees are math.radians\(60\)"):
        Camera(fov_y=60)


def test_a_refused_value_leaves_the_old_one() -> None:
    camera = Camera(near=0.25)
    with pytest.raises(UsageError):
        camera.near = 0
    assert camera.near == 0.25
    place = glm.vec3(1, 2, 3)
    transform = Transform(place)
    with pytest.raises(UsageError):
        transform.position = glm.vec3(NAN)
    assert transform.position == place


def test_an_invalid_local_matrix_is_refused_where_it_is_given() -> None:
    with pytest.raises(UsageError, match='local of the entity "cube" has a number that is not finite') as refused:
        Entity(box(1.0), Material(), name="cube", local=glm.mat4(NAN))
    assert refused.value.where is not None
    assert refused.value.where.file == __file__


def test_transforms_take_any_finite_numbers() -> None:
    extreme = glm.vec3(3e38, -3e38, 1e-38)
    transform = Transform(extreme, glm.quat(0, 0, 1, 0), glm.vec3(0))
    transform.position = transform.scale = extreme
    assert (transform.position, transform.scale) == (extreme, extreme)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda scene: setattr(scene.camera.position, "x", NAN), r"scene\.cameras\[0\]\.position cannot be \(nan"),
        (lambda scene: setattr(scene.sun.direction, "y", NAN), r"scene\.sun\.direction cannot be"),
        (lambda scene: setattr(scene.lights[1].position, "z", math.inf), r"scene\.lights\[1\]\.position cannot be"),
    ],
)
def test_a_change_in_place_is_found_by_the_check(change: Callable[[Scene], None], message: str) -> None:
    scene = Scene()
    scene.add_light(PointLight())
    scene.add_light(Spot())
    scene.check()
    change(scene)
    with pytest.raises(UsageError, match=message):
        scene.check()


def test_values_at_the_limits_are_valid() -> None:
    material = Material((0, 0, 0, 1), 0.0, 1.0)
    assert (material.base_color, material.metallic, material.roughness) == ((0, 0, 0, 1), 0.0, 1.0)
    assert Camera(fov_y=math.radians(179), near=1e-6).near == 1e-6
    assert DirectionalLight(glm.vec3(1e-6, 0, 0), intensity=0).intensity == 0
