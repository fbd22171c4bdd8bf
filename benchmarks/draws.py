"""``renderwright bench draws``: calls, CPU time and GPU time of a scene with many materials, and of one that is culled.

The same scene is drawn one draw after the other, by commands in a buffer, and with a table of images as well where the
device has one. The field around the camera is drawn with culling and without, and with levels of detail and without;
the rooms with occlusion culling and without. Rows are printed when they are measured.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import click
import numpy as np
from pyglm import glm

from benchmarks.printed_rows import Column, PrintedRows
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.renderer.command_layout import COMMAND
from renderwright.engine.renderer.culling import VISIBLE
from renderwright.engine.renderer.draw_commands import span
from renderwright.engine.renderer.occlusion import OCCLUDERS
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, sphere
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.render.backend.target import Target
from renderwright.render.backend.vulkan.backend import VulkanBackend

EXTENT = (640, 360)
SETTLING = 6
FRAMES = 30
MATERIALS = (1, 10, 100, 1000)
INSTANCES = (1000, 10000)
BALLS_IN_ROOM = 50
LEVELS = 2
ENTITIES = 1000
"""Entities of the scene with many materials, whatever their number."""


@dataclass(frozen=True)
class DrawCost:
    """Indexed draws and bound descriptor sets of one recording of a frame, the CPU seconds of a frame in which nothing
    changes, and of one with an entity more or less, the GPU seconds of a frame, and the triangles of the view, if the
    scene is culled."""

    draws: int
    sets: int
    still: float
    changed: float
    gpu: float
    triangles: int | None
    """Those that a frame draws for its views, its occluders among them; None where nothing is culled."""


WAYS = ("one by one", "by commands", "with a table")
"""How the scene is drawn: each has what those before it have."""


def collection(materials: int, *, own_images: bool) -> type[Game]:
    """A game that shows entities of some materials, which differ in their factors or have an image of their own."""

    class Collection(Game):
        """Boxes side by side."""

        plugins = ("shadows",)
        culling = None

        def setup(self, context: GameContext) -> None:
            context.scene.camera.position, context.scene.camera.target = glm.vec3(0, 20, 40), glm.vec3(0)
            self.mesh = box(0.6)
            chosen = [_material(number, own_images=own_images) for number in range(materials)]
            for number in range(ENTITIES):
                place = Transform(glm.vec3(number % 32 - 16, 0, number // 32 - 16))
                context.scene.spawn(self.mesh, chosen[number % materials], place)

    return Collection


def rooms(instances: int, *, occlusion: bool) -> type[Game]:
    """A game whose camera stands in one of many rooms, all full of balls."""

    class Rooms(Game):
        """Square rooms, 10 m wide, whose walls have no doors."""

        plugins = ()
        culling = 1

        def setup(self, context: GameContext) -> None:
            context.scene.camera.position, context.scene.camera.target = glm.vec3(-4, 2, -4), glm.vec3(5, 1, 4)
            ball, wall, material = sphere(0.2), box(10.0), Material(roughness=0.4)
            side = max(1, round((instances / BALLS_IN_ROOM) ** 0.5))
            for room in range(side * side):
                middle = glm.vec3(room % side - side // 2, 0, room // side - side // 2) * 10.0
                for toward, scale in ((glm.vec3(5, 0, 0), (0.02, 0.4, 1)), (glm.vec3(0, 0, 5), (1, 0.4, 0.02))):
                    context.scene.spawn(wall, material, Transform(middle + toward, scale=glm.vec3(scale)))
                places = np.random.default_rng(room).uniform((-4.5, 0, -4.5), (4.5, 2, 4.5), (BALLS_IN_ROOM, 3))
                context.scene.spawn_many(ball, material, np.array(middle) + places)

    Rooms.occlusion = 1 if occlusion else None
    return Rooms


def field(instances: int, *, culling: bool, occlusion: bool = False, levels: int = 0) -> type[Game]:
    """A game whose camera stands in the middle of a field of balls with so many coarser levels."""

    class Field(Game):
        """Balls around the camera."""

        plugins = ("shadows",)

        def setup(self, context: GameContext) -> None:
            context.scene.camera.position, context.scene.camera.target = glm.vec3(0, 2, 0), glm.vec3(0, 1, -5)
            mesh, side = sphere(0.4, levels=levels), round(instances**0.5)
            material = Material(roughness=0.4)
            for number in range(instances):
                place = glm.vec3(number % side - side / 2, 0.0, number // side - side / 2) * 1.5
                context.scene.spawn(mesh, material, Transform(place))

    Field.culling = 0 if culling else None
    Field.occlusion = 0 if occlusion else None
    return Field


def _material(number: int, *, own_images: bool) -> Material:
    if not own_images:
        return Material(roughness=0.1 + 0.0009 * number)
    texels = np.full((4, 4, 4), (number % 256, number // 256 * 60, 128, 255), np.uint8)
    return Material(base_color_image=Image(f"image {number}", texels))


class CallCounter:
    """A backend whose calls are counted by name."""

    def __init__(self, device: str) -> None:
        self.calls: dict[str, int] = {}
        self.backend = VulkanBackend(device, wrap=self._wrap)
        self.able = self.backend.capabilities

    def _wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        if not name.startswith(("vkCmdDrawIndexed", "vkCmdBindDescriptorSets")):
            return function

        def call(*arguments: Any) -> Any:
            self.calls[name] = self.calls.get(name, 0) + 1
            return function(*arguments)

        return call

    def choose(self, way: str) -> bool:
        """Have scenes drawn in one of the ways; returns whether the device can."""
        self.backend.capabilities = replace(
            self.able,
            indirect_instances=way != WAYS[0],
            indexed_textures=self.able.indexed_textures if way == WAYS[2] else 0,
        )
        return way != WAYS[2] or self.able.indexed_textures > 0


def measure(counter: CallCounter, game: type[Game], frames: int) -> DrawCost:
    """The cost of a game's frames, once they have settled."""
    backend = counter.backend
    counter.calls.clear()
    clock = FixedStepClock(game.step, frame=game.step)
    session = Session(game, backend, EXTENT, choice=PluginChoice(), clock=clock)
    with closing(session), closing(backend.create_target(EXTENT)) as target:
        session.runtime.times.every = 1
        session.step()
        session.render(target)
        sets = counter.calls.get("vkCmdBindDescriptorSets", 0)
        draws = sum(counter.calls.values()) - sets
        for _ in range(SETTLING):
            session.render(target)
        gpu: list[float] = []
        still = [_frame(session, target, gpu) for _ in range(frames)]
        scene = session.context.scene
        mesh, extra = scene.entities[0].mesh, None
        changed = []
        for _ in range(frames):
            if extra is None:
                extra = scene.spawn(mesh, Material(roughness=0.99), Transform(glm.vec3(0, -5, 0)))
            else:
                scene.remove(extra)
                extra = None
            session.step()
            changed.append(_frame(session, target, []))
        triangles = _triangles(session, target)
    medians = statistics.median(still), statistics.median(changed), statistics.median(gpu)
    return DrawCost(draws, sets, *medians, triangles)


