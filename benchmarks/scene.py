"""``renderwright bench scene``: CPU time of the main thread for scenes of many entities, GPU time under many lamps and
of many particles.

The entities are boxes in view, of which none, one or all move in each step. "Scene" is the start of a step, the move by
the game, the draw list and the upload of what has changed; "frame" is a whole rendered frame of 16 x 16 texels. Loops
are compiled by numba, if it is installed, before anything is measured. The peers do the same, each in a process of its
own, which ``--python`` may run with another interpreter; their figures are of whole frames.
"""

from __future__ import annotations

import importlib.util
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

import click
import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from benchmarks.printed_rows import Column, PrintedRows
from benchmarks.scene_lights import LIGHTS, print_lamp_costs
from benchmarks.scene_particles import PARTICLES, print_particle_costs
from benchmarks.scene_parts import CHARACTERS, LEAVES, print_part_costs
from benchmarks.scene_peers import SCENE_PEERS, ScenePeer
from renderwright.engine.cli import parameters
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.garbage import calm_collector
from renderwright.engine.renderer.gpu_scene import GpuScene
from renderwright.engine.scene import Camera, Material, Scene
from renderwright.engine.scene.compiled_matrices import compiled
from renderwright.engine.scene.primitives import box
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.types.resources import Extent

ENTITIES = (100, 1_000, 10_000, 100_000)
MATERIALS = (1, 1_000)
STATIC, ONE, ALL, ONE_BY_ONE = "static", "one", "all", "all, one by one"
MOVING = (STATIC, ONE, ALL, ONE_BY_ONE)
MOST_ONE_BY_ONE = 10_000
FRAMES = 60
SETTLING = 6
EXTENT = (16, 16)
NO_HUD: NDArray[np.float32] = np.zeros((0, 8), np.float32)


@dataclass(frozen=True)
class Case:
    """A scene, and which of its entities move: one of ``MOVING``."""

    entities: int
    materials: int
    moving: str


@dataclass(frozen=True)
class SceneCost:
    """CPU seconds of the main thread for a frame: medians."""

    scene: float
    frame: float


