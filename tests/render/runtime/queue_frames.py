"""A frame with work for three queues, on real drivers that may have one only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from renderwright.render.backend.vulkan.api import ffi
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.types.resources import Buffer, Texture

SIZE = (8, 8)
HDR = Texture("rgba32_sfloat", SIZE)

SHADERS = {
    "step.comp": """
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) writeonly buffer Next { float next_values[]; };
layout(std430, set = 0, binding = 1) readonly buffer Last { float last_values[]; };
void main() {
    uint at = gl_GlobalInvocationID.x;
    next_values[at] = last_values[at] + 0.5 + float(at) * 0.25;
}
""",
    "fold.comp": """
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, rgba32f) uniform writeonly image2D folded;
layout(std430, set = 0, binding = 1) readonly buffer Now { float now_values[]; };
layout(set = 0, binding = 2) uniform Strength { float value; } strength;
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    imageStore(folded, at, vec4(now_values[at.x + 8 * at.y], strength.value, 0.0, 1.0));
}
""",
    "count.frag": """
layout(set = 0, binding = 0) uniform sampler2D before;
layout(location = 0) out vec4 result;
void main() { result = texelFetch(before, ivec2(gl_FragCoord.xy), 0) + vec4(1.0, 0.5, 0.25, 0.0); }
""",
    "show.frag": """
layout(set = 0, binding = 0) uniform sampler2D folded;
layout(set = 0, binding = 1) uniform sampler2D drawn;
layout(std430, set = 0, binding = 2) readonly buffer Kept { float kept_values[]; };
layout(location = 0) out vec4 result;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    result = texelFetch(folded, at, 0) + 64.0 * texelFetch(drawn, at, 0);
    result.b += kept_values[at.x + 8 * at.y];
}
""",
    "measure.comp": """
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D count;
layout(std430, set = 0, binding = 1) writeonly buffer Level { float levels[]; };
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    levels[at.x + 8 * at.y] = texelFetch(count, at, 0).r * float(1 + at.x);
}
""",
    "adapt.frag": """
