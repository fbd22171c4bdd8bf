"""The building: floors, walls with doors, ceilings with skylights, and where a visitor can walk."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from pyglm import glm

from renderwright.engine.scene import Probe, Scene, SpotLight
from renderwright.engine.scene.assembly import assembled, block
from renderwright.engine.scene.material_content import Palette
from renderwright.engine.scene.primitives import cylinder
from renderwright.games.gallery.looks import glow
from renderwright.games.gallery.museum_file import Door, Museum, Room

THICK = 0.15
"""Metres of a wall; two rooms have one each."""
_NEAR = 0.4
"""A door is in walls that are so near to it."""
_ROOF = 0.3
_SKIRTING = (0.14, 0.02)
"""Height and depth."""
_FRAME = 0.1

Corners = tuple[tuple[float, float, float], tuple[float, float, float]]


def build(scene: Scene, museum: Museum, looks: Palette) -> None:
    """Spawn the building with its lamps, and measure the light of each room."""
    for room in museum.rooms:
        parts = [
            ("floor", looks[room.floor], [_floor(room)]),
            ("wall", looks[room.wall], list(_walls(room, museum.doors))),
            ("ceiling", looks["ceiling"], list(_ceiling(room))),
            ("trim", looks["brass"], list(_trims(room, museum.doors))),
        ]
        for name, material, blocks in parts:
            mesh = assembled(f"{room.name} {name}", [block(*corners) for corners in blocks])
            scene.static(scene.spawn(mesh, material, name=f"{room.name} {name}"))
        _lamps(scene, room, looks)
        low, high = glm.vec3(room.low[0], 0.0, room.low[1]), glm.vec3(room.high[0], room.height, room.high[1])
        middle = glm.vec3(0.5 * (low.x + high.x), min(1.9, 0.5 * room.height), 0.5 * (low.z + high.z))
        scene.probes.add(Probe(low - 0.02, high + 0.02, position=middle, fade=0.2))


def doors_of(room: Room, doors: tuple[Door, ...], wall: str, place: float) -> list[Door]:
    """The doors in a room's wall at an x or z, along it."""
    axis = 0 if wall == "x" else 1
    along = 1 - axis
    found = [
        door
        for door in doors
        if door.wall == wall
        and abs(door.at[axis] - place) < _NEAR
        and room.low[along] < door.at[along] < room.high[along]
    ]
    return sorted(found, key=lambda door: door.at[along])


def _sides(room: Room) -> Iterator[tuple[str, float, float]]:
    """Each wall's axis, its inner side, and the direction outwards."""
    for axis, wall in enumerate("xz"):
        yield wall, room.low[axis], -1.0
        yield wall, room.high[axis], 1.0


def _floor(room: Room) -> Corners:
    return (room.low[0] - THICK, -0.1, room.low[1] - THICK), (room.high[0] + THICK, 0.0, room.high[1] + THICK)


def _walls(room: Room, doors: tuple[Door, ...]) -> Iterator[Corners]:
    for wall, place, out in _sides(room):
        along = 1 if wall == "x" else 0
        start, end = room.low[along] - THICK, room.high[along] + THICK
        near, far = sorted((place, place + out * THICK))
        for door in doors_of(room, doors, wall, place):
            left, right = door.at[along] - 0.5 * door.width, door.at[along] + 0.5 * door.width
            yield _upright(wall, near, far, start, left, 0.0, room.height)
            yield _upright(wall, near, far, left, right, door.height, room.height)
            start = right
        yield _upright(wall, near, far, start, end, 0.0, room.height)


def _trims(room: Room, doors: tuple[Door, ...]) -> Iterator[Corners]:
    """Skirting boards, and the frames of doors."""
    height, depth = _SKIRTING
    for wall, place, out in _sides(room):
        along = 1 if wall == "x" else 0
        start, end = room.low[along], room.high[along]
        near, far = sorted((place, place - out * depth))
        for door in doors_of(room, doors, wall, place):
            left, right = door.at[along] - 0.5 * door.width, door.at[along] + 0.5 * door.width
            yield _upright(wall, near, far, start, left - _FRAME, 0.0, height)
            start = right + _FRAME
            front, back = sorted((place - out * 2.0 * depth, place + out * THICK))
            yield _upright(wall, front, back, left - _FRAME, left, 0.0, door.height)
            yield _upright(wall, front, back, right, right + _FRAME, 0.0, door.height)
            yield _upright(wall, front, back, left - _FRAME, right + _FRAME, door.height, door.height + _FRAME)
        yield _upright(wall, near, far, start, end, 0.0, height)


def _ceiling(room: Room) -> Iterator[Corners]:
    """A slab, or four around the skylight with a shaft, and beams across it."""
    low, high = room.height, room.height + _ROOF
    (west, north), (east, south) = (edge - THICK for edge in room.low), (edge + THICK for edge in room.high)
    if room.skylight is None:
        yield (west, low, north), (east, high, south)
        return
    left, top, right, bottom = room.skylight
    yield (west, low, north), (left, high, south)
    yield (right, low, north), (east, high, south)
    yield (left, low, north), (right, high, top)
    yield (left, low, bottom), (right, high, south)
    count = max(2, round((bottom - top) / 1.5))
    for place in np.linspace(top, bottom, count + 1)[1:-1].tolist():
        yield (left, low + 0.05, place - 0.05), (right, high, place + 0.05)


def _upright(wall: str, near: float, far: float, start: float, end: float, low: float, high: float) -> Corners:
    if wall == "x":
        return (near, low, start), (far, high, end)
    return (start, low, near), (end, high, far)


def _lamps(scene: Scene, room: Room, looks: Palette) -> None:
    shade, bulb = cylinder(0.09, 0.22, segments=20), cylinder(0.075, 0.02, segments=20)
    places = [(x, room.height - 0.11, z) for x, z in room.lamps]
    if not places:
        return
    scene.static(scene.spawn_many(shade, looks["iron"], places))
    lit = scene.spawn_many(bulb, glow(room.light, 14.0), [(x, y - 0.115, z) for x, y, z in places])
    lit.casts_shadow = False
    scene.static(lit)
    for x, y, z in places:
        power = room.power * (room.height / 4.0) ** 1.5
        scene.add_light(
            SpotLight(glm.vec3(x, y - 0.14, z), glm.vec3(0, -1, 0), room.light, power, room.height + 3.5, 0.35, 1.05)
        )
