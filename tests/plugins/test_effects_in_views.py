"""Every effect with two players, two eyes, and both: each view's picture is the one that it would have alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace

import numpy as np
import pytest
from playing import Picture, frames_of
from pyglm import glm
from view_scenes import (
    EYES,
    VISIBLE,
    MovingCompany,
    change_settings,
    cut,
    session_of,
    show_only,
    single,
)

from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import Image, PointLight, RectangleLight, Scene, SpotLight
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.scene.transform import Transform
from renderwright.engine.views import ViewSet
from renderwright.plugins.cookies import Cookie
from renderwright.plugins.decals import Decal
from renderwright.plugins.particles import Emitter, Particles
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.types.resources import Extent

pytestmark = pytest.mark.vulkan

EFFECTS = (
    *("bloom", "depth_of_field", "fog", "fxaa", "grading", "motion_blur", "outline"),
    *("contact_shadows", "shadows", "ssao", "ssr", "taa", "tonemap", "volumetric_fog"),
)
PLACING = ("cookies", "decals", "particles")
"""Plugins of what ``GlassCompany`` places."""
DEFERRED = frozenset({"ssr"})
"""Effects that the forward skeleton leaves out."""
SETTINGS = {**VISIBLE, "tonemap.auto_exposure": "true"}
SHARED = frozenset({"shadows", "tonemap"})
"""Effects that do something once for both eyes of a player: shadow maps, one exposure."""
ALL = (EFFECTS, (*EFFECTS, "upscaling"))
"""All at once but the one that repeats everything for its samples, with the scene at full size and upscaled."""
OF_VIEWS = (("shadows", "taa", "tonemap"), ("ssaa",))
"""What does something for views or keeps something of each, without what hides it."""
STEPS = (
    *(("bloom", "ssr"), ("depth_of_field", "ssao"), ("contact_shadows", "fog", "grading")),
    *(("fxaa", "volumetric_fog"), ("motion_blur", "outline")),
    *(("shadows",), ("taa",), ("tonemap",), ("ssaa",), ("upscaling",)),
)
"""What is on at once: effects in twos and threes, few enough that none covers what another does; then each that does
something for views, or keeps something of each, by itself."""
FRAMES = 2


class GlassCompany(MovingCompany):
    """The same with panes of coloured glass, and a lattice, around the box, and smoke among them."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        for number, color in enumerate([(0.9, 0.2, 0.2, 0.4), (0.2, 0.9, 0.2, 0.3), (0.2, 0.3, 0.9, 0.5)]):
            pane = Material(color, roughness=0.2, alpha_mode="blend", double_sided=True)
            place = glm.vec3(0.9 * math.cos(2.1 * number), 0.6, 0.9 * math.sin(2.1 * number))
            context.scene.spawn(box(0.6), pane, Transform(place))
        lattice = np.full((8, 8, 4), 255, np.uint8)
        lattice[::2, ::2, 3] = 0
        leaf = Material(base_color_image=Image("lattice", lattice), alpha_mode="mask", double_sided=True)
        hair = replace(leaf, alpha_hashed=True)
        context.scene.spawn(plane(0.8, 0.8), hair, Transform(glm.vec3(0.5, 1.2, -0.6)))
        smoke = Particles(radius=0.5, sizes=(0.2,), additive=False, lit=True, softness=0.2)
        context.scene.placed.add(Emitter(smoke, glm.vec3(0.3, 0.8, 0.3), rate=500.0))
        if self.skeleton == "deferred":
            place_decals(context.scene)
        lamp = context.scene.add_light(SpotLight(glm.vec3(1.0, 3.0, 1.5), glm.vec3(-0.3, -1.0, -0.5), intensity=20.0))
        context.scene.placed.add(Cookie(lamp, Image("lattice", lattice)))
        self.box = context.scene.spawn(plane(0.8, 0.8), leaf, Transform(glm.vec3(-0.4, 1.3, 0.3)))


