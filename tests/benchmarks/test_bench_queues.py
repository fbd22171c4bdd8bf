"""The benchmark of queues: what overlaps is told right, and its frames give the same results in every variant."""

from __future__ import annotations

import pytest

from benchmarks.queue_frame import Load, chains_frame, queue_frame
from benchmarks.queues import SEVERAL, SPLIT, measure, overlap, without_clock
from render.backend.vulkan.backend import VulkanBackend
from render.runtime.gpu_clock import GpuInterval

SMALL = Load(links=2, values=64, side=16, simulate=4, shade=2)


def test_overlap_is_where_both_sides_have_work() -> None:
    both = [
        GpuInterval("graphics", 0.0, 2.0),
        GpuInterval("graphics", 2.0, 4.0),
        GpuInterval("graphics", 6.0, 8.0),
        GpuInterval("compute", 1.0, 3.0),
        GpuInterval("copy", 2.5, 7.0),
    ]
    assert overlap(both) == pytest.approx(3.0 + 1.0)
    assert overlap(both[:3]) == 0.0


@pytest.mark.vulkan
def test_results_are_those_of_one_queue_with_plain_barriers() -> None:
    backend = VulkanBackend(validate=True, wrap=without_clock)
    for make, variants in ((queue_frame, SEVERAL), (chains_frame, SPLIT)):
        first, second = (measure(make(SMALL), backend, options, 2) for options in variants.values())
        assert first.results == second.results
        assert first.overlap == 0.0
        assert any(any(one) for one in first.results)
    assert (first.events, second.events > 0) == (0, True)
    backend.close()
    assert backend.validation_messages == []
