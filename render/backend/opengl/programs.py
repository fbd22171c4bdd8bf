"""Programs: translated shaders, compiled and linked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.opengl.api import NULL, ffi
from renderwright.render.backend.opengl.device import Device
from renderwright.render.backend.opengl.errors import check
from renderwright.render.errors import ShaderError, SourceLocation
from renderwright.render.shaders.module import ShaderModule
from renderwright.render.shaders.translation import with_units
from renderwright.render.types.usages import ShaderStage

_STAGES = {
    ShaderStage.VERTEX: gl.VERTEX_SHADER,
    ShaderStage.FRAGMENT: gl.FRAGMENT_SHADER,
    ShaderStage.COMPUTE: gl.COMPUTE_SHADER,
}


def link_program(
    device: Device, name: str, modules: Sequence[ShaderModule], texts: Sequence[str], units: Mapping[int, int]
) -> int:
    """A program of translated modules, with the unit of each place.

    Raises ``ShaderError`` with the driver's message if it does not compile or link.
    """
    api = device.api
    program = api.glCreateProgram()
    shaders: list[int] = []
    try:
        for module, text in zip(modules, texts, strict=True):
            shaders.append(_compile(device, module, with_units(text, units)))
            api.glAttachShader(program, shaders[-1])
        api.glLinkProgram(program)
        linked = ffi.new("GLint*")
        api.glGetProgramiv(program, gl.LINK_STATUS, linked)
        if not linked[0]:
            reason = _log(api.glGetProgramiv, api.glGetProgramInfoLog, program)
            raise _rejected(device, f"the shaders of {name!r}", "link", reason, modules[-1])
        check(api, f"create the pipeline {name!r}")
    except BaseException:
        api.glDeleteProgram(program)
        raise
    finally:
        for shader in shaders:
            api.glDeleteShader(shader)
    device.label(gl.PROGRAM_OBJECT, program, name)
    return int(program)


def _compile(device: Device, module: ShaderModule, text: str) -> int:
    api = device.api
    shader = api.glCreateShader(_STAGES[module.stage])
    source = ffi.new("GLchar[]", text.encode())
    api.glShaderSource(shader, 1, ffi.new("GLchar*[]", [source]), NULL)
    api.glCompileShader(shader)
    compiled = ffi.new("GLint*")
    api.glGetShaderiv(shader, gl.COMPILE_STATUS, compiled)
    if not compiled[0]:
        reason = _log(api.glGetShaderiv, api.glGetShaderInfoLog, shader)
        api.glDeleteShader(shader)
        raise _rejected(device, module.file, "compile", reason, module)
    return int(shader)


def _log(ask, read, name: int) -> str:  # type: ignore[no-untyped-def]
    length = ffi.new("GLint*")
    ask(name, gl.INFO_LOG_LENGTH, length)
    text = ffi.new("GLchar[]", max(1, length[0]))
    read(name, len(text), NULL, text)
    return str(ffi.string(text).decode(errors="replace")).strip()


def _rejected(device: Device, what: str, verb: str, reason: str, module: ShaderModule) -> ShaderError:
    return ShaderError(
        f"{what} does not {verb} on {device.name}: {reason or 'the driver gives no reason'}",
        hint="the text is a translation of the shader's SPIR-V; change the GLSL, or play with --backend vulkan",
        where=SourceLocation(module.file),
    )
