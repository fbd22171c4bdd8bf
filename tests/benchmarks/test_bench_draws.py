"""The benchmark of draws: what it counts is there, and is as few as it says."""

from __future__ import annotations

from contextlib import closing

import pytest
from click.testing import CliRunner

from benchmarks.draws import WAYS, CallCounter, DrawCost, collection, command, field, measure, rooms
from renderwright.engine.game import Game
from renderwright.engine.scene.primitives import sphere

ENTITIES = 300


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few texels and entities: nothing that is counted depends on them."""
    monkeypatch.setattr("benchmarks.draws.EXTENT", (96, 54))
    monkeypatch.setattr("benchmarks.draws.ENTITIES", ENTITIES)


@pytest.mark.vulkan
def test_commands_in_a_buffer_are_a_call() -> None:
    counter = CallCounter("")
    with closing(counter.backend):
        costs = {}
        for way in WAYS[:2]:
            assert counter.choose(way)
            costs[way] = measure(counter, collection(100, own_images=True), frames=2)
        before, now = (costs[way] for way in WAYS[:2])
        assert before.draws >= 5 * 100 > ENTITIES // 4
        assert now.draws <= 100 + 10
        assert min(now.still, now.changed, now.gpu) > 0
        assert counter.choose(WAYS[1])
        assert measure(counter, collection(100, own_images=False), frames=2).draws < 12
        assert measure(counter, field(300, culling=True), frames=2).gpu > 0


@pytest.mark.vulkan
def test_levels_of_detail_draw_fewer_triangles() -> None:
    counter = CallCounter("")
    with closing(counter.backend):
        finest, with_levels = (
            measure(counter, field(400, culling=True, levels=levels), frames=2).triangles for levels in (0, 2)
        )
        assert measure(counter, field(400, culling=False), frames=2).triangles is None
    assert finest is not None
    assert with_levels is not None
    assert finest % sphere(0.4).triangle_count == 0, "whole balls are listed"
    assert 0 < finest // sphere(0.4).triangle_count < 400, "of which some are out of view"
    assert 0 < with_levels < 0.5 * finest


@pytest.mark.vulkan
def test_rows_are_printed_as_they_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    printed: list[str] = []
    measured: list[int] = []
    monkeypatch.setattr("click.echo", lambda text="": printed.append(text))

    def measure_one(counter: CallCounter, game: type[Game], frames: int) -> DrawCost:
        measured.append(len(printed))
        return measure(counter, game, frames)

    monkeypatch.setattr("benchmarks.draws.measure", measure_one)
    monkeypatch.setattr("benchmarks.draws.SETTLING", 1)  # no figure is looked at
    monkeypatch.setattr("benchmarks.draws.EXTENT", (32, 18))
    ran = CliRunner().invoke(command, ["--frames", "2", "--materials", "2", "--instances", "20"])
    assert ran.exit_code == 0, ran.exception
    device, title, head, *_ = printed
    assert "32 x 18 texels" in device
    assert "300 entities" in title
    assert all(line.startswith(("│", "┃")) for line in printed if "GPU" in line and line is not device)
    assert measured[0] == 3, "before the first measurement: the device, a title and the heads"
    assert measured[1] == 4, "a row after each"
    assert {len(line) for line in printed[2 : measured[1]]} == {len(head)}
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in printed if line.startswith("│")]
    assert [row[1] for row in rows[-7:]] == ["off", "frusta", "occlusion", "0", "2", "frusta", "occlusion"]


@pytest.mark.vulkan
def test_balls_in_other_rooms_are_not_drawn() -> None:
    counter = CallCounter("")
    with closing(counter.backend):
        drawn, without = (measure(counter, rooms(450, occlusion=on), frames=2).triangles for on in (True, False))
        assert drawn is not None
        assert without is not None
        assert 0 < drawn < 0.5 * without
