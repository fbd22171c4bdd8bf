"""Which nodes are drawn for several views at once, what becomes of what they use, and why others are not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from declare_helpers import (
    BYTES,
    COLOR,
    DEPTH,
    create,
    culled,
    external,
    gather,
    graph,
    history,
    ids,
    member,
    modify,
    node,
    pairs,
    read,
    rename,
)

from renderwright.render.compiler.instances.multiview import multiview
from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.operations import BeginPassOp
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.views import Views, WhyApart
from renderwright.render.graph.requests import NodeDeclaration, Rate, Request
from renderwright.render.graph.snapshot import Chain, GraphSnapshot, SizeInputs
from renderwright.render.inspect.frames import frame_plans
from renderwright.render.inspect.plan_stream import judge
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.types.parts import WHOLE, Part
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.resources import Blob, Texture
from renderwright.render.types.usages import Usage
from renderwright.render.types.views import view_mask

CAMERA = Blob("Camera")
EYES = (("eye", 2),)


def willing(name: str, *requests: Request, mode: str = "eye", **more: object) -> NodeDeclaration:
    """A node that can be drawn for both eyes at once."""
    return replace(node(name, *requests, mode=mode, **more), multiview="eye")


def target(name: str, desc: Texture = COLOR) -> Request:
    return create(name, desc, usage=Usage.DEPTH if desc is DEPTH else Usage.COLOR, clear=(0.0, 0.0, 0.0, 0.0))


def sampled(name: str) -> Request:
    return read(name, usage=Usage.SAMPLED)


def show(*names: str, mode: str = "eye") -> NodeDeclaration:
    return node("show", *map(sampled, names), mode=mode, sink=True)


def drawn(snapshot: GraphSnapshot, most: int = 6) -> InstanceGraph:
    return multiview(culled(snapshot), snapshot.dimensions, most)


def compiled(snapshot: GraphSnapshot, **options: object) -> Plan:
    plan = compile_snapshot(snapshot, SizeInputs(), CompileOptions(**options), RowMajorModel())  # type: ignore[arg-type]
    assert judge(list(frame_plans(plan, 4))).findings == ()
    return plan


def why(snapshot: GraphSnapshot, name: str = "draw", most: int = 6) -> tuple[WhyApart, str]:
    """Why the only node that could be drawn for several views at once is not; the graph is then as it was."""
    found = drawn(snapshot, most)
    assert replace(found, apart=()) == culled(snapshot)
    (apart,) = found.apart
    assert apart.node == name
    return apart.reason, apart.message


def frame(mode: str = "eye", **counts: int) -> GraphSnapshot:
    """Surfaces drawn with a camera of each view, then looked at by each view for itself."""
    return graph(
        node("views", create("camera", CAMERA), mode=mode),
        willing("surfaces", target("albedo"), target("depth", DEPTH), mode=mode, executes=False),
        willing(
            "opaque",
            modify("albedo", usage=Usage.COLOR),
            modify("depth", usage=Usage.DEPTH),
            read("camera"),
            mode=mode,
        ),
        node("light", sampled("albedo"), read("depth", usage=Usage.DEPTH_READ), target("hdr"), mode=mode),
        show("hdr", mode=mode),
        counts=tuple(counts.items()) or EYES,
    )


def test_instances_become_one_which_renders_to_layers() -> None:
    found = drawn(frame())
    assert ids(found) == [
        "light@eye=0", "light@eye=1", "opaque@eye=*", "show@eye=0", "show@eye=1", "surfaces@eye=*",
        "views@eye=0", "views@eye=1",
    ]  # fmt: skip
    opaque = next(one for one in found.nodes if one.id == "opaque@eye=*")
    assert (opaque.views, opaque.index) == (Views("eye", 2), ())
    assert [(use.resources, use.request.part) for use in opaque.uses] == [
        (("albedo@eye=*",), WHOLE),
        (("depth@eye=*",), WHOLE),
        (("camera@eye=0", "camera@eye=1"), WHOLE),
    ]
    textures = {item.id: item for item in found.resources if isinstance(item.resource.desc, Texture)}
    assert {name: item.resource.desc.layers for name, item in textures.items()} == {
        "albedo@eye=*": 2, "depth@eye=*": 2, "hdr@eye=0": 1, "hdr@eye=1": 1,
    }  # fmt: skip
    assert textures["albedo@eye=*"].creator == "surfaces@eye=*"
    assert found.apart == ()


def test_others_use_the_layer_of_their_own_instance() -> None:
    for number in (0, 1):
        light = next(one for one in drawn(frame()).nodes if one.id == f"light@eye={number}")
        assert light.views is None
        assert [(use.resources, use.request.part.layers) for use in light.uses[:2]] == [
            (("albedo@eye=*",), (number, 1)),
            (("depth@eye=*",), (number, 1)),
        ]


def test_who_waited_for_one_view_waits_for_all() -> None:
    found = drawn(frame())
    assert {pair for pair in pairs(found) if "opaque@eye=*" in pair} == {
        ("views@eye=0", "opaque@eye=*"), ("views@eye=1", "opaque@eye=*"), ("surfaces@eye=*", "opaque@eye=*"),
        ("opaque@eye=*", "light@eye=0"), ("opaque@eye=*", "light@eye=1"),
    }  # fmt: skip
    reasons = {edge.resource for edge in found.edges if edge.before == "surfaces@eye=*"}
    assert "albedo@eye=*" in reasons


def test_other_dimensions_are_repeated_as_before() -> None:
    found = drawn(frame("view eye sample", view=2, eye=2, sample=2))
    opaque = [one for one in found.nodes if one.declaration.name == "opaque"]
    assert [one.id for one in opaque] == [
        f"opaque@view={view},eye=*,sample={sample}" for view in (0, 1) for sample in (0, 1)
    ]
    assert [one.index for one in opaque][1] == (("view", 0), ("sample", 1))
    assert opaque[1].uses[2].resources == ("camera@view=0,eye=0,sample=1", "camera@view=0,eye=1,sample=1")


def test_of_layers_over_another_dimension_each_instance_reads_its_own() -> None:
    mix = replace(willing("mix", target("mixed"), sampled("hdr"), mode="view eye"), multiview="view")
    found = drawn(graph(willing("draw", HDR), mix, show("mixed", mode="view eye"), counts=(("view", 2), *EYES)))
    mixes = [one for one in found.nodes if one.declaration.name == "mix"]
    assert [one.id for one in mixes] == ["mix@view=*,eye=0", "mix@view=*,eye=1"]
    assert [one.uses[1].resources for one in mixes] == [("hdr@eye=*",), ("hdr@eye=*",)]
    assert [one.uses[1].request.part.layers for one in mixes] == [(0, 1), (1, 1)]


def test_a_plan_draws_half_as_often_in_one_pass_with_a_mask() -> None:
    plan = compiled(frame())
    (number,) = [number for number, item in enumerate(plan.pass_plan.passes) if item.views == 2]
    item = plan.pass_plan.passes[number]
    names = [one.id for one in plan.graph.nodes[item.first : item.last + 1]]
    assert {"surfaces@eye=*", "opaque@eye=*"} <= set(names)
    assert view_mask(item.views) == 0b11
    begins = [op for op in plan.program.even if isinstance(op, BeginPassOp)]
    assert [op.views for op in begins] == [2, 1, 1]
    infos = {one.id: one.info for one in plan.placement.resources if isinstance(one.info, TextureInfo)}
    assert infos["depth@eye=*"].layers == 2


def test_a_history_of_layers_is_read_layer_by_layer() -> None:
    snapshot = frame()
    past = node("past", history("depth", usage=Usage.SAMPLED), target("trace"), mode="eye")
    plan = compiled(replace(snapshot, nodes=(*snapshot.nodes[:-1], past, show("hdr", "trace"))))
    layers = [one.uses[0].request.part.layers for one in plan.graph.nodes if one.declaration.name == "past"]
    assert layers == [(0, 1), (1, 1)]
    (depth,) = [one for one in plan.placement.resources if one.id == "depth@eye=*"]
    assert depth.has_history


def test_a_sampled_texture_gets_layers_too_whoever_makes_it() -> None:
    plan = compiled(
        graph(
            node("mask", target("mask"), mode="eye"),
            willing("draw", sampled("mask"), target("hdr")),
            show("hdr"),
            counts=EYES,
        )
    )
    makers = [one for one in plan.graph.nodes if one.declaration.name == "mask"]
    assert [one.attached for one in makers] == [
        (("mask@eye=*", Usage.COLOR, Part(None, (number, 1))),) for number in (0, 1)
    ]
    (draw,) = [one for one in plan.graph.nodes if one.views]
    assert draw.uses[0].request.part == WHOLE


def test_layers_keep_their_names_through_renames_and_chains() -> None:
    tone = member("tone", "post", mode="eye")
    source, result = tone.requests
    plan = compiled(
        graph(
            willing("draw", target("raw")),
            node("take", rename("raw", "hdr", usage=Usage.COLOR), mode="eye"),
            replace(tone, requests=(replace(source, usage=Usage.SAMPLED), replace(result, usage=Usage.COLOR))),
            show("ldr"),
            chains=(Chain("post", "hdr", "ldr"),),
            counts=EYES,
        )
    )
    tones = [one for one in plan.graph.nodes if one.declaration.name == "tone"]
    assert [one.uses[0].resources for one in tones] == [("raw@eye=*",)] * 2
    assert any(group.resource == "hdr@eye=*" for group in plan.graph.precedences)


def test_what_a_gather_over_another_dimension_reads_can_have_layers() -> None:
    resolve = node("resolve", gather("hdr", usage=Usage.SAMPLED), target("mean"), mode="eye")
    plan = compiled(
        graph(willing("draw", target("hdr"), mode="eye sample"), resolve, show("mean"), counts=(*EYES, ("sample", 2)))
    )
    (first, second) = [one for one in plan.graph.nodes if one.declaration.name == "resolve"]
    assert first.uses[0].resources == ("hdr@eye=*,sample=0", "hdr@eye=*,sample=1")
    assert (first.uses[0].request.part.layers, second.uses[0].request.part.layers) == ((0, 1), (1, 1))


def test_nothing_happens_where_there_is_one_view_or_nobody_asks() -> None:
    for snapshot in (
        frame(eye=1),
        frame("view", view=3),
        replace(frame(), nodes=tuple(replace(one, multiview="") for one in frame().nodes)),
    ):
        before = culled(snapshot)
        assert multiview(before, snapshot.dimensions, 6) is before


def test_a_node_that_executes_nothing_follows_those_that_draw() -> None:
    snapshot = replace(
        frame(), nodes=tuple(replace(one, multiview="") if one.name == "opaque" else one for one in frame().nodes)
    )
    reason, message = why(snapshot, "surfaces")
    assert reason is WhyApart.DRAWN_APART
    assert "`opaque` renders to `albedo` for each view by itself" in message
    quiet = replace(snapshot, nodes=tuple(replace(one, executes=False) for one in snapshot.nodes))
    assert "surfaces@eye=*" in ids(drawn(quiet)), "in a file nobody draws"


def draws(*requests: Request, mode: str = "eye", **more: object) -> GraphSnapshot:
    """``draw`` is willing and makes ``hdr``; beside it somebody makes one of everything for each eye and for all."""
    return graph(
        node("each", create("camera", CAMERA), create("buffer", BYTES, usage=Usage.STORAGE_WRITE), mode="eye"),
        node("once", target("shared"), create("value", CAMERA), create("bytes", BYTES, usage=Usage.STORAGE_WRITE)),
        node("mask", target("mask"), mode="eye"),
        willing("draw", *requests, mode=mode, **more),
        show("hdr"),
        counts=EYES,
    )


HDR = target("hdr")


@pytest.mark.parametrize(
    ("snapshot", "reason", "words"),
    [
        (draws(HDR, rate=Rate(every=2)), WhyApart.RATE, "every 2 frames"),
        (draws(HDR, modify("value")), WhyApart.WRITES, "`value`, which exists once for all of `eye`"),
        (draws(HDR, modify("bytes", usage=Usage.STORAGE)), WhyApart.WRITES, "`bytes`, which exists once"),
        (draws(HDR, modify("camera")), WhyApart.WRITES, "`camera`, and not by rendering"),
        (draws(HDR, modify("shared", usage=Usage.COLOR)), WhyApart.TARGETS, "`shared`, which exists once"),
        (draws(create("hdr", COLOR, usage=Usage.STORAGE_WRITE)), WhyApart.TARGETS, "renders to nothing"),
        (draws(HDR, read("buffer", usage=Usage.STORAGE_READ)), WhyApart.READS, "a buffer `buffer` for each"),
        (draws(HDR, read("mask", usage=Usage.STORAGE_READ)), WhyApart.READS, "`mask` as storage_read"),
        (draws(HDR, history("mask", usage=Usage.SAMPLED)), WhyApart.READS, "the history of `mask`"),
        (draws(HDR, history("camera")), WhyApart.READS, "the history of `camera`"),
        (
            draws(create("hdr", Texture("rgba8_unorm", (64, 64), layers=2), usage=Usage.COLOR)),
            WhyApart.TEXTURE,
            "`hdr` has layers of its own",
        ),
        (draws(external("hdr", COLOR, usage=Usage.COLOR)), WhyApart.TEXTURE, "`hdr` comes from outside"),
        (replace(draws(HDR), sinks=("hdr",)), WhyApart.TEXTURE, "is what the frame is made for"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_node_that_cannot_says_why(snapshot: GraphSnapshot, reason: WhyApart, words: str) -> None:
    assert why(snapshot)[0] is reason
    assert words in why(snapshot)[1]


@pytest.mark.parametrize(
    ("user", "words"),
    [
        (node("use", read("hdr", usage=Usage.COPY_SRC), mode="eye", sink=True), "is used as copy_src by `use`"),
        (node("use", gather("hdr", usage=Usage.SAMPLED), sink=True), "is gathered over `eye` by `use`"),
        (node("use", sampled("hdr"), mode="eye", sink=True, rate=Rate(every=2)), "do not run in every frame"),
    ],
    ids=["copies", "gathers", "rests"],
)
def test_a_texture_has_no_layers_if_somebody_uses_it_otherwise(user: NodeDeclaration, words: str) -> None:
    reason, message = why(graph(willing("draw", HDR), user, counts=EYES))
    assert reason is WhyApart.TEXTURE
    assert words in message


def test_no_more_views_than_can_be_drawn_at_once() -> None:
    assert why(draws(HDR), most=1) == (WhyApart.MOST, "only one view can be drawn at once here, and it has 2")
    three = replace(draws(HDR), counts=(("eye", 3),))
    assert "no more than 2 views" in why(three, most=2)[1]
    assert drawn(three, most=3).apart == ()


def test_a_dimension_that_the_graph_lacks_is_told() -> None:
    snapshot = draws(HDR)
    nodes = tuple(replace(one, multiview="slice") if one.multiview else one for one in snapshot.nodes)
    reason, message = why(replace(snapshot, nodes=nodes))
    assert reason is WhyApart.DIMENSION
    assert "eye" in message


def test_a_texture_has_layers_over_one_dimension() -> None:
    both = frozenset({"view", "eye"})
    first = replace(willing("first", HDR), multiplex=both)
    second = replace(willing("second", modify("hdr", usage=Usage.COLOR)), multiplex=both, multiview="view")
    snapshot = graph(first, second, show("hdr", mode="view eye"), counts=(("view", 2), *EYES))
    plan = compiled(snapshot)
    assert {one.declaration.name for one in plan.graph.nodes if one.views} == {"first"}
    (apart,) = plan.graph.apart
    assert (apart.node, apart.reason) == ("second", WhyApart.TEXTURE)
    assert "a layer for each of `eye`" in apart.message
