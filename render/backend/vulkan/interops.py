"""Collects the device requirements of interops, and refuses interops that cannot be served."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from renderwright.render.backend.interop import Interop, SharingBackend
from renderwright.render.backend.vulkan.api import ffi
from renderwright.render.backend.vulkan.dispatch import Dispatch
from renderwright.render.backend.vulkan.instance import Instance, present_extensions
from renderwright.render.backend.vulkan.physical import PhysicalDevice, choose_device, list_devices
from renderwright.render.errors import BackendError, DeviceLostError

_logger = logging.getLogger("renderwright.vulkan")
_T = TypeVar("_T")


class Interops:
    """The interops that have not been refused, in order; the first one wins a conflict."""

    def __init__(self, interops: Sequence[Interop]) -> None:
        self._served = list(interops)
        self._open: list[Interop] = []

    def instance_extensions(self, dispatch: Dispatch) -> tuple[str, ...]:
        """The required instance extensions of all interops."""
        present = frozenset(present_extensions(dispatch)) if self._served else frozenset()

        def required(interop: Interop) -> Sequence[str]:
            return _available(interop, interop.instance_extensions(present), present, "the Vulkan loader")

        return _flat(self._ask(required))

    def physical_device(self, instance: Instance, name: str, turn: int = 0) -> PhysicalDevice:
        """The device that the interops require, which must match ``name`` if given; else ``choose_device``'s."""
        devices = list_devices(instance)
        handles = [int(ffi.cast("uintptr_t", device.handle)) for device in devices]
        chosen: list[PhysicalDevice] = []

        def agree(interop: Interop) -> None:
            handle = interop.physical_device(int(ffi.cast("uintptr_t", instance.handle)))
            if handle:
                chosen[:] = [_agreed(interop, handle, dict(zip(handles, devices, strict=True)), chosen, name)]

        self._ask(agree)
        return chosen[0] if chosen else choose_device(devices, name, turn)

    def device_extensions(self, physical: PhysicalDevice) -> tuple[str, ...]:
        """The required device extensions of all interops."""

        def required(interop: Interop) -> Sequence[str]:
            return _available(interop, interop.device_extensions(), physical.extensions, physical.name)

        return _flat(self._ask(required))

    def opened(self, backend: SharingBackend) -> None:
        """Call ``opened`` of all interops."""

        def open_with(interop: Interop) -> None:
            interop.opened(backend)
            self._open.append(interop)

        self._ask(open_with)

    def closing(self) -> None:
        """Call ``closing`` of the interops that were opened, in reverse order."""
        while self._open:
            interop = self._open.pop()
            try:
                interop.closing()
            except Exception:
                _logger.exception("%s failed while the device was being closed", interop.name)

    def _ask(self, question: Callable[[Interop], _T]) -> list[_T]:
        """The results of a question to each interop; an interop that raises is refused."""
        answers = []
        for interop in tuple(self._served):
            try:
                answers.append(question(interop))
            except DeviceLostError:
                raise
            except Exception as error:
                _logger.debug("the device is opened without %s: %s", interop.name, error)
                self._served.remove(interop)
                interop.refused(error)
        return answers


def _available(interop: Interop, required: Sequence[str], present: Iterable[str], provider: str) -> Sequence[str]:
    missing = sorted(set(required) - set(present))
    if missing:
        raise BackendError(
            f"{interop.name} needs {', '.join(missing)} of {provider}, which has no such extension",
            hint="update the driver of the graphics card",
        )
    return required


def _agreed(
    interop: Interop, handle: int, devices: dict[int, PhysicalDevice], chosen: Sequence[PhysicalDevice], name: str
) -> PhysicalDevice:
    if handle not in devices:
        raise BackendError(f"{interop.name} needs a device that does not exist", hint="restart its runtime")
    device = devices[handle]
    if device.lacks:
        raise BackendError(
            f"{interop.name} needs the device {device.name}, which lacks {', '.join(device.lacks)}",
            hint="update its driver, or connect to another device",
        )
    rival = chosen[0] if chosen else choose_device(tuple(devices.values()), name) if name else device
    if rival.index != device.index:
        raise BackendError(
            f"{interop.name} needs the device {device.name}, but {rival.name} is selected",
            hint="leave out --device and RENDERWRIGHT_DEVICE, or disable its plugin",
        )
    return device


def _flat(lists: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for names in lists for name in names))
