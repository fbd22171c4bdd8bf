"""Light indoors: what probes put in the place of the sky, and when they are baked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import ClassVar

import numpy as np
import pytest
from probe_rooms import HALF, MirrorRoom, Room, Shown, room_probe
from pyglm import glm

from benchmarks.quality.ray_scene import around, eye_rays
from renderwright.engine.backends import make_backend
from renderwright.engine.game import Game
from renderwright.engine.options import BackendName, PlayOptions, PluginChoice
from renderwright.engine.scene import (
    Camera,
    Coat,
    DirectionalLight,
    Image,
    Material,
    PointLight,
    Probe,
    SpotLight,
    Transform,
)
from renderwright.engine.scene.primitives import box, plane
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import UsageError

pytestmark = pytest.mark.vulkan


def like(game: type[Game], **values: object) -> type[Game]:
    """The game with other values."""
    return type(game.__name__, (game,), values)


@pytest.fixture
def room(backend: VulkanBackend) -> Iterator[Shown]:
    with closing(Shown(backend)) as shown:
        yield shown


@pytest.mark.parametrize("skeleton", ["deferred", "forward"])
def test_light_in_a_closed_room_is_the_sum_of_all_bounces(backend: VulkanBackend, skeleton: str) -> None:
    """Walls that emit 0.2 and reflect a half of all light have 0.2 + 0.1 + 0.05 + ... = 0.4."""
    with closing(Shown(backend, like(Room, emitted=0.2, skeleton=skeleton))) as shown:
        assert shown.picture().min() > 0.6  # the sky, through walls
        shown.scene.probes.add(room_probe())
        assert np.allclose(shown.picture(), 0.4, atol=0.01)


def test_opengl_shows_the_same(backend: VulkanBackend) -> None:
    with closing(make_backend(PlayOptions(MirrorRoom, backend=BackendName.OPENGL))) as opengl:
        pictures = []
        for each in (backend, opengl):
            with closing(Shown(each, MirrorRoom)) as shown:
                pictures.append(shown.picture(2))
    assert np.abs(pictures[0] - pictures[1]).mean() < 0.01


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_lamps_light_the_room_by_what_they_shine_on(room: Shown, axis: int, side: float) -> None:
    """A lamp makes a wall bright, which lights the opposite wall more than itself."""
    room.scene.add_light(SpotLight(glm.vec3(0.0), _along(axis, side), intensity=4.0, radius=20.0, outer_angle=0.5))
    room.scene.probes.add(room_probe())
    room.picture()
    room.scene.lights.clear()
    light = {}
    for seen in (-1.0, 1.0):
        room.scene.camera = Camera(_along(axis, -0.1 * seen), _along(axis, seen), up=_along((axis + 1) % 3, 1.0))
        light[seen] = room.picture().mean()
    assert light[-side] > 1.2 * light[side] > 0.001


def test_a_dark_room_is_dark_and_its_outside_is_not(room: Shown) -> None:
    before = room.picture()
    room.scene.probes.add(room_probe())
    assert room.picture().max() < 0.002
    room.scene.camera = Camera(glm.vec3(4.0, 5.0, 6.0), glm.vec3(0.0), fov_y=0.3)
    outside = room.picture()
    room.scene.probes.clear()
    assert np.array_equal(outside, room.picture())
    assert before.min() > 0.4


def test_the_sun_does_not_shine_through_the_roof(backend: VulkanBackend) -> None:
    choice = PluginChoice(enable=("shadows",))
    with closing(Shown(backend, choice=choice)) as shown:
        shown.scene.sun = DirectionalLight(glm.vec3(0.2, -1.0, 0.1))
        shown.scene.probes.add(room_probe())
        assert shown.picture().max() < 0.002
    with closing(Shown(backend, like(Room, roof=False), choice=choice)) as shown:
        shown.scene.sun = DirectionalLight(glm.vec3(0.2, -1.0, 0.1))
        shown.scene.probes.add(room_probe())
        assert shown.picture().mean() > 0.1


def test_a_mirror_shows_each_wall_where_it_is(backend: VulkanBackend) -> None:
    """The colour at each texel of the floor is that of the wall that the reflected ray meets, but for blurred edges."""
    extent = (64, 64)
    with closing(Shown(backend, MirrorRoom, extent)) as shown:
        picture = shown.picture(2)
    place, rays = eye_rays(MirrorRoom, extent)  # type: ignore[arg-type]
    away = (-HALF - place[1]) / np.minimum(rays[..., 1], -1e-9)
    floor = place + rays * away[..., None]
    on_floor = np.abs(floor[..., [0, 2]]).max(axis=-1) < 0.9 * HALF
    rays[..., 1] *= -1.0
    ways = (np.where(rays > 0.0, HALF, -HALF) - floor) / rays
    axis = ways.argmin(axis=-1)
    hits = floor + rays * ways.min(axis=-1)[..., None]
    clear = on_floor & (np.sort(np.abs(hits), axis=-1)[..., 1] < 0.75 * HALF)
    sides = np.sign(np.take_along_axis(rays, axis[..., None], axis=-1))[..., 0].astype(int)
    seen = set()
    for y, x in np.argwhere(clear):
        wall = (int(axis[y, x]), int(sides[y, x]))
        assert np.allclose(picture[y, x], MirrorRoom.colors[wall], atol=0.12), (wall, picture[y, x])
        seen.add(wall)
    assert len(seen) >= 2


def test_a_room_below_the_open_sky_is_about_as_bright_as_rays_say(backend: VulkanBackend) -> None:
    """The mean of the wall in view, to a sixth; the sky alone makes it three times as bright."""
    with closing(Shown(backend, like(Room, roof=False), (24, 24))) as shown:
        bare = shown.picture().mean()
        shown.scene.probes.add(room_probe())
        probed = shown.picture().mean()
    traced = _traced_open_room(24)
    assert probed == pytest.approx(traced, rel=1 / 6)
    assert bare > 2.5 * traced


def test_a_scene_without_probes_has_the_plan_of_before(room: Shown) -> None:
    room.picture()
    before = room.session.runtime.plan.graph
    assert not [name for name in room.nodes() if "probe" in name]
    room.scene.probes.add(room_probe())
    room.picture()
    assert "probe_faces" in room.nodes()
    room.scene.clear()
    room.picture()
    assert room.session.runtime.plan.graph == before


def test_a_probe_is_baked_once_and_when_asked(room: Shown) -> None:
    probe = room.scene.probes.add(room_probe())
    dark = room.picture()
    assert room.bakes()
    panel = room.scene.spawn(box(0.5), Material(emissive=(4.0, 4.0, 4.0)), Transform(glm.vec3(0.0, 0.0, 1.9)))
    for _ in range(8):
        assert np.allclose(room.picture(), dark, atol=0.002)
        assert not room.bakes()
    probe.refresh()
    assert room.picture().mean() > 0.01
    room.scene.remove(panel)
    probe.refresh()
    assert room.picture(6).max() < 0.002


def test_light_outlasts_changes_of_the_frame(room: Shown) -> None:
    room.scene.probes.add(room_probe())
    room.picture()
    room.session.resize((32, 32))
    for plugin in ("bloom", "fxaa"):
        room.session.toggle(plugin)
        assert room.picture().max() < 0.002
        assert not room.bakes()


def test_probes_are_baked_one_after_the_other(room: Shown) -> None:
    """Each lights its own half of the room; later ones do not touch the light of earlier ones."""
    halves = [Probe(glm.vec3(-HALF), glm.vec3(0, HALF, HALF)), Probe(glm.vec3(0, -HALF, -HALF), glm.vec3(HALF))]
    for probe in halves:
        room.scene.probes.add(probe)
    first = room.picture()
    assert first[:, :18].max() < 0.002
    assert first[:, 30:].min() > 0.3
    assert room.picture(5).max() < 0.01
    room.scene.probes.remove(halves[0])
    assert room.picture()[:, 30:].max() < 0.01


def test_two_players_and_many_lamps(backend: VulkanBackend) -> None:
    """Of more lamps than the block has, all are baked; each player sees what a single one sees."""
    pictures = []
    for players in (1, 2):
        with closing(Shown(backend, like(Room, max_players=2), (48, 48 * players), players=players)) as shown:
            shown.scene.cameras = [Camera(glm.vec3(0.0, 0.0, 1.5), glm.vec3(0.0, 0.0, -1.0)) for _ in range(players)]
            for number in range(20):
                shown.scene.add_light(PointLight(glm.vec3(0.0, 0.1 * number - 1.0, 0.0), intensity=0.05, radius=10.0))
            shown.scene.probes.add(room_probe())
            shown.picture()
            for light in shown.scene.lights:
                light.intensity = 0.0
            pictures.append(shown.picture())
    assert pictures[0].min() > 0.02
    assert np.allclose(pictures[1][:48], pictures[0], atol=0.01)
    assert np.allclose(pictures[1][48:], pictures[0], atol=0.01)


@pytest.mark.parametrize("skeleton", ["deferred", "forward"])
@pytest.mark.parametrize("plugin", ["vr", "ssaa"])
def test_eyes_and_samples(backend: VulkanBackend, plugin: str, skeleton: str) -> None:
    """Each eye and each sample has the light of the room; both eyes are drawn at once where the device can."""
    game = like(Room, emitted=0.2, skeleton=skeleton)
    with closing(Shown(backend, game, choice=PluginChoice(enable=(plugin,)))) as shown:
        assert shown.picture().max() > 0.6
        shown.scene.probes.add(room_probe())
        picture = shown.picture()
        assert np.isclose(picture, 0.4, atol=0.01).mean() > 0.5  # the rest of the window is around the eyes' pictures
        assert picture.max() < 0.42
        assert shown.nodes().count("probe_faces") == 1


def test_blended_surfaces_have_the_light_of_the_room(room: Shown) -> None:
    """A white pane with a sky of its own would be brighter than one in a dark room."""
    pane = Material((1.0, 1.0, 1.0, 0.5), roughness=1.0, alpha_mode="blend")
    room.scene.spawn(box(0.5), pane)
    room.scene.spawn(box(0.3), Material(coat=Coat()), Transform(glm.vec3(0.6, 0.0, 0.0)))
    room.scene.probes.add(room_probe())
    assert room.picture().max() < 0.002


def test_holes_of_masks_let_light_through(backend: VulkanBackend) -> None:
    """A lattice in the place of the roof, half of it holes, lets in about half of the light."""
    light = {}
    for name, alpha in (("open", 0), ("lattice", None), ("closed", 255)):
        with closing(Shown(backend, like(Room, roof=False))) as shown:
            texels = np.full((64, 64, 4), 255, np.uint8)
            texels[:, :32, 3] = texels[:, :32, 3] if alpha is None else alpha
            texels[:, 32:, 3] = 0 if alpha is None else alpha
            roof = Material(
                (0.0, 0.0, 0.0, 1.0), base_color_image=Image(name, texels), alpha_mode="mask", double_sided=True
            )
            shown.scene.spawn(plane(4.0, 4.0), roof, Transform(glm.vec3(0.0, 1.95, 0.0)))
            shown.scene.probes.add(room_probe())
            light[name] = shown.picture().mean()
    assert light["closed"] < 0.02 * light["open"]
    assert 0.3 * light["open"] < light["lattice"] < 0.7 * light["open"]


def _along(axis: int, value: float) -> glm.vec3:
    place = glm.vec3(0.0)
    place[axis] = value
    return place


def _traced_open_room(side: int) -> float:
    """The mean light of the picture of a room without a roof, by paths through it."""

    class Eye:
        place, aim, fov = glm.vec3(0.0, 0.0, 1.5), glm.vec3(0.0, 0.0, -1.0), 0.8

    place, rays = eye_rays(Eye, (side, side))  # type: ignore[arg-type]
    random = np.random.default_rng(1)
    total = []
    for ray in rays.reshape(-1, 3)[::7]:
        point, normal, light = *_met(place, ray), 0.0
        for way in around(normal, 64, random):
            share, at = 0.5, point
            for _ in range(12):
                at, facing = _met(at, way)
                if facing[1] < 0.0:  # the open roof
                    light += share / 64
                    break
                share *= 0.5
                way = around(facing, 1, random)[0]
        total.append(light)
    return float(np.mean(total))


def _met(point: np.ndarray, ray: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where a ray from the inside meets the room, slightly inside, and the normal there."""
    ways = (np.where(ray > 0.0, HALF, -HALF) - point) / np.where(ray == 0.0, 1e-12, ray)
    axis = int(ways.argmin())
    normal = np.zeros(3)
    normal[axis] = -np.sign(ray[axis])
    return point + ray * ways[axis] + 1e-6 * normal, normal


