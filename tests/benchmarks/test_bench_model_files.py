"""The table of model files: every kind of outcome is told from the others."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from benchmarks.model_outcomes import CRASHED, EMPTY, NOTED, REFUSED, SHOWN, UNSEEN, outcome
from benchmarks.models import CASES, command, write_model
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model file of each kind, by its name."""
    write_model(tmp_path / "shown.glb", CASES[0], 200)
    data = (tmp_path / "shown.glb").read_bytes()
    length = int.from_bytes(data[12:16], "little")
    document, binary = json.loads(data[20 : 20 + length]), data[28 + length :]

    def save(name: str, **changes: Any) -> None:
        (tmp_path / "data.bin").write_bytes(binary)
        buffers = [{"uri": "data.bin", "byteLength": len(binary)}]
        (tmp_path / f"{name}.gltf").write_text(json.dumps({**document, "buffers": buffers, **changes}))

    save("noted", nodes=[{"mesh": 0, "extensions": {"EXT_glitter": {}}}])
    save("empty", nodes=[])
    save("refused", nodes=[{"mesh": 1}])
    save("unseen", nodes=[{"mesh": 0, "scale": [1, 0, 0]}])
    return tmp_path


def test_each_file_has_its_outcome(folder: Path, backend: VulkanBackend) -> None:
    kinds = {path.stem: outcome(path, backend).kind for path in folder.iterdir() if path.suffix != ".bin"}
    assert kinds == {kind: kind for kind in (SHOWN, NOTED, EMPTY, REFUSED, UNSEEN)}


def test_any_other_error_is_a_row(folder: Path, backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(path: Path) -> None:
        raise ZeroDivisionError("no way out")

    monkeypatch.setattr("benchmarks.model_outcomes.load_gltf", broken)
    found = outcome(folder / "shown.glb", backend)
    assert found.kind == CRASHED
    assert "no way out" in found.lines[-1]


def test_the_table_has_a_row_for_each_file_and_counts_them(folder: Path, tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    level = logging.getLogger("renderwright.assets").level
    printed = CliRunner().invoke(command, [str(folder), "--pictures", str(pictures)])
    assert logging.getLogger("renderwright.assets").level == level, "later warnings are seen"
    assert printed.exit_code == 0, printed.output
    assert "EXT_glitter is not supported" in printed.output
    for kind in (SHOWN, NOTED, EMPTY, REFUSED, UNSEEN):
        assert f"     1 {kind}: " in printed.output
    assert sorted(path.name for path in pictures.iterdir()) == ["noted.gltf.png", "shown.glb.png", "unseen.gltf.png"]
