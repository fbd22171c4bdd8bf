"""Shadows fall where they should, on the software driver under validation: no acne, no gaps, right in motion."""

from __future__ import annotations

import numpy as np
import pytest
from pyglm import glm
from shadow_scenes import Ball, Blades, BladesWithNormals, Floor, Forward, GrazedFloor, Lamp, Play, Spotlight, playing

from renderwright.engine.game import Game
from renderwright.engine.scene import Camera
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.memory.needs import RowMajorModel

pytestmark = pytest.mark.vulkan

PCF, PCSS = {"edges": "pcf"}, {"edges": "pcss"}


def around(seen: np.ndarray, at: tuple[int, int]) -> float:
    """The mean of 3 x 3 texels."""
    row, column = at
    return float(seen[row - 1 : row + 2, column - 1 : column + 2].mean())


@pytest.mark.parametrize("settings", [PCF, PCSS, {"softness": 8.0}, {"softness": 0.5, "rate": 16}, {"size": 128}])
@pytest.mark.parametrize("game", [Floor, GrazedFloor])
def test_a_bare_floor_is_lit_everywhere(backend: VulkanBackend, game: type[Game], settings: dict) -> None:
    """No surface shades itself, however flat the light, wide the edges and coarse the maps; nor where maps meet."""
    with playing(game, backend, **settings) as play:
        assert play.frames(2).sun().min() == 1.0


@pytest.mark.parametrize("settings", [PCF, PCSS, {"rate": 16}])
@pytest.mark.parametrize("game", [Ball, Forward])
def test_the_sun_throws_the_shadow_of_a_ball(backend: VulkanBackend, game: type[Game], settings: dict) -> None:
    with playing(game, backend, **settings) as play:
        seen = play.frames(2).sun()
        assert around(seen, play.texel(-0.5, 0.0, -0.3)) < 0.02, "one metre along the light, below the ball"
        assert around(seen, play.texel(0.5, 0.0, 0.3)) > 0.98, "on the other side"
        assert around(seen, play.texel(1.5, 0.0, 0.0)) > 0.98


def test_the_ground_between_thin_blades_is_lit_without_a_texture_of_normals(backend: VulkanBackend) -> None:
    """A texel between two blades, or of one that is a texel wide, has no neighbour on its own surface."""
    lit = []
    for game in (Blades, BladesWithNormals):
        with playing(game, backend) as play:
            lit.append(play.frames(2).sun() > 0.5)
    without_normals, with_normals = lit
    assert with_normals.mean() > 0.9
    assert (with_normals & ~without_normals).mean() < 0.01


@pytest.mark.parametrize("settings", [PCF, PCSS])
@pytest.mark.parametrize("game", [Lamp, Spotlight])
def test_a_lamp_throws_the_shadow_of_a_ball(backend: VulkanBackend, game: type[Game], settings: dict) -> None:
    """The lamp is above the ball and to the right; the ball's shadow lies below it and to the left."""
    with playing(game, backend, **settings) as play:
        seen = play.frames(2).local()
        assert around(seen, play.texel(-0.2, 0.0, 0.0)) < 0.05
        assert around(seen, play.texel(1.0, 0.0, 0.3)) > 0.98
        assert play.local(1).min() == 1.0, "no second light"
        assert play.sun().min() == 1.0, "no sun, no shadow of it"


@pytest.mark.parametrize("settings", [PCF, PCSS, {"softness": 8.0, "light_size": 64}])
def test_a_lamp_shades_nothing_without_need(backend: VulkanBackend, settings: dict) -> None:
    """The floor around a lamp is lit in all directions, also where the faces of its cube meet."""
    with playing(Lamp, backend, **settings) as play:
        for entity in play.session.context.scene.entities[1:]:
            play.session.context.scene.remove(entity)
        assert play.frames(2).local().min() == 1.0


def test_shadows_reach_what_throws_them(backend: VulkanBackend) -> None:
    """Right at the foot of a box its shadow is there: within 4 cm at texels of 2 cm."""
    with playing(Ball, backend, (256, 144), softness=1.0) as play:
        scene = play.session.context.scene
        scene.camera = Camera(glm.vec3(-2.4, 1.2, 1.2), glm.vec3(-2.0, 0.0, 0.3))
        seen = play.frames(2).sun()
        assert play.session.runtime.blob(play.instance("shadows/cascades")).texels[0] < 0.02
        for z in (0.3, 0.5, 0.7):
            assert around(seen, play.texel(-1.94, 0.0, z)) < 0.35


