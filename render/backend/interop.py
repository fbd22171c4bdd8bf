"""The seam for other APIs that work on the backend's own device, such as a headset's runtime or a video encoder.

Such an API often dictates with which extensions and on which physical device the backend is opened, and then wants the
handles. Whoever speaks for it implements ``Interop`` and is given to the backend when that is made.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Any, Protocol

from renderwright.render.types.physical import PhysicalTexture, TextureInfo


@dataclass(frozen=True)
class NativeDevice:
    """Vulkan's handles of an open device as numbers, and the place of its graphics queue.

    Frames are submitted to that queue from the thread that renders them, and nothing else is submitted to it from
    another thread: what an interop's calls do with the queue on that thread needs no lock.
    """

    instance: int
    physical: int
    device: int
    queue_family: int
    queue_index: int


class SharingBackend(Protocol):
    """What an interop gets of the backend."""

    native: NativeDevice

    def adopt_texture(self, image: int, info: TextureInfo, name: str) -> PhysicalTexture:
        """A texture around a VkImage that somebody else made and keeps; ``destroy`` gives back what is around it."""

    def create_texture(self, info: TextureInfo, name: str, pixels: Any = None) -> PhysicalTexture:
        """A texture with memory of its own."""

    def destroy(self, resource: Any) -> None:
        """Give a texture back once no submitted frame uses it."""

    def wait_idle(self) -> None:
        """Wait (bounded) until the device has finished everything, and is rid of what was given back."""


class Interop(Protocol):
    """Somebody who speaks for another API on the device.

    The methods are called in their order here, when the backend is opened; after a loss of the device all of it happens
    again with another one. Any may raise: then, or when the device lacks what is asked for, the backend is opened
    without this interop and calls ``refused`` with the reason, as its last call.
    """

    name: str

    def instance_extensions(self, present: Set[str]) -> Sequence[str]:
        """The instance extensions that must be on; ``present`` are those that there are."""

    def physical_device(self, instance: int) -> int:
        """The VkPhysicalDevice of the VkInstance that must be used; 0 for any."""

    def device_extensions(self) -> Sequence[str]:
        """The device extensions that must be on."""

    def opened(self, backend: SharingBackend) -> None:
        """The device is open."""

    def closing(self) -> None:
        """The device is about to be closed, or is lost; nothing is running on it any more.

        What was made on it must go, and no handle of it be used later. Called only after ``opened``.
        """

    def refused(self, error: Exception) -> None:
        """The backend does without this interop, because of that."""
