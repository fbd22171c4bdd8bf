"""Draw commands of levels of detail: one for each level, with room for the list of each."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from renderwright.engine.renderer.culling_switch import most_commands, most_listed
from renderwright.engine.renderer.draw_commands import MOST_INSTANCES, DrawTable, draw_table
from renderwright.engine.renderer.drawn_surfaces import KINDS, GpuDraw, GpuSurface
from renderwright.engine.renderer.gpu_geometry import MeshRange
from renderwright.engine.renderer.material_textures import images_of
from renderwright.engine.scene.change_log import ChangeLog
from renderwright.engine.scene.draw_list import DrawBatch, DrawList, Stamp
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.primitives import box, sphere
from renderwright.render.backend.protocol import INDIRECT_BYTES

IMAGES = tuple(Image(f"image {number}", np.full((1, 1, 4), 80 * number, np.uint8)) for number in range(2))
COARSEST = box()
MESHES = (COARSEST, sphere(levels=1), sphere(levels=2), sphere().with_levels((COARSEST, 0.5)))


def ranges_of(meshes: tuple[Mesh, ...]) -> dict[Mesh, MeshRange]:
    every = list(dict.fromkeys(each for mesh in meshes for each in (mesh, *(level.mesh for level in mesh.levels))))
    return {mesh: MeshRange(1000 * number, 3 + number, 70 * number) for number, mesh in enumerate(every)}


RANGES = ranges_of(MESHES)


def random_draws(seed: int) -> list[GpuDraw]:
    chance = random.Random(seed)
    draws: list[GpuDraw] = []
    first = 0
    for _ in range(chance.randrange(12)):
        mesh = chance.choice(MESHES)
        material = Material(
            base_color_image=chance.choice([None, *IMAGES]),
            roughness=chance.random(),
            double_sided=chance.random() < 0.3,
        )
        batch = DrawBatch(mesh, material, first, 1 + chance.randrange(300), chance.random() < 0.7)
        levels = tuple(RANGES[level.mesh] for level in mesh.levels)
        draws.append(GpuDraw(batch, GpuSurface(mesh, material, RANGES[mesh], images_of(material), levels)))
        first += batch.count
    return draws


def batch_at(draws: list[GpuDraw], instance: int) -> DrawBatch:
    return next(draw.batch for draw in draws if 0 <= instance - draw.batch.first < draw.batch.count)


def lists_of(table: DrawTable, draws: list[GpuDraw], *, casters_only: bool) -> list[tuple[int, int]]:
    """Where the list of each command of a pass begins and ends. Checks what each command draws."""
    lists = []
    for kind in (kind for kind in KINDS if kind.casters_only is casters_only):
        for part in table.ranges[kind]:
            start = part.offset // INDIRECT_BYTES
            used = int(table.commands[start - 1]["indices"])
            for at in range(start, start + used):
                command, bounds = table.commands[at], table.bounds[at]
                finest = table.commands[bounds["finest"]]
                mesh = batch_at(draws, int(finest["first_instance"])).mesh
                sizes = [np.inf, *(np.float32(level.size) for level in mesh.levels), 0.0]
                number = at - int(bounds["finest"])
                own = [mesh, *(level.mesh for level in mesh.levels)][number]
                assert (command["indices"], command["first_index"], command["vertex_offset"]) == (
                    RANGES[own].index_count,
                    RANGES[own].first_index,
                    RANGES[own].vertex_offset,
                )
                assert bounds["least"] == sizes[number + 1]
                assert number == 0 or bounds["below"] == sizes[number]
                assert number == 0 or command["instances"] == 0
                assert 0 < finest["instances"] <= MOST_INSTANCES
                lists.append((int(bounds["listed"]), int(bounds["listed"] + finest["instances"])))
    return lists


@pytest.mark.parametrize("by_images", [True, False])
def test_each_level_has_a_command_and_a_list_of_its_own(by_images: bool) -> None:
    for seed in range(100):
        draws = random_draws(seed)
        table = draw_table(draws, by_images=by_images, most=MOST_INSTANCES)
        batches = tuple(draw.batch for draw in draws)
        count = sum(batch.count for batch in batches)
        models = np.zeros((count, 4, 4), np.float32)
        scene = DrawList(models, batches, np.arange(count), Stamp(ChangeLog(0), 0))
        assert len(table.commands) <= most_commands(scene)
        for casters in (False, True):
            lists = sorted(lists_of(table, draws, casters_only=casters))
            drawn = [batch for batch in batches if batch.casts_shadow or not casters]
            assert sum(end - first for first, end in lists) == sum(
                batch.count * (1 + len(batch.mesh.levels)) for batch in drawn
            )
            assert all(end <= first for (_, end), (first, _) in pairwise(lists))
            assert not lists or lists[-1][1] <= most_listed(scene)


def test_before_culling_the_finest_levels_are_drawn() -> None:
    for seed in range(100):
        draws = random_draws(seed)
        flat = {mesh: replace(mesh, levels=()) for mesh in MESHES}
        without = [
            GpuDraw(replace(batch, mesh=flat[batch.mesh]), replace(surface, mesh=flat[batch.mesh], levels=()))
            for batch, surface in draws
        ]
        tables = [draw_table(each, by_images=True, most=MOST_INSTANCES) for each in (draws, without)]
        for kind in KINDS:
            drawn = [[list(table.used(part)) for part in table.ranges[kind]] for table in tables]
            assert drawn[0] == drawn[1]
