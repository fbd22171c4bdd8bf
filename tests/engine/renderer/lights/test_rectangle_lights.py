"""Light from rectangles is that of a numerical integration of the same surface model."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest
from area_reference import Floor, floor_points, radiance
from numpy.typing import NDArray
from playing import frames_of
from pyglm import glm

from renderwright.engine.game import Game, GameContext
from renderwright.engine.renderer.lights.area_fit import area_table, fitted
from renderwright.engine.scene import Camera, Material, RectangleLight, Sky
from renderwright.engine.scene.primitives import plane
from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend

EXTENT = (40, 30)
PANEL = RectangleLight(glm.vec3(0, 1.5, -1), glm.vec3(0, -1, 0.6), glm.vec3(0, 1, 0), 2.0, 1.0, radius=1e4)
SUNKEN = RectangleLight(glm.vec3(0.5, 0.2, -1.5), glm.vec3(-0.2, 0, 1), glm.vec3(0, 1, 0), 1.5, 1.0, radius=1e4)
BACK = RectangleLight(
    glm.vec3(0, 0.8, 0), glm.vec3(0, 0.3, -1), glm.vec3(0, 1, 0), 1.0, 0.6, radius=1e4, two_sided=True
)
CAMERA = Camera(glm.vec3(0.3, 1.4, 3.0), glm.vec3(0, 0.2, 0))


def lit_floor(
    backend: VulkanBackend, floor: Floor, light: RectangleLight, skeleton_name: str = "deferred"
) -> NDArray[np.float64]:
    """What the renderer makes of it: linear light (height, width)."""

    class Room(Game):
        skeleton = skeleton_name
        plugins = ()

        def setup(self, context: GameContext) -> None:
            scene = context.scene
            scene.sky, scene.sun, scene.camera = Sky(intensity=0.0), None, CAMERA
            grey = (floor.color, floor.color, floor.color, 1.0)
            scene.spawn(plane(60, 60), Material(grey, metallic=floor.metallic, roughness=floor.roughness))
            scene.add_light(light)

    with closing(Session(Room, backend, EXTENT, strict=True)) as session:
        session.graph.add_sink("hdr")
        frames_of(session, 1)
        runtime = session.runtime
        assert "area_light_table" in session.graph.node_names
        instance = next(item.id for item in runtime.plan.graph.resources if "hdr" in item.resource.names)
        layout = dict(runtime.plan.sync.layouts_left)[instance]
        texels = np.asarray(backend.read_texture(runtime.resource(instance), layout), np.float64)
    return texels[..., 1]


@pytest.mark.vulkan
@pytest.mark.parametrize(
    ("light", "bias", "mean"),
    [(PANEL, 0.035, 0.08), (BACK, 0.035, 0.09), (SUNKEN, 0.12, 0.13)],
    ids=["panel", "two sides", "half below the floor"],
)
@pytest.mark.parametrize(
    "floor",
    [Floor(0.5, 0.0, 0.9), Floor(0.5, 0.0, 0.4), Floor(0.7, 1.0, 0.6), Floor(0.7, 1.0, 0.3)],
    ids=["rough", "smooth", "rough metal", "smooth metal"],
)
def test_a_floor_has_the_light_of_an_integral(
    backend: VulkanBackend, floor: Floor, light: RectangleLight, bias: float, mean: float
) -> None:
    """Light that grazes the floor differs most: Fresnel's factor is that of the mean direction of the lobe."""
    shown = lit_floor(backend, floor, light)
    points = floor_points(CAMERA, *EXTENT)
    seen = np.isfinite(points[..., 0]) & (np.abs(points).max(axis=-1) < 12.0)
    right = radiance(points[seen], np.array(CAMERA.position, float), floor, light)
    off = shown[seen] - right
    assert right.max() > 0.1
    assert abs(off.mean()) < bias * right.mean()
    assert np.abs(off).mean() < mean * right.mean()


@pytest.mark.vulkan
def test_both_skeletons_show_the_same(backend: VulkanBackend) -> None:
    floor = Floor(0.5, 0.0, 0.5)
    deferred, forward = (lit_floor(backend, floor, PANEL, skeleton) for skeleton in ("deferred", "forward"))
    assert np.allclose(deferred, forward, rtol=2e-2, atol=2e-3)


def test_the_table_has_the_fits_of_its_cells() -> None:
    table = area_table()
    assert np.isfinite(table).all()
    for row, column in ((0, 0), (3, 17), (20, 9), (31, 31)):
        cell = fitted(np.array([column / 31]), np.array([1.0 - (row / 31) ** 2]))[0]
        assert np.allclose(table[row, column], cell, rtol=1e-4, atol=1e-5)


def test_a_surface_of_roughness_1_seen_from_above_needs_hardly_a_transformation() -> None:
    a, b, c, d = fitted(np.array([1.0]), np.array([1.0]))[0]
    assert (a, b, c) == pytest.approx((1.0, 0.0, 0.0), abs=0.02)
    assert d == pytest.approx(1.15, abs=0.1)


def test_the_sides_of_a_rectangle_face_its_direction() -> None:
    right, up = RectangleLight(direction=glm.vec3(0, 0, -2), up=glm.vec3(0.3, 3, 0), width=4.0).half_sides()
    assert glm.length(right) == pytest.approx(2.0)
    assert glm.normalize(glm.cross(up, right)) == glm.vec3(0, 0, -1)
    straight = RectangleLight(direction=glm.vec3(0, 5, 0), up=glm.vec3(0, 1, 0)).half_sides()
    assert glm.length(straight[0]) == pytest.approx(0.5), "any up will do along the direction"
