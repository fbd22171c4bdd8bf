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


ON_OPAQUE = ("fog", "outline", "volumetric_fog")
"""Effects on the light of opaque surfaces."""


@pytest.fixture
def run_effect(make_effect: MakeEffect) -> RunEffect:
    """One frame's result of a plugin that joins a chain, for light, by its node ``member``."""

    def run(plugin: ModuleType, settings: BaseModel, member: str, **inputs: Any) -> np.ndarray:
        effect = plugin.__name__.rpartition(".")[2]
        chain = "post_opaque" if effect in ON_OPAQUE else "post_hdr"
        name = f"{chain}/{effect}/{member}"
        bench = make_effect(plugin, settings, inputs, (name,), chain)
        bench.frames()
        return bench.texels(name).astype(np.float32)[..., :3]

    return run
