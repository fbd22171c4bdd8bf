"""Nodes that use mips and layers of a texture: barriers, passes, loads and clears for each part by itself."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest
from declare_helpers import create, history, member, modify, node, read
from feature_checks import compiled
from feature_graphs import SIZES
from ordered_frames import Compiled, Frame, Touch, compile_frame, compute, fragment
from part_frames import random_part_frame, random_part_graph
from plan_mutants import mutants

from renderwright.render.compiler.diagnostics.findings import Severity
from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.graph.requests import Rate
from renderwright.render.graph.snapshot import Chain, GraphSnapshot
from renderwright.render.inspect.frames import frame_plans
from renderwright.render.inspect.plan_stream import judge
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.sync.barriers import Barrier
from renderwright.render.sync.flags import Layout
from renderwright.render.types.attachments import Load, Store
from renderwright.render.types.parts import WHOLE, Part, cells, joined
from renderwright.render.types.resources import Texture
from renderwright.render.types.usages import ShaderStage, Usage

RED = (1.0, 0.0, 0.0, 1.0)
SAMPLED, COLOR, STORED = Layout.SHADER_READ_ONLY, Layout.COLOR_ATTACHMENT, Layout.GENERAL


def mip(number: int) -> Part:
    return Part(mips=(number, 1))


def layer(number: int) -> Part:
    return Part(layers=(number, 1))


def of(touch: Touch, part: Part) -> Touch:
    return replace(touch, part=part)


def changes(frame: Compiled, name: str) -> list[tuple[int, Layout, Layout, str]]:
    """(pass behind it, old layout, new layout, part) of the barriers of a resource in an even frame."""
    return [
        (before, one.old_layout, one.new_layout, str(Part(one.mips, one.layers)))
        for before, one in frame.barriers(name)
    ]


def test_random_frames_with_parts_are_clean() -> None:
    for seed in range(80):
        frame = compile_frame(random_part_frame(seed), alias=seed % 5 != 0, split=seed % 2 == 0)
        assert judge([frame] * 4).findings == (), f"seed {seed}"


def test_random_graphs_with_parts_on_several_queues_are_clean() -> None:
    several = 0
    for seed in range(40):
        queues = ("graphics", "compute", "copy") if seed % 4 else ("graphics",)
        options = CompileOptions(alias=seed % 5 != 0, split_above=0.0 if seed % 3 > 0 else math.inf, queues=queues)
        plan = compiled(random_part_graph(seed), options)
        assert not [one for one in plan.problems if one.severity is Severity.ERROR], f"seed {seed}"
        several += plan.queues.several
        assert [str(one) for one in judge(list(frame_plans(plan, 5))).findings] == [], f"seed {seed}"
    assert several > 4


def test_every_barrier_of_a_part_is_needed() -> None:
    tried = 0
    for seed in range(3):
        for what, mutant in mutants(compile_frame(random_part_frame(seed, 6, lasting=False), split=seed % 2 == 0)):
            tried += 1
            assert judge([mutant] * 4).findings, f"seed {seed}: {what}"
    assert tried > 50


def test_each_texel_has_the_barriers_that_a_texture_of_its_own_has() -> None:
    """The model: every mip of every layer is another texture, and nobody uses parts.

    With neighbours that change as well a texel may do so sooner, but not before it has been used.
    """
    compared = sooner = 0
    for seed in range(30):
        rng = random.Random(seed)
        mips, layers = rng.randint(1, 3), rng.randint(1, 3)
        frame, model = Frame().texture("t", mips=mips, layers=layers), Frame()
        texels = [(m, n) for m in range(mips) for n in range(layers)]
        users: dict[tuple[int, int], list[int]] = {texel: [] for texel in texels}
        for m, n in texels:
            model.texture(f"t{m}{n}")
        for number in range(rng.randint(2, 8)):
            usage = rng.choice([Usage.SAMPLED, Usage.STORAGE_READ, Usage.STORAGE_WRITE, Usage.STORAGE])
            m, n = rng.randrange(mips), rng.randrange(layers)
            part = Part(
                (m, rng.randint(1, mips - m)) if rng.random() < 0.8 else None,
                (n, rng.randint(1, layers - n)) if rng.random() < 0.8 else None,
            )
            inside = [(m, n) for m, n in texels if part.meets(Part((m, 1), (n, 1)))]
            frame.node(f"n{number}", of(compute("t", usage), part))
            model.node(f"n{number}", *(compute(f"t{m}{n}", usage) for m, n in inside))
            for place in inside:
                users[place].append(number)
        found, wanted = compile_frame(frame), compile_frame(model)
        for m, n in texels:
            texel = Part((m, 1), (n, 1))
            own = [(at, one) for at, one in found.barriers("t") if Part(one.mips, one.layers).meets(texel)]
            model_own = wanted.barriers(f"t{m}{n}")
            assert [facts(one) for _, one in own] == [facts(one) for _, one in model_own], f"seed {seed}: {texel}"
            for (at, one), (latest, _) in zip(own, model_own, strict=True):
                used = [number for number in users[m, n] if number < latest]
                assert one.old_layout is Layout.UNDEFINED or used[-1] < at <= latest, f"seed {seed}: {texel}"
                sooner += at < latest
            compared += len(own)
    assert compared > 150
    assert sooner > 0


def facts(barrier: Barrier) -> tuple[object, ...]:
    """A barrier without its resource. The first one of a life waits for all that ever used the memory."""
    layouts = (barrier.old_layout, barrier.new_layout)
    if barrier.old_layout is Layout.UNDEFINED:
        return layouts
    scopes = (barrier.src_stages, barrier.src_access, barrier.dst_stages, barrier.dst_access)
    return (barrier.reason, *scopes, *layouts)


def test_a_mip_chain_changes_one_mip_at_a_time() -> None:
    frame = Frame().texture("t", mips=3).texture("out")
    frame.node("paint", of(fragment("t", Usage.COLOR), mip(0)))
    for level in (1, 2):
        above, own = of(fragment("t", Usage.SAMPLED), mip(level - 1)), of(fragment("t", Usage.COLOR), mip(level))
        frame.node(f"half {level}", above, own)
    frame.node("show", fragment("t", Usage.SAMPLED), fragment("out", Usage.COLOR)).sink("out")
    frame = compile_frame(frame)
    assert changes(frame, "t") == [
        (0, Layout.UNDEFINED, COLOR, ""),
        (1, COLOR, SAMPLED, "mip 0"),
        (2, COLOR, SAMPLED, "mip 1"),
        (3, COLOR, SAMPLED, "mip 2"),
    ]
    assert frame.extents == ((64, 64), (32, 32), (16, 16), (64, 64))
    assert judge([frame] * 4).findings == ()


def there_and_back(mips: int) -> Frame:
    """Each mip from the one above it, then back to the first, drawing each over again from the one below it."""
    frame = Frame().texture("t", mips=mips).texture("out")
    frame.node("paint", of(fragment("t", Usage.COLOR), mip(0)))
    for level in range(1, mips):
        above, own = of(fragment("t", Usage.SAMPLED), mip(level - 1)), of(fragment("t", Usage.COLOR), mip(level))
        frame.node(f"half {level}", above, own)
    for level in range(mips - 2, -1, -1):
        below, own = of(fragment("t", Usage.SAMPLED), mip(level + 1)), of(fragment("t", Usage.COLOR), mip(level))
        frame.node(f"back {level}", below, own)
    first = of(fragment("t", Usage.SAMPLED), mip(0))
    return frame.node("show", first, fragment("out", Usage.COLOR)).sink("out")


@pytest.mark.parametrize("split", [False, True])
def test_what_can_wait_where_others_do_shares_their_barrier(split: bool) -> None:
    """Mips 0 and 1 have been read when mip 2 has to change its layout, and are drawn to later."""
    frame = compile_frame(there_and_back(4), split=split)
    assert [change for change in changes(frame, "t") if change[1] is SAMPLED] == [(4, SAMPLED, COLOR, "mips 0 to 2")]
    assert len(frame.barriers("t")) == 1 + 4 + 1 + 3
    assert judge([frame] * 4).findings == ()


def test_neighbours_share_a_barrier_with_a_range() -> None:
    frame = Frame().texture("t", mips=2, layers=6).texture("out")
    for face in range(6):
        frame.node(f"face {face}", of(fragment("t", Usage.COLOR), Part((0, 1), (face, 1))))
    frame.node("half", of(compute("t", Usage.SAMPLED), mip(0)), of(compute("t", Usage.STORAGE_WRITE), mip(1)))
    frame.node("show", fragment("t", Usage.SAMPLED), fragment("out", Usage.COLOR)).sink("out")
    found = changes(compile_frame(frame), "t")
    assert [change for change in found if change[0] >= 6] == [
        (6, COLOR, SAMPLED, "mip 0"),
        (6, Layout.UNDEFINED, STORED, "mip 1"),
        (7, STORED, SAMPLED, "mip 1"),
    ]


def test_writers_of_different_parts_need_no_barrier_between_them() -> None:
    frame = Frame().texture("t", layers=2)
    frame.node("a", of(compute("t", Usage.STORAGE_WRITE), layer(0)))
    frame.node("b", of(compute("t", Usage.STORAGE_WRITE), layer(1)))
    frame.node("a again", of(compute("t", Usage.STORAGE), layer(0)))
    found = compile_frame(frame, split=True).barriers("t")
    again = [barrier for _, barrier in found if barrier.old_layout is STORED]
    assert [(one.layers, one.split.name) for one in again] == [((0, 1), "SPLIT")] * 2  # both halves
    assert [one.layers for _, one in found if one.old_layout is not STORED] == [None]  # one opens all of it


def test_only_nodes_that_render_to_the_same_part_share_a_pass() -> None:
    frame = Frame().texture("t", layers=2).sink("t")
    for number, face in enumerate((0, 0, 1)):
        frame.node(f"n{number}", of(fragment("t", Usage.COLOR), layer(face)))
    found = compile_frame(frame)
    assert [(one.first, one.last) for one in found.pass_plan.passes] == [(0, 1), (2, 2)]
    assert (
        found.pass_plan.passes[1].merge_blocker
        == 'it renders to layer 1 of "t" as color, the pass before it to layer 0 of "t" as color'
    )


def test_a_pass_that_samples_another_part_takes_in_nodes() -> None:
    frame = Frame().texture("t", layers=2).sink("t")
    frame.node("paint", of(fragment("t", Usage.COLOR), layer(0)))
    for number in range(2):
        uses = (of(fragment("t", Usage.SAMPLED), layer(0)), of(fragment("t", Usage.COLOR), layer(1)))
        frame.node(f"n{number}", *uses)
    assert [(one.first, one.last) for one in compile_frame(frame).pass_plan.passes] == [(0, 0), (1, 2)]


def test_parts_are_loaded_stored_and_cleared_by_themselves() -> None:
    frame = Frame().texture("t", layers=3, clear=RED).texture("out")
    frame.node("one", of(fragment("t", Usage.COLOR), layer(0)))
    frame.node("both", of(fragment("t", Usage.COLOR), Part(layers=(0, 2))))
    frame.node("show", of(fragment("t", Usage.SAMPLED), Part(layers=(1, 2))), fragment("out", Usage.COLOR)).sink("out")
    found = compile_frame(frame)
    first, second = (found.pass_plan.passes[number].attachments[0] for number in (0, 1))
    assert (first.load, first.store, first.part) == (Load.CLEAR, Store.STORE, layer(0))
    # Layer 0 is wanted and layer 1 is new, so that one is cleared by a command; as is, at the beginning, what is
    # only read.
    assert (second.load, second.store) == (Load.LOAD, Store.STORE)
    cleared = [clear.part for batch in found.sync.even for clear in batch.clears]
    assert cleared == [layer(2), layer(1)]
    assert judge([found] * 4).findings == ()


def test_a_range_of_everything_is_no_part() -> None:
    frame = Frame().texture("t").sink("t")
    frame.node("a", of(fragment("t", Usage.COLOR), Part((0, 1), (0, 1))))
    assert changes(compile_frame(frame), "t") == [(0, Layout.UNDEFINED, COLOR, "")]


@pytest.mark.parametrize("several", [False, True])
def test_what_is_kept_from_frame_to_frame_may_be_used_in_parts(several: bool) -> None:
    """Faces that are drawn in one of three frames, and looked at in all of them."""
    desc = Texture("rgba8_unorm", (16, 16), layers=3)
    every = {"rate": Rate(3)}
    nodes = [
        replace(node("a", create("cube", desc, usage=Usage.COLOR, part=layer(0))), **every),
        replace(
            node("b", modify("cube", usage=Usage.STORAGE_WRITE, part=layer(1)), queues=("compute", "graphics")), **every
        ),
        node("c", read("cube", usage=Usage.SAMPLED, part=Part(layers=(0, 2))), create("out", usage=Usage.COLOR)),
        node(
            "d",
            read("cube", usage=Usage.SAMPLED, part=layer(1)),
            read("out", usage=Usage.SAMPLED),
            create("end", usage=Usage.COLOR),
        ),
    ]
    queues = ("graphics", "compute") if several else ("graphics",)
    plan = compiled(GraphSnapshot(nodes=tuple(nodes), sinks=("end",)), CompileOptions(queues=queues))
    assert len(plan.graph.nodes) == 4
    report = judge(list(frame_plans(plan, 8)))
    assert [str(one) for one in report.findings] == []


def test_queues_use_different_parts_at_once() -> None:
    desc = Texture("rgba8_unorm", (16, 16), layers=2)
    nodes = [
        node("a", create("t", desc, usage=Usage.STORAGE_WRITE, part=layer(0), stages=(ShaderStage.COMPUTE,)), cost=5.0),
        node(
            "b",
            modify("t", usage=Usage.STORAGE_WRITE, part=layer(1), stages=(ShaderStage.COMPUTE,)),
            queues=("compute", "graphics"),
            cost=50.0,
        ),
        node("busy", create("x", usage=Usage.COLOR), cost=50.0),
        node("end", read("t", usage=Usage.SAMPLED), read("x", usage=Usage.SAMPLED), create("end", usage=Usage.COLOR)),
    ]
    snapshot = GraphSnapshot(nodes=tuple(nodes), sinks=("end",))
    plan = compile_snapshot(snapshot, SIZES, CompileOptions(queues=("graphics", "compute")), RowMajorModel())
    assert plan.queues.several
    owned = [one for batch in plan.sync.even for one in batch.barriers if one.owners and one.resource == "t"]
    assert {one.layers for one in owned} == {(1, 1)}
    assert judge(list(frame_plans(plan, 5))).findings == ()


def test_cells_and_what_they_are_joined_to() -> None:
    parts = [Part((0, 1), None), Part(None, (1, 2))]
    found = cells(parts, 2, 4)
    assert found == (
        Part((0, 1), (0, 1)),
        Part((0, 1), (1, 2)),
        Part((0, 1), (3, 1)),
        Part((1, 1), (0, 1)),
        Part((1, 1), (1, 2)),
        Part((1, 1), (3, 1)),
    )
    assert cells([WHOLE, Part((0, 2), (0, 4))], 2, 4) == (WHOLE,)
    assert joined(found, 2, 4) == (WHOLE,)
    assert joined(found[:3], 2, 4) == (Part((0, 1), None),)
    assert joined([found[1], found[4]], 2, 4) == (Part(None, (1, 2)),)


def test_joining_covers_the_same_texels_once() -> None:
    for seed in range(200):
        rng = random.Random(seed)
        mips, layers = rng.randint(1, 5), rng.randint(1, 6)
        chosen = [(m, n) for m in range(mips) for n in range(layers) if rng.random() < 0.6]
        covered = []
        for part in joined([Part((m, 1), (n, 1)) for m, n in chosen], mips, layers):
            rows, columns = part.mips or (0, mips), part.layers or (0, layers)
            covered += [(m, n) for m in range(rows[0], sum(rows)) for n in range(columns[0], sum(columns))]
        assert sorted(covered) == chosen


# what names no mip ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("usage", [Usage.COLOR, Usage.STORAGE_WRITE])
def test_what_is_drawn_to_without_a_mip_is_the_first_one_alone(usage: Usage) -> None:
    """The others are cleared if the creator wants that, and keep what earlier nodes have put there."""
    chain = Texture("rgba8_unorm", (64, 64), mips=3)
    plan = compiled(
        GraphSnapshot(
            nodes=(
                node("draw", create("t", chain, usage=usage, clear=RED)),
                node("low", replace(modify("t", usage=Usage.COLOR), part=mip(2)), after=("draw",)),
                node("look", read("t", usage=Usage.SAMPLED), create("end", usage=Usage.COLOR)),
            ),
            sinks=("end",),
        ),
        CompileOptions(),
    )
    assert [str(one) for one in judge(list(frame_plans(plan, 4))).findings] == []
    drawn = [part for each in plan.graph.nodes for name, _, part in each.attached if name == "t"]
    assert drawn == ([mip(0)] if usage is Usage.COLOR else []) + [mip(2)]


def test_a_chain_member_without_a_description_makes_one_mip() -> None:
    snapshot = GraphSnapshot(
        nodes=(
            node("draw", create("hdr", Texture("rgba8_unorm", (64, 64), mips=3), usage=Usage.COLOR, clear=RED)),
            member("blur", "post"),
            node("look", read("out", usage=Usage.SAMPLED), create("end", usage=Usage.COLOR)),
        ),
        chains=(Chain("post", "hdr", "out"),),
        sinks=("end",),
    )
    made = {item.id: item.resource.desc for item in compiled(snapshot, CompileOptions()).graph.resources}
    assert made["post/blur"] == Texture("rgba8_unorm", (64, 64))


def test_parts_that_only_a_resting_node_uses_end_a_frame_like_the_others() -> None:
    chain = Texture("rgba8_unorm", (64, 64), mips=3)
    made = replace(create("t", chain, usage=Usage.STORAGE, stages=(ShaderStage.COMPUTE,), clear=RED), part=mip(0))
    kept = replace(read("t", usage=Usage.STORAGE_READ, stages=(ShaderStage.COMPUTE,)), part=mip(0))
    end = {"usage": Usage.COLOR}
    plan = compiled(
        GraphSnapshot(
            nodes=(
                node("draw", made),
                node("use", kept, create("other", **end), sink=True, after=("draw",)),
                node("look", read("t", usage=Usage.SAMPLED), create("end", **end), after=("use",), rate=Rate(every=2)),
            ),
            sinks=("end", "t"),
        ),
        CompileOptions(order="declared"),
    )
    assert [str(one) for one in judge(list(frame_plans(plan, 5))).findings] == []


def test_parts_that_nobody_uses_while_a_reader_rests_are_opened_behind_the_memory_s_last_users() -> None:
    """``t`` takes over memory that another queue had last, and the node that reads its history does not run."""
    made = create("t", Texture("rgba8_unorm", (64, 64), mips=2), usage=Usage.STORAGE_WRITE, clear=RED)
    kept = replace(history("t", usage=Usage.STORAGE_READ), part=mip(0))
    color, copied = {"usage": Usage.COLOR}, {"usage": Usage.COPY_DST}
    nodes = (
        node("begin", create("b", **color), create("v", **color), create("end", **color)),
        node("draw", replace(made, part=mip(0))),
        node("look", kept, sink=True, rate=Rate(every=3), after=("draw",)),
        node("fill", create("u", **color), after=("look",)),
        node("busy", modify("b", **color), cost=50.0, after=("fill",)),
        node("copy", read("u", usage=Usage.COPY_SRC), modify("v", **copied), queues=("compute", "graphics"), cost=50.0),
        node("end", read("v", usage=Usage.SAMPLED), read("b", usage=Usage.SAMPLED), modify("end", **color)),
    )
    snapshot = GraphSnapshot(nodes=nodes, sinks=("end",))
    plan = compiled(snapshot, CompileOptions(order="declared", queues=("graphics", "compute")))
    places = {item.id: [copy.offset for copy in item.copies] for item in plan.placement.resources}
    assert plan.queues.several
    assert sorted(places["t"]) == sorted(places["u"])
    assert [str(one) for one in judge(list(frame_plans(plan, 5))).findings] == []