class Crowd:
    """A scene for a case."""

    def __init__(self, case: Case, scene: Scene) -> None:
        count = case.entities
        side = round(count**0.5) + 1
        numbers = np.arange(count)
        places = np.stack([numbers % side - side / 2, numbers // side - side / 2, np.full(count, -2.0 * side)], axis=1)
        mesh = box(1.0)
        looks = [Material((number / case.materials, 0.5, 0.5, 1.0)) for number in range(case.materials)]
        for number, look in enumerate(looks):
            scene.spawn_many(mesh, look, places[number :: len(looks)])
        scene.camera = Camera(glm.vec3(0.0), glm.vec3(0.0, 0.0, -1.0))
        self._all = scene.group()
        self._entities = scene.entities if case.moving == ONE_BY_ONE else ()
        here = self._all.positions[:]
        self._positions = (here, here + np.float32(0.01))
        self.move: Callable[[int], None] = {
            STATIC: lambda step: None,
            ONE: self._move_one,
            ALL: self._move_all,
            ONE_BY_ONE: self._move_one_by_one,
        }[case.moving]

    def _move_one(self, step: int) -> None:
        self._all[0].transform.position.x += 0.01

    def _move_all(self, step: int) -> None:
        self._all.positions = self._positions[step % 2]

    def _move_one_by_one(self, step: int) -> None:
        for entity in self._entities:
            entity.transform.position.x += 0.01


def scene_cost(case: Case, backend: Backend, frames: int) -> float:
    """The cost of step, draw list and upload."""
    scene = Scene()
    crowd = Crowd(case, scene)
    with closing(GpuScene(backend)) as gpu:

        def frame(number: int) -> None:
            scene.begin_step()
            crowd.move(number)
            gpu.update(scene.draw_list(0.5 + 0.1 * (number % 3)), NO_HUD, number % FRAMES_IN_FLIGHT)

        return median_cost(frame, frames, lambda: None)


def frame_cost(case: Case, backend: Backend, frames: int) -> float:
    """The cost of a whole frame of a game with that scene."""

    class Crowded(Game):
        skeleton = "forward"
        plugins = ("tonemap",)

        def setup(self, context: GameContext) -> None:
            self.crowd, self.number = Crowd(case, context.scene), 0

        def update(self, dt: float) -> None:
            self.number += 1
            self.crowd.move(self.number)

    clock = FixedStepClock(Crowded.step, frame=Crowded.step)
    session = Session(Crowded, backend, EXTENT, clock=clock)
    with closing(session), closing(backend.create_target(EXTENT)) as target:

        def frame(number: int) -> None:
            session.step()
            session.render(target)

        cost = median_cost(frame, frames, backend.wait_idle)
        backend.wait_idle()
        return cost


def median_cost(frame: Callable[[int], None], frames: int, prepare: Callable[[], object]) -> float:
    """The median CPU time of numbered frames; ``prepare`` runs before each, untimed."""
    times = []
    with calm_collector() as settle:
        for number in range(SETTLING):
            frame(number)
        settle()
        for number in range(frames):
            prepare()
            start = time.thread_time()
            frame(number)
            times.append(time.thread_time() - start)
    return statistics.median(times)


def cases(entities: Sequence[int], materials: Sequence[int]) -> Iterator[Case]:
    """All cases but those that would take too long."""
    for count in entities:
        for looks in materials:
            for moving in MOVING:
                if moving != ONE_BY_ONE or count <= MOST_ONE_BY_ONE:
                    yield Case(count, looks, moving)


def measure(case: Case, backend: Backend, frames: int) -> SceneCost:
    """Both costs of a case."""
    return SceneCost(scene_cost(case, backend, frames), frame_cost(case, backend, frames))


def peer_cells(case: Case, peers: Sequence[ScenePeer], python: str) -> list[str]:
    """The peers' figures for a case. They have one way to move entities."""
    if case.moving == ONE_BY_ONE:
        return [""] * len(peers)
    costs = [peer.cost(python, case.entities, case.materials, case.moving) for peer in peers]
    return [cost if isinstance(cost, str) else _milliseconds(cost) for cost in costs]


@click.command()
@click.option("--device", default="", help="Part of the name of the GPU to use.")
@click.option("--entities", type=click.IntRange(min=1), multiple=True, default=ENTITIES, show_default=True)
@click.option("--materials", type=click.IntRange(min=1), multiple=True, default=MATERIALS, show_default=True)
@click.option("--frames", type=click.IntRange(min=5), default=FRAMES, show_default=True, help="Of each measurement.")
@click.option("--python", default=sys.executable, help="The interpreter that runs the peers.")
@click.option("--peers/--no-peers", default=True, show_default=True)
@click.option("--lamps", type=click.IntRange(min=0), multiple=True, default=LIGHTS, show_default=True)
@click.option(
    "--size",
    type=parameters.size,
    default="1920x1080",
    metavar="WxH",
    show_default=True,
    help="Of the pictures on the GPU.",
)
@click.option("--particles", type=click.IntRange(min=0), multiple=True, default=PARTICLES, show_default=True)
@click.option("--leaves", type=click.IntRange(min=1), default=LEAVES, show_default=True)
@click.option("--characters", type=click.IntRange(min=1), default=CHARACTERS, show_default=True)
def command(
    device: str,
    entities: tuple[int, ...],
    materials: tuple[int, ...],
    frames: int,
    python: str,
    peers: bool,
    lamps: tuple[int, ...],
    size: Extent,
    particles: tuple[int, ...],
    leaves: int,
    characters: int,
) -> None:
    """Measure scenes of many entities, lamps and particles.

    The tables have the CPU time of entities, and the GPU time of lamps, particles, leaves and characters.
    """
    chosen = SCENE_PEERS if peers else ()
    installed = [peer for peer in chosen if peer.installed(python)]
    compiled()
    with closing(VulkanBackend(device)) as backend:
        rows = PrintedRows(
            f"Milliseconds of CPU time of the main thread for a frame, on {backend.capabilities.device}: "
            f"medians of {frames}",
            (
                Column("entities"),
                Column("materials"),
                Column("moving", len(ONE_BY_ONE), left=True),
                *(Column(head, 8) for head in ("scene", "frame", *(peer.title for peer in installed))),
            ),
        )
        for case in cases(entities, materials):
            cost = measure(case, backend, frames)
            ours = [_milliseconds(cost.scene), _milliseconds(cost.frame)]
            cells = peer_cells(case, installed, python)
            rows.add(f"{case.entities:,}", f"{case.materials:,}", case.moving, *ours, *cells)
        _say_missing(rows, chosen, installed)
        print_lamp_costs(backend, lamps, size, frames)
        print_particle_costs(backend, particles, size, frames)
        print_part_costs(backend, leaves, characters, size, frames)


def _say_missing(rows: PrintedRows, chosen: Sequence[ScenePeer], installed: Sequence[ScenePeer]) -> None:
    missing = [f"{peer.title}: not installed" for peer in chosen if peer not in installed]
    if importlib.util.find_spec("numba") is None:
        missing.append("numba: not installed, matrices by numpy")
    rows.end(*missing)


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:,.3f}" if seconds < 0.1 else f"{seconds * 1e3:,.0f}"
