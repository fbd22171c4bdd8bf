"""``renderwright bench animation``: CPU time of the main thread for a frame of many animated characters.

Characters have 60 joints. "Poses" is their evaluation: what plays goes on, and the poses between two steps are
computed. "Scene" is that with the draw list and the upload of what has changed, "frame" a whole rendered frame of 16 x
16 texels; "still frame" is the same frame without characters. "Copy" is the bound: the bytes of all joint matrices,
copied once.
"""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass

import click
import numpy as np

from benchmarks.human_crowd import MIXED, PLAYING, crowd
from benchmarks.human_rig import human
from benchmarks.printed_rows import Column, PrintedRows
from benchmarks.scene import EXTENT, FRAMES, NO_HUD, median_cost
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.renderer.gpu_scene import GpuScene
from renderwright.engine.scene import Scene
from renderwright.engine.scene.model import Model
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend

CHARACTERS = (1, 10, 100, 1_000)
STEP = 1.0 / 60.0


@dataclass(frozen=True)
class AnimationCost:
    """CPU seconds of the main thread for a frame: medians."""

    poses: float
    scene: float
    frame: float
    copy: float


def poses_cost(model: Model, count: int, playing: str, frames: int) -> float:
    """The cost of the poses alone."""
    scene = Scene()
    crowd(scene, model, count, playing)

    def frame(number: int) -> None:
        scene.characters.advance(STEP)
        scene.characters.poses(0.5 + 0.1 * (number % 3))

    return median_cost(frame, frames, lambda: None)


def scene_cost(backend: Backend, model: Model, count: int, playing: str, frames: int) -> float:
    """The cost of step, draw list and upload."""
    scene = Scene()
    crowd(scene, model, count, playing)
    with closing(GpuScene(backend)) as gpu:

        def frame(number: int) -> None:
            scene.begin_step(STEP)
            gpu.update(scene.draw_list(0.5 + 0.1 * (number % 3)), NO_HUD, number % FRAMES_IN_FLIGHT)
            skinning = gpu.skinning
            _ = (skinning.jobs, skinning.groups, skinning.pose)

        return median_cost(frame, frames, lambda: None)


def frame_cost(backend: Backend, model: Model, count: int, playing: str, frames: int) -> float:
    """The cost of a whole frame."""

    class Crowded(Game):
        skeleton = "forward"
        plugins = ("tonemap",)
        step = STEP

        def setup(self, context: GameContext) -> None:
            crowd(context.scene, model, count, playing)

    session = Session(Crowded, backend, EXTENT, clock=FixedStepClock(STEP, frame=STEP))
    with closing(session), closing(backend.create_target(EXTENT)) as target:

        def frame(number: int) -> None:
            session.step()
            session.render(target)

        cost = median_cost(frame, frames, backend.wait_idle)
        backend.wait_idle()
        return cost


def copy_cost(model: Model, count: int, frames: int) -> float:
    """The cost of copying all joint matrices once."""
    source = np.ones((count, len(model.animations.rig.joints), 12), np.float32)
    target = np.empty_like(source)
    times = []
    for _ in range(frames):
        start = time.thread_time()
        target[:] = source
        times.append(time.thread_time() - start)
    return float(np.median(times))


def measure(backend: Backend, model: Model, count: int, playing: str, frames: int) -> AnimationCost:
    """All costs of a case."""
    return AnimationCost(
        poses_cost(model, count, playing, frames),
        scene_cost(backend, model, count, playing, frames),
        frame_cost(backend, model, count, playing, frames),
        copy_cost(model, count, frames),
    )


@click.command()
@click.option("--device", default="", help="Part of the name of the GPU to use.")
@click.option("--characters", type=click.IntRange(min=1), multiple=True, default=CHARACTERS, show_default=True)
@click.option("--vertices", type=click.IntRange(min=64), default=3000, show_default=True, help="Of a character.")
@click.option("--frames", type=click.IntRange(min=5), default=FRAMES, show_default=True, help="Of each measurement.")
def command(device: str, characters: tuple[int, ...], vertices: int, frames: int) -> None:
    """Measure the CPU time of animated characters."""
    model = human(vertices=vertices)
    with closing(VulkanBackend(device)) as backend:
        rows = PrintedRows(
            f"Milliseconds of CPU time of the main thread for a frame of characters with 60 joints, on "
            f"{backend.capabilities.device}: medians of {frames}",
            (
                Column("characters"),
                Column("playing", len(MIXED), left=True),
                *(Column(head, 8) for head in ("poses", "scene", "frame", "copy")),
            ),
        )
        for count in characters:
            for playing in PLAYING:
                cost = measure(backend, model, count, playing, frames)
                cells = [f"{seconds * 1e3:,.3f}" for seconds in (cost.poses, cost.scene, cost.frame, cost.copy)]
                rows.add(f"{count:,}", playing, *cells)
        rows.end()
