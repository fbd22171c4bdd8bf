"""apply_dynamic_resolution: textures get smaller within their bytes; nothing else of a plan changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from renderwright.render.compiler.resources.requirements import Requirements
from renderwright.render.compiler.values.placement import Placement
from renderwright.render.errors import CompileError
from renderwright.render.graph.resolutions import mips_within, resolution_values, scaled
from renderwright.render.graph.snapshot import SizeInputs
from renderwright.render.suggest import did_you_mean
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.resources import Extent, Resolution, Texture


@dataclass(frozen=True)
class ResizableTextures:
    """Textures of the graph with one description that follow one resolution at one scale.

    ``positions`` are their places in ``Placement.resources``.
    """

    resolution: str
    scale: float
    info: TextureInfo
    positions: tuple[int, ...]


def resizable_textures(requirements: Requirements, placement: Placement) -> tuple[ResizableTextures, ...]:
    """All textures whose size may change without a new placement."""
    groups: dict[tuple[str, float, TextureInfo], list[int]] = {}
    for position, (resource, placed) in enumerate(zip(requirements.resources, placement.resources, strict=True)):
        desc = resource.item.resource.desc
        if resource.owned and isinstance(desc, Texture) and isinstance(desc.size, Resolution):
            assert isinstance(placed.info, TextureInfo)
            groups.setdefault((desc.size.name, desc.size.scale, placed.info), []).append(position)
    return tuple(ResizableTextures(*key, tuple(positions)) for key, positions in groups.items())


def apply_dynamic_resolution(placement: Placement, groups: Sequence[ResizableTextures], sizes: SizeInputs) -> Placement:
    """The placement with the extents of ``sizes.dynamic``; heaps and offsets stay as planned for full size.

    Resolutions that follow a dynamic one shrink with it. Textures keep as many mip levels as their extent allows.
    Raises ``CompileError`` for a dynamic value of an unknown resolution, or one that is larger than planned.
    """
    if not sizes.dynamic:
        return placement
    planned = dict(placement.extents)
    dynamic = dict(sizes.dynamic)
    _check(dynamic, planned)
    rules = [replace(rule, size=dynamic[rule.name]) if rule.name in dynamic else rule for rule in sizes.resolutions]
    extents = resolution_values(rules).extents
    changed = {name for name, extent in extents.items() if planned[name] != extent}
    resources = list(placement.resources)
    for group in groups:
        if group.resolution in changed:
            extent = scaled(extents[group.resolution], group.scale)
            info = replace(group.info, extent=extent, mips=mips_within(extent, group.info.mips))
            for position in group.positions:
                resources[position] = resources[position]._replace(info=info)
    return Placement(tuple(resources), placement.heaps, tuple(extents.items()), placement.problems, placement.extents)


def _check(dynamic: Mapping[str, Extent], planned: Mapping[str, Extent]) -> None:
    for name, (width, height) in dynamic.items():
        if name not in planned:
            raise CompileError(
                f'resolution "{name}" has no value that could be made smaller', hint=did_you_mean(name, planned)
            )
        most = planned[name]
        if not (1 <= width <= most[0] and 1 <= height <= most[1]):
            raise CompileError(
                f'resolution "{name}" cannot be {width} x {height} for now: memory is planned for at most '
                f"{most[0]} x {most[1]}",
                hint="stay within that, or define the resolution larger",
            )
