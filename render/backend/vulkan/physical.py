"""The Vulkan devices of the machine, and the choice of a device and its queues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from enum import IntEnum

from renderwright.render.backend.missing_device import INSTALL_VULKAN, no_driver, no_such_device
from renderwright.render.backend.vulkan import unified_layouts
from renderwright.render.backend.vulkan.api import NULL, CData, ffi, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.constants import API_VERSION_1_3, version_text
from renderwright.render.backend.vulkan.dispatch import Dispatch
from renderwright.render.backend.vulkan.errors import check
from renderwright.render.backend.vulkan.features import REQUIRED, present_features
from renderwright.render.backend.vulkan.instance import Instance
from renderwright.render.errors import BackendError
from renderwright.render.sync.queues import COMPUTE, COPY, GRAPHICS


class DeviceType(IntEnum):
    """VkPhysicalDeviceType."""

    OTHER = 0
    INTEGRATED = 1
    DISCRETE = 2
    VIRTUAL = 3
    CPU = 4


_PREFERENCE = (DeviceType.DISCRETE, DeviceType.INTEGRATED, DeviceType.VIRTUAL, DeviceType.CPU, DeviceType.OTHER)


@dataclass(frozen=True)
class QueueFamily:
    """A family of ``count`` queues with their capabilities: graphics, compute, transfer.

    Copies to images need a multiple of ``copy_rows`` rows, or the last rows; 0 means all rows at once.
    """

    index: int
    count: int
    does: tuple[str, ...]
    timestamp_bits: int
    copy_rows: int = 1


@dataclass(frozen=True)
class ChosenQueue:
    """A queue that the backend uses: its class, its family, and its index in the family."""

    name: str
    family: QueueFamily
    number: int


@dataclass(frozen=True)
class PhysicalDevice:
    """A device with its properties. ``lacks`` is the backend's requirements that it does not meet."""

    index: int
    name: str
    type: DeviceType
    api_version: str
    driver: str
    families: tuple[QueueFamily, ...]
    extensions: frozenset[str]
    features: frozenset[str]
    lacks: tuple[str, ...]
    handle: CData = field(default=None, compare=False, repr=False)

    @property
    def graphics_family(self) -> QueueFamily:
        """The first family with graphics and compute; every usable device has one."""
        return next(family for family in self.families if {"graphics", "compute"} <= set(family.does))


def list_devices(instance: Instance) -> tuple[PhysicalDevice, ...]:
    """Every device of the machine, usable or not, in the loader's order."""
    dispatch = instance.dispatch
    count = ffi.new("uint32_t*")
    check(dispatch.vkEnumeratePhysicalDevices(instance.handle, count, NULL), "list the devices")
    handles = ffi.new("VkPhysicalDevice[]", count[0])
    check(dispatch.vkEnumeratePhysicalDevices(instance.handle, count, handles), "list the devices")
    return tuple(_describe(dispatch, index, handles[index]) for index in range(count[0]))


def choose_device(devices: Sequence[PhysicalDevice], name: str = "", turn: int = 0) -> PhysicalDevice:
    """The device with the index or the part of a name ``name``; the most capable kind if ``name`` is empty.

    ``turn`` counts round through the devices that are equal to it and that ``name`` fits as well, so that several
    processes share them. Raises ``BackendError`` with the list of devices.
    """
    if not devices:
        raise no_driver("Vulkan", INSTALL_VULKAN)
    listing = [_line(device) for device in devices]
    if name.isdecimal():
        matching = [device for device in devices if device.index == int(name)]
    else:
        matching = [device for device in devices if name.casefold() in device.name.casefold()]
    if not matching:
        raise no_such_device("Vulkan", name, listing)
    usable = [device for device in matching if not device.lacks]
    if not usable:
        called = f'"{name}"' if name else "of this machine"
        raise BackendError(f"no Vulkan device {called} can be used", hint=f"devices: {'; '.join(listing)}")
    best = min(usable, key=lambda device: (_PREFERENCE.index(device.type), device.index))
    equal = [device for device in usable if (device.name, device.driver) == (best.name, best.driver)]
    return equal[turn % len(equal)]


def choose_queues(device: PhysicalDevice, wanted: Set[str]) -> tuple[ChosenQueue, ...]:
    """The graphics queue, and a compute and a copy queue if they are in ``wanted`` and available.

    Each comes from the family with the fewest other capabilities, and no queue has two classes.
    """
    chosen = [ChosenQueue(GRAPHICS, device.graphics_family, 0)]
    taken = Counter([device.graphics_family.index])
    for name, able in ((COMPUTE, {"compute"}), (COPY, {"transfer", "compute", "graphics"})):
        free = [each for each in device.families if able & set(each.does) and taken[each.index] < each.count]
        if name in wanted and free:
            family = min(free, key=lambda each: ("graphics" in each.does, "compute" in each.does, each.index))
            chosen.append(ChosenQueue(name, family, taken[family.index]))
            taken[family.index] += 1
    return tuple(chosen)


