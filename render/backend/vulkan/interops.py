"""Opens the device as other APIs want it that are to use it, too; whoever cannot be served is told so."""

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
    """Those that have not been refused so far, in order: of two with different wishes the first has its way."""

    def __init__(self, wanted: Sequence[Interop]) -> None:
        self._served = list(wanted)
        self._open: list[Interop] = []

    def instance_extensions(self, dispatch: Dispatch) -> tuple[str, ...]:
        """All that they want of the instance."""
        present = frozenset(present_extensions(dispatch)) if self._served else frozenset()

        def wanted(interop: Interop) -> Sequence[str]:
            return _all_there(interop, interop.instance_extensions(present), present, "the Vulkan loader")

        return _flat(self._ask(wanted))

    def physical_device(self, instance: Instance, name: str) -> PhysicalDevice:
        """The device that they want, which has to go with the ``name`` that a person has asked for; else the best."""
        devices = list_devices(instance)
        handles = [int(ffi.cast("uintptr_t", device.handle)) for device in devices]
        chosen: list[PhysicalDevice] = []

        def agree(interop: Interop) -> None:
            handle = interop.physical_device(int(ffi.cast("uintptr_t", instance.handle)))
            if handle:
                chosen[:] = [_agreed(interop, handle, dict(zip(handles, devices, strict=True)), chosen, name)]

        self._ask(agree)
        return chosen[0] if chosen else choose_device(devices, name)

    def device_extensions(self, physical: PhysicalDevice) -> tuple[str, ...]:
        """All that they want of the device."""

        def wanted(interop: Interop) -> Sequence[str]:
            return _all_there(interop, interop.device_extensions(), physical.extensions, physical.name)

        return _flat(self._ask(wanted))

    def opened(self, backend: SharingBackend) -> None:
        """Tell them that the device is open."""

        def open_with(interop: Interop) -> None:
            interop.opened(backend)
            self._open.append(interop)

        self._ask(open_with)

    def closing(self) -> None:
        """Tell those who are still using the device that it is about to be closed."""
        while self._open:
            interop = self._open.pop()
            try:
                interop.closing()
            except Exception:
                _logger.exception("%s has failed while the device was closed", interop.name)

    def _ask(self, question: Callable[[Interop], _T]) -> list[_T]:
        """The answers of those who have one; the others are refused."""
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


def _all_there(interop: Interop, wanted: Sequence[str], present: Iterable[str], who: str) -> Sequence[str]:
    missing = sorted(set(wanted) - set(present))
    if missing:
        raise BackendError(
            f"{interop.name} needs {', '.join(missing)} of {who}, which has no such extension",
            hint="update the driver of the graphics card",
        )
    return wanted


def _agreed(
    interop: Interop, handle: int, devices: dict[int, PhysicalDevice], chosen: Sequence[PhysicalDevice], name: str
) -> PhysicalDevice:
    if handle not in devices:
        raise BackendError(f"{interop.name} names a device that there is not", hint="restart what it runs on")
    wanted = devices[handle]
    if wanted.lacks:
        raise BackendError(
            f"{interop.name} wants the device {wanted.name}, which lacks {', '.join(wanted.lacks)}",
            hint="update its driver, or connect to another device",
        )
    rival = chosen[0] if chosen else choose_device(tuple(devices.values()), name) if name else wanted
    if rival.index != wanted.index:
        raise BackendError(
            f"{interop.name} wants the device {wanted.name}, but {rival.name} has been asked for",
            hint="leave out --device and RENDERWRIGHT_DEVICE, or do without it",
        )
    return wanted


def _flat(lists: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for names in lists for name in names))
