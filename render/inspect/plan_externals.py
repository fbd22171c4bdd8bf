"""External resources of a plan: their contents and destination."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.types.parts import Part
from renderwright.render.types.resources import Blob, Buffer, Texture
from renderwright.render.types.usages import Usage

_READING = (Usage.SAMPLED, Usage.STORAGE_READ, Usage.STORAGE, Usage.COPY_SRC)


@dataclass(frozen=True)
class External:
    """An external resource: an ``asset`` has contents and is the same in every frame; a ``shown`` one is presented."""

    texture: bool
    asset: bool
    shown: bool


def externals(graphs: Sequence[InstanceGraph]) -> Iterator[tuple[str, External]]:
    """The external textures and buffers of consecutive frames, by name."""
    usages: dict[str, set[Usage]] = {}
    read: set[str] = set()
    descs = {item.id: item.resource.desc for item in graphs[0].resources if item.resource.external}
    for graph in graphs:
        seen: dict[str, set[tuple[int, int]]] = {}
        for use in (use for node in graph.nodes for use in node.uses):
            for name in use.resources if use.usage is not None else ():
                assert use.usage is not None
                usages.setdefault(name, set()).add(use.usage)
                new = _texels(descs.get(name), use.request.part) - seen.setdefault(name, set())
                seen[name] |= new
                if new and use.usage in _READING:
                    read.add(name)
    for name, desc in descs.items():
        if not isinstance(desc, Blob):
            texture, shown = isinstance(desc, Texture), Usage.PRESENT in usages.get(name, ())
            yield name, External(texture, texture and name in read and not shown, shown)


def _texels(desc: Texture | Buffer | Blob | None, part: Part) -> set[tuple[int, int]]:
    """The mips and layers of a part."""
    if not isinstance(desc, Texture):
        return set()
    mip, mips = part.mips or (0, desc.mips)
    layer, layers = part.layers or (0, desc.layers)
    return {(m, n) for m in range(mip, mip + mips) for n in range(layer, layer + layers)}
