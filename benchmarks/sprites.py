"""``renderwright bench sprites``: CPU time of the main thread for a frame of many sprites, beside as many entities.

"Sprites" and "entities" are the start of a step, the move by the game, the rows or the draw list, and the upload of
what has changed; "frame" is a whole frame of the flat skeleton with the sprites, of 16 x 16 texels.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass

import click
import numpy as np

from benchmarks.printed_rows import Column, PrintedRows
from benchmarks.scene import ALL, EXTENT, FRAMES, ONE, ONE_BY_ONE, STATIC, Case, median_cost, scene_cost
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.renderer.sprites import GpuSprites
from renderwright.engine.scene import Camera, Image, Scene
from renderwright.engine.session import Session
from renderwright.engine.sprites import Sprite
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend

SPRITES = (1_000, 10_000)
MOVING = (STATIC, ONE, ALL, ONE_BY_ONE)
DOT = Image("dot", np.full((4, 4, 4), 255, np.uint8))


@dataclass(frozen=True)
class SpriteCost:
    """CPU seconds of the main thread for a frame: medians."""

    sprites: float
    entities: float
    frame: float


class Swarm:
    """Sprites of a scene, of which none, one or all move in each step."""

    def __init__(self, count: int, moving: str, scene: Scene) -> None:
        places = np.random.default_rng(1).uniform(-5, 5, (count, 3)).astype(np.float32)
        self._positions = (places, places + np.float32(0.01))
        self._one = scene.sprites.add(Sprite(DOT, layer=1))
        scene.camera = Camera(scene.camera.position, scene.camera.target, height=10.0)
        if moving == ONE_BY_ONE:
            self._each = [scene.sprites.add(Sprite(DOT, place, size=(0.1, 0.1))) for place in places.tolist()]
        else:
            self._all = scene.sprites.add_many(DOT, places, sizes=(0.1, 0.1))
        self.move: Callable[[int], None] = {
            STATIC: lambda step: None,
            ONE: self._move_one,
            ALL: self._move_all,
            ONE_BY_ONE: self._move_one_by_one,
        }[moving]

    def _move_one(self, step: int) -> None:
        self._one.position = (0.01 * step, 0.0)

    def _move_all(self, step: int) -> None:
        self._all.positions = self._positions[step % 2]

    def _move_one_by_one(self, step: int) -> None:
        for sprite in self._each:
            x, y, z = sprite.position
            sprite.position = (x + 0.01, y, z)


def sprite_cost(count: int, moving: str, backend: Backend, frames: int) -> float:
    """The cost of step, rows and upload."""
    scene = Scene()
    swarm = Swarm(count, moving, scene)
    with closing(GpuSprites(backend)) as gpu:

        def frame(number: int) -> None:
            scene.begin_step()
            swarm.move(number)
            gpu.show(scene.sprites.drawn(0.5 + 0.1 * (number % 3)))
            gpu.update(number % FRAMES_IN_FLIGHT)
            assert gpu.rows.info.size

        return median_cost(frame, frames, lambda: None)


def frame_cost(count: int, moving: str, backend: Backend, frames: int) -> float:
    """The cost of a whole frame of a flat game."""

    class Swarming(Game):
        skeleton = "flat"
        plugins = ()

        def setup(self, context: GameContext) -> None:
            self.swarm, self.number = Swarm(count, moving, context.scene), 0

        def update(self, dt: float) -> None:
            self.number += 1
            self.swarm.move(self.number)

    clock = FixedStepClock(Swarming.step, frame=Swarming.step)
    session = Session(Swarming, backend, EXTENT, clock=clock)
    with closing(session), closing(backend.create_target(EXTENT)) as target:

        def frame(number: int) -> None:
            session.step()
            session.render(target)

        cost = median_cost(frame, frames, backend.wait_idle)
        backend.wait_idle()
        return cost


def measure(count: int, moving: str, backend: Backend, frames: int) -> SpriteCost:
    """All costs of a number of sprites."""
    return SpriteCost(
        sprite_cost(count, moving, backend, frames),
        scene_cost(Case(count, 1, moving), backend, frames),
        frame_cost(count, moving, backend, frames),
    )


@click.command()
@click.option("--device", default="", help="Part of the name of the GPU to use.")
@click.option("--sprites", type=click.IntRange(min=1), multiple=True, default=SPRITES, show_default=True)
@click.option("--frames", type=click.IntRange(min=5), default=FRAMES, show_default=True, help="Of each measurement.")
def command(device: str, sprites: tuple[int, ...], frames: int) -> None:
    """Measure the CPU time of many sprites."""
    with closing(VulkanBackend(device)) as backend:
        rows = PrintedRows(
            f"Milliseconds of CPU time of the main thread for a frame, on {backend.capabilities.device}: "
            f"medians of {frames}",
            (
                Column("count", 7),
                Column("moving", len(ONE_BY_ONE), left=True),
                Column("sprites", 8),
                Column("entities", 8),
                Column("ratio"),
                Column("frame", 8),
            ),
        )
        for count in sprites:
            for moving in MOVING:
                cost = measure(count, moving, backend, frames)
                figures = [f"{1e3 * seconds:.3f}" for seconds in (cost.sprites, cost.entities, cost.frame)]
                rows.add(f"{count:,}", moving, *figures[:2], f"{cost.sprites / cost.entities:.2f}", figures[2])
    rows.end()
