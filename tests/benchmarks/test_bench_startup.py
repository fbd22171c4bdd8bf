"""The benchmark of start-up: every stage is measured, and peers that are not installed are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.startup import ALL_PEERS, COLD, PEERS, WARM, Cost, Peer, Processes, measure, table_of
from renderwright.render.errors import UsageError

STAGES = ["imports", "game.setup", "first frame submitted", "first frame drawn", "sum"]


GAME = """from renderwright.engine import Game


class Small(Game):
    skeleton = "flat"
    plugins = ()
"""
"""A game with few shaders to compile."""


@pytest.mark.vulkan
def test_every_stage_and_peer_is_measured(tmp_path: Path) -> None:
    bare = ALL_PEERS[0]
    game = tmp_path / "small.py"
    game.write_text(GAME)
    costs = measure(str(game), runs=1, peers=[bare, Peer("none", "startup_none", "no_such_module")])
    assert list(costs) == [WARM, COLD, PEERS]
    for group in (WARM, COLD):
        stages = costs[group]
        assert list(stages)[: len(STAGES)] == STAGES
        assert all(cost.wall > 0.0 for cost in stages.values())
        parts = [stages[stage] for stage in STAGES[:-1]]
        assert sum(part.cpu for part in parts) == pytest.approx(stages["sum"].cpu)
    assert list(costs[PEERS]) == [bare.title]


def test_a_process_that_fails_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no_such_game"):
        Processes(tmp_path).stages("no_such_game", tmp_path)


def test_the_table_has_a_row_for_each_stage_and_peer() -> None:
    costs = {WARM: {"imports": Cost(1.0, 0.5, 2.0)}, PEERS: {"other": Cost(0.25, None, 0.5)}}
    table = table_of(costs, ALL_PEERS[1:2], "title")
    cells = [list(column.cells) for column in table.columns]
    assert cells[1] == ["", "1.00", "", "0.25", "not installed"]
    assert cells[2] == ["", "0.50", "", "-", "-"]
    assert cells[3] == ["", "2.00", "", "0.50", "-"]
