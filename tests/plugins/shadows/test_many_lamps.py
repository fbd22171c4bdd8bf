"""More lamps cast shadows than the texture has channels: shared ones give the light of all of them."""

from __future__ import annotations

import logging
from contextlib import closing

import numpy as np
import pytest
from pyglm import glm
from shadow_scenes import Floor, Play, playing
from view_scenes import session_of

from benchmarks.quality.play import Floats, chosen, played
from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import Camera, Material, PointLight, RectangleLight, Sky, Transform
from renderwright.engine.scene.primitives import box, sphere
from renderwright.engine.session import Session
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.backend.opengl import OpenGLBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

EXTENT = (96, 54)
SUN = {"shadows/follow_sun", "shadows/fit", "shadows/resolve", *(f"shadows/cascade_{number}" for number in range(4))}
PLACES = [glm.vec3(1.6 * (number % 4) - 2.4, 1.3, 1.6 * (number // 4) - 1.6) for number in range(12)]


class Circle(Floor):
    """Posts and balls on a floor, and the lamps ``lit`` of twelve, all of them white."""

    lit = tuple(range(12))
    reach = 4.0
    casts = True

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        scene = context.scene
        scene.sun, scene.sky = None, Sky(intensity=0.0)
        rough = Material((0.6, 0.6, 0.6, 1.0), roughness=1.0)
        for number, place in enumerate(PLACES):
            shape = box((0.2, 0.8, 0.2)) if number % 2 else sphere(0.25)
            scene.spawn(shape, rough, Transform(glm.vec3(place.x + 0.5, 0.3, place.z + 0.4)))
        for number in self.lit:
            power = 0.5 + 0.1 * number
            scene.add_light(PointLight(PLACES[number], intensity=power, radius=self.reach, casts_shadow=self.casts))


def light_of(backend: VulkanBackend | OpenGLBackend, game: type[Game], most: int = 12) -> Floats:
    with played(game, backend, EXTENT, chosen(shadows={"lights": str(most)})) as play:
        play.frames(2)
        return play.light()


def sum_of_each(backend: VulkanBackend, game: type[Game]) -> Floats:
    """The sum of the light of each lamp, which is the only one while its light is taken."""
    with played(game, backend, EXTENT, chosen(shadows={"lights": "12"})) as play:
        scene, total = play.session.context.scene, np.zeros((*EXTENT[::-1], 3))
        for lamp in list(scene.lights):
            scene.lights[:] = [lamp]
            play.frames(2)
            total += play.light()
    return total


def lamps(*lit: int, **attributes: object) -> type[Circle]:
    return type("Lamps", (Circle,), {"lit": lit, **attributes})


@pytest.mark.parametrize(("skeleton_name", "reach"), [("deferred", 4.0), ("deferred", 1.9), ("forward", 4.0)])
def test_the_light_is_the_sum_of_that_of_each_lamp(backend: VulkanBackend, skeleton_name: str, reach: float) -> None:
    shown = {"skeleton": skeleton_name, "reach": reach}
    alone = sum_of_each(backend, lamps(*Circle.lit, **shown))
    together = light_of(backend, lamps(*Circle.lit, **shown))
    bare = light_of(backend, lamps(*Circle.lit, casts=False, **shown))
    taken = np.abs(bare - alone).mean()
    assert taken > 0.04 * alone.mean(), "there are shadows"
    off = np.abs(together - alone)
    edges = off.max(axis=2) > 0.01  # the forward skeleton has no normals there
    assert edges.mean() <= (0.03 if skeleton_name == "forward" else 0.0)
    assert np.where(edges[..., None], 0.0, off).mean() < 0.04 * taken


def test_up_to_four_lamps_have_channels_and_nodes_of_their_own() -> None:
    few, more = (nodes_of(lamps(*range(count))) for count in (4, 5))
    assert {name for name in few if "lamp" in name or "local" in name or name.startswith("shadow")} - SUN == {
        *("shadowed_lights", "shadows/lamps", "shadows/fit_local", "shadows/resolve_lamps"),
        *(f"shadows/draw_lamp_{slot}" for slot in range(4)),
    }
    assert more - few == {
        *("shadowed_lights_1", "shadow_sharing", "shadows/lamps_1", "shadows/fit_local_1", "shadows/resolve_lamps_1"),
        *(f"shadows/draw_lamp_{slot}" for slot in range(4, 8)),
    }
    assert few <= more


def nodes_of(game: type[Game]) -> set[str]:
    with closing(Session(game, NullBackend(), EXTENT, strict=True)) as session:
        return {name.partition("[")[0] for name in planned(session)}


def planned(session: Session) -> set[str]:
    """The nodes of the next frame's plan."""
    with closing(session.backend.create_target(EXTENT)) as target:
        session.step()
        session.render(target)
    return {node.id for node in session.runtime.plan.graph.nodes}


def test_nodes_leave_with_the_lamps_that_need_them() -> None:
    with closing(Session(lamps(*range(6)), NullBackend(), EXTENT, strict=True)) as session:
        planned(session)
        lights = session.context.scene.lights
        del lights[:3]
        assert "shadow_sharing" not in planned(session)
        assert session._input.lights.rows[:, 15].tolist() == [3.0, 0.0, 1.0]


def resting(play: Play) -> set[str]:
    play.session.step()
    report = play.session.render(play.target)
    assert report is not None
    return {node.partition("[")[0] for node in report.resting}


def test_a_still_scene_draws_no_map_and_a_move_those_around_it(backend: VulkanBackend) -> None:
    with playing(lamps(*range(12), reach=1.4), backend, EXTENT, lights=12) as play:
        play.frames(3)
        every = {f"shadows/draw_lamp_{slot}" for slot in range(12)}
        assert every <= resting(play)
        entity = play.session.context.scene.entities[1 + 11]
        for _ in range(2):
            entity.transform.position += glm.vec3(0.02, 0.0, 0.0)
            entity.snap()
            drawn = every - resting(play)
        assert "shadows/draw_lamp_11" in drawn
        assert len(drawn) < 6


def test_the_setting_bounds_the_lamps_and_a_notice_tells_so_once(
    backend: VulkanBackend, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "renderwright.game")
    with playing(lamps(*range(12)), backend, EXTENT, strict=False, lights=6) as play:
        play.frames(2)
        play.session.context.scene.camera.position.x += 0.1
        play.session.context.scene.lights[0].intensity += 1.0
        play.frames(2)
        shadowed = play.session._input.lights.rows[:, 15] >= 0.0
    assert shadowed.sum() == 6
    (message,) = [record.getMessage() for record in caplog.records if record.name == "renderwright.game"]
    assert "12 local lights" in message
    assert "6 brightest" in message
    assert "`renderwright plugins info shadows` lists the settings" in message


class Company(Circle):
    """For several players, with a rectangle among the lamps."""

    max_players = 4

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        up = glm.vec3(0.0, 2.0, -1.0)
        context.scene.add_light(RectangleLight(up, width=2.0, height=0.5, intensity=2.0, casts_shadow=True))

    def update(self, dt: float) -> None:
        places = [glm.vec3(0, 3, 5), glm.vec3(-4, 2, 2), glm.vec3(4, 4, 1), glm.vec3(0.5, 2.0, -4.0)]
        if len(self.context.scene.cameras) != self.context.players:
            self.context.scene.cameras = [Camera(place, glm.vec3(0)) for place in places[: self.context.players]]
            self.context.scene.snap_cameras()


def picture(session: Session) -> np.ndarray:
    with closing(session), closing(session.backend.create_target(session.extent)) as target:
        for _ in range(3):
            session.step()
            session.render(target)
        return session.picture()[..., :3].astype(int)


@pytest.mark.parametrize("skeleton_name", ["deferred", "forward"])
def test_each_view_of_a_split_screen_shows_what_it_shows_alone(backend: VulkanBackend, skeleton_name: str) -> None:
    game = type("Game", (Company,), {"skeleton": skeleton_name})
    separator = {"split_screen.separator": "0", "shadows.lights": "16"}
    whole = (2 * EXTENT[0], 2 * EXTENT[1])
    split = picture(session_of(backend, whole, game=game, players=4, enable=("split_screen",), **separator))
    alone = picture(session_of(backend, EXTENT, game=game, **{"shadows.lights": "16"}))
    first = split[: EXTENT[1], : EXTENT[0]]
    assert alone.std() > 8
    assert (np.abs(first - alone).max(axis=2) > 2).mean() < 0.01


@pytest.mark.parametrize("view", [("vr", {"vr.poses": "still", "vr.ipd": "0.0"}), ("ssaa", {})])
def test_eyes_and_samples_have_the_shadows(backend: VulkanBackend, view: tuple[str, dict[str, str]]) -> None:
    """As without shadows they would be far from it."""
    plugin, settings = view

    def shown(game: type[Game]) -> np.ndarray:
        session = session_of(backend, EXTENT, game=game, enable=(plugin,), **{**settings, "shadows.lights": "16"})
        return picture(session)

    with_it, without = shown(Company), shown(type("Bare", (Company,), {"casts": False}))
    assert (without - with_it).max() > 40
    assert (without - with_it).min() >= -8


def test_opengl_gives_the_same_light(backend: VulkanBackend) -> None:
    with closing(OpenGLBackend(validate=True)) as opengl:
        right, other = (light_of(device, lamps(*Circle.lit)) for device in (backend, opengl))
        assert opengl.validation_messages == []
    assert np.abs(other - right).mean() < 0.002 * right.mean()
