"""Shadow maps are drawn anew when a caster arrives, or the picture of its holes."""

from __future__ import annotations

import numpy as np
import pytest

from renderwright.engine.renderer.arriving_casters import ArrivingCasters
from renderwright.engine.renderer.gpu_scene import GpuScene
from renderwright.engine.scene import Material, Scene
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.primitives import box
from renderwright.render.backend.null import NullBackend

NOTHING = ArrivingCasters()


class Streaming:
    """A scene with a box, on a device with or without a table of images."""

    def __init__(self, *, indexed: bool) -> None:
        self.backend = NullBackend(indexed_textures=4096 if indexed else 0)
        self.gpu = GpuScene(self.backend, stream=True)
        self.scene = Scene()
        self.scene.spawn(box(1.0), Material())
        assert self.drawn() == NOTHING

    def drawn(self) -> ArrivingCasters:
        """What the next frame waits for. What is on its way arrives behind it."""
        self.backend.begin_frame(0)
        self.gpu.update(self.scene.draw_list(1.0), np.zeros((0, 8), np.float32), 0)
        self.backend.end_frame(0, [], None)
        return self.gpu.arriving


@pytest.fixture(params=[True, False], ids=["table", "sets"])
def streaming(request: pytest.FixtureRequest) -> Streaming:
    return Streaming(indexed=request.param)


def leaves(alpha_mode: str = "mask") -> Material:
    return Material(base_color_image=Image("leaves", np.zeros((2, 2, 4), np.uint8)), alpha_mode=alpha_mode)


def test_a_mesh_is_waited_for_where_it_casts_a_shadow(streaming: Streaming) -> None:
    streaming.scene.spawn(box(2.0), Material(), casts_shadow=False)
    assert streaming.drawn() == NOTHING
    mesh = box(3.0)
    streaming.scene.spawn(mesh, Material())
    assert streaming.drawn() == ArrivingCasters(frozenset({mesh}))
    assert streaming.drawn() == NOTHING


def test_holes_are_waited_for(streaming: Streaming) -> None:
    material = leaves()
    (entity,) = streaming.scene.entities
    entity.material = material
    assert streaming.drawn() == ArrivingCasters(holes=frozenset({material}))
    assert streaming.drawn() == NOTHING


@pytest.mark.parametrize("alpha_mode", ["opaque", "blend"])
def test_other_pictures_are_not_waited_for(streaming: Streaming, alpha_mode: str) -> None:
    (entity,) = streaming.scene.entities
    entity.material = leaves(alpha_mode)
    assert streaming.drawn() == NOTHING
