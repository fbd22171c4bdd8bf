"""What the recorder sees of a backend's calls: right frames are clean, and each missing barrier shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from renderwright.render.backend.protocol import BoundBarrier, BufferBinding, PipelineDesc, TextureBinding
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.recorder import VulkanRecorder
from renderwright.render.backend.vulkan.recording import StreamRecorder
from renderwright.render.backend.vulkan.recording.barriers import view_spans
from renderwright.render.errors import UsageError
from renderwright.render.shaders.module import BindingKind
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.oracle import Kind, Report, check, read_stream
from renderwright.render.sync.oracle.stream import Access, BeginRendering, Frame, Item, Label, Work
from renderwright.render.types.sampling import Sampling
from renderwright.render.types.usages import ShaderStage, Usage
from tests.on_devices import (
    FRESH,
    attached,
    binding,
    buffer_info,
    change,
    compute,
    fragment,
    run_frame,
    texture_info,
    use,
    vertex,
)

pytestmark = pytest.mark.vulkan

MAKE = """#version 450
layout(local_size_x = 4, local_size_y = 4) in;
layout(set = 0, binding = 0) writeonly buffer Numbers { uint numbers[]; };
layout(set = 0, binding = 1, r32f) uniform writeonly image2D picture;
void main() {
    numbers[0] = 1u;
    imageStore(picture, ivec2(gl_GlobalInvocationID.xy), vec4(1.0));
}
"""
SHOW = """#version 450
layout(set = 0, binding = 0) readonly buffer Numbers { uint numbers[]; };
layout(set = 0, binding = 1) uniform sampler2D picture;
layout(location = 0) out vec4 color;
void main() { color = texelFetch(picture, ivec2(0), 0) * float(numbers[0]); }
"""

Story = Callable[[VulkanBackend, set[str]], None]


@pytest.fixture
def record(tmp_path: Path) -> Callable[..., tuple[tuple[Item, ...], Report]]:
    """Plays a story, leaving out the barriers that are named, and gives what was recorded with the oracle's verdict."""

    def run(story: Story, *without: str) -> tuple[tuple[Item, ...], Report]:
        path = tmp_path / "stream.jsonl"
        recording = StreamRecorder(path)
        backend = VulkanBackend(wrap=recording.wrap)
        try:
            recording.frame()
            story(backend, set(without))
        finally:
            backend.close()
            recording.close()
        stream = read_stream(path)
        return stream.items, check(stream)

    return run


def make_and_show(backend: VulkanBackend, without: set[str]) -> None:
    """A dispatch writes a buffer and a picture; a draw reads both, into a target that is read back."""
    texture = BindingKind.STORAGE_TEXTURE
    maker = compute(
        MAKE,
        binding(0, "Numbers", BindingKind.STORAGE_BUFFER, writes=True),
        binding(1, "picture", texture, writes=True),
    )
    shower = fragment(
        SHOW, binding(0, "Numbers", BindingKind.STORAGE_BUFFER), binding(1, "picture", BindingKind.SAMPLED)
    )
    make = backend.create_pipeline(PipelineDesc("make", (maker,)))
    show = backend.create_pipeline(PipelineDesc("show", (vertex(), shower), color_formats=("rgba8_unorm",)))
    numbers = backend.create_buffer(buffer_info(256, Usage.STORAGE), "numbers")
    picture = backend.create_texture(texture_info("r32_sfloat", (8, 8), Usage.STORAGE, Usage.SAMPLED), "picture")
    target = backend.create_texture(texture_info("rgba8_unorm", (8, 8), Usage.COLOR), "target")
    written = {"Numbers": BufferBinding(numbers), "picture": TextureBinding(picture, Layout.GENERAL)}
    read = {
        "Numbers": BufferBinding(numbers),
        "picture": TextureBinding(picture, Layout.SHADER_READ_ONLY, Sampling("nearest")),
    }
    made = backend.create_bindings(make, 0, written, "made")
    shown = backend.create_bindings(show, 0, read, "shown")
    storing, loading = use(Usage.STORAGE_WRITE, ShaderStage.COMPUTE), use(Usage.STORAGE_READ)

    def frame(recorder: VulkanRecorder) -> None:
        recorder.barriers([change(picture, FRESH, storing), change(target, FRESH, use(Usage.COLOR))])
        recorder.begin_label("maker")
        recorder.bind_pipeline(make)
        recorder.bind_set(make, 0, made)
        recorder.dispatch(2, 2)
        recorder.end_label()
        if "numbers" not in without:
            recorder.barriers([change(numbers, storing, loading)])
        if "picture" not in without:
            recorder.barriers([change(picture, storing, use(Usage.SAMPLED))])
        recorder.begin_pass([attached(target)], (8, 8))
        recorder.begin_label("shower")
        recorder.bind_pipeline(show)
        recorder.bind_set(show, 0, shown)
        recorder.draw(3)
        recorder.end_label()
        recorder.end_pass()

    run_frame(backend, frame)
    backend.read_texture(target, Layout.COLOR_ATTACHMENT)


