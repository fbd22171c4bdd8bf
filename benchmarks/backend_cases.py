"""The ways to play a game that ``renderwright bench backends`` compares."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from pyglm import glm

from renderwright.engine.game import Game
from renderwright.engine.options import SettingChange
from renderwright.engine.scene import Image, Material, Scene, SpotLight, Transform, Volume
from renderwright.engine.scene.primitives import sphere
from renderwright.plugins.cookies import Cookie
from renderwright.plugins.decals import Decal
from renderwright.plugins.particles import Emitter, Particles

EFFECTS = (
    *("bloom", "contact_shadows", "depth_of_field", "fog", "fxaa", "grading", "motion_blur", "outline"),
    *("shadows", "ssao", "ssr", "taa", "tonemap", "volumetric_fog"),
)
DEFERRED = ("ssr",)
"""Effects that the forward skeleton leaves out."""
SKELETONS = ("deferred", "forward")


@dataclass(frozen=True)
class Case:
    """A way to play a game, on its own skeleton ('') or on another one. The plugins in ``toggled`` are switched in
    mid-run, one after each frame from the third on; ``resized`` halves the picture and restores it; ``dynamic`` changes
    the dynamic resolution. ``furnish`` adds to the scene."""

    name: str
    skeleton: str = ""
    enable: tuple[str, ...] = ()
    disable: tuple[str, ...] = ()
    settings: tuple[SettingChange, ...] = ()
    players: int = 1
    toggled: tuple[str, ...] = ()
    resized: bool = False
    dynamic: bool = False
    furnish: Callable[[Scene], None] | None = None


def cases(game: type[Game]) -> Iterator[Case]:
    """Every skeleton, effect and kind of view."""
    none = tuple(dict.fromkeys((*EFFECTS, *game.plugins)))
    for skeleton in dict.fromkeys((game.skeleton, *SKELETONS)):
        yield Case(f"{skeleton}, the game's plugins", skeleton)
        yield Case(f"{skeleton}, no plugin", skeleton, disable=none)
    for effect in EFFECTS:
        yield Case(effect, enable=(effect,), disable=tuple(name for name in EFFECTS if name != effect))
    for name, furnish in (("decals", _decals), ("particles", _particles), ("cookies", _cookie)):
        yield Case(name, enable=(name,), disable=EFFECTS, furnish=furnish)
    yield Case("glass", disable=EFFECTS, furnish=_glass)
    yield Case("all effects", enable=EFFECTS)
    forward = tuple(name for name in EFFECTS if name not in DEFERRED)
    yield Case("all effects, forward", SKELETONS[1], enable=forward)
    yield Case("split screen, 2 players", enable=EFFECTS, players=2)
    yield Case("split screen, 4 players", players=4)
    yield Case("stereo", enable=("vr",))
    yield Case("stereo, 2 players", enable=("vr",), players=2)
    yield Case("upscaling", enable=("upscaling",), disable=EFFECTS)
    yield Case("upscaling, all effects", enable=(*EFFECTS, "upscaling"))
    yield Case("upscaling, stereo", enable=("vr", "upscaling"))
    yield Case("4 samples", enable=("ssaa",), settings=(SettingChange("ssaa", "samples", "4"),))
    yield Case("shadows at a rate", enable=("shadows",), settings=(SettingChange("shadows", "rate", "4"),))
    yield Case("toggles in mid-run", toggled=("taa", "ssao", "bloom", "taa"))
    yield Case("a resize in mid-run", enable=EFFECTS, resized=True)
    yield Case("dynamic resolution", enable=EFFECTS, dynamic=True)


def _decals(scene: Scene) -> None:
    """Noise in colour, and a patch with all else that decals change, each in a box that holds much of the scene."""
    colors = np.random.default_rng(1).integers(0, 256, (64, 64, 4)).astype(np.uint8)
    bent = np.random.default_rng(2).integers(90, 166, (64, 64, 4)).astype(np.uint8)
    bent[..., 2:] = 255
    size = (6.0, 6.0, 6.0)
    scene.placed.add(Decal(Image("noise", colors), glm.vec3(-2.0, 0.0, 0.0), size=size, rotation=0.4))
    normals = Image("bent", bent, srgb=False)
    place = glm.vec3(2.0, 0.0, 0.0)
    scene.placed.add(Decal(None, place, size=size, tint=None, normal_image=normals, roughness=0.2, metallic=0.7))


def _particles(scene: Scene) -> None:
    """Smoke that is lit, and sparks that shine through it."""
    smoke = Particles(
        direction=(0.0, 1.0, 0.0), radius=1.0, sizes=(0.3, 0.8), additive=False, lit=True, softness=0.3, drag=1.0
    )
    sparks = Particles(speed=(2.0, 4.0), spread=1.2, colors=((8.0, 4.0, 1.0, 1.0), (4.0, 0.5, 0.1, 0.0)))
    for particles, place, number in ((smoke, glm.vec3(-1.5, 0.5, 0.0), 200), (sparks, glm.vec3(1.0), 400)):
        scene.placed.add(Emitter(particles, place, rate=0.0, most=number)).burst(number)


def _cookie(scene: Scene) -> None:
    """Coloured panes from above."""
    place, towards = glm.vec3(1.0, 6.0, 3.0), glm.vec3(-0.2, -1.0, -0.5)
    lamp = SpotLight(place, towards, intensity=300.0, inner_angle=0.5, outer_angle=0.6)
    scene.add_light(lamp)
    panes = np.random.default_rng(3).integers(0, 256, (4, 4, 4)).astype(np.uint8)
    panes[..., 3] = 255
    scene.placed.add(Cookie(lamp, Image("panes", panes.repeat(16, axis=0).repeat(16, axis=1))))


def _glass(scene: Scene) -> None:
    """A clear ball, a coloured one with a body, and a rough one."""
    white = (1.0, 1.0, 1.0, 1.0)
    materials = (
        Material(white, roughness=0.0, transmission=1.0),
        Material(white, roughness=0.0, transmission=1.0, volume=Volume(1.0, (0.9, 0.3, 0.2))),
        Material((0.7, 0.9, 1.0, 1.0), roughness=0.4, transmission=1.0),
    )
    for number, material in enumerate(materials):
        scene.spawn(sphere(0.7), material, Transform(glm.vec3(2.0 * number - 2.0, 0.8, 0.5)))
