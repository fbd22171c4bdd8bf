"""Who moves most bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from renderwright.render.inspect.capture.attribution import ENGINE
from renderwright.render.inspect.capture.finding import Finding, Looked, Of, mebibytes

LEAST_SHARE = 0.25
"""Of the bytes that the frame moves."""
LEAST_WIDE_SHARE = 0.02


def heavy_plugins(looked: Looked) -> Iterator[Finding]:
    """Plugins whose nodes move a large share of the frame's bytes, with the resource that has most of them."""
    for row in looked.document["plugins"]:
        size = row["bytes_read"] + row["bytes_written"]
        share = size / max(1, looked.moved)
        if row["plugin"] == ENGINE or share < LEAST_SHARE:
            continue
        by_node = _sums(looked, row["plugin"], "node")
        by_resource = _sums(looked, row["plugin"], "resource")
        node, resource = max(by_node, key=by_node.__getitem__), max(by_resource, key=by_resource.__getitem__)
        yield Finding(
            "heavy-plugin",
            f"plugin `{row['plugin']}` moves about {mebibytes(size)}, {share:.0%} of what the frame moves; most of it "
            f"by `{node}` ({mebibytes(by_node[node])}) and on `{resource}` ({mebibytes(by_resource[resource])})",
            "a smaller resolution, a smaller format or fewer passes move less",
            (node,),
            (resource,),
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
                "halves or packed formats move half of that or less",
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
