"""What particles look like: in each kind of view, on each skeleton and backend, before and behind opaque surfaces."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest
from particle_scenes import EXTENT, Fountain, Yard, session_of
from playing import Picture, flip, frames_of
from pyglm import glm

from renderwright.engine.backends import make_backend
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import BackendName, PlayOptions, SettingChange
from renderwright.engine.scene import Camera
from renderwright.plugins.particles import Emitter, Particles
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

BOTH = pytest.mark.parametrize("skeleton", ["deferred", "forward"])
FRAMES = 6
FOV = Camera(glm.vec3(0.0), glm.vec3(0.0, 0.0, 1.0)).fov_y


def of_skeleton(skeleton_name: str, game: type[Game]) -> type[Game]:
    return type(f"{game.__name__}In{skeleton_name.title()}", (game,), {"skeleton": skeleton_name})


def picture_of(backend: Backend, game: type[Game], *enable: str, **more: object) -> Picture:
    """The picture after some frames, without alpha."""
    with closing(session_of(backend, game, *enable, **more)) as session:
        return frames_of(session, FRAMES)[-1][..., :3]


def spots(backend: Backend, game: type[Game], *enable: str, **more: object) -> Picture:
    """Where particles change the picture."""
    without = picture_of(backend, game, *enable, particles=False, **more)
    return np.abs(picture_of(backend, game, *enable, **more).astype(int) - without).max(axis=2) > 8


@BOTH
def test_each_player_sees_what_one_alone_would(backend: VulkanBackend, skeleton: str) -> None:
    game = of_skeleton(skeleton, Fountain)
    no_line = SettingChange("split_screen", "separator", "0")
    width, height = EXTENT
    both = picture_of(backend, game, "split_screen", players=2, settings=(no_line,), extent=(2 * width, height))
    assert np.array_equal(both[:, :width], picture_of(backend, game))
    assert not np.array_equal(both[:, width:], both[:, :width])


@pytest.mark.parametrize("views", ["vr", "ssaa"])
def test_eyes_and_samples_show_them(backend: VulkanBackend, views: str) -> None:
    settings = [SettingChange("vr", "poses", "still"), SettingChange("vr", "fill", "false")] if views == "vr" else []
    shown = spots(backend, Fountain, views, settings=settings)
    halves = np.hsplit(shown, 2) if views == "vr" else [shown]
    for half in halves:
        assert half.mean() > 0.004


class SmokingFountain(Fountain):
    """The same with smoke that the scene lights."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        smoke = Particles(radius=0.5, sizes=(0.2, 0.4), additive=False, lit=True, softness=0.2)
        context.scene.placed.add(Emitter(smoke, glm.vec3(0.5, 0.8, 0.3), rate=1000.0))


@BOTH
def test_they_look_the_same_on_opengl(backend: VulkanBackend, skeleton: str) -> None:
    game = of_skeleton(skeleton, SmokingFountain)
    with closing(make_backend(PlayOptions(game, backend=BackendName.OPENGL))) as opengl:
        assert flip(picture_of(backend, game), picture_of(opengl, game)) < 0.002


class BehindTheBox(Yard):
    """Sparks close behind the box, and of the size of the box."""

    sparks = Particles((5.0, 5.0), (0.0, 0.0), gravity=(0.0, 0.0, 0.0), sizes=(0.2,), colors=((1.0, 1.0, 1.0, 1.0),))
    place = glm.vec3(1.0, 0.5, -0.8)

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        camera = context.scene.cameras[0]
        camera.position, camera.target = glm.vec3(1.0, 0.5, 4.0), glm.vec3(1.0, 0.5, 0.0)
        context.scene.placed.add(Emitter(self.sparks, self.place, rate=100.0))


def test_opaque_surfaces_hide_them(backend: VulkanBackend) -> None:
    before = type("BeforeTheBox", (BehindTheBox,), {"place": glm.vec3(1.0, 0.5, 1.0)})
    assert not spots(backend, BehindTheBox).any()
    assert spots(backend, before).any()


