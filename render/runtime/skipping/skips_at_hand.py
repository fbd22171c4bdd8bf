"""What a frame skips that cannot wait for a compile: fewer nodes than it could, until it can skip them all.

Which nodes are skipped may change in any frame. A frame without other nodes has other passes and barriers; to derive
and lower them takes longer than a frame in a window has. Such a frame runs some nodes again whose blobs have not
changed, as far as these give the same results, and other nodes skip what they did; the missing frame is lowered behind
it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Set
from dataclasses import dataclass

from renderwright.render.compiler.rates import writes
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance, ResourceInstance
from renderwright.render.types.resources import Buffer

MOST_AGAIN = 8
"""Nodes that a frame may run again: they have to cost the device less than a compile costs the frame."""

MOST_FRAMES = 60
"""Frames that go on so in a row."""


@dataclass
class SkipsAtHand:
    """Chooses what each frame skips.

    ``wanted`` are the nodes that the last frame would have skipped if that was lowered, ``tried`` those that it has
    been tried for since.
    """

    wanted: frozenset[str] | None = None
    tried: frozenset[str] | None = None
    _waited: int = 0

    @property
    def awaited(self) -> frozenset[str] | None:
        """The nodes without which a frame has to be lowered; None if none has."""
        return self.wanted if self.wanted != self.tried else None

    def found(self, skipped: frozenset[str]) -> frozenset[str]:
        """``skipped``, which a frame that is lowered skips, or that nothing may wait for: none is awaited."""
        self.wanted, self.tried, self._waited = None, None, 0
        return skipped

    def choose(
        self, skipped: frozenset[str], lowered: Collection[frozenset[str]], repeatable: Set[str]
    ) -> frozenset[str]:
        """``skipped``, or the most of these nodes that a frame which is ``lowered`` skips: it runs the others, which
        are ``repeatable``, again."""
        fewer = None
        if skipped != self.tried and self._waited < MOST_FRAMES:
            fewer = _most_of(skipped, lowered, repeatable)
        if fewer is None:
            return self.found(skipped)
        self.wanted = skipped
        self._waited += 1
        return fewer


def _most_of(
    skipped: frozenset[str], lowered: Collection[frozenset[str]], repeatable: Set[str]
) -> frozenset[str] | None:
    fits = []
    for some in lowered:
        again = skipped - some
        if some <= skipped and again <= repeatable and len(again) <= MOST_AGAIN:
            fits.append(some)
    return max(fits, key=len, default=None)


def repeatable_nodes(graph: InstanceGraph, groups: Collection[Collection[str]], early: Set[str]) -> frozenset[str]:
    """The nodes (ids) that give the same results if they run although their blob has not changed.

    These wait for a blob, read no history and nothing that other nodes draw meanwhile, of which they may keep a
    picture, and have no side effects, nor have others of their group; the group makes all that it writes (a rule for
    all nodes at a rate). ``early`` nodes have run, or not, before it is known what the frame skips.
    """
    waiting = [node for node in graph.rated if node.declaration.rate.when and node.id not in early]
    passing = _drawn_meanwhile(graph, {name for node in waiting for name in _touched(node)})
    again = {node.id for node in waiting if _may_run_again(node, passing)}
    return frozenset(name for group in groups if again >= set(group) for name in group)


def _may_run_again(node: NodeInstance, passing: Set[str]) -> bool:
    return not node.past and not node.declaration.side_effects and passing.isdisjoint(_touched(node))


def _touched(node: NodeInstance) -> Iterator[str]:
    """The textures and buffers (by id) of a node."""
    return (name for use in node.uses if use.usage is not None for name in use.resources)


def _drawn_meanwhile(graph: InstanceGraph, names: Set[str]) -> Set[str]:
    """Those of the resources (by id) that nodes write which do not wait for a blob.

    Buffers of the application are none of them: scenes are in these, and blobs say when they are drawn anew.
    """
    descs = {item.id: item.resource.desc for item in graph.resources if item.id in names and not _is_scene(item)}
    uses = [use for node in graph.nodes if not node.declaration.rate.when for use in node.uses]
    return {name for use in uses for name in use.resources if name in descs and writes(use.request, descs[name])}


def _is_scene(item: ResourceInstance) -> bool:
    return item.resource.external and isinstance(item.resource.desc, Buffer)
