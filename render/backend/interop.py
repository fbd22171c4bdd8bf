"""The interface for other APIs that share the backend's device, such as a headset's runtime or a video encoder.

Such an API often requires extensions and a physical device, and then needs the handles. An adapter for it implements
``Interop`` and is passed to the backend's constructor.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Any, Protocol

from renderwright.render.types.physical import PhysicalTexture, TextureInfo


@dataclass(frozen=True)
class NativeDevice:
    """The Vulkan handles of an open device as numbers, and the family and index of its graphics queue.

    Only the render thread submits to that queue: an interop that uses it on that thread needs no lock.
    """

    instance: int
    physical: int
    device: int
    queue_family: int
    queue_index: int


class SharingBackend(Protocol):
    """The part of the backend that an interop may use."""

    native: NativeDevice

    def adopt_texture(self, image: int, info: TextureInfo, name: str) -> PhysicalTexture:
        """A texture for a VkImage that the other API owns; ``destroy`` releases everything except the image."""

    def create_texture(self, info: TextureInfo, name: str, pixels: Any = None) -> PhysicalTexture:
        """A texture with memory of its own."""

    def destroy(self, resource: Any) -> None:
        """Destroy a texture once no submitted frame uses it."""

    def wait_idle(self) -> None:
        """Wait (bounded) until the device has finished all work and destroyed objects are released."""


class Interop(Protocol):
    """The adapter of another API on the device.

    The methods are called in this order when the backend is opened, and again with another device after a loss. If one
    raises, or the device does not meet the requirements, the backend opens without this interop and calls ``refused``
    with the reason, as its last call.
    """

    name: str

    def instance_extensions(self, present: Set[str]) -> Sequence[str]:
        """The required instance extensions; ``present`` are the available ones."""

    def physical_device(self, instance: int) -> int:
        """The required VkPhysicalDevice of the VkInstance; 0 for any."""

    def device_extensions(self) -> Sequence[str]:
        """The required device extensions."""

    def opened(self, backend: SharingBackend) -> None:
        """The device is open."""

    def closing(self) -> None:
        """The device is about to be closed, or is lost; no work is running on it.

        Destroy all objects made on it, and use none of its handles later. Called only after ``opened``.
        """

    def refused(self, error: Exception) -> None:
        """The backend runs without this interop; ``error`` is the reason."""
