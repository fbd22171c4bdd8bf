"""The museum's file, its building and its figures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pyglm import glm

from renderwright.engine.scene import Material, Ray, Scene, Transform
from renderwright.games.gallery.building import build
from renderwright.games.gallery.exhibits import Exhibits
from renderwright.games.gallery.figures import breath, mannequin, serpent
from renderwright.games.gallery.looks import make_looks
from renderwright.games.gallery.museum_file import FOLDER, Museum, load_museum, load_props
from renderwright.render.errors import AssetError

PROPS = load_props(make_looks())


@pytest.fixture(scope="module")
def museum() -> Museum:
    return load_museum(PROPS)


@pytest.mark.parametrize(
    ("old", "new", "message", "line"),
    [
        ("wall: teal", "wall: pink", "rooms.1.wall", "wall: pink"),
        ("low: [-6, -9]", "low: [7, -9]", "rooms.0: low has to be", "name: Hall"),
        ("kind: serpent", "kind: serpant", 'unknown kind of exhibit "serpant"', "kind: serpant"),
        ("levels: [5, 7, 3]", "levels: [5]", "stations", "levels: [5]"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path: Path, old: str, new: str, message: str, line: str) -> None:
    text = (FOLDER / "museum.yaml").read_text(encoding="utf-8").replace(old, new, 1)
    file = tmp_path / "museum.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(AssetError) as told:
        load_museum(PROPS, file)
    assert message in told.value.message
    assert told.value.where is not None
    assert line in text.splitlines()[told.value.where.line - 1]


def test_an_exhibit_may_be_any_prop(tmp_path: Path) -> None:
    text = (FOLDER / "museum.yaml").read_text(encoding="utf-8").replace("kind: serpent", "kind: stool", 1)
    file = tmp_path / "museum.yaml"
    file.write_text(text, encoding="utf-8")
    stool = {"stool": PROPS["bench"][:1]}
    museum = load_museum({**PROPS, **stool}, file)
    scene = Scene()
    alone = museum.model_copy(update={"exhibits": museum.exhibits[:1], "paintings": ()})
    Exhibits(scene, make_looks(), stool).show(alone)
    assert "stool" in [entity.name for entity in scene]


def test_a_piece_of_no_material_is_told_with_its_line(tmp_path: Path) -> None:
    text = (FOLDER / "props.yaml").read_text(encoding="utf-8").replace("material: leather", "material: lether", 1)
    file = tmp_path / "props.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(AssetError, match='unknown material "lether"') as told:
        load_props(make_looks(), file)
    assert told.value.hint == 'did you mean "leather"?'
    assert told.value.where is not None
    assert "lether" in text.splitlines()[told.value.where.line - 1]


def test_rooms_are_closed_but_for_doors_and_skylights(museum: Museum) -> None:
    scene = Scene()
    build(scene, museum, make_looks())
    random = np.random.default_rng(3)
    for room in museum.rooms:
        middle = glm.vec3(0.5 * (room.low[0] + room.high[0]), 1.2, 0.5 * (room.low[1] + room.high[1]))
        for way in random.normal(size=(60, 3)).tolist():
            direction = glm.normalize(glm.vec3(*way))
            hit = scene.pick(Ray(middle, direction))
            if hit is None:
                assert direction.y > 0.0, "only the sky is outside"
    hall = museum.rooms[0]
    up = scene.pick(Ray(glm.vec3(0.0, 1.0, 0.2), glm.vec3(0, 1, 0)))
    assert hall.skylight is not None
    assert up is None
    for door in museum.doors:
        through = glm.vec3(1, 0, 0) if door.wall == "x" else glm.vec3(0, 0, 1)
        start = glm.vec3(door.at[0], 1.5, door.at[1]) - through
        hit = scene.pick(Ray(start, through))
        assert hit is None or hit.distance > 2.0
    assert len(scene.probes) == len(museum.rooms)


@pytest.mark.parametrize("make", [mannequin, serpent, breath])
def test_figures_move_within_their_bounds(make: object) -> None:
    scene = Scene()
    character = make(Material()).spawn(scene, Transform())  # type: ignore[operator]
    seen = []
    for name in character.animations:
        character.play(name)
        for _ in range(4):
            for _ in range(12):
                scene.begin_step(1 / 30)
            draws = scene.draw_list(1.0)
            mesh = character.entities[0].mesh
            moved = mesh.moved_positions(draws.poses)
            assert (np.abs(moved - np.array(mesh.bounds.center)) <= np.array(mesh.reach) + 1e-3).all()
            seen.append(moved)
    assert max(np.abs(one - seen[0]).max() for one in seen) > 0.03
