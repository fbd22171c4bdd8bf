"""How particles meet surfaces."""

from __future__ import annotations

from dataclasses import dataclass, field

from renderwright.engine.caller import caller_location
from renderwright.engine.scene.number_rules import NumberRule, check_numbers
from renderwright.engine.scene.value_class import replaced_by
from renderwright.render import SourceLocation

_SHARE = NumberRule(least=0.0, most=1.0)
_RULES = {
    "restitution": _SHARE,
    "friction": _SHARE,
    "distance": NumberRule(least=0.0),
    "thickness": NumberRule(positive=True),
}


@replaced_by("collision = dataclasses.replace(collision, {change}), and give it to Particles")
@dataclass(frozen=True)
class Collision:
    """What becomes of particles that reach an opaque surface in a view.

    They bounce: ``restitution`` is the share of their speed towards the surface that they keep, ``friction`` the share
    of their speed along it that they lose. With ``dies`` they end there instead. ``distance`` is how far from the
    surface this happens, in metres, such as their radius. Surfaces are known by their front only: they are taken to be
    ``thickness`` metres thick, and what is farther behind them does not collide. Raises
    ``UsageError`` for another value.
    """

    restitution: float = 0.5
    friction: float = 0.1
    dies: bool = False
    distance: float = 0.0
    thickness: float = 0.5
    #: The line of the game that made it, for messages.
    made_at: SourceLocation | None = field(default_factory=caller_location, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_numbers("Collision", self, _RULES, self.made_at)
