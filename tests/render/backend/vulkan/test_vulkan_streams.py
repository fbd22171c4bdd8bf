"""Assets that arrive in the background: their contents, that nobody waits for them, and who owns them when."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from vulkan_families import SeveralFamilies

from renderwright.render.backend.streamed import Streamed
from renderwright.render.backend.vulkan import streams
from renderwright.render.backend.vulkan.api import ffi, lib
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.recording import StreamRecorder
from renderwright.render.backend.vulkan.streams import FRAME_BYTES, RING_BYTES
from renderwright.render.errors import BackendError, OutOfMemoryError
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.oracle import check, read_stream
from renderwright.render.types.usages import Usage
from tests.on_devices import buffer_info, run_frame, texture_info

pytestmark = pytest.mark.vulkan

READ_ONLY = Layout.SHADER_READ_ONLY


def picture(width: int, height: int, layers: int = 1) -> NDArray[np.uint8]:
    shape = (height, width, 4) if layers == 1 else (layers, height, width, 4)
    return np.random.default_rng(width).integers(0, 256, shape, np.uint8)


def frames_until(backend: VulkanBackend, *streamed: Streamed[Any], most: int = 50) -> int:
    """How many frames it takes."""
    for frame in range(most):
        if all(each.resident for each in streamed):
            return frame
        run_frame(backend, lambda recorder: None)
    pytest.fail(f"not there after {most} frames")


@pytest.mark.parametrize(("extent", "mips", "layers"), [((64, 40), 1, 1), ((64, 40), 7, 1), ((40, 20), 6, 3)])
def test_a_texture_comes_with_its_mips(backend: VulkanBackend, extent: tuple[int, int], mips: int, layers: int) -> None:
    info = texture_info("rgba8_unorm", extent, Usage.SAMPLED, mips=mips, layers=layers)
    pixels = picture(*extent, layers)
    streamed = backend.stream_texture(info, "picture", pixels)
    assert not streamed.resident
    frames_until(backend, streamed)
    assert np.array_equal(backend.read_texture(streamed.asset, READ_ONLY), pixels)


def test_a_prepared_backend_creates_nothing_else_for_its_first_upload(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    create = streams.own_buffer

    def noted(device: Any, info: Any, name: str, **how: Any) -> Any:
        made.append(name)
        return create(device, info, name, **how)

    monkeypatch.setattr(streams, "own_buffer", noted)
    with closing(VulkanBackend(validate=True)) as backend:
        backend.prepare_streaming()
        assert made == ["staging ring"]
        info = texture_info("rgba8_unorm", (8, 8), Usage.SAMPLED)
        frames_until(backend, backend.stream_texture(info, "first", picture(8, 8)))
        assert made == ["staging ring"]
        assert backend.validation_messages == []


def test_what_is_larger_than_the_ring_comes_in_pieces(backend: VulkanBackend) -> None:
    data = np.random.default_rng(1).bytes(RING_BYTES + 12345)
    large = backend.stream_buffer(buffer_info(len(data), Usage.STORAGE), "large", data)
    small = backend.stream_buffer(buffer_info(64, Usage.STORAGE), "small", data[:64])
    assert frames_until(backend, large, small) >= len(data) // FRAME_BYTES
    assert backend.read_buffer(large.asset) == data
    assert backend.read_buffer(small.asset) == data[:64]


def test_who_is_in_a_hurry_waits(backend: VulkanBackend) -> None:
    pixels = picture(1024, 1024)
    info = texture_info("rgba8_unorm", (1024, 1024), Usage.SAMPLED, mips=11)
    many = [backend.stream_texture(info, f"picture {number}", pixels) for number in range(6)]
    last = many[-1]
    assert np.array_equal(backend.read_texture(last.wait(), READ_ONLY), pixels)
    assert all(each.resident for each in many)  # they come in turn
    assert last.wait() is last.asset


def test_what_is_small_is_there_at_once_and_nobody_waits() -> None:
    copies = SlowCopies()
    backend = VulkanBackend(validate=True, wrap=copies.wrap)
    pixels, data = picture(64, 40), bytes(range(256))
    texture = backend.stream_texture(texture_info("rgba8_unorm", (64, 40), Usage.SAMPLED, mips=7), "picture", pixels)
    assert texture.hasten()
    buffer = backend.stream_buffer(buffer_info(256, Usage.STORAGE), "data", data)
    assert buffer.hasten()
    assert copies.waits == 0
    assert np.array_equal(backend.read_texture(texture.asset, READ_ONLY), pixels)
    assert backend.read_buffer(buffer.asset) == data
    backend.close()
    assert backend.validation_messages == []


def test_a_frame_hastens_no_more_than_it_may_upload(backend: VulkanBackend) -> None:
    data = np.random.default_rng(4).bytes(FRAME_BYTES // 2 + 64)
    info = buffer_info(len(data), Usage.STORAGE)
    run_frame(backend, lambda recorder: None)
    first, second = (backend.stream_buffer(info, name, data) for name in ("first", "second"))
    assert not second.hasten()  # it is not its turn
    assert first.hasten()
    assert not second.hasten()  # it is too large for what is left
    large = backend.stream_buffer(buffer_info(FRAME_BYTES + 64, Usage.STORAGE), "large", bytes(FRAME_BYTES + 64))
    assert not large.hasten()
    frames_until(backend, second, large)
    for each in (first, second):
        assert backend.read_buffer(each.asset) == data


def test_what_is_destroyed_on_its_way_never_comes(backend: VulkanBackend) -> None:
    data = bytes(2 * FRAME_BYTES)
    gone, other = (backend.stream_buffer(buffer_info(len(data), Usage.STORAGE), name, data) for name in ("a", "b"))
    run_frame(backend, lambda recorder: None)
    backend.destroy(gone.asset)
    frames_until(backend, other)
    assert not gone.resident
    with pytest.raises(BackendError, match="'a' was destroyed before it was resident"):
        gone.wait()


def test_what_cannot_be_streamed(backend: VulkanBackend) -> None:
    depth = texture_info("d32_sfloat", (4, 4), Usage.SAMPLED)
    with pytest.raises(BackendError, match="holds depth"):
        backend.stream_texture(depth, "depth", np.zeros((4, 4, 1), np.float32))
    with pytest.raises(BackendError, match="0 bytes cannot be streamed"):
        backend.stream_buffer(buffer_info(4, Usage.STORAGE), "nothing", b"")
    with pytest.raises(BackendError, match="takes uint8 of shape"):
        backend.stream_texture(texture_info("rgba8_unorm", (4, 4), Usage.SAMPLED), "odd", picture(8, 8))


class SlowCopies:
    """A driver whose uploads seem never to end while ``slow``; ``waits`` counts the host's waits for them."""

    def __init__(self) -> None:
        self.slow = True
        self.waits = 0
        self._upload: Any = None

    def wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        if name == "vkSetDebugUtilsObjectNameEXT":

            def named(device: Any, info: Any) -> Any:
                if ffi.string(info.pObjectName) == b"upload timeline":
                    self._upload = info.objectHandle
                return function(device, info)

            return named
        if name == "vkGetSemaphoreCounterValue":

            def counted(device: Any, semaphore: Any, value: Any) -> Any:
                result = function(device, semaphore, value)
                if self.slow and int(ffi.cast("uintptr_t", semaphore)) == self._upload:
                    value[0] = 0
                return result

            return counted
        if name == "vkWaitSemaphores":

            def waited(device: Any, info: Any, timeout: int) -> Any:
                self.waits += int(ffi.cast("uintptr_t", info.pSemaphores[0])) == self._upload
                return function(device, info, timeout)

            return waited
        return function