layout(set = 0, binding = 0) uniform sampler2D drawn;
layout(std430, set = 0, binding = 1) readonly buffer Level { float levels[]; };
layout(location = 0) out vec4 result;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    result = texelFetch(drawn, at, 0) + vec4(0.0, 0.0, 0.0, levels[at.x + 8 * at.y]);
}
""",
}


@dataclass(frozen=True)
class _Strength:
    value: float


def write_shaders(folder: Path) -> None:
    for name, text in SHADERS.items():
        (folder / name).write_text(f"#version 450\n{text}")


def add_nodes(graph: FrameGraph) -> None:
    """Compute makes the next state from the last and folds it; a copy keeps the last state; graphics counts and shows.

    Compute and copy queue read the last state at once. "show" makes ``a``.
    """
    graph.add_sink("a")

    def step(reg: Registry) -> Callable[[Any], None]:
        reg.queue("compute", "graphics")
        reg.cost(4.0)
        reg.create("state", Buffer(256)).storage_write("compute").bind("Next")
        reg.history("state").storage_read("compute").bind("Last")
        program = reg.compute("step.comp")
        return lambda cmd: cmd.dispatch(program, (64, 1, 1))

    def fold(reg: Registry) -> Callable[[Any], None]:
        reg.queue("compute", "graphics")
        reg.cost(4.0)
        reg.read("state").storage_read("compute").bind("Now")
        reg.create("folded", HDR).storage_write("compute")
        reg.uniform("strength", lambda: _Strength(3.0))
        program = reg.compute("fold.comp")
        return lambda cmd: cmd.dispatch(program, SIZE)

    def keep(reg: Registry) -> Callable[[Any], None]:
        reg.queue("copy", "graphics")
        reg.cost(4.0)
        source = reg.history("state").copy_src()
        target = reg.create("kept", Buffer(256)).copy_dst()
        return lambda cmd: cmd.recorder.copy_buffer(source.buffer, target.buffer)

    def count(reg: Registry) -> Callable[[Any], None]:
        reg.cost(4.0)
        reg.create("count", HDR).color()
        reg.history("count").sampled(filter="nearest").bind("before")
        program = reg.graphics("count.frag")
        return lambda cmd: cmd.draw(program)

    def draw(reg: Registry) -> Callable[[Any], None]:
        reg.cost(4.0)
        reg.create("drawn", HDR).color()
        reg.read("count").sampled(filter="nearest").bind("before")
        program = reg.graphics("count.frag")
        return lambda cmd: cmd.draw(program)

    def show(reg: Registry) -> Callable[[Any], None]:
        for name in ("folded", "drawn"):
            reg.read(name).sampled(filter="nearest")
        reg.read("kept").storage_read().bind("Kept")
        reg.create("a", HDR).color()
        program = reg.graphics("show.frag")
        return lambda cmd: cmd.draw(program)

    for node in (step, fold, keep, count, draw, show):
        graph.add_node(node.__name__, node)


def add_late_nodes(graph: FrameGraph, frames: int = 1) -> None:
    """Graphics counts frames and draws; compute measures what was counted, and "show", which makes ``a``, reads what it
    has measured so many frames ago."""
    graph.add_sink("a")

    def count(reg: Registry) -> Callable[[Any], None]:
        reg.create("count", HDR).color()
        reg.history("count").sampled(filter="nearest").bind("before")
        program = reg.graphics("count.frag")
        return lambda cmd: cmd.draw(program)

    def measure(reg: Registry) -> Callable[[Any], None]:
        reg.queue("compute", "graphics")
        reg.cost(4.0)
        reg.read("count").sampled(filter="nearest", stage="compute")
        reg.create("level", Buffer(256)).storage_write("compute").bind("Level")
        program = reg.compute("measure.comp")
        return lambda cmd: cmd.dispatch(program, SIZE)

    def draw(reg: Registry) -> Callable[[Any], None]:
        reg.cost(4.0)
        reg.create("drawn", HDR).color()
        reg.read("count").sampled(filter="nearest").bind("before")
        program = reg.graphics("count.frag")
        return lambda cmd: cmd.draw(program)

    def show(reg: Registry) -> Callable[[Any], None]:
        reg.read("drawn").sampled(filter="nearest")
        reg.history("level", frames=frames).storage_read().bind("Level")
        reg.create("a", HDR).color()
        program = reg.graphics("adapt.frag")
        return lambda cmd: cmd.draw(program)

    for node in (count, measure, draw, show):
        graph.add_node(node.__name__, node)


class SeveralQueues:
    """A dispatch wrapper that has a driver with one queue appear to have three of one family: they are all that one.

    ``submits`` counts submissions.
    """

    def __init__(self) -> None:
        self.submits = 0

    def wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """What is called in place of the function."""
        own = getattr(self, name, None)
        return function if own is None else lambda *arguments: own(function, *arguments)

    def vkGetPhysicalDeviceQueueFamilyProperties(self, real: Any, physical: Any, count: Any, items: Any) -> None:  # noqa: N802
        real(physical, count, items)
        if items != ffi.NULL:
            items[0].queueCount = 3

    def vkCreateDevice(self, real: Any, physical: Any, info: Any, hooks: Any, device: Any) -> int:  # noqa: N802
        info.pQueueCreateInfos[0].queueCount = 1
        return int(real(physical, info, hooks, device))

    def vkGetDeviceQueue(self, real: Any, device: Any, family: int, number: int, queue: Any) -> None:  # noqa: N802
        real(device, family, 0, queue)

    def vkQueueSubmit2(self, real: Any, queue: Any, count: int, submits: Any, fence: Any) -> int:  # noqa: N802
        self.submits += 1
        return int(real(queue, count, submits, fence))
