"""The inputs of a compile as frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from renderwright.render.errors import SourceLocation
from renderwright.render.graph.requests import NodeDeclaration
from renderwright.render.types.resources import Extent


@dataclass(frozen=True)
class Chain:
    """A named sequence of image effects between two resource names; ``source`` is where a file states its input."""

    name: str
    input: str
    output: str
    source: SourceLocation | None = field(default=None, compare=False)


@dataclass(frozen=True)
class ResolutionRule:
    """An auto-resolution: a fixed ``size``, or ``scale`` times another resolution.

    A change to a rule that ``may_wait`` leaves the running plan as it is until one of the new size is ready. After any
    other change the next frame has the new size.
    """

    name: str
    size: Extent | None = None
    of: str = ""
    scale: float = 1.0
    may_wait: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class GraphSnapshot:
    """The graph as declared: the input of the stages up to ``order``.

    ``slots`` maps an indirect name to its target. ``dimensions`` are the known multiplexing dimensions and ``counts``
    their sizes (1 where absent). ``sinks`` are the resources that the frame is made for. Sequences are in declaration
    order; results may depend on that order only through ``NodeDeclaration.index`` as a last tie-break.
    """

    nodes: tuple[NodeDeclaration, ...] = ()
    slots: tuple[tuple[str, str], ...] = ()
    chains: tuple[Chain, ...] = ()
    sinks: tuple[str, ...] = ()
    dimensions: tuple[str, ...] = ("view", "eye", "sample", "tile")
    counts: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class SizeInputs:
    """The input of ``place`` besides the order: the resolutions, and the formats of external textures.

    ``external_formats`` overrides the declared format of external textures (a swapchain chooses its own). ``dynamic``
    holds the current smaller sizes of dynamic resolutions. Memory is planned for the full sizes.
    """

    resolutions: tuple[ResolutionRule, ...] = ()
    external_formats: tuple[tuple[str, str], ...] = ()
    dynamic: tuple[tuple[str, Extent], ...] = ()

    def planned(self) -> SizeInputs:
        """The sizes that memory is planned for: without dynamic ones."""
        return SizeInputs(self.resolutions, self.external_formats)

    def can_wait_for(self, wanted: SizeInputs) -> bool:
        """Whether a plan of these sizes may go on until one of the ``wanted`` sizes is ready: the two differ in rules
        that may wait, and in nothing else."""
        before = {rule.name: rule for rule in self.resolutions}
        differ = self.resolutions != wanted.resolutions
        may_wait = all(rule.may_wait or rule == before.get(rule.name) for rule in wanted.resolutions)
        alike = self.external_formats == wanted.external_formats and self.dynamic == wanted.dynamic
        return differ and may_wait and alike


@dataclass(frozen=True)
class Dimensions:
    """The number of instances by dimension; 1 by default."""

    counts: Mapping[str, int] = field(default_factory=dict)

    def count(self, dimension: str) -> int:
        """The number of instances of the dimension."""
        return self.counts.get(dimension, 1)
