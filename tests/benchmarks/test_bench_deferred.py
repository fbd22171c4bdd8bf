"""The benchmark of the deferred frame: all variants draw the same picture, and its tables are whole."""

from __future__ import annotations

from contextlib import ExitStack, closing

import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks.deferred import (
    BY_HAND,
    ONE_QUEUE,
    UNTIMED,
    WAYS,
    DeferredGraph,
    NodeClock,
    command,
    ends,
    measured_costs,
    variants,
)
from benchmarks.deferred_by_hand import BARRIERS
from benchmarks.deferred_frame import PASSES, Load, deferred_graph
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.operations import NodeOp
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.sync.queues import ALL_QUEUES, GRAPHICS
from renderwright.render.types.fullscreen import Fullscreen

SMALL = Load((80, 48), shadow=64, boxes=6)
FRAMES = 5


@pytest.mark.vulkan
@pytest.mark.parametrize("way", WAYS)
def test_the_picture_by_hand_is_that_of_the_graph(backend: VulkanBackend, way: Fullscreen) -> None:
    with ExitStack() as stack:
        found = variants(stack, backend, SMALL, way, ALL_QUEUES, NodeClock())
        pictures = []
        for _ in range(FRAMES):
            assert all(variant.frame() > 0.0 for variant in found.values())
            pictures.append({name: np.asarray(variant.picture()) for name, variant in found.items()})
        memory = {name: variant.memory for name, variant in found.items()}
    assert {BY_HAND, ONE_QUEUE, UNTIMED} <= set(found)
    for picture in pictures:
        assert all(np.array_equal(picture[BY_HAND], other) for other in picture.values())
    # The history shows, and so do the boxes.
    assert not np.array_equal(pictures[0][BY_HAND], pictures[-1][BY_HAND])
    assert pictures[-1][BY_HAND][..., :3].std() > 20.0
    assert memory[ONE_QUEUE] < memory[BY_HAND]


def test_each_pass_is_a_node_and_has_its_barriers() -> None:
    plan = _plan(CompileOptions())
    assert len(plan.graph.nodes) == len(PASSES) == 20
    assert {node.id for node in plan.graph.nodes} == {one.name for one in PASSES} == set(BARRIERS)


def test_the_ends_of_queues_are_the_first_and_last_timestamps_there() -> None:
    costs = tuple((one.name, 100.0) for one in sorted(PASSES, key=lambda one: one.name))
    plan = _plan(
        CompileOptions("declared", costs=costs, queues=ALL_QUEUES, unified_layouts=True, fullscreen=Fullscreen.COMPUTE)
    )
    queues = plan.queues.queues
    assert [op.node for op in plan.program.even if isinstance(op, NodeOp)] == list(range(len(queues)))
    beside = [number for number, queue in enumerate(queues) if queue != GRAPHICS]
    assert [plan.graph.nodes[number].id for number in beside] == ["occlusion", "blur across", "blur along"]
    assert ends(queues) == {0, 2 * len(queues) - 1, 2 * beside[0], 2 * beside[-1] + 1}


@pytest.mark.vulkan
def test_the_clock_keeps_only_the_ends() -> None:
    clock = NodeClock()
    with closing(VulkanBackend(validate=True, wrap=clock.wrap)) as backend:
        options = CompileOptions(fullscreen=Fullscreen.FRAGMENT)
        for only_ends, expected in ((False, 2 * len(PASSES)), (True, 2)):
            with closing(DeferredGraph(backend, SMALL, options, clock, only_ends=only_ends)) as graph:
                for slot in (0, 1, 0):
                    graph.frame()
                    assert sum(time > 0 for time in backend.timestamps(slot)) == expected
    assert backend.validation_messages == []


@pytest.mark.vulkan
def test_queues_are_assigned_by_measured_costs(backend: VulkanBackend) -> None:
    measured = measured_costs(backend, SMALL, CompileOptions(fullscreen=Fullscreen.COMPUTE), NodeClock())
    assert {name for name, _ in measured.costs} == {one.name for one in PASSES}
    assert all(cost > 0.0 for _, cost in measured.costs)


@pytest.mark.vulkan
def test_the_tables() -> None:
    options = ["--size", "64x36", "--shadow", "32", "--boxes", "4", "--frames", "3"]
    ran = CliRunner().invoke(command, options, terminal_width=200)
    assert ran.exit_code == 0, ran.output
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in ran.output.splitlines() if line[:1] == "│"]
    measured = [row for row in rows if row[1]]
    assert [row[0] for row in measured if row[0] == BY_HAND] == [BY_HAND] * len(WAYS)
    assert all(float(cell) > 0.0 for row in measured for cell in row[1:6])
    assert {row[6] for row in measured} == {"equal"}


def _plan(options: CompileOptions) -> Plan:
    graph = deferred_graph(SMALL)
    assert graph.declare() == ()
    return compile_snapshot(graph.snapshot(), graph.sizes(), options, RowMajorModel())
