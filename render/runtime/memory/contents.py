"""The written parts of textures: copies of contents leave out mips and layers that were never written."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from renderwright.render.compiler.rates import writes
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.types.parts import WHOLE, Part, cells, joined
from renderwright.render.types.resources import Texture


def written_parts(plan: Plan, names: Collection[str]) -> Mapping[str, tuple[Part, ...]]:
    """The parts of textures (by resource id) that a plan's frames write or clear; parts do not overlap.

    Often only mip 0 of a texture is rendered to; the other mips are undefined and stay undefined.
    """
    descs = {item.id: item.resource.desc for item in plan.graph.resources if item.id in names}
    textures = {name: desc for name, desc in descs.items() if isinstance(desc, Texture)}
    found: dict[str, dict[Part, None]] = {name: {} for name in textures}
    for node in plan.graph.nodes:
        for use in node.uses:
            if use.reads_history or not use.touches_gpu:
                continue
            for name in use.resources:
                if name in found and writes(use.request, descs[name]):
                    found[name][use.request.part] = None
    for batch in (*plan.sync.even, *plan.sync.odd):
        for clear in batch.clears:
            if clear.resource in found:
                found[clear.resource][clear.part] = None
    return {name: _apart(parts, textures[name]) for name, parts in found.items()}


def _apart(parts: Collection[Part], desc: Texture) -> tuple[Part, ...]:
    if WHOLE in parts:
        return (WHOLE,)
    written = [cell for cell in cells(parts, desc.mips, desc.layers) if any(part.meets(cell) for part in parts)]
    return joined(written, desc.mips, desc.layers)