def test_frames_go_on_while_the_ring_is_full() -> None:
    copies = SlowCopies()
    backend = VulkanBackend(validate=True, wrap=copies.wrap)
    data = np.random.default_rng(2).bytes(2 * RING_BYTES)
    streamed = backend.stream_buffer(buffer_info(len(data), Usage.STORAGE), "large", data)
    for _ in range(2 * len(data) // FRAME_BYTES):
        run_frame(backend, lambda recorder: None)
    assert (streamed.resident, copies.waits) == (False, 0)
    copies.slow = False
    frames_until(backend, streamed)
    assert copies.waits == 0
    assert backend.read_buffer(streamed.asset) == data
    backend.close()
    assert backend.validation_messages == []


@pytest.fixture
def recording(tmp_path: Path) -> Iterator[StreamRecorder]:
    recorder = StreamRecorder(tmp_path / "stream.jsonl")
    yield recorder
    recorder.close()


@pytest.mark.parametrize("hastened", [False, True])
@pytest.mark.parametrize("rows", [1, 8, 0])
def test_textures_are_handed_from_the_copy_to_the_graphics_queue(
    tmp_path: Path, recording: StreamRecorder, rows: int, hastened: bool
) -> None:
    """The oracle finds every release and acquire there, and waits between them."""
    families = SeveralFamilies(rows)

    def wrap(name: str, function: Any) -> Any:
        return recording.wrap(name, families.wrap(name, function))

    backend = VulkanBackend(wrap=wrap)
    assert backend.capabilities.queues == ("graphics", "compute", "copy")
    pixels = picture(256, 100)
    several, single = (
        backend.stream_texture(texture_info("rgba8_unorm", (256, 100), Usage.SAMPLED, mips=mips), name, pixels)
        for name, mips in (("several", 9), ("single", 1))
    )
    assert [several.hasten(), single.hasten()] == [True, True] if hastened else not several.resident
    content = np.random.default_rng(3).bytes(FRAME_BYTES + 64)
    data = backend.stream_buffer(buffer_info(len(content), Usage.STORAGE), "data", content)
    frames_until(backend, several, single, data)
    for each in (several, single):
        assert np.array_equal(backend.read_texture(each.asset, READ_ONLY), pixels)
    assert backend.read_buffer(data.asset) == content
    backend.close()
    recording.close()
    text = (tmp_path / "stream.jsonl").read_text()
    assert text.count('"families":[2,0]') == 4  # released and acquired, both textures
    assert [str(one) for one in check(read_stream(tmp_path / "stream.jsonl")).findings] == []


@pytest.mark.parametrize("hastened", [False, True])
def test_a_frame_without_memory_for_uploads_tries_again(hastened: bool) -> None:
    failures = [lib.VK_ERROR_OUT_OF_HOST_MEMORY] * 2
    backend: VulkanBackend | None = None

    def wrap(name: str, function: Any) -> Any:
        if name != "vkQueueSubmit2":
            return function
        return lambda *arguments: failures.pop() if backend is not None and failures else function(*arguments)

    backend = VulkanBackend(validate=True, wrap=wrap)
    streamed = backend.stream_buffer(buffer_info(64, Usage.STORAGE), "data", bytes(range(64)))
    if hastened:
        failures.append(lib.VK_ERROR_OUT_OF_HOST_MEMORY)
        assert not streamed.hasten()
    with pytest.raises(OutOfMemoryError):
        backend.begin_frame(0)
    backend.end_frame(0, [], None)
    frames_until(backend, streamed)
    assert backend.read_buffer(streamed.asset) == bytes(range(64))
    backend.close()
    assert backend.validation_messages == []
