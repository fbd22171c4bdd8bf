from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from renderwright.render.backend.vulkan.api import NULL
from renderwright.render.backend.vulkan.api import lib as vk
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.describe import describe_devices
from renderwright.render.backend.vulkan.errors import check, failure, result_name
from renderwright.render.backend.vulkan.physical import (
    DeviceType,
    PhysicalDevice,
    QueueFamily,
    choose_device,
    choose_queues,
    choose_spare_queues,
)
from renderwright.render.errors import BackendError, DeviceLostError, OutOfMemoryError
from renderwright.render.sync.queues import ALL_QUEUES
from tests.one_time import once

pytestmark = pytest.mark.vulkan

ROOT = Path(__file__).parents[4]


def device(index: int, name: str, kind: DeviceType, *lacks: str) -> PhysicalDevice:
    families = (QueueFamily(0, 1, ("graphics", "compute", "transfer"), 64),)
    return PhysicalDevice(index, name, kind, "1.3.0", "driver", families, frozenset(), frozenset(), lacks)


DEVICES = (
    device(0, "llvmpipe", DeviceType.CPU),
    device(1, "Big Old Card", DeviceType.DISCRETE, "Vulkan 1.3 (it has 1.1.0)"),
    device(2, "Small Chip", DeviceType.INTEGRATED),
    device(3, "Big New Card", DeviceType.DISCRETE),
    device(4, "Second New Card", DeviceType.DISCRETE),
)


@pytest.mark.parametrize(
    ("asked", "chosen"), [("", 3), ("chip", 2), ("LLVM", 0), ("4", 4), ("new card", 3), ("big", 3)]
)
def test_choice(asked: str, chosen: int) -> None:
    assert choose_device(DEVICES, asked).index == chosen


def test_turns_count_round_through_equal_devices() -> None:
    cards = (*DEVICES, device(5, "Big New Card", DeviceType.DISCRETE), device(6, "Big New Card", DeviceType.DISCRETE))
    assert [choose_device(cards, "", turn).index for turn in range(4)] == [3, 5, 6, 3]
    assert [choose_device(cards, "chip", turn).index for turn in range(2)] == [2, 2]
    assert [choose_device(cards, "6", turn).index for turn in range(2)] == [6, 6]


def test_unknown_device_lists_what_there_is() -> None:
    with pytest.raises(BackendError, match='no Vulkan device "matrox"') as caught:
        choose_device(DEVICES, "matrox")
    assert "0 llvmpipe (cpu); 1 Big Old Card (discrete), lacks Vulkan 1.3" in caught.value.hint
    with pytest.raises(BackendError, match='no Vulkan device "7"'):
        choose_device(DEVICES, "7")


def test_unusable_device_says_what_it_lacks() -> None:
    with pytest.raises(BackendError, match="can be used") as caught:
        choose_device(DEVICES, "old card")
    assert "lacks Vulkan 1.3 (it has 1.1.0)" in caught.value.hint
    with pytest.raises(BackendError, match="no Vulkan driver on this machine"):
        choose_device((), "")


def test_backend_refuses_an_unknown_device_and_leaves_nothing() -> None:
    with pytest.raises(BackendError, match="no such card"):
        VulkanBackend("no such card", validate=True)


def test_the_machine_is_described() -> None:
    described = describe_devices()
    assert described
    usable = [device for device in described if not device.lacks]
    assert usable
    assert all(device.queues and device.api_version.startswith("1.") for device in usable)


def test_backend_says_what_it_runs_on(backend: VulkanBackend) -> None:
    names = [device.name for device in describe_devices()]
    assert backend.capabilities.backend == "vulkan"
    assert backend.capabilities.device in names
    assert backend.capabilities.queues[0] == "graphics"


def family(index: int, count: int, *does: str) -> QueueFamily:
    return QueueFamily(index, count, does, 64)


@pytest.mark.parametrize(
    ("families", "wanted", "chosen"),
    [
        # One queue; several of one family; one family each; a copy queue that is a second compute queue.
        ([family(0, 1, "graphics", "compute", "transfer")], ALL_QUEUES, {"graphics": (0, 0)}),
        (
            [family(0, 16, "graphics", "compute", "transfer")],
            ALL_QUEUES,
            {"graphics": (0, 0), "compute": (0, 1), "copy": (0, 2)},
        ),
        (
            [
                family(0, 16, "graphics", "compute", "transfer"),
                family(1, 2, "transfer"),
                family(2, 8, "compute", "transfer"),
                family(3, 1, "transfer"),
            ],
            ALL_QUEUES,
            {"graphics": (0, 0), "compute": (2, 0), "copy": (1, 0)},
        ),
        (
            [family(0, 1, "graphics", "compute"), family(1, 2, "compute")],
            ALL_QUEUES,
            {"graphics": (0, 0), "compute": (1, 0), "copy": (1, 1)},
        ),
        (
            [family(0, 2, "graphics", "compute"), family(1, 2, "compute")],
            ("copy",),
            {"graphics": (0, 0), "copy": (1, 0)},
        ),
    ],
)
def test_queues_are_chosen_from_the_families(
    families: list[QueueFamily], wanted: tuple[str, ...], chosen: dict[str, tuple[int, int]]
) -> None:
    device = replace(DEVICES[0], families=tuple(families))
    found = choose_queues(device, set(wanted))
    assert {each.name: (each.family.index, each.number) for each in found} == chosen


