"""shrink: dynamic resolution. Textures get smaller in the bytes that they have; nothing else of a plan changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from renderwright.render.compiler.resources.requirements import Outline
from renderwright.render.compiler.values.placement import PlacedResource, Placement
from renderwright.render.errors import CompileError
from renderwright.render.graph.resolutions import mips_within, resolution_values, scaled
from renderwright.render.graph.snapshot import SizeInputs
from renderwright.render.suggest import did_you_mean
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.resources import Extent, Resolution, Texture


@dataclass(frozen=True)
class Followers:
    """Textures of the graph's own that are described alike and follow one resolution at one scale.

    ``positions`` are their places in ``Placement.resources``.
    """

    resolution: str
    scale: float
    info: TextureInfo
    positions: tuple[int, ...]


def followers(outline: Outline, placement: Placement) -> tuple[Followers, ...]:
    """Everything whose size may change without a new placement."""
    groups: dict[tuple[str, float, TextureInfo], list[int]] = {}
    for position, (shape, placed) in enumerate(zip(outline.resources, placement.resources, strict=True)):
        desc = shape.item.resource.desc
        if shape.owned and isinstance(desc, Texture) and isinstance(desc.size, Resolution):
            assert isinstance(placed.info, TextureInfo)
            groups.setdefault((desc.size.name, desc.size.scale, placed.info), []).append(position)
    return tuple(Followers(*key, tuple(positions)) for key, positions in groups.items())


def shrink(placement: Placement, groups: Sequence[Followers], sizes: SizeInputs) -> Placement:
    """The placement with the extents of ``sizes.dynamic``, heaps and offsets being those planned for full size.

    Resolutions that follow a dynamic one shrink with it. Textures keep as many mip levels as their extent allows.
    ``CompileError`` for a dynamic value of what is no resolution, or one that is larger than planned.
    """
    if not sizes.dynamic:
        return placement
    planned = dict(placement.extents)
    _check(sizes, planned)
    dynamic = dict(sizes.dynamic)
    rules = [replace(rule, size=dynamic[rule.name]) if rule.name in dynamic else rule for rule in sizes.resolutions]
    extents = resolution_values(rules).extents
    changed = {name for name, extent in extents.items() if planned[name] != extent}
    resources = list(placement.resources)
    for group in groups:
        if group.resolution not in changed:
            continue
        old = group.info
        extent = scaled(extents[group.resolution], group.scale)
        mips = mips_within(extent, old.mips)
        info = replace(old, extent=extent, mips=mips)
        for position in group.positions:
            was = resources[position]
            resources[position] = PlacedResource(
                was.id, info, was.size, was.alignment, was.copies, was.history, was.first, was.kept
            )
    return Placement(tuple(resources), placement.heaps, tuple(extents.items()), placement.problems, placement.extents)


def _check(sizes: SizeInputs, planned: dict[str, Extent]) -> None:
    for name, (width, height) in sizes.dynamic:
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
