"""Which heaps a device asks for: one a class, of limited size, and some for one resource alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ordered_frames import Frame, fragment

from renderwright.render.compiler.place.stage import place
from renderwright.render.compiler.resources.access_history import access_histories
from renderwright.render.compiler.resources.requirements import requirements
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.placement import PlacedResource, Placement
from renderwright.render.compiler.values.queue_plan import one_queue
from renderwright.render.graph.snapshot import SizeInputs
from renderwright.render.memory.needs import MemoryModel, MemoryNeeds, RowMajorModel
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.usages import Usage


@dataclass(frozen=True)
class Particular(RowMajorModel):
    """Wants memory of their own for textures of one format."""

    alone: str = "rgba16_sfloat"

    def texture_needs(self, info: TextureInfo) -> MemoryNeeds:
        needs = super().texture_needs(info)
        if info.format != self.alone:
            return needs
        return replace(needs, memory_class=f"dedicated_{needs.memory_class}", dedicated=True)


def placed(frame: Frame, model: MemoryModel, *, alias: bool = True) -> tuple[Placement, dict[str, PlacedResource]]:
    graph = frame.graph()
    shapes = requirements(graph, access_histories(graph), one_queue(len(graph.nodes)).execution_intervals)
    placement = place(shapes, SizeInputs(), CompileOptions(alias=alias), model)
    return placement, {item.id: item for item in placement.resources}


def together(*names: str, format: str = "rgba8_unorm") -> Frame:
    """Textures that are all alive at once."""
    frame = Frame()
    for name in names:
        frame.texture(name, (128, 128), format)
    return frame.node("draw", *(fragment(name, Usage.COLOR) for name in names)).node(
        "read", *(fragment(name, Usage.SAMPLED) for name in names)
    )


def test_a_heap_is_no_larger_than_the_device_allows() -> None:
    size = 128 * 128 * 4
    one, _ = placed(together("a", "b", "c", "d", "e"), RowMajorModel())
    assert [heap.size for heap in one.heaps] == [5 * size]
    several, by_id = placed(together("a", "b", "c", "d", "e"), RowMajorModel(heap_limit=2 * size))
    assert [(heap.memory_class, heap.size) for heap in several.heaps] == [
        ("textures", 2 * size),
        ("textures", 2 * size),
        ("textures", size),
    ]
    spans = {(copy.heap, copy.offset) for item in by_id.values() for copy in item.copies[:1]}
    assert len(spans) == 5
    for item in by_id.values():
        for copy in item.copies:
            assert copy.offset + item.size <= several.heaps[copy.heap].size


def test_dedicated_resources_share_with_nobody() -> None:
    frame = (
        together("a", "b", format="rgba16_sfloat")
        .texture("plain", (128, 128))
        .node("more", fragment("plain", Usage.COLOR))
    )
    placement, by_id = placed(frame, Particular())
    assert [heap.memory_class for heap in placement.heaps] == ["dedicated_textures", "dedicated_textures", "textures"]
    for name in ("a", "b"):
        heap = placement.heaps[by_id[name].copies[0].heap]
        assert heap.size == by_id[name].size
        # Nobody reads its history, so that both frames can use the one texture.
        assert [(copy.heap, copy.offset) for copy in by_id[name].copies] == [(by_id[name].copies[0].heap, 0)] * 2
    assert by_id["a"].copies[0].heap != by_id["b"].copies[0].heap


def test_a_dedicated_history_has_one_heap_for_each_frame() -> None:
    frame = together("a", format="rgba16_sfloat").node("next", fragment("a", Usage.SAMPLED, history=True))
    placement, by_id = placed(frame, Particular())
    even, odd = by_id["a"].copies
    assert (even.offset, odd.offset) == (0, 0)
    assert {even.heap, odd.heap} == {0, 1}
    assert [heap.size for heap in placement.heaps] == [by_id["a"].size] * 2


def test_without_aliasing_both_copies_are_apart_in_blocks_too() -> None:
    size = 128 * 128 * 4
    placement, by_id = placed(together("a", "b", "c"), RowMajorModel(heap_limit=4 * size), alias=False)
    spans = [(copy.heap, copy.offset) for item in by_id.values() for copy in item.copies]
    assert len(set(spans)) == 6
    assert [heap.size for heap in placement.heaps] == [4 * size, 2 * size]


def test_lazy_memory_is_a_class_of_its_own() -> None:
    frame = Frame().texture("color").texture("depth", format="d32_sfloat")
    frame.node("draw", fragment("color", Usage.COLOR), fragment("depth", Usage.DEPTH))
    frame.node("show", fragment("color", Usage.SAMPLED))
    lazy, by_id = placed(frame, RowMajorModel(lazy=True))
    assert [heap.memory_class for heap in lazy.heaps] == ["lazy_textures", "textures"]
    assert by_id["depth"].copies[0].heap == 0
    plain, _ = placed(frame, RowMajorModel())
    assert [heap.memory_class for heap in plain.heaps] == ["textures"]
