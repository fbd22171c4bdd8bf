"""Who moves most bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from renderwright.render.inspect.capture.attribution import ENGINE
from renderwright.render.inspect.capture.finding import Finding, Looked, Of, listed, mebibytes

LEAST_SHARE = 0.25
"""Of the bytes that the frame moves."""
LEAST_WIDE_SHARE = 0.02
HALF = "halves or packed formats move half of that or less"


def heavy_plugins(looked: Looked) -> Iterator[Finding]:
    """Plugins whose nodes move a large share of the frame's bytes, with the nodes and resources that have most of them,
    and the formats if these are wide."""
    for row in looked.document["plugins"]:
        size = row["bytes_read"] + row["bytes_written"]
        share = size / max(1, looked.moved)
        if row["plugin"] == ENGINE or share < LEAST_SHARE:
            continue
        by_node, by_resource = _sums(looked, row["plugin"], "node"), _sums(looked, row["plugin"], "resource")
        nodes, resources = _largest(by_node), _largest(by_resource)
        wide = {name: moved for name, moved in by_resource.items() if _is_wide(looked.resources[name])}
        is_wide = 2 * sum(wide.values()) >= size
        formats = ", ".join(sorted({f"`{looked.resources[name]['format']}`" for name in wide}))
        yield Finding(
            "heavy-plugin",
            f"plugin `{row['plugin']}` moves about {mebibytes(size)}, {share:.0%} of what the frame moves"
            + (f", {sum(wide.values()) / size:.0%} of it in {formats}, 16 bytes a texel" if is_wide else "")
            + f"; most by {_with_size(by_node, nodes)} and on {_with_size(by_resource, resources)}",
            f"{HALF}; a smaller resolution or fewer passes do, too"
            if is_wide
            else "a smaller resolution, a smaller format or fewer passes move less",
            tuple(nodes),
            tuple(resources),
            row["plugin"],
            size,
            share,
            Of.MOVED,
        )


def wide_textures(looked: Looked) -> Iterator[Finding]:
    """Textures with many bytes a texel that nodes move much of."""
    moved: dict[str, int] = {}
    for access in looked.accesses:
        name = access["resource"]
        moved[name] = moved.get(name, 0) + access["bytes_read"] + access["bytes_written"]
    for name, size in moved.items():
        item = looked.resources[name]
        share = size / max(1, looked.moved)
        if _is_wide(item) and share >= LEAST_WIDE_SHARE:
            yield Finding(
                "wide-texture",
                f"`{name}` is `{item['format']}`, 16 bytes a texel; nodes move about {mebibytes(size)} of it",
                HALF,
                (),
                (name,),
                item["plugin"],
                size,
                share,
                Of.MOVED,
            )


def _is_wide(item: Mapping[str, Any]) -> bool:
    return (item["format"] or "").startswith("rgba32")


def _sums(looked: Looked, plugin: str, key: str) -> dict[str, int]:
    """The bytes that a plugin's nodes move, by node or by resource."""
    found: dict[str, int] = {}
    for access in looked.accesses:
        if looked.owners[access["node"]] == plugin:
            found[access[key]] = found.get(access[key], 0) + access["bytes_read"] + access["bytes_written"]
    return found


def _largest(sums: Mapping[str, int]) -> list[str]:
    """The names with the largest number."""
    return [name for name, size in sums.items() if size == max(sums.values())]


def _with_size(sums: Mapping[str, int], names: Sequence[str]) -> str:
    """Names of one size, with it."""
    return f"{listed(names)} ({mebibytes(sums[names[0]])}{' each' if len(names) > 1 else ''})"
