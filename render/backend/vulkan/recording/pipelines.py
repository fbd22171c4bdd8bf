"""The descriptors that a pipeline's shaders read and write, and their contents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from renderwright.render.backend.vulkan.api import CData, ffi
from renderwright.render.backend.vulkan.constants import WHOLE_SIZE
from renderwright.render.backend.vulkan.layouts import STAGE_BITS
from renderwright.render.backend.vulkan.recording.objects import Objects, number_of
from renderwright.render.shaders.module import BindingKind, ShaderBinding
from renderwright.render.shaders.reflect import reflect
from renderwright.render.sync.oracle.names import ACCESSES, LAYOUTS, STAGES
from renderwright.render.sync.oracle.stream import Access, Range
from renderwright.render.types.usages import ShaderStage

LAYOUT_NAMES = {number: name for name, number in LAYOUTS.items()}

_SHADER_STAGES = {STAGE_BITS[stage]: stage for stage in ShaderStage}
_PIPELINE_STAGES = {
    ShaderStage.VERTEX: STAGES["VERTEX_SHADER"],
    ShaderStage.FRAGMENT: STAGES["FRAGMENT_SHADER"],
    ShaderStage.COMPUTE: STAGES["COMPUTE_SHADER"],
}


@dataclass(frozen=True)
class Binding:
    """One binding of a shader stage."""

    stages: int
    access: int
    set: int
    binding: int


@dataclass(frozen=True)
class Pipeline:
    """The accesses of a pipeline: bindings, number of vertex buffers, and attachments by its state."""

    bindings: tuple[Binding, ...]
    vertex_buffers: int = 0
    blends: bool = False
    depth: str = "none"


@dataclass(frozen=True)
class Content:
    """The content of a descriptor: a view in a layout, or a part of a buffer."""

    handle: int
    layout: str = ""
    range: Range = field(default_factory=Range)


class Pipelines:
    """Shader modules, pipelines and descriptor sets by handle."""

    def __init__(self) -> None:
        self.pipelines: dict[int, Pipeline] = {}
        self.sets: dict[int, dict[int, tuple[Content, ...]]] = {}
        self._modules: dict[int, bytes] = {}

    def module(self, info: CData, handle: CData) -> None:
        """Register a shader module."""
        self._modules[number_of(handle)] = bytes(ffi.buffer(info.pCode, info.codeSize))

    def graphics(self, info: CData, handle: CData) -> None:
        """Register a graphics pipeline."""
        stages = tuple(b for n in range(info.stageCount) for b in self._bindings(info.pStages[n]))
        vertex, blending, depth = info.pVertexInputState, info.pColorBlendState, info.pDepthStencilState
        blends = blending != ffi.NULL and any(
            blending.pAttachments[number].blendEnable for number in range(blending.attachmentCount)
        )
        tested = "none"
        if depth != ffi.NULL and depth.depthTestEnable:
            tested = "write" if depth.depthWriteEnable else "read"
        count = vertex.vertexBindingDescriptionCount if vertex != ffi.NULL else 0
        self.pipelines[number_of(handle)] = Pipeline(stages, count, blends, tested)

    def compute(self, info: CData, handle: CData) -> None:
        """Register a compute pipeline."""
        self.pipelines[number_of(handle)] = Pipeline(tuple(self._bindings(info.stage)))

    def _bindings(self, stage: CData) -> Iterator[Binding]:
        shader = _SHADER_STAGES[stage.stage]
        module = reflect(self._modules[number_of(stage.module)], shader, "recorded", "")
        for binding in module.bindings:
            yield Binding(_PIPELINE_STAGES[shader], _access(binding), binding.set, binding.binding)

    def update(self, write: CData) -> None:
        """Apply a VkWriteDescriptorSet."""
        found = []
        for number in range(write.descriptorCount):
            if write.pBufferInfo != ffi.NULL:
                info = write.pBufferInfo[number]
                size = None if info.range == WHOLE_SIZE else int(info.range)
                found.append(Content(number_of(info.buffer), "", Range(offset=int(info.offset), size=size)))
            elif write.pImageInfo != ffi.NULL:
                image = write.pImageInfo[number]
                found.append(Content(number_of(image.imageView), LAYOUT_NAMES[image.imageLayout]))
        contents = self.sets.setdefault(number_of(write.dstSet), {})
        contents[write.dstBinding] = tuple(dict.fromkeys(found))

    def accesses(self, pipeline: Pipeline, bound: dict[int, int], objects: Objects) -> Iterator[Access]:
        """The accesses of a pipeline's shaders through the bound sets (handles by set number)."""
        for binding in pipeline.bindings:
            contents = self.sets.get(bound.get(binding.set, 0), {})
            for content in contents.get(binding.binding, ()):
                if content.layout:
                    view = objects.views[content.handle]
                    name, part = objects.resource(view.image), objects.part(view.image, view.range)
                else:
                    name = objects.resource(content.handle)
                    part = objects.part(content.handle, content.range)
                yield Access(name, binding.stages, binding.access, content.layout, part)


def _access(binding: ShaderBinding) -> int:
    if binding.kind is BindingKind.SAMPLED:
        return ACCESSES["SHADER_SAMPLED_READ"]
    if binding.kind is BindingKind.UNIFORM_BUFFER:
        return ACCESSES["UNIFORM_READ"]
    reads = ACCESSES["SHADER_STORAGE_READ"] if binding.reads else 0
    return reads | (ACCESSES["SHADER_STORAGE_WRITE"] if binding.writes else 0)
