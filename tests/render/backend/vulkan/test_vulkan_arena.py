from __future__ import annotations

import gc

import pytest

from renderwright.render.backend.vulkan.api import NULL, ffi, lib
from renderwright.render.backend.vulkan.arena import Arena, structure_type

pytestmark = pytest.mark.vulkan


def test_structure_types_come_from_the_struct_name() -> None:
    assert structure_type("VkSubmitInfo2") == lib.VK_STRUCTURE_TYPE_SUBMIT_INFO_2
    assert (
        structure_type("VkPhysicalDeviceVulkan13Features") == lib.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES
    )
    assert structure_type("VkXlibSurfaceCreateInfoKHR") == lib.VK_STRUCTURE_TYPE_XLIB_SURFACE_CREATE_INFO_KHR
    assert structure_type("VkImageCopy") is None


def test_every_struct_with_a_type_field_has_a_type() -> None:
    structs = [name for name in ffi.list_types()[0] if name.startswith("Vk") and ffi.typeof(name).kind == "struct"]
    complete = [name for name in structs if ffi.typeof(name).fields]
    typed = [name for name in complete if ffi.typeof(name).fields[0][0] == "sType"]
    generic = {"VkBaseInStructure", "VkBaseOutStructure"}
    assert len(typed) > 500
    assert [name for name in typed if name not in generic and structure_type(name) is None] == []


def test_nested_structs_live_as_long_as_the_arena() -> None:
    def build(number: int) -> tuple[Arena, object]:
        arena = Arena()
        stages = [
            arena.new("VkPipelineShaderStageCreateInfo", pName=f"main_{number}_{stage}", stage=1) for stage in range(3)
        ]
        info = arena.new(
            "VkGraphicsPipelineCreateInfo",
            stageCount=3,
            pStages=arena.array("VkPipelineShaderStageCreateInfo", stages),
            pViewportState=arena.new("VkPipelineViewportStateCreateInfo", viewportCount=number),
        )
        return arena, info

    made = [build(number) for number in range(200)]
    gc.collect()
    litter = [ffi.new("char[]", b"x" * 24) for _ in range(20_000)]  # whatever was freed is overwritten by this
    for number, (_arena, info) in enumerate(made):
        assert [ffi.string(info.pStages[stage].pName).decode() for stage in range(3)] == [
            f"main_{number}_{stage}" for stage in range(3)
        ]
        assert info.pViewportState.viewportCount == number
        assert info.pStages[2].sType == lib.VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO
    assert len(litter) == 20_000


def test_a_struct_from_elsewhere_is_kept_alive() -> None:
    arena = Arena()
    info = arena.new("VkDeviceQueueCreateInfo", pQueuePriorities=ffi.new("float[]", [0.25, 0.75]))
    gc.collect()
    litter = [ffi.new("float[]", [9.0, 9.0]) for _ in range(10_000)]
    assert (info.pQueuePriorities[0], info.pQueuePriorities[1]) == (0.25, 0.75)
    assert litter


def test_values_by_field_kind() -> None:
    arena = Arena()
    info = arena.new("VkImageCreateInfo", extent={"width": 3, "height": 4, "depth": 1}, pNext=None)
    assert (info.extent.width, info.extent.height, info.pNext) == (3, 4, NULL)
    assert arena.array("VkImageCopy", []) == NULL
    names = arena.strings(["one", "two"])
    assert [ffi.string(names[number]) for number in range(2)] == [b"one", b"two"]


def test_unknown_fields_and_types_are_refused() -> None:
    arena = Arena()
    with pytest.raises(AttributeError):
        arena.new("VkImageCreateInfo", widht=3)
    with pytest.raises(ffi.error):
        arena.new("VkNoSuchThing")
