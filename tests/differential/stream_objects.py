"""The objects of a stream as Vulkan's: memory that resources share, images, views, buffers, events, semaphores."""

from __future__ import annotations

from typing import Any

from stream_shaders import COLOR_FORMAT, DEPTH_FORMAT
from vulkan_judge import VulkanJudge

from renderwright.render.backend.vulkan.api import NULL, CData, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.errors import check
from renderwright.render.sync.oracle.stream import BeginRendering, Buffer, Image, Range, Semaphore, Stream, Work

SIDE = 4
"""Width and height of every image, in pixels of four bytes."""
_ALIAS = 0x400
_COLOR_USES = 0x1 | 0x2 | 0x4 | 0x8 | 0x10  # transfer source and destination, sampled, storage, colour attachment
_DEPTH_USES = 0x1 | 0x2 | 0x4 | 0x20
_BUFFER_USES = 0x1 | 0x2 | 0x10 | 0x20 | 0x40 | 0x80 | 0x100


def depth_images(stream: Stream) -> frozenset[str]:
    """The images that some command uses as depth."""
    found = set()
    for item in stream.items:
        if isinstance(item, BeginRendering):
            found.update(one.resource for one in item.attachments if one.aspect == "depth")
        elif isinstance(item, Work):
            found.update(one.resource for one in item.accesses if one.layout.startswith("DEPTH"))
    return frozenset(found)


def image_info(arena: Arena, mips: int, layers: int, *, depth: bool) -> CData:
    """How an image of a stream is made."""
    return arena.new(
        "VkImageCreateInfo",
        flags=_ALIAS,
        imageType=lib.VK_IMAGE_TYPE_2D,
        format=DEPTH_FORMAT if depth else COLOR_FORMAT,
        extent={"width": SIDE, "height": SIDE, "depth": 1},
        mipLevels=mips,
        arrayLayers=layers,
        samples=1,
        usage=_DEPTH_USES if depth else _COLOR_USES,
    )


def image_bytes(judge: VulkanJudge, mips: int, layers: int, *, depth: bool) -> int:
    """The bytes that such an image takes."""
    arena = Arena()
    requirements = arena.new("VkMemoryRequirements2")
    info = arena.new("VkDeviceImageMemoryRequirements", pCreateInfo=image_info(arena, mips, layers, depth=depth))
    judge.vk.vkGetDeviceImageMemoryRequirements(judge.handle, info, requirements)
    return int(requirements.memoryRequirements.size)