def test_a_particle_is_round_and_as_large_as_told(backend: VulkanBackend) -> None:
    class One(BehindTheBox):
        place = glm.vec3(1.0, 0.5, 1.5)

        def setup(self, context: GameContext) -> None:
            super().setup(context)
            context.scene.placed.clear()
            bright = Particles((5.0, 5.0), (0.0, 0.0), gravity=(0, 0, 0), sizes=(0.4,), colors=((1e3, 1e3, 1e3, 1),))
            context.scene.placed.add(Emitter(bright, self.place, rate=0.0, most=1)).burst(1)

    shown = spots(backend, One)
    rows, columns = np.flatnonzero(shown.any(axis=1)), np.flatnonzero(shown.any(axis=0))
    height = EXTENT[1]
    radius = 0.4 / 2.5 / np.tan(0.5 * FOV) * height / 2.0
    for places, middle in ((rows, height / 2.0), (columns, EXTENT[0] / 2.0)):
        assert abs(places.min() - (middle - radius)) < 1.6
        assert abs(places.max() + 1 - (middle + radius)) < 1.6
    assert abs(shown.sum() / (np.pi * radius**2) - 1.0) < 0.12


def test_brightness_scales_their_light(backend: VulkanBackend) -> None:
    dark = SettingChange("particles", "brightness", "0")
    assert np.array_equal(
        picture_of(backend, Fountain, settings=(dark,)), picture_of(backend, Fountain, particles=False)
    )


class OneBall(BehindTheBox):
    """One large particle that hides what is behind it, in front of the box, in the middle of the picture."""

    lit, glow, softness = False, 1.0, 0.0
    place = glm.vec3(1.0, 0.5, 1.5)

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        context.scene.placed.clear()
        color = (self.glow, self.glow, self.glow, 1.0)
        ball = Particles(
            lifetime=(5.0, 5.0),
            speed=(0.0, 0.0),
            gravity=(0.0, 0.0, 0.0),
            sizes=(0.4,),
            colors=(color,),
            additive=False,
            lit=self.lit,
            softness=self.softness,
        )
        context.scene.placed.add(Emitter(ball, self.place, rate=0.0, most=1)).burst(1)


def middle_of(picture: Picture) -> np.ndarray:
    height, width = picture.shape[:2]
    return picture[height // 2, width // 2].astype(int)


@BOTH
def test_lit_particles_reflect_the_light_of_the_scene(backend: VulkanBackend, skeleton: str) -> None:
    class InTheSun(OneBall):
        lit, glow, sun = True, 0.5, glm.vec3(0.0, -0.2, -1.0)

        def setup(self, context: GameContext) -> None:
            super().setup(context)
            context.scene.sun.direction = self.sun

    from_behind = type("AgainstTheSun", (InTheSun,), {"sun": glm.vec3(0.0, -0.2, 1.0)})
    bright, dark = (middle_of(picture_of(backend, of_skeleton(skeleton, game))) for game in (InTheSun, from_behind))
    assert (bright > dark + 30).all()


def test_lit_ones_do_not_change_those_that_glow(backend: VulkanBackend) -> None:
    class Both(OneBall):
        def setup(self, context: GameContext) -> None:
            super().setup(context)
            far = Particles(lit=True, colors=((0.0, 0.0, 0.0, 0.0),))
            context.scene.placed.add(Emitter(far, glm.vec3(0.0, -50.0, 0.0)))

    assert np.array_equal(picture_of(backend, Both), picture_of(backend, OneBall))


def test_soft_particles_fade_out_near_surfaces(backend: VulkanBackend) -> None:
    # The front of the box is at z = 0.5, the particle 1 m before it.
    shares = []
    for softness in (0.0, 1.0, 2.0):
        picture = picture_of(backend, type("Soft", (OneBall,), {"softness": softness, "glow": 0.0}))
        shares.append(
            1.0 - _linear(middle_of(picture)) / _linear(middle_of(picture_of(backend, OneBall, particles=False)))
        )
    assert np.allclose(shares[:2], [np.ones(3)] * 2, atol=0.03)
    assert np.allclose(shares[2], 0.5, atol=0.03)


def _linear(color: np.ndarray) -> np.ndarray:
    return ((color / 255.0 + 0.055) / 1.055) ** 2.4
