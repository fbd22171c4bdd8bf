"""The weights of list scheduling under each policy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Weights:
    """The weight of each term of a unit's score; each term lies in [0, 1] or [-1, 1], and 0 leaves it out.

    ``merge``: it can join the open render pass. ``gather``: units that could share a pass with it are not ready.
    ``memory``: bytes that it frees less those that it allocates. ``nest``: its place in the nested order.
    ``distance``: what it uses was written only just now. ``chain``: its critical path to the end of the frame.
    ``spread``: it is costly and many depend on it. ``patience``: its critical path from the start of the frame.
    ``bottleneck``: the unit before keeps the same part of the GPU busy. ``state``: it switches fixed-function state.
    """

    merge: float = 0.0
    gather: float = 0.0
    memory: float = 0.0
    nest: float = 0.0
    distance: float = 0.0
    chain: float = 0.0
    spread: float = 0.0
    patience: float = 0.0
    bottleneck: float = 0.0
    state: float = 0.0


BALANCED = Weights(
    merge=4.0,
    gather=3.0,
    memory=1.5,
    nest=0.75,
    distance=0.5,
    chain=0.5,
    spread=0.2,
    patience=0.2,
    bottleneck=0.2,
    state=0.4,
)
MEMORY = Weights(merge=4.0, gather=3.0, memory=1.5, nest=0.75, chain=0.2)
OVERLAP = Weights(
    merge=4.0,
    gather=3.0,
    memory=0.5,
    nest=0.5,
    distance=2.0,
    chain=1.0,
    spread=0.5,
    patience=0.5,
    bottleneck=1.0,
    state=0.4,
)

WEIGHTS: Mapping[str, Sequence[Weights]] = {
    "balanced": (BALANCED,),
    "memory": (MEMORY, replace(MEMORY, nest=0.3), replace(MEMORY, nest=3.0)),
    "overlap": (OVERLAP,),
}
"""The weightings of each policy; of several, the one whose order needs least memory at a time is taken."""
