"""A scene in arrays draws what a scene of plain objects draws, whatever happens to it."""

from __future__ import annotations

import numpy as np
import pytest
from pyglm import glm
from scene_twins import Twins

from renderwright.engine.renderer.gpu_scene import GpuScene
from renderwright.engine.renderer.instances import INSTANCE
from renderwright.engine.renderer.material_table import MATERIAL
from renderwright.engine.scene import DrawList
from renderwright.engine.scene.draw_list import models_before
from renderwright.render.backend.null import NullBackend

NO_HUD = np.zeros((0, 8), np.float32)


def check_draw_list(twins: Twins, drawn: DrawList, alpha: float) -> None:
    order, batches = twins.plain.drawn()
    assert list(drawn.batches) == batches
    assert drawn.numbers.tolist() == [thing.number for thing in order]
    expected = np.array([thing.model(alpha) for thing in order]).reshape(-1, 4, 4)
    np.testing.assert_allclose(drawn.models, expected, rtol=1e-4, atol=2e-5)


def check_bounds(twins: Twins) -> None:
    for casting in (False, True):
        found = twins.scene.bounds(shadow_casters_only=casting)
        expected = twins.plain.bounds(shadow_casters_only=casting)
        np.testing.assert_allclose(tuple(found.center), tuple(expected.center), rtol=1e-4, atol=1e-4)
        assert found.radius == pytest.approx(expected.radius, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("seed", range(40))
def test_draw_lists_and_bounds_are_those_of_plain_objects(seed: int) -> None:
    twins = Twins(seed)
    alphas = np.random.default_rng(seed).choice([0.0, 0.25, 1.0], 150)
    kept: list[tuple[DrawList, np.ndarray]] = []
    for alpha in alphas.tolist():
        for _ in range(twins.random.integers(1, 4)):
            twins.act()
        drawn = twins.scene.draw_list(alpha)
        check_draw_list(twins, drawn, alpha)
        if twins.random.random() < 0.3:
            check_bounds(twins)
        kept.append((drawn, drawn.models.copy()))
        if twins.random.random() < 0.5:
            kept.pop(twins.random.integers(len(kept)))
    assert all((drawn.models == models).all() for drawn, models in kept)
    assert {entity.number for entity in twins.scene} == {thing.number for thing in twins.plain.things}
    for entity, thing in twins.pairs:
        assert glm.distance(entity.transform.position, thing.place.position) < 1e-5
        assert glm.distance(entity.previous.position, thing.previous.position) < 1e-5


@pytest.mark.parametrize("seed", range(40, 60))
def test_patched_buffers_hold_what_is_drawn(seed: int) -> None:
    twins, gpu = Twins(seed), GpuScene(NullBackend())
    before = gpu.previous._now
    for frame in range(100):
        for _ in range(twins.random.integers(0, 3)):
            twins.act()
        now = twins.scene.draw_list(float(twins.random.choice([0.5, 1.0])))
        gpu.update(now, NO_HUD, frame % 2)
        instances = np.frombuffer(gpu.instances.data, INSTANCE, len(now.models))
        assert (instances["model"] == now.models).all()
        materials = np.frombuffer(gpu.materials.data, MATERIAL, gpu.materials.info.size // MATERIAL.itemsize)
        for batch in now.batches:
            numbers = instances["material"][batch.first : batch.first + batch.count]
            assert (materials["base_color"][numbers[:, 0]] == np.float32(batch.material.base_color)).all()
        if twins.random.random() < 0.7:  # they are made on demand
            expected = models_before(before, now)
            previous = np.frombuffer(gpu.previous.buffer.data, np.float32, now.models.size).reshape(-1, 4, 4)
            assert (previous == expected).all()
            moved = (expected != now.models).any(axis=(1, 2))
            assert np.array_equal(gpu.previous.moved, np.flatnonzero(moved))
        before = now
    gpu.close()
