"""Which nodes a device that does not go on is working on."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from renderwright.render.runtime.times.gpu_clock import TimedNode
from renderwright.render.runtime.times.unfinished import unfinished_nodes

TIMED = (
    TimedNode("a", 0, "graphics"),
    TimedNode("b", 2, "graphics"),
    TimedNode("c", 4, "compute"),
    TimedNode("d", 6, "graphics", 2),
)


def plan(*passes: str) -> Any:
    """A plan whose passes have the nodes of these letters."""
    nodes = [SimpleNamespace(id=letter) for letter in "".join(passes)]
    ends = [sum(map(len, passes[: number + 1])) for number in range(len(passes))]
    ranges = [SimpleNamespace(first=end - len(one), last=end - 1) for one, end in zip(passes, ends, strict=True)]
    return SimpleNamespace(graph=SimpleNamespace(nodes=nodes), pass_plan=SimpleNamespace(passes=ranges))


@pytest.mark.parametrize(
    ("passed", "working"),
    [
        ("", "ac"),
        ("1", "ac"),
        ("11", "bc"),
        ("111", "bc"),
        ("0001", "cd"),  # a's word was lost, but the queue is past b
        ("111111", "d"),
        ("1111111", "d"),
        ("111111" + "1100", "d"),
        ("111111" + "1111", ""),
    ],
)
def test_the_first_node_of_each_queue_that_is_not_over(passed: str, working: str) -> None:
    found = unfinished_nodes(plan("a", "b", "c", "d"), TIMED, [bit == "1" for bit in passed])
    assert "".join(sorted(node.id for node in found)) == working


def test_all_nodes_of_the_render_pass_may_be_it() -> None:
    passed = [True, True, False, False, True, True]
    assert [node.id for node in unfinished_nodes(plan("a", "c", "bd"), TIMED, passed)] == ["b", "d"]