def test_lights_without_shadows_cost_nothing(backend: VulkanBackend) -> None:
    """With no local light that casts shadows, the plan is that of a frame without shadows of local lights."""
    with playing(Ball, backend) as all_on, playing(Ball, backend, lights=0) as off:
        assert np.array_equal(all_on.frames(2).session.picture(), off.frames(2).session.picture())
        plans = [play.session.runtime.plan.graph for play in (all_on, off)]
        assert len({tuple(sorted(node.id for node in graph.nodes)) for graph in plans}) == 1
        assert len({tuple(sorted(item.id for item in graph.resources)) for graph in plans}) == 1


def test_what_is_far_is_drawn_at_its_rate(backend: VulkanBackend) -> None:
    with playing(Ball, backend, rate=4) as play:
        play.frames(3)
        drawn: list[set[str]] = []
        for _ in range(8):
            play.session.step()
            report = play.session.render(play.target)
            assert report is not None
            drawn.append({f"cascade_{n}" for n in range(4)} - {_name(node) for node in report.resting})
        for number, rate in enumerate((1, 1, 2, 4)):
            assert sum(f"cascade_{number}" in nodes for nodes in drawn) == 8 // rate


def _name(node: str) -> str:
    return node.partition("[")[0].removeprefix("shadows/")


def test_after_a_cut_the_shadows_are_those_of_a_fresh_start(backend: VulkanBackend) -> None:
    """A cascade that is drawn in one of 16 frames is drawn at once when the camera leaves what it covers."""

    def cut(play: Play) -> None:
        camera = Camera(glm.vec3(30.0, 3.0, 40.0), glm.vec3(30.0, 0.0, 30.0))
        play.session.context.scene.camera = camera
        play.session.context.scene.snap_cameras()

    with playing(Ball, backend, rate=16) as played, playing(Ball, backend, rate=16) as fresh:
        played.frames(6)
        before = played.sun().copy()
        for play in (played, fresh):
            cut(play)
        assert np.array_equal(played.frames().sun(), fresh.frames().sun())
        assert not np.array_equal(before, played.sun())


def test_a_flying_camera_sees_every_shadow_at_every_rate(backend: VulkanBackend) -> None:
    """Maps of earlier frames are read by the matrices that they were drawn with."""
    with playing(Ball, backend, rate=16) as slow, playing(Ball, backend, rate=1) as fast:
        for frame in range(12):
            for play in (slow, fast):
                turn = 0.1 * frame
                position = glm.vec3(5.0 * np.sin(turn), 3.0 + 0.1 * frame, 5.0 * np.cos(turn))
                play.session.context.scene.camera = Camera(position, glm.vec3(0.0))
                play.session.context.scene.snap_cameras()
                play.frames()
            different = np.abs(slow.sun() - fast.sun())
            assert fast.sun().min() == 0.0
            assert different.mean() < 0.01, "edges of maps of another resolution, no more"


def test_edges_hold_still_while_the_camera_moves(backend: VulkanBackend) -> None:
    """Looking straight down, a step by whole texels of the picture shifts the shadow's picture and nothing else.

    The steps are no whole texels of the map: if its texels moved with the camera, edges would crawl (0.004 then).
    """
    height, extent = 3.0, (96, 96)

    def seen(step: int) -> np.ndarray:
        with playing(Ball, backend, extent, size=256, softness=0.5) as play:
            scene = play.session.context.scene
            ball = scene.entities[1]
            ball.transform.position = -7.0 * Ball.sun  # out of sight; its shadow is in the middle
            ball.snap()
            texel = 2.0 * height * np.tan(0.5 * scene.camera.fov_y) / extent[1]
            position = glm.vec3(step * texel, height, 0.0)
            scene.camera = Camera(position, position - glm.vec3(0, 1, 0), up=glm.vec3(0, 0, -1))
            scene.snap_cameras()
            return play.frames(2).sun()[:, 16 - step : 80 - step]

    still = seen(0)
    assert 0.02 < (still < 0.5).mean() < 0.5
    for step in (1, 3, 5):
        assert np.abs(seen(step) - still).mean() < 0.0012


@pytest.mark.parametrize(("counts", "maps"), [({"eye": 2}, 4), ({"view": 2}, 8), ({"view": 2, "eye": 2, "tile": 4}, 8)])
def test_maps_are_shared_by_all_parts_of_a_view(backend: VulkanBackend, counts: dict[str, int], maps: int) -> None:
    with playing(Ball, backend) as play:
        graph = play.session.graph
        for dimension, count in counts.items():
            graph.set_count(dimension, count)
        graph.declare()
        nodes = [node.declaration.name for node in _plan(play).graph.nodes]
        assert sum(name.startswith("shadows/cascade_") for name in nodes) == maps
        assert nodes.count("shadows/resolve") == int(np.prod(list(counts.values())))


def _plan(play: Play) -> Plan:
    graph = play.session.graph
    return compile_snapshot(graph.snapshot(), graph.sizes(), CompileOptions(), RowMajorModel())
