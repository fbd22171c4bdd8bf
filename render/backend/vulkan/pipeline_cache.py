"""The driver's pipeline cache, stored on disk between runs."""

from __future__ import annotations

from pathlib import Path

from renderwright.render.backend.vulkan.api import NULL, CData, ffi, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.errors import check
from renderwright.render.disk_cache import prune, read_checked, write_checked

MOST_BYTES = 64 * 2**20
"""A larger cache is not stored, and the folder holds at most four times as much."""

_MAGIC = b"FWPIPES1"
_HEADER_BYTES = 32


class PipelineCacheFile:
    """A VkPipelineCache. With a ``folder`` it starts with the data of an earlier run on the same device and driver.

    The file is checked by its digest and by Vulkan's own header before the driver sees it. Several processes may save;
    the last one wins.
    """

    def __init__(self, device: Device, folder: Path | None) -> None:
        self._device = device
        self._header = _expected_header(device)
        self._path = folder / f"{self._header[8:].hex()}.bin" if folder is not None else None
        self._saved = self._load()
        arena = Arena()
        info = arena.new(
            "VkPipelineCacheCreateInfo", initialDataSize=len(self._saved), pInitialData=arena.data(self._saved)
        )
        cache = arena.out("VkPipelineCache")
        check(
            device.dispatch.vkCreatePipelineCache(device.handle, info, NULL, cache),
            "create the pipeline cache",
        )
        self.handle: CData = cache[0]
        device.name(lib.VK_OBJECT_TYPE_PIPELINE_CACHE, self.handle, "pipeline cache")

    def save(self) -> None:
        """Write the file if the cache has changed."""
        if self._path is None:
            return
        data = self._data()
        if data.startswith(self._header) and data != self._saved and len(data) <= MOST_BYTES:
            prune(self._path.parent, 3 * MOST_BYTES)
            write_checked(self._path, _MAGIC, data)
            self._saved = data

    def release(self) -> None:
        """Destroy the cache without saving."""
        self._device.dispatch.vkDestroyPipelineCache(self._device.handle, self.handle, NULL)

    def _load(self) -> bytes:
        data = read_checked(self._path, _MAGIC, MOST_BYTES) if self._path is not None else None
        return data if data is not None and data.startswith(self._header) else b""

    def _data(self) -> bytes:
        query = self._device.dispatch.vkGetPipelineCacheData
        size = ffi.new("size_t*")
        if query(self._device.handle, self.handle, size, NULL) != lib.VK_SUCCESS:
            return b""
        room = ffi.new("char[]", max(1, size[0]))
        if query(self._device.handle, self.handle, size, room) != lib.VK_SUCCESS:
            return b""
        return bytes(ffi.buffer(room, size[0]))


def _expected_header(device: Device) -> bytes:
    """VkPipelineCacheHeaderVersionOne of the device: size, version, vendor, device, and the driver's UUID."""
    properties = ffi.new("VkPhysicalDeviceProperties*")
    device.dispatch.vkGetPhysicalDeviceProperties(device.physical.handle, properties)
    numbers = (_HEADER_BYTES, lib.VK_PIPELINE_CACHE_HEADER_VERSION_ONE, properties.vendorID, properties.deviceID)
    return b"".join(int(number).to_bytes(4, "little") for number in numbers) + bytes(properties.pipelineCacheUUID)
