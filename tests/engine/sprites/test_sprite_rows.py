"""Rows of sprites: their order, what is written again, and interpolation between steps."""

from __future__ import annotations

import random

import numpy as np
import pytest
from sprite_images import OTHER, SHEET

from renderwright.engine.scene import Scene
from renderwright.engine.sprites import Sprite, SpriteGroup, Sprites, Text
from renderwright.engine.sprites.drawn import DrawnSprites
from renderwright.engine.sprites.placed import Placed
from renderwright.render.errors import UsageError


def positions(drawn: DrawnSprites) -> list[float]:
    """x of each row."""
    return drawn.rows[:, 0].tolist()


def test_layers_order_the_rows_then_the_order_of_addition() -> None:
    sprites = Sprites()
    low, high = Sprite(SHEET, (1, 0), layer=-1), Sprite(SHEET, (2, 0), layer=5)
    for sprite in (high, Sprite(OTHER, (3, 0)), Sprite(SHEET, (4, 0)), Sprite(SHEET, (5, 0)), low):
        sprites.add(sprite)
    drawn = sprites.drawn()
    assert positions(drawn) == [1, 3, 4, 5, 2]
    runs = [(run.source.image, run.first, run.count) for run in drawn.runs]
    assert runs == [(SHEET, 0, 1), (OTHER, 1, 1), (SHEET, 2, 3)]
    low.layer = 9
    assert positions(sprites.drawn()) == [3, 4, 5, 2, 1]
    high.visible = False
    assert positions(sprites.drawn()) == [3, 4, 5, 1]
    sprites.remove(low)
    assert positions(sprites.drawn()) == [3, 4, 5]
    assert len(sprites) == 4


def test_only_what_changes_is_written_again() -> None:
    sprites = Sprites()
    crowd = sprites.add_many(SHEET, np.zeros((100, 3)), sizes=(1, 1))
    one = sprites.add(Sprite(SHEET, (7, 8), layer=1))
    first = sprites.drawn()
    assert sprites.drawn(0.3) is first
    crowd.positions[17] = (1, 2, 3)
    second = sprites.drawn(1.0)
    assert second.changed_since(first.stamp).tolist() == [17]
    assert second.runs is first.runs
    one.color = (1, 0, 0, 0.5)
    third = sprites.drawn(1.0)
    assert third.changed_since(second.stamp).tolist() == [100]
    assert third.changed_since(first.stamp).tolist() == [17, 100]
    one.region = (8, 0, 8, 8)
    assert sprites.drawn(1.0).runs is first.runs, "another region of the same image arranges nothing"
    one.image = OTHER
    assert sprites.drawn(1.0).changed_since(third.stamp) is None


def test_places_are_interpolated_between_steps() -> None:
    scene = Scene()
    still, moved = scene.sprites.add(Sprite(SHEET, (0.1, 0))), scene.sprites.add(Sprite(SHEET, (0, 0)))
    scene.snap()
    scene.begin_step()
    moved.position, moved.rotation = (4, 2), 1.0
    rows = scene.sprites.drawn(0.25).rows
    assert rows[1, :4].tolist() == [1.0, 0.5, 0.0, 0.25]
    assert rows[0, 0] == np.float32(0.1)
    assert scene.sprites.drawn(0.5).rows[1, 0] == 2.0
    scene.begin_step()
    drawn = scene.sprites.drawn(0.0)
    assert drawn.rows[1, 0] == 4.0
    assert scene.sprites.drawn(0.7) is drawn
    moved.position = (9, 9)
    moved.snap()
    assert scene.sprites.drawn(0.0).rows[1, 0] == 9.0
    assert still.position == (pytest.approx(0.1), 0.0, 0.0)


def test_a_crowd_in_motion_is_drawn_where_it_is() -> None:
    """Few that move are written one by one, most of them at once; neighbours and others alike."""
    scene, random = Scene(), np.random.default_rng(1)
    above = scene.sprites.add_many(SHEET, np.zeros((40, 3)), sizes=(1, 1), layer=1)
    below = scene.sprites.add_many(SHEET, np.zeros((60, 3)), sizes=(1, 1))
    for group in (above, below, above[::2], below[:5], above[::-1], above[:0]):
        scene.begin_step()
        group.positions = places = random.uniform(-9, 9, (len(group), 3)).astype(np.float32)
        group.rotations = places[:, 0]
        group.snap()
        np.testing.assert_array_equal(np.asarray(group.positions), places)
        np.testing.assert_array_equal(np.asarray(group.rotations), places[:, 0])
        every = np.concatenate([np.asarray(below.positions), np.asarray(above.positions)])
        np.testing.assert_array_equal(scene.sprites.drawn(0.5).rows[:, :3], every)
    scene.sprites.remove(below[10:20])
    below.positions += 1.0
    np.testing.assert_array_equal(scene.sprites.drawn(1.0).rows[:50, 0], np.asarray(below.positions)[:, 0])