def choose_spare_queues(device: PhysicalDevice, taken: Sequence[ChosenQueue]) -> tuple[ChosenQueue, ...]:
    """Two queues of the lowest priority for work that spans frames: one for compute only, one for graphics as well.

    If no queue is left, or frames use a single queue, these are the frames' own queues; for compute, their compute
    queue if they have one.
    """
    used = Counter(chosen.family.index for chosen in taken)
    own = {chosen.name: chosen for chosen in taken}
    graphics, compute = own[GRAPHICS], own.get(COMPUTE, own[GRAPHICS])
    left = [family for family in device.families if used[family.index] < family.count] if len(taken) > 1 else []

    def spare(name: str, otherwise: ChosenQueue, families: Sequence[QueueFamily]) -> ChosenQueue:
        if not families:
            return ChosenQueue(f"spare {name}", otherwise.family, otherwise.number)
        return ChosenQueue(f"spare {name}", families[0], used[families[0].index])

    asynchronous = [family for family in left if "compute" in family.does and "graphics" not in family.does]
    same = [family for family in left if family is device.graphics_family]
    return spare(COMPUTE, compute, asynchronous), spare(GRAPHICS, graphics, same)


def _line(device: PhysicalDevice) -> str:
    text = f"{device.index} {device.name} ({device.type.name.lower()})"
    return f"{text}, lacks {', '.join(device.lacks)}" if device.lacks else text


def _describe(dispatch: Dispatch, index: int, handle: CData) -> PhysicalDevice:
    arena = Arena()
    driver = arena.new("VkPhysicalDeviceDriverProperties")
    properties = arena.new("VkPhysicalDeviceProperties2", pNext=driver)
    dispatch.vkGetPhysicalDeviceProperties2(handle, properties)
    core = properties.properties
    families, extensions = _families(dispatch, handle), _extensions(dispatch, handle)
    lacks: list[str] = []
    features: frozenset[str] = frozenset()
    if core.apiVersion < API_VERSION_1_3:
        lacks.append(f"Vulkan 1.3 (it has {version_text(core.apiVersion)})")
    else:
        features = present_features(dispatch, handle)
        lacks += [name for name in REQUIRED if name not in features]
        if unified_layouts.EXTENSION in extensions and unified_layouts.is_present(dispatch, handle):
            features |= {unified_layouts.FEATURE}
    if not any({"graphics", "compute"} <= set(family.does) for family in families):
        lacks.append("a queue for graphics and compute")
    return PhysicalDevice(
        index=index,
        name=ffi.string(core.deviceName).decode(),
        type=DeviceType(core.deviceType),
        api_version=version_text(core.apiVersion),
        driver=f"{ffi.string(driver.driverName).decode()} {ffi.string(driver.driverInfo).decode()}".strip(),
        families=families,
        extensions=extensions,
        features=features,
        lacks=tuple(lacks),
        handle=handle,
    )


def _families(dispatch: Dispatch, handle: CData) -> tuple[QueueFamily, ...]:
    count = ffi.new("uint32_t*")
    dispatch.vkGetPhysicalDeviceQueueFamilyProperties(handle, count, NULL)
    items = ffi.new("VkQueueFamilyProperties[]", count[0])
    dispatch.vkGetPhysicalDeviceQueueFamilyProperties(handle, count, items)
    kinds = (
        ("graphics", lib.VK_QUEUE_GRAPHICS_BIT),
        ("compute", lib.VK_QUEUE_COMPUTE_BIT),
        ("transfer", lib.VK_QUEUE_TRANSFER_BIT),
    )
    return tuple(
        QueueFamily(
            index=index,
            count=items[index].queueCount,
            does=tuple(name for name, bit in kinds if items[index].queueFlags & bit),
            timestamp_bits=items[index].timestampValidBits,
            copy_rows=items[index].minImageTransferGranularity.height,
        )
        for index in range(count[0])
    )


def _extensions(dispatch: Dispatch, handle: CData) -> frozenset[str]:
    count = ffi.new("uint32_t*")
    check(dispatch.vkEnumerateDeviceExtensionProperties(handle, NULL, count, NULL), "list device extensions")
    items = ffi.new("VkExtensionProperties[]", count[0])
    check(dispatch.vkEnumerateDeviceExtensionProperties(handle, NULL, count, items), "list device extensions")
    return frozenset(ffi.string(items[index].extensionName).decode() for index in range(count[0]))
