"""New nodes are declared behind the frames of the old plan, a few each."""

from __future__ import annotations

from typing import Any

import pytest
from beside_frames import Running, frames_until

NAMES = ("b", "c", "d")


@pytest.fixture
def declared(slowly: Running, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The nodes that have been declared since."""
    names: list[str] = []
    add_node = slowly.graph.add_node

    def noting(name: str, declare: Any, **others: Any) -> None:
        def noted(reg: Any) -> Any:
            names.append(name)
            return declare(reg)

        add_node(name, noted, **others)

    monkeypatch.setattr(slowly.graph, "add_node", noting)
    return names


def add_all(running: Running) -> None:
    for name in NAMES:
        running.add(name)


def test_a_frame_declares_one_and_the_plan_of_all_of_them_comes(slowly: Running, declared: list[str]) -> None:
    add_all(slowly)
    counts = []
    while not slowly.worker.busy:
        declared.clear()
        assert slowly.frame() == ["a"]
        assert slowly.runtime.behind
        counts.append(len(declared))
    assert counts == [1, 1, 1]
    slowly.worker.work()
    frames_until(slowly, ["a", *NAMES])


def test_whoever_waits_meanwhile_has_the_plan_in_the_next_frame(slowly: Running) -> None:
    add_all(slowly)
    slowly.frame()
    slowly.runtime.finish_compile()
    assert slowly.frame() == ["a", *NAMES]


def test_a_resize_meanwhile_is_in_the_next_frame(slowly: Running, declared: list[str]) -> None:
    add_all(slowly)
    slowly.frame()
    slowly.graph.set_resolution("size", (64, 8))
    assert slowly.frame() == ["a"]
    assert slowly.extents["a"] == (64, 8)
    assert len(declared) < len(NAMES)


def test_another_format_of_the_target_waits_for_no_declaration(slowly: Running) -> None:
    add_all(slowly)
    slowly.frame()
    slowly.graph.set_external_format("window", "bgra8_unorm")
    assert slowly.frame() == ["a", *NAMES]


def test_a_node_that_fails_while_it_runs_takes_the_others_with_it_into_the_next_frame(slowly: Running) -> None:
    def fail() -> None:
        if broken:
            raise RuntimeError("broken")

    broken: list[bool] = []
    slowly.add("bad", fail=fail)
    slowly.make_plan()
    frames_until(slowly, ["a", "bad"])
    add_all(slowly)
    slowly.frame()
    broken.append(True)
    slowly.frame()
    assert [failure.node for failure in slowly.failures] == ["bad"]
    assert slowly.frame() == ["a", *NAMES]


def test_a_node_that_cannot_be_declared_is_reported_once(slowly: Running) -> None:
    def declare(reg: Any) -> None:
        raise ValueError("no")

    slowly.add("b")
    slowly.graph.add_node("bad", declare)
    slowly.add("c")
    slowly.make_plan()
    frames_until(slowly, ["a", "b", "c"])
    assert [failure.node for failure in slowly.failures] == ["bad"]


def test_nodes_that_change_in_each_frame_are_shown(slowly: Running) -> None:
    frames = []
    for _ in range(20):
        add_all(slowly)
        if slowly.worker.busy:
            slowly.worker.work()
        frames.append(slowly.frame())
    assert ["a", *NAMES] in frames
