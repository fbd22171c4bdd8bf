"""Instances of nodes and resources."""

import pytest
from declare_helpers import create, gather, graph, history, ids, modify, node, pairs, problem, read, rename

from renderwright.render.compiler.instances.multiplex import multiplex
from renderwright.render.compiler.resolve.stage import resolve
from renderwright.render.compiler.values.precedence import EdgeReason
from renderwright.render.errors import CompileError
from renderwright.render.types.usages import ShaderStage, Usage


def expand(*nodes, **more):
    snapshot = graph(*nodes, **more)
    resolved = resolve(snapshot)
    assert not resolved.removed
    return multiplex(resolved, snapshot)


def uses(result, node_id):
    return [use.resources for use in next(n for n in result.nodes if n.id == node_id).uses]


VIEWS = {"counts": (("view", 2),)}
BOTH = {"counts": (("view", 2), ("eye", 2))}


def test_a_node_without_a_mode_is_one_instance():
    result = expand(node("a", create("x")), **BOTH)
    (only,) = result.nodes
    assert (only.id, only.index) == ("a", ())
    assert (result.resources[0].id, result.resources[0].creator) == ("x", "a")


def test_a_count_of_one_looks_like_no_multiplexing():
    result = expand(node("a", create("x"), mode="view eye"), counts=(("view", 1),))
    (only,) = result.nodes
    assert only.id == "a"
    assert only.index == (("view", 0), ("eye", 0))
    assert result.resources[0].id == "x"


def test_ids_list_the_dimensions_with_several_instances_in_the_snapshots_order():
    result = expand(node("a", create("x"), mode="eye tile view"), **BOTH)
    assert ids(result) == ["a@view=0,eye=0", "a@view=0,eye=1", "a@view=1,eye=0", "a@view=1,eye=1"]
    assert result.nodes[2].index == (("view", 1), ("eye", 0), ("tile", 0))
    assert [(r.id, r.creator) for r in result.resources][1] == ("x@view=0,eye=1", "a@view=0,eye=1")


def test_users_get_the_instance_that_agrees():
    result = expand(node("c", create("x"), mode="view"), node("u", read("x"), mode="view eye"), **BOTH)
    assert uses(result, "u@view=1,eye=0") == [("x@view=1",)]
    assert pairs(result) == {(f"c@view={v}", f"u@view={v},eye={e}") for v in (0, 1) for e in (0, 1)}


@pytest.mark.parametrize(
    ("requests", "executes", "usages"),
    [
        ([read("x", usage=Usage.SAMPLED), read("y", usage=Usage.STORAGE_READ)], False, [None, None]),
        (
            [read("x", usage=Usage.SAMPLED), read("y", usage=Usage.STORAGE_READ)],
            True,
            [Usage.SAMPLED, Usage.STORAGE_READ],
        ),
        ([read("x", usage=Usage.SAMPLED), modify("y", usage=Usage.COLOR)], False, [Usage.SAMPLED, Usage.COLOR]),
        ([history("x", usage=Usage.SAMPLED)], False, [Usage.SAMPLED]),
        ([create("z", usage=Usage.SAMPLED)], False, [Usage.SAMPLED]),
        ([read("x", usage=Usage.HOST_READ)], False, [Usage.HOST_READ]),
    ],
    ids=["reads", "executes", "writes too", "history", "creates", "host"],
)
def test_a_node_that_executes_nothing_and_only_reads_records_nothing(requests, executes, usages):
    """It may be an external's: were its read a command, it would end the render pass that it is put into."""
    made = node("c", create("x"), create("y"))
    user = expand(made, node("u", *requests, executes=executes)).nodes[1]
    assert [use.usage for use in user.uses] == usages
    assert user.records == any(usages)
    assert [use.resources for use in user.uses] == [(request.name,) for request in requests]


def test_the_same_declarations_serve_one_view_and_two():
    nodes = (node("c", create("x"), mode="view"), node("u", read("x"), mode="view"))
    assert uses(expand(*nodes), "u") == [("x",)]
    assert uses(expand(*nodes, **VIEWS), "u@view=1") == [("x@view=1",)]


def test_gather_gets_every_instance_in_index_order():
    result = expand(node("c", create("x"), mode="view eye"), node("g", gather("x"), mode="view"), **BOTH)
    assert uses(result, "g@view=1") == [("x@view=1,eye=0", "x@view=1,eye=1")]
    assert {before for before, after in pairs(result) if after == "g@view=0"} == {"c@view=0,eye=0", "c@view=0,eye=1"}


