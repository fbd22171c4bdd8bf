"""Decals, and the rows that a scene has of them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from decal_scenes import arrow, dents
from pyglm import glm

from renderwright.engine.renderer.placed_layers import MOST_LAYERS, MOST_SIDE, ImageLayers, color_layer
from renderwright.engine.scene import Image, Scene, Transform
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.placements import PlacedRows
from renderwright.engine.scene.primitives import box
from renderwright.plugins.decals import Decal
from renderwright.plugins.decals.table import _HEADER, _ROW, DecalTable
from renderwright.render import UsageError


def image(width: int = 2, height: int = 2, color: tuple[int, ...] = (255, 255, 255, 255)) -> Image:
    return Image("one", np.full((height, width, 4), color, np.uint8))


def drawn(rows: PlacedRows) -> np.ndarray:
    count = rows.data[: _HEADER.itemsize].view(_HEADER)["count"][0]
    return rows.data[_HEADER.itemsize :].view(_ROW)[:count]


def middles(rows: PlacedRows) -> list[list[float]]:
    return drawn(rows)["to_world"][:, :, 3].tolist()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("position", (0.0, float("nan"), 0.0)),
        ("direction", (0.0, 0.0, 0.0)),
        ("size", (1.0, 0.0, 1.0)),
        ("tint", (-1.0, 0.0, 0.0)),
        ("opacity", 1.5),
        ("roughness", -0.1),
        ("metallic", 2.0),
        ("fade_angles", (0.5, 3.0)),
        ("fade_angles", (0.5, 0.5)),
        ("order", float("inf")),
        ("image", "mark.png"),
        ("normal_image", 3),
        ("follow", glm.vec3()),
    ],
)
def test_values_that_a_decal_cannot_have_are_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(UsageError, match=r"[Dd]ecal") as caught:
        Decal(**{name: value})
    assert name.partition("_")[0] in caught.value.message
    assert caught.value.hint
    assert caught.value.where is not None
    assert caught.value.where.file == __file__


def test_so_are_data_for_a_colour_and_decals_that_change_nothing() -> None:
    with pytest.raises(UsageError, match=r'"dents" .* not marked as colour'):
        Decal(dents())
    with pytest.raises(UsageError, match="changes nothing"):
        Decal(image(), tint=None)
    assert Decal(image(), tint=None, roughness=0.1).metallic is None


def test_a_box_lies_as_told() -> None:
    on_ground = Decal(size=(2.0, 3.0, 4.0), position=glm.vec3(1.0, 2.0, 3.0)).box()
    assert np.allclose(on_ground[:3], [[2, 0, 0, 1], [0, 0, 4, 2], [0, -3, 0, 3]])
    on_wall = Decal(direction=glm.vec3(0.0, 0.0, -2.0)).box()
    assert np.allclose(on_wall, np.eye(4))
    turned = Decal(direction=glm.vec3(0.0, 0.0, -1.0), rotation=0.5 * math.pi).box()
    assert np.allclose(turned[:3, 0], [0, 1, 0]), "the right of the image is on top"


def test_higher_orders_come_last_then_later_ones() -> None:
    table = DecalTable()
    for number, order in enumerate((1.0, 0.0, 1.0, -1.0)):
        table.add(Decal(position=glm.vec3(number, 0.0, 0.0), order=order))
    assert [place[0] for place in middles(table.rows(1.0))] == [3.0, 1.0, 0.0, 2.0]


def test_rows_stay_the_same_object_until_something_changes() -> None:
    scene = Scene()
    decal = scene.placed.add(Decal(image()))
    other = scene.placed.add(Decal(image()))

    def step() -> PlacedRows:
        scene.begin_step(0.1)
        (rows,) = scene.placed.drawn(0.5)
        return rows

    step()
    kept = step()
    assert step() is kept
    decal.opacity = 0.5
    changed = step()
    assert drawn(changed)["opacity"].tolist() == [0.5, 1.0]
    assert changed.images["images"] is kept.images["images"]
    other.position.y += 1.0
    step()
    assert middles(step())[1] == [0.0, 1.0, 0.0], "a change in place counts"


def test_a_move_is_interpolated_but_not_before_the_first_step() -> None:
    scene = Scene()
    decal = scene.placed.add(Decal())
    decal.position = glm.vec3(4.0, 0.0, 0.0)
    scene.begin_step(0.1)
    assert middles(scene.placed.drawn(0.25)[0]) == [[4.0, 0.0, 0.0]]
    scene.begin_step(0.1)
    decal.position = glm.vec3(8.0, 0.0, 0.0)
    assert middles(scene.placed.drawn(0.25)[0]) == [[5.0, 0.0, 0.0]]
    assert middles(scene.placed.drawn(0.75)[0]) == [[7.0, 0.0, 0.0]]
    scene.begin_step(0.1)
    assert middles(scene.placed.drawn(0.25)[0]) == [[8.0, 0.0, 0.0]]


def test_what_moves_may_leave_while_others_stay() -> None:
    scene = Scene()
    first, *others = [scene.placed.add(Decal(position=glm.vec3(x, 0.0, 0.0))) for x in range(3)]
    scene.begin_step(0.1)
    scene.begin_step(0.1)
    first.position.y = 5.0
    scene.placed.drawn(0.5)
    scene.placed.remove(first)
    scene.placed.drawn(0.5)
    others[0].order = 1.0
    scene.begin_step(0.1)
    assert middles(scene.placed.drawn(0.5)[0]) == [[2.0, 0.0, 0.0], [1.0, 0.0, 0.0]]


def test_a_decal_follows_an_entity_while_that_is_in_a_scene() -> None:
    scene = Scene()
    entity = scene.spawn(box(1.0), Material(), Transform(glm.vec3(1.0, 0.0, 0.0)))
    scene.placed.add(Decal(position=glm.vec3(0.0, 0.5, 0.0), follow=entity))
    scene.begin_step(0.1)
    entity.transform.position = glm.vec3(3.0, 0.0, 0.0)
    entity.transform.scale = glm.vec3(-2.0, 2.0, 2.0)
    entity.previous.scale = glm.vec3(-2.0, 2.0, 2.0)
    (rows,) = scene.placed.drawn(0.5)
    assert middles(rows) == [[2.0, 1.0, 0.0]]
    assert drawn(rows)["mirrored"].tolist() == [1]
    scene.remove(entity)
    assert len(drawn(scene.placed.drawn(0.5)[0])) == 0


def test_traits_and_textures_are_those_of_what_decals_change() -> None:
    table = DecalTable()
    table.add(Decal(None, tint=None, roughness=0.2))
    assert table.rows(1.0).traits == {"rough"}
    assert set(table.rows(1.0).images) == {"images"}
    bump = Decal(None, tint=None, normal_image=dents())
    table.add(bump)
    table.add(Decal(metallic=0.5))
    assert table.rows(1.0).traits == {"rough", "bent", "painted", "metallic"}
    assert set(table.rows(1.0).images) == {"images", "normals"}
    table.remove(bump)
    assert table.rows(1.0).traits == {"rough", "painted", "metallic"}


def test_layers_have_the_size_of_the_largest_image_and_premultiplied_alpha() -> None:
    layers = ImageLayers("decals", color_layer, srgb=True)
    small, wide = image(3, 5, (255, 255, 255, 0)), image(40, 2, (90, 80, 70, 255))
    layers.follow([small, wide])
    texels = layers.placed.texels
    assert texels.shape == (2, 8, 64, 4)
    assert not texels[layers.of(small)].any()
    assert (texels[layers.of(wide)] == (90, 80, 70, 255)).all()
    kept = layers.placed
    layers.follow([wide])
    assert layers.placed is kept
    layers.follow([wide, arrow(16)])
    assert layers.placed.texels.shape == (2, 16, 64, 4), "that of an image without decals is left out"
    assert layers.of(wide) == 1, "an image that stays keeps its layer"
    layers.follow([image(3 * MOST_SIDE, 1)])
    assert layers.placed.texels.shape == (2, 1, MOST_SIDE, 4)


def test_too_many_images_are_refused_where_they_are_placed() -> None:
    scene = Scene()
    for _ in range(MOST_LAYERS):
        scene.placed.add(Decal(image(1, 1)))
    with pytest.raises(UsageError, match="257 images, and there is room for 256"):
        scene.placed.add(Decal(image(1, 1)))
    assert len(drawn(scene.placed.drawn(1.0)[0])) == MOST_LAYERS
