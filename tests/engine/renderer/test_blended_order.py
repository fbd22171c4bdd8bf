"""The sorted draws of blended instances: every instance once, in the order given, in as few commands as it has."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest

from renderwright.engine.renderer.blended_order import BlendedInstances
from renderwright.engine.renderer.drawn_surfaces import GpuDraw, GpuSurface
from renderwright.engine.renderer.gpu_geometry import MeshRange
from renderwright.engine.renderer.material_textures import images_of
from renderwright.engine.scene.draw_list import DrawBatch
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.material import ALPHA_MODES, Material
from renderwright.engine.scene.primitives import box
from renderwright.render.backend.protocol import INDIRECT_BYTES

IMAGES = tuple(Image(f"image {number}", np.full((1, 1, 4), 80 * number, np.uint8)) for number in range(3))
MESHES = tuple((box(1.0 + number), MeshRange(30 * number, 6 + number, 20 * number)) for number in range(3))


def random_draws(chance: random.Random) -> list[GpuDraw]:
    draws: list[GpuDraw] = []
    first = 0
    for _ in range(chance.randrange(12)):
        mesh, place = chance.choice(MESHES)
        material = Material(base_color_image=chance.choice([None, *IMAGES]), alpha_mode=chance.choice(ALPHA_MODES))
        batch = DrawBatch(mesh, material, first, 1 + chance.randrange(4), True)
        draws.append(GpuDraw(batch, GpuSurface(mesh, material, place, images_of(material))))
        first += batch.count
    return draws


@pytest.mark.parametrize("by_images", [True, False])
def test_commands_draw_every_blended_instance_once_in_its_order(by_images: bool) -> None:
    for seed in range(200):
        chance = random.Random(seed)
        draws = random_draws(chance)
        blended = BlendedInstances.of(draws, by_images=by_images)
        of_instance = {
            draw.batch.first + number: draw
            for draw in draws
            if draw.batch.material.alpha_mode == "blend"
            for number in range(draw.batch.count)
        }
        order = list(range(len(of_instance)))
        chance.shuffle(order)
        wanted = [sorted(of_instance)[place] for place in order]
        table = blended.sorted(np.array(order, np.intp))
        assert table.instances.tolist() == wanted
        shown = []
        for each in table.ranges:
            count = int(table.commands[each.count_at // INDIRECT_BYTES]["indices"])
            assert count <= each.room
            start = each.offset // INDIRECT_BYTES
            for indices, instances, first_index, offset, first in table.commands[start : start + count].tolist():
                for place in range(first, first + instances):
                    draw = of_instance[int(table.instances[place])]
                    assert (first_index, indices, offset) == (
                        draw.surface.place.first_index,
                        draw.surface.place.index_count,
                        draw.surface.place.vertex_offset,
                    )
                    assert each.images == (draw.surface.images if by_images else ())
                    shown.append(int(table.instances[place]))
        assert shown == wanted
        surfaces = [of_instance[number].surface for number in wanted]
        changes = sum(
            (one.place, one.images if by_images else ()) != (other.place, other.images if by_images else ())
            for one, other in pairwise(surfaces)
        )
        commands = sum(int(table.commands[each.count_at // INDIRECT_BYTES]["indices"]) for each in table.ranges)
        assert commands == (changes + 1 if wanted else 0)