class TestMistakes:
    """Wrong probes are refused at the line of the game."""

    mistakes: ClassVar = [
        (lambda: Probe(glm.vec3(0.0), glm.vec3(1.0, 0.0, 1.0)), "box of a Probe is empty"),
        (lambda: Probe(glm.vec3(0.0), glm.vec3(1.0), position=glm.vec3(2.0)), "outside of its box"),
        (lambda: Probe(glm.vec3(0.0), glm.vec3(1.0), fade=0.0), "Probe.fade cannot be"),
        (lambda: Probe(glm.vec3(0.0), glm.vec3(float("nan"))), "Probe.high cannot be"),
    ]

    @pytest.mark.parametrize(("make", "message"), mistakes)
    def test_of_one(self, make, message: str) -> None:
        with pytest.raises(UsageError, match=message) as caught:
            make()
        assert caught.value.where is not None
        assert caught.value.where.file.endswith("test_probes.py")

    def test_of_a_scene(self, room: Shown) -> None:
        probes = room.scene.probes
        probe = probes.add(room_probe())
        with pytest.raises(UsageError, match="already"):
            probes.add(probe)
        with pytest.raises(UsageError, match="not in this scene"):
            probes.remove(room_probe())
        with pytest.raises(UsageError, match="no Probe"):
            probes.add("probe")
        for _ in range(7):
            probes.add(room_probe())
        with pytest.raises(UsageError, match="at most 8"):
            probes.add(room_probe())
