"""The cases of the Vulkan guide's synchronization examples that need several queues, each as a graph.

Semaphores are waited for by all commands here. An acquiring barrier has no source: its first half does not count.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "compiler"))
sys.path.insert(0, str(Path(__file__).parents[1] / "inspect"))

from declare_helpers import BYTES, create, external, node, read, rename
from feature_checks import compiled
from plan_mutants import mutants

from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.requests import NodeDeclaration
from renderwright.render.graph.snapshot import GraphSnapshot
from renderwright.render.inspect.frames import frame_plans
from renderwright.render.inspect.plan_stream import judge
from renderwright.render.sync.barriers import Barrier
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.types.usages import Usage

COPY, FRAGMENT, OUTPUT = Stage.COPY | Stage.CLEAR, Stage.FRAGMENT_SHADER, Stage.COLOR_ATTACHMENT_OUTPUT
SAMPLE, COLORED = Access.SHADER_SAMPLED_READ, Access.COLOR_ATTACHMENT_WRITE
COLOR_BOTH = COLORED | Access.COLOR_ATTACHMENT_READ
VERTICES = Stage.VERTEX_ATTRIBUTE_INPUT
NOTHING = (Stage.NONE, Access.NONE)
TO_GRAPHICS = ("copy", "graphics")

UPLOADING = {"queues": ("copy", "graphics"), "cost": 50.0}
COMPUTING = {"queues": ("compute", "graphics"), "cost": 50.0}
BUSY = {"cost": 50.0}
TARGET = {"usage": Usage.COLOR}
SAMPLED = {"usage": Usage.SAMPLED}


def plan_of(*nodes: NodeDeclaration) -> Plan:
    """A plan that uses more than one queue, and that the oracle finds right."""
    options = CompileOptions(queues=("graphics", "compute", "copy"))
    plan = compiled(GraphSnapshot(nodes=nodes, sinks=("end",)), options)
    assert plan.queues.several
    assert judge(list(frame_plans(plan, 6))).findings == ()
    return plan


def barriers(plan: Plan, name: str = "r") -> list[tuple[int, bool, Barrier]]:
    """(pass, whether behind it, barrier) of an even frame, without the one that opens the life."""
    return [
        (batch.number, batch.behind, one)
        for batch in plan.sync.even
        for one in batch.barriers
        if one.resource == name and one.reason.name not in ("ACTIVATE", "HANDOVER")
    ]


def source(barrier: Barrier) -> tuple[Stage, Access]:
    return barrier.src_stages, barrier.src_access


def target(barrier: Barrier) -> tuple[Stage, Access]:
    return barrier.dst_stages, barrier.dst_access


def layouts(barrier: Barrier) -> tuple[Layout, Layout]:
    return barrier.old_layout, barrier.new_layout


def are_needed(plan: Plan, *needed: Barrier) -> bool:
    """Whether the oracle objects to a plan without any one of the barriers, and to one without any wait."""
    names = tuple(str(one) for one in needed)
    fewer = [one for what, one in mutants(plan) if "no wait" in what or ("dropped" in what and what.endswith(names))]
    assert len(fewer) == len(needed) + sum(len(each.waits) for each in plan.program.submissions)
    return all(judge([one] * 6).findings for one in fewer)


def test_21_vertices_are_copied_on_another_queue() -> None:
    plan = plan_of(
        node("upload", create("r", BYTES, usage=Usage.COPY_DST), **UPLOADING),
        node("busy", create("x", **TARGET), **BUSY),
        node("draw", read("r", usage=Usage.VERTEX), read("x", **SAMPLED), create("end", **TARGET)),
    )
    (place, behind, release), (_, _, acquire) = barriers(plan)
    assert (place, behind) == (0, True)
    assert release.owners == acquire.owners == TO_GRAPHICS
    assert (source(release), target(release)) == ((COPY, Access.TRANSFER_WRITE), NOTHING)
    assert (source(acquire), target(acquire)) == (NOTHING, (VERTICES, Access.VERTEX_ATTRIBUTE_READ))
    assert are_needed(plan, release, acquire)


def test_23c_and_23d_a_texture_is_copied_on_another_queue() -> None:
    plan = plan_of(
        node("upload", create("r", usage=Usage.COPY_DST), **UPLOADING),
        node("busy", create("x", **TARGET), **BUSY),
        node("draw", read("r", **SAMPLED), read("x", **SAMPLED), create("end", **TARGET)),
    )
    (place, behind, release), (_, _, acquire) = barriers(plan)
    assert (place, behind) == (0, True)
    assert release.owners == acquire.owners == TO_GRAPHICS
    assert (source(release), target(release)) == ((COPY, Access.TRANSFER_WRITE), NOTHING)
    assert (source(acquire), target(acquire)) == (NOTHING, (FRAGMENT, SAMPLE))
    assert layouts(release) == layouts(acquire) == (Layout.TRANSFER_DST, Layout.SHADER_READ_ONLY)
    assert are_needed(plan, release, acquire)


def readers_on_two_queues(
    made: Usage, looked: Usage, drawn: Usage, *more: NodeDeclaration, buffer: bool = True
) -> Plan:
    """``r`` is made on the graphics queue, and then read there and on the compute queue at once."""
    return plan_of(
        node("make", create("r", *([BYTES] if buffer else []), usage=made), cost=5.0),
        node("look", read("r", usage=looked), create("s", BYTES, usage=Usage.STORAGE_WRITE), **COMPUTING),
        node("draw", read("r", usage=drawn), create("x", **TARGET), **BUSY),
        *more,
    )


def last_node(*requests) -> NodeDeclaration:
    return node("last", read("s", usage=Usage.UNIFORM), read("x", **SAMPLED), *requests)


def test_25_a_semaphore_alone_is_enough_where_no_layout_changes() -> None:
    """The one barrier is for the reader on the writer's own queue; several queues read at once, so nobody owns it."""
    plan = readers_on_two_queues(
        Usage.STORAGE_WRITE, Usage.STORAGE_READ, Usage.UNIFORM, last_node(create("end", **TARGET))
    )
    assert plan.sync.concurrent == {"r"}
    ((_, _, barrier),) = barriers(plan)
    assert barrier.owners is None
    assert target(barrier) == (FRAGMENT, Access.UNIFORM_READ)


