"""Nodes that write the number of the frame, for tests of rates."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.render.graph.snapshot import ResolutionRule
from renderwright.render.types.resources import Resolution, Texture

FORMAT = "rgba32_sfloat"
PAINT = """
layout(push_constant) uniform Push { vec4 color; } push;
layout(location = 0) out vec4 result;
void main() { result = push.color; }
"""
COPY = """
layout(set = 0, binding = 0) uniform sampler2D source;
layout(location = 0) out vec4 result;
void main() { result = texelFetch(source, ivec2(gl_FragCoord.xy), 0); }
"""
COUNT = """
layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform sampler2D previous;
layout(location = 0) out vec4 result;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    result = vec4(texelFetch(source, at, 0).r, texelFetch(previous, at, 0).g + 1.0, 0.0, 0.0);
}
"""


@dataclass(frozen=True)
class Light:
    """A value that nodes wait for."""

    angle: int


class Stamps:
    """Nodes that write the number of the frame, and the frames in which each has run."""

    def __init__(self, bench) -> None:
        self.bench = bench
        self.runs: dict[str, list[int]] = {}
        bench.shader("paint.frag", PAINT)
        bench.shader("copy.frag", COPY)
        bench.shader("count.frag", COUNT)
        bench.graph.define_resolution(ResolutionRule("size", size=(8, 8)))

    def stamp(self, name: str, rate=lambda reg: None, *, resolution: str = "size") -> None:
        """A node ``stamp/NAME`` that creates the texture ``NAME`` and fills it with the frame's number."""
        runs = self.runs.setdefault(name, [])

        def declare(reg):
            reg.create(name, Texture(FORMAT, Resolution(resolution))).color()
            rate(reg)
            pipeline = reg.graphics("paint.frag")

            def execute(cmd) -> None:
                runs.append(cmd.frame)
                cmd.draw(pipeline, color=(float(cmd.frame), 0.0, 0.0, 0.0))

            return execute

        self.bench.graph.add_node(f"stamp/{name}", declare)

    def copy(self, source: str, result: str, rate=lambda reg: None) -> None:
        def declare(reg):
            reg.read(source).sampled(filter="nearest").bind("source")
            reg.create(result, Texture(FORMAT, Resolution("size"))).color()
            rate(reg)
            reg.stable()
            pipeline = reg.graphics("copy.frag")
            return lambda cmd: cmd.draw(pipeline)

        self.bench.graph.add_node(f"copy/{result}", declare)

    def light(self, angles) -> None:
        """The blob ``light``, whose angle in each frame is that of ``angles``."""

        def declare(reg):
            light = reg.create("light", Light)

            def execute(cmd) -> None:
                light.value = Light(angles[cmd.frame])

            return execute

        self.bench.graph.add_node("light", declare)

    def seen(self, name: str = "b") -> float:
        return float(self.bench.texels(name)[3, 3, 0])

    def frame_by_frame(self, count: int, name: str = "b") -> list[float]:
        seen = []
        for _ in range(count):
            self.bench.frames(1)
            seen.append(self.seen(name))
        return seen
