"""Frames of a plan that skip other nodes share the command buffers of the nodes that both run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from beside_frames import Running

from renderwright.render.runtime.lowering import frame_building
from renderwright.render.runtime.lowering.segments import Segment
from renderwright.render.types.resources import Texture


def add(running: Running, name: str, every: int = 1) -> None:
    """A node that keeps its commands, and draws to a texture of its own in one of ``every`` frames."""

    def declare(reg: Any) -> Callable[[Any], None]:
        reg.create(name, Texture("rgba8_unorm", reg.resolution("size"))).color()
        reg.side_effects()
        reg.stable()
        if every > 1:
            reg.every(every)
        pipeline = reg.graphics(f"{name}.frag")
        return lambda cmd: cmd.draw(pipeline)

    running.shader(name)
    running.graph.add_node(name, declare)


def test_a_frame_that_skips_one_node_more_gets_few_command_buffers(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frame_building, "MOST_ITEMS", 1)
    made: list[str] = []
    create = running.backend.create_commands

    def noted(slot: int, queue: str, name: str) -> Any:
        made.append(name)
        return create(slot, queue, name)

    monkeypatch.setattr(running.backend, "create_commands", noted)
    for name in ("b", "c", "rare", "x", "y"):
        add(running, name, every=3 if name == "rare" else 1)
    running.frame()
    running.worker.work()
    for _ in range(2):
        made.clear()
        running.frame()
        assert len(made) >= 5
    for _ in range(4):  # each slot has a frame with "rare" and one without
        made.clear()
        running.frame()
        assert len(made) <= 2


def test_segments_that_are_settled_in_one_frame_are_not_looked_at_in_another(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frame_building, "MOST_ITEMS", 1)
    looks: list[Segment] = []
    update = Segment.update

    def noted(segment: Segment, *rest: Any) -> None:
        looks.append(segment)
        update(segment, *rest)

    monkeypatch.setattr(Segment, "update", noted)
    for name in ("b", "c", "rare", "x", "y"):
        add(running, name, every=3 if name == "rare" else 1)
    running.graph.remove_node("a")  # its commands are recorded in each frame
    running.frame()
    running.worker.work()
    for _ in range(12):
        running.frame()
    looks.clear()
    for _ in range(6):
        running.frame()
    assert looks == []
