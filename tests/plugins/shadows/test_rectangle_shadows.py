"""Shadows of rectangle lights beside rays from the points of a rectangle on the CPU."""

from __future__ import annotations

from contextlib import closing
from itertools import product

import numpy as np
import pytest
from pyglm import glm
from shadow_scenes import Play, playing

from benchmarks.quality.ray_scene import Doubles, RayScene, Shapes, cast, eye_rays
from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import RectangleLight, Sky
from renderwright.render.backend.opengl import OpenGLBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

EXTENT = (96, 54)
CELLS = 8
OFF_THE_SURFACE = 1e-4


class Panelled(RayScene):
    """A box, a slab and a ball under a panel of more than a metre."""

    plugins = ("shadows",)
    shapes = Shapes(
        boxes=(((-0.6, 0.0, -0.6), (0.0, 0.7, 0.0)), ((-1.6, 0.0, -1.4), (1.4, 0.5, -1.1))),
        balls=(((0.8, 0.4, 0.35), 0.4),),
    )
    two_sided = False
    casts = True
    middle, face = glm.vec3(-0.3, 2.0, 0.4), glm.vec3(0.1, -1.0, -0.2)
    size = (1.4, 0.6)

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        context.scene.sky = Sky((0.0,) * 3, (0.0,) * 3, (0.0,) * 3)
        context.scene.add_light(self.light())

    @classmethod
    def light(cls) -> RectangleLight:
        width, height = cls.size
        up = glm.vec3(0.2, 0.0, -1.0)
        return RectangleLight(
            cls.middle, cls.face, up, width, height, radius=30.0, two_sided=cls.two_sided, casts_shadow=cls.casts
        )


class Tall(Panelled):
    """One that is longer in its height, and leans."""

    middle, face, size = glm.vec3(1.6, 1.1, -0.9), glm.vec3(-1.0, -0.3, 0.6), (0.3, 1.2)


class Sign(Panelled):
    """One that shines both ways, between the things."""

    two_sided = True
    middle, face, size = glm.vec3(0.3, 0.75, -0.3), glm.vec3(-1.0, -0.1, -0.6), (0.6, 0.4)


def seen_by_rays(game: type[Panelled]) -> tuple[Doubles, Doubles]:
    """The visible share of the light at each texel, and all the light there, (height, width)."""
    origin, to = eye_rays(game, EXTENT)
    flat = to.reshape(-1, 3)
    hits = cast(np.broadcast_to(origin, flat.shape), flat, game.shapes)
    shown = np.nonzero(hits.thing >= 0)[0]
    normals = hits.normal[shown]
    points = origin + flat[shown] * hits.distance[shown, None] + normals * OFF_THE_SURFACE
    light = game.light()
    right, up = (np.array(side, float) for side in light.half_sides())
    facing = np.cross(up, right) / np.linalg.norm(np.cross(up, right))
    seen, whole = np.zeros(len(shown)), np.zeros(len(shown))
    steps = (np.arange(CELLS) + 0.5) / CELLS * 2.0 - 1.0
    for across, along in product(steps, steps):
        away = np.array(light.position, float) + right * across + up * along - points
        distance = np.linalg.norm(away, axis=1)
        away /= distance[:, None]
        leaving = -(away @ facing)
        leaving = np.abs(leaving) if light.two_sided else leaving.clip(0.0)
        sent = (away * normals).sum(axis=1).clip(0.0) * leaving / distance**2
        whole += sent
        seen += sent * (cast(points, away, game.shapes).distance >= distance)
    share, total = np.ones(len(flat)), np.zeros(len(flat))
    share[shown], total[shown] = np.divide(seen, whole, out=np.ones(len(shown)), where=whole > 0.0), whole
    return share.reshape(to.shape[:2]), total.reshape(to.shape[:2])


@pytest.mark.parametrize("game", [Panelled, Tall, Sign])
@pytest.mark.parametrize("edges", ["pcf", "pcss"])
def test_the_visible_share_is_that_of_rays(backend: VulkanBackend, game: type[Panelled], edges: str) -> None:
    share, light = seen_by_rays(game)
    with playing(game, backend, EXTENT, edges=edges) as play:
        shown = play.frames().local()
    taken = float((light * (1.0 - share)).sum())
    assert taken > 0.05 * light.sum()
    assert (light * (1.0 - shown)).sum() == pytest.approx(taken, rel=0.1)
    assert (light * np.abs(shown - share)).sum() < 0.12 * taken


class Bare(Panelled):
    """Nothing but the ground, and a panel that shines at a part of it."""

    shapes = Shapes(boxes=())
    face = glm.vec3(1.0, -0.4, 0.0)


@pytest.mark.parametrize("game", [Bare, type("Both", (Bare,), {"two_sided": True})])
def test_a_bare_ground_has_no_shadow(backend: VulkanBackend, game: type[Game]) -> None:
    with playing(game, backend, EXTENT) as play:
        assert play.frames().local().min() == 1.0


@pytest.mark.parametrize("skeleton_name", ["deferred", "forward"])
def test_shadows_reach_the_picture(backend: VulkanBackend, skeleton_name: str) -> None:
    """Where all of the rectangle is hidden there is no light of it; where nothing is, nothing changes."""
    share, light = seen_by_rays(Panelled)

    def picture(*, casts: bool) -> np.ndarray:
        game = type("Game", (Panelled,), {"skeleton": skeleton_name, "casts": casts})
        with playing(game, backend, EXTENT) as play:
            return shown(play)

    with_it, without = picture(casts=True), picture(casts=False)
    taken = light * (1.0 - share)
    hidden, open_ = (share < 0.02) & (light > 0.1 * light.max()), share == 1.0
    assert np.median(without[hidden] - with_it[hidden]) > 0.1
    assert np.median(np.abs(without[open_] - with_it[open_])) < 0.01
    assert np.corrcoef((without - with_it)[light > 0.0], taken[light > 0.0])[0, 1] > 0.9


def shown(play: Play) -> np.ndarray:
    play.frames(3)
    return np.asarray(play.session.picture()[..., 1], np.float32) / 255


def test_a_rectangle_that_rests_keeps_its_maps(backend: VulkanBackend) -> None:
    with playing(Panelled, backend, EXTENT) as play:
        play.frames(2)
        assert "shadows/draw_lamp_0" in resting(play)
        (panel,) = play.session.context.scene.lights
        panel.width = 0.5
        assert "shadows/draw_lamp_0" not in resting(play)


def resting(play: Play) -> set[str]:
    play.session.step()
    report = play.session.render(play.target)
    assert report is not None
    return {node.partition("[")[0] for node in report.resting}


def test_opengl_shows_the_same(backend: VulkanBackend) -> None:
    shares = []
    with closing(OpenGLBackend(validate=True)) as opengl:
        for device in (backend, opengl):
            with playing(Tall, device, EXTENT) as play:
                shares.append(play.frames().local())
        assert opengl.validation_messages == []
    assert (np.abs(shares[0] - shares[1]) > 2 / 255).mean() < 0.002
