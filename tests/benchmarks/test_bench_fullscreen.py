"""The benchmark of full-screen nodes: both ways run what they say, and its tables are whole."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from benchmarks.fullscreen import FETCHES, command, play, ways_of_nodes
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.types.fullscreen import Fullscreen

pytestmark = pytest.mark.vulkan


def test_the_two_ways_are_what_they_say() -> None:
    found = play("marbles", ("ssao",), (64, 36), 5, queues=(GRAPHICS,))
    drawn, computed = found[Fullscreen.FRAGMENT], found[Fullscreen.COMPUTE]
    assert set(drawn.times.nodes) == set(computed.times.nodes)
    assert all(one.times.frame >= max(one.times.nodes.values()) for one in found.values())

    def dispatched(plan) -> set[str]:
        return {
            node.id for node in plan.graph.nodes if any(one.kind == "compute" for one in node.declaration.pipelines)
        }

    ways = ways_of_nodes(computed.plan)
    changed = dispatched(computed.plan) - dispatched(drawn.plan)
    assert "ssao/search" in changed
    assert {node for node, way in ways.items() if way == "yes"} == changed
    assert set(ways.values()) == {"yes"}


def test_the_tables() -> None:
    options = ["--size", "32x18", "--frames", "5", "--least", "0", "--enable", "taa"]
    ran = CliRunner().invoke(command, options)
    assert ran.exit_code == 0, ran.output
    first = ran.output.partition("Milliseconds")[0]
    assert "marbles with taa, 32 x 18 texels, 5 frames each way" in first
    assert "above 1, compute is faster" in first
    assert "--fullscreen auto takes fragment here" in first or "--fullscreen auto takes compute here" in first
    rows = [
        [cell.strip() for cell in line.split("│")[1:-1]] for line in ran.output.splitlines() if line.startswith("│")
    ]
    named = {row[0]: row[1:] for row in rows}
    assert {"taa/resolve", "deferred_lighting", "opaque", "the frame"} <= set(named)
    assert named["taa/resolve"][0] == "yes"
    assert float(named["the frame"][1]) > 0.0
    assert float(named["the frame"][2]) > 0.0
    assert {str(count) for count in FETCHES} <= set(named)
