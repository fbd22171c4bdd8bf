"""Choices of a compile that are not part of the graph."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from renderwright.render.backend.capabilities import Capabilities
from renderwright.render.compiler.values.preferred_order import PreferredOrder
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.shaders.image_formats import STORABLE
from renderwright.render.sync.barriers import Splitting
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.types.fullscreen import Fullscreen
from renderwright.render.types.views import LEAST_VIEWS

ANY_SAMPLES = 64
"""As many samples as any device has."""
ANY_COLORS = 64
"""More color attachments than any device has."""


@dataclass(frozen=True)
class CompileOptions:
    """Choices that are not part of the graph.

    ``order`` is ``balanced``, ``memory``, ``overlap``, ``declared`` or ``random:SEED``. A ``preferred`` order of all
    nodes takes precedence: of the ready nodes the first one in it is next. ``alias`` False gives every resource memory
    of its own (for tests). ``costs`` are measured GPU times in microseconds by node name, sorted; the first three
    policies use them in place of the nodes' hints. ``packing`` is the work that ``place`` may spend.
    ``queues`` are the classes of queues that the device has and the frame may use; a barrier is split where
    more work than ``split_above`` microseconds runs between its halves (``Splitting``): 0 for any, infinity for none.
    ``sliced`` makes each pass of a frame on one queue a submission of its own, for work that spans frames. Nodes that
    say that they can be drawn for several views at once are, for at most so many ``views``; 1 for none of them.
    ``unified_layouts`` keeps textures in the general layout for all usages (``renderwright.render.sync.layouts``); None
    where the device says that this costs nothing, which without a device is nowhere. With ``keep_images``, textures
    that are alike may then be one image, which stays in its layout (``renderwright.render.sync.images``). Without
    ``merge`` each node that renders has a pass of its own, so that what it has written can be looked at behind it.
    ``fullscreen`` is how full-screen nodes run; ``auto`` is what is faster on the device, and ``fragment`` without one.
    Compute shaders can store to textures of ``storage_formats``, and a texel has at most ``most_samples``, a
    pass at most ``most_colors`` color attachments. Without ``events`` no barrier is split. A plan that is not
    ``executed`` ends with ``place``: it tells which nodes are in a frame and what their resources are, but it has no
    passes, barriers and operations.
    """

    order: str = "balanced"
    alias: bool = True
    costs: tuple[tuple[str, float], ...] = ()
    packing: PackPolicy = PackPolicy.FAST
    queues: tuple[str, ...] = (GRAPHICS,)
    split_above: float = Splitting.above
    sliced: bool = False
    views: int = LEAST_VIEWS
    unified_layouts: bool | None = None
    keep_images: bool = True
    merge: bool = True
    preferred: PreferredOrder | None = None
    fullscreen: Fullscreen = Fullscreen.AUTO
    storage_formats: frozenset[str] = STORABLE
    most_samples: int = ANY_SAMPLES
    most_colors: int = ANY_COLORS
    events: bool = True
    executed: bool = True

    def on_device(self, able: Capabilities, queues: Sequence[str] | None = None) -> CompileOptions:
        """Those of them that hold on a device, of which only these ``queues`` are used (None: all)."""
        usable = able.queues if queues is None else queues
        return replace(
            self,
            queues=tuple(queue for queue in self.queues if queue in usable),
            views=min(self.views, able.views),
            unified_layouts=able.unified_layouts if self.unified_layouts is None else self.unified_layouts,
            fullscreen=able.fullscreen if self.fullscreen is Fullscreen.AUTO else self.fullscreen,
            storage_formats=able.storage_formats,
            most_samples=min(self.most_samples, able.most_samples),
            most_colors=min(self.most_colors, able.most_colors),
            events=self.events and able.events,
        )

    def beside(self, *, sliced: bool) -> CompileOptions:
        """Those for a graph that runs beside the frames of these: packed at once, on one queue, and always executed."""
        return replace(self, packing=PackPolicy.FAST, queues=(GRAPHICS,), sliced=sliced, executed=True)

    @property
    def stored_formats(self) -> frozenset[str]:
        """The formats of render targets that full-screen nodes store to from compute shaders; none if they draw."""
        return self.storage_formats if self.fullscreen is Fullscreen.COMPUTE else frozenset()

    @property
    def keeps_images(self) -> bool:
        """Whether a live range may begin in the layout in which the one before it left the image."""
        return bool(self.unified_layouts) and self.keep_images

    def ordering(self) -> CompileOptions:
        """Those of them that ``order`` depends on."""
        return CompileOptions(order=self.order, preferred=self.preferred, costs=self.costs)

    def spreading(self) -> CompileOptions:
        """Those of them that ``queues`` depends on."""
        return CompileOptions(costs=self.costs, queues=self.queues, unified_layouts=self.unified_layouts)

    def splitting(self) -> Splitting:
        """Those of them that decide which barriers are split."""
        return Splitting(self.split_above if self.events else math.inf, self.costs)

    def placing(self) -> CompileOptions:
        """Those of them that ``place`` depends on: of layouts ``keeps_images`` alone."""
        # One value for the two options behind it: where it stays the same, so does the memoised placement.
        keeps = self.keeps_images
        return CompileOptions(alias=self.alias, packing=self.packing, unified_layouts=keeps, keep_images=keeps)
