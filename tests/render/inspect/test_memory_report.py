"""What the report says of a plan's memory, against figures worked by hand."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from memory_frames import PAGE, frame_plan

from renderwright.render.compiler.values.placement import HeapPlan
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.inspect.memory_report import memory_report
from renderwright.render.inspect.memory_text import memory_to_json, memory_to_text
from renderwright.render.memory.baselines import BASELINES
from renderwright.render.types.physical import BufferInfo, TextureInfo
from renderwright.render.types.usages import Usage


def test_a_frame_without_history() -> None:
    report = memory_report(frame_plan(history=False, kept=False))
    assert report.nodes == ("draw", "light", "resolve", "show")
    (heap,) = report.heaps
    # a and b at once: 3 pages, as b and c.
    assert (heap.memory_class, heap.size, heap.load, heap.clique) == ("textures", 3 * PAGE, 3 * PAGE, 3 * PAGE)
    assert heap.optimal
    assert (heap.gap, heap.fragmentation) == (0.0, 0)
    assert heap.unaliased_size == report.unaliased_size == 5 * PAGE
    assert heap.aliasing == pytest.approx(5 / 3)
    # In each frame a lives for 2 nodes, b 2, c 2, the picture 1; b counts double.
    assert heap.busy == 2 * (2 + 4 + 2 + 1) * PAGE
    assert heap.occupancy == pytest.approx(18 / 24)
    assert [item.id for item in heap.resources] == ["b", "a", "c", "picture"]
    assert {item.id: item.owner for item in heap.resources}["b"] == "lights"


def test_a_history_counts_twice_and_what_is_kept_once() -> None:
    report = memory_report(frame_plan())
    items = {item.id: item for item in report.resources}
    assert items["c"].has_history
    assert len(items["c"].copies) == 2
    assert items["sky"].kept
    assert len(items["sky"].copies) == 1
    assert report.unaliased_size == (1 + 2 + 2 * 1 + 1 + 1) * PAGE
    assert report.size >= report.bound >= 4 * PAGE


def test_what_the_host_reads_after_the_frame_counts_twice() -> None:
    plan = frame_plan(history=False, kept=False)
    # The lives of such a resource last until its copy's turn comes round again.
    resources = tuple(
        placed._replace(
            copies=tuple(
                copy._replace(live_range=(copy.live_range[0], copy.live_range[0] + 5)) for copy in placed.copies
            )
        )
        if placed.id == "picture"
        else placed
        for placed in plan.placement.resources
    )
    report = memory_report(replace(plan, placement=replace(plan.placement, resources=resources)), compare=True)
    (item,) = (item for item in report.resources if item.needs_two_copies)
    assert (item.id, item.has_history) == ("picture", False)
    assert report.unaliased_size == 6 * PAGE == report.baselines["no_aliasing"]


def test_fragmentation_and_gap_are_what_is_above_the_load_and_the_clique() -> None:
    plan = frame_plan(history=False, kept=False)
    heaps = (HeapPlan("textures", 5 * PAGE, 3 * PAGE, 4 * PAGE, False),)
    (heap,) = memory_report(replace(plan, placement=replace(plan.placement, heaps=heaps))).heaps
    assert heap.fragmentation == 2 * PAGE
    assert heap.gap == pytest.approx(0.25)
    assert not heap.optimal


def test_baselines_by_hand() -> None:
    report = memory_report(frame_plan(history=False, kept=False), compare=True)
    assert set(report.baselines) == set(BASELINES)
    assert report.baselines["two_copies_each"] == 10 * PAGE
    assert report.baselines["no_aliasing"] == 5 * PAGE
    # c takes over the image of a; the picture overlaps c.
    assert report.baselines["whole_image_reuse"] == 4 * PAGE
    assert report.baselines["decreasing_size_best_fit"] == 3 * PAGE
    assert all(size >= report.size for size in report.baselines.values())


def test_baselines_keep_histories_and_kept_textures_apart() -> None:
    report = memory_report(frame_plan(), compare=True)
    assert report.baselines["two_copies_each"] == (2 * (1 + 2 + 1 + 1) + 1) * PAGE
    assert report.baselines["no_aliasing"] == report.unaliased_size
    # a and the picture are one image; b, both copies of c and the sky have their own.
    assert report.baselines["whole_image_reuse"] == (1 + 2 + 2 + 1) * PAGE


def test_what_one_image_could_serve_is_described_alike(plan: Plan) -> None:
    (item,) = memory_report(plan).resources
    assert item.description == "rgba8_unorm 64x32 2 1 4"
    placed = plan.placement.resources[1]
    assert isinstance(placed.info, TextureInfo)
    # Nothing is known of what a shader writes, so such an image is not handed on, and a buffer neither.
    for info in (replace(placed.info, usages=frozenset({Usage.STORAGE_WRITE})), BufferInfo(65536, frozenset())):
        changed = replace(plan.placement, resources=(plan.placement.resources[0], placed._replace(info=info)))
        (item,) = memory_report(replace(plan, placement=changed)).resources
        assert item.description == ""


def test_the_peak_is_where_the_bytes_in_use_are_the_load() -> None:
    (heap,) = memory_report(frame_plan(history=False, kept=False)).heaps
    used = [item.id for item in heap.peak.resources]
    # a and b before b and c, in even frames before odd ones.
    assert (heap.peak.moment, used) == (1, ["b", "a"])
    assert sum(item.size for item in heap.peak.resources) == heap.load


def test_copies_in_several_heaps_count_where_they_are() -> None:
    report = memory_report(frame_plan(heap_limit=2 * PAGE), compare=True)
    assert len(report.heaps) > 1
    assert sum(len(list(heap.copies())) for heap in report.heaps) == 2 * 4 + 1
    assert sum(heap.busy for heap in report.heaps) == memory_report(frame_plan()).heaps[0].busy
    # Others are given one heap, however many the plan has.
    assert report.baselines == memory_report(frame_plan(), compare=True).baselines


def test_text_names_what_a_person_asks_for() -> None:
    text = memory_to_text(memory_report(frame_plan(history=False, kept=False), compare=True))
    assert "heap 0: textures, 4 resources" in text
    assert "gap            0.00% above the bound; nothing smaller exists" in text
    assert "occupancy      75.0% of bytes x time are in use" in text
    assert "aliasing       1.67 times over; without sharing 327680 bytes (320 KiB)" in text
    assert "fragmentation  0 bytes more than is ever in use at once" in text
    assert "in use at once, most of all at light:" in text
    assert "2 more at other times" in text
    assert "total: 196608 bytes (192 KiB) in 1 heap" in text
    lines = {line.strip().split("  ")[0]: line for line in text.splitlines()}
    assert " ".join(lines["no aliasing"].split()) == "no aliasing 327680 bytes 0.3 MiB 1.667 render targets made once"
    assert lines["greedy scanline"].endswith("Dagor Engine")


def test_text_tells_histories_and_what_is_kept() -> None:
    text = memory_to_text(memory_report(frame_plan()))
    assert "c    65536 bytes (64 KiB), two copies for its history" in text
    assert "sky  65536 bytes (64 KiB), kept between frames" in text
    assert "compared" not in text


def test_json_says_the_same() -> None:
    report = memory_report(frame_plan(), compare=True)
    found = json.loads(json.dumps(memory_to_json(report)))
    assert found["total"] == {"size": report.size, "bound": report.bound, "alone": report.unaliased_size}
    (heap,) = found["heaps"]
    assert (heap["class"], heap["size"], heap["bound"]) == ("textures", report.size, report.bound)
    assert heap["peak"]["node"] == "light"
    assert heap["peak"]["resources"] == [item.id for item in report.heaps[0].peak.resources]
    assert found["baselines"]["no_aliasing"]["ratio"] == pytest.approx(report.unaliased_size / report.size)
    resources = {item["id"]: item for item in found["resources"]}
    assert resources["c"]["history"]
    (item,) = (item for item in report.resources if item.id == "c")
    assert [copy["arc"] for copy in resources["c"]["copies"]] == [list(copy.live_range) for copy in item.copies]
    assert len(resources["sky"]["copies"]) == 1


def test_a_frame_without_memory(plan: Plan) -> None:
    empty = replace(plan, placement=replace(plan.placement, resources=(), heaps=()))
    report = memory_report(empty, compare=True)
    assert memory_to_text(report) == "The frame has no memory of its own.\n"
    assert (report.size, report.bound, report.unaliased_size) == (0, 0, 0)
    assert memory_to_json(report)["baselines"] == {}
