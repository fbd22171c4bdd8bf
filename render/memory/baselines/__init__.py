"""Published methods of packing transient memory, for comparison. The runtime uses none of them.

Each method has a file, which names its source and its treatment of histories. Methods on one frame's timeline, without
wrapping (``linear_online_first_fit``, ``decreasing_size_best_fit``, ``whole_image_reuse``), never alias copies that
outlive a frame. The two scanlines alias them like any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from renderwright.render.memory.baselines.cyclic_scanline import CYCLIC_SCANLINE
from renderwright.render.memory.baselines.decreasing_size_best_fit import DECREASING_SIZE_BEST_FIT
from renderwright.render.memory.baselines.greedy_scanline import GREEDY_SCANLINE
from renderwright.render.memory.baselines.linear_online_first_fit import LINEAR_ONLINE_FIRST_FIT
from renderwright.render.memory.baselines.no_aliasing import NO_ALIASING
from renderwright.render.memory.baselines.problem import (
    Baseline,
    BaselineItem,
    BaselineProblem,
    Layout,
    from_items,
    outlives_frame,
)
from renderwright.render.memory.baselines.two_copies_each import TWO_COPIES_EACH
from renderwright.render.memory.baselines.whole_image_reuse import WHOLE_IMAGE_REUSE

__all__ = [
    "BASELINES",
    "Baseline",
    "BaselineItem",
    "BaselineProblem",
    "Layout",
    "from_items",
    "outlives_frame",
]

BASELINES: Mapping[str, Baseline] = MappingProxyType(
    {
        baseline.name: baseline
        for baseline in (
            TWO_COPIES_EACH,
            NO_ALIASING,
            WHOLE_IMAGE_REUSE,
            LINEAR_ONLINE_FIRST_FIT,
            DECREASING_SIZE_BEST_FIT,
            CYCLIC_SCANLINE,
            GREEDY_SCANLINE,
        )
    }
)
"""All baselines by name."""
