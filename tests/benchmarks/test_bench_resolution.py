"""The benchmark of dynamic resolution: every row is there, and its checks see what they check."""

from __future__ import annotations

import pytest

from benchmarks.memory_ledger import MemoryLedger
from benchmarks.resolution import allocations, measure, walk
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.types.physical import BufferInfo
from renderwright.render.types.usages import Usage


def test_every_change_has_a_cost() -> None:
    backend = NullBackend()
    costs = measure(backend, repeats=1)
    assert len(costs.changes) == 5
    assert costs.steady > 0
    assert costs.compile_step > 0
    assert backend.alive == ()


@pytest.mark.vulkan
def test_the_ledger_counts_bytes_and_objects() -> None:
    ledger = MemoryLedger()
    backend = VulkanBackend(wrap=ledger.wrap)
    before = ledger.bytes
    buffer = backend.create_buffer(BufferInfo(1 << 20, frozenset({Usage.UNIFORM})), "b")
    assert ledger.bytes >= before + (1 << 20)
    assert ledger.alive["Buffer"] >= 1
    backend.destroy(buffer)
    backend.close()
    assert ledger.bytes == 0
    assert not +ledger.alive


@pytest.mark.vulkan
def test_steps_allocate_nothing() -> None:
    calls = allocations(3)
    assert calls["vkAllocateMemory"] == calls["vkFreeMemory"] == 0
    assert calls["vkCreateImage"] > 0


@pytest.mark.vulkan
def test_a_walk_over_the_scales_calls_nothing() -> None:
    walked = walk(3)
    assert len(walked.steps) == 3
    assert set(walked.calls.values()) == {0}
