"""Other APIs on the backend's device: they get what they ask for or are told why not, and keep what they lend."""

from __future__ import annotations

from collections.abc import Sequence, Set
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from renderwright.render.backend.interop import NativeDevice, SharingBackend
from renderwright.render.backend.vulkan.api import ffi
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.dispatch import Dispatch
from renderwright.render.backend.vulkan.interops import Interops
from renderwright.render.backend.vulkan.physical import DeviceType, PhysicalDevice, QueueFamily
from renderwright.render.backend.vulkan.placement import own_texture
from renderwright.render.backend.vulkan.recording import StreamRecorder
from renderwright.render.backend.vulkan.textures import VulkanTexture
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.errors import RenderwrightError
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.oracle import check, read_stream
from renderwright.render.sync.oracle.stream import Image
from renderwright.render.types.physical import PhysicalTexture
from renderwright.render.types.resources import Texture
from renderwright.render.types.usages import Usage
from tests.on_devices import texture_info

pytestmark = pytest.mark.vulkan

INSTANCE, DEVICE = "VK_KHR_external_memory_capabilities", "VK_KHR_external_memory_fd"


class Guest:
    """An interop that notes what happens to it; with ``failing`` it raises when that is called."""

    name = "a guest"

    def __init__(self, *, instance: str = INSTANCE, device: str = DEVICE, failing: str = "") -> None:
        self.wanted = {"instance": (instance,), "device": (device,)}
        self.failing = failing
        self.calls: list[str] = []
        self.physical = 0
        self.error: Exception | None = None
        self.native: NativeDevice | None = None

    def _called(self, name: str) -> None:
        self.calls.append(name)
        if name == self.failing:
            raise ValueError("the guest is clumsy")

    def instance_extensions(self, present: Set[str]) -> Sequence[str]:
        assert {INSTANCE, "VK_KHR_surface"} <= present
        self._called("instance_extensions")
        return self.wanted["instance"]

    def physical_device(self, instance: int) -> int:
        self._called("physical_device")
        return self.physical

    def device_extensions(self) -> Sequence[str]:
        self._called("device_extensions")
        return self.wanted["device"]

    def opened(self, backend: SharingBackend) -> None:
        self._called("opened")
        self.native = backend.native

    def closing(self) -> None:
        self._called("closing")

    def refused(self, error: Exception) -> None:
        self.calls.append("refused")
        self.error = error


ALL = ["instance_extensions", "physical_device", "device_extensions", "opened"]


def test_a_guest_gets_what_it_asks_for() -> None:
    created: dict[str, list[str]] = {}

    def wrap(name: str, function: object) -> object:
        def note(*arguments: object) -> object:
            info = arguments[name == "vkCreateDevice"]
            names = [info.ppEnabledExtensionNames[n] for n in range(info.enabledExtensionCount)]  # type: ignore[attr-defined]
            created[name] = [ffi.string(one).decode() for one in names]
            return function(*arguments)  # type: ignore[operator]

        return note if name in ("vkCreateInstance", "vkCreateDevice") else function

    guest = Guest()
    with closing(VulkanBackend(validate=True, wrap=wrap, interops=[guest])) as backend:
        assert guest.calls == ALL
        native = guest.native
        assert native is not None
        assert 0 not in (native.instance, native.physical, native.device)
        assert native == backend.native
    assert guest.calls == [*ALL, "closing"]
    assert INSTANCE in created["vkCreateInstance"]
    assert created["vkCreateDevice"].count(DEVICE) == 1
    assert backend.validation_messages == []


@pytest.mark.parametrize(
    ("guest", "last", "message"),
    [
        (Guest(instance="VK_KHR_telepathy"), 0, "a guest needs VK_KHR_telepathy of the Vulkan loader"),
        (Guest(device="VK_KHR_telepathy"), 2, "a guest needs VK_KHR_telepathy of {device}"),
        (Guest(failing="physical_device"), 1, "the guest is clumsy"),
        (Guest(failing="opened"), 3, "the guest is clumsy"),
    ],
)
def test_who_cannot_be_served_is_refused_and_the_device_opens_all_the_same(
    guest: Guest, last: int, message: str
) -> None:
    other = Guest()
    with closing(VulkanBackend(interops=[guest, other])) as backend:
        assert guest.calls == [*ALL[: last + 1], "refused"]
        assert message.format(device=backend.capabilities.device) in str(guest.error)
    assert other.calls == [*ALL, "closing"]


def test_the_device_that_a_guest_wants_must_be_there() -> None:
    stranger = Guest()
    stranger.physical = 12345
    with closing(VulkanBackend(interops=[stranger])) as backend:
        physical = backend.native.physical
    assert "needs a device that does not exist" in str(stranger.error)
    assert stranger.calls == ["instance_extensions", "physical_device", "refused"]
    assert physical != 12345


def test_a_guest_that_fails_at_the_end_does_not_keep_the_device_open() -> None:
    guest = Guest(failing="closing")
    backend = VulkanBackend(validate=True, interops=[guest])
    backend.close()
    assert guest.calls[-1] == "closing"
    assert backend.validation_messages == []


