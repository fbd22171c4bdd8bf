"""What decals make of a G-buffer, against decals that are projected texel by texel in float64."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from decal_reference import Floats, Seen, filtered, look, over, project
from pyglm import glm

from renderwright.engine.scene import Camera, Image
from renderwright.engine.testing import CameraView, run_node
from renderwright.plugins import decals as plugin
from renderwright.plugins.decals import Decal, DecalSettings
from renderwright.plugins.decals.nodes import draw, property_of
from renderwright.plugins.decals.table import DecalTable
from renderwright.render import Buffer, Execute, Registry
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

WIDTH, HEIGHT = SIZE = (96, 64)
SHADERS = Path(plugin.__file__).parent / "glsl"
RANDOM = np.random.default_rng(20)


def noise(side: int, *, srgb: bool = True) -> Image:
    return Image("noise", RANDOM.integers(0, 256, (side, side, 4)).astype(np.uint8), srgb)


def normals(side: int) -> Image:
    bent = RANDOM.uniform(-0.6, 0.6, (side, side, 3))
    bent[..., 2] = 1.0
    bent /= np.linalg.norm(bent, axis=-1, keepdims=True)
    pixels = np.full((side, side, 4), 255, np.uint8)
    pixels[..., :3] = np.rint((bent * 0.5 + 0.5) * 255.0)
    return Image("normals", pixels, srgb=False)


NOISE, NORMALS = noise(8), normals(8)
ON_ALL = (
    Decal(NOISE, glm.vec3(0.2, 0.0, 0.0), size=(2.0, 1.5, 0.6), rotation=0.5, opacity=0.8, order=1.0),
    Decal(NOISE, glm.vec3(0.6, 1.0, -2.0), glm.vec3(0.3, -0.1, -1.0), (1.2, 1.2, 1.0), tint=(0.5, 1.0, 0.25)),
    Decal(NOISE, glm.vec3(-0.8, 0.7, 0.3), glm.vec3(0.1, -0.4, -1.0), (0.8, 0.8, 0.9), fade_angles=(0.5, 0.9)),
    Decal(None, glm.vec3(0.8, 0.0, 0.2), size=(0.8, 0.9, 0.2), tint=(0.1, 0.2, 0.9), opacity=0.6, order=2.0),
)
WATCHED = Camera(glm.vec3(0.4, 1.6, 3.0), glm.vec3(0.0, 0.4, -0.5))
CAMERAS = {
    "outside": WATCHED,
    "inside of a box": Camera(glm.vec3(0.2, 0.25, 0.3), glm.vec3(0.0, 0.1, -0.5)),
    "orthographic": Camera(glm.vec3(1.0, 2.0, 3.0), glm.vec3(0.0, 0.4, -0.5), height=4.0),
}


def drawn(
    backend: VulkanBackend, name: str, camera: Camera, seen: Seen, decals: Sequence[Decal], **more: Any
) -> Floats:
    """What the node of a property makes of its texture, which is ``more[target]``."""
    table = DecalTable()
    for decal in decals:
        table.add(decal)
    rows = table.rows(1.0)
    prop = property_of(name)
    settings = more.pop("settings", DecalSettings())
    inputs = {
        "decals": rows.data,
        f"decals_{prop.trait}": True,
        "depth": seen.depth.astype(np.float32),
        "camera": CameraView.of(camera, SIZE, 0.0),
        # Shaders of the frame decode sRGB; here the values are as they are.
        "decals_images": layers(decals, "image"),
        **more,
    }
    if name == "bend":
        inputs["decals_normals"] = layers(decals, "normal_image")

    def declare(reg: Registry) -> Execute:
        execute = draw(prop, settings)(reg)
        reg.create("room", Buffer(4, reg.resolution("decals"))).storage_write("fragment")  # so that it has a size
        return execute

    result = run_node(
        declare,
        inputs,
        [prop.target],
        size=SIZE,
        shader_paths=[SHADERS],
        name=f"decals/{name}",
        backend=backend,
    )
    return result[prop.target].astype(np.float64)


def layers(decals: Sequence[Decal], kind: str) -> np.ndarray:
    """The distinct images as layers, with premultiplied alpha, in linear float32."""
    ordered = sorted(decals, key=lambda decal: decal.order)
    images = list(dict.fromkeys(image for decal in ordered if (image := getattr(decal, kind)) is not None))
    stack = np.zeros((max(2, len(images)), *(images[0].pixels.shape if images else (1, 1, 4))), np.float32)
    for number, image in enumerate(images):
        stack[number] = image.pixels / 255.0
        stack[number, ..., :3] *= stack[number, ..., 3:]
    return stack


def surface(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).uniform(0.0, 1.0, (HEIGHT, WIDTH, 4)).astype(np.float32)


def assert_same(shown: Floats, right: Floats, before: Floats) -> None:
    """All texels are right but some at edges, where no neighbour is on the same surface, or a box ends."""
    assert (np.abs(right - before).max(axis=-1) > 0.02).mean() > 0.1, "decals are seen"
    wrong = np.abs(shown - right).max(axis=-1) > 0.02
    assert wrong.mean() < 0.006


@pytest.mark.parametrize("where", CAMERAS)
def test_colours_are_those_of_the_reference(backend: VulkanBackend, where: str) -> None:
    camera, before = CAMERAS[where], surface(1)
    seen = look(camera, *SIZE)
    right = before[..., :3].astype(np.float64)
    for _, color, alpha in project(seen, ON_ALL):
        right = over(right, color, alpha)
    shown = drawn(backend, "paint", camera, seen, ON_ALL, albedo=before)
    assert_same(shown[..., :3], right, before[..., :3])
    assert np.array_equal(shown[..., 3], before[..., 3])


def test_the_setting_scales_opacity(backend: VulkanBackend) -> None:
    seen, before = look(WATCHED, *SIZE), surface(2)
    right = before[..., :3].astype(np.float64)
    for _, color, alpha in project(seen, ON_ALL, 0.5):
        right = over(right, color, alpha)
    half = DecalSettings(opacity=0.5)
    shown = drawn(backend, "paint", WATCHED, seen, ON_ALL, albedo=before, settings=half)
    assert_same(shown[..., :3], right, before[..., :3])


@pytest.mark.parametrize(("name", "channel", "values"), [("roughen", 1, (0.3, 0.9)), ("coat", 0, (1.0, 0.5))])
def test_roughness_and_metal_change_alone(
    backend: VulkanBackend, name: str, channel: int, values: tuple[float, float]
) -> None:
    field = "roughness" if name == "roughen" else "metallic"
    places = (glm.vec3(0.3, 0.0, 0.0), glm.vec3(0.8, 0.0, 0.6))
    decals = [
        Decal(NOISE, place, size=(1.6, 1.6, 0.3), order=order, **{field: value})
        for order, (place, value) in enumerate(zip(places, values, strict=True))
    ]
    neither = Decal(NOISE, glm.vec3(0.0, 0.0, 0.6), size=(1.0, 1.0, 0.5))
    seen, before = look(WATCHED, *SIZE), surface(3)
    right = before[..., :3].astype(np.float64)
    for decal, _, alpha in project(seen, decals):
        one = over(right[..., channel : channel + 1], np.array([getattr(decal, field)]), alpha)
        right[..., channel] = one[..., 0]
    shown = drawn(backend, name, WATCHED, seen, [*decals, neither], material=before)
    assert_same(shown[..., :3], right, before[..., :3])
    others = [other for other in range(4) if other != channel]
    assert np.array_equal(shown[..., others], before[..., others])


def test_normals_bend_relative_to_those_of_the_surface(backend: VulkanBackend) -> None:
    seen = look(WATCHED, *SIZE)
    ground = Decal(None, glm.vec3(0.4, 0.0, 0.2), size=(1.8, 1.8, 0.3), rotation=0.7, normal_image=NORMALS)
    ball = Decal(
        None, glm.vec3(-0.8, 0.6, 0.3), glm.vec3(0.0, -0.3, -1.0), (0.9, 0.9, 0.9), normal_image=NORMALS, opacity=0.5
    )
    before = np.concatenate([seen.normal, np.ones((HEIGHT, WIDTH, 1))], axis=-1).astype(np.float32)
    right = seen.normal.copy()
    for decal, _, alpha in project(seen, (ground, ball)):
        box = np.array(decal.box(), np.float64)
        points = np.concatenate([seen.position, np.ones((HEIGHT, WIDTH, 1))], axis=-1)
        place = points @ np.linalg.inv(box).T
        bent = filtered(NORMALS, 0.5 + place[..., 0], 0.5 - place[..., 1])[..., :3] * 2.0 - 1.0
        across = box[:3, 0] - seen.normal * (seen.normal @ box[:3, 0])[..., None]
        across /= np.maximum(np.linalg.norm(across, axis=-1, keepdims=True), 1e-9)
        up = np.cross(seen.normal, across)
        turned = across * bent[..., :1] + up * bent[..., 1:2] + seen.normal * bent[..., 2:]
        right = over(right, turned / np.maximum(np.linalg.norm(turned, axis=-1, keepdims=True), 1e-9), alpha)
    shown = drawn(backend, "bend", WATCHED, seen, (ground, ball), normal=before, **{"decals/surface_normals": before})
    assert_same(shown[..., :3], right, before[..., :3])


def test_faces_that_look_away_and_surfaces_beyond_the_box_have_nothing(backend: VulkanBackend) -> None:
    seen, before = look(WATCHED, *SIZE), surface(4)
    wall_and_ground = Decal(None, glm.vec3(0.5, 0.5, -1.5), size=(2.0, 2.0, 2.0))
    above = Decal(None, glm.vec3(0.0, 1.0, 0.0), size=(3.0, 3.0, 0.5))
    upward = Decal(None, glm.vec3(0.0, 0.0, 0.0), glm.vec3(0.0, 1.0, 0.0), size=(3.0, 3.0, 0.2))
    shown = drawn(backend, "paint", WATCHED, seen, (wall_and_ground,), albedo=before)
    changed = (shown != before).any(axis=-1)
    assert changed[seen.normal[..., 1] == 1.0].mean() > 0.04
    assert changed[seen.normal[..., 2] == 1.0].mean() < 0.01
    ground = seen.normal[..., 1] == 1.0
    for decal, share in ((above, 0.0), (upward, 0.005)):
        shown = drawn(backend, "paint", WATCHED, seen, (decal,), albedo=before)
        assert (shown != before).any(axis=-1)[ground].mean() <= share
