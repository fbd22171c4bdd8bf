"""Fog in front of particles, and the sun's shadows on them: as on a blended surface at the same place."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import ClassVar

import numpy as np
import pytest
from particle_scenes import Yard, session_of
from playing import Picture, frames_of
from pyglm import glm

from renderwright.engine.backends import make_backend
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import BackendName, PlayOptions, SettingChange
from renderwright.engine.scene import Image, Material, Transform
from renderwright.engine.scene.primitives import box, plane
from renderwright.plugins.particles import Emitter, Particles
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

BOTH = pytest.mark.parametrize("skeleton", ["deferred", "forward"])
FOG = (SettingChange("fog", "density", "0.2"), SettingChange("fog", "falloff", "0"))
SHAFTS = (SettingChange("volumetric_fog", "density", "0.2"), SettingChange("volumetric_fog", "falloff", "0"))
WHITE = Image("white", np.full((2, 2, 4), 255, np.uint8))
PLACE = glm.vec3(1.0, 0.7, 1.0)
UPRIGHT = glm.angleAxis(np.pi / 2, glm.vec3(1, 0, 0))


class Square(Yard):
    """One square particle of half a metre in front of the box, or a sheet that looks like it."""

    glow: ClassVar[tuple[float, float, float]] = (0.9, 0.2, 0.1)
    opacity, additive, lit, as_sheet, roof = 1.0, False, False, False, False

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        scene = context.scene
        camera = scene.cameras[0]
        camera.position, camera.target = PLACE + glm.vec3(0, 0, 4), PLACE
        scene.snap_cameras()
        scene.sun.direction = glm.vec3(0.0, -1.0, -1.0)
        if self.roof:
            scene.spawn(box(1.0), Material(), Transform(PLACE + glm.vec3(0, 2.2, 2), scale=glm.vec3(3, 0.1, 3)))
        if self.as_sheet:
            sheet = Material((0, 0, 0, self.opacity), 1.0, 1.0, self.glow, double_sided=True, alpha_mode="blend")
            scene.spawn(plane(1.0, 1.0), sheet, Transform(PLACE, UPRIGHT))
            return
        still = Particles(
            lifetime=(9.0, 9.0),
            speed=(0.0, 0.0),
            gravity=(0.0, 0.0, 0.0),
            sizes=(0.5,),
            colors=((*self.glow, self.opacity),),
            image=WHITE,
            additive=self.additive,
            lit=self.lit,
        )
        scene.placed.add(Emitter(still, PLACE, rate=0.0, most=1)).burst(1)


def game_of(skeleton: str = "deferred", **values: object) -> type[Game]:
    return type("Given", (Square,), {"skeleton": skeleton, **values})


def picture_of(backend: Backend, game: type[Game], *enable: str, settings: Sequence[SettingChange] = ()) -> Picture:
    with closing(session_of(backend, game, *enable, settings=settings)) as session:
        return frames_of(session, 4)[-1][..., :3]


def middle_of(picture: Picture) -> np.ndarray:
    """The linear light in the middle of the particle."""
    rows, columns = picture.shape[:2]
    color = picture[rows // 2 - 3 : rows // 2 + 3, columns // 2 - 3 : columns // 2 + 3].mean(axis=(0, 1))
    return np.where(color <= 10.0, color / 255.0 / 12.92, ((color / 255.0 + 0.055) / 1.055) ** 2.4)


@pytest.mark.parametrize("opacity", [1.0, 0.5])
@pytest.mark.parametrize(("fog", "settings"), [("fog", FOG), ("volumetric_fog", SHAFTS)], ids=["fog", "volumetric"])
@BOTH
def test_fog_veils_a_particle_as_a_blended_sheet(
    backend: VulkanBackend, skeleton: str, fog: str, settings: Sequence[SettingChange], opacity: float
) -> None:
    particle, sheet = (
        picture_of(backend, game_of(skeleton, as_sheet=as_sheet, opacity=opacity), fog, settings=settings)
        for as_sheet in (False, True)
    )
    assert np.abs(middle_of(particle) - middle_of(sheet)).max() < 0.01
    clear = picture_of(backend, game_of(skeleton, opacity=opacity))
    assert np.abs(middle_of(particle) - middle_of(clear)).max() > 0.1, "there is fog in front of it"


@pytest.mark.parametrize(("fog", "settings"), [("fog", FOG), ("volumetric_fog", SHAFTS)], ids=["fog", "volumetric"])
def test_fog_dims_a_particle_that_only_adds_light(
    backend: VulkanBackend, fog: str, settings: Sequence[SettingChange]
) -> None:
    glowing, dark = (game_of(additive=True, glow=(glow, glow, glow)) for glow in (0.2, 0.0))
    clear = middle_of(picture_of(backend, glowing)) - middle_of(picture_of(backend, dark))
    veiled = middle_of(picture_of(backend, glowing, fog, settings=settings))
    behind = middle_of(picture_of(backend, dark, fog, settings=settings))
    assert clear == pytest.approx(0.2, abs=0.01)
    assert veiled - behind == pytest.approx(0.2 * np.exp(-0.2 * 4.0), abs=0.01), "what 4 m of the fog let through"


@BOTH
def test_the_sun_does_not_reach_a_lit_particle_in_the_shade(backend: VulkanBackend, skeleton: str) -> None:
    class Sunless(Square):
        def setup(self, context: GameContext) -> None:
            super().setup(context)
            context.scene.sun.intensity = 0.0

    lit = {"lit": True, "glow": (0.8, 0.8, 0.8)}
    shade, sun = (
        middle_of(picture_of(backend, game_of(skeleton, roof=roof, **lit), "shadows")) for roof in (True, False)
    )
    sunless = type("SunlessGiven", (Sunless,), {"skeleton": skeleton, **lit})
    assert shade == pytest.approx(middle_of(picture_of(backend, sunless)), abs=0.01)
    assert sun == pytest.approx(middle_of(picture_of(backend, game_of(skeleton, **lit))), abs=0.01)
    assert (sun > shade + 0.2).all()


def test_so_it_is_on_opengl(backend: VulkanBackend) -> None:
    game = game_of(lit=True, roof=True)
    plugins = ("fog", "volumetric_fog", "shadows")
    with closing(make_backend(PlayOptions(game, backend=BackendName.OPENGL))) as opengl:
        apart = picture_of(opengl, game, *plugins).astype(int) - picture_of(backend, game, *plugins)
    assert np.abs(apart).mean() < 0.2
