"""Screen-space reflections: a floor of metal shows what rays on the CPU find, and all else stays as it is."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
import pytest
from pyglm import glm

from benchmarks.quality.mirror_rays import (
    OverMirror,
    blurred_light,
    floor_points,
    mirrored_light,
)
from benchmarks.quality.play import Floats, chosen, played
from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import Camera, Material, Sky, Transform
from renderwright.engine.scene.environment import Environment, Panorama
from renderwright.engine.scene.primitives import box, plane, sphere
from renderwright.engine.scene.probe import Probe
from renderwright.engine.scene.surface_layers import Coat
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import PluginError

pytestmark = pytest.mark.vulkan

EXTENT = (160, 90)
NEAR = 0.03
HALF_STEP = 2.0**-10
"""A step of half-precision floats, relative: devices round what is added to nothing differently."""
"""A box reflects a little of the sky, which the rays leave out."""


class RoughFloor(OverMirror):
    """On a floor that blurs."""

    roughness = 0.3


class InPanorama(OverMirror):
    """In an environment of another light than the sky's."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        context.scene.environment = Environment(Panorama(np.full((8, 16, 3), 0.6, np.float32), "grey"))


class InProbe(OverMirror):
    """In the box of a probe, under a ceiling that glows, which the picture does not show."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        ceiling = Material((0, 0, 0, 1), emissive=(0.6, 0.6, 0.6))
        context.scene.spawn(box((12.0, 0.2, 12.0)), ceiling, Transform(glm.vec3(0.0, 4.0, 0.0)))
        context.scene.probes.add(Probe(glm.vec3(-6.0, -0.5, -6.0), glm.vec3(6.0, 3.9, 6.0)))


class Parallel(OverMirror):
    """Seen by parallel rays."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        place, aim = glm.vec3(self.place), glm.vec3(self.aim)
        context.scene.camera = Camera(place, aim, near=0.1, height=2.4, depth_range=20.0)


class ParallelMirrored(Parallel):
    """The same with mirror images instead of a floor."""

    floor, mirrored = False, True


class Grazed(Game):
    """A floor of rough metal that a camera sees at all angles, and a ball of it far above."""

    title = "Grazed"
    plugins = ()

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.sky = Sky((0.1, 0.2, 0.6), (0.9, 0.7, 0.5), (0.2, 0.1, 0.1))
        scene.camera = Camera(glm.vec3(0.0, 0.3, 0.0), glm.vec3(0.0, 0.2, -1.0))
        scene.spawn(plane(600, 600), Material((0.9, 0.9, 0.9, 1), metallic=1.0, roughness=0.25))


class Ball(Game):
    """A ball of metal in the sky."""

    title = "Ball"
    plugins = ()

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.sky = Sky((0.1, 0.2, 0.6), (0.9, 0.7, 0.5), (0.2, 0.1, 0.1))
        scene.camera = Camera(glm.vec3(0.0, 0.0, 3.0), glm.vec3(0.0))
        scene.spawn(sphere(1.0), Material((0.9, 0.9, 0.9, 1), metallic=1.0, roughness=0.2), Transform())


def light(backend: VulkanBackend, game: type[Game], frames: int = 2, *, ssr: bool = True, **settings: str) -> Floats:
    """The last of some frames' light, with the effect or without it."""
    choice = chosen(["ssr"], ssr={"fade": "0", **settings}) if ssr else chosen()
    with played(game, backend, EXTENT, choice) as play:
        play.frames(frames)
        return play.light()


def over_floor(light: Floats) -> Floats:
    """The light of texels that show the floor, (n, 3)."""
    return light[floor_points(EXTENT)[0]]


