"""Rooms of walls, as games, and what shows them."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from playing import SHADERS
from pyglm import glm

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import Camera, Material, Probe, Sky, Transform
from renderwright.engine.scene.primitives import box
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import Backend

HALF = 2.0
"""Half the length of a room along each axis, in metres."""
WALL = 0.4
"""Thickness of walls, in metres."""


class Room(Game):
    """A closed room under a bright sky; the camera is inside and looks along -Z."""

    title = "Room"
    plugins: ClassVar[tuple[str, ...]] = ()
    grey = 0.5
    emitted = 0.0
    roof = True

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.sun = None
        scene.sky = Sky((1.0, 1.0, 1.0), (1.0, 1.0, 1.0), (1.0, 1.0, 1.0))
        scene.camera = Camera(glm.vec3(0.0, 0.0, 1.5), glm.vec3(0.0, 0.0, -1.0), fov_y=0.8)
        material = Material((self.grey,) * 3 + (1.0,), roughness=1.0, emissive=(self.emitted,) * 3)
        for axis, side in walls():
            if self.roof or (axis, side) != (1, 1):
                size, place = wall(axis, side)
                scene.spawn(box(size), material, Transform(place))


class MirrorRoom(Game):
    """A room with walls that shine, each in a colour of its own, and a mirror as floor."""

    title = "Mirror room"
    plugins: ClassVar[tuple[str, ...]] = ()
    place, aim, fov = glm.vec3(0.3, 0.6, 1.7), glm.vec3(0.0, -1.2, -1.2), 1.0
    colors: ClassVar = {(0, -1): (1, 0, 0), (0, 1): (0, 1, 0), (1, 1): (1, 1, 1), (2, -1): (0, 0, 1), (2, 1): (1, 1, 0)}

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.sun = None
        scene.camera = Camera(glm.vec3(self.place), glm.vec3(self.aim), fov_y=self.fov)
        for axis, side in walls():
            material = Material((1.0, 1.0, 1.0, 1.0), metallic=1.0, roughness=0.045)
            if (axis, side) in self.colors:
                material = Material((0.0, 0.0, 0.0, 1.0), roughness=1.0, emissive=self.colors[axis, side])
            size, place = wall(axis, side)
            scene.spawn(box(size), material, Transform(place))
        scene.probes.add(room_probe(position=glm.vec3(0.5, 0.2, -0.4)))


def walls() -> list[tuple[int, int]]:
    """The walls, floor and ceiling: axis and side."""
    return [(axis, side) for axis in range(3) for side in (-1, 1)]


def wall(axis: int, side: int) -> tuple[tuple[float, float, float], glm.vec3]:
    """Size and middle of a wall."""
    size, place = [2.0 * (HALF + WALL)] * 3, glm.vec3(0.0)
    size[axis], place[axis] = WALL, side * (HALF + 0.5 * WALL)
    return (size[0], size[1], size[2]), place


def room_probe(**changes: object) -> Probe:
    """The probe of the room."""
    return Probe(glm.vec3(-HALF), glm.vec3(HALF), **changes)


class Shown:
    """A session that shows what its scene has now."""

    def __init__(
        self, backend: Backend, game: type[Game] = Room, extent: tuple[int, int] = (48, 48), **options
    ) -> None:
        clock = FixedStepClock(game.step, frame=1 / 60)
        self.session = Session(game, backend, extent, clock=clock, strict=True, shaders=SHADERS, **options)
        self.target = backend.create_target(extent)

    @property
    def scene(self):
        return self.session.context.scene

    def picture(self, frames: int = 1) -> np.ndarray:
        """The last of some frames, linear (height, width, 3)."""
        for _ in range(frames):
            self.session.step()
            self.report = self.session.render(self.target)
        encoded = self.session.picture()[..., :3] / 255.0
        return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)

    def nodes(self) -> list[str]:
        """The nodes of the plan."""
        return [node.id for node in self.session.runtime.plan.graph.nodes]

    def bakes(self) -> bool:
        """Whether the last frame has baked a probe."""
        return "probe_faces" not in self.report.resting

    def close(self) -> None:
        self.session.backend.wait_idle()
        self.target.close()
        self.session.close()
