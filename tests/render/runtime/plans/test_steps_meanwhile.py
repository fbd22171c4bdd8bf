"""Frames that are lowered ahead while the dynamic resolution changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from beside_frames import SLOTS, Running

from renderwright.render.runtime.lowering.bindings import bind_node
from renderwright.render.runtime.plans.running import MAX_RESOLUTIONS
from renderwright.render.types.resources import Texture

COPY = """#version 450
layout(set = 0, binding = 0) uniform sampler2D source;
layout(location = 0) out vec4 result;
void main() { result = texelFetch(source, ivec2(gl_FragCoord.xy), 0); }
"""


def test_no_texture_of_a_resolution_that_is_gone_is_bound(slowly: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("renderwright.render.runtime.memory.placed_cache.MAX_IDLE", 0)
    released: list[str] = []

    def noted(instance: Any, pipelines: Any, bound: Any, *rest: Any) -> Any:
        found = [physical for each in bound.values() for physical in each.physicals if not physical.alive]
        released.extend(f"{physical} of {instance.id}" for physical in found)
        return bind_node(instance, pipelines, bound, *rest)

    monkeypatch.setattr("renderwright.render.runtime.lowering.node_lowering.bind_node", noted)
    slowly.shader("copy", COPY)

    def declare(reg: Any) -> Callable[[Any], None]:
        reg.read("before 0").sampled().bind("source")
        reg.create("copy", Texture("rgba8_unorm", (8, 8))).color()
        reg.side_effects()
        pipeline = reg.graphics("copy.frag")
        return lambda cmd: cmd.draw(pipeline)

    for number in range(3 * MAX_RESOLUTIONS):
        slowly.add(f"before {number}")
    slowly.graph.add_node("copy", declare)
    slowly.add("rare", every=1000)
    slowly.frame()
    slowly.runtime.finish_compile()
    for _ in range(2 * SLOTS):
        slowly.frame()
    slowly.add("new")
    slowly.frame()
    slowly.runtime.finish_compile()
    for number in range(10 * MAX_RESOLUTIONS):
        slowly.graph.set_dynamic_resolution("size", (32 - number % 31, 16 - number // 31))
        slowly.frame()
    assert slowly.failures == []
    assert released == []
