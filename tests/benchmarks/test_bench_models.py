"""The benchmark of loading: its models are what they say, and it prints a row of each."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.models import CASES, Case, command, write_model
from renderwright.engine.scene.gltf import load_gltf


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_its_models_have_their_triangles(tmp_path: Path, case: Case) -> None:
    small = replace(case, meshes=min(case.meshes, 20))
    write_model(tmp_path / "model.glb", small, 20_000)
    model = load_gltf(tmp_path / "model.glb")
    assert model.notices == ()
    assert len(model.parts) == small.meshes
    assert sum(part.mesh.triangle_count for part in model.parts) == pytest.approx(20_000, rel=0.05)


def test_it_prints_a_row_for_each_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.models.CASES", CASES[:3])
    printed = CliRunner().invoke(command, ["--triangles", "20000", "--runs", "1"])
    assert printed.exit_code == 0, printed.output
    assert all(case.name in printed.output for case in CASES[:3])
