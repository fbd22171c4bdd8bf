"""Nodes that make frames slow are named, once each."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from renderwright.render.runtime.times.gpu_clock import GpuInterval
from renderwright.render.runtime.times.slow_nodes import SlowNodes


def node(name: str, plugin: str = "") -> Any:
    return SimpleNamespace(id=f"{name}@view=0", declaration=SimpleNamespace(name=name, plugin=plugin))


def intervals(**seconds: float) -> dict[str, GpuInterval]:
    return {f"{name}@view=0": GpuInterval("graphics", 0.0, each) for name, each in seconds.items()}


def test_an_execute_function_that_blocks(caplog: pytest.LogCaptureFixture) -> None:
    slow = SlowNodes()
    slow.executed(node("quick"), 0.9)
    for _ in range(3):
        slow.executed(node("sleep", "block"), 3.0)
    assert caplog.messages == [
        'node "sleep" of plugin "block" takes 3.0 s in its execute function; frames wait for it',
    ]


def test_work_that_takes_most_of_the_frame_on_the_gpu(caplog: pytest.LogCaptureFixture) -> None:
    slow, nodes = SlowNodes(), [node("spin", "loop"), node("sky")]
    for _ in range(3):
        slow.measured(nodes, intervals(spin=4.0, sky=0.5))
    assert caplog.messages == ['node "spin" of plugin "loop" takes 4.0 s on the GPU; of 4.5 s for all nodes']


def test_on_a_slow_machine_no_node_is_blamed(caplog: pytest.LogCaptureFixture) -> None:
    SlowNodes().measured([node("spin"), node("sky")], intervals(spin=4.0, sky=4.0))
    assert caplog.messages == []