def test_26_a_layout_is_changed_before_the_signal() -> None:
    """Behind the producer; the destination is the reader on its own queue, and the semaphore's waiter needs none."""
    plan = readers_on_two_queues(
        Usage.COLOR, Usage.SAMPLED, Usage.SAMPLED, last_node(create("end", **TARGET)), buffer=False
    )
    ((place, behind, barrier),) = barriers(plan)
    assert (place, behind) == (0, True)
    assert (source(barrier), target(barrier)) == ((OUTPUT, COLORED), (FRAGMENT, SAMPLE))
    assert layouts(barrier) == (Layout.COLOR_ATTACHMENT, Layout.SHADER_READ_ONLY)
    assert are_needed(plan, barrier)


def test_27_a_layout_is_changed_after_the_wait() -> None:
    """Readers on two queues, then one queue alone: the change waits for its own reader, and for the semaphore."""
    plan = readers_on_two_queues(
        Usage.COLOR, Usage.SAMPLED, Usage.SAMPLED, last_node(rename("r", "end", **TARGET)), buffer=False
    )
    before, after = (barrier for _, _, barrier in barriers(plan))
    assert (source(after), target(after)) == ((FRAGMENT, Access.NONE), (OUTPUT, COLOR_BOTH))
    assert layouts(after) == (Layout.SHADER_READ_ONLY, Layout.COLOR_ATTACHMENT)
    assert are_needed(plan, before, after)


def test_29_the_screen_stays_on_the_graphics_queue() -> None:
    """There is no queue for presentation alone, so 29a is 28a, and 29b with 29c is 28b without a change of owner."""
    plan = plan_of(
        node("make", create("t", BYTES, usage=Usage.STORAGE_WRITE), **COMPUTING),
        node("busy", create("x", **TARGET), **BUSY),
        node(
            "draw",
            external("screen", **TARGET),
            read("t", usage=Usage.UNIFORM),
            read("x", **SAMPLED),
            create("end", **TARGET),
        ),
        node("show", read("screen", usage=Usage.PRESENT), sink=True),
    )
    acquire, present = (barrier for _, _, barrier in barriers(plan, "screen"))
    assert (source(acquire), target(acquire)) == ((OUTPUT, Access.NONE), (OUTPUT, COLOR_BOTH))
    assert layouts(acquire) == (Layout.UNDEFINED, Layout.COLOR_ATTACHMENT)
    assert (source(present), target(present)) == ((OUTPUT, COLORED), (OUTPUT, Access.NONE))
    assert layouts(present) == (Layout.COLOR_ATTACHMENT, Layout.PRESENT_SRC)
    assert acquire.owners is present.owners is None
    assert are_needed(plan, acquire, present)
