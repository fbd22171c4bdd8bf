"""The benchmark of draws: what it counts is there, and is as few as it says."""

from __future__ import annotations

from contextlib import closing

import pytest

from benchmarks.draws import ENTITIES, WAYS, CallCounter, collection, field, measure


@pytest.mark.vulkan
def test_commands_in_a_buffer_are_a_call() -> None:
    counter = CallCounter("")
    with closing(counter.backend):
        costs = {}
        for way in WAYS[:2]:
            assert counter.choose(way)
            costs[way] = measure(counter, collection(100, own_images=True), frames=2)
        before, now = (costs[way] for way in WAYS[:2])
        assert before.draws >= 5 * 100 > ENTITIES // 4
        assert now.draws <= 100 + 10
        assert min(now.still, now.changed, now.gpu) > 0
        assert counter.choose(WAYS[1])
        assert measure(counter, collection(100, own_images=False), frames=2).draws < 12
        assert measure(counter, field(300, culling=True), frames=2).gpu > 0
