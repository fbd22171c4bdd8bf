"""Part of ``renderwright bench scene``: GPU time of a scene with masked leaves or characters, and CPU time of a frame.

The square of ``scene_lights.py`` with its sun on and without lamps. The first row is the same scene with these parts
off; opaque leaves are the same meshes without their mask. Each frame moves nothing but the characters.
"""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass

import numpy as np
from pyglm import glm

from benchmarks.human_crowd import ONE_CLIP, crowd
from benchmarks.human_rig import human
from benchmarks.printed_rows import Column, PrintedRows
from benchmarks.scene_lights import WARM_UP, square
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import GameContext
from renderwright.engine.scene import Camera, DirectionalLight, Material, Scene
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.material import AlphaMode
from renderwright.engine.scene.primitives import plane
from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.types.resources import Extent

LEAVES = 10_000
CHARACTERS = 100
_SURFACES = ("opaque", "masked")
_SKINNING = ("skin",)
_LEAF_TEXELS = 32


@dataclass(frozen=True)
class PartCost:
    """Medians in seconds: GPU time of skinning, of drawing surfaces and of the frame, and CPU time of the frame."""

    skinning: float
    surfaces: float
    frame: float
    cpu: float


def leaves(scene: Scene, count: int, alpha_mode: AlphaMode) -> None:
    """Upright quads with the picture of a round leaf, at random places and angles."""
    chance = np.random.default_rng(2)
    x, y = np.meshgrid(*[np.linspace(-1.0, 1.0, _LEAF_TEXELS)] * 2)
    texels = np.zeros((_LEAF_TEXELS, _LEAF_TEXELS, 4), np.uint8)
    texels[..., :3], texels[..., 3] = (60, 120, 30), 255 * (x * x + y * y < 1.0)
    places = chance.uniform(-0.5, 0.5, (count, 3)) * (60.0, 4.0, 60.0) + (0.0, 2.5, 0.0)
    turns = [glm.angleAxis(angle, glm.vec3(0.0, 1.0, 0.0)) for angle in chance.uniform(0.0, 6.3, count)]
    upright = glm.angleAxis(glm.radians(90.0), glm.vec3(1.0, 0.0, 0.0))
    material = Material(base_color_image=Image("leaf", texels), alpha_mode=alpha_mode, double_sided=True)
    scene.spawn_many(plane(0.6, 0.6), material, places, rotations=[tuple(turn * upright) for turn in turns])


def parts(leaf_count: int, characters: int) -> Iterator[tuple[str, int, Callable[[Scene], None]]]:
    """The parts of the scene: name, number of things, and what puts them there."""
    yield "nothing", 0, lambda scene: None
    yield "opaque leaves", leaf_count, lambda scene: leaves(scene, leaf_count, "opaque")
    yield "masked leaves", leaf_count, lambda scene: leaves(scene, leaf_count, "mask")

    def people(scene: Scene) -> None:
        camera = scene.camera
        crowd(scene, human(), characters, ONE_CLIP)
        scene.camera = camera

    yield "characters", characters, people


def part_cost(backend: VulkanBackend, fill: Callable[[Scene], None], extent: Extent, frames: int) -> PartCost:
    """The cost of the square with a part."""

    class Filled(square(0, "deferred")):  # type: ignore[misc]
        plugins = ("shadows", "tonemap")

        def setup(self, context: GameContext) -> None:
            super().setup(context)
            context.scene.sun = DirectionalLight(glm.vec3(0.4, -1.0, -0.3))
            context.scene.camera = Camera(glm.vec3(0.0, 6.0, 24.0), glm.vec3(0.0, 1.0, 0.0))
            fill(context.scene)

    session = Session(Filled, backend, extent, clock=FixedStepClock(Filled.step, frame=Filled.step))
    nodes: dict[str, list[float]] = defaultdict(list)
    whole, cpu = [], []
    with closing(session), closing(backend.create_target(extent)) as target:
        session.runtime.times.every = 1
        for number in range(WARM_UP + frames):
            start = time.thread_time()
            session.step()
            report = session.render(target)
            spent = time.thread_time() - start
            backend.wait_idle()
            if number < WARM_UP or report is None or not report.gpu_times:
                continue
            cpu.append(spent)
            whole.append(report.gpu_seconds)
            for kind, seconds in _by_kind(report.gpu_times).items():
                nodes[kind].append(seconds)
        backend.wait_idle()
    skinning, surfaces = (statistics.median(nodes[kind]) for kind in ("skinning", "surfaces"))
    return PartCost(skinning, surfaces, statistics.median(whole), statistics.median(cpu))


def _by_kind(times: Mapping[str, float]) -> Mapping[str, float]:
    found = {"skinning": 0.0, "surfaces": 0.0}
    for node, seconds in times.items():
        name = node.partition("[")[0].partition("@")[0]
        if name in _SKINNING:
            found["skinning"] += seconds
        elif name in _SURFACES:
            found["surfaces"] += seconds
    return found


def print_part_costs(backend: VulkanBackend, leaf_count: int, characters: int, extent: Extent, frames: int) -> None:
    """Print a row for each part."""
    rows = PrintedRows(
        f"Milliseconds of GPU time of a scene with one more part, {extent[0]} x {extent[1]}, and of CPU time: "
        f"medians of {frames}",
        (
            Column("part", 13, left=True),
            Column("number", 6),
            *(Column(head, 8) for head in ("skinning", "surfaces", "frame", "CPU")),
        ),
    )
    for name, count, fill in parts(leaf_count, characters):
        cost = part_cost(backend, fill, extent, frames)
        times = (cost.skinning, cost.surfaces, cost.frame, cost.cpu)
        rows.add(name, f"{count:,}", *(f"{seconds * 1e3:.3f}" for seconds in times))
    rows.end()
