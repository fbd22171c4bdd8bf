"""Pools of descriptor sets."""

from __future__ import annotations

import pytest

from renderwright.render.backend.protocol import Binding, BufferBinding, PipelineDesc
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.shaders.module import BindingKind
from renderwright.render.types.usages import Usage
from tests.on_devices import binding, buffer_info, compute

pytestmark = pytest.mark.vulkan

FILL = """#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { uint result; };
void main() { result = 7; }
"""


def test_many_sets_outgrow_a_pool_and_free_places_are_taken_again(backend: VulkanBackend) -> None:
    module = compute(FILL, binding(0, "Out", BindingKind.STORAGE_BUFFER, writes=True))
    program = backend.create_pipeline(PipelineDesc("fill", (module,)))
    result = backend.create_buffer(buffer_info(4, Usage.STORAGE), "result")
    bindings: dict[str, Binding] = {"Out": BufferBinding(result)}
    sets = [backend.create_bindings(program, 0, bindings, f"set {number}") for number in range(150)]
    for bound in sets[:100]:
        backend.destroy(bound)
    backend.wait_idle()
    for number in range(100):
        backend.create_bindings(program, 0, bindings, f"again {number}")
    assert len(backend._descriptors._pools) == 3
