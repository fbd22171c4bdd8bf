"""A row of the table of effects: the error against a reference, without and with the effect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from benchmarks.quality.flip import encoded, flip_of_shown
from benchmarks.quality.play import Floats

NEAR = 0.03
"""The default bound of FLIP with an effect, from the requirement on temporal anti-aliasing."""
HALF = 0.5
"""The default bound of the error with an effect, as a share of the error without it."""
STEP = 1.01 / 255
"""One step of a display with 8 bits."""


@dataclass(frozen=True)
class Row:
    """The errors ``without`` and ``with_it``; ``without`` is None if there is no such error.

    ``with_it`` must not exceed ``bound``. ``measure`` is the unit of the errors, ``reference`` the method of the
    reference. ``pictures`` are the compared ones, sRGB-encoded, by name.
    """

    effect: str
    reference: str
    measure: str
    without: float | None
    with_it: float
    bound: float
    pictures: Mapping[str, Floats] = field(default_factory=dict)

    @property
    def met(self) -> bool:
        """Whether the error with the effect is within the bound."""
        return self.with_it <= self.bound


def compared(
    effect: str,
    reference: str,
    right: Floats,
    without: Floats,
    with_it: Floats,
    *,
    linear: bool = True,
    most: float = NEAR,
    share: float = HALF,
    steps: bool = True,
) -> Row:
    """A row by FLIP of linear or sRGB-encoded pictures; the bound is ``most`` or ``share`` of ``without``, if less.

    Without ``steps``, differences up to ``STEP`` are no error, neither with the effect nor without it. FLIP counts them
    in smooth areas, where they are rounding, as much as errors at edges.
    """
    pictures = {"reference": right, "without": without, "with": with_it}
    if linear:
        pictures = {name: encoded(picture) for name, picture in pictures.items()}
    shown = pictures["reference"]
    seen = [pictures[name] for name in ("without", "with")]
    if not steps:
        seen = [np.where(np.abs(one - shown) <= STEP, shown, one) for one in seen]
    before, after = (flip_of_shown(shown, one) for one in seen)
    return Row(effect, reference, "FLIP", before, after, min(most, share * before), pictures)