def place_decals(scene: Scene) -> None:
    """Project a pattern onto the ground, and a wet patch onto it and the box."""
    spots = np.zeros((16, 16, 4), np.uint8)
    spots[::2] = (255, 200, 20, 255)
    scene.placed.add(Decal(Image("spots", spots), glm.vec3(0.5, 0.0, 1.0), size=(1.6, 1.6, 0.4), rotation=0.3))
    bumps = Image("bumps", np.full((2, 2, 4), (190, 128, 230, 255), np.uint8), srgb=False)
    wet = Decal(None, glm.vec3(0.2, 0.5, 0.3), size=(1.5, 1.5, 1.5), tint=(0.1, 0.2, 0.4), opacity=0.6)
    wet.normal_image, wet.roughness, wet.metallic, wet.order = bumps, 0.1, 0.5, 1.0
    scene.placed.add(wet)


class ForwardGlass(GlassCompany):
    """The same by the forward skeleton."""

    skeleton = "forward"


class Run:
    """A session in which effects come and go.

    Runs with the same effects one after another have the same frames, to the time and to TAA's jitter, whatever they
    show of them.
    """

    def __init__(
        self,
        backend: VulkanBackend,
        extent: Extent,
        players: int,
        views: Sequence[str],
        game: type[Game] = MovingCompany,
        settings: Mapping[str, str] = SETTINGS,
    ) -> None:
        self.session = session_of(
            backend,
            extent,
            game=game,
            players=players,
            enable=views,
            disable=(*MovingCompany.plugins, *PLACING),
            **EYES,
            **{"split_screen.separator": "0"},
        )
        change_settings(self.session, settings)

    def picture(self, effects: Sequence[str], extent: Extent | None = None) -> Picture:
        """The last of the next frames, with these effects."""
        for effect in effects:
            self.session.toggle(effect)
        try:
            return frames_of(self.session, FRAMES, extent)[-1]
        finally:
            for effect in effects:
                self.session.toggle(effect)

    def picture_of(self, effects: Sequence[str], views: ViewSet, index: Mapping[str, int]) -> Picture:
        """The same of one of the views, on an output of its size, without the others."""
        one = single(views, index, pair=not SHARED.isdisjoint(effects))
        show_only(self.session, one)
        return self.picture(effects, one.output)[:, : views.viewport[0]]

    @property
    def views(self) -> ViewSet:
        """What the last frame showed."""
        return self.session._input.views

    def close(self) -> None:
        self.session.close()


@pytest.mark.parametrize(
    ("players", "eyes", "extent"),
    [(2, 1, (128, 36)), (1, 2, (112, 62)), (2, 2, (112, 124))],
    ids=["2 views", "stereo", "2 views x 2 eyes"],
)
def test_each_view_is_as_if_it_were_alone(backend: VulkanBackend, players: int, eyes: int, extent: Extent) -> None:
    # Four views have all effects with the scene at both sizes, two of either kind at one of them.
    steps = ALL if players == eyes else (*OF_VIEWS, ALL[eyes - 1])
    every = range(players * eyes)
    _assert_views_are_as_if_alone(backend, players, eyes, extent, MovingCompany, steps, numbers=every)


def test_so_it_is_with_each_effect(backend: VulkanBackend) -> None:
    # The second and the third of four have neither player nor eye in common: each is another one if an effect takes
    # what belongs to the first view, the last one, the first player, the first eye, or to eyes and players swapped.
    _assert_views_are_as_if_alone(backend, 2, 2, (112, 124), MovingCompany, STEPS, numbers=(1, 2))


@pytest.mark.parametrize("game", [GlassCompany, ForwardGlass])
def test_so_it_is_with_masked_and_transparent_surfaces(backend: VulkanBackend, game: type[Game]) -> None:
    effects = [effect for effect in EFFECTS if game is GlassCompany or effect not in DEFERRED]
    every = (*effects, *PLACING)
    # Both skeletons have all effects at one of the two sizes: ``EFFECTS`` have both in a test above. The surfaces are
    # seen as well with what is placed among them as without.
    steps = (("oit",), PLACING, (*every, "upscaling") if game is ForwardGlass else every)
    _assert_views_are_as_if_alone(backend, 2, 2, (112, 124), game, steps)


