"""The benchmark of games: CPU times still and in action, times of plugins on the GPU, and its tables."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from benchmarks.games import GameCost, cpu_table, gpu_table, measure
from renderwright.render.backend.vulkan.backend import VulkanBackend


@pytest.mark.vulkan
def test_a_game_is_measured_still_and_in_action(backend: VulkanBackend) -> None:
    cost = measure(backend, "drift", (48, 27), frames=6)
    assert len(cost.still) == len(cost.steps) == len(cost.rendered) == 6
    assert min(cost.still) > 0.0
    assert sum(cost.steps) > 0.0
    assert {"(engine)", "bloom", "tonemap"} <= set(cost.gpu)
    assert all(seconds > 0.0 for seconds in cost.gpu.values())


def text(table: object) -> str:
    console = Console(width=120, record=True, file=StringIO())
    console.print(table)
    return console.export_text()


COST = GameCost("duel", [0.001] * 3, [0.001, 0.002, 0.003], [0.004] * 3, {"bloom": 0.0005, "shadows": 0.002})


def test_the_share_is_that_of_a_sixtieth() -> None:
    row = next(line for line in text(cpu_table([COST], "title")).splitlines() if "duel" in line)
    assert [cell.strip() for cell in row.strip("│ ").split("│")] == [
        "duel", "1.00", "6.0%", "6.00", "7.00", "2.00", "4.00", "36.0%",
    ]  # fmt: skip


def test_plugins_that_take_longest_come_first() -> None:
    lines = text(gpu_table([COST], "title")).splitlines()
    rows = [line for line in lines if "duel" in line]
    assert ["shadows" in rows[0], "bloom" in rows[1], "2.00" in rows[0]] == [True] * 3
