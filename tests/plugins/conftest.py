"""What the tests of effects share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from effect_bench import EffectBench
from pydantic import BaseModel

from renderwright.render.backend.vulkan.backend import VulkanBackend

MakeEffect = Callable[..., EffectBench]
RunEffect = Callable[..., np.ndarray]


@pytest.fixture
def make_effect(backend: VulkanBackend) -> Iterator[MakeEffect]:
    """Makes benches: (plugin, settings, inputs, names of what is read, chain)."""
    benches: list[EffectBench] = []

    def make(
        plugin: ModuleType, settings: BaseModel, inputs: dict[str, Any], wanted: tuple[str, ...], chain: str
    ) -> EffectBench:
        benches.append(EffectBench(backend, plugin, settings, inputs, wanted, chain))
        return benches[-1]

    yield make
    for bench in benches:
        bench.close()


@pytest.fixture
def run_effect(make_effect: MakeEffect) -> RunEffect:
    """One frame's result of a plugin that joins the chain ``post_hdr`` by its node ``member``."""

    def run(plugin: ModuleType, settings: BaseModel, member: str, **inputs: Any) -> np.ndarray:
        name = f"post_hdr/{plugin.__name__.rpartition('.')[2]}/{member}"
        bench = make_effect(plugin, settings, inputs, (name,), "post_hdr")
        bench.frames()
        return bench.texels(name).astype(np.float32)[..., :3]

    return run