ALL = ("graphics", "compute", "transfer")
LARGE = [QueueFamily(0, 16, ALL, 64), QueueFamily(1, 2, ("transfer",), 64), QueueFamily(2, 8, ALL[1:], 64)]


@pytest.mark.parametrize(
    ("families", "compute", "graphics"),
    [
        (LARGE, (2, 1), (0, 1)),
        ([QueueFamily(0, 1, ALL, 64), QueueFamily(1, 1, ALL[1:], 64)], (1, 0), (0, 0)),
        ([QueueFamily(0, 1, ALL, 64)], (0, 0), (0, 0)),
        ([QueueFamily(0, 4, ALL, 64)], (0, 1), (0, 3)),
    ],
)
def test_queues_that_are_left_for_work_that_spans_frames(
    families: list[QueueFamily], compute: tuple[int, int], graphics: tuple[int, int]
) -> None:
    """Otherwise those of the frames have to do."""
    device = replace(DEVICES[0], families=tuple(families))
    spare = choose_spare_queues(device, choose_queues(device, set(ALL_QUEUES)))
    assert [(each.family.index, each.number) for each in spare] == [compute, graphics]


def loaded_libraries() -> set[str]:
    """Paths of the files that this process has mapped."""
    return {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if line.endswith(".so")}


def test_drivers_stay_loaded_between_backends() -> None:
    """A driver may not survive to be loaded again and again."""
    backend = VulkanBackend()
    loaded = loaded_libraries()
    backend.close()
    assert loaded_libraries() >= loaded


def run_elsewhere(environment: dict[str, str], validate: bool) -> str:
    """The error of making a backend in a process with another environment."""
    code = (
        "from renderwright.render.errors import BackendError\n"
        "from renderwright.render.backend.vulkan.backend import VulkanBackend\n"
        "try:\n"
        f"    VulkanBackend(validate={validate})\n"
        "except BackendError as error:\n"
        "    print(error)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout


def test_missing_driver() -> None:
    said = run_elsewhere({"VK_ICD_FILENAMES": "/nowhere.json", "VK_DRIVER_FILES": "/nowhere.json"}, validate=False)
    assert "no Vulkan driver on this machine" in said
    assert "apt install libvulkan1 mesa-vulkan-drivers" in said


def test_missing_validation_layer() -> None:
    said = run_elsewhere({"VK_LAYER_PATH": "/nowhere"}, validate=True)
    assert "VK_LAYER_KHRONOS_validation is not installed" in said
    assert "apt install vulkan-validationlayers" in said


def test_missing_loader() -> None:
    code = (
        "import sys\n"
        "class Broken:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'vulkan':\n"
        "            raise OSError('Cannot find Vulkan SDK version')\n"
        "sys.meta_path.insert(0, Broken())\n"
        "from renderwright.render.errors import BackendError\n"
        "try:\n"
        "    import renderwright.render.backend.vulkan.backend\n"
        "except BackendError as error:\n"
        "    print(error)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "no Vulkan driver on this machine: the loader is missing" in ran.stdout
    assert "apt install libvulkan1" in ran.stdout


def test_results_become_typed_errors() -> None:
    check(vk.VK_SUCCESS, "do nothing")
    with pytest.raises(OutOfMemoryError, match="cannot make x: VK_ERROR_OUT_OF_DEVICE_MEMORY"):
        check(vk.VK_ERROR_OUT_OF_DEVICE_MEMORY, "make x")
    with pytest.raises(DeviceLostError):
        check(vk.VK_ERROR_DEVICE_LOST, "make x")
    assert type(failure(vk.VK_ERROR_FORMAT_NOT_SUPPORTED, "make x")) is BackendError
    assert result_name(vk.VK_ERROR_OUT_OF_POOL_MEMORY) == "VK_ERROR_OUT_OF_POOL_MEMORY"
    assert result_name(-424242) == "VkResult -424242"


def test_closing_twice_is_harmless() -> None:
    backend = VulkanBackend(validate=True)
    backend.close()
    backend.close()
    assert backend.validation_messages == []


def test_a_leaked_object_would_be_reported() -> None:
    backend = VulkanBackend(validate=True)
    arena = Arena()
    device = backend._device
    info = arena.new("VkSemaphoreCreateInfo")
    check(device.dispatch.vkCreateSemaphore(device.handle, info, NULL, arena.out("VkSemaphore")), "leak a semaphore")
    backend.close()
    assert backend.validation_messages
    assert all("vkDestroyDevice" in message.text for message in backend.validation_messages)


def test_a_wrapper_sees_the_calls() -> None:
    calls: list[str] = []

    def wrap(name: str, function: object) -> object:
        def called(*arguments: object) -> object:
            calls.append(name)
            return function(*arguments)  # type: ignore[operator]

        return called

    backend = VulkanBackend(validate=True, wrap=wrap)
    recorder = backend.recorder(0)
    recorder.full_barrier()
    backend.begin_frame(0)
    backend.end_frame(0, [once(backend, 0, [recorder.take()])], None)
    backend.close()
    assert calls.count("vkCmdPipelineBarrier2") == 1
    assert calls.index("vkBeginCommandBuffer") < calls.index("vkCmdPipelineBarrier2") < calls.index("vkQueueSubmit2")
    assert calls[-1] == "vkDestroyInstance"
    assert backend.validation_messages == []
