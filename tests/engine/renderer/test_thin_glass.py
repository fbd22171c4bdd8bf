"""Thin glass lets through what is opaque behind it, tinted, less what it reflects, and blurred where it is rough."""

from __future__ import annotations

from contextlib import closing
from typing import Any, ClassVar

import numpy as np
import pytest
from glass_scenes import REFLECTED, TINT, Window, tinted
from layered_scenes import WALL, Layer, Layers, of_skeleton, over, picture_of, session_of
from playing import frames_of

from renderwright.engine.backends import make_backend
from renderwright.engine.game import GameContext
from renderwright.engine.options import BackendName, PlayOptions
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import plane
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

BOTH = pytest.mark.parametrize("skeleton", ["deferred", "forward"])


class Frosted(Window):
    """The same with rough glass."""

    glass: ClassVar[dict[str, Any]] = {"transmission": 1.0, "roughness": 1.0}


@BOTH
def test_what_is_not_reflected_passes_tinted_and_unbent(backend: VulkanBackend, skeleton: str) -> None:
    picture = picture_of(backend, of_skeleton(skeleton, Window))
    middle = picture.shape[1] // 2
    for part, light in ((picture[:, : middle - 1], WALL), (picture[:, middle + 1 :], (1.0, 1.0, 1.0))):
        assert np.abs(part[..., :3].astype(int) - tinted(light)).max() <= 2


def test_rough_glass_blurs_what_is_behind_it(backend: VulkanBackend) -> None:
    clear, rough = (picture_of(backend, game)[27, :, 1].astype(int) for game in (Window, Frosted))
    middle = len(clear) // 2
    assert np.abs(np.diff(clear)).max() > 60, "an edge"
    assert np.abs(np.diff(rough)).max() < 20, "a gradient"
    assert rough[0] < rough[middle] < rough[-1]


def test_a_share_of_the_light_passes_and_the_rest_is_scattered(backend: VulkanBackend) -> None:
    half = type("Half", (Window,), {"glass": {"transmission": 0.5, "roughness": 0.0}})
    shown = picture_of(backend, half)[:, :40, :3].astype(int)
    expected = over([], tuple(0.5 * tint * 0.3 * (1.0 - REFLECTED) for tint in TINT))
    assert np.abs(shown - expected).max() <= 2, "without light on the pane nothing is scattered"


def test_alpha_is_the_share_of_a_texel_that_the_glass_covers(backend: VulkanBackend) -> None:
    class Net(Window):
        def setup(self, context: GameContext) -> None:
            super().setup(context)
            self.pane.material = Material((*TINT, 0.25), double_sided=True, alpha_mode="blend", **self.glass)

    shown = picture_of(backend, Net)[:, :40, :3].astype(int)
    through = tuple(0.3 * (0.75 + 0.25 * tint * (1.0 - REFLECTED)) for tint in TINT)
    assert np.abs(shown - over([], through)).max() <= 2


def test_glass_is_the_same_on_opengl(backend: VulkanBackend) -> None:
    with closing(make_backend(PlayOptions(Window, backend=BackendName.OPENGL))) as opengl:
        for game in (Window, Frosted):
            apart = picture_of(opengl, game).astype(int) - picture_of(backend, game)
            assert np.abs(apart).max() <= 2, game


def test_the_light_behind_is_copied_only_while_there_is_glass(backend: VulkanBackend) -> None:
    class Sheets(Layers):
        layers = (Layer(0.0, (1.0, 0.0, 0.0), 0.5),)

    def nodes() -> set[str]:
        frames_of(session, 1)
        assert session.runtime.plan is not None
        return {node.declaration.name for node in session.runtime.plan.graph.nodes}

    with closing(session_of(backend, Sheets)) as session:
        before = nodes()
        assert not {name for name in before if "glass" in name or name == "opaque_color"}
        pane = session.context.scene.spawn(plane(1, 1), Material(transmission=1.0))
        assert "behind_glass" in nodes()
        session.context.scene.remove(pane)
        assert nodes() == before