class LampCompany(MovingCompany):
    """The same between more lamps than have a channel of their own, and a rectangle light."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        for number in range(5):
            place = glm.vec3(1.8 * math.sin(number), 1.2, 1.8 * math.cos(number))
            context.scene.add_light(PointLight(place, (1.0, 0.2 * number, 0.5), 2.0, 5.0, casts_shadow=True))
        above = glm.vec3(0.0, 2.5, -1.0)
        context.scene.add_light(RectangleLight(above, width=1.5, height=0.5, intensity=2.0, casts_shadow=True))


class ForwardLamps(LampCompany):
    """The same by the forward skeleton."""

    skeleton = "forward"


@pytest.mark.parametrize("game", [LampCompany, ForwardLamps])
def test_so_it_is_with_shadows_of_many_lights(backend: VulkanBackend, game: type[Game]) -> None:
    _assert_views_are_as_if_alone(backend, 2, 2, (112, 124), game, (("shadows",), ("shadows", "upscaling")))


@pytest.mark.parametrize(
    ("skeleton", "others"), [("deferred", ((), ("shadows", "upscaling"))), ("forward", (("taa",), ("shadows",)))]
)
def test_so_it_is_with_fog_over_frames(backend: VulkanBackend, skeleton: str, others: Sequence[Sequence[str]]) -> None:
    """No node of the fog knows the skeleton, so each has some of what may be on with it."""
    game = type("Foggy", (MovingCompany,), {"skeleton": skeleton})
    settings = {**SETTINGS, "volumetric_fog.temporal": "true"}
    first, second = (("volumetric_fog", *some) for some in others)
    # A frame without it ends its history, as a change of the number of eyes does.
    _assert_views_are_as_if_alone(backend, 2, 2, (112, 124), game, (first, (), second), settings)


def _assert_views_are_as_if_alone(
    backend: VulkanBackend,
    players: int,
    eyes: int,
    extent: Extent,
    game: type[Game],
    steps: Sequence[Sequence[str]],
    settings: Mapping[str, str] = SETTINGS,
    numbers: Sequence[int] = (0, 3),
) -> None:
    """Compare the views with these numbers. Of four, the first and the last have each player and each eye; that none is
    taken for another with the same player or eye is the first test's to see."""
    headset = ["vr"] if eyes > 1 else []
    with ExitStack() as runs:

        def start(*views: str) -> Run:
            run = Run(backend, extent, players, (*views, *headset), game, settings)
            runs.callback(run.close)
            return run

        together = start("split_screen")
        alone = [start() for _ in numbers]
        for effects in steps:
            picture = together.picture(effects)
            instances = [(index, view) for index, view in together.views.instances() if not index.get("sample")]
            shown = [cut(picture, view.rectangle) for _, view in instances]
            assert len(shown) == players * eyes
            assert min(seen.std() for seen in shown) > 8, "there is something to see"
            for number, run in zip(numbers, alone, strict=True):
                index = instances[number][0]
                same = np.array_equal(shown[number], run.picture_of(effects, together.views, index))
                assert same, (effects, index)
            assert len({seen.tobytes() for seen in shown}) == len(shown), "no view shows what another does"


def test_split_screen_and_vr_change_nothing_for_one_player_without_a_headset(backend: VulkanBackend) -> None:
    extent = (64, 36)
    with ExitStack() as runs:
        plain, installed = (Run(backend, extent, 1, views) for views in ((), ("split_screen", "vr")))
        for run in (plain, installed):
            runs.callback(run.close)
        installed.session.toggle("vr")
        for effects in (*OF_VIEWS, *ALL):
            same = np.array_equal(installed.picture(effects), plain.picture(effects))
            assert same, effects
