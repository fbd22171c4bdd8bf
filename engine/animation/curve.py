"""One animated value as a file has it: keyframes and the way between them.

Source: glTF 2.0 specification, section 3.11 and appendix C.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray


class Path(StrEnum):
    """What a curve moves: a node's place, its rotation (x, y, z, w), its scale, or the weight of a morph target."""

    TRANSLATION = "translation"
    ROTATION = "rotation"
    SCALE = "scale"
    WEIGHT = "weights"

    @property
    def width(self) -> int:
        """The number of numbers in a value."""
        return {Path.TRANSLATION: 3, Path.ROTATION: 4, Path.SCALE: 3, Path.WEIGHT: 1}[self]


class Interpolation(StrEnum):
    """The way from one keyframe to the next."""

    STEP = "STEP"
    LINEAR = "LINEAR"
    CUBIC = "CUBICSPLINE"


@dataclass(frozen=True, eq=False)
class Curve:
    """Keyframes of one value.

    ``target`` is the number of the animated node of the rig, or of the morph weight. ``times`` is float64 (k,) in
    seconds, ascending. ``values`` is float32 (k, width). Cubic splines have slopes a second beside each value:
    ``arriving`` and ``leaving``, float32 (k, width).
    """

    target: int
    path: Path
    interpolation: Interpolation
    times: NDArray[np.float64]
    values: NDArray[np.float32]
    arriving: NDArray[np.float32] | None = None
    leaving: NDArray[np.float32] | None = None
