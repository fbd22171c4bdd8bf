"""What shaders get of a scene's lights."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import closing

import numpy as np
import pytest
from pyglm import glm

from renderwright.engine import Game, GameContext
from renderwright.engine.renderer.blobs import LightSet
from renderwright.engine.renderer.lights.light_rows import ROW
from renderwright.engine.renderer.lights.light_set import FEW_LIGHTS
from renderwright.engine.renderer.lights.light_table import LightTable
from renderwright.engine.renderer.lights.shadow_places import MOST_SHADOWED, ShadowPlaces
from renderwright.engine.renderer.lights.suns import MOST_SUNS
from renderwright.engine.scene import Camera, DirectionalLight, Light, PointLight, RectangleLight, Scene, SpotLight
from renderwright.engine.scene.environment import Environment, Panorama
from renderwright.engine.scene.sky import Sky
from renderwright.engine.session import Session
from renderwright.render.backend.null.backend import NullBackend


def lights_of(*lights: Light, sun: DirectionalLight | None = None) -> LightSet:
    scene = Scene()
    scene.sun = sun
    for light in lights:
        scene.add_light(light)
    return LightSet.of(scene)


def test_rows_have_positions_colours_and_cones() -> None:
    lights = lights_of(
        PointLight(glm.vec3(1, 2, 3), (0.5, 0.25, 1.0), 8.0, 4.0),
        SpotLight(glm.vec3(4, 5, 6), glm.vec3(0, -3, 0), (1, 1, 1), 2.0, 7.0, 0.2, 0.6, casts_shadow=True),
    )
    point = [1, 2, 3, 4, 4, 2, 8, 0, 0, -1, 0, -2, 1, 0, 0, -1]
    spot = [4, 5, 6, 7, 2, 2, 2, 0, 0, -1, 0, math.cos(0.6), math.cos(0.2), 0, 0, 0]
    assert np.allclose(lights.rows, [point, spot])
    assert (lights.count, lights.total) == (2, 2)
    assert lights.position_radius[:3] == ((1, 2, 3, 4), (4, 5, 6, 7), (0, 0, 0, 0))
    assert (lights.low, lights.high) == ((-3, -2, -1), (11, 12, 13))


def test_the_block_has_the_first_lights_and_the_rows_have_all() -> None:
    lights = lights_of(*[PointLight(glm.vec3(number, 0, 0)) for number in range(FEW_LIGHTS + 3)])
    assert (lights.count, lights.total, len(lights.rows)) == (FEW_LIGHTS, FEW_LIGHTS + 3, FEW_LIGHTS + 3)
    assert lights.rows[-1, 0] == FEW_LIGHTS + 2


def test_added_suns_shine_beside_the_scenes_own() -> None:
    own = DirectionalLight(glm.vec3(0, -2, 0), (1, 1, 1), 5.0)
    added = DirectionalLight(glm.vec3(3, 0, 0), (1, 0.5, 0), 2.0)
    lights = lights_of(added, sun=own)
    assert (lights.sun_direction, lights.sun_radiance) == (glm.vec3(0, -1, 0), (5, 5, 5))
    assert (lights.suns, lights.sun_directions[0], lights.sun_radiances[0]) == (1, (1, 0, 0, 0), (2, 1, 0, 0))
    alone = lights_of(added)
    assert (alone.suns, alone.sun_direction, alone.sun_radiance) == (0, glm.vec3(1, 0, 0), (2, 1, 0))
    assert lights_of().sun_radiance == (0, 0, 0)


def test_the_brightest_sun_that_casts_shadows_has_the_maps() -> None:
    bright = DirectionalLight(glm.vec3(1, 0, 0), intensity=9.0, casts_shadow=False)
    casting = [DirectionalLight(glm.vec3(0, -1, number), intensity=1.0 + number) for number in range(2)]
    lights = lights_of(bright, *casting)
    assert lights.sun_radiance == (2.0, 2.0, 2.0)
    assert lights.sun_casts_shadow
    assert [radiance[0] for radiance in lights.sun_radiances] == [9.0, 1.0, 0.0]
    many = lights_of(*[DirectionalLight(intensity=1.0 + number) for number in range(MOST_SUNS + 2)])
    assert many.suns == MOST_SUNS - 1
    assert [radiance[0] for radiance in many.sun_radiances] == [5.0, 4.0, 3.0]


def test_the_brightest_lamps_where_a_camera_is_get_shadows() -> None:
    """Not the first ones in the scene. Lamps whose radius reaches a camera count in full."""
    scene = Scene()
    scene.cameras = [Camera(glm.vec3(0, 0, 0)), Camera(glm.vec3(100, 0, 0))]
    far = [PointLight(glm.vec3(50, number, 0), intensity=10.0, radius=5.0, casts_shadow=True) for number in range(4)]
    near = [PointLight(glm.vec3(x, 1, 0), intensity=2.0, radius=5.0, casts_shadow=True) for x in (1, 2, 99, 98)]
    silent = PointLight(glm.vec3(0, 1, 0), intensity=50.0)
    for light in (*far, silent, *near):
        scene.add_light(light)
    assert LightSet.of(scene).rows[:, 15].tolist() == [-1.0] * 5 + [0.0, 1.0, 2.0, 3.0]
    far[2].intensity = 1000.0
    channels = LightSet.of(scene).rows[:, 15].tolist()
    assert channels[2] == 0.0
    assert sum(channel >= 0 for channel in channels) == 4


def test_a_lamp_keeps_its_channel_and_its_place_among_equals() -> None:
    scene, places = Scene(), ShadowPlaces()
    lamps = [PointLight(glm.vec3(x, 0, 0), casts_shadow=True) for x in range(6)]
    for lamp in lamps:
        scene.add_light(lamp)

    def shown() -> list[float]:
        return LightSet.of(scene, places).rows[:, 15].tolist()

    assert shown() == [0, 1, 2, 3, -1, -1]
    lamps[5].intensity *= 1.2
    assert shown() == [0, 1, 2, 3, -1, -1], "a little brighter does not change places"
    lamps[5].intensity *= 2.0
    assert shown() == [0, 1, 2, -1, -1, 3]
    scene.remove_light(lamps[0])
    assert shown() == [1, 2, 0, -1, 3], "the others keep their channels"
    del scene.lights[2:4]
    lights = LightSet.of(scene, places)
    assert [light is None for light in lights.shadowed] == [True, False, False, False]


def test_further_lamps_share_the_channels_of_those_whose_reach_they_overlap_least() -> None:
    scene, places = Scene(), ShadowPlaces()
    for x in (0, 10, 20, 30, 11, 29, 1, 100):
        scene.add_light(PointLight(glm.vec3(x, 0, 0), radius=3.0, casts_shadow=True))

    def shown(most: int) -> LightSet:
        return LightSet.of(scene, places, most)

    channels = shown(8).rows[:, 15].tolist()
    assert channels[:4] == [0, 1, 2, 3]
    assert channels[4] not in (1,)
    assert channels[5] not in (3,)
    assert channels[6] not in (0,)
    lights = shown(8)
    assert (len(lights.shadowed), lights.sharing.slots, lights.wanting) == (8, 8, 8)
    assert [row[0] for row in lights.sharing.position_radius[:8]] == [0, 10, 20, 30, 11, 29, 1, 100]
    assert [row[3] for row in lights.sharing.inner_cosine[:8]] == channels
    scene.lights.reverse()
    assert shown(8).rows[:, 15].tolist() == channels[::-1], "places stay"
    for most in (3, 2, 1):
        scene.lights.insert(0, scene.lights.pop())  # whichever slots they had
        few = shown(most)
        assert (few.sharing.slots, few.wanting) == (0, 8)
        assert len(few.shadowed) == most, "in the slots that there are"
    assert shown(0).shadowed == ()


def test_no_more_lamps_than_there_are_slots_have_shadows() -> None:
    scene = Scene()
    for x in range(MOST_SHADOWED + 4):
        scene.add_light(PointLight(glm.vec3(x, 0, 0), casts_shadow=True))
    lights = LightSet.of(scene, shadowed=100)
    assert (lights.rows[:, 15] >= 0.0).sum() == len(lights.shadowed) == MOST_SHADOWED


def test_equal_lights_are_the_set_of_the_frame_before_and_any_change_makes_another() -> None:
    scene = Scene()
    scene.environment = Environment(Panorama.of_sky(Sky(), height=8))
    point, spot = PointLight(glm.vec3(1, 2, 3), casts_shadow=True), SpotLight(glm.vec3(0, 4, 0), glm.vec3(0, -1, 0))
    sun, second = scene.sun, DirectionalLight(glm.vec3(1, -1, 0))
    for light in (point, spot, second):
        scene.add_light(light)
    assert sun is not None
    changes: list[Callable[[], object]] = [
        lambda: setattr(point, "position", glm.vec3(1, 2, 4)),
        lambda: setattr(point.position, "x", 9.0),
        lambda: setattr(point, "casts_shadow", False),
        lambda: setattr(spot, "casts_shadow", True),
        lambda: setattr(spot, "inner_angle", 0.1),
        lambda: setattr(sun, "direction", glm.vec3(0.5, -1, 0)),
        lambda: setattr(sun, "casts_shadow", not sun.casts_shadow),
        lambda: setattr(second, "intensity", 0.5),
        lambda: setattr(scene, "sky", Sky(intensity=0.5)),
        lambda: setattr(scene, "environment", None),
        lambda: scene.lights.reverse(),
        lambda: scene.remove_light(spot),
    ]
    before = LightSet.of(scene)
    for number, change in enumerate(changes):
        assert LightSet.of(scene, before=before) is before
        change()
        after = LightSet.of(scene, before=before)
        assert after is not before, number
        assert after == LightSet.of(scene)
        assert np.array_equal(after.rows, LightSet.of(scene).rows)
        before = after
    unshared = before.unshared()
    assert LightSet.of(scene, before=unshared) is not unshared, "it lacks shadows that the scene may have"


def test_only_changed_rows_are_written() -> None:
    table = LightTable(NullBackend())
    rows = np.arange(5 * ROW, dtype=np.float32).reshape(5, ROW)
    shown = np.frombuffer(table.write(0, rows).data, np.float32).reshape(-1, ROW)
    assert np.array_equal(shown[:5], rows)
    shown[:5] = -1.0
    moved = rows.copy()
    moved[3, 0] = 7.0
    table.write(0, moved)
    assert np.array_equal(np.flatnonzero((shown[:5] != -1.0).any(axis=1)), [3])
    table.write(0, moved)
    table.write(0, moved.copy())
    assert np.count_nonzero((shown[:5] != -1.0).any(axis=1)) == 1
    table.write(0, moved[:4])
    assert np.array_equal(shown[:4], moved[:4])
    table.close()


class Lamps(Game):
    plugins = ("shadows", "tonemap")
    lamps = 0

    def setup(self, context: GameContext) -> None:
        for number in range(self.lamps):
            context.scene.add_light(PointLight(glm.vec3(number, 1, 0), radius=2.0))


class FewLamps(Lamps):
    lamps = FEW_LIGHTS


def plan_of(session: Session) -> tuple[set[str], set[str]]:
    """Nodes and resources of the next frame's plan."""
    with closing(session.backend.create_target((64, 64))) as target:
        session.step()
        session.render(target)
    graph = session.runtime.plan.graph
    return {node.id for node in graph.nodes}, {item.id for item in graph.resources}


@pytest.mark.parametrize("skeleton_name", ["deferred", "forward"])
def test_a_scene_of_few_lamps_has_no_clusters(skeleton_name: str) -> None:
    def session_of(game: type[Game]) -> Session:
        return Session(type("Game", (game,), {"skeleton": skeleton_name}), NullBackend(), (64, 64), strict=True)

    with closing(session_of(Lamps)) as session:
        without = plan_of(session)
    with closing(session_of(FewLamps)) as session:
        assert plan_of(session) == without
        scene = session.context.scene
        scene.add_light(PointLight())
        nodes, resources = plan_of(session)
        assert nodes - without[0] == {"scene_lights", "light_grid", "cluster_lights", "area_light_table"}
        made = {"scene_lights", "light_grid", "light_words", "light_clusters", "area_light_table"}
        assert resources - without[1] == made
        del scene.lights[FEW_LIGHTS // 2 + 1 :]
        assert plan_of(session)[0] == nodes, "no nodes come and go around the limit"
        scene.lights.pop()
        scene.lights.pop()
        assert plan_of(session) == without
        scene.add_light(RectangleLight())
        assert plan_of(session) == (nodes, resources), "surfaces find rectangles by their clusters"
