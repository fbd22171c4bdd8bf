"""Programs: translated shaders, compiled and linked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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


@dataclass
class _Linked:
    """A program and the number of pipelines that use it."""

    program: int
    users: int = 0


class Programs:
    """Linked programs. Pipelines of equal shaders share one: for a driver each program is another state."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._linked: dict[tuple[str, ...], _Linked] = {}

    def get(
        self, name: str, modules: Sequence[ShaderModule], translations: Sequence[str], units: Mapping[int, int]
    ) -> int:
        """The program of translated modules, with the unit of each place. Hand it back by ``give_back``.

        Raises ``ShaderError`` with the driver's message if it does not compile or link.
        """
        texts = tuple([with_units(text, units) for text in translations])
        if texts not in self._linked:
            self._linked[texts] = _Linked(_link(self._device, name, modules, texts))
        self._linked[texts].users += 1
        return self._linked[texts].program

    def give_back(self, program: int) -> None:
        """A pipeline uses the program no more; the last one deletes it."""
        texts, linked = next((texts, each) for texts, each in self._linked.items() if each.program == program)
        linked.users -= 1
        if not linked.users:
            del self._linked[texts]
            self._device.api.glDeleteProgram(program)


def _link(device: Device, name: str, modules: Sequence[ShaderModule], texts: Sequence[str]) -> int:
    api = device.api
    program = api.glCreateProgram()
    shaders: list[int] = []
    try:
        for module, text in zip(modules, texts, strict=True):
            shaders.append(_compile(device, module, text))
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
