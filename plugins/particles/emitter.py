"""What a game describes: how particles are born, move and look, and where they come from."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any, ClassVar

from pyglm import glm

from renderwright.engine.caller import caller_location
from renderwright.engine.scene import Image
from renderwright.engine.scene.number_rules import Checked, NumberRule, check_numbers
from renderwright.engine.scene.value_class import replaced_by
from renderwright.plugins.particles.collision import Collision
from renderwright.plugins.particles.sheet import Sheet
from renderwright.plugins.particles.table import EmitterTable
from renderwright.render import SourceLocation, UsageError

Color = tuple[float, float, float, float]
Range = tuple[float, float]

_AT_LEAST_0 = NumberRule(least=0.0)
_RANGE = NumberRule(2, least=0.0)
_RULES = {
    "lifetime": _RANGE,
    "speed": _RANGE,
    "direction": NumberRule(3, directed=True),
    "spread": NumberRule(least=0.0, most=math.pi + 1e-6, angle=True),
    "radius": _AT_LEAST_0,
    "gravity": NumberRule(3),
    "drag": _AT_LEAST_0,
    "softness": _AT_LEAST_0,
    "plays": NumberRule(positive=True),
}
_COLOR = NumberRule(4, least=0.0)

MOST_PARTICLES = 10_000_000
"""The most that an emitter has room for, and that are born in a second or at once."""


@replaced_by("particles = dataclasses.replace(particles, {change}), and place an Emitter with them")
@dataclass(frozen=True)
class Particles:
    """How particles live. Ranges are the least and the greatest of evenly distributed values.

    ``lifetime`` is in seconds, ``speed`` in metres per second along ``direction``, turned away from it by up to
    ``spread`` radians (pi: in all directions). They are born in a ball of ``radius`` metres. ``gravity`` is in m/s²;
    ``drag`` is the share of the speed that is lost per second, at first. ``sizes`` (radii in metres) and ``colors``
    (linear red, green, blue, which may exceed 1, and opacity) are values at equal distances over a life.

    With ``additive`` particles only add light; otherwise their opacity also hides what is behind them. They glow in
    their colours, or, with ``lit``, reflect the light of the scene as rough balls. ``softness`` is the distance in
    metres from opaque surfaces within which they fade out. With a ``collision`` they bounce off these.

    Particles are soft disks, or show an ``image``, which their colours tint. It may have ``cells``, in so many columns
    and rows, which follow one another over a life, ``plays`` times.
    """

    lifetime: Range = (1.0, 2.0)
    speed: Range = (1.0, 2.0)
    direction: tuple[float, float, float] = (0.0, 1.0, 0.0)
    spread: float = 0.3
    radius: float = 0.0
    gravity: tuple[float, float, float] = (0.0, -9.81, 0.0)
    drag: float = 0.0
    sizes: tuple[float, ...] = (0.05,)
    colors: tuple[Color, ...] = ((1.0, 1.0, 1.0, 1.0), (1.0, 1.0, 1.0, 0.0))
    additive: bool = True
    lit: bool = False
    softness: float = 0.0
    collision: Collision | None = None
    image: Image | None = None
    cells: tuple[int, int] = (1, 1)
    plays: float = 1.0

    #: The line of the game that made them, for messages.
    made_at: SourceLocation | None = field(default_factory=caller_location, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_numbers("Particles", self, _RULES, self.made_at)
        for name in ("lifetime", "speed"):
            low, high = getattr(self, name)
            if low > high:
                raise self._refused(name, "give the least value first, then the greatest")
        if self.lifetime[1] <= 0.0:
            raise self._refused("lifetime", "give seconds above 0")
        if not _all_allowed(self.sizes, _AT_LEAST_0):
            raise self._refused("sizes", "give a tuple of one radius or more in metres, each 0 or more")
        if not _all_allowed(self.colors, _COLOR):
            raise self._refused("colors", "give a tuple of colours, each of red, green, blue and opacity, 0 or more")
        if self.collision is not None and not isinstance(self.collision, Collision):
            raise self._refused("collision", "give a Collision(...), or None")
        self._check_image()

    def _check_image(self) -> None:
        if not _are_cells(self.cells):
            raise self._refused("cells", "give the numbers of columns and rows, each 1 or more")
        if self.image is None and self.cells != (1, 1):
            raise self._refused("cells", "give an image that has them")
        if self.image is not None:
            try:
                Sheet(self.image, self.cells)
            except UsageError as error:
                error.where = self.made_at
                raise

    def _refused(self, name: str, hint: str) -> UsageError:
        return UsageError(f"Particles.{name} cannot be {getattr(self, name)!r:.80}", hint=hint, where=self.made_at)

    @property
    def sheet(self) -> Sheet | None:
        """The image and its cells."""
        return None if self.image is None else Sheet(self.image, self.cells)


def _all_allowed(values: Any, rule: NumberRule) -> bool:
    return isinstance(values, tuple | list) and bool(values) and all(rule.allows(value) for value in values)


def _are_cells(cells: Any) -> bool:
    return isinstance(cells, tuple | list) and len(cells) == 2 and all(_is_count(side) and side > 0 for side in cells)


def _is_count(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and 0 <= value <= MOST_PARTICLES  # type: ignore[operator]


@dataclass(eq=False, slots=True)
class Emitter(Checked):
    """A source of particles at ``position``, which a game may move: ``scene.placed.add(Emitter(Particles(...)))``.

    ``rate`` particles are born per second, spread evenly over time and over the way of the emitter. ``most`` is the
    number of particles that there is room for, by default that for ``rate``; beyond it, new particles replace the
    oldest ones. The same ``seed`` gives the same particles. An invalid value raises ``UsageError``, and so does another
    value of ``particles``, ``most`` or ``seed`` while the emitter is placed.
    """

    number_rules: ClassVar[Mapping[str, NumberRule]] = {
        "position": NumberRule(3),
        "rate": NumberRule(least=0.0, most=MOST_PARTICLES),
        "most": NumberRule(least=1, most=MOST_PARTICLES, whole=True, optional=True),
        "seed": NumberRule(whole=True),
    }

    particles: Particles = field(default_factory=Particles)
    position: glm.vec3 = field(default_factory=lambda: glm.vec3(0.0))
    rate: float = 100.0
    most: int | None = None
    seed: int = 0
    #: Particles of ``burst`` that are born in this step.
    waiting: int = field(default=0, init=False)
    #: Whether it is in a scene, whose table has made its row.
    placed: bool = field(default=False, init=False, repr=False)
    made_at: SourceLocation | None = field(default_factory=caller_location, init=False, repr=False)

    def __setattr__(self, name: str, value: object) -> None:
        if name in _FIXED and getattr(self, "placed", False):
            raise UsageError(
                f"Emitter.{name} cannot change while the emitter is placed",
                hint=f"place another: scene.placed.remove(emitter), then add(dataclasses.replace(emitter, {name}=...))",
                where=caller_location(),
            )
        Checked.__setattr__(self, name, value)  # super() would look for the class without slots

    def __post_init__(self) -> None:
        if not isinstance(self.particles, Particles):
            raise UsageError(
                f"Emitter.particles cannot be {self.particles!r:.80}",
                hint="give Particles(...), how they live and look",
                where=self.made_at,
            )
        if self.most is None and self.rate == 0.0:
            raise UsageError(
                "an emitter without a rate does not know its room",
                hint="give most=, such as most=200",
                where=self.made_at,
            )
        if self.room > MOST_PARTICLES:
            raise UsageError(
                f"an emitter cannot have room for {self.room} particles",
                hint=f"give a lower rate, a shorter lifetime, or most=, up to {MOST_PARTICLES}",
                where=self.made_at,
            )

    @property
    def room(self) -> int:
        """The number of particles that there is room for."""
        # A step's births come on top of those that a lifetime holds.
        return self.most if self.most is not None else math.ceil(self.rate * self.particles.lifetime[1] * 1.05) + 16

    def burst(self, count: int) -> None:
        """Have so many particles born at once, in this step. Raises ``UsageError`` for another than a whole number."""
        if not _is_count(count):
            raise UsageError(
                f"Emitter.burst cannot have {count!r} particles born",
                hint=f"give a whole number from 0 to {MOST_PARTICLES}",
                where=caller_location(),
            )
        self.waiting += count

    @classmethod
    def table(cls) -> EmitterTable:
        """An empty table of emitters."""
        return EmitterTable()

    @classmethod
    def examples(cls) -> tuple[Emitter, ...]:
        """Emitters of particles that need different nodes and shaders."""
        looks = [Particles(additive=additive, lit=lit) for additive in (True, False) for lit in (False, True)]
        return tuple([cls(particles) for particles in (*looks, Particles(collision=Collision()))])


_FIXED = ("particles", "most", "seed")
"""What is in an emitter's row as long as it is placed."""
