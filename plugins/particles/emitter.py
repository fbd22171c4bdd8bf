"""What a game describes: how particles are born, move and look, and where they come from."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from pyglm import glm

from renderwright.engine.scene import Image
from renderwright.plugins.particles.collision import Collision
from renderwright.plugins.particles.sheet import Sheet
from renderwright.plugins.particles.table import EmitterTable
from renderwright.render import UsageError

Color = tuple[float, float, float, float]
Range = tuple[float, float]


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

    _RANGES: ClassVar[tuple[str, ...]] = ("lifetime", "speed")
    _AT_LEAST_0: ClassVar[tuple[str, ...]] = ("spread", "radius", "drag", "softness")

    def __post_init__(self) -> None:
        for name in self._RANGES:
            low, high = getattr(self, name)
            if not (0.0 <= low <= high < math.inf):
                raise _refused(name, getattr(self, name), "give the least and the greatest value, 0 or more")
        if self.lifetime[1] <= 0.0:
            raise _refused("lifetime", self.lifetime, "give seconds above 0")
        for name in self._AT_LEAST_0:
            if not (0.0 <= getattr(self, name) < math.inf):
                raise _refused(name, getattr(self, name), "give a number of 0 or more")
        if glm.length(glm.vec3(self.direction)) == 0.0:
            raise _refused("direction", self.direction, "give a vector with a length")
        if not self.sizes or min(self.sizes) < 0.0:
            raise _refused("sizes", self.sizes, "give one radius or more, each 0 or more")
        if not self.colors or any(np.shape(color) != (4,) for color in self.colors):
            raise _refused("colors", self.colors, "give a tuple of colours, each of red, green, blue and opacity")
        if self.collision is not None and not isinstance(self.collision, Collision):
            raise _refused("collision", self.collision, "give a Collision(...), or None")
        self._check_image()

    def _check_image(self) -> None:
        if len(self.cells) != 2 or any(not isinstance(side, int) or side < 1 for side in self.cells):
            raise _refused("cells", self.cells, "give the numbers of columns and rows, each 1 or more")
        if not 0.0 < self.plays < math.inf:
            raise _refused("plays", self.plays, "give a number above 0")
        if self.image is None and self.cells != (1, 1):
            raise _refused("cells", self.cells, "give an image that has them")
        if self.image is not None:
            Sheet(self.image, self.cells)  # refuses what is not possible

    @property
    def sheet(self) -> Sheet | None:
        """The image and its cells."""
        return None if self.image is None else Sheet(self.image, self.cells)


def _refused(name: str, value: object, hint: str) -> UsageError:
    return UsageError(f"particles cannot have the {name} {value!r}", hint=hint)


@dataclass(eq=False)
class Emitter:
    """A source of particles at ``position``, which a game may move: ``scene.placed.add(Emitter(Particles(...)))``.

    ``rate`` particles are born per second, spread evenly over time and over the way of the emitter. ``most`` is the
    number of particles that there is room for, by default that for ``rate``; beyond it, new particles replace the
    oldest ones. The same ``seed`` gives the same particles.
    """

    particles: Particles = field(default_factory=Particles)
    position: glm.vec3 = field(default_factory=lambda: glm.vec3(0.0))
    rate: float = 100.0
    most: int | None = None
    seed: int = 0
    #: Particles of ``burst`` that are born in this step.
    waiting: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        if not (0.0 <= self.rate < math.inf):
            raise UsageError(f"the rate of an emitter cannot be {self.rate!r}", hint="give particles per second")
        if self.most is not None and self.most < 1:
            raise UsageError(f"an emitter cannot have room for {self.most} particles", hint="give 1 or more")
        if self.most is None and self.rate == 0.0:
            raise UsageError("an emitter without a rate does not know its room", hint="give most=, such as most=200")

    @property
    def room(self) -> int:
        """The number of particles that there is room for."""
        # A step's births come on top of those that a lifetime holds.
        return self.most if self.most is not None else math.ceil(self.rate * self.particles.lifetime[1] * 1.05) + 16

    def burst(self, count: int) -> None:
        """Have so many particles born at once, in this step."""
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
