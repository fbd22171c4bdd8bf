"""The emitters of a scene as rows for shaders. Nothing here is per particle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.placements import PlacedRows
from renderwright.plugins.particles.gradient import STOPS, stops
from renderwright.plugins.particles.sheet import Sheet, SheetLayers, require_room

if TYPE_CHECKING:
    from renderwright.plugins.particles.emitter import Emitter

NAME = "particle_emitters"
"""The buffer of the rows, and the resolution with a texel for each particle."""

BLENDED = f"{NAME}_blended"
"""The blob that there is while particles hide what is behind them."""

IMAGES = "images"
"""The key of the texture that has the cells of all images, while particles have any."""

LIT = f"{NAME}_lit"
"""The blob that there is while particles are lit."""

COLLIDING = f"{NAME}_colliding"
"""The blob that there is while particles collide."""

PARTICLE_BYTES = 48
"""Of the state of a particle, as in ``particles.glsl``."""

LOG = 32
"""Steps whose births are known, as in ``particles.glsl``. The clock gives a frame 8 at most."""

NO_IMAGE = -1
"""The layer of emitters without an image, as in ``particles.vert``."""

_LEAST_ROOM = 1024
_HEADER = np.dtype(
    [("count", np.uint32), ("step", np.uint32), ("seconds", np.float32), ("behind", np.float32)]  # 16 bytes
)
_ROW = np.dtype(
    [
        ("first", np.uint32),
        ("room", np.uint32),
        ("number", np.uint32),
        ("seed", np.uint32),
        ("lifetime", np.float32, 2),
        ("speed", np.float32, 2),
        ("direction", np.float32, 3),
        ("cosine", np.float32),
        ("gravity", np.float32, 3),
        ("kept", np.float32),
        ("radius", np.float32),
        ("softness", np.float32),
        ("additive", np.float32),
        ("lit", np.float32),
        ("restitution", np.float32),
        ("friction", np.float32),
        ("distance", np.float32),
        ("thickness", np.float32),
        ("layer", np.int32),
        ("cells", np.uint32),
        ("plays", np.float32),
        ("unused", np.uint32),
        ("sizes", np.float32, STOPS),
        ("colors", np.float32, (STOPS, 4)),
        ("places", [("position", np.float32, 3), ("births", np.uint32)], LOG + 1),
    ]
)


@dataclass(eq=False)
class _Member:
    """An emitter in the table, with the number of its first particle, and the share of a particle that is due."""

    emitter: Emitter
    number: int
    first: int
    room: int
    due: float = 0.0


class EmitterTable:
    """The emitters of a scene, and the births of the last steps."""

    def __init__(self) -> None:
        self._members: list[_Member] = []
        self._rows = np.zeros(0, _ROW)
        self._added = 0
        self._room = _LEAST_ROOM
        self._steps = 0
        self._seconds = 0.0
        self._drawn: tuple[float, PlacedRows] | None = None
        self._sheets = SheetLayers()

    def __len__(self) -> int:
        return len(self._members)

    def __contains__(self, thing: object) -> bool:
        return any(member.emitter is thing for member in self._members)

    def add(self, thing: Emitter) -> None:
        """Add an emitter. It begins with the next step to end. Raises ``UsageError`` if there are too many images."""
        require_room([*self._used_sheets(), *filter(None, [thing.particles.sheet])])
        self._added += 1
        thing.placed = True
        member = _Member(thing, self._added, self._free_place(thing.room), thing.room)
        place = sum(other.first < member.first for other in self._members)
        self._members.insert(place, member)
        self._rows = np.insert(self._rows, place, _row_of(member))
        self._sheets.follow(self._used_sheets())
        if (sheet := thing.particles.sheet) is not None:
            self._rows["layer"][place] = self._sheets.first(sheet)
        end = member.first + member.room
        self._room = max(self._room, 1 << (end - 1).bit_length())
        self._drawn = None

    def remove(self, thing: Emitter) -> None:
        """Remove an emitter and its particles."""
        place = next(place for place, member in enumerate(self._members) if member.emitter is thing)
        del self._members[place]
        thing.placed = False
        self._rows = np.delete(self._rows, place)
        self._sheets.follow(self._used_sheets())
        self._drawn = None

    def clear(self) -> None:
        """Remove all emitters."""
        for member in tuple(self._members):
            self.remove(member.emitter)

    def end_step(self, seconds: float) -> None:
        """Count the births of a step."""
        places = self._rows["places"]
        places[:, :-1] = places[:, 1:]
        for row, member in enumerate(self._members):
            emitter = member.emitter
            member.due += emitter.rate * seconds
            born = int(member.due)
            member.due -= born
            places["position"][row, LOG] = tuple(emitter.position)
            places["births"][row, LOG] += np.uint32(born + emitter.waiting)
            if emitter.waiting:
                emitter.waiting = 0
        drag = np.array([member.emitter.particles.drag for member in self._members], np.float32)
        self._rows["kept"] = np.exp(-drag * seconds)
        self._steps += 1
        self._seconds = seconds
        self._drawn = None

    def rows(self, alpha: float) -> PlacedRows:
        """The rows between the last two steps (``alpha``, 0 to 1)."""
        if self._drawn is None or self._drawn[0] != alpha:
            header = np.zeros(1, _HEADER)
            header[0] = (len(self._members), self._steps, self._seconds, (1.0 - alpha) * self._seconds)
            data: NDArray[Any] = np.concatenate([header.view(np.uint8), self._rows.view(np.uint8).reshape(-1)])
            images = {} if self._sheets.placed is None else {IMAGES: self._sheets.placed}
            traits, state = self._traits(), PARTICLE_BYTES
            self._drawn = alpha, PlacedRows(NAME, data, self._room, traits, images, state=state, step=self._steps)
        return self._drawn[1]

    def _traits(self) -> frozenset[str]:
        kinds = [member.emitter.particles for member in self._members]
        present = {
            "blended": any(not kind.additive for kind in kinds),
            "lit": any(kind.lit for kind in kinds),
            "colliding": any(kind.collision is not None for kind in kinds),
        }
        return frozenset(trait for trait, has in present.items() if has)

    def _used_sheets(self) -> list[Sheet]:
        """The images of all emitters."""
        sheets = [member.emitter.particles.sheet for member in self._members]
        return [sheet for sheet in sheets if sheet is not None]

    def _free_place(self, room: int) -> int:
        """The first place for so many particles between those of the other emitters."""
        place = 0
        for member in self._members:
            if member.first - place >= room:
                break
            place = member.first + member.room
        return place


def _row_of(member: _Member) -> NDArray[Any]:
    """The row of an emitter that has had no births yet."""
    emitter = member.emitter
    particles = emitter.particles
    row = np.zeros((), _ROW)
    row["first"], row["room"], row["number"] = member.first, member.room, member.number
    row["seed"] = emitter.seed & 0xFFFFFFFF
    row["lifetime"], row["speed"], row["gravity"] = particles.lifetime, particles.speed, particles.gravity
    direction = np.array(particles.direction, np.float64)
    row["direction"], row["cosine"] = direction / np.linalg.norm(direction), np.cos(min(particles.spread, np.pi))
    row["radius"], row["softness"], row["additive"] = particles.radius, particles.softness, particles.additive
    row["lit"] = particles.lit
    row["layer"], row["cells"], row["plays"] = NO_IMAGE, particles.cells[0] * particles.cells[1], particles.plays
    if (collision := particles.collision) is not None:
        row["restitution"] = -1.0 if collision.dies else collision.restitution
        row["friction"], row["distance"] = collision.friction, collision.distance
        row["thickness"] = collision.thickness
    row["sizes"] = stops([(size,) for size in particles.sizes])[:, 0]
    row["colors"] = stops(particles.colors)
    row["places"]["position"] = tuple(emitter.position)
    return row
