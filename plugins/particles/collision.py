"""How particles meet surfaces."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.render import UsageError


@dataclass(frozen=True)
class Collision:
    """What becomes of particles that reach an opaque surface in a view.

    They bounce: ``restitution`` is the share of their speed towards the surface that they keep, ``friction`` the share
    of their speed along it that they lose. With ``dies`` they end there instead. ``distance`` is how far from the
    surface this happens, in metres, such as their radius. Surfaces are known by their front only: they are taken to be
    ``thickness`` metres thick, and what is farther behind them does not collide.
    """

    restitution: float = 0.5
    friction: float = 0.1
    dies: bool = False
    distance: float = 0.0
    thickness: float = 0.5

    def __post_init__(self) -> None:
        for name in ("restitution", "friction"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise _refused(name, getattr(self, name), "give a share, from 0 to 1")
        if not 0.0 <= self.distance < float("inf"):
            raise _refused("distance", self.distance, "give metres, 0 or more")
        if not 0.0 < self.thickness < float("inf"):
            raise _refused("thickness", self.thickness, "give metres above 0")


def _refused(name: str, value: object, hint: str) -> UsageError:
    return UsageError(f"collisions of particles cannot have the {name} {value!r}", hint=hint)
