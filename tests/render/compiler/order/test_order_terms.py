"""What each term of the score is good for: a graph in which it decides, and the same graph without it."""

from dataclasses import fields, replace
from pathlib import Path

import pytest
from declare_helpers import create, culled, graph, history, ids, modify, node, read

from renderwright.render.compiler.order.costs import node_costs
from renderwright.render.compiler.order.estimated_bytes import estimated_bytes
from renderwright.render.compiler.order.list_scheduling import weighted_order
from renderwright.render.compiler.order.recent_work import DISTANCE
from renderwright.render.compiler.order.stage import order
from renderwright.render.compiler.order.static_priority import NEST
from renderwright.render.compiler.order.weights import BALANCED, WEIGHTS, Weights
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.graph.requests import Rate
from renderwright.render.types.resources import Blob, Buffer, Resolution, Texture

CULL = (("cull", "back"),)
SMALL, LARGE = Texture("rgba8_unorm", (64, 64)), Texture("rgba8_unorm", (256, 256))


def target(name, desc=LARGE):
    return create(name, desc, usage="color")


def draw(name):
    return modify(name, usage="color")


def sampled(name):
    return read(name, usage="sampled")


def sink(name, *requests, **more):
    return node(name, *(requests or (target(f"{name}_made"),)), sink=True, **more)


CASES = {
    "merge": (
        [
            node("p", target("p")),
            node("q", target("q")),
            sink("dp", draw("p"), state=CULL),
            sink("dq", draw("q"), state=CULL),
        ],
        "p q dp dq",
        "p dp q dq",
    ),
    "gather": (
        [node("first", target("p")), sink("second", draw("p"), sampled("map")), node("map", target("map"))],
        "first map second",
        "map first second",
    ),
    "memory": (
        [
            node("begins", target("x")),
            node("claims", target("y")),
            sink("ends", sampled("x")),
            sink("end", sampled("y")),
        ],
        "begins claims ends end",
        "begins ends claims end",
    ),
    "nest": (
        [node("a", target("x")), node("b", target("y")), sink("of_a", sampled("x")), sink("of_b", sampled("y"))],
        "a b of_a of_b",
        "a of_a b of_b",
    ),
    "distance": (
        [node("writes", target("x")), sink("reads", sampled("x"), target("y")), sink("other")],
        "writes reads other",
        "writes other reads",
    ),
    "chain": (
        [sink("short"), node("long1", target("x")), sink("long2", sampled("x"), target("y"), cost=9.0)],
        "short long1 long2",
        "long1 long2 short",
    ),
    "spread": (
        [sink("lonely"), node("wanted", target("x"), cost=5.0), *(sink(f"r{i}", sampled("x")) for i in range(3))],
        "lonely wanted r0 r1 r2",
        "wanted lonely r0 r1 r2",
    ),
    "patience": (
        [node("slow", target("x"), cost=9.0), sink("waits", sampled("x"), target("y")), sink("free")],
        "slow waits free",
        "slow free waits",
    ),
    "bottleneck": (
        [sink("raster1"), sink("raster2"), sink("compute", create("c", LARGE, usage="storage_write"))],
        "raster1 raster2 compute",
        "raster1 compute raster2",
    ),
    "state": (
        [sink(f"n{i}", state=(("cull", cull),)) for i, cull in enumerate(("back", "none", "back"))],
        "n0 n1 n2",
        "n0 n2 n1",
    ),
}


def by(weights, nodes, **more):
    numbered = [replace(one, index=number) for number, one in enumerate(nodes)]
    return " ".join(one.id for one in weighted_order(culled(graph(*numbered, **more)), (weights,)))


def test_every_term_has_a_case_and_a_weight():
    assert set(CASES) == {field.name for field in fields(Weights)}
    assert all(getattr(BALANCED, term) > 0 for term in CASES)


@pytest.mark.parametrize("term", CASES)
def test_a_term_decides_and_its_weight_switches_it(term):
    nodes, without, having = CASES[term]
    assert by(Weights(), nodes) == without
    assert by(Weights(**{term: 1.0}), nodes) == having


def test_a_pass_takes_no_node_that_reads_what_it_wrote():
    lights = create("lights", LARGE, usage="storage_write")
    nodes = [node("first", target("p"), lights), sink("other"), sink("last", draw("p"))]
    joins = sink("joins", draw("p"), after=("last",))
    reads = sink("reads", draw("p"), sampled("lights"), after=("last",))
    assert by(Weights(merge=1.0), [*nodes, joins]) == "first last joins other"
    assert by(Weights(merge=1.0), [*nodes, reads]) == "first last other reads"


def test_the_previous_frames_copy_ends_with_its_last_reader():
    nodes = [
        node("keeps", target("x")),
        node("claims", target("y")),
        sink("ends", history("x", usage="sampled")),
        sink("reads", sampled("x"), sampled("y")),
    ]
    assert by(Weights(), nodes) == "keeps claims ends reads"
    assert by(Weights(memory=1.0), nodes) == "keeps ends claims reads"


