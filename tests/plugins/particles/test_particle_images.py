"""Particles with images, of which each is cut into cells."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pytest
from particle_scenes import EXTENT, SPARKS, Yard, session_of
from playing import Picture, flip, frames_of
from pyglm import glm

from renderwright.engine.backends import make_backend
from renderwright.engine.game import GameContext
from renderwright.engine.options import BackendName, PlayOptions, SettingChange
from renderwright.engine.renderer.placed_layers import MOST_LAYERS
from renderwright.engine.scene import Camera, DirectionalLight, Image
from renderwright.plugins.particles import Emitter, Particles
from renderwright.plugins.particles.sheet import Sheet, SheetLayers
from renderwright.plugins.particles.table import EmitterTable
from renderwright.render import UsageError
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend

RED, GREEN, BLUE, CLEAR = (255, 0, 0, 255), (0, 255, 0, 128), (0, 0, 255, 255), (255, 255, 255, 0)
LIFE = 1.0
SIZE = 0.5
AWAY = 3.0


def sheet(columns: int, rows: int, side: int = 16) -> Image:
    """An image with a grey of its own in each cell."""
    greys = np.arange(columns * rows, dtype=np.uint8).reshape(rows, columns)
    pixels = np.full((rows * side, columns * side, 4), 255, np.uint8)
    pixels[..., :3] = np.kron(greys, np.ones((side, side), np.uint8))[..., None]
    return Image("sheet", pixels)


def quarters(side: int = 32) -> Image:
    """Two cells side by side: one with four colours, and one that is blue."""
    colors = np.array([[RED, GREEN, BLUE, BLUE], [CLEAR, BLUE, BLUE, BLUE]], np.uint8)
    return Image("quarters", np.repeat(np.repeat(colors, side, axis=0), side, axis=1))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"image": 3}, "the image of particles cannot be 3"),
        ({"image": Image("dents", np.zeros((2, 2, 4), np.uint8), srgb=False)}, '"dents" of particles is not marked'),
        ({"image": Image("tile", np.zeros((2, 2, 4), np.uint8), filter="nearest")}, '"tile" of particles cannot be'),
        ({"image": sheet(3, 1), "cells": (2, 3)}, "of 48 x 16 texels has no 2 x 3 cells"),
        ({"image": sheet(18, 16), "cells": (18, 16)}, "has 288 cells, and 256 are possible"),
        ({"image": sheet(2, 2), "cells": (2, 0)}, "cells cannot be"),
        ({"image": sheet(2, 2), "cells": (1.0, 2)}, "cells cannot be"),
        ({"cells": (2, 2)}, "cells cannot be"),
        ({"image": sheet(2, 2), "plays": 0.0}, "plays cannot be"),
    ],
)
def test_images_that_particles_cannot_have_are_refused(values: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words) as refused:
        Particles(**values)
    assert refused.value.where is not None
    assert refused.value.where.file == __file__


def test_too_many_images_are_refused_where_they_are_placed() -> None:
    table = EmitterTable()
    many = sheet(16, 16, 1)
    table.add(Emitter(Particles(image=many, cells=(16, 16))))
    table.add(Emitter(Particles(image=many, cells=(16, 16))))
    with pytest.raises(UsageError, match="have 257 cells, and there is room for 256"):
        table.add(Emitter(Particles(image=sheet(1, 1))))
    assert len(table) == 2


def test_sheets_keep_their_layers_and_share_one_size() -> None:
    layers = SheetLayers()
    first, second, third = Sheet(sheet(2, 2), (2, 2)), Sheet(sheet(3, 1, 20), (3, 1)), Sheet(sheet(2, 1), (2, 1))
    layers.follow([first, second])
    assert layers.placed is not None
    assert layers.placed.texels.shape == (8, 32, 32, 4)
    assert [layers.first(first), layers.first(second)] == [0, 4]
    assert [int(texels[0, 0, 0]) for texels in layers.placed.texels[:7]] == [0, 1, 2, 3, 0, 1, 2]
    kept = layers.placed
    layers.follow([second])
    assert layers.placed is kept
    layers.follow([second, third])
    assert [layers.first(third), layers.first(second)] == [0, 4]
    layers.follow([])
    assert layers.placed is None
    assert MOST_LAYERS >= 8


class Card(Yard):
    """A particle with an image, seen from the front, on an even sky."""

    particles = Particles(
        (LIFE, LIFE), (0.0, 0.0), gravity=(0, 0, 0), sizes=(SIZE,), colors=((1.0,) * 4,), additive=False
    )
    image: Image | None = quarters()
    cells: tuple[int, int] = (2, 1)
    changes: ClassVar[dict[str, Any]] = {}

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        context.scene.cameras[:] = [Camera(glm.vec3(0.0, 50.0, AWAY), glm.vec3(0.0, 50.0, 0.0))] * 2
        context.scene.snap_cameras()
        context.scene.sun = DirectionalLight(glm.vec3(0.0, 0.0, -1.0), (1.0, 1.0, 1.0), 3.0)
        sheet = {} if self.image is None else {"image": self.image, "cells": self.cells}
        particles = replace(self.particles, **self.changes, **sheet)
        context.scene.placed.add(Emitter(particles, glm.vec3(0.0, 50.0, 0.0), rate=0.0, most=1)).burst(1)


class NoCard(Card):
    """A soft disk instead."""

    image = None


def picture_of(
    backend: Backend,
    frames: int,
    *enable: str,
    game: type[Card] = Card,
    changes: dict[str, Any] | None = None,
    **more: Any,
) -> Picture:
    shown = type("Shown", (game,), {"changes": changes or {}})
    with closing(session_of(backend, shown, *enable, frame=Card.step, **more)) as session:
        return frames_of(session, frames)[-1][..., :3]


def linear(color: np.ndarray) -> np.ndarray:
    return np.where(color / 255.0 <= 0.04045, color / 255.0 / 12.92, ((color / 255.0 + 0.055) / 1.055) ** 2.4)


def in_quarters(picture: Picture) -> list[np.ndarray]:
    """The linear colours in the middle of the image's quarters, from left to right, then from top to bottom."""
    width, height = EXTENT
    camera = Camera(glm.vec3(0.0), glm.vec3(0.0, 0.0, 1.0))
    texels = 0.5 * SIZE / AWAY / np.tan(0.5 * camera.fov_y) * height / 2
    rows, columns = ([round(side / 2 - 0.5 + sign * texels) for sign in (-1, 1)] for side in (height, width))
    return [linear(picture[row, column]) for row in rows for column in columns]