def test_gather_of_a_smaller_mode_gets_one():
    result = expand(node("c", create("x")), node("g", gather("x"), mode="view"), **VIEWS)
    assert uses(result, "g@view=1") == [("x",)]


def test_instances_that_modify_a_shared_resource_stand_in_a_row():
    result = expand(
        node("c", create("x")), node("m", modify("x"), mode="view"), node("n", modify("x"), mode="view"), **VIEWS
    )
    row = [(e.before, e.after) for e in result.edges if e.reason is EdgeReason.MODIFY_MODIFY]
    assert row == [("m@view=0", "m@view=1"), ("m@view=1", "n@view=0"), ("n@view=0", "n@view=1")]


def test_instances_that_rename_a_shared_resource_stand_in_a_row():
    """They may write to it too, and then the order matters."""
    result = expand(node("c", create("x")), node("n", rename("x", "y"), mode="view"), counts=(("view", 3),))
    row = [(e.before, e.after) for e in result.edges if e.reason is EdgeReason.MODIFY_MODIFY]
    assert row == [("n@view=0", "n@view=1"), ("n@view=1", "n@view=2")]


def test_a_reader_of_a_shared_resource_waits_for_all_its_modifiers():
    result = expand(
        node("c", create("x")), node("m", modify("x"), mode="view"), node("r", read("x"), mode="view"), **VIEWS
    )
    assert {(f"m@view={a}", f"r@view={b}") for a in (0, 1) for b in (0, 1)} <= pairs(result)


def test_instances_of_a_node_that_modifies_and_reads_do_not_wait_in_a_circle():
    result = expand(node("c", create("x")), node("m", modify("x"), read("x"), mode="view"), **VIEWS)
    assert pairs(result) == {("c", "m@view=0"), ("c", "m@view=1"), ("m@view=0", "m@view=1")}


def test_explicit_order_holds_between_instances_that_agree():
    result = expand(node("a", mode="view"), node("b", mode="view eye", after=("a",)), **BOTH)
    assert ("a@view=0", "b@view=0,eye=1") in pairs(result)
    assert ("a@view=0", "b@view=1,eye=1") not in pairs(result)


def test_a_rename_uses_the_root_and_orders_users_of_both_names():
    result = expand(
        node("c", create("x"), mode="view"),
        node("n", rename("x", "y", usage=Usage.COPY_SRC), mode="view"),
        node("u", read("y"), mode="view"),
        node("h", history("y"), mode="view"),
        sinks=("y",),
        **VIEWS,
    )
    use = next(n for n in result.nodes if n.id == "n@view=1").uses[0]
    assert (use.resources, use.usage, use.name, use.to) == (("x@view=1",), Usage.COPY_SRC, "x", "y")
    assert uses(result, "u@view=0") == [("x@view=0",)]
    assert ("n@view=0", "u@view=0") in pairs(result)
    edge = next(e for e in result.edges if e.after == "u@view=1")
    assert edge.resource == "y@view=1"
    assert result.sinks == ("x@view=0", "x@view=1")
    assert next(n for n in result.nodes if n.id == "h@view=0").uses[0].reads_history


def test_there_is_a_use_for_every_request():
    result = expand(node("a", read("none", optional=True), create("x"), read("less")))
    assert [(use.number, use.present) for use in result.nodes[0].uses] == [(0, False), (1, True), (2, False)]


def test_shader_stages():
    sampled = {"usage": Usage.SAMPLED}
    result = expand(
        node("c", create("x"), create("t")),
        node("draw", read("x", **sampled), modify("t", usage=Usage.COLOR)),
        node("dispatch", read("x", **sampled), read("t", stages=(ShaderStage.VERTEX,), **sampled)),
    )
    stages = {n.id: [use.stages for use in n.uses] for n in result.nodes}
    assert stages["draw"][0] == (ShaderStage.FRAGMENT,)
    assert stages["dispatch"] == [(ShaderStage.COMPUTE,), (ShaderStage.VERTEX,)]


def test_other_dimensions_than_the_usual():
    result = expand(node("a", mode="shard"), dimensions=("shard",), counts=(("shard", 3),))
    assert ids(result) == ["a@shard=0", "a@shard=1", "a@shard=2"]


def test_count_below_one():
    with pytest.raises(CompileError, match="`view` has 0 instances"):
        expand(node("a"), counts=(("view", 0),))


def test_count_of_an_unknown_dimension_is_a_note():
    found = problem(expand(node("a"), counts=(("vieww", 2),)), "dimension")
    assert "`vieww`" in found.message
    assert "`view`" in found.hint
