"""Rules for the numbers of scene objects. A wrong number is refused at the line of the game that sets it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral, Real
from typing import Any, ClassVar

from renderwright.engine.caller import caller_location
from renderwright.engine.scene.fixed_attributes import FixedAttributes
from renderwright.render.errors import SourceLocation, UsageError

_SHORTEST = 1e-15
"""Components below this have no direction: their squares vanish in single precision."""

_MASK = 0xFFFFFFFF
"""The largest mask of 32 bits."""


@dataclass(frozen=True)
class NumberRule:
    """Valid values of a field: finite numbers from ``least`` to ``most``.

    ``count`` is the number of components, 0 for a single number. ``positive`` excludes 0 for single numbers,
    ``directed`` excludes vectors of length 0, ``whole`` fractions and booleans. ``optional`` allows None. An ``angle``
    is in radians.
    """

    count: int = 0
    least: float = -math.inf
    most: float = math.inf
    positive: bool = False
    directed: bool = False
    whole: bool = False
    optional: bool = False
    angle: bool = False

    @cached_property
    def _any_finite(self) -> bool:
        return self.least == -math.inf and self.most == math.inf and not (self.positive or self.directed)

    def allows(self, value: Any) -> bool:
        """Whether a value is valid."""
        if value is None:
            return self.optional
        if self.whole and (not isinstance(value, Integral) or isinstance(value, bool)):
            return False
        try:
            numbers = (value,) if self.count == 0 else tuple(value)
            if len(numbers) != max(self.count, 1) or not math.isfinite(sum(numbers)):
                return False
            if self._any_finite:
                return True
            low, high = min(numbers), max(numbers)
            if self.directed and max(-low, high) < _SHORTEST:
                return False
            return bool(self.least <= low and high <= self.most and not (self.positive and low <= 0.0))
        except TypeError:
            return False

    def __str__(self) -> str:
        one = "a whole number" if self.whole else "a finite number"
        text = one if self.count == 0 else f"{self.count} finite numbers"
        if self.positive:
            text += " above 0"
        if self.least > -math.inf and self.most < math.inf:
            most = f"0x{_MASK:X}" if self.whole and self.most == _MASK else f"{self.most:g}"
            text += f" from {self.least:g} to {most}"
        elif self.least > -math.inf:
            text += f" of at least {self.least:g}"
        elif self.most < math.inf:
            text += f" and at most {self.most:g}" if self.positive else f" of at most {self.most:g}"
        if self.directed:
            text += " that are not all 0"
        if self.angle:
            text += ", in radians"
        return f"None or {text}" if self.optional else text


def check_numbers(
    name: str, owner: object, rules: Mapping[str, NumberRule], where: SourceLocation | None = None
) -> None:
    """Check all fields of ``owner``, which messages call ``name``. Raises ``UsageError``."""
    for field, rule in rules.items():
        value = getattr(owner, field)
        if not rule.allows(value):
            raise refusal(f"{name}.{field}", value, rule, where)


def check_vectors(
    name: str, owner: object, rules: Mapping[str, NumberRule], where: SourceLocation | None = None
) -> None:
    """Like ``check_numbers``, only of what can be changed in place."""
    for field, rule in rules.items():
        if rule.count and not rule.allows(value := getattr(owner, field)):
            raise refusal(f"{name}.{field}", value, rule, where)


class Checked(FixedAttributes):
    """Base of mutable scene objects: the assignment of a wrong number raises ``UsageError``.

    A change in place (``camera.position.x = ...``) is not an assignment; ``check_vectors`` finds it.
    """

    __slots__ = ()

    number_rules: ClassVar[Mapping[str, NumberRule]] = {}

    def __setattr__(self, name: str, value: object) -> None:
        rule = self.number_rules.get(name)
        if rule is not None and not rule.allows(value):
            raise refusal(f"{type(self).__name__}.{name}", value, rule, caller_location())
        super().__setattr__(name, value)


def refusal(name: str, value: object, rule: NumberRule, where: SourceLocation | None) -> UsageError:
    """The error for a field, which messages call ``name``, that cannot be ``value``."""
    hint = f"it is {rule}"
    if rule.angle and isinstance(value, Real) and rule.allows(math.radians(value)):
        hint += f"; {value:g} degrees are math.radians({value:g})"
    return UsageError(f"{name} cannot be {_shown(value)}", hint=hint, where=where)


def _shown(value: Any) -> str:
    try:
        return f"({', '.join(f'{number:g}' for number in value)})"
    except (TypeError, ValueError):
        return repr(value)
