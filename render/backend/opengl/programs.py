"""Programs: translated shaders, compiled and linked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.opengl.api import NULL, Api, ffi
from renderwright.render.backend.opengl.device import Device
from renderwright.render.backend.opengl.errors import check
from renderwright.render.errors import BackendError, ShaderError, SourceLocation
from renderwright.render.shaders.module import ShaderModule
from renderwright.render.shaders.translation import with_units
from renderwright.render.types.usages import ShaderStage

_STAGES = {
    ShaderStage.VERTEX: gl.VERTEX_SHADER,
    ShaderStage.FRAGMENT: gl.FRAGMENT_SHADER,
    ShaderStage.COMPUTE: gl.COMPUTE_SHADER,
}


class Program:
    """A program of translated shaders. The driver makes it from the first call on, beside others if it can."""

    def __init__(self, device: Device, name: str, modules: Sequence[ShaderModule], texts: tuple[str, ...]) -> None:
        self.texts = texts
        self.users = 0
        self._device = device
        self._name = name
        self._modules = modules
        self._error: BackendError | ShaderError | None = None
        api = device.api
        self._handle = api.glCreateProgram()
        self._shaders = [_compiling(api, module, text) for module, text in zip(modules, texts, strict=True)]
        for shader in self._shaders:
            api.glAttachShader(self._handle, shader)
        api.glLinkProgram(self._handle)

    @property
    def is_ready(self) -> bool:
        """Whether ``handle`` does not wait for the driver."""
        if not self._shaders or not self._device.links_beside:
            return True
        return bool(_status(self._device.api.glGetProgramiv, self._handle, gl.COMPLETION_STATUS))

    def handle(self) -> int:
        """The program's name. Raises ``ShaderError`` with the driver's message if it does not compile or link."""
        if self._shaders:
            try:
                self._finish()
            except (BackendError, ShaderError) as error:
                self._error = error
        if self._error is not None:
            raise self._error
        return int(self._handle)

    def release(self) -> None:
        """Delete it."""
        self._delete_shaders()
        self._device.api.glDeleteProgram(self._handle)

    def _finish(self) -> None:
        api = self._device.api
        try:
            for shader, module in zip(self._shaders, self._modules, strict=True):
                if not _status(api.glGetShaderiv, shader, gl.COMPILE_STATUS):
                    reason = _log(api.glGetShaderiv, api.glGetShaderInfoLog, shader)
                    raise _rejected(self._device, module.file, "compile", reason, module)
            if not _status(api.glGetProgramiv, self._handle, gl.LINK_STATUS):
                reason = _log(api.glGetProgramiv, api.glGetProgramInfoLog, self._handle)
                raise _rejected(self._device, f"the shaders of {self._name!r}", "link", reason, self._modules[-1])
            check(api, f"create the pipeline {self._name!r}")
        finally:
            self._delete_shaders()
        self._device.label(gl.PROGRAM_OBJECT, self._handle, self._name)

    def _delete_shaders(self) -> None:
        for shader in self._shaders:
            self._device.api.glDeleteShader(shader)
        self._shaders.clear()


class Programs:
    """The programs in use. Pipelines of equal shaders share one: for a driver each program is another state."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._made: dict[tuple[str, ...], Program] = {}

    def get(
        self, name: str, modules: Sequence[ShaderModule], translations: Sequence[str], units: Mapping[int, int]
    ) -> Program:
        """The program of translated modules, with the unit of each place. Hand it back by ``give_back``."""
        texts = tuple([with_units(text, units) for text in translations])
        if texts not in self._made:
            self._made[texts] = Program(self._device, name, modules, texts)
        self._made[texts].users += 1
        return self._made[texts]

    def give_back(self, program: Program) -> None:
        """A pipeline uses the program no more; the last one deletes it."""
        program.users -= 1
        if not program.users:
            del self._made[program.texts]
            program.release()


def _compiling(api: Api, module: ShaderModule, text: str) -> int:
    """A shader that the driver compiles."""
    shader = api.glCreateShader(_STAGES[module.stage])
    source = ffi.new("GLchar[]", text.encode())
    api.glShaderSource(shader, 1, ffi.new("GLchar*[]", [source]), NULL)
    api.glCompileShader(shader)
    return int(shader)


def _status(ask: Callable[..., None], name: int, what: int) -> int:
    value = ffi.new("GLint*")
    ask(name, what, value)
    return int(value[0])


def _log(ask: Callable[..., None], read: Callable[..., None], name: int) -> str:
    text = ffi.new("GLchar[]", max(1, _status(ask, name, gl.INFO_LOG_LENGTH)))
    read(name, len(text), NULL, text)
    return str(ffi.string(text).decode(errors="replace")).strip()


def _rejected(device: Device, what: str, verb: str, reason: str, module: ShaderModule) -> ShaderError:
    return ShaderError(
        f"{what} does not {verb} on {device.name}: {reason or 'the driver gives no reason'}",
        hint="the text is a translation of the shader's SPIR-V; change the GLSL, or play with --backend vulkan",
        where=SourceLocation(module.file),
    )
