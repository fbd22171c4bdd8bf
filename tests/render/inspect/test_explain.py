"""Explanations of nodes and resources, by their content."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.preferred_order import OrderMove, PreferredOrder
from renderwright.render.errors import UsageError
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.inspect import explain, plan_to_json
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.types.resources import Buffer, Texture

BIG = Texture("rgba16_sfloat", (256, 256))
SMALL = Texture("rgba8_unorm", (64, 64))


def gbuffer(reg: Registry) -> None:
    reg.create("albedo", BIG).color(clear=(0, 0, 0, 1))
    reg.create("depth", Texture("d32_sfloat", (256, 256))).depth(clear=0.0)


def light(reg: Registry) -> None:
    reg.create("hdr", BIG).color()
    reg.read("albedo").sampled()
    reg.read("ao").sampled().optional()


def haze(reg: Registry) -> None:
    reg.rename("hdr", "lit").color()
    reg.read("depth").depth_read()


def blur(reg: Registry) -> None:
    reg.create("taa/picture", BIG).color()
    reg.create("taa/age", BIG).color()
    reg.history("picture").sampled().first("invalid").bind("picture_before")
    reg.history("age").sampled().bind("age_before")
    reg.read("lit").sampled()


def show(reg: Registry) -> None:
    reg.external("image", SMALL).color()
    reg.read("taa/picture").sampled()


def stray(reg: Registry) -> None:
    reg.create("stray/map", SMALL).color()


def lost(reg: Registry) -> None:
    reg.read("velocity").sampled()
    reg.read("stray/map").sampled()
    reg.side_effects()


def twin(reg: Registry) -> None:
    reg.create("albedo", SMALL).color()


def early(reg: Registry) -> None:
    reg.side_effects()
    reg.multiplex("view")
    reg.before("rain/draw")


def frame_graph() -> FrameGraph:
    graph = FrameGraph()
    nodes: list[tuple[str, Callable[[Registry], None], str]] = [
        ("gbuffer", gbuffer, ""),
        ("light", light, ""),
        ("fog/haze", haze, "fog"),
        ("taa/blur", blur, "taa"),
        ("show", show, ""),
        ("stray/draw", stray, "stray"),
        ("lost/draw", lost, "lost"),
        ("twin/draw", twin, "twin"),
        ("early", early, ""),
    ]
    for name, declare, plugin in nodes:
        graph.add_node(name, declare, plugin=plugin)
    graph.set_slot("depth_for_fog", "depth")
    graph.set_slot("motion", "velocity")
    graph.add_sink("image")
    graph.set_count("view", 2)
    assert graph.declare() == ()
    return graph


@pytest.fixture(scope="module")
def frame() -> Plan:
    graph = frame_graph()
    return compile_snapshot(graph.snapshot(), graph.sizes(), CompileOptions(order="declared"), RowMajorModel())


def lines(plan: Plan, name: str) -> list[str]:
    return [line.strip() for line in explain(plan, name).splitlines()]


def line(plan: Plan, name: str, start: str) -> str:
    """The only line that begins so."""
    (found,) = [line for line in lines(plan, name) if line.startswith(start)]
    return found


def where(function: Callable[..., None], offset: int = 0) -> str:
    return f"{__file__}:{function.__code__.co_firstlineno + offset}"


def test_who_declared_a_node_and_why_it_is_in(frame: Plan) -> None:
    text = lines(frame, "fog/haze")
    assert text[0] == "node `fog/haze`"
    assert text[1] == f"declared by plugin `fog` in {where(haze)}"
    assert text[2] == "in the frame: `taa/blur` reads `lit`, `show` reads `taa/picture`, the frame is made for `image`"
    assert f"renames `hdr` to `lit` as color, asked for in {where(haze, 1)}" in text
    assert "in the frame: `early` has side effects" in lines(frame, "early")


def test_nodes_of_its_order_that_do_not_exist(frame: Plan) -> None:
    assert "would run before `rain/draw`: not in the graph" in lines(frame, "early")
    assert not [text for text in lines(frame, "light") if text.startswith("would run")]


def test_short_and_absent_names_are_spelt_out(frame: Plan) -> None:
    assert line(frame, "taa/blur", "reads the history of `taa/picture` as sampled (the first frame gets: invalid)")
    assert "`ao` as sampled (absent; the request is optional)" in line(frame, "light", "reads `ao`")


def test_why_a_node_stands_where_it_stands(frame: Plan) -> None:
    text = lines(frame, "light")
    assert "after `gbuffer`: created, then read: albedo" in text
    assert "before `fog/haze`: used, then renamed away: hdr" in text
    number = [node.id for node in frame.graph.nodes].index("light")
    assert line(frame, "light", "number").startswith(
        f"number {number} of {len(frame.graph.nodes)} in the order (from 0)"
    )
    assert line(frame, "light", "the order policy `declared` chose it").endswith("`early@view=0`, `early@view=1`")


def test_a_node_that_the_search_has_moved_says_why(frame: Plan) -> None:
    moves = (OrderMove("light", -2, "albedo", 4096), OrderMove("fog/haze", 1, "lit", 512), OrderMove("show", 3))
    nodes = tuple(node.id for node in frame.graph.nodes)
    plan = replace(frame, graph=replace(frame.graph, preferred=PreferredOrder(nodes, moves)))
    assert line(plan, "light", "moved") == "moved 2 places earlier to free `albedo`, 4096 bytes (4 KiB)"
    assert line(plan, "fog/haze", "moved") == "moved 1 place later to delay the begin of `lit`, 512 bytes"
    assert line(plan, "show", "moved") == "moved 3 places later, which makes room for other nodes"
    assert line(plan, "light", "the search for less memory chose it")
    assert not [text for text in lines(plan, "gbuffer") if text.startswith("moved")]
    reported = {node["id"]: node.get("moved") for node in plan_to_json(plan)["nodes"]}
    assert reported["light"] == {
        "places": -2,
        "resource": "albedo",
        "message": "moved 2 places earlier to free `albedo`, 4096 bytes (4 KiB)",
    }
    assert reported["gbuffer"] is None


def test_a_node_without_a_choice_of_place_says_so(frame: Plan) -> None:
    text = "\n".join(lines(frame, "show"))
    assert "after `taa/blur`: created, then read: taa/picture" in text
    assert "the edges leave it" in text


def test_instances_share_the_head_and_are_told_one_by_one(frame: Plan) -> None:
    text = lines(frame, "early")
    assert "2 instances: `early@view=0`, `early@view=1`" in text
    assert "`early@view=1`" in text
    one = lines(frame, "early@view=1")
    assert one[0] == "node `early@view=1`"
    assert "`early@view=0`" not in one


def test_a_removed_node_says_why_and_where_it_is_declared(frame: Plan) -> None:
    text = lines(frame, "stray/draw")
    assert f"declared by plugin `stray` in {where(stray)}" in text
    assert "not in the frame (dangling): `stray/draw` removed: nothing reads `stray/map`" in text
    broken = "not in the frame (broken): `lost/draw` removed: it needs `velocity`, which nobody creates"
    assert broken in lines(frame, "lost/draw")


def test_an_invalid_node_says_what_to_do_and_names_all_places(frame: Plan) -> None:
    text = lines(frame, "twin/draw")
    assert any(
        line.startswith("not in the frame (invalid): `twin/draw` removed: `albedo` is created by") for line in text
    )
    (advice,) = [line for line in text if line.startswith("what to do:")]
    assert advice.startswith(f"what to do: `gbuffer` makes it at {__file__}:26: change it by reg.modify(")
    assert advice.endswith("; otherwise disable the plugin `twin`, or rename one of them")
    assert f"places: {where(gbuffer, 1)}, {where(twin, 1)}" in text


def test_a_pass_says_what_it_loads_and_stores_and_why(frame: Plan) -> None:
    text = lines(frame, "gbuffer")
    (albedo,) = [line for line in text if line.startswith("`albedo` as color:")]
    assert albedo == (
        "`albedo` as color: cleared to (0, 0, 0, 1), as `gbuffer` asks, because its life begins here; "
        "stored, because `light` uses it later"
    )
    first, second = [line for line in lines(frame, "hdr") if line.startswith("in pass")]
    assert "`hdr` as color: not loaded, because its live range begins here without a clear value" in first
    assert "`hdr` as color: loaded, because `light` has used it before" in second
    age = line(frame, "taa/age", "in pass")
    assert age.endswith("stored, because the next frame reads its history")
    (depth,) = [line for line in lines(frame, "fog/haze") if line.startswith("`depth` as depth_read:")]
    assert depth == (
        "`depth` as depth_read: loaded, because `gbuffer` has used it before; "
        "nothing to store, because it is only tested against"
    )
    picture = line(frame, "taa/picture", "in pass")
    assert picture.endswith("stored, because `show` uses it later")
    image = line(frame, "image", "in pass")
    assert image.endswith("stored, because the frame is made for it")


def test_why_neighbours_are_not_in_the_pass(frame: Plan) -> None:
    (reason,) = {line for line in lines(frame, "light") if line.startswith("not merged with pass")}
    assert reason.endswith(frame.pass_plan.passes[_pass_of(frame, "light")].merge_blocker)
    after = _pass_of(frame, "light") + 1
    assert f"pass {after} is not merged with it: {frame.pass_plan.passes[after].merge_blocker}" in lines(frame, "light")


def _pass_of(plan: Plan, node: str) -> int:
    number = [item.id for item in plan.graph.nodes].index(node)
    return next(n for n, item in enumerate(plan.pass_plan.passes) if item.first <= number <= item.last)


def test_what_a_node_waits_for(frame: Plan) -> None:
    text = lines(frame, "light")
    wait = next(line for line in text if line.startswith("`albedo`, this frame's copy"))
    assert "written, then read (by `gbuffer`)" in wait
    assert "held back: fragment shader (shader sampled read)" in wait
    assert "waited for: color attachment output" in wait
    assert wait.endswith("layout color attachment to shader read only; not split: nothing runs in between")


def test_a_first_use_says_whose_memory_it_takes_over(frame: Plan) -> None:
    graph, options = frame_graph(), CompileOptions(order="declared", alias=False)
    alone = compile_snapshot(graph.snapshot(), graph.sizes(), options, RowMajorModel())
    wait = line(alone, "albedo", f"before pass {_pass_of(alone, 'gbuffer')} ")
    assert "first use in the frame: contents are discarded (its own memory, last used by `light` in an earlier" in wait
    assert "not split: it waits for all earlier users of the memory" in wait
    shared = line(frame, "albedo", f"before pass {_pass_of(frame, 'gbuffer')} ")
    assert "takes over memory from another resource: `" in shared


def test_a_history_waits_for_the_previous_frames_writer(frame: Plan) -> None:
    text = lines(frame, "taa/blur")
    wait = next(line for line in text if line.startswith("`taa/age`, the previous frame's copy"))
    assert "written, then read (by `taa/blur`); held back: fragment shader" in wait


def test_who_declared_a_resource_its_renames_and_its_other_names(frame: Plan) -> None:
    for name in ("hdr", "lit"):
        text = lines(frame, name)
        assert text[0] == "resource `hdr`: texture"
        assert text[1] == f"created by `light` of the skeleton or the engine, asked for in {where(light, 1)}"
        assert f"renamed from `hdr` to `lit` by `fog/haze` in {where(haze, 1)}" in text
        assert "rgba16_sfloat, 256 x 256" in text
    assert "`depth_for_fog` stands for `depth`" in lines(frame, "depth")


def test_a_slot_is_followed(frame: Plan) -> None:
    text = lines(frame, "depth_for_fog")
    assert text[:2] == ["`depth_for_fog` stands for `depth`", "resource `depth`: texture"]


def test_users_of_a_resource_in_order(frame: Plan) -> None:
    text = lines(frame, "hdr")
    start = text.index("used, in order:")
    users = [line.split("`")[1] for line in text[start + 1 : start + 4]]
    assert users == ["light", "fog/haze", "taa/blur"]


def test_history_readers_and_what_the_first_frame_gets(frame: Plan) -> None:
    history = "history read by `taa/blur`; without a previous frame they get the mark that it is not valid"
    assert history in lines(frame, "taa/picture")
    assert "no node reads its history" in lines(frame, "hdr")


def test_who_shares_the_memory_and_when(frame: Plan) -> None:
    placed = {item.id: item for item in frame.placement.resources}
    expected = {
        other
        for other, item in placed.items()
        for own in placed["albedo"].copies
        for copy in item.copies
        if other != "albedo"
        and copy.heap == own.heap
        and copy.offset < own.offset + placed["albedo"].size
        and own.offset < copy.offset + item.size
    }
    text = [line for line in lines(frame, "albedo") if line.startswith("shares bytes")]
    assert expected
    assert {line.split("`")[1] for line in text} == expected
    assert all("in use " in line for line in text)
    assert line(frame, "albedo", "memory:") == "memory: 524288 bytes (512 KiB), aligned to 65536"


@pytest.mark.parametrize(("size", "refused"), [(1 << 30, False), ((1 << 30) + 1, True)])
def test_a_resource_that_some_devices_refuse_says_so(size: int, refused: bool) -> None:
    def fill(reg: Registry) -> None:
        reg.create("big", Buffer(size)).storage_write()
        reg.side_effects()

    graph = FrameGraph()
    graph.add_node("fill", fill)
    assert not graph.declare()
    plan = compile_snapshot(graph.snapshot(), graph.sizes(), CompileOptions(), RowMajorModel())
    assert ("more than the 1 GiB that every device can allocate" in explain(plan, "big")) is refused


def test_a_history_is_in_use_across_frames(frame: Plan) -> None:
    assert "in use from `taa/blur` of even frames to `taa/blur` of the next" in line(frame, "taa/picture", "even copy")


def test_resources_without_memory_say_so(frame: Plan) -> None:
    assert "memory: none of the graph's (the application owns it)" in lines(frame, "image")


def test_a_resource_of_a_removed_node_and_one_that_nobody_creates(frame: Plan) -> None:
    assert any("not in the frame: `stray/draw` removed" in line for line in lines(frame, "stray/map"))
    velocity = lines(frame, "velocity")
    assert velocity[:2] == ["resource `velocity`: not in the frame", "no node creates it"]
    assert velocity[2].startswith(f"`lost/draw` reads it, asked for in {where(lost, 1)}; `lost/draw` removed")
    assert lines(frame, "motion")[0] == "`motion` stands for `velocity`"
    assert lines(frame, "ao")[2].endswith("; the request is optional, and the node does without")


def test_a_node_that_asks_for_a_mip_that_is_not_there_does_nothing() -> None:
    def draw(reg: Registry) -> None:
        reg.create("pyramid", Texture("rgba8_unorm", (6, 4), mips=5)).mip(0).color()

    def half(reg: Registry) -> None:
        reg.read("pyramid").mip(2).sampled()
        reg.modify("pyramid").mip(3).color()

    graph = FrameGraph()
    graph.add_node("draw", draw)
    graph.add_node("half", half)
    graph.add_sink("pyramid")
    assert graph.declare() == ()
    plan = compile_snapshot(graph.snapshot(), graph.sizes(), CompileOptions(), RowMajorModel())
    nothing = "does nothing at this size: `pyramid` has 3 mips, so no mip 3"
    assert lines(plan, "half").count(nothing) == 1
    assert not any("nothing at this size" in line for line in lines(plan, "draw"))


def test_a_name_of_both_kinds_is_explained_as_both() -> None:
    graph = FrameGraph()
    graph.add_node("sky", lambda reg: (reg.create("sky", SMALL).color(), reg.side_effects())[1])
    graph.declare()
    plan = compile_snapshot(graph.snapshot(), graph.sizes(), CompileOptions(), RowMajorModel())
    assert [line for line in lines(plan, "sky") if line in ("node `sky`", "resource `sky`: texture")] == [
        "node `sky`",
        "resource `sky`: texture",
    ]


def test_an_unknown_name_is_wrong_use_with_a_near_one(frame: Plan) -> None:
    with pytest.raises(UsageError) as caught:
        explain(frame, "gbufer")
    assert caught.value.message == 'this graph has neither a node nor a resource "gbufer"'
    assert caught.value.hint == 'did you mean "gbuffer"?'


def test_every_name_of_the_plan_can_be_explained(frame: Plan) -> None:
    names = {node.id for node in frame.graph.nodes} | {item.id for item in frame.graph.resources}
    names |= {alias for alias, _ in frame.resolved.aliases} | {removal.node for removal in frame.removed}
    for name in sorted(names):
        assert name.partition("@")[0] in explain(frame, name)


def test_a_mistyped_name_that_is_only_requested_is_no_hint() -> None:
    graph = FrameGraph()
    graph.add_node("sky", lambda reg: (reg.create("light", SMALL).color(), reg.side_effects())[1])
    graph.add_node("eye", lambda reg: (reg.read("lihgt").sampled(stage="compute"), reg.side_effects())[1])
    graph.declare()
    plan = compile_snapshot(graph.snapshot(), graph.sizes(), CompileOptions(), RowMajorModel())
    with pytest.raises(UsageError) as caught:
        explain(plan, "lihgts")
    assert caught.value.hint == 'did you mean "light"?'
    assert "no node creates it" in lines(plan, "lihgt")
