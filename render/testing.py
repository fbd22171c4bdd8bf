"""Helpers for tests of nodes: run a single node on given inputs and return its outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from renderwright.render.argument_checks import (
    check_backend,
    check_declare,
    check_names,
    check_paths,
    check_size,
    line_of_test,
)
from renderwright.render.backend.protocol import Backend
from renderwright.render.errors import BackendError, GraphError, MissingShaderError, SourceLocation
from renderwright.render.graph.declare import Declare, Execute
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.node_requests import requested
from renderwright.render.graph.registry import Registry
from renderwright.render.graph.requests import NodeDeclaration, Request, Verb
from renderwright.render.graph.snapshot import Chain
from renderwright.render.node_inputs import (
    channels_of,
    check_blob,
    check_depth,
    check_history,
    check_own_names,
    check_texels,
    check_texture,
    copied,
    external,
    format_of,
    with_channels,
)
from renderwright.render.node_lines import tell_line_of_node
from renderwright.render.runtime.on_demand import run_once
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.suggest import nearest
from renderwright.render.types.physical import BufferInfo, Physical, TextureInfo
from renderwright.render.types.resources import Blob, Buffer, Extent, Resolution, Texture
from renderwright.render.types.usages import ATTACHMENTS, Usage
from renderwright.render.wide_numbers import refuse_wide_numbers

if TYPE_CHECKING:
    from renderwright.render.backend.opengl import OpenGLBackend
    from renderwright.render.backend.vulkan.backend import VulkanBackend

_DEPTH = frozenset({Usage.DEPTH, Usage.DEPTH_READ})
_ONLY_TEXTURES = ATTACHMENTS | {Usage.SAMPLED}
"""Usages that buffers do not have."""
_GIVEN = "given/"
_WITHOUT_INPUT = frozenset({Verb.CREATE, Verb.EXTERNAL, Verb.HISTORY})
_WITHOUT_RESULT = frozenset({Verb.READ, Verb.EXTERNAL, Verb.HISTORY, Verb.GATHER})


def run_node(
    declare: Declare,
    inputs: Mapping[str, Any] | None = None,
    outputs: Sequence[str] = (),
    *,
    size: Extent = (64, 64),
    shader_paths: Sequence[Path] = (),
    name: str = "node",
    backend: Backend | str | None = None,
) -> dict[str, Any]:
    """Run the node of ``declare``, alone, for one frame; returns the ``outputs`` as values, by name.

    A key of ``inputs`` or ``outputs`` is a resource's name or its name in the node's shaders; a chain member has
    ``source`` and ``result``. An array of shape (height, width), (height, width, channels) or (layers, height, width,
    channels) is a texture (uint8 is normalised, never sRGB; 3 channels get a fourth of ones), an array of one dimension
    is a buffer, and any other value is a blob. Outputs have the form of ``Results.values``: texels as the format stores
    them, so uint8 of ``rgba8_unorm`` and, encoded, of ``rgba8_srgb``. Every resolution is ``size``. ``name`` is the
    node's full name, for its namespace. An input for a history, by the resource's name if the node does not use the
    resource otherwise than to create it, is what the resource had in the frame before. Where the node uses the resource
    otherwise, its history needs a ``.bind`` of its own. Other histories are those of a
    first frame. Shaders that include files of the engine, such as ``camera.glsl``, need
    ``renderwright.engine.testing.run_node``.

    ``backend`` is a device, or ``"vulkan"`` or ``"opengl"`` for one of its own. Without it the node runs on Vulkan. A
    device of its own validates, and what its driver objects to raises ``BackendError``. Raises ``GraphError`` if an
    input is missing, of the wrong kind or type, or has width and height swapped although the node creates it, or
    declares it as external, at a resolution; ``UsageError`` for a size, names, paths, a function or a
    backend that are none, and all exceptions of the node.
    """
    where = line_of_test()
    check_size("run_node", size, where)
    check_names("run_node", "outputs", outputs, "resources", "color", where)
    check_paths("run_node", "shader_paths", shader_paths, where)
    check_declare("run_node", declare, where)
    check_backend(backend, where)
    with device_for_tests(backend) as device:
        case = _Case(declare, name, size, tuple(shader_paths), device, where)
        case.expect_histories(inputs or {})
        runtime = Runtime(FrameGraph(), device, ShaderLibrary())
        try:
            for key, value in (inputs or {}).items():
                case.give(key, value)
            case.check_inputs(inputs or {})
            resource_names = {key: case.name_of(key) for key in outputs}
            made = [full for full in resource_names.values() if full not in case.external_buffers]
            values = dict(run_once(runtime, case.graph, read=made).values)
            for full, buffer in case.external_buffers.items():
                values[full] = np.frombuffer(device.read_buffer(buffer), np.uint8)  # type: ignore[arg-type]
            return {key: values[full] for key, full in resource_names.items()}
        except GraphError as error:
            if isinstance(error.__cause__, MissingShaderError):
                error.hint = "run_node(..., shader_paths=[folder]) searches further folders"
            tell_line_of_node(error)
            raise
        finally:
            runtime.close()
            case.close()


@contextmanager
def device_for_tests(given: Backend | str | None = None) -> Iterator[Backend]:
    """The ``given`` device, or one of the backend of that name, ``"vulkan"`` without any, with validation.

    What the driver objects to raises ``BackendError``. Raises ``UsageError`` for an unknown name.
    """
    check_backend(given)
    if given is not None and not isinstance(given, str):
        yield given
        return
    backend = _opened("vulkan" if given is None else given)
    try:
        yield backend
    finally:
        backend.close()
    if backend.validation_messages:
        messages = "\n".join(message.text for message in backend.validation_messages)
        who = "the driver" if backend.capabilities.backend == "opengl" else "the validation layer"
        raise BackendError(f"{who} objects:\n{messages}")


def _opened(name: str) -> VulkanBackend | OpenGLBackend:
    """A device with validation."""
    if name == "vulkan":
        from renderwright.render.backend.vulkan.backend import VulkanBackend

        return VulkanBackend(validate=True)
    from renderwright.render.backend.opengl import OpenGLBackend

    return OpenGLBackend(validate=True)


class _Case:
    """A graph of the node under test and a node for each input."""

    def __init__(
        self,
        declare: Declare,
        name: str,
        size: Extent,
        paths: tuple[Path, ...],
        backend: Backend,
        where: SourceLocation | None,
    ) -> None:
        self.graph = FrameGraph()
        self.external_buffers: dict[str, Physical] = {}
        self._backend = backend
        self._made: list[Physical] = []
        self._given: set[str] = set()
        self._histories: dict[str, str] = {}  # what is read instead, by the name of the resource
        self._history_keys: dict[str, str] = {}  # the same by the key of the input
        self._declare, self._paths = declare, paths
        self._size, self._where = size, where
        self._node = self._declared(name, declare)
        sizes = [
            request.desc.size if isinstance(request.desc, Texture) else request.desc.each
            for request in self._node.requests
            if isinstance(request.desc, Texture | Buffer)
        ]
        resolutions = {"output"} | {size.name for size in sizes if isinstance(size, Resolution)}
        for resolution in sorted(resolutions):
            self.graph.set_resolution(resolution, size)
        for member in self._node.chains:
            self.graph.add_chain(Chain(member.chain, f"{member.chain}.input", f"{member.chain}.output"))

    def _declared(self, name: str, declare: Declare) -> NodeDeclaration:
        self.graph.add_node(name, declare, shader_paths=self._paths)
        for failure in self.graph.declare():
            raise failure.error
        return self.graph.declared(name).declaration

    def expect_histories(self, keys: Iterable[str]) -> None:
        """Let the node read inputs instead of the histories that are among these keys."""
        for key in keys:
            request = self._input(key)
            if request.verb is Verb.HISTORY:
                self._histories[request.name] = self._history_keys[key] = f"{_GIVEN}before/{request.name}"
        if self._histories:
            self._node = self._declared(self._node.name, self._with_given_histories)

    def _with_given_histories(self, reg: Registry) -> Execute | None:
        execute = self._declare(reg)
        for request in requested(reg).resources:
            if request._verb is Verb.HISTORY and request._resource in self._histories:
                request.given_as(self._histories[request._resource])
        return execute

    def close(self) -> None:
        """Release the inputs."""
        for physical in self._made:
            self._backend.destroy(physical)

    def name_of(self, key: str) -> str:
        """The name of the resource of an output key."""
        written = self._find(key, lambda request: request.verb not in _WITHOUT_RESULT)
        request = written or self._request(key, lambda request: request.verb is not Verb.HISTORY)
        if request.verb is Verb.READ or (request.verb is Verb.EXTERNAL and isinstance(request.desc, Texture)):
            results = sorted(
                {other.binding or other.name for other in self._node.requests if other.verb not in _WITHOUT_RESULT}
            )
            raise GraphError(
                f'"{self._node.name}" only reads "{key}", so it is no output',
                hint=f"its outputs are {', '.join(results) or 'none'}",
                where=request.source,
            )
        if request.chain:
            return f"{request.chain}.{'output' if request.verb is Verb.CREATE else 'input'}"
        return request.to or request.name

    def check_inputs(self, keys: Iterable[str]) -> None:
        """Raise ``GraphError`` if an input is missing, or one of these keys names a history as well."""
        check_own_names(self._node, [key for key in keys if key not in self._history_keys])
        own = {request.creates for request in self._node.requests}
        for request in self._node.requests:
            name = f"{request.chain}.input" if request.chain else request.name
            if request.verb in _WITHOUT_INPUT or request.optional or name in own or name in self._given:
                continue
            key = request.binding if request.chain else request.name
            raise GraphError(
                f'"{self._node.name}" needs "{key}", which is not among the inputs',
                hint=f'give it a value: run_node(..., {{"{key}": ...}})',
                where=request.source,
            )

    def _input(self, key: str) -> Request:
        """The request of an input key, of a history only if no other request has the key."""
        used = self._find(key, lambda request: request.verb not in (Verb.CREATE, Verb.HISTORY))
        return used or self._request(key, lambda request: request.verb is Verb.HISTORY)

    def _find(self, key: str, fits: Callable[[Request], bool]) -> Request | None:
        fitting = [request for request in self._node.requests if fits(request)]
        named = [request for request in fitting if key in (request.name, request.to)]
        return next(iter(named or (request for request in fitting if key == request.binding)), None)

    def _request(self, key: str, fits: Callable[[Request], bool]) -> Request:
        found = self._find(key, fits)
        if found is not None:
            return found
        output = self._find(key, lambda request: request.verb is Verb.CREATE)
        if output is not None:
            histories = [request for request in self._node.requests if fits(request) and request.name == output.name]
            raise GraphError(
                f'"{self._node.name}" creates "{key}": that is an output, no input',
                hint="".join(f'its history is the input "{one.binding or one.name}"' for one in histories[:1])
                or "leave it out of the inputs",
                where=self._where,
            )
        known = sorted({request.binding or request.name for request in self._node.requests})
        near = nearest(key, known)
        raise GraphError(
            f'"{self._node.name}" requests no "{key}"',
            hint=(f'did you mean "{near}"? ' if near else "") + f"it requests {', '.join(known)}",
            where=self._where,
        )

    def give(self, key: str, value: Any) -> None:
        """Set the contents of an input resource to ``value``."""
        request = self._input(self._history_keys.get(key, key))
        name = f"{request.chain}.input" if request.chain else request.name
        self._given.add(name)
        check_blob(key, value, request.desc, self._where)
        if request.chain or request.usage in _ONLY_TEXTURES or isinstance(request.desc, Texture):
            check_texels(key, value, self._where)
        if not isinstance(value, np.ndarray):
            self._give_blob(name, request, value)
        elif value.ndim == 1:
            refuse_wide_numbers(f'the input "{key}"', value, self._where)
            self._give_buffer(name, request, value)
        else:
            if self._has_size_of_frame(request):
                check_texture(key, value, self._size, self._where)
            self._give_texture(name, key, request, value)

    def _check_history(self, request: Request, key: str, pixels: NDArray[Any]) -> None:
        """Raise ``GraphError`` for a history of another shape than what the node itself creates."""
        own = {given: name for name, given in self._histories.items()}.get(request.name)
        for other in self._node.requests:
            if other.name == own and other.verb is Verb.CREATE and isinstance(other.desc, Texture):
                check_history(key, pixels, other.desc, self._size, self._where)

    def _has_size_of_frame(self, request: Request) -> bool:
        """Whether the node itself says that a resource is as large as the frame; one that it only reads may have any
        size."""
        own = {given: name for name, given in self._histories.items()}.get(request.name, request.name)
        sizes = [
            other.desc.size for other in self._node.requests if other.name == own and isinstance(other.desc, Texture)
        ]
        return any(isinstance(size, Resolution) and size.scale == 1.0 for size in sizes)

    def _give_blob(self, name: str, request: Request, value: Any) -> None:
        desc = request.desc
        kind = desc.type if isinstance(desc, Blob) and desc.type is not None else type(value)
        if request.verb is Verb.EXTERNAL:
            self.graph.set_external(name, lambda context: value)
            return

        def declare(reg: Registry) -> Execute:
            blob = reg.create(name, kind)

            def execute(commands: object) -> None:
                blob.value = value

            return execute

        self.graph.add_node(_GIVEN + name, declare)

    def _give_buffer(self, name: str, request: Request, value: NDArray[Any]) -> None:
        usages = frozenset({Usage.STORAGE_READ} | self._usages(name))
        buffer = self._backend.create_buffer(BufferInfo(value.nbytes, usages), name, value.tobytes())
        self._made.append(buffer)
        self.external_buffers[name] = buffer
        self._give_external(name, request, Buffer(value.nbytes), buffer)

    def _give_texture(self, name: str, key: str, request: Request, value: NDArray[Any]) -> None:
        pixels = with_channels(value, key, self._where)
        self._check_history(request, key, pixels)
        layers = pixels.shape[0] if pixels.ndim == 4 else 1
        height, width = pixels.shape[-3:-1]
        desc = Texture(format_of(value, key, self._where), (width, height), layers=layers)
        info = TextureInfo(desc.format, (width, height), 1, layers, 1, frozenset({Usage.SAMPLED}))
        texture = self._backend.create_texture(info, name, pixels)
        self._made.append(texture)
        usages = self._usages(name)
        if usages <= {Usage.SAMPLED} or request.verb is Verb.EXTERNAL:
            self._give_external(name, request, desc, texture)
            return
        if usages & _DEPTH:
            check_depth(key, channels_of(value), self._where)
        # External textures with contents can only be sampled, so other usages get a copy inside the graph.
        source = f"{_GIVEN}{name}.texels"
        self.graph.add_node(f"{_GIVEN}{name}.texels", lambda reg: external(reg, source, desc))
        self.graph.set_external(source, lambda context: texture)
        for layer in range(layers):
            copy = copied(source, name, desc, layer, self._node.name, depth=bool(usages & _DEPTH))
            self.graph.add_node(f"{_GIVEN}{name}" + (f".{layer}" if layer else ""), copy)

    def _give_external(self, name: str, request: Request, desc: Texture | Buffer, physical: Physical) -> None:
        if request.verb is not Verb.EXTERNAL:
            self.graph.add_node(_GIVEN + name, lambda reg: external(reg, name, desc))
        self.graph.set_external(name, lambda context: physical)

    def _usages(self, name: str) -> set[Usage]:
        requests = self._node.requests
        inputs = {f"{request.chain}.input": request for request in requests if request.verb is Verb.READ}
        found = {request.usage for request in requests if request.name == name}
        found |= {request.usage for chained, request in inputs.items() if chained == name}
        return {usage for usage in found if usage is not None}
