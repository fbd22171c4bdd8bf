"""Probes: light measured at a place of the scene, which replaces that of the sky in a box."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pyglm import glm

from renderwright.engine.caller import caller_location
from renderwright.engine.scene.entity_values import shortened
from renderwright.engine.scene.fixed_attributes import FixedAttributes
from renderwright.engine.scene.number_rules import NumberRule, check_numbers
from renderwright.render.errors import UsageError

MOST_PROBES = 8
"""Probes that a scene may have at once."""

_RULES = {
    "low": NumberRule(3),
    "high": NumberRule(3),
    "position": NumberRule(3),
    "fade": NumberRule(positive=True),
}


class Probe(FixedAttributes):
    """The light in a box, such as a room: what surfaces there reflect, and what lights them from all sides.

    ``low`` and ``high`` are opposite corners of the box, in metres along the axes of the world. The light is measured
    at ``position``, by default the middle of the box. ``fade`` is the distance in metres in front of the box over which
    the light of the sky takes over. Raises ``UsageError`` for a box without a volume or without the position.
    """

    __slots__ = ("asked", "fade", "high", "low", "position")

    def __init__(self, low: Any, high: Any, *, position: Any = None, fade: float = 0.1) -> None:
        self.low, self.high, self.fade = low, high, fade
        self.position = position if position is not None else low
        where = caller_location()
        check_numbers("Probe", self, _RULES, where)
        self.low, self.high = glm.vec3(low), glm.vec3(high)
        self.position = glm.vec3(position) if position is not None else 0.5 * (self.low + self.high)
        if not all(self.low[axis] < self.high[axis] for axis in range(3)):
            raise UsageError(
                "the box of a Probe is empty", hint="low is less than high along each axis, in metres", where=where
            )
        if not all(self.low[axis] < self.position[axis] < self.high[axis] for axis in range(3)):
            raise UsageError(
                "the position of a Probe is outside of its box", hint="give a place between low and high", where=where
            )
        self.asked = 1

    def refresh(self) -> None:
        """Measure the light again, after what is in the box or what lights it has changed. That takes a few frames."""
        self.asked += 1


class Probes:
    """The probes of a scene. Where boxes overlap, the earlier one comes first."""

    def __init__(self) -> None:
        self._probes: tuple[Probe, ...] = ()

    def __len__(self) -> int:
        return len(self._probes)

    def __iter__(self) -> Iterator[Probe]:
        return iter(self._probes)

    @property
    def all(self) -> tuple[Probe, ...]:
        """The probes in order; the same object as long as none comes or goes."""
        return self._probes

    def add(self, probe: Probe) -> Probe:
        """Add a probe and return it. Raises ``UsageError`` if it is there already, or if there are too many."""
        if not isinstance(probe, Probe):
            raise UsageError(f"{shortened(probe)} is no Probe", hint="give a Probe(low, high)", where=caller_location())
        if probe in self._probes:
            raise UsageError("the Probe is in the scene already", hint="add it once", where=caller_location())
        if len(self._probes) == MOST_PROBES:
            raise UsageError(
                f"a scene has at most {MOST_PROBES} probes",
                hint="remove those of rooms that are far away, or let one box cover several rooms",
                where=caller_location(),
            )
        self._probes = (*self._probes, probe)
        return probe

    def remove(self, probe: Probe) -> None:
        """Remove a probe. Raises ``UsageError`` if it is not there."""
        if probe not in self._probes:
            raise UsageError("the Probe is not in this scene", hint="remove it once", where=caller_location())
        self._probes = tuple([each for each in self._probes if each is not probe])

    def clear(self) -> None:
        """Remove all probes."""
        self._probes = ()