class StreamObjects:
    """Makes the objects of one stream; ``close`` destroys them all."""

    def __init__(self, judge: VulkanJudge, stream: Stream) -> None:
        self._judge, self._vk, self._handle = judge, judge.vk, judge.handle
        self._depth = depth_images(stream)
        self._items: dict[str, Image | Buffer] = {}
        self._doomed: list[tuple[Any, CData]] = []
        self._memory: dict[str, CData] = {}
        self._views: dict[tuple[str, Range, bool], CData] = {}
        self._ends: dict[str, int] = {}
        for item in stream.items:
            if isinstance(item, Image | Buffer) and item.memory is not None:
                end = item.memory.offset + item.memory.size
                self._ends[item.memory.heap] = max(self._ends.get(item.memory.heap, 0), end)
        self.images: dict[str, CData] = {}
        self.buffers: dict[str, CData] = {}
        self.semaphores: dict[str, CData] = {}
        self._events: dict[str, CData] = {}

    def is_depth(self, image: str) -> bool:
        return image in self._depth

    def aspect(self, image: str) -> int:
        return 2 if self.is_depth(image) else 1

    def item(self, name: str) -> Image | Buffer:
        return self._items[name]

    def add(self, item: Image | Buffer) -> None:
        """Make a resource in its memory."""
        arena = Arena()
        self._items[item.id] = item
        if isinstance(item, Image):
            info = image_info(arena, item.mips, item.layers, depth=self.is_depth(item.id))
            handle = self._make("Image", info)
            bind, needs = self._vk.vkBindImageMemory, self._vk.vkGetImageMemoryRequirements
            self.images[item.id] = handle
        else:
            handle = self._make("Buffer", arena.new("VkBufferCreateInfo", size=item.size, usage=_BUFFER_USES))
            bind, needs = self._vk.vkBindBufferMemory, self._vk.vkGetBufferMemoryRequirements
            self.buffers[item.id] = handle
        needed = arena.new("VkMemoryRequirements")
        needs(self._handle, handle, needed)
        heap, offset, size = f"of {item.id}", 0, int(needed.size)
        if item.memory is not None:
            heap, offset, size = item.memory.heap, item.memory.offset, self._ends[item.memory.heap]
            assert needed.size <= item.memory.size, f"{item.id} needs {needed.size} bytes"
        if heap not in self._memory:
            self._memory[heap] = self._judge.zeroed_memory(size, needed.memoryTypeBits)
        check(bind(self._handle, handle, self._memory[heap], offset), "bind memory")

    def semaphore(self, item: Semaphore) -> None:
        arena = Arena()
        kind = arena.new("VkSemaphoreTypeCreateInfo", semaphoreType=int(item.timeline), initialValue=item.value)
        self.semaphores[item.id] = self._make("Semaphore", arena.new("VkSemaphoreCreateInfo", pNext=kind))

    def event(self, name: str) -> CData:
        """The event of that name; streams do not declare them."""
        if name not in self._events:
            self._events[name] = self._make("Event", Arena().new("VkEventCreateInfo"))
        return self._events[name]

    def sampler(self) -> CData:
        return self._make("Sampler", Arena().new("VkSamplerCreateInfo", maxLod=16))

    def pool(self) -> CData:
        """A command pool."""
        return self._make(
            "CommandPool", Arena().new("VkCommandPoolCreateInfo", queueFamilyIndex=self._judge.device.family)
        )

    def descriptors(self, info: CData) -> CData:
        return self._make("DescriptorPool", info)

    def view(self, image: str, part: Range, *, array: bool = True) -> CData:
        """A view of a part of an image."""
        known = (image, part, array)
        if known not in self._views:
            info = Arena()
            made = info.new(
                "VkImageViewCreateInfo",
                image=self.images[image],
                viewType=lib.VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                format=DEPTH_FORMAT if self.is_depth(image) else COLOR_FORMAT,
                subresourceRange=self.subresources(image, part),
            )
            self._views[known] = self._make("ImageView", made)
        return self._views[known]

    def subresources(self, image: str, part: Range) -> dict[str, int]:
        """The fields of a VkImageSubresourceRange."""
        item = self._items[image]
        assert isinstance(item, Image)
        mips, layers = part.mips or (0, item.mips), part.layers or (0, item.layers)
        return {
            "aspectMask": self.aspect(image),
            "baseMipLevel": mips[0],
            "levelCount": mips[1],
            "baseArrayLayer": layers[0],
            "layerCount": layers[1],
        }

    def layers(self, image: str, part: Range) -> dict[str, int]:
        """The fields of a VkImageSubresourceLayers: the first mip of the part."""
        found = self.subresources(image, part)
        return {
            "aspectMask": found["aspectMask"],
            "mipLevel": found["baseMipLevel"],
            "baseArrayLayer": found["baseArrayLayer"],
            "layerCount": found["layerCount"],
        }

    def bytes(self, buffer: str, part: Range) -> tuple[int, int]:
        """Offset and size of a part of a buffer."""
        item = self._items[buffer]
        assert isinstance(item, Buffer)
        return part.offset, part.size if part.size is not None else item.size - part.offset

    def close(self) -> None:
        for destroy, handle in reversed(self._doomed):
            destroy(self._handle, handle, NULL)
        for memory in self._memory.values():
            self._vk.vkFreeMemory(self._handle, memory, NULL)

    def _make(self, kind: str, info: CData) -> CData:
        out = Arena().out(f"Vk{kind}")
        check(getattr(self._vk, f"vkCreate{kind}")(self._handle, info, NULL, out), f"create a {kind}")
        self._doomed.append((getattr(self._vk, f"vkDestroy{kind}"), out[0]))
        return out[0]
