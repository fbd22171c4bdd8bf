"""Grading shows what tables say, tetrahedron by tetrahedron, in live settings and in nothing at a strength of 0."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from cube_model import encoded, graded
from playing import frames_of
from view_scenes import change_settings, session_of

import renderwright.plugins.grading as grading
from renderwright.engine.plugins import PluginState
from renderwright.plugins.grading.cube_file import ColorTable, read_cube_file
from renderwright.plugins.grading.looks import SHIPPED
from renderwright.render import UsageError
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

EXTENT = (48, 32)


def written(folder: Path, table: ColorTable) -> str:
    path = folder / "table.cube"
    sizes = f"LUT_1D_SIZE {len(table.curve)}\nLUT_3D_SIZE {len(table.cube)}\n"
    entries = np.concatenate([table.curve, table.cube.reshape(-1, 3)])
    path.write_text(sizes + "".join(f"{r:.7f} {g:.7f} {b:.7f}\n" for r, g, b in entries), encoding="utf-8")
    return str(path)


def random_table(seed: int) -> ColorTable:
    rng = np.random.default_rng(seed)
    domain = ((0.0,) * 3, (1.0,) * 3)
    curve = np.sort(rng.uniform(0.0, 1.0, (7, 3)), axis=0).astype(np.float32)
    return ColorTable(curve, domain, rng.uniform(0.0, 1.0, (4, 4, 4, 3)).astype(np.float32), domain)


def shown(make_effect, picture: np.ndarray, **settings) -> np.ndarray:
    """The graded picture, sRGB from 0 to 255."""
    bench = make_effect(
        grading, grading.GradingSettings(**settings), {"source": picture}, ("tone/grading/grade",), "tone"
    )
    bench.frames()
    return bench.texels("tone/grading/grade")[..., :3].astype(float)


def colors(seed: int = 5) -> np.ndarray:
    """Linear light, with its extremes and greys."""
    picture = np.random.default_rng(seed).uniform(0.0, 1.0, (24, 32, 3)).astype(np.float32)
    picture[0] = np.linspace(0.0, 1.0, 32)[:, None]
    picture[1, :8] = [[r, g, b] for r in (0, 1) for g in (0, 1) for b in (0, 1)]
    return picture


def test_colours_are_those_of_the_table(make_effect, tmp_path: Path) -> None:
    table = random_table(1)
    found = shown(make_effect, colors(), look=written(tmp_path, table))
    assert np.abs(found - 255.0 * graded(table, encoded(colors()))).max() <= 1.0


def test_strength_is_the_share_of_the_graded_colour(make_effect, tmp_path: Path) -> None:
    table = random_table(2)
    plain = encoded(colors())
    found = shown(make_effect, colors(), look=written(tmp_path, table), strength=0.25)
    assert np.abs(found - 255.0 * (0.75 * plain + 0.25 * graded(table, plain))).max() <= 1.0


def test_a_table_that_changes_nothing_changes_nothing(make_effect, tmp_path: Path) -> None:
    path = tmp_path / "same.cube"
    entries = "".join(f"{r} {g} {b}\n" for b in (0, 0.5, 1) for g in (0, 0.5, 1) for r in (0, 0.5, 1))
    path.write_text(f"LUT_3D_SIZE 3\n{entries}", encoding="utf-8")
    values = np.arange(256, dtype=np.uint8)
    every = np.stack([values, values[::-1], np.roll(values, 77)], axis=-1).reshape(16, 16, 3)
    assert np.array_equal(shown(make_effect, every, look=str(path)), every)


def test_a_shipped_look_is_the_table_of_its_file(make_effect) -> None:
    table = read_cube_file(SHIPPED / "warm.cube")
    found = shown(make_effect, colors(), look="warm")
    assert np.abs(found - 255.0 * graded(table, encoded(colors()))).max() <= 1.0


def test_looks_change_in_a_running_game_and_a_wrong_one_is_refused(backend: VulkanBackend, tmp_path: Path) -> None:
    session = session_of(backend, EXTENT, enable=("grading",))
    try:
        warm = frames_of(session, 2)[-1]
        change_settings(session, {"grading.look": "cold"})
        cold = frames_of(session, 1)[-1]
        assert not np.array_equal(warm, cold)
        wrong = tmp_path / "wrong.cube"
        wrong.write_text("LUT_3D_SIZE 2\n0 0 0\n0 zero 0\n", encoding="utf-8")
        with pytest.raises(UsageError, match=r"wrong\.cube:3"):
            change_settings(session, {"grading.look": str(wrong)})
        assert session.plugins.status("grading").state is PluginState.ENABLED
        assert np.array_equal(frames_of(session, 1)[-1], cold)
        change_settings(session, {"grading.strength": "0"})
        plain = frames_of(session, 1)[-1]
        assert "grading/grade" not in session.graph.node_names
        session.toggle("grading")
        assert np.array_equal(frames_of(session, 1)[-1], plain)
    finally:
        session.close()


def test_players_share_one_table(backend: VulkanBackend) -> None:
    session = session_of(backend, (96, 32), players=2, enable=("grading", "split_screen"))
    try:
        frames_of(session, 1)
        graph = session.runtime.plan.graph
        assert [resource.id for resource in graph.resources if "grading/table" in resource.resource.names] == [
            "grading/table"
        ]
        assert sum(node.declaration.name == "grading/grade" for node in graph.nodes) == 2
    finally:
        session.close()
