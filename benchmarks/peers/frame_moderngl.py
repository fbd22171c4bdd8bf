"""A chain of full-screen passes in moderngl: CPU seconds of each frame, as JSON. The driver's thread is not counted."""

import json
import sys

import moderngl

from benchmarks.measure import frame_times

VERTEX = """#version 430
void main() { gl_Position = vec4(gl_VertexID & 1, gl_VertexID >> 1, 0.0, 0.25) * 4.0 - vec4(1.0, 1.0, 0.0, 0.0); }
"""
FRAGMENT = """#version 430
uniform sampler2D source;
layout(location = 0) out vec4 result;
void main() { result = texelFetch(source, ivec2(gl_FragCoord.xy), 0) * 0.5 + 0.25; }
"""
passes, frames = int(sys.argv[1]), int(sys.argv[2])
context = moderngl.create_context(standalone=True, backend="egl", require=430)  # type: ignore[arg-type]
program = context.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
triangle = context.vertex_array(program, [])
textures = [context.texture((16, 16), 4) for _ in range(passes + 1)]
targets = [context.framebuffer([texture]) for texture in textures[1:]]


def frame() -> None:
    """Draw all passes."""
    for source, target in zip(textures, targets, strict=False):
        target.use()
        source.use(0)
        triangle.render(moderngl.TRIANGLES, vertices=3)


frame_times(frame, context.finish, 20)
print(json.dumps(frame_times(frame, context.finish, frames)))
