"""The inputs of a compile: one frozen value that says everything about the graph and the machine that matters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from renderwright.render.graph.requests import NodeDeclaration
from renderwright.render.types.resources import Extent


@dataclass(frozen=True)
class Chain:
    """A named sequence of image effects between two resource names."""

    name: str
    input: str
    output: str


@dataclass(frozen=True)
class ResolutionRule:
    """An auto-resolution: a fixed ``size``, or ``scale`` times another resolution."""

    name: str
    size: Extent | None = None
    of: str = ""
    scale: float = 1.0


@dataclass(frozen=True)
class GraphSnapshot:
    """The graph as declared: what the stages up to ``order`` depend on.

    ``slots`` maps an indirect name to the name it stands for. ``dimensions`` are the known multiplexing dimensions and
    ``counts`` their sizes (1 where absent). ``sinks`` are the resources that the frame is made for. Sequences are in
    declaration order; no result may depend on that order beyond ``NodeDeclaration.index`` as a last tie-break.
    """

    nodes: tuple[NodeDeclaration, ...] = ()
    slots: tuple[tuple[str, str], ...] = ()
    chains: tuple[Chain, ...] = ()
    sinks: tuple[str, ...] = ()
    dimensions: tuple[str, ...] = ("view", "eye", "sample", "tile")
    counts: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class SizeInputs:
    """What ``place`` depends on besides the order: values of the resolutions, formats that the target dictates.

    ``external_formats`` overrides the declared format of external textures (a swapchain chooses its own). ``dynamic``
    are smaller values that some resolutions have for now (dynamic resolution): memory is planned for the full ones.
    """

    resolutions: tuple[ResolutionRule, ...] = ()
    external_formats: tuple[tuple[str, str], ...] = ()
    dynamic: tuple[tuple[str, Extent], ...] = ()

    def planned(self) -> SizeInputs:
        """Those that memory is planned for."""
        return SizeInputs(self.resolutions, self.external_formats)


@dataclass(frozen=True)
class Dimensions:
    """Counts by dimension, with 1 for any that has none."""

    counts: Mapping[str, int] = field(default_factory=dict)

    def count(self, dimension: str) -> int:
        """How many instances the dimension has."""
        return self.counts.get(dimension, 1)
