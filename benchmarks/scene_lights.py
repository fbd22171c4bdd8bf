"""Part of ``renderwright bench scene``: GPU time of a scene lit by many lamps, node by node.

A square of boxes under point lights that reach 4 metres, seen at an angle. The row without lamps is the same scene
with this part off.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass

import numpy as np
from pyglm import glm

from benchmarks.printed_rows import Column, PrintedRows
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import Camera, Material, PointLight, Sky
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.types.resources import Extent

LIGHTS = (0, 16, 100, 1_000, 10_000)
LIGHTING = {"deferred": "deferred_lighting", "forward": "forward_opaque"}
WARM_UP = 12
"""Frames before those that count."""

_SIDE = 80.0
_BOXES = 400


@dataclass(frozen=True)
class LampCost:
    """Medians in seconds of GPU time: of the clusters, of the node that lights surfaces, of the frame."""

    clusters: float
    lighting: float
    frame: float


def square(lights: int, skeleton_name: str) -> type[Game]:
    """A game of so many lamps."""

    class Square(Game):
        skeleton = skeleton_name
        plugins = ("tonemap",)

        def setup(self, context: GameContext) -> None:
            scene, chance = context.scene, np.random.default_rng(1)
            scene.sun, scene.sky = None, Sky(intensity=0.1)
            scene.camera = Camera(glm.vec3(0.0, 12.0, 0.5 * _SIDE), glm.vec3(0.0))
            scene.spawn(plane(_SIDE, _SIDE), Material((0.6, 0.6, 0.6, 1.0)))
            places = chance.uniform(-0.5, 0.5, (_BOXES, 3)) * (_SIDE, 1.0, _SIDE)
            scene.spawn_many(box(1.0), Material((0.7, 0.5, 0.3, 1.0)), places)
            for x, y, z in chance.uniform(-0.5, 0.5, (lights, 3)) * (_SIDE, 3.0, _SIDE) + (0.0, 2.0, 0.0):
                color = tuple(chance.random(3).tolist())
                scene.add_light(PointLight(glm.vec3(x, y, z), color, 3.0, 4.0))

    return Square


def lamp_cost(backend: VulkanBackend, lights: int, skeleton: str, extent: Extent, frames: int) -> LampCost:
    """The GPU time of a scene with so many lamps."""
    game = square(lights, skeleton)
    clock = FixedStepClock(game.step, frame=game.step)
    nodes: dict[str, list[float]] = defaultdict(list)
    whole: list[float] = []
    session = Session(game, backend, extent, clock=clock)
    with closing(session), closing(backend.create_target(extent)) as target:
        session.runtime.times.every = 1
        for number in range(WARM_UP + frames):
            session.step()
            report = session.render(target)
            backend.wait_idle()
            if number < WARM_UP or report is None or not report.gpu_times:
                continue
            whole.append(report.gpu_seconds)
            for node, seconds in report.gpu_times.items():
                nodes[node.partition("[")[0].partition("@")[0]].append(seconds)
        backend.wait_idle()
    clusters = statistics.median(nodes["cluster_lights"]) if "cluster_lights" in nodes else 0.0
    return LampCost(clusters, statistics.median(nodes[LIGHTING[skeleton]]), statistics.median(whole))


def print_lamp_costs(backend: VulkanBackend, lights: Iterable[int], extent: Extent, frames: int) -> None:
    """Print a row for each skeleton and number of lamps."""
    rows = PrintedRows(
        f"Milliseconds of GPU time of a scene under lamps, {extent[0]} x {extent[1]}: medians of {frames}",
        (
            Column("skeleton", 8, left=True),
            Column("lamps", 6),
            *(Column(head, 8) for head in ("clusters", "lighting", "frame")),
        ),
    )
    for skeleton in LIGHTING:
        for count in lights:
            cost = lamp_cost(backend, count, skeleton, extent, frames)
            cells = [f"{seconds * 1e3:.3f}" for seconds in (cost.clusters, cost.lighting, cost.frame)]
            rows.add(skeleton, f"{count:,}", *cells)
    rows.end()
