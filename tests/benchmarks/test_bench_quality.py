"""``renderwright bench quality``: it is found, its tables have a row for each way, and its reference is right."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import PIL.Image
import pytest
from rich.console import Console

from benchmarks.quality import tables
from benchmarks.quality.ball_in_environment import Surface, integrated, seen_points
from benchmarks.quality.effect_table import cells, chosen_effects, effect_table
from benchmarks.quality.pictures import PictureFolder
from benchmarks.quality.row import Row, compared
from renderwright.engine.cli.bench import Benchmarks
from renderwright.engine.scene import Panorama
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import UsageError


def test_a_benchmark_may_be_a_package() -> None:
    commands = Benchmarks("bench")
    context = commands.make_context("bench", ["quality"])
    assert {"memory", "quality"} <= set(commands.list_commands(context))
    assert "references" in (commands.get_command(context, "quality").help or "")


def test_an_effect_that_is_not_measured_is_named() -> None:
    assert list(chosen_effects(["fog", "ssao"])) == ["ssao", "fog"]
    with pytest.raises(UsageError, match="there is no measurement") as error:
        chosen_effects(["fogg"])
    assert '"fog"' in (error.value.hint or "")


def test_a_row_says_whether_it_is_near_enough() -> None:
    assert cells(Row("a", "b", "FLIP", 0.2, 0.1, 0.1))[3:] == ("0.2000", "0.1000", "0.1000", "yes")
    assert cells(Row("a", "b", "FLIP", None, 0.11, 0.1))[3:] == ("", "0.1100", "0.1000", "NO")


def test_the_bound_is_the_tighter_of_a_fixed_one_and_a_share_of_what_was_there_before() -> None:
    right = np.zeros((16, 16, 3), np.float32)
    far, near = right + np.float32(0.5), right + np.float32(0.01)
    loose, tight = (compared("a", "b", right, far, near, most=most, share=0.5) for most in (1.0, 0.01))
    assert loose.without is not None
    assert loose.bound == pytest.approx(0.5 * loose.without)
    assert tight.bound == 0.01


@pytest.mark.vulkan
def test_a_table_of_one_effect(backend: VulkanBackend, tmp_path: Path) -> None:
    table = effect_table(backend, chosen_effects(["fog"]), PictureFolder(tmp_path).keep, markdown=True)
    console = Console(width=150, record=True)
    console.print(table)
    text = console.export_text()
    assert "| fog " in text
    assert " yes " in text
    assert PIL.Image.open(tmp_path / "fog.png").size == (960, 540)


@pytest.mark.vulkan
def test_the_table_of_environments(monkeypatch: pytest.MonkeyPatch, backend: VulkanBackend) -> None:
    monkeypatch.setattr(tables, "ROUGHNESSES", (0.8,))
    monkeypatch.setattr(tables, "SURFACES", {"red paint": tables.SURFACES["red paint"]})
    table = tables.environment_table(backend, 12)
    console = Console(width=100, record=True)
    console.print(table)
    text = console.export_text()
    assert "red paint" in text
    assert "0.8" in text


def test_the_integral_is_right_where_it_is_known() -> None:
    """In a white room: a grey metal of alpha 1 seen along its normal, with all bounces; grey paint."""
    white = Panorama(np.ones((64, 128, 3), np.float32))
    _, normals, eyes = seen_points(9)
    middle = int(np.argmax(np.sum(normals * eyes, axis=-1)))
    metal = integrated(Surface((0.5, 0.5, 0.5), 1.0, 1.0), white, normals[[middle]], eyes[[middle]])
    assert metal[0, 0] == pytest.approx((2.0 - np.log(2.0)) / 4.0, abs=0.005)
    lambert = integrated(Surface((0.5, 0.5, 0.5), 0.0, 1.0), white, normals[[middle]], eyes[[middle]])
    assert 0.45 < lambert[0, 0] < 0.52
