"""A resize meets a coming plan that only has other shaders: it is then that of the running one, in other heaps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from beside_frames import ONE_NODE, Running

from renderwright.render.types.resources import Extent, Texture

SUM = """#version 450
layout(set = 0, binding = 0) uniform sampler2D before;
layout(location = 0) out vec4 result;
void main() { result = texelFetch(before, ivec2(0), 0); }
"""


def declare_sum(reg: Any) -> Callable[[Any], None]:
    reg.create("sum", Texture("rgba8_unorm", reg.resolution("size"))).color()
    reg.history("sum").sampled(filter="nearest").bind("before")
    reg.side_effects()
    pipeline = reg.graphics("sum.frag")
    return lambda cmd: cmd.draw(pipeline)


@pytest.mark.parametrize("size", [(64, 8), (16, 8), (512, 512)])
def test_its_histories_are_carried_over_from_the_heaps_that_it_does_not_share(running: Running, size: Extent) -> None:
    running.shader("sum", SUM)
    running.graph.add_node("sum", declare_sum)
    for _ in range(4):
        running.frame()
        if running.worker.busy:
            running.worker.work()
    running.worker.seconds_a_frame = ONE_NODE
    running.graph.reload_shaders()
    running.frame()
    running.worker.work()
    running.graph.set_resolution("size", size)
    for _ in range(20):
        assert running.frame() == ["a"]
        if running.worker.busy:
            running.worker.work()
    assert running.failures == []
