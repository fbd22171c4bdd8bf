"""Part of ``renderwright bench scene``: GPU time of a scene with many particles, node by node, and CPU time of a frame.

The square of ``scene_lights.py`` without lamps, with fountains of particles on it. The row without particles is the
same scene with this part off.
"""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace

from pyglm import glm

from benchmarks.printed_rows import Column, PrintedRows
from benchmarks.scene_lights import WARM_UP, square
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.session import Session
from renderwright.plugins.particles import Emitter, Particles
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.types.resources import Extent

PARTICLES = (0, 10_000, 100_000)
_EMITTERS = 10
_LIFETIME = 1.0
_ADDITIVE = Particles(lifetime=(_LIFETIME, _LIFETIME), speed=(4.0, 9.0), spread=0.6, sizes=(0.05,))
KINDS: Mapping[str, Particles] = {
    "additive": _ADDITIVE,
    "blended": replace(_ADDITIVE, additive=False),
    "lit": replace(_ADDITIVE, additive=False, lit=True, softness=0.1),
}
_MOVE, _DRAW = "particles/move", "particles/draw"


@dataclass(frozen=True)
class ParticleCost:
    """Medians in seconds: GPU time of moving, of sorting, of drawing and of the frame, and CPU time of the frame."""

    move: float
    sort: float
    draw: float
    frame: float
    cpu: float


def particle_cost(backend: VulkanBackend, kind: str, count: int, extent: Extent, frames: int) -> ParticleCost:
    """The cost of a scene with so many particles."""

    class Fountains(square(0, "deferred")):  # type: ignore[misc]
        def setup(self, context: GameContext) -> None:
            super().setup(context)
            for number in range(_EMITTERS if count else 0):
                place = glm.vec3(4.0 * number - 2.0 * _EMITTERS, 0.0, 0.0)
                rate = count / _EMITTERS / _LIFETIME
                context.scene.placed.add(Emitter(KINDS[kind], place, rate=rate, seed=number))

    clock = FixedStepClock(Fountains.step, frame=Fountains.step)
    nodes: dict[str, list[float]] = defaultdict(list)
    whole, cpu = [], []
    session = Session(Fountains, backend, extent, choice=PluginChoice(enable=("particles",)), clock=clock)
    alive = round(_LIFETIME / Fountains.step)  # frames until there are as many as told
    with closing(session), closing(backend.create_target(extent)) as target:
        session.runtime.times.every = 1
        for number in range(WARM_UP + alive + frames):
            start = time.thread_time()
            session.step()
            report = session.render(target)
            spent = time.thread_time() - start
            backend.wait_idle()
            if number < WARM_UP + alive or report is None or not report.gpu_times:
                continue
            cpu.append(spent)
            whole.append(report.gpu_seconds)
            of_frame: dict[str, float] = defaultdict(float)
            for node, seconds in report.gpu_times.items():
                name = node.partition("[")[0].partition("@")[0]
                if name.startswith("particles/"):
                    of_frame[name if name in (_MOVE, _DRAW) else "sort"] += seconds
            for name, seconds in of_frame.items():
                nodes[name].append(seconds)
        backend.wait_idle()
    move, sort, draw = (statistics.median(nodes[name] or [0.0]) for name in (_MOVE, "sort", _DRAW))
    return ParticleCost(move, sort, draw, statistics.median(whole), statistics.median(cpu))


def print_particle_costs(backend: VulkanBackend, counts: Iterable[int], extent: Extent, frames: int) -> None:
    """Print a row for each kind and number of particles."""
    rows = PrintedRows(
        f"Milliseconds of GPU time of a scene with particles, {extent[0]} x {extent[1]}, and of CPU time: "
        f"medians of {frames}",
        (
            Column("kind", 8, left=True),
            Column("particles", 9),
            *(Column(head, 8) for head in ("move", "sort", "draw", "frame", "CPU")),
        ),
    )
    for kind in KINDS:
        for count in counts:
            cost = particle_cost(backend, kind, count, extent, frames)
            times = (cost.move, cost.sort, cost.draw, cost.frame, cost.cpu)
            rows.add(kind, f"{count:,}", *(f"{seconds * 1e3:.3f}" for seconds in times))
    rows.end()
