"""One line of the table of effects: how far a picture is from its reference, without an effect and with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from benchmarks.quality.flip import encoded, flip_of_shown
from benchmarks.quality.play import Floats

NEAR = 0.03
"""FLIP that a picture with an effect may have against its reference: what is asked of temporal anti-aliasing."""
HALF = 0.5
"""Share of the error without an effect that may be left with it."""


@dataclass(frozen=True)
class Row:
    """``without`` is None where there is nothing to compare with. ``with_it`` is no more than ``bound`` if all is well.

    ``measure`` says what the numbers are, ``reference`` how the reference was made. ``pictures`` are what was compared,
    sRGB-encoded, by name.
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
        """Whether the effect is as near as it has to be."""
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
) -> Row:
    """A row by FLIP, of linear or of sRGB-encoded pictures. The bound is ``most``, and ``share`` of ``without``."""
    pictures = {"reference": right, "without": without, "with": with_it}
    if linear:
        pictures = {name: encoded(picture) for name, picture in pictures.items()}
    before, after = (flip_of_shown(pictures["reference"], pictures[name]) for name in ("without", "with"))
    return Row(effect, reference, "FLIP", before, after, min(most, share * before), pictures)
