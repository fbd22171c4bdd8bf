"""Order-independent transparency: exact for two layers and for what all let through, near to the sorted light else."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest
from layered_scenes import LAYERS, Layer, Layers, from_the_front, of_skeleton, over, picture_of, session_of
from playing import frames_of

from renderwright.engine.backends import make_backend
from renderwright.engine.options import BackendName, PlayOptions
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

BOTH = pytest.mark.parametrize("skeleton", ["deferred", "forward"])


def with_layers(*layers: Layer) -> type[Layers]:
    return type("Some", (Layers,), {"layers": layers})


@BOTH
def test_one_layer_is_exact(backend: VulkanBackend, skeleton: str) -> None:
    layer = Layer(0.0, (0.8, 0.3, 0.1), 0.4)
    picture = picture_of(backend, of_skeleton(skeleton, with_layers(layer)), "oit")
    assert np.abs(picture[..., :3].astype(int) - over([layer])).max() <= 1


@pytest.mark.parametrize("apart", [0.05, 2.0])
def test_two_layers_are_exact(backend: VulkanBackend, apart: float) -> None:
    front, behind = Layer(0.5 * apart, (0.8, 0.3, 0.1), 0.6), Layer(-0.5 * apart, (0.1, 0.2, 0.9), 0.3)
    for layers in ((front, behind), (behind, front)):
        picture = picture_of(backend, with_layers(*layers), "oit")
        assert np.abs(picture[..., :3].astype(int) - over([behind, front])).max() <= 1


def test_an_opaque_layer_hides_what_is_behind_it(backend: VulkanBackend) -> None:
    front, behind = Layer(1.0, (0.1, 0.1, 0.1), 1.0), Layer(-1.0, (0.9, 0.9, 0.9), 0.9)
    picture = picture_of(backend, with_layers(front, behind), "oit")
    assert np.abs(picture[..., :3].astype(int) - over([front])).max() <= 1


def test_black_layers_let_exactly_their_product_through(backend: VulkanBackend) -> None:
    layers = [Layer(layer.z, (0.0, 0.0, 0.0), layer.alpha) for layer in LAYERS]
    picture = picture_of(backend, with_layers(*layers), "oit")
    assert np.abs(picture[..., :3].astype(int) - over(layers)).max() <= 1


def test_no_order_changes_the_picture_and_it_is_near_to_the_sorted_one(backend: VulkanBackend) -> None:
    one, other = (picture_of(backend, with_layers(*layers), "oit") for layers in (LAYERS, LAYERS[::-1]))
    assert np.abs(one.astype(int) - other).max() <= 1
    right = over(from_the_front(LAYERS)).astype(int)
    wrong = over(from_the_front(LAYERS)[::-1])
    assert np.abs(one[..., :3] - right).max() < 0.1 * np.abs(wrong - right).max()


def test_it_is_the_same_on_opengl(backend: VulkanBackend) -> None:
    with closing(make_backend(PlayOptions(Layers, backend=BackendName.OPENGL))) as opengl:
        apart = picture_of(opengl, Layers, "oit").astype(int) - picture_of(backend, Layers, "oit")
    assert np.abs(apart).max() <= 1


def test_it_comes_and_goes_in_mid_run(backend: VulkanBackend) -> None:
    with closing(session_of(backend, Layers)) as session:
        before = frames_of(session, 2)[-1]
        session.toggle("oit")
        assert not np.array_equal(frames_of(session, 2)[-1], before)
        assert session.runtime.plan is not None
        assert [each.message for each in session.runtime.plan.removed if each.node == "blended"] == [
            "`blended` removed: `oit/gather` replaces it"
        ]
        session.toggle("oit")
        assert np.array_equal(frames_of(session, 2)[-1], before)
