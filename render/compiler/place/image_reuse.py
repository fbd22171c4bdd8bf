"""images: which textures are one image in turn, where all textures are in the general layout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from renderwright.render.compiler.rates import is_rated
from renderwright.render.compiler.resources.access_history import Timeline
from renderwright.render.compiler.resources.requirements import Outline, Outlined
from renderwright.render.compiler.sync.byte_ranges import Sharing
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.placement import Placement
from renderwright.render.sync.images import APART, CopyKey, Images
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.types.physical import PhysicalInfo
from renderwright.render.types.resources import Texture
from renderwright.render.types.usages import Usage


class _Life(NamedTuple):
    """A life of a copy: when, and of which image; ``image`` is None for one that has an image of its own and is brought
    into its layout each time."""

    key: CopyKey
    start: int
    end: int
    image: object


def images(
    graph: InstanceGraph,
    times: Mapping[str, Timeline],
    outline: Outline,
    placement: Placement,
    shared: Sharing,
    queues: Sequence[str],
) -> Images:
    """Textures that are described alike and lie at one place are one image.

    A life stays in its layout if the last one that had any of its bytes, in this frame or in one before, was of the
    same image. Histories, and textures of whose parts some are used apart, have images of their own; the former stay
    only where nobody shares the memory. Left alone is what has one copy for all frames, what is read some frames later,
    what the host reads, or whose maker does not run in every frame; and everything where there is more than one queue.
    """
    if not set(queues) <= {GRAPHICS}:
        return APART
    lives = list(_lives(graph, times, outline, placement))
    period = outline.period
    stay = {one.key for one, stays in zip(lives, _in_their_layouts(lives, shared, period), strict=True) if stays}
    past = outline.lasting
    members: dict[object, list[_Life]] = {}
    for one in lives:
        if one.image is not None and one.key[0] not in past:
            members.setdefault(one.image, []).append(one)
    names = []
    even: list[CopyKey] = []
    odd: list[CopyKey] = []
    for those in members.values():
        those.sort(key=lambda life: (life.start, life.key))
        if len(those) > 1:
            name = _name([life.key for life in those])
            names += [(life.key, name) for life in those]
        for begin, settled in ((0, even), (period // 2, odd)):
            first = min(those, key=lambda life: (life.start - begin) % period)
            if first.key in stay:
                settled.append(first.key)
    histories = sorted(key for key in stay if key[0] in past)
    return Images(
        tuple(sorted(names)),
        frozenset(stay),
        (tuple(sorted(even)), tuple(sorted(odd))),
        (tuple(key for key in histories if not key[1]), tuple(key for key in histories if key[1])),
    )


def _lives(
    graph: InstanceGraph, times: Mapping[str, Timeline], outline: Outline, placement: Placement
) -> Iterator[_Life]:
    """The lives of all copies in the order of ``Sharing.copies``."""
    rated = {node.id for node in graph.nodes if is_rated(node.declaration)}
    for shape, placed in zip(outline.resources, placement.resources, strict=True):
        may = _may_stay(shape) and shape.item.creator not in rated
        # What is not described alike has an image of its own, and so has each copy of a history.
        kind = kind_of(shape, placed.info) if may and not times[placed.id].cells else placed.id
        for number, copy in enumerate(placed.copies):
            place = (copy.heap, copy.offset, kind, number if shape.history else None)
            yield _Life((placed.id, number), *copy.arc, place if may else None)


def kind_of(shape: Outlined, info: PhysicalInfo | None) -> object | None:
    """Equal for textures that could be one image, at whatever resolution; None for what has to have its own."""
    desc = shape.item.resource.desc
    if not isinstance(desc, Texture) or shape.history or not _may_stay(shape):
        return None
    # Of two sizes that are equal now, a dynamic resolution may change one.
    return info, desc.size, desc.mips


def _may_stay(shape: Outlined) -> bool:
    lasts = shape.kept or shape.age > 1 or Usage.HOST_READ in shape.usages
    return shape.owned and not lasts and isinstance(shape.item.resource.desc, Texture)


def _name(members: Sequence[CopyKey]) -> str:
    """The names of the textures; copies that are without their twin say which they are."""
    found: dict[str, None] = {}
    for name, copy in members:
        alone = (name, 1 - copy) not in members
        found[f"{name} ({'odd' if copy else 'even'})" if alone else name] = None
    return ", ".join(found)


def _in_their_layouts(lives: Sequence[_Life], shared: Sharing, period: int) -> Sequence[bool]:
    """Of each life whether the last one before it that had any of its bytes was of the same image."""
    if not lives:
        return ()
    kinds = {image: number for number, image in enumerate(dict.fromkeys([life.image for life in lives]))}
    images = np.array([kinds[life.image] for life in lives], np.int64)
    starts, ends = np.array([(life.start, life.end) for life in lives], np.int64).T
    begins, near = shared.by_copy
    mine = np.arange(len(lives)).repeat(np.diff(begins, append=len(near)))
    ago = (starts[mine] - ends[near]) % period
    same = images[mine] == images[near]
    own = np.minimum.reduceat(np.where(same, ago, period), begins)
    others = np.minimum.reduceat(np.where(same, period, ago), begins)
    found: list[bool] = ((own < others) & (images != kinds.get(None, -1))).tolist()
    return found
