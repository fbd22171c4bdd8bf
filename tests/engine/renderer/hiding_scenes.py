"""Random scenes in which much is hidden: things among walls, of which some move, appear and vanish."""

from __future__ import annotations

import random
from contextlib import closing
from typing import ClassVar

from playing import SHADERS, Picture, frames_of
from pyglm import glm

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.entity import Entity
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.primitives import box, plane, sphere
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.render.backend.null import NullBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.runtime.recording import Recording

THINGS = 150
WALLS = 24
FINE = sphere(0.5, segments=12, rings=6)
MESHES = (
    box(0.8),
    FINE.with_levels((sphere(0.5, segments=6, rings=3), 0.2)),
    box(0.3),
    sphere(0.3, segments=8, rings=4),
)


class Maze(Game):
    """Walls, and things between them. The seed decides what is where, and what happens in each step."""

    plugins = ()
    max_players = 2
    culling = 1
    occlusion: ClassVar[int | None] = 1
    seed: ClassVar[int] = 0
    height: ClassVar[float | None] = None

    def setup(self, context: GameContext) -> None:
        self.chance = random.Random(self.seed)
        self.scene = context.scene
        self.scene.cameras = [
            Camera(fov_y=1.2, near=0.1, height=self.height, depth_range=40.0) for _ in range(context.players)
        ]
        self.scene.spawn(plane(60, 60), Material(roughness=0.9))
        self.walls = [self.add(box(6.0), glm.vec3(1.0, 0.7, 0.02)) for _ in range(WALLS)]
        self.things = [self.add(self.mesh()) for _ in range(THINGS)]
        for number in range(context.players):
            self.teleport(number)

    def mesh(self) -> Mesh:
        return self.chance.choice(MESHES)

    def place(self) -> glm.vec3:
        return glm.vec3(self.chance.uniform(-12, 12), self.chance.uniform(0.2, 3.0), self.chance.uniform(-12, 12))

    def turn(self) -> glm.quat:
        return glm.angleAxis(self.chance.uniform(0, 6.3), glm.vec3(0, 1, 0))

    def add(self, mesh: Mesh, scale: glm.vec3 | None = None) -> Entity:
        """Spawn an entity somewhere."""
        color = (self.chance.random(), self.chance.random(), self.chance.random(), 1.0)
        material = Material(color, emissive=color[:3], double_sided=self.chance.random() < 0.2)
        transform = Transform(self.place(), self.turn(), scale or glm.vec3(self.chance.uniform(0.5, 1.5)))
        return self.scene.spawn(mesh, material, transform)

    def teleport(self, number: int) -> None:
        camera = self.scene.cameras[number]
        camera.position, camera.target = self.place(), self.place()

    def update(self, dt: float) -> None:
        for thing in self.things[::3]:
            thing.transform.position += glm.vec3(self.chance.gauss(0, 0.4), 0, self.chance.gauss(0, 0.4))
        for number, camera in enumerate(self.scene.cameras):
            camera.position.x += self.chance.gauss(0, 0.3)
            if self.chance.random() < 0.2:
                self.teleport(number)
        self.chance.choice((self.add_thing, self.remove_thing, self.move_wall, self.hide, self.rest))()

    def add_thing(self) -> None:
        self.things.append(self.add(self.mesh()))

    def remove_thing(self) -> None:
        self.scene.remove(self.things.pop(self.chance.randrange(len(self.things))))

    def move_wall(self) -> None:
        self.chance.choice(self.walls).transform.position = self.place()

    def hide(self) -> None:
        one = self.chance.choice(self.walls + self.things)
        one.visible = not one.visible

    def rest(self) -> None:
        """Change nothing else."""


def maze(seed: int, *, occlusion: bool = True, skeleton: str = "deferred", height: float | None = None) -> type[Maze]:
    """The game with a seed, with or without occlusion culling; with a ``height`` its cameras are orthographic."""
    chosen = {"seed": seed, "occlusion": 1 if occlusion else None, "skeleton": skeleton, "height": height}
    return type("Maze", (Maze,), chosen)


def session_of(
    game: type[Game],
    backend: VulkanBackend | NullBackend,
    *enable: str,
    players: int = 1,
    extent: tuple[int, int] = (96, 54),
    recording: Recording = Recording.KEPT,
) -> Session:
    """A session that judges its barriers."""
    clock = FixedStepClock(game.step, frame=game.step)
    choice = PluginChoice(enable=enable)
    return Session(
        game,
        backend,
        extent,
        choice=choice,
        clock=clock,
        verify=True,
        players=players,
        recording=recording,
        shaders=SHADERS,
    )


def pictures(game: type[Game], backend: VulkanBackend, *enable: str, players: int = 1, frames: int) -> list[Picture]:
    """The game's first frames."""
    with closing(session_of(game, backend, *enable, players=players)) as session:
        return frames_of(session, frames)


def nodes_of(session: Session) -> list[str]:
    """The instances of nodes in the frame."""
    assert session.runtime.plan is not None
    return [node.id for node in session.runtime.plan.graph.nodes]