def test_the_last_reader_of_a_sink_ends_nothing():
    nodes = [node("begins", target("x"), priority=1), sink("other"), sink("reads", sampled("x"))]
    assert by(Weights(memory=1.0), nodes) == "begins reads other"
    assert by(Weights(memory=1.0), nodes, sinks=("x",)) == "begins other reads"


def test_what_is_kept_between_frames_neither_begins_nor_ends():
    nodes = [node("begins", target("x"), priority=1), sink("other"), sink("reads", sampled("x"))]
    kept = [replace(nodes[0], rate=Rate(every=4)), *nodes[1:]]
    assert by(Weights(memory=1.0), nodes) == "begins reads other"
    assert by(Weights(memory=1.0), kept) == "begins other reads"


@pytest.mark.parametrize("policy", WEIGHTS)
def test_priority_goes_before_any_score(policy):
    nodes = [
        node("p", target("p"), index=0),
        sink("dp", draw("p"), index=1),
        sink("urgent", create("c", LARGE, usage="storage_write"), state=(("cull", "none"),), index=2, priority=1),
        sink("dp2", draw("p"), index=3, priority=1),
    ]
    found = ids(order(culled(graph(*nodes)), CompileOptions(order=policy)))
    assert found[0] == "urgent"
    assert found.index("dp2") < found.index("dp")  # both draw to p, the serial order of which is by priority


@pytest.mark.parametrize("policy", WEIGHTS)
def test_nodes_that_execute_nothing_delay_no_other(policy):
    """Their own priority does not count, and each is right before the first node that needs its result."""
    nodes = [
        node("skeleton", target("t"), executes=False, index=0, priority=9),
        node("marks", sink=True, executes=False, index=1, after=("skeleton",), before=("user",)),
        sink("other", index=2, priority=1),
        sink("user", draw("t"), index=3),
        node("show", read("t"), executes=False, sink=True, index=4),
    ]
    found = ids(order(culled(graph(*nodes)), CompileOptions(order=policy)))
    assert found == ["other", "skeleton", "marks", "user", "show"]


@pytest.mark.parametrize("policy", WEIGHTS)
def test_nodes_that_record_nothing_come_at_once(policy):
    nodes = [sink("draws", index=0), node("camera", sink=True, index=1)]
    assert ids(order(culled(graph(*nodes)), CompileOptions(order=policy))) == ["camera", "draws"]


def test_measured_costs_take_the_place_of_hints():
    nodes = [
        node("a", target("x"), index=0),
        node("b", target("y"), index=1),
        sink("of_a", sampled("x"), index=2),
        sink("of_b", sampled("y"), index=3, cost=9.0),
    ]
    found = culled(graph(*nodes))
    assert ids(order(found, CompileOptions())) == ["b", "of_b", "a", "of_a"]
    measured = CompileOptions(costs=(("of_a", 5000.0), ("of_b", 10.0)))
    assert ids(order(found, measured)) == ["a", "of_a", "b", "of_b"]


def test_hints_of_nodes_without_a_measurement_count_in_microseconds():
    nodes = culled(graph(*(sink(name, cost=cost) for name, cost in (("a", 1.0), ("b", 2.0), ("c", 3.0))))).nodes
    assert node_costs(nodes, {}) == [1.0, 2.0, 3.0]
    assert node_costs(nodes, {"a": 50.0}) == [50.0, 100.0, 150.0]
    assert node_costs(nodes, {"a": 50.0, "c": 600.0}) == [50.0, 100.0, 600.0]


def test_sizes_are_estimated_without_resolutions():
    full, half = (Texture("rgba8_unorm", Resolution("any", scale)) for scale in (1.0, 0.5))
    assert estimated_bytes(full) == 4 * estimated_bytes(half) == 1920 * 1080 * 4
    assert estimated_bytes(Texture("rgba16_sfloat", (8, 4), layers=3, samples=2)) == 8 * 4 * 8 * 6
    assert estimated_bytes(Texture("r8_unorm", (64, 64), mips=7)) == pytest.approx(64 * 64 * 4 / 3)
    assert (estimated_bytes(Buffer(100)), estimated_bytes(Blob("Camera"))) == (100.0, 0.0)


def test_the_weights_are_those_of_the_document():
    text = (Path(__file__).parents[4] / "docs" / "ordering.md").read_text()
    for field in fields(Weights):
        told = [f"{getattr(WEIGHTS[policy][0], field.name):g}" for policy in ("balanced", "memory", "overlap")]
        assert f"| `{field.name}` | {' | '.join(told)} |" in text
    assert [weights.nest for weights in WEIGHTS["memory"]] == [0.75, 0.3, 3.0]
    assert f"falls to 0 over {DISTANCE} nodes" in text
    assert f"each {NEST} places" in text
