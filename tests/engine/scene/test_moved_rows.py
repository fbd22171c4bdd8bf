"""What is computed anew: models of rows that move, and nothing else."""

from __future__ import annotations

import sys
import threading

import numpy as np
import pytest
from patience import PATIENCE
from pyglm import glm

from renderwright.engine.scene import Material, Scene, Transform
from renderwright.engine.scene import compiled_matrices as compiled
from renderwright.engine.scene.change_log import LENGTH, ChangeLog
from renderwright.engine.scene.compiled_matrices import COMPILED_FROM, ModelWriter
from renderwright.engine.scene.matrices import write_models
from renderwright.engine.scene.primitives import box
from renderwright.engine.scene.rows import RowSet, union

BOX, RED = box(), Material()


class Counter(ModelWriter):
    """Counts the models that are written."""

    def __init__(self) -> None:
        super().__init__(numba=False)
        self.written: list[int] = []

    def write(self, models: object, places: object, rows: np.ndarray, *rest: object) -> None:
        self.written.append(len(rows))
        super().write(models, places, rows, *rest)


def counted(count: int) -> tuple[Scene, Counter, list[glm.vec3]]:
    scene, counter = Scene(), Counter()
    scene._writer = scene._drawing._writer = counter
    scene.spawn_many(BOX, RED, np.zeros((count, 3)))
    return scene, counter, []


def test_models_at_rest_are_not_computed_again() -> None:
    scene, counter, _ = counted(1000)
    for alpha in (0.1, 0.2, 0.3):
        scene.begin_step()
        scene.draw_list(alpha)
    assert counter.written == [1000]
    one = scene.entities[3]
    for alpha in (0.1, 0.5, 0.7, 0.9):
        one.transform.position.x += 1.0
        scene.draw_list(alpha)
    scene.begin_step()
    last = scene.draw_list(0.2)
    assert scene.draw_list(0.8) is last
    assert counter.written[1:] == [1] * 5


def test_bounds_of_a_scene_at_rest_are_not_computed_again() -> None:
    scene, counter, _ = counted(10)
    scene.bounds()
    scene.bounds(shadow_casters_only=True)
    scene.begin_step()
    assert scene.bounds().radius > 0.0
    assert len(counter.written) == 1
    scene.entities[0].transform.position.x = 5.0
    assert scene.bounds().radius > 2.5
    assert len(counter.written) == 2


def test_a_vector_is_watched_while_a_game_holds_it() -> None:
    scene = Scene()
    entity = scene.spawn(BOX, RED)
    held = entity.transform.position
    for height in (1.0, 2.0):
        held.y = height
        scene.begin_step()
        assert scene.draw_list().models[0, 3, 1] == height
    assert scene._table.current._watched
    del held
    scene.draw_list()
    assert not scene._table.current._watched


def test_an_assigned_vector_is_copied() -> None:
    scene, size = Scene(), glm.vec3(2.0)
    entity = scene.spawn(BOX, RED, Transform(scale=size))
    size.x = 9.0
    assert entity.transform.scale == glm.vec3(2.0)


def test_both_ways_to_write_models_give_the_same_bits() -> None:
    pytest.importorskip("numba")
    loop = compiled.compiled()
    assert loop is not None
    random = np.random.default_rng(1)
    a = random.normal(size=(500, 10)).astype(np.float32)
    b = (a + random.normal(size=a.shape) * random.choice([0.0, 1e-4, 0.1, 1.0], (500, 1))).astype(np.float32)
    b[::9] = a[::9]
    for each in (a, b):
        each[:, 3:7] /= np.linalg.norm(each[:, 3:7], axis=1, keepdims=True)
    b[1::9, 3:7] = -a[1::9, 3:7]
    rows, places = random.permutation(500), random.permutation(500)
    for alpha in np.float32([0.0, 1e-9, 0.3, 0.999, 1.0]):
        found, expected = np.zeros((2, 500, 4, 4), np.float32)
        loop(found, places, rows, a, b, alpha)
        write_models(expected, places, rows, a, b, alpha)
        assert found.tobytes() == expected.tobytes()


def test_rotations_are_those_of_glm() -> None:
    random = np.random.default_rng(2)
    for _ in range(50):
        a, b = (glm.normalize(glm.quat(*random.normal(size=4).tolist())) for _ in range(2))
        alpha = float(random.random())
        packed = [np.float32([[1, 2, 3, *turn.to_tuple(), 1, 1, 1]]) for turn in (a, b)]
        model = np.zeros((1, 4, 4), np.float32)
        write_models(model, np.zeros(1, np.intp), np.zeros(1, np.intp), *packed, np.float32(alpha))
        expected = glm.mat4_cast(glm.normalize(glm.slerp(a, b, alpha)))
        assert np.allclose(model[0, :3, :3], np.array(expected.to_list())[:3, :3], atol=3e-6)


def test_numba_is_loaded_beside_the_frames_where_many_entities_move(monkeypatch: pytest.MonkeyPatch) -> None:
    loads, go_on = [], threading.Event()

    def load() -> None:
        loads.append(threading.current_thread())
        go_on.wait(PATIENCE)

    monkeypatch.setattr(compiled, "compiled", load)
    writer, rows = ModelWriter(), np.arange(COMPILED_FROM)
    models, packed = np.zeros((COMPILED_FROM, 4, 4), np.float32), np.ones((COMPILED_FROM, 10), np.float32)
    writer.write(models, rows[:-1], rows[:-1], packed, packed, 0.5)
    assert not loads
    for _ in range(3):
        writer.write(models, rows, rows, packed, packed, 0.5)
    go_on.set()
    assert writer._loader is not None
    writer._loader.join()
    assert loads == [writer._loader]
    assert models[-1, 3].tolist() == [1, 1, 1, 1]


def test_a_log_knows_what_changed_between_revisions() -> None:
    log = ChangeLog(100)
    log.note(np.array([1, 5]))
    log.note(np.array([5, 3]))
    found = log.between(0, 2), log.between(1, 2), log.between(0, 1), log.between(2, 2)
    assert [rows.tolist() for rows in found if rows is not None] == [[1, 3, 5], [5, 3], [1, 5], []]
    log.note(np.arange(51))
    assert log.between(2, 3) is None, "about everything"
    assert log.between(2, 1) is None
    for _ in range(LENGTH):
        log.note(np.array([7]))
    assert log.between(2, log.revision) is None, "too long ago"
    last = log.between(log.revision - LENGTH, log.revision)
    assert last is not None
    assert last.tolist() == [7]


def test_a_set_of_rows_does_not_grow_without_end() -> None:
    rows, all_rows = RowSet(), np.arange(100)
    for number in range(1000):
        rows.add(np.array([number % 100]))
        rows.add(all_rows)
    assert sum(len(piece) for piece in rows._pieces) < 1000
    assert rows.take().tolist() == all_rows.tolist()
    assert not rows
    assert union([]).tolist() == []
    assert sys.getrefcount(all_rows) == 2, "nothing is kept"