def _triangles(session: Session, target: Target) -> int | None:
    """The triangles that a frame draws from culled lists."""
    created = [request.creates for node in session.graph.snapshot().nodes for request in node.requests]
    lists = [name for name in (f"{VISIBLE}_draws", f"{OCCLUDERS}_draws") if name in created]
    if not lists:
        return None
    for name in lists:
        session.graph.add_sink(name)
    for _ in range(SETTLING):
        session.render(target)
    session.backend.wait_idle()
    first, count = span(session.runtime.blob("draws").ranges, casters_only=False)
    triangles = 0
    for name in lists:
        buffer: Any = session.runtime.resource(name)
        commands = np.frombuffer(session.backend.read_buffer(buffer), COMMAND)[first : first + count]
        triangles += int(np.sum(commands["indices"].astype(np.int64) // 3 * commands["instances"]))
    return triangles


def _frame(session: Session, target: Target, gpu: list[float]) -> float:
    """CPU seconds of the render thread for a frame; its GPU seconds are appended."""
    session.backend.wait_idle()
    start = time.thread_time()
    report = session.render(target)
    seconds = time.thread_time() - start
    if report is not None and report.gpu_times:
        gpu.append(sum(report.gpu_times.values()))
    return seconds


@click.command()
@click.option("--device", default="", help="Part of the name of the GPU to use.")
@click.option("--frames", type=click.IntRange(min=2), default=FRAMES, show_default=True, help="Of each measurement.")
@click.option("--materials", type=click.IntRange(1, ENTITIES), multiple=True, default=MATERIALS, show_default=True)
@click.option("--instances", type=click.IntRange(min=1), multiple=True, default=INSTANCES, show_default=True)
def command(device: str, frames: int, materials: tuple[int, ...], instances: tuple[int, ...]) -> None:
    """Measure the draws of many materials and of culled scenes.

    Culled scenes are measured with levels of detail and without.
    """
    counter = CallCounter(device)
    with closing(counter.backend):
        click.echo(
            f"On {counter.able.device}, {EXTENT[0]} x {EXTENT[1]} texels, medians of {frames} frames.\n"
            "CPU and GPU are microseconds of a frame; CPU is that of the render thread, in frames in which\n"
            "nothing changes and in those with an entity more or less.\n"
        )
        print_materials(counter, materials, frames)
        print_culling(counter, instances, frames)
        print_levels(counter, instances, frames)
        print_rooms(counter, instances, frames)


_COSTS = (Column("draws", 6), Column("sets", 6), Column("CPU still", 9), Column("CPU one more"), Column("GPU", 9))
_CULLING, _TRIANGLES = Column("culling", 9, left=True), Column("triangles", 11)


def print_materials(counter: CallCounter, materials: Sequence[int], frames: int) -> None:
    """Costs by number of materials, kind of images and way of drawing."""
    columns = (Column("materials"), Column("images", left=True), Column("drawn", len(WAYS[2]), left=True), *_COSTS)
    rows = PrintedRows(f"{ENTITIES:,} entities: indexed draws and descriptor sets of a recording", columns)
    for count in materials:
        for own_images in (False, True):
            for way in WAYS:
                if counter.choose(way):
                    cost = measure(counter, collection(count, own_images=own_images), frames)
                    rows.add(f"{count:,}", "own" if own_images else "none", way, *_texts(cost))
    rows.end()


def print_culling(counter: CallCounter, instances: Sequence[int], frames: int) -> None:
    """Costs of the field by number of instances, without culling, with it, and with occlusion culling as well."""
    rows = PrintedRows("Balls around the camera", (Column("instances"), _CULLING, *_COSTS, _TRIANGLES))
    for count in instances:
        for name, culling, occlusion in (("off", False, False), ("frusta", True, False), ("occlusion", True, True)):
            counter.choose(WAYS[2])
            cost = measure(counter, field(count, culling=culling, occlusion=occlusion), frames)
            rows.add(f"{count:,}", name, *_texts(cost), _triangles_text(cost))
    rows.end()


def print_levels(counter: CallCounter, instances: Sequence[int], frames: int) -> None:
    """Costs with and without levels of detail, by number of instances; both are culled."""
    columns = (Column("instances"), Column("levels"), *_COSTS, _TRIANGLES)
    rows = PrintedRows("The same, culled: levels of detail beside the finest, and triangles of the view", columns)
    for count in instances:
        for levels in (0, LEVELS):
            counter.choose(WAYS[2])
            cost = measure(counter, field(count, culling=True, levels=levels), frames)
            rows.add(f"{count:,}", str(levels), *_texts(cost), _triangles_text(cost))
    rows.end()


def print_rooms(counter: CallCounter, instances: Sequence[int], frames: int) -> None:
    """Costs of the rooms by number of instances, with and without occlusion culling."""
    rows = PrintedRows("Rooms behind walls", (Column("instances"), _CULLING, *_COSTS, _TRIANGLES))
    for count in instances:
        for occlusion in (False, True):
            counter.choose(WAYS[2])
            cost = measure(counter, rooms(count, occlusion=occlusion), frames)
            rows.add(f"{count:,}", "occlusion" if occlusion else "frusta", *_texts(cost), _triangles_text(cost))
    rows.end()


def _triangles_text(cost: DrawCost) -> str:
    return "" if cost.triangles is None else f"{cost.triangles:,}"


def _texts(cost: DrawCost) -> list[str]:
    seconds = (cost.still, cost.changed, cost.gpu)
    return [f"{cost.draws:,}", f"{cost.sets:,}", *(f"{each * 1e6:,.0f}" for each in seconds)]
