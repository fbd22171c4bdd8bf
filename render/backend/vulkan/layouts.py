"""Pipeline layouts, merged from the reflection of a pipeline's shaders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from renderwright.render.backend.shader_limits import array_without_length, require_shaders
from renderwright.render.backend.vulkan.api import NULL, CData, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.errors import check
from renderwright.render.shaders.interface import merge_bindings
from renderwright.render.shaders.module import UNSIZED, BindingKind, ShaderBinding, ShaderModule
from renderwright.render.types.usages import ShaderStage

STAGE_BITS: dict[ShaderStage, int] = {
    ShaderStage.VERTEX: lib.VK_SHADER_STAGE_VERTEX_BIT,
    ShaderStage.FRAGMENT: lib.VK_SHADER_STAGE_FRAGMENT_BIT,
    ShaderStage.COMPUTE: lib.VK_SHADER_STAGE_COMPUTE_BIT,
}
DESCRIPTOR_TYPES: dict[BindingKind, int] = {
    BindingKind.SAMPLED: lib.VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
    BindingKind.STORAGE_TEXTURE: lib.VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
    BindingKind.UNIFORM_BUFFER: lib.VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
    BindingKind.STORAGE_BUFFER: lib.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
}


@dataclass(frozen=True)
class StagedBinding:
    """A binding with the VkShaderStageFlags of the stages that use it."""

    binding: ShaderBinding
    stages: int

    @property
    def unsized(self) -> bool:
        """Whether it is an array without length, the last binding of its set."""
        return self.binding.count == UNSIZED


def staged_bindings(modules: Sequence[ShaderModule]) -> tuple[tuple[StagedBinding, ...], ...]:
    """The bindings of all stages by number of the descriptor set; unused sets are empty.

    Raises ``ShaderError`` if two stages disagree about a binding.
    """
    merged = merge_bindings(modules)
    stages: dict[tuple[int, int], int] = {}
    for module in modules:
        for binding in module.bindings:
            place = binding.set, binding.binding
            stages[place] = stages.get(place, 0) | STAGE_BITS[module.stage]
    count = max((binding.set for binding in merged), default=-1) + 1
    return tuple(
        tuple(
            StagedBinding(binding, stages[binding.set, binding.binding]) for binding in merged if binding.set == wanted
        )
        for wanted in range(count)
    )


class PipelineLayout:
    """A VkPipelineLayout with its descriptor set layouts and one push-constant range for all stages."""

    def __init__(self, device: Device, modules: Sequence[ShaderModule], name: str) -> None:
        self._device = device
        require_shaders(device.shader_limits, modules, name)
        self.sets = staged_bindings(modules)
        self.push_size = max((module.push_size for module in modules), default=0)
        self.push_stages = 0
        if self.push_size:
            for module in modules:
                self.push_stages |= STAGE_BITS[module.stage]
        self.set_layouts: list[CData] = []
        self.handle: CData = NULL
        try:
            for bindings in self.sets:
                self.set_layouts.append(self._set_layout(bindings, name))
            self.handle = self._create(name)
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        """Destroy the layouts."""
        dispatch, handle = self._device.dispatch, self._device.handle
        if self.handle != NULL:
            dispatch.vkDestroyPipelineLayout(handle, self.handle, NULL)
        for layout in self.set_layouts:
            dispatch.vkDestroyDescriptorSetLayout(handle, layout, NULL)

    def _set_layout(self, bindings: Sequence[StagedBinding], name: str) -> CData:
        arena = Arena()
        unsized = [staged.binding.name for staged in bindings if staged.unsized]
        if unsized and not self._device.indexed_textures:
            raise array_without_length(name, unsized[0])
        items = [
            {
                "binding": staged.binding.binding,
                "descriptorType": DESCRIPTOR_TYPES[staged.binding.kind],
                "descriptorCount": staged.binding.count if not staged.unsized else self._device.indexed_textures,
                "stageFlags": staged.stages,
            }
            for staged in bindings
        ]
        variable = lib.VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT
        flags = arena.new(
            "VkDescriptorSetLayoutBindingFlagsCreateInfo",
            bindingCount=len(items),
            pBindingFlags=arena.array("uint32_t", [variable if staged.unsized else 0 for staged in bindings]),
        )
        info = arena.new(
            "VkDescriptorSetLayoutCreateInfo",
            pNext=flags if unsized else NULL,
            bindingCount=len(items),
            pBindings=arena.array("VkDescriptorSetLayoutBinding", items),
        )
        layout = arena.out("VkDescriptorSetLayout")
        check(
            self._device.dispatch.vkCreateDescriptorSetLayout(self._device.handle, info, NULL, layout),
            f"create a descriptor set layout of {name!r}",
        )
        self._device.name(lib.VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, layout[0], name)
        return layout[0]

    def _create(self, name: str) -> CData:
        arena = Arena()
        ranges = [{"stageFlags": self.push_stages, "size": self.push_size}] if self.push_size else []
        info = arena.new(
            "VkPipelineLayoutCreateInfo",
            setLayoutCount=len(self.set_layouts),
            pSetLayouts=arena.array("VkDescriptorSetLayout", self.set_layouts),
            pushConstantRangeCount=len(ranges),
            pPushConstantRanges=arena.array("VkPushConstantRange", ranges),
        )
        layout = arena.out("VkPipelineLayout")
        check(
            self._device.dispatch.vkCreatePipelineLayout(self._device.handle, info, NULL, layout),
            f"create the layout of {name!r}",
        )
        self._device.name(lib.VK_OBJECT_TYPE_PIPELINE_LAYOUT, layout[0], name)
        return layout[0]


def _key(item: tuple[tuple[int, int], object]) -> tuple[int, int]:
    return item[0]
