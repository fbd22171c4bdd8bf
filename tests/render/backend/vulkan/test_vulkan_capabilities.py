"""How full-screen shaders run, by the kind of the device."""

from __future__ import annotations

import pytest

from renderwright.render.backend.few_graphics_units import faster_fullscreen
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.types.fullscreen import Fullscreen


@pytest.mark.parametrize(
    "name", ["NVIDIA H100 80GB HBM3", "NVIDIA H200", "NVIDIA H100 PCIe", "NVIDIA B200", "NVIDIA GH200 480GB"]
)
def test_boards_for_data_centres_compute(name: str) -> None:
    assert faster_fullscreen(name) is Fullscreen.COMPUTE


@pytest.mark.parametrize(
    "name", ["NVIDIA GeForce RTX 4090", "NVIDIA RTX A6000", "NVIDIA L40S", "llvmpipe (LLVM 15.0.6, 256 bits)"]
)
def test_others_draw(name: str) -> None:
    assert faster_fullscreen(name) is Fullscreen.FRAGMENT


@pytest.mark.vulkan
def test_a_device_says_what_shaders_can_store_to(backend: VulkanBackend) -> None:
    formats = backend.capabilities.storage_formats
    assert {"rgba16_sfloat", "rgba8_unorm", "rgba8_srgb", "r32_uint"} <= formats
    assert not any(name.startswith("d") for name in formats)


def test_a_choice_goes_before_the_device(backend: VulkanBackend) -> None:
    able = backend.capabilities
    assert CompileOptions(fullscreen=Fullscreen.FRAGMENT).on_device(able).stored_formats == frozenset()
    chosen = CompileOptions(fullscreen=Fullscreen.COMPUTE).on_device(able)
    assert chosen.stored_formats == able.storage_formats
