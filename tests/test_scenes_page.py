"""The examples of docs/scenes.md work as they stand."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from renderwright.engine import GameContext
from renderwright.engine.hud.layout import Hud
from renderwright.engine.scene import Mesh

PAGE = (Path(__file__).parents[1] / "docs" / "scenes.md").read_text(encoding="utf-8")


def test_its_examples_run_one_after_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    context = GameContext(hud=Hud(1280, 720))
    context.input.move_mouse((0.0, 0.25))
    context.input.begin_step()
    names: dict[str, Any] = {"context": context}
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    *setup, pick, lights, sky, layers, terrain, levels = blocks
    for block in setup:
        exec(compile(block, "docs/scenes.md", "exec"), names)
    scene, glm = names["scene"], names["glm"]
    assert scene.entities == (names["left"], names["right"])
    assert [len(group) for group in (names["stars"], names["everything"], names["chosen"])] == [0, 2, 2]
    scene.camera.position, scene.camera.target = glm.vec3(0, 0, 9), None
    names["pair"].position = scene.camera.position + 4.0 * scene.camera.ray((0.0, 0.25), 16 / 9).direction
    exec(compile(pick, "docs/scenes.md", "exec"), names)
    assert names["hit"].entity in (names["left"], names["right"])
    assert capsys.readouterr().out.startswith("box")
    exec(compile(lights, "docs/scenes.md", "exec"), names)
    exec(compile(sky, "docs/scenes.md", "exec"), names)
    assert scene.sun is None
    exec(compile(layers, "docs/scenes.md", "exec"), names)
    assert scene.pick(names["ray"], layers=scene.camera.layers).entity is names["right"]
    exec(compile(terrain, "docs/scenes.md", "exec"), names)
    assert_has_its_own_normals(names["ground"].mesh)
    exec(compile(levels, "docs/scenes.md", "exec"), names)
    triangles = [level.mesh.triangle_count for level in names["crates"][0].mesh.levels]
    assert names["fine"].triangle_count > triangles[0] > triangles[1] == 12
    assert len(names["ball"].mesh.levels) == 2


def assert_has_its_own_normals(mesh: Mesh) -> None:
    """The fronts of all triangles are where the normals point to, and tangents lie in the surface."""
    corners = mesh.vertices[mesh.indices.reshape(-1, 3)]
    sides = corners[:, 1:, 0:3] - corners[:, :1, 0:3]
    fronts = np.cross(sides[:, 0], sides[:, 1])
    fronts /= np.linalg.norm(fronts, axis=1, keepdims=True)
    assert (np.einsum("ti,tci->tc", fronts, corners[..., 3:6]) > 0.95).all()
    assert np.abs(np.einsum("vi,vi->v", mesh.vertices[:, 3:6], mesh.vertices[:, 8:11])).max() < 1e-5
