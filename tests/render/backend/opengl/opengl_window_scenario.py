"""A window on OpenGL: what is shown, after a resize as well. Run with a display; prints what it found."""

from __future__ import annotations

from struct import pack
from typing import Any

from renderwright.engine.backends import make_backend
from renderwright.engine.options import BackendName, PlayOptions
from renderwright.engine.window import GameWindow
from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.opengl.api import ffi
from renderwright.render.backend.protocol import Backend, PipelineDesc, Recorder
from renderwright.render.backend.target import Target
from renderwright.render.types.resources import Extent
from tests.on_devices import attached, fragment, vertex
from tests.one_time import once

READ_FRAMEBUFFER = 0x8CA8
RED_ABOVE_GREEN = """#version 450
layout(push_constant) uniform Push { float middle; };
layout(location = 0) out vec4 color;
void main() { color = gl_FragCoord.y < middle ? vec4(1.0, 0.0, 0.0, 1.0) : vec4(0.0, 1.0, 0.0, 1.0); }
"""


def show(backend: Backend, target: Target, slot: int) -> bool:
    modules = vertex(), fragment(RED_ABOVE_GREEN, push_size=4)
    program = backend.create_pipeline(PipelineDesc("halves", modules, (target.format,)))
    backend.begin_frame(slot)
    image = target.acquire(slot)
    assert image is not None
    recorder: Recorder = backend.recorder(slot)
    recorder.begin_pass([attached(image)], image.info.extent)
    recorder.bind_pipeline(program)
    recorder.push(program, pack("<f", image.info.extent[1] / 2))
    recorder.draw(3)
    recorder.end_pass()
    return backend.end_frame(slot, [once(backend, slot, [recorder.take()])], target)


def halves(backend: Any, extent: Extent) -> str:
    """The colours at the top and at the bottom of what the window is about to show."""
    width, height = extent
    load = backend._context.load
    read = ffi.cast("void(*)(GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void*)", load("glReadPixels"))
    backend._device.api.glBindFramebuffer(READ_FRAMEBUFFER, 0)
    found = []
    for row in (height - 1, 0):
        pixel = ffi.new("unsigned char[4]")
        read(width // 2, row, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel)
        found.append({(255, 0, 0): "red", (0, 255, 0): "green"}.get(tuple(pixel)[:3], str(tuple(pixel))))
    return " ".join(found)


def main() -> None:
    window = GameWindow("OpenGL", (64, 48), opengl=True)
    options = PlayOptions("none", backend=BackendName.OPENGL, validate=True)
    backend: Any = make_backend(options, window=window)
    target = backend.create_target(window.extent, window.window)
    flip = window.window.flip
    seen: list[str] = []

    def look_and_flip() -> None:
        seen.append(halves(backend, window.extent))
        flip()

    window.window.flip = look_and_flip
    for slot in (0, 1):
        window.dispatch()
        print("fits" if show(backend, target, slot) else "does not fit", seen[-1])
    target.resize((80, 60))
    print("fits" if show(backend, target, 0) else "does not fit")
    target.resize(window.extent)
    print("fits" if show(backend, target, 1) else "does not fit", seen[-1])
    target.resize((0, 0))
    print("minimised" if target.acquire(0) is None else "shown")
    target.close()
    backend.close()
    print(f"{len(backend.validation_messages)} messages")
    window.close()


main()
