"""The stage that spreads nodes over queues: on small frames, with its reasons, and on random ones under the oracle."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from declare_helpers import COLOR, create, external, graph, history, node, place, read
from feature_checks import compiled
from feature_graphs import feature_graph
from plan_mutants import mutants

from renderwright.render.compiler.partial import PartialPlans
from renderwright.render.compiler.queues.skipped_nodes import without_skipped
from renderwright.render.compiler.values.operations import Submission, SubmissionOp
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.queue_plan import QueuePlan
from renderwright.render.graph.requests import NodeDeclaration, PipelineRequest, Rate, Request
from renderwright.render.inspect.frames import frame_plans
from renderwright.render.inspect.plan_stream import judge
from renderwright.render.sync.barriers import Barrier
from renderwright.render.sync.flags import Layout, Stage
from renderwright.render.sync.queues import ALL_QUEUES
from renderwright.render.types.resources import Buffer, Texture
from renderwright.render.types.usages import ShaderStage, Usage

BYTES = Buffer(4096)
EVERYWHERE = CompileOptions(order="declared", queues=ALL_QUEUES)
POLICIES = ("balanced", "memory", "overlap", "declared", "random:3")


def dispatch(name: str, *requests: Request, queues: tuple[str, ...] = ("compute", "graphics"), **more: object):
    return node(name, *requests, queues=queues, **{"cost": 4.0, **more})


def draws(name: str, target: str, *requests: Request, cost: float = 8.0) -> NodeDeclaration:
    return node(name, create(target, usage=Usage.COLOR), *requests, cost=cost)


def storage(name: str, desc: Buffer | Texture = BYTES, usage: Usage = Usage.STORAGE_WRITE) -> Request:
    return create(name, desc, usage=usage, stages=(ShaderStage.COMPUTE,))


def reads(name: str, usage: Usage = Usage.STORAGE_READ, stage: ShaderStage = ShaderStage.COMPUTE) -> Request:
    return read(name, usage=usage, stages=(stage,))


def plan_of(*nodes: NodeDeclaration, options: CompileOptions = EVERYWHERE, **more: object) -> Plan:
    numbered = [replace(one, index=number) for number, one in enumerate(nodes)]
    plan = compiled(graph(*numbered, **{"sinks": ("image",), **more}), options)
    assert [one for one in plan.problems if one.severity == "error"] == []
    assert [str(one) for one in judge(list(frame_plans(plan, 5))).findings] == []
    return plan


def queue_of(plan: Plan, name: str) -> str:
    return plan.queues.queues[[each.id for each in plan.graph.nodes].index(name)]


def reason_of(plan: Plan, name: str) -> str:
    return plan.queues.reasons[[each.id for each in plan.graph.nodes].index(name)]


def frame_with(work: NodeDeclaration, *more: NodeDeclaration) -> tuple[NodeDeclaration, ...]:
    """The node makes ``made`` beside a long drawing; both go into the picture."""
    show = draws("show", "image", reads("scene", Usage.SAMPLED, ShaderStage.FRAGMENT), read("made", usage=None), cost=1)
    return (*more, work, draws("draw", "scene"), show)


# who may leave --------------------------------------------------------------------------------------------------------


def test_a_node_that_may_leave_does_where_it_pays() -> None:
    plan = plan_of(*frame_with(dispatch("work", storage("made"))))
    assert queue_of(plan, "work") == "compute"
    assert "estimated" in reason_of(plan, "work")
    assert reason_of(plan, "draw") == ""


@pytest.mark.parametrize(
    ("work", "more", "why"),
    [
        (
            dispatch("work", storage("made"), queues=("copy", "graphics")),
            (),
            'not on the copy queue: it uses "made" as storage_write',
        ),
        (dispatch("work", create("made", usage=Usage.COLOR)), (), 'not on the compute queue: it renders to "made"'),
        (
            dispatch("work", create("made", BYTES, usage=Usage.STORAGE, stages=(ShaderStage.FRAGMENT,))),
            (),
            'its fragment shader uses "made"',
        ),
        (
            dispatch("work", storage("made"), reads("past"), rate=Rate(every=2)),
            (dispatch("before", storage("past")),),
            '"made" is used by nodes that do not run in every frame',
        ),
        (
            dispatch(
                "work", storage("made"), external("shown", COLOR, usage=Usage.STORAGE, stages=(ShaderStage.COMPUTE,))
            ),
            (),
            '"shown" comes from outside the frame',
        ),
        (
            dispatch("work", create("made", COLOR, usage=Usage.COPY_DST, clear=(0.0,) * 4), queues=("copy",)),
            (),
            'not on the copy queue: "made" is cleared first',
        ),
        (
            dispatch("work", storage("made"), reads("past", Usage.SAMPLED)),
            (
                draws("before", "past"),
                dispatch("besides", storage("other"), reads("past"), sink=True),
            ),
            '"past" is read as storage_read and sampled, in different layouts',
        ),
    ],
)
def test_what_keeps_a_node_on_the_graphics_queue(
    work: NodeDeclaration, more: tuple[NodeDeclaration, ...], why: str
) -> None:
    plan = plan_of(*frame_with(work, *more))
    assert queue_of(plan, "work") == "graphics"
    assert why in reason_of(plan, "work")


def test_a_device_without_the_queue() -> None:
    plan = plan_of(*frame_with(dispatch("work", storage("made"))), options=CompileOptions(order="declared"))
    assert not plan.queues.several
    assert reason_of(plan, "work") == "not on the compute queue: the device has none"


# what becomes of it ---------------------------------------------------------------------------------------------------


def handed_over(plan: Plan, resource: str) -> list[Barrier]:
    return [item for batch in plan.sync.even for item in batch.barriers if item.resource == resource and item.owners]


def test_what_queues_hand_over_is_released_once_and_acquired_once() -> None:
    target = Texture("rgba16_sfloat", (64, 64))
    plan = plan_of(
        dispatch("work", storage("made", target)),
        draws("draw", "scene"),
        draws("show", "image", reads("scene", Usage.SAMPLED), reads("made", Usage.SAMPLED, ShaderStage.FRAGMENT)),
    )
    release, acquire = handed_over(plan, "made")
    assert release.owners == acquire.owners == ("compute", "graphics")
    assert (release.old_layout, release.new_layout) == (Layout.GENERAL, Layout.SHADER_READ_ONLY)
    assert (acquire.old_layout, acquire.new_layout) == (Layout.GENERAL, Layout.SHADER_READ_ONLY)
    assert (release.dst_stages, acquire.dst_stages) == (Stage.NONE, Stage.FRAGMENT_SHADER)
    assert plan.sync.concurrent == frozenset()
    assert not any(placed.info.concurrent for placed in plan.placement.resources if placed.info is not None)


def test_what_queues_use_at_once_belongs_to_all() -> None:
    plan = plan_of(
        dispatch("work", storage("state")),
        dispatch("more", reads("state"), storage("made")),
        draws("draw", "scene", reads("state", stage=ShaderStage.FRAGMENT)),
        draws("show", "image", reads("scene", Usage.SAMPLED), reads("made", stage=ShaderStage.FRAGMENT), cost=1),
    )
    assert (queue_of(plan, "more"), queue_of(plan, "draw")) == ("compute", "graphics")
    shared = {placed.id for placed in plan.placement.resources if placed.info is not None and placed.info.concurrent}
    assert plan.sync.concurrent == shared == {"state"}
    assert handed_over(plan, "state") == []


def test_what_outlasts_the_frame_belongs_to_all() -> None:
    """Its owner would be the compute queue, and the runtime carries histories over on the graphics queue."""
    plan = plan_of(
        dispatch("work", storage("made"), history("made", usage=Usage.STORAGE_READ, stages=(ShaderStage.COMPUTE,))),
        draws("draw", "scene"),
        draws("show", "image", reads("scene", Usage.SAMPLED), read("made", usage=None), cost=1),
    )
    assert queue_of(plan, "work") == "compute"
    assert [placed.id for placed in plan.placement.resources if placed.info and placed.info.concurrent] == ["made"]


def test_submissions_are_cut_where_queues_wait() -> None:
    plan = plan_of(
        draws("first", "start"),
        dispatch("work", reads("start", Usage.SAMPLED), storage("made")),
        draws("draw", "scene", reads("start", Usage.SAMPLED, ShaderStage.FRAGMENT)),
        draws("show", "image", reads("scene", Usage.SAMPLED), reads("made", stage=ShaderStage.FRAGMENT), cost=1),
    )
    assert plan.program.submissions == (
        Submission("graphics", 0),
        Submission("compute", 1, (0,)),
        Submission("graphics", 2),
        Submission("graphics", 3, (1,)),
    )
    assert [op.number for op in plan.program.even if isinstance(op, SubmissionOp)] == [0, 1, 2, 3]


def test_memory_is_not_shared_with_what_may_run_at_the_same_time() -> None:
    """All of it would fit into one place after another on one queue."""
    size = Texture("rgba16_sfloat", (256, 256))
    nodes = (
        dispatch("work", storage("a", size)),
        dispatch("more", reads("a"), storage("b", size)),
        draws("draw", "scene"),
        draws("blur", "soft", reads("scene", Usage.SAMPLED, ShaderStage.FRAGMENT)),
        draws("show", "image", reads("soft", Usage.SAMPLED), reads("b", Usage.SAMPLED, ShaderStage.FRAGMENT), cost=1),
    )
    plan = plan_of(*nodes)
    execution_intervals = dict(
        zip([each.id for each in plan.graph.nodes], plan.queues.execution_intervals, strict=True)
    )
    graphics = {name: number for number, name in enumerate(each.id for each in plan.graph.nodes)}
    for name in ("work", "more"):
        first, end = execution_intervals[name]
        assert first <= graphics["draw"]
        assert end >= graphics["blur"] + 1
    assert queue_of(plan, "more") == "compute"


# partial plans --------------------------------------------------------------------------------------------------------


def test_who_waited_for_a_node_that_rests_waits_for_what_that_waited_for() -> None:
    spread = QueuePlan(
        ("graphics", "compute", "compute", "graphics"),
        ((), (0,), (), (2,)),
        ((0, 1), (1, 3), (1, 3), (3, 4)),
        ("",) * 4,
    )
    assert without_skipped(spread, [True] * 4) is spread
    assert without_skipped(spread, [True, False, True, True]).waits == ((), (0,), (1,))
    assert without_skipped(spread, [True, True, False, True]).waits == ((), (0,), (1,))
    assert without_skipped(spread, [True, False, False, True]).waits == ((), ())
    # Who records nothing stands inside passes of any queue: it neither waits nor is waited for.
    assert without_skipped(spread, [True, True, True, False], {1}).waits == ((), (), (0,))
    assert without_skipped(spread, [False, True, True, True]).waits == ((), (), (1,))


# random graphs --------------------------------------------------------------------------------------------------------


def random_plans(seeds: range, *, unified: bool | None = None) -> Iterator[tuple[int, Plan]]:
    """Plans of which many use several queues; in half of them textures are in the general layout, unless told."""
    for seed in seeds:
        rng = random.Random(seed)
        snapshot = feature_graph(seed, rng.randint(4, 16))
        # Rates keep whatever they touch on the graphics queue, so half of the graphs have none.
        nodes = [
            replace(
                one,
                queues=rng.choice([("compute", "graphics"), ("copy", "compute", "graphics")]),
                rate=one.rate if seed % 2 else Rate(),
                before=(),  # an order for its own sake is kept on the device, too, and nothing is amiss without it
                after=(),
            )
            for one in snapshot.nodes
        ]
        order, alias = rng.choice(POLICIES), seed % 5 != 0
        options = CompileOptions(
            order,
            alias,
            queues=ALL_QUEUES,
            split_above=0.0 if seed % 3 != 0 else math.inf,
            unified_layouts=seed % 4 < 2 if unified is None else unified,
        )
        yield seed, compiled(replace(snapshot, nodes=tuple(nodes)), options)


def test_random_graphs_on_three_queues_are_clean() -> None:
    spread = 0
    for seed, plan in random_plans(range(100)):
        found = judge(list(frame_plans(plan, 5))).findings
        assert [str(one) for one in found] == [], f"seed {seed}"
        asked = {placed.id for placed in plan.placement.resources if placed.info and placed.info.concurrent}
        assert plan.sync.concurrent & {each.id for each in plan.placement.resources if each.copies} <= asked, (
            f"seed {seed}"
        )
        spread += plan.queues.several
    assert spread > 20


def test_a_frame_on_several_queues_counts_on_the_barriers_of_the_one_before() -> None:
    """Each queue runs its frames in turn: of even and odd frames' waits for all earlier dispatches one is enough."""
    ((_, plan),) = random_plans(range(128, 129), unified=True)
    assert plan.queues.several
    weaker = [(what, mutant) for what, mutant in mutants(plan) if "fx/deep/r4@view=0,eye=0" in what]
    assert weaker
    assert [what for what, mutant in weaker if not judge([mutant] * 5).findings] == []


