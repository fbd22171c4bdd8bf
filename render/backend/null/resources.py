"""The objects of the null backend: descriptions without memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from renderwright.render.backend.command_buffers import OpList
from renderwright.render.backend.protocol import Binding, PipelineDesc
from renderwright.render.errors import BackendError
from renderwright.render.shaders.interface import merge_bindings, merge_push
from renderwright.render.shaders.module import ShaderBinding
from renderwright.render.types.physical import BufferInfo, TextureInfo
from renderwright.render.types.usages import ShaderStage


class NullObject:
    """A destroyable object. ``destroyed`` is set at once, ``alive`` is cleared at the end of the open frame."""

    kind = "object"

    def __init__(self, name: str) -> None:
        self.name = name
        self.alive = True
        self.destroyed = False

    @property
    def released(self) -> bool:
        """Whether the object is no longer alive."""
        return not self.alive

    def __str__(self) -> str:
        return f'{self.kind} "{self.name}"'

    def check_alive(self, doing: str) -> None:
        """Raise ``BackendError`` if the object is no longer alive."""
        if not self.alive:
            raise BackendError(f"{self} is destroyed", hint=f"it was used to {doing}")


class NullHeap(NullObject):
    """A heap without memory. ``placed`` are the resources in it."""

    kind = "heap"
    dedicated = False

    def __init__(self, memory_class: str, size: int, name: str) -> None:
        super().__init__(name)
        self.memory_class = memory_class
        self.size = size
        self.placed: list[NullObject] = []


class NullTexture(NullObject):
    """A texture without texels."""

    kind = "texture"

    def __init__(self, info: TextureInfo, name: str) -> None:
        super().__init__(name)
        self.info = info

    def check_lasting(self, doing: str) -> None:
        """Raise ``BackendError`` for a transient texture, which may have no memory outside render passes."""
        if self.info.transient:
            raise BackendError(f"{self} is transient", hint=f"it was used to {doing}")


class NullBuffer(NullObject):
    """A buffer. ``content`` is the bytes that the host wrote, None if it wrote none."""

    kind = "buffer"

    def __init__(self, info: BufferInfo, name: str, content: bytearray | None = None, *, host: bool = False) -> None:
        super().__init__(name)
        self.info = info
        self.content = content
        self.data: memoryview | None = memoryview(content) if host and content is not None else None


class NullPipeline(NullObject):
    """A pipeline with the bindings and push constants of its modules' reflection."""

    kind = "pipeline"
    ready = True

    def __init__(self, desc: PipelineDesc) -> None:
        super().__init__(desc.name)
        self.desc = desc
        self.compute = any(module.stage is ShaderStage.COMPUTE for module in desc.modules)
        self.push_size = merge_push(desc.modules)[1]
        self._bindings = merge_bindings(desc.modules)

    @property
    def sets(self) -> frozenset[int]:
        """The descriptor sets that the shaders use."""
        return frozenset(binding.set for binding in self._bindings)

    def bindings_of(self, number: int) -> Mapping[str, ShaderBinding]:
        """The bindings of one descriptor set by name."""
        return {binding.name: binding for binding in self._bindings if binding.set == number}


class NullBindingSet(NullObject):
    """The bindings of one descriptor set. ``objects`` are the textures and buffers in them."""

    kind = "binding set"

    def __init__(self, name: str, pipeline: NullPipeline, number: int, bindings: Mapping[str, Binding]) -> None:
        super().__init__(name)
        self.pipeline = pipeline
        self.number = number
        self.bindings = dict(bindings)
        self.objects: list[NullObject] = []


def null_object(value: Any, kind: type[NullObject], doing: str) -> Any:
    """``value`` as a living object of ``kind``. Raises ``BackendError`` for any other value."""
    if not isinstance(value, kind):
        raise BackendError(f"cannot {doing}: {type(value).__name__} is not a {kind.kind} of the null backend")
    value.check_alive(doing)
    return value


class NullCommandBuffer(NullObject):
    """The lists that it was recorded from; None before the first record."""

    kind = "commands"

    def __init__(self, slot: int, queue: str, name: str) -> None:
        super().__init__(name)
        self.slot = slot
        self.queue = queue
        self.lists: Sequence[OpList] | None = None