def test_a_right_frame_is_clean(record: Callable[..., tuple[tuple[Item, ...], Report]]) -> None:
    items, report = record(make_and_show)
    assert report.findings == ()
    works = {item.name: item for item in items if isinstance(item, Work)}
    assert {"dispatch", "draw", "copy image to buffer"} <= set(works)
    assert [_short(access) for access in works["dispatch"].accesses] == [("numbers", ""), ("picture", "GENERAL")]
    assert [_short(access) for access in works["draw"].accesses] == [
        ("numbers", ""),
        ("picture", "SHADER_READ_ONLY_OPTIMAL"),
    ]
    assert items[0] == Frame(2, 0)
    assert [item.name for item in items if isinstance(item, Label) and item.name] == ["maker", "shower"]


def _short(access: Access) -> tuple[str, str]:
    return access.resource, access.layout


def test_missing_barriers_show(record: Callable[..., tuple[tuple[Item, ...], Report]]) -> None:
    _, report = record(make_and_show, "numbers")
    assert {(one.kind, one.resource) for one in report.findings} == {(Kind.NOT_AVAILABLE, "numbers")}
    (finding,) = report.findings
    assert finding.before is not None
    assert (finding.before.node, finding.at.node) == ("maker", "shower")
    _, report = record(make_and_show, "picture")
    assert {(one.kind, one.resource) for one in report.findings} >= {(Kind.WRONG_LAYOUT, "picture")}


def test_uploads_mips_and_heaps_are_followed(record: Callable[..., tuple[tuple[Item, ...], Report]]) -> None:
    def story(backend: VulkanBackend, without: set[str]) -> None:
        pixels = np.full((8, 8, 4), 255, np.uint8)
        backend.create_texture(texture_info("rgba8_unorm", (8, 8), Usage.SAMPLED, mips=4), "mipped", pixels)
        filled = backend.create_buffer(buffer_info(64, Usage.UNIFORM), "filled", bytes(64))
        info = texture_info("rgba8_unorm", (16, 16), Usage.COLOR)
        needs = backend.texture_needs(info)
        heap = backend.create_heap(needs.memory_class, needs.size, "heap")
        one, other = (backend.place_texture(heap, 0, info, name) for name in ("one", "other"))

        def frame(recorder: VulkanRecorder) -> None:
            recorder.barriers([change(one, FRESH, use(Usage.COLOR))])
            recorder.begin_pass([attached(one)], (16, 16))
            recorder.end_pass()
            before = FRESH if "handover" in without else use(Usage.COLOR)
            handed = change(other, before, use(Usage.COLOR))
            recorder.barriers([_from_undefined(handed)])
            recorder.begin_pass([attached(other)], (16, 16))
            recorder.end_pass()

        run_frame(backend, frame)
        assert backend.read_buffer(filled) == bytes(64)

    items, report = record(story)
    assert report.findings == ()
    assert sum(isinstance(item, Work) and item.name == "blit image" for item in items) == 3
    _, report = record(story, "handover")
    assert {one.kind for one in report.findings} == {Kind.WRITE_AFTER_WRITE}


def _from_undefined(bound: BoundBarrier) -> BoundBarrier:
    return replace(bound, barrier=bound.barrier._replace(old_layout=Layout.UNDEFINED))


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot record"):
        StreamRecorder(tmp_path / "file" / "stream.jsonl")


def test_rendering_several_views_touches_their_layers(record: Callable[..., tuple[tuple[Item, ...], Report]]) -> None:
    def several(backend: VulkanBackend, without: set[str]) -> None:
        target = backend.create_texture(texture_info("rgba8_unorm", (8, 8), Usage.COLOR, layers=4), "target")
        depth = backend.create_texture(texture_info("d32_sfloat", (8, 8), Usage.DEPTH, layers=3), "depth")

        def frame(recorder: VulkanRecorder) -> None:
            recorder.barriers([change(target, FRESH, use(Usage.COLOR)), change(depth, FRESH, use(Usage.DEPTH))])
            recorder.begin_pass([attached(target), attached(depth, Usage.DEPTH)], (8, 8), 2)
            recorder.end_pass()

        run_frame(backend, frame)

    items, report = record(several)
    (begin,) = [item for item in items if isinstance(item, BeginRendering)]
    assert [one.range.layers for one in begin.attachments] == [(0, 2), (0, 2)]
    assert report.findings == ()


@pytest.mark.parametrize(
    ("mask", "spans"), [(0, []), (0b1, [(0, 1)]), (0b11, [(0, 2)]), (0b1011010, [(1, 1), (3, 2), (6, 1)])]
)
def test_the_views_of_a_mask(mask: int, spans: list[tuple[int, int]]) -> None:
    assert view_spans(mask) == spans