def test_groups_read_and_write_like_arrays() -> None:
    sprites = Sprites()
    group = sprites.add_many(SHEET, np.zeros((4, 3)), sizes=(2, 1), regions=[(0, 0, 8, 8)] * 4, anchor=(0, 1))
    group.positions[:, 0] += np.arange(4)
    group.rotations += 0.5
    group.sizes[2] = (4, 3)
    group[1:3].colors = (1, 2, 3, 0.5)
    rows = sprites.drawn().rows
    assert rows[:, 0].tolist() == [0, 1, 2, 3]
    assert rows[:, 3].tolist() == [0.5] * 4
    assert rows[:, 4:8].tolist() == [[0, -1, 2, 0], [0, -1, 2, 0], [0, -3, 4, 0], [0, -1, 2, 0]]
    assert rows[0, 8:12].tolist() == [0.0, 1.0, 0.5, 0.0]
    assert rows[:, 15].tolist() == [1, 0.5, 0.5, 1]
    group.visible = group.positions[:, 0] > 1
    assert positions(sprites.drawn()) == [2, 3]
    sprites.remove(group[:3])
    assert len(group) == 1
    assert group.positions[0].tolist() == [3, 0, 0]


def test_random_changes_leave_what_a_list_of_sprites_would_show() -> None:
    chance, sprites = random.Random(5), Sprites()
    model: list[Placed | SpriteGroup] = []
    for number in range(600):
        action = chance.choice(("sprite", "text", "group", "remove", "move", "layer", "string"))
        if action == "sprite":
            image = chance.choice((SHEET, OTHER))
            model.append(sprites.add(Sprite(image, (number, 0), layer=chance.randrange(3))))
        elif action == "text":
            model.append(
                sprites.add(Text("ab" * chance.randrange(1, 9), (number, 0), size=1, layer=chance.randrange(3)))
            )
        elif action == "group":
            places = [(number + part / 16, 0, 0) for part in range(chance.randrange(1, 9))]
            model.append(sprites.add_many(SHEET, places, sizes=(1, 1)))
        elif action == "remove" and len(model) > 5:
            sprites.remove(model.pop(chance.randrange(len(model))))
        elif model and isinstance(one := chance.choice(model), Placed):
            if action == "move":
                one.position = (-number, 1)
            elif action == "layer":
                one.layer = chance.randrange(3)
            elif action == "string" and isinstance(one, Text):
                one.string = "xyz" * chance.randrange(9)
        if chance.random() < 0.3:
            assert positions(sprites.drawn()) == expected(model)
    assert len(sprites.drawn().rows) > 100


def expected(model: list[Placed | SpriteGroup]) -> list[float]:
    found = []
    for one in model:
        if isinstance(one, SpriteGroup):
            found += [(0, x) for x in one.positions[:, 0].tolist()]
        else:
            count = len(one.string) if isinstance(one, Text) else 1
            found += [(one.layer, one.position[0])] * count
    return [x for _, x in sorted(found, key=lambda pair: pair[0])]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda sprites: Sprite(SHEET, (0, float("nan"))), r"Sprite\.position cannot be \(0, nan\)"),
        (lambda sprites: Sprite(SHEET, region=(8, 0, 9, 8)), r'region \(8, 0, 9, 8\) is not a part of "sheet"'),
        (lambda sprites: Sprite("sheet.png"), r"a sprite cannot show 'sheet\.png'"),
        (lambda sprites: Sprite(SHEET, space="hud"), r"Sprite\.space cannot be 'hud'"),
        (lambda sprites: Text(12, size=1), r"Text\.string cannot be 12"),
        (lambda sprites: sprites.add(SHEET), r"is no sprite"),
        (lambda sprites: sprites.add(sprites.add(Sprite(SHEET))), r"in a scene already"),
        (lambda sprites: sprites.remove(Sprite(SHEET)), r"not in this scene"),
        (lambda sprites: sprites.add_many(SHEET, np.zeros((2, 3)), sizes=(1, 1, 1)), r"sizes of 2 entities"),
        (
            lambda sprites: sprites.add_many(SHEET, np.zeros((1, 3)), sizes=1, regions=(0, 0, 99, 1)),
            r"is not a part of",
        ),
    ],
)
def test_wrong_values_are_refused_by_name(wrong, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        wrong(Sprites())
    assert caught.value.where is not None
    assert caught.value.where.file.endswith("test_sprite_rows.py")
