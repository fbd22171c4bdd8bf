"""A dispatch wrapper that lets a driver with one queue appear to have three families of queues, as large GPUs have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from renderwright.render.backend.vulkan.api import ffi, lib
from renderwright.render.backend.vulkan.constants import QUEUE_FAMILY_IGNORED

DOES = (
    lib.VK_QUEUE_GRAPHICS_BIT | lib.VK_QUEUE_COMPUTE_BIT | lib.VK_QUEUE_TRANSFER_BIT,
    lib.VK_QUEUE_COMPUTE_BIT | lib.VK_QUEUE_TRANSFER_BIT,
    lib.VK_QUEUE_TRANSFER_BIT,
)


class SeveralFamilies:
    """Graphics, compute and copy queues of families 0, 1 and 2; all of them are really the driver's only queue.

    The driver hears nothing of families: of a hand-over it sees two changes of layout, so this is for runs without a
    validation layer, whose stream is judged by the oracle. ``rows`` is the copy queue's granularity.
    """

    def __init__(self, rows: int = 1) -> None:
        self._rows = rows
        self._real: Any = None

    def wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """What is called in place of the function."""
        own = getattr(self, name, None)
        return function if own is None else lambda *arguments: own(function, *arguments)

    def vkGetPhysicalDeviceQueueFamilyProperties(self, real: Any, physical: Any, count: Any, items: Any) -> None:  # noqa: N802
        if items == ffi.NULL:
            count[0] = len(DOES)
            return
        real(physical, ffi.new("uint32_t*", 1), items)
        for number, does in enumerate(DOES):
            items[number] = items[0]
            items[number].queueFlags, items[number].queueCount = does, 1
        items[2].minImageTransferGranularity.height = self._rows

    def vkCreateDevice(self, real: Any, physical: Any, info: Any, hooks: Any, device: Any) -> int:  # noqa: N802
        with _changed(info, queueCreateInfoCount=1):
            return int(real(physical, info, hooks, device))

    def vkGetDeviceQueue(self, real: Any, device: Any, family: int, number: int, queue: Any) -> None:  # noqa: N802
        real(device, 0, 0, queue)
        self._real = queue[0]
        queue[0] = ffi.cast("VkQueue", 1000 + family)

    def vkSetDebugUtilsObjectNameEXT(self, real: Any, device: Any, info: Any) -> int:  # noqa: N802
        return 0 if info.objectType == lib.VK_OBJECT_TYPE_QUEUE else int(real(device, info))

    def vkQueueSubmit2(self, real: Any, queue: Any, count: int, submits: Any, fence: Any) -> int:  # noqa: N802
        return int(real(self._real, count, submits, fence))

    def vkCreateCommandPool(self, real: Any, device: Any, info: Any, hooks: Any, pool: Any) -> int:  # noqa: N802
        with _changed(info, queueFamilyIndex=0):
            return int(real(device, info, hooks, pool))

    def vkCreateImage(self, real: Any, device: Any, info: Any, hooks: Any, made: Any) -> int:  # noqa: N802
        with _changed(info, sharingMode=lib.VK_SHARING_MODE_EXCLUSIVE, queueFamilyIndexCount=0):
            return int(real(device, info, hooks, made))

    vkCreateBuffer = vkCreateImage  # noqa: N815

    def vkCmdPipelineBarrier2(self, real: Any, buffer: Any, info: Any) -> None:  # noqa: N802
        images = [info.pImageMemoryBarriers[number] for number in range(info.imageMemoryBarrierCount)]
        buffers = [info.pBufferMemoryBarriers[number] for number in range(info.bufferMemoryBarrierCount)]
        before = [(each, each.srcQueueFamilyIndex, each.dstQueueFamilyIndex) for each in (*images, *buffers)]
        for each, _, _ in before:
            each.srcQueueFamilyIndex = each.dstQueueFamilyIndex = QUEUE_FAMILY_IGNORED
        real(buffer, info)
        for each, source, target in before:
            each.srcQueueFamilyIndex, each.dstQueueFamilyIndex = source, target


@contextmanager
def _changed(struct: Any, **fields: int) -> Iterator[None]:
    """Other values for the driver; whoever looks later sees what was asked for."""
    before = {name: getattr(struct, name) for name in fields}
    for name, value in fields.items():
        setattr(struct, name, value)
    yield
    for name, value in before.items():
        setattr(struct, name, value)
