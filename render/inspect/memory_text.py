"""A memory report as text for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from renderwright.render.backend.capabilities import Aliasing
from renderwright.render.inspect.memory_report import HeapReport, MemoryReport, ResourceMemory
from renderwright.render.inspect.words import bytes_text
from renderwright.render.memory.baselines import BASELINES

_MOST_LARGEST = 8


def memory_to_text(report: MemoryReport) -> str:
    """Each heap with its bounds and the largest resources at its peak, the totals, and the baselines if requested."""
    return "\n".join(_lines(report)) + "\n"


def memory_to_json(report: MemoryReport) -> dict[str, Any]:
    """The report as plain values. Sizes are bytes; ``gap``, ``occupancy`` and ``aliasing`` are ratios.

    The copies of a resource are (even, odd), or a single one if the resource is kept. ``best_order`` is null if it was
    not searched.
    """
    return {
        "nodes": list(report.nodes),
        "aliasing": report.aliasing.value,
        "total": {"size": report.size, "bound": report.bound, "alone": report.unaliased_size},
        "heaps": [_heap_json(heap, report.nodes) for heap in report.heaps],
        "resources": [_resource_json(item) for item in report.resources],
        "best_order": _best_order_json(report),
        "baselines": {
            name: {"origin": BASELINES[name].origin, "size": size, "ratio": size / report.size}
            for name, size in report.baselines.items()
        },
    }


def _best_order_json(report: MemoryReport) -> dict[str, Any] | None:
    if report.best_order is None:
        return None
    return {"size": report.best_order, "ratio": report.best_order / report.size if report.size else 1.0}


def _lines(report: MemoryReport) -> Iterator[str]:
    if not report.heaps:
        yield "The frame has no memory of its own."
        return
    if report.aliasing is Aliasing.TEXTURES:
        yield "aliasing: textures; resources share whole textures of one kind, and drivers may take more bytes"
    for heap in report.heaps:
        yield from _heap_lines(heap, report.nodes)
    yield f"total: {bytes_text(report.size)} in {len(report.heaps)} heap{'s' if len(report.heaps) > 1 else ''}"
    yield f"  bound {bytes_text(report.bound)}; without sharing {bytes_text(report.unaliased_size)}"
    if report.baselines:
        yield "compared with others on the same resources and lives:"
        yield from _comparison(report)


def _heap_lines(heap: HeapReport, nodes: Sequence[str]) -> Iterator[str]:
    yield f"heap {heap.number}: {heap.memory_class}, {len(heap.resources)} resources"
    proved = "; nothing smaller exists" if heap.optimal else ""
    pairs = (
        ("size", bytes_text(heap.size)),
        ("bound", f"{bytes_text(heap.clique)}; in use at once {bytes_text(heap.load)}"),
        ("gap", f"{heap.gap:.2%} above the bound{proved}"),
        ("occupancy", f"{heap.occupancy:.1%} of bytes x time are in use"),
        ("aliasing", f"{heap.aliasing:.2f} times over; without sharing {bytes_text(heap.unaliased_size)}"),
        ("fragmentation", f"{bytes_text(heap.fragmentation)} more than is ever in use at once"),
    )
    for name, text in pairs:
        yield f"  {name:<14} {text}"
    yield f"  in use at once, most of all at {nodes[heap.peak.moment % len(nodes)]}:"
    largest = heap.peak.resources[:_MOST_LARGEST]
    width = max(len(item.id) for item in largest)
    for item in largest:
        yield f"    {item.id:<{width}}  {bytes_text(item.size)}{_copies_text(item)}"
    rest = heap.peak.resources[_MOST_LARGEST:]
    if rest:
        yield f"    and {len(rest)} more, {bytes_text(sum(item.size for item in rest))} in all"
    others = {item.id for item in heap.resources} - {item.id for item in heap.peak.resources}
    if others:
        yield f"  {len(others)} more at other times"


def _copies_text(item: ResourceMemory) -> str:
    if item.has_history:
        return (
            f", {len(item.copies)} copies for its history" if len(item.copies) > 2 else ", two copies for its history"
        )
    return ", kept between frames" if item.kept else ""


def _comparison(report: MemoryReport) -> Iterator[str]:
    rows = [("this plan", report.size, "")]
    if report.best_order is not None:
        rows.append(("best order found", report.best_order, "the search beside the frames"))
    rows += [(name.replace("_", " "), size, BASELINES[name].origin) for name, size in report.baselines.items()]
    width = max(len(name) for name, _, _ in rows)
    for name, size, origin in rows:
        mib = f"{size / 2**20:,.1f} MiB"
        yield f"  {name:<{width}}  {size:>14} bytes {mib:>14}  {size / report.size:>6.3f}  {origin}".rstrip()


def _heap_json(heap: HeapReport, nodes: Sequence[str]) -> dict[str, Any]:
    return {
        "heap": heap.number,
        "class": heap.memory_class,
        "size": heap.size,
        "load": heap.load,
        "bound": heap.clique,
        "optimal": heap.optimal,
        "gap": heap.gap,
        "occupancy": heap.occupancy,
        "aliasing": heap.aliasing,
        "alone": heap.unaliased_size,
        "fragmentation": heap.fragmentation,
        "peak": {
            "moment": heap.peak.moment,
            "node": nodes[heap.peak.moment % len(nodes)],
            "resources": [item.id for item in heap.peak.resources],
        },
    }


def _resource_json(item: ResourceMemory) -> dict[str, Any]:
    return {
        "id": item.id,
        "plugin": item.owner,
        "size": item.size,
        "alignment": item.alignment,
        "history": item.has_history,
        "kept": item.kept,
        "copies": [{"heap": copy.heap, "offset": copy.offset, "arc": list(copy.live_range)} for copy in item.copies],
    }
