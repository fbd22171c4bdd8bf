from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from renderwright.render.backend.protocol import PipelineDesc
from renderwright.render.backend.vulkan.api import ffi, lib
from renderwright.render.backend.vulkan.backend import VulkanBackend
from tests.on_devices import fragment, vertex

pytestmark = pytest.mark.vulkan

WHITE = """#version 450
layout(location = 0) out vec4 color;
void main() { color = vec4(1.0); }
"""


class Driver:
    """A driver that has learnt ``lesson``; ``given`` is what it was given at the start."""

    def __init__(self, lesson: bytes = b"lesson") -> None:
        self.given = b""
        self.lesson = lesson

    def wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        if name == "vkCreatePipelineCache":
            return lambda *arguments: self._create(function, *arguments)
        if name == "vkGetPipelineCacheData":
            return lambda *arguments: self._data(function, *arguments)
        return function

    def _create(self, real: Any, device: Any, info: Any, hooks: Any, cache: Any) -> Any:
        self.given = bytes(ffi.buffer(ffi.cast("char*", info.pInitialData), info.initialDataSize))
        info.initialDataSize = min(32, info.initialDataSize)  # the real driver has learnt nothing
        return real(device, info, hooks, cache)

    def _data(self, real: Any, device: Any, cache: Any, size: Any, room: Any) -> Any:
        if room == ffi.NULL:
            size[0] = 32 + len(self.lesson)
            return lib.VK_SUCCESS
        header, count = ffi.new("char[]", 1 << 16), ffi.new("size_t*", 1 << 16)
        real(device, cache, count, header)
        ffi.memmove(room, bytes(ffi.buffer(header, 32)) + self.lesson, size[0])
        return lib.VK_SUCCESS


def play(folder: Path | None, driver: Driver | None = None) -> None:
    backend = VulkanBackend(validate=True, wrap=driver.wrap if driver else None, cache_folder=folder)
    backend.create_pipeline(PipelineDesc("white", (vertex(), fragment(WHITE)), ("rgba8_unorm",)))
    backend.close()
    assert backend.validation_messages == []


def test_the_next_run_begins_with_what_this_one_has_learnt(tmp_path: Path) -> None:
    first, second = Driver(), Driver()
    play(tmp_path, first)
    assert first.given == b""
    play(tmp_path, second)
    assert second.given[32:] == b"lesson"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("position", [0, 45, 50, -1])
def test_a_damaged_file_never_reaches_the_driver(tmp_path: Path, position: int) -> None:
    play(tmp_path, Driver())
    (path,) = tmp_path.iterdir()
    data = bytearray(path.read_bytes())
    data[position] ^= 1
    path.write_bytes(data)
    driver = Driver()
    play(tmp_path, driver)
    assert driver.given == b""
    play(tmp_path, driver)
    assert driver.given[32:] == b"lesson"


def test_nothing_new_is_not_written_and_too_much_is_not_kept(tmp_path: Path) -> None:
    play(tmp_path, Driver())
    (path,) = tmp_path.iterdir()
    before = path.stat().st_ino
    play(tmp_path, Driver())
    assert path.stat().st_ino == before
    play(tmp_path, Driver(b"x" * (64 * 2**20)))
    assert path.stat().st_ino == before


def test_a_real_driver_and_no_folder(tmp_path: Path) -> None:
    play(tmp_path)
    play(tmp_path)
    play(None)
