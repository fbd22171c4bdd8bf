"""Whole plans on devices whose memory has its own ways."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from vulkan_memory_stories import LARGE, Game, shader_library
from vulkan_pretence import HOST, LAZY, LOCAL, MIB, Pretence

from renderwright.render.backend.vulkan.api import lib
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import OutOfMemoryError
from renderwright.render.shaders.library import ShaderLibrary

pytestmark = pytest.mark.vulkan


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ShaderLibrary:
    return shader_library(tmp_path_factory.mktemp("shaders"))


def pictures(library: ShaderLibrary, wrap: Callable[[str, Any], Any] | None, *, validate: bool) -> list[NDArray[Any]]:
    """What is to be seen after a change of the graph, and after a resize."""
    backend = VulkanBackend(validate=validate, wrap=wrap)
    try:
        with closing(Game(backend, library)) as game:
            found = []
            for happens in (Game.change, lambda game: game.resize(LARGE)):
                for _ in range(3):
                    game.frame()
                found.append(game.picture())
                happens(game)
            game.frame()
            found.append(game.picture())
    finally:
        backend.close()
    assert backend.validation_messages == []
    return found


@pytest.fixture(scope="module")
def usual(library: ShaderLibrary) -> list[NDArray[Any]]:
    return pictures(library, None, validate=True)


def test_dedicated_memory_changes_no_picture(library: ShaderLibrary, usual: list[NDArray[Any]]) -> None:
    pretence = Pretence(dedicated=True)
    found = pictures(library, pretence.wrap, validate=True)
    assert all(np.array_equal(one, other) for one, other in zip(found, usual, strict=True))
    assert all(dedicated for _, _, dedicated in pretence.allocations)


def test_small_allocations_change_no_picture(library: ShaderLibrary, usual: list[NDArray[Any]]) -> None:
    pretence = Pretence(largest=96 * 96 * 8)
    found = pictures(library, pretence.wrap, validate=True)
    assert all(np.array_equal(one, other) for one, other in zip(found, usual, strict=True))
    limited = [size for _, size, dedicated in pretence.allocations if size > pretence.largest]
    assert limited == []


def test_lazy_memory_changes_no_picture(library: ShaderLibrary, usual: list[NDArray[Any]]) -> None:
    pretence = Pretence(
        (LOCAL | HOST, LOCAL | LAZY),
        image_bits=lambda info: 0b11 if info.usage & lib.VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT else 0b01,
    )
    found = pictures(library, pretence.wrap, validate=False)
    assert all(np.array_equal(one, other) for one, other in zip(found, usual, strict=True))
    assert {kind for kind, _, _ in pretence.allocations} == {0, 1}


def test_a_plan_beyond_the_budget_is_refused_with_its_largest_resources(library: ShaderLibrary) -> None:
    pretence = Pretence((LOCAL | HOST,), budgets=((8 * MIB, 0),))
    backend = VulkanBackend(wrap=pretence.wrap)
    try:
        with closing(Game(backend, library, (1024, 1024))) as game:
            with pytest.raises(OutOfMemoryError) as caught:
                game.frame()
            assert "8.0 of 64.0 MiB" in caught.value.message
            largest = caught.value.message.split("largest resources are ")[1]
            assert largest.startswith("count 16.0 MiB, scene 8.0 MiB, depth 4.0 MiB, weights ")
            assert "lower resolution" in caught.value.hint
    finally:
        backend.close()