@pytest.mark.parametrize(
    ("game", "plugins"), [(OverMirror, ()), (OverMirror, ("ssao",)), (InPanorama, ()), (InProbe, ())]
)
def test_a_mirror_shows_what_rays_find(backend: VulkanBackend, game: type[Game], plugins: tuple[str, ...]) -> None:
    """The light of the environment is gone there, whatever the environment is."""
    with played(game, backend, EXTENT, chosen(["ssr", *plugins], ssr={"fade": "0"})) as play:
        play.frames(4)
        shown = over_floor(play.light())
    right, seen = mirrored_light(EXTENT)
    assert seen.sum() > 700
    assert (np.abs(shown - right.light)[seen].max(axis=1) < NEAR).mean() > 0.9, "all but the edges of boxes"


def test_these_environments_differ(backend: VulkanBackend) -> None:
    """Or the test above would say nothing of them."""
    _, seen = mirrored_light(EXTENT)
    plain = [over_floor(light(backend, game, 4, ssr=False))[seen].mean() for game in (OverMirror, InPanorama, InProbe)]
    assert plain[0] + 0.1 < min(plain[1:])


def test_elsewhere_a_mirror_shows_the_environment(backend: VulkanBackend) -> None:
    shown, plain = (over_floor(light(backend, OverMirror, ssr=ssr)) for ssr in (True, False))
    right, _ = mirrored_light(EXTENT)
    free = right.share[:, 0] == 0.0
    assert free.sum() > 4000
    assert (np.abs(shown - plain)[free].max(axis=1) > 1e-3).mean() < 0.02, "the edges of boxes"


Rough = Callable[[], tuple[Floats, Floats]]


@pytest.fixture(scope="module")
def rough(backend: VulkanBackend) -> Rough:
    """The rough floor without reflections, and with the mean of many rays."""

    def rendered() -> tuple[Floats, Floats]:
        plain = light(backend, RoughFloor, ssr=False)
        return plain, blurred_light(RoughFloor.roughness, EXTENT, 64).over(plain)

    return functools.cache(rendered)


@pytest.mark.parametrize(("thickness", "bias"), [("0.3", 0.31), ("0.2", 0.25), ("0.1", 0.15)])
def test_a_rough_floor_shows_the_mean_of_many_rays(
    backend: VulkanBackend, rough: Rough, thickness: str, bias: float
) -> None:
    """The thickness assumed for the boxes adds light: some rays that pass behind one are taken to hit it."""
    plain, right = rough()
    shown, one = (light(backend, RoughFloor, frames, roughness="1", thickness=thickness) for frames in (48, 1))
    near = np.abs(right - plain).max(axis=2) > NEAR
    error, first, without = (np.abs(seen - right)[near].mean() for seen in (shown, one, plain))
    assert error < 0.35 * without
    assert error < first, "frames make it better"
    assert abs((shown - right)[near].mean()) < bias * abs((plain - right)[near].mean())


def test_parallel_rays_reflect_as_others_do(backend: VulkanBackend) -> None:
    plain, shown = (light(backend, Parallel, ssr=ssr) for ssr in (False, True))
    mirrored = light(backend, ParallelMirrored, ssr=False)
    images = (np.abs(mirrored - mirrored[-1, 0]).max(axis=2) > 0.1) & (np.abs(plain - plain[-1, 0]).max(axis=2) < 0.01)
    assert images.sum() > 500
    assert (np.abs(shown - mirrored)[images].max(axis=1) < NEAR).mean() > 0.85


@pytest.mark.parametrize("game", [Grazed, Ball])
def test_surfaces_do_not_reflect_themselves(backend: VulkanBackend, game: type[Game]) -> None:
    assert np.array_equal(light(backend, game, 3, thickness="10"), light(backend, game, 3, ssr=False))


class Coated(OverMirror):
    """On a floor with a layer of its own."""

    floor = False
    material = Material((1, 1, 1, 1), metallic=1.0, roughness=0.0, coat=Coat())

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        context.scene.spawn(plane(40, 40), self.material)


class Unlit(Coated):
    """On a floor that is as bright as its colour."""

    material = Material((0.5, 0.5, 0.5, 1), metallic=1.0, roughness=0.0, unlit=True)