def test_frames_draw_to_a_lent_image_which_stays_the_lender_s(backend: VulkanBackend) -> None:
    """It comes with anything in it and ends each frame as a colour attachment, as headsets' runtimes want theirs."""
    info = texture_info("rgba8_srgb", (8, 4), Usage.COLOR)
    images = [backend.create_texture(info, f"lent {number}") for number in range(2)]
    lent = [backend.adopt_texture(_number(image), info, f"adopted {n}") for n, image in enumerate(images)]

    def paint(reg: Registry) -> None:
        reg.external("there", Texture("rgba8_srgb", (8, 4)), lambda context: lent[context.frame % 2]).color(
            clear=(1.0, 0.0, 1.0, 1.0)
        )
        reg.side_effects()

    graph = FrameGraph()
    graph.add_node("paint", paint)
    runtime = Runtime(graph, backend, ShaderLibrary([]), options=CompileOptions())
    for _ in range(4):
        runtime.render(None)
    for image in images:
        assert (backend.read_texture(image, Layout.COLOR_ATTACHMENT) == np.array([255, 0, 255, 255])).all()
    runtime.close()
    for texture in lent:
        backend.destroy(texture)
    backend.wait_idle()
    assert (backend.read_texture(images[0], Layout.COLOR_ATTACHMENT)[..., 0] == 255).all(), "it is still there"


def test_a_recording_knows_lent_images_by_their_views(tmp_path: Path) -> None:
    recording = StreamRecorder(tmp_path / "stream.jsonl")
    backend = VulkanBackend(wrap=recording.wrap)
    device = backend._device
    seen, unseen = device.dispatch, Dispatch()
    unseen.use_instance(device.instance.handle)
    unseen.use_device(device.handle)
    info = texture_info("rgba8_srgb", (8, 4), Usage.COLOR)
    device.dispatch = unseen  # as somebody else makes it, whose calls are not recorded
    image = own_texture(device, info, "made elsewhere")
    device.dispatch = seen
    lent = backend.adopt_texture(_number(image), info, "lent")

    def paint(reg: Registry) -> None:
        desc = Texture("rgba8_srgb", (8, 4))
        reg.external("there", desc, lambda context: lent).color(clear=(1.0, 0.0, 1.0, 1.0))
        reg.side_effects()

    graph = FrameGraph()
    graph.add_node("paint", paint)
    runtime = Runtime(graph, backend, ShaderLibrary([]), options=CompileOptions())
    for _ in range(3):
        recording.frame()
        runtime.render(None)
    runtime.close()
    backend.destroy(lent)
    backend.wait_idle()
    device.dispatch = unseen
    image.release()
    device.dispatch = seen
    backend.close()
    recording.close()
    stream = read_stream(tmp_path / "stream.jsonl")
    assert [item.id for item in stream.items if isinstance(item, Image)] == ["lent"]
    report = check(stream)
    assert report.accesses >= 3
    assert not report.findings


def test_who_provides_a_resource_is_said_where_it_is_declared_or_by_the_application(backend: VulkanBackend) -> None:
    info = texture_info("rgba8_srgb", (2, 2), Usage.COLOR)
    own, given = backend.create_texture(info, "own"), backend.create_texture(info, "given")
    asked: list[PhysicalTexture] = []

    def declare(reg: Registry) -> None:
        reg.external("there", Texture("rgba8_srgb", (2, 2)), lambda context: _note(asked, own)).color()
        reg.side_effects()

    graph = FrameGraph()
    graph.add_node("node", declare)
    runtime = Runtime(graph, backend, ShaderLibrary([]), options=CompileOptions())
    runtime.render(None)
    assert asked == [own]
    graph.set_external("there", lambda context: _note(asked, given))
    runtime.render(None)
    assert asked == [own, given], "the application has the last word"
    graph.remove_node("node")
    graph.add_node("node", lambda reg: (reg.external("here", Texture("rgba8_srgb", (2, 2))).color(), None)[1])
    graph.add_sink("here")
    with pytest.raises(RenderwrightError, match='the external resource "here" has no provider'):
        runtime.render(None)
    runtime.close()


def _note(asked: list[PhysicalTexture], texture: PhysicalTexture) -> PhysicalTexture:
    asked.append(texture)
    return texture


def _number(texture: PhysicalTexture) -> int:
    assert isinstance(texture, VulkanTexture)
    return int(ffi.cast("uintptr_t", texture.image))


def _device(index: int, name: str, *lacks: str) -> PhysicalDevice:
    families = (QueueFamily(0, 1, ("graphics", "compute", "transfer"), 64),)
    handle = ffi.cast("VkPhysicalDevice", 1000 + index)
    there = frozenset({DEVICE})
    return PhysicalDevice(index, name, DeviceType.DISCRETE, "1.3", "", families, there, frozenset(), lacks, handle)


@pytest.mark.parametrize(
    ("wishes", "person", "chosen", "refused"),
    [
        ((1001,), "", "small", ()),
        ((1001,), "SMALL", "small", ()),
        ((0, 1001), "", "small", ()),
        ((1001,), "big", "big", ("a guest needs the device small, but big is selected",)),
        ((1001, 1000), "", "small", ("a guest needs the device big, but small is selected",)),
        ((1002,), "", "big", ("a guest needs the device old, which lacks Vulkan 1.3",)),
    ],
)
def test_of_several_devices_guests_have_the_one_that_they_want_unless_a_person_says_otherwise(
    monkeypatch: pytest.MonkeyPatch, wishes: tuple[int, ...], person: str, chosen: str, refused: tuple[str, ...]
) -> None:
    devices = (_device(0, "big"), _device(1, "small"), _device(2, "old", "Vulkan 1.3"))
    monkeypatch.setattr("renderwright.render.backend.vulkan.interops.list_devices", lambda instance: devices)
    guests = [Guest() for _ in wishes]
    for guest, wish in zip(guests, wishes, strict=True):
        guest.physical = wish
    instance: Any = SimpleNamespace(handle=ffi.NULL)
    assert Interops(guests).physical_device(instance, person).name == chosen
    assert tuple(str(guest.error).splitlines()[0] for guest in guests if guest.error) == refused