def test_every_wait_between_queues_is_needed() -> None:
    tried, missed = 0, []
    for seed, plan in random_plans(range(400, 440)):
        if not plan.queues.several:
            continue
        for what, mutant in mutants(plan):
            if what.startswith("no wait"):
                tried += 1
                if not judge([mutant] * 4).findings:
                    missed.append(f"seed {seed}: {what}")
    assert tried > 10
    assert missed == []


def test_a_queue_is_not_over_when_only_a_resting_node_has_waited_for_it() -> None:
    """In frames without the last node, nobody on the graphics queue waits for the other queue."""
    texture = Texture("rgba8_unorm", (16, 16))
    works = dispatch("works", storage("made", texture, Usage.STORAGE), cost=6.0, sink=True)
    kept = create("kept", texture, usage=Usage.COLOR)
    seldom = node("seldom", kept, rate=Rate(every=2), after=("works",), sink=True)
    plan = plan_of(works, draws("drawn", "image"), seldom)
    assert queue_of(plan, "works") == "compute"


def test_a_frame_that_another_queue_does_alone() -> None:
    """In frames without the drawing, nobody runs on the graphics queue, and the memory waits for the other one."""
    texture = Texture("rgba8_unorm", (16, 16))
    works = dispatch("works", storage("made", texture, Usage.STORAGE), sink=True)
    seldom = node("seldom", create("image", usage=Usage.COLOR), rate=Rate(every=2), cost=8.0, sink=True)
    plan = plan_of(works, seldom)
    assert queue_of(plan, "works") == "compute"


def test_a_node_with_a_rate_stays_on_the_graphics_queue_even_without_resources() -> None:
    pipeline = PipelineRequest("compute", (), place())
    rated = node("beside", sink=True, queues=("compute",), cost=40.0, pipelines=(pipeline,), rate=Rate(every=2))
    plan = compiled(graph(draws("draw", "image"), rated, sinks=("image",)), EVERYWHERE)
    numbers = {each.id: number for number, each in enumerate(plan.graph.nodes)}
    assert plan.queues.queues[numbers["beside"]] == "graphics"
    assert "not on the compute queue: it runs every 2 frames" in plan.queues.reasons[numbers["beside"]]
    assert len(PartialPlans(plan).plan(frozenset({"beside"})).graph.nodes) == 1