@pytest.mark.vulkan
class TestPictures:
    def test_an_image_is_upright_and_its_alpha_is_coverage(self, backend: VulkanBackend) -> None:
        self.judge(backend)

    def test_so_it_is_on_opengl(self) -> None:
        with closing(make_backend(PlayOptions(Card, backend=BackendName.OPENGL))) as opengl:
            self.judge(opengl)

    def judge(self, backend: Backend) -> None:
        sky = in_quarters(picture_of(backend, 4, particles=False))
        shown = in_quarters(picture_of(backend, 4))
        half = 128 / 255
        expected = [(1, 0, 0), sky[1] * (1 - half) + np.array((0, half, 0)), sky[2], (0, 0, 1)]
        assert np.allclose(shown, expected, atol=0.012)

    def test_additive_ones_only_add_light(self, backend: VulkanBackend) -> None:
        sky = in_quarters(picture_of(backend, 4, particles=False))
        shown = in_quarters(picture_of(backend, 4, changes={"additive": True}))
        half = 128 / 255
        light = np.array([(1, 0, 0), (0, half, 0), (0, 0, 0), (0, 0, 1)])
        assert np.allclose(shown, np.minimum(sky + light, 1.0), atol=0.012)

    @pytest.mark.parametrize(("plays", "cells"), [(1.0, (0, 0, 1, 1)), (2.0, (0, 1, 0, 1))])
    def test_cells_follow_one_another_over_a_life(
        self, backend: VulkanBackend, plays: float, cells: Sequence[int]
    ) -> None:
        with closing(
            session_of(backend, type("Plays", (Card,), {"changes": {"plays": plays}}), frame=Card.step)
        ) as session:
            pictures = frames_of(session, round(LIFE / Card.step))
        found = [pictures[round((number + 0.5) / 4 * len(pictures))] for number in range(4)]
        blue = [int(np.allclose(in_quarters(picture[..., :3])[0], (0, 0, 1), atol=0.01)) for picture in found]
        assert blue == list(cells)

    def test_lit_ones_reflect_the_colours_of_the_image(self, backend: VulkanBackend) -> None:
        shown = in_quarters(picture_of(backend, 4, changes={"lit": True}))
        assert shown[0][0] > 10 * shown[0][2]
        assert shown[3][2] > 10 * shown[3][0]

    def test_each_view_shows_them(self, backend: VulkanBackend) -> None:
        alone = picture_of(backend, 4)
        width, height = EXTENT
        no_line = SettingChange("split_screen", "separator", "0")
        both = picture_of(backend, 4, "split_screen", players=2, settings=(no_line,), extent=(2 * width, height))
        assert np.array_equal(both[:, :width], alone)
        assert np.array_equal(both[:, width:], alone)
        assert flip(picture_of(backend, 4, "ssaa"), alone) < 0.03

    def test_the_forward_skeleton_shows_the_same(self, backend: VulkanBackend) -> None:
        forward = picture_of(backend, 4, game=type("Forward", (Card,), {"skeleton": "forward"}))
        assert flip(forward, picture_of(backend, 4)) < 0.002

    def test_only_scenes_with_images_have_the_texture(self, backend: VulkanBackend) -> None:
        def nodes() -> set[str]:
            frames_of(session, 1)
            assert session.runtime.plan is not None
            return {node.declaration.name for node in session.runtime.plan.graph.nodes}

        with closing(session_of(backend, NoCard)) as session:
            before = nodes()
            placed = session.context.scene.placed
            emitter = placed.add(Emitter(replace(SPARKS, image=sheet(1, 1))))
            assert nodes() - before == {"particle_emitters_images"}
            placed.remove(emitter)
            assert nodes() == before
