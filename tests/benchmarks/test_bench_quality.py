"""``framewright bench quality``: it is found, its tables have a row for each way, and its reference is right."""

from __future__ import annotations

import numpy as np
import pytest
from rich.console import Console

from benchmarks.quality import tables
from benchmarks.quality.ball_in_environment import Surface, integrated, seen_points
from engine.cli.bench import Benchmarks
from engine.scene import Panorama
from render.backend.vulkan.backend import VulkanBackend


def test_a_benchmark_may_be_a_package() -> None:
    commands = Benchmarks("bench")
    context = commands.make_context("bench", ["quality"])
    assert {"memory", "quality"} <= set(commands.list_commands(context))
    assert "references" in (commands.get_command(context, "quality").help or "")


@pytest.mark.vulkan
def test_the_table_of_environments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "ROUGHNESSES", (0.8,))
    monkeypatch.setattr(tables, "SURFACES", {"red paint": tables.SURFACES["red paint"]})
    backend = VulkanBackend()
    try:
        table = tables.environment_table(backend, 12)
    finally:
        backend.close()
    console = Console(width=100, record=True)
    console.print(table)
    text = console.export_text()
    assert "red paint" in text
    assert "0.8" in text


def test_the_integral_is_right_where_it_is_known() -> None:
    """In a white room: a rough metal of alpha 1 seen along its normal reflects 1 - ln 2."""
    white = Panorama(np.ones((64, 128, 3), np.float32))
    _, normals, eyes = seen_points(9)
    middle = int(np.argmax(np.sum(normals * eyes, axis=-1)))
    metal = integrated(Surface((1.0, 1.0, 1.0), 1.0, 1.0), white, normals[[middle]], eyes[[middle]])
    assert metal[0, 0] == pytest.approx(1.0 - np.log(2.0), abs=0.005)
    lambert = integrated(Surface((0.5, 0.5, 0.5), 0.0, 1.0), white, normals[[middle]], eyes[[middle]])
    assert 0.45 < lambert[0, 0] < 0.52