@pytest.mark.parametrize("game", [Coated, Unlit])
def test_surfaces_with_further_layers_keep_their_light(backend: VulkanBackend, game: type[Game]) -> None:
    with_plugin, without = light(backend, game), light(backend, game, ssr=False)
    assert np.allclose(with_plugin, without, rtol=HALF_STEP, atol=0.0)


class Forward(OverMirror):
    """By the skeleton without normals."""

    skeleton = "forward"


def test_the_forward_skeleton_leaves_it_out_and_says_why(backend: VulkanBackend) -> None:
    with pytest.raises(PluginError, match=r'"ssr" adds nothing to the frame: .*`normal`'):
        light(backend, Forward)


@pytest.mark.parametrize("settings", [{"intensity": "0"}, {"roughness": "0.25"}])
def test_settings_limit_it(backend: VulkanBackend, settings: dict[str, str]) -> None:
    assert np.array_equal(light(backend, RoughFloor, **settings), light(backend, RoughFloor, ssr=False))


FADES = ((False, "0"), (True, "0"), (True, "0.5"))
"""Without the effect, and with it: with no fade, and with the widest."""


def test_it_fades_towards_the_edges_of_the_picture(backend: VulkanBackend) -> None:
    """At 0.5 only the very middle is as without fading."""
    plain, full, faded = (over_floor(light(backend, OverMirror, ssr=on, fade=fade)) for on, fade in FADES)
    _, seen = mirrored_light(EXTENT)
    changes = [np.abs(shown - plain)[seen].max(axis=1) for shown in (full, faded)]
    assert changes[1].mean() < 0.8 * changes[0].mean()
    assert (changes[1] <= changes[0] + 1e-3).all()


@pytest.mark.parametrize("speed", [0.01, 0.1])
def test_reflections_keep_up_with_the_eye(backend: VulkanBackend, rough: Rough, speed: float) -> None:
    """Many frames of a moving camera, which goes ``speed`` metres in each, are better than one frame."""
    settings = {"fade": "0", "roughness": "1"}
    (plain, right), one = rough(), light(backend, RoughFloor, 1, roughness="1")
    with played(RoughFloor, backend, EXTENT, chosen(["ssr"], ssr=settings)) as play:
        scene = play.session.context.scene
        end = glm.vec3(scene.camera.position)
        for left in range(24, -1, -1):
            scene.camera.position = end + glm.vec3(speed * left, 0.0, 0.0)
            scene.snap_cameras()
            play.frames(1)
        shown = play.light()
    near = np.abs(right - plain).max(axis=2) > NEAR
    assert np.abs(shown - right)[near].mean() < 0.9 * np.abs(one - right)[near].mean()


def test_a_thing_that_leaves_takes_its_reflection_along(backend: VulkanBackend) -> None:
    with played(OverMirror, backend, EXTENT, chosen(["ssr"])) as play:
        play.frames(4)
        for entity in list(play.session.context.scene.entities)[:3]:
            play.session.context.scene.remove(entity)
        play.frames(1)
        left = play.light()
    assert np.ptp(left[-40:], axis=(0, 1)).max() < 0.01, "nothing but the floor"


def test_a_cut_keeps_nothing_of_the_view_before(backend: VulkanBackend, rough: Rough) -> None:
    """The first frame after a cut is as far from the mean of many rays as a first frame is."""
    _, right = rough()
    settings = {"frames": "64", "fade": "0", "roughness": "1"}
    with played(RoughFloor, backend, EXTENT, chosen(["ssr"], ssr=settings)) as play:
        scene = play.session.context.scene
        here = Camera(glm.vec3(scene.camera.position), glm.vec3(scene.camera.target), fov_y=scene.camera.fov_y)
        play.frames(1)
        first = np.abs(play.light() - right).mean()
        scene.camera = Camera(glm.vec3(-2.0, 0.9, 1.0), glm.vec3(0.0, 0.3, 0.0), fov_y=0.75)
        scene.snap_cameras()
        play.frames(20)
        scene.camera = here
        scene.snap_cameras()
        play.frames(1)
        after = np.abs(play.light() - right).mean()
    assert after < 1.1 * first
