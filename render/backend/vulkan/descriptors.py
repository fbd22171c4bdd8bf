"""Descriptor sets and their pools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from renderwright.render.backend.own_objects import require_number
from renderwright.render.backend.protocol import Binding, BufferBinding, TextureBinding
from renderwright.render.backend.vulkan.api import NULL, CData, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.buffers import VulkanBuffer
from renderwright.render.backend.vulkan.constants import WHOLE_SIZE
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.errors import check, failure
from renderwright.render.backend.vulkan.layouts import DESCRIPTOR_TYPES, StagedBinding
from renderwright.render.backend.vulkan.pipelines import VulkanPipeline
from renderwright.render.backend.vulkan.samplers import Samplers
from renderwright.render.backend.vulkan.textures import VulkanTexture
from renderwright.render.errors import BackendError, ShaderError
from renderwright.render.shaders.module import BindingKind, ShaderBinding
from renderwright.render.suggest import did_you_mean

_SETS_A_POOL = 64
_OF_EACH_KIND = 256

Counts = Counter[BindingKind]


class VulkanBindingSet:
    """A VkDescriptorSet, written once; ``array`` has only this one.

    It was made for set ``number`` of pipelines, with the bindings ``wanted`` there.
    """

    number: int
    wanted: Sequence[StagedBinding]

    def __init__(self, owner: Descriptors, pool: _Pool, handle: CData, counts: Counts, name: str) -> None:
        self.handle = handle
        self._arena = Arena()
        self.array = self._arena.array("VkDescriptorSet", [handle])
        self.name = name
        self._owner = owner
        self._pool = pool
        self._counts = counts

    def require_fitting(self, pipeline: VulkanPipeline, number: int) -> None:
        """Raise ``BackendError`` unless it can be set ``number`` of the pipeline."""
        require_number(self.name, self.number, number, pipeline.desc.name)
        wanted = pipeline.layout.sets[number] if number < len(pipeline.layout.sets) else ()
        if wanted is not self.wanted and _slots(wanted) != _slots(self.wanted):
            raise BackendError(
                f'the bindings "{self.name}" do not fit descriptor set {number} of "{pipeline.desc.name}"',
                hint="create them for this pipeline",
            )

    def release(self) -> None:
        """Free the set."""
        self._pool.free(self.handle, self._counts)
        self._owner.drop_if_unused(self._pool)


def _slots(bindings: Sequence[StagedBinding]) -> list[tuple[int, BindingKind, int]]:
    return [(staged.binding.binding, staged.binding.kind, staged.binding.count) for staged in bindings]


class Descriptors:
    """Allocates and writes descriptor sets."""

    def __init__(self, device: Device, samplers: Samplers) -> None:
        self._device = device
        self._samplers = samplers
        self._pools: list[_Pool] = []

    def create(
        self, pipeline: VulkanPipeline, number: int, bindings: Mapping[str, Binding], name: str
    ) -> VulkanBindingSet:
        """Set ``number`` of the pipeline's layout, with all bindings that its shaders use from ``bindings``.

        Missing elements of an array repeat its last texture; one without length has those that are bound. Raises
        ``ShaderError`` if a binding is missing or of the wrong kind.
        """
        if number >= len(pipeline.layout.sets):
            raise ShaderError(f'the shaders of "{pipeline.desc.name}" use no descriptor set {number}')
        wanted = pipeline.layout.sets[number]
        arena = Arena()
        writes = [self._write(arena, pipeline, staged, bindings) for staged in wanted]
        counts: Counts = Counter()
        unsized = 0
        for staged, write in zip(wanted, writes, strict=True):
            counts[staged.binding.kind] += write["descriptorCount"]
            unsized += write["descriptorCount"] if staged.unsized else 0
        binding_set = self._allocate(pipeline.layout.set_layouts[number], counts, unsized, name)
        binding_set.number, binding_set.wanted = number, wanted
        for write in writes:
            write["dstSet"] = binding_set.handle
        self._device.dispatch.vkUpdateDescriptorSets(
            self._device.handle, len(writes), arena.array("VkWriteDescriptorSet", writes), 0, NULL
        )
        self._device.name(lib.VK_OBJECT_TYPE_DESCRIPTOR_SET, binding_set.handle, name)
        return binding_set

    def release(self) -> None:
        """Destroy the pools with all their sets."""
        for pool in self._pools:
            pool.release()
        self._pools.clear()

    def drop_if_unused(self, pool: _Pool) -> None:
        """Destroy a pool if it has no sets."""
        if not pool.used:
            self._pools.remove(pool)
            pool.release()

    def _allocate(self, layout: CData, counts: Counts, unsized: int, name: str) -> VulkanBindingSet:
        for pool in self._pools:
            handle = pool.take(layout, counts, unsized, name)
            if handle is not None:
                return VulkanBindingSet(self, pool, handle, counts, name)
        pool = _Pool(self._device, counts, name)
        self._pools.append(pool)
        try:
            handle = pool.take(layout, counts, unsized, name)
            if handle is None:
                raise failure(lib.VK_ERROR_OUT_OF_POOL_MEMORY, f"create the binding set {name!r}")
        except BaseException:
            self.drop_if_unused(pool)
            raise
        return VulkanBindingSet(self, pool, handle, counts, name)

    def _write(
        self, arena: Arena, pipeline: VulkanPipeline, staged: StagedBinding, bindings: Mapping[str, Binding]
    ) -> dict[str, Any]:
        binding = staged.binding
        if binding.name not in bindings:
            raise ShaderError(
                f'the shaders of "{pipeline.desc.name}" use "{binding.name}", which nothing is bound to',
                hint=did_you_mean(binding.name, bindings),
            )
        value = bindings[binding.name]
        write = {
            "dstBinding": binding.binding,
            "descriptorCount": binding.count,
            "descriptorType": DESCRIPTOR_TYPES[binding.kind],
        }
        if binding.kind in (BindingKind.UNIFORM_BUFFER, BindingKind.STORAGE_BUFFER):
            if not isinstance(value, BufferBinding):
                raise ShaderError(f'"{binding.name}" of "{pipeline.desc.name}" is a buffer; a texture is bound to it')
            return write | {
                "pBufferInfo": arena.array("VkDescriptorBufferInfo", [_buffer(value, binding)] * binding.count)
            }
        if isinstance(value, BufferBinding):
            raise ShaderError(f'"{binding.name}" of "{pipeline.desc.name}" is a texture; a buffer is bound to it')
        textures = value if isinstance(value, tuple) else (value,)
        most = self._device.indexed_textures if staged.unsized else binding.count
        if not 1 <= len(textures) <= most:
            raise ShaderError(
                f'"{binding.name}" of "{pipeline.desc.name}" holds {most} textures; {len(textures)} are bound'
            )
        filled = list(textures) + [textures[-1]] * (binding.count - len(textures))
        images = arena.array("VkDescriptorImageInfo", self._images(staged, filled))
        return write | {"pImageInfo": images, "descriptorCount": len(filled)}

    def _images(self, staged: StagedBinding, textures: Sequence[TextureBinding]) -> list[dict[str, Any]]:
        sampled = staged.binding.kind is BindingKind.SAMPLED
        images = []
        for bound in textures:
            texture = bound.texture
            assert isinstance(texture, VulkanTexture)
            view_of = texture.sampled_view if sampled else texture.storage_view
            view = view_of(bound.part, staged.binding.dimension)
            if view == NULL:
                raise BackendError(f"{texture.name!r} has no usage that a shader can bind")
            image = {"imageView": view, "imageLayout": int(bound.layout)}
            if sampled:
                image["sampler"] = self._samplers.get(bound.sampling, texture.info.format, shadow=staged.binding.shadow)
            images.append(image)
        return images


class _Pool:
    """A VkDescriptorPool that counts its descriptors, because drivers need not enforce its limits.

    ``used`` is the number of its living sets.
    """

    def __init__(self, device: Device, least: Counts, name: str) -> None:
        self._device = device
        self.used = 0
        self._left: Counts = Counter({kind: max(_OF_EACH_KIND, least[kind]) for kind in BindingKind})
        arena = Arena()
        sizes = [{"type": DESCRIPTOR_TYPES[kind], "descriptorCount": self._left[kind]} for kind in BindingKind]
        info = arena.new(
            "VkDescriptorPoolCreateInfo",
            flags=lib.VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
            maxSets=_SETS_A_POOL,
            poolSizeCount=len(sizes),
            pPoolSizes=arena.array("VkDescriptorPoolSize", sizes),
        )
        pool = arena.out("VkDescriptorPool")
        check(
            device.dispatch.vkCreateDescriptorPool(device.handle, info, NULL, pool),
            f"create a descriptor pool for {name!r}",
        )
        self._handle = pool[0]

    def take(self, layout: CData, counts: Counts, unsized: int, name: str) -> CData | None:
        """A new set, whose array without length has ``unsized`` textures, or None if the pool is full."""
        if self.used == _SETS_A_POOL or any(self._left[kind] < count for kind, count in counts.items()):
            return None
        arena = Arena()
        lengths = arena.new(
            "VkDescriptorSetVariableDescriptorCountAllocateInfo",
            descriptorSetCount=1,
            pDescriptorCounts=arena.array("uint32_t", [unsized]),
        )
        info = arena.new(
            "VkDescriptorSetAllocateInfo",
            pNext=lengths if unsized else NULL,
            descriptorPool=self._handle,
            descriptorSetCount=1,
            pSetLayouts=arena.array("VkDescriptorSetLayout", [layout]),
        )
        handle = arena.out("VkDescriptorSet")
        result = self._device.dispatch.vkAllocateDescriptorSets(self._device.handle, info, handle)
        if result in (lib.VK_ERROR_OUT_OF_POOL_MEMORY, lib.VK_ERROR_FRAGMENTED_POOL):
            return None
        check(result, f"allocate the binding set {name!r}")
        self.used += 1
        self._left.subtract(counts)
        return handle[0]

    def free(self, handle: CData, counts: Counts) -> None:
        """Free a set."""
        arena = Arena()
        sets = arena.array("VkDescriptorSet", [handle])
        check(
            self._device.dispatch.vkFreeDescriptorSets(self._device.handle, self._handle, 1, sets),
            "free a descriptor set",
        )
        self.used -= 1
        self._left.update(counts)

    def release(self) -> None:
        """Destroy the pool."""
        self._device.dispatch.vkDestroyDescriptorPool(self._device.handle, self._handle, NULL)


def _buffer(bound: BufferBinding, binding: ShaderBinding) -> dict[str, Any]:
    assert isinstance(bound.buffer, VulkanBuffer)
    size = bound.size
    if not size and binding.kind is BindingKind.UNIFORM_BUFFER:
        # A large buffer may exceed the largest range of a uniform block.
        size = binding.size
    return {"buffer": bound.buffer.handle, "offset": bound.offset, "range": size or WHOLE_SIZE}
