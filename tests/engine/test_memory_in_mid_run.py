"""Memory while plugins, sizes and resolutions change all the time: pictures, counts, and what is left in the end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.memory_ledger import MemoryLedger
from benchmarks.restless_game import Restless, play_restlessly, restless
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.backend.timeline import CALM
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.runtime.plans import succession

SETTLED = 10


@pytest.fixture(autouse=True)
def settled_soon(monkeypatch) -> None:
    monkeypatch.setattr(succession, "SETTLED_FRAMES", SETTLED)


@pytest.mark.vulkan
def test_sharing_memory_changes_no_picture_and_memory_returns_to_where_it_was() -> None:
    aliased = play_restlessly(alias=True, frames=50 + SETTLED + 2 + CALM, settle=50)
    alone = play_restlessly(alias=False, frames=50, settle=50)
    assert aliased.messages == alone.messages == []
    assert aliased.pictures[:50] == alone.pictures
    assert len(set(alone.pictures)) > 25
    assert aliased.last_bytes == aliased.first_bytes < alone.first_bytes
    assert aliased.left == alone.left == {}
    assert aliased.waits == 0


@pytest.fixture
def ledger() -> MemoryLedger:
    return MemoryLedger()


@pytest.fixture
def running(ledger: MemoryLedger) -> Iterator[Restless]:
    backend = VulkanBackend(validate=True, wrap=ledger.wrap)
    with restless(backend) as running:
        for _ in range(4):
            running.frame()
        yield running
    backend.close()
    assert [message.text for message in backend.validation_messages] == []


@pytest.mark.vulkan
def test_steps_of_the_dynamic_resolution_allocate_nothing_and_free_nothing(running, ledger) -> None:
    calls = ledger.calls.copy()
    for _ in range(40):
        running.step()
        running.frame()
    for name in ("vkAllocateMemory", "vkFreeMemory", "vkCreateBuffer", "vkDestroyBuffer"):
        assert ledger.calls[name] == calls[name]
    assert ledger.calls["vkCreateImage"] > calls["vkCreateImage"] + 100
    assert ledger.waits == 0


@pytest.mark.vulkan
def test_steps_back_make_nothing_at_all(running, ledger) -> None:
    def round_trip() -> None:
        for side in (40, 32, 24, 32):
            running.session.graph.set_dynamic_resolution("main_view", (side, side))
            running.frame()

    round_trip()
    round_trip()
    calls = ledger.calls.copy()
    round_trip()
    assert ledger.calls == calls


@pytest.mark.vulkan
def test_sizes_that_fit_and_plugins_that_return_allocate_no_heap(running, ledger) -> None:
    graph, plugins = running.session.graph, running.session.plugins
    heap_bytes = running.session.runtime.heap_bytes
    for _ in range(2):
        graph.set_resolution("main_view", (48, 32))
        running.frame()
        plugins.disable("bloom")
        running.frame()
        graph.set_resolution("main_view", (64, 48))
        plugins.enable("bloom")
        running.frame()
        assert running.session.runtime.heap_bytes == heap_bytes
    images = ledger.calls["vkCreateImage"]
    graph.set_resolution("main_view", (48, 32))
    running.frame()
    graph.set_resolution("main_view", (64, 48))
    running.frame()
    assert ledger.calls["vkCreateImage"] == images
    assert ledger.waits == 0


def test_a_thousand_steps_make_no_heap_and_no_buffer() -> None:
    backend = NullBackend()
    with restless(backend, plugins=()) as running:
        for _ in range(2):
            running.frame()
        made = len(backend.log)
        for _ in range(1000):
            running.step()
            running.frame()
        heaps_and_buffers = ("create heap", "create buffer", "destroy heap", "destroy buffer")
        assert [line for line in backend.log[made:] if line.startswith(heaps_and_buffers)] == []
    assert backend.alive == ()
