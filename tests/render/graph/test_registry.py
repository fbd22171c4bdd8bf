"""Declaring requests: what a node says, and the mistakes that fail at the line that made them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from renderwright.render.errors import GraphError
from renderwright.render.graph.node_requests import requested
from renderwright.render.graph.pipeline_requests import VertexLayout
from renderwright.render.graph.registry import Registry
from renderwright.render.graph.requests import EVERY_FRAME, FirstFrame, Rate, Verb
from renderwright.render.graph.source import caller_location
from renderwright.render.types.resources import Buffer, Resolution, Texture
from renderwright.render.types.usages import ShaderStage, Usage


class Exposure:
    """A blob's type."""


@pytest.mark.parametrize(
    ("call", "message", "hint"),
    [
        (
            lambda reg: reg.graphics("buoys.vert", "surface.frag"),
            '"fx/node" gives the vertex shader buoys.vert as the fragment shader of reg.graphics',
            'write reg.graphics("surface.frag", "buoys.vert")',
        ),
        (
            lambda reg: reg.graphics("cast.vert", depth_test="greater"),
            '"fx/node" gives the vertex shader cast.vert as the fragment shader of reg.graphics',
            'write vertex="cast.vert"',
        ),
        (
            lambda reg: reg.graphics("a.frag", "b.frag"),
            '"fx/node" gives the fragment shader b.frag to reg.graphics as its vertex shader',
            "a vertex shader ends in .vert",
        ),
        (
            lambda reg: reg.compute("tint.frag"),
            '"fx/node" gives the fragment shader tint.frag to reg.compute',
            "reg.graphics or reg.fullscreen takes it as its first argument; a compute shader ends in .comp",
        ),
        (
            lambda reg: reg.fullscreen("heat.comp"),
            '"fx/node" gives the compute shader heat.comp to reg.fullscreen',
            "reg.compute takes it; a fragment shader ends in .frag",
        ),
    ],
)
def test_the_endings_of_shaders_tell_that_arguments_are_mixed_up(call, message: str, hint: str) -> None:
    with pytest.raises(GraphError) as caught:
        call(Registry("fx/node", "fx"))
    assert caught.value.message == message
    assert hint in caught.value.hint
    assert caught.value.where is not None
    assert caught.value.where.file == __file__


def test_shaders_may_have_other_endings() -> None:
    reg = Registry("fx/node", "fx")
    reg.graphics("surface.glsl", "buoys.vs")
    reg.compute("heat")


def build(reg: Registry):
    return requested(reg).declaration(caller_location(), 0, True)


def test_a_declaration_holds_everything_that_was_said() -> None:
    reg = Registry("fx/blur", "fx")
    half = reg.resolution("main_view", 0.5)
    reg.create("blurred", Texture("rgba16_sfloat", half)).color(clear=(0, 0, 0, 1))
    reg.read("hdr").sampled(filter="nearest", stage="fragment").optional().bind("source")
    reg.history("blurred").sampled().first("invalid")
    reg.rename("hdr", "lit").color()
    reg.read("exposure", Exposure)
    reg.before("hud")
    reg.after("gbuffer", "lighting")
    reg.multiplex("view", "eye")
    reg.multiview("eye")
    reg.queue("compute", "graphics")
    reg.state(cull="back")
    reg.side_effects()
    node = build(reg)
    assert node.name == "fx/blur"
    assert node.plugin == "fx"
    create, read, history, rename, blob = node.requests
    assert create.verb is Verb.CREATE
    assert create.desc == Texture("rgba16_sfloat", Resolution("main_view", 0.5))
    assert create.clear == (0, 0, 0, 1)
    assert (read.usage, read.stages, read.optional, read.binding) == (
        Usage.SAMPLED,
        (ShaderStage.FRAGMENT,),
        True,
        "source",
    )
    assert read.sampling.filter == "nearest"
    assert history.first is FirstFrame.INVALID
    assert (rename.name, rename.to, rename.creates) == ("hdr", "lit", "lit")
    assert blob.usage is None
    assert blob.desc is not None
    assert blob.desc.type_name == "Exposure"
    assert (node.before, node.after) == (("hud",), ("gbuffer", "lighting"))
    assert node.multiplex == {"view", "eye"}
    assert node.multiview == "eye"
    assert node.queues == ("compute", "graphics")
    assert node.state == (("cull", "back"),)
    assert node.side_effects


def test_every_request_knows_the_line_that_made_it() -> None:
    reg = Registry("n", "")
    reg.read("a").sampled()
    here = caller_location()
    (request,) = build(reg).requests
    assert request.source.file == here.file
    assert request.source.line == here.line - 1


def test_a_chain_member_reads_one_picture_and_makes_the_next() -> None:
    reg = Registry("bloom/combine", "bloom")
    reg.chain("post_hdr", after=("fog/apply",), priority=3)
    node = build(reg)
    source, result = node.requests
    assert (source.chain, source.name, source.verb, source.binding) == ("post_hdr", "", Verb.READ, "source")
    assert (result.chain, result.verb, result.desc) == ("post_hdr", Verb.CREATE, None)
    assert node.chains[0].after == ("fog/apply",)
    assert node.chains[0].priority == 3


def test_defines_and_state_become_part_of_the_pipeline() -> None:
    reg = Registry("n", "")
    reg.graphics("a.frag", defines={"TAPS": 13}, blend="add")
    reg.compute("b.comp")
    graphics, compute = build(reg).pipelines
    assert graphics.defines == (("TAPS", "13"),)
    assert graphics.state == (("blend", "add"),)
    assert graphics.shaders == ((ShaderStage.VERTEX, "fullscreen.vert"), (ShaderStage.FRAGMENT, "a.frag"))
    assert compute.kind == "compute"


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        (lambda reg: reg.read("depth").depth(), "only read, and depth writes"),
        (lambda reg: reg.read("a").sampled().sampled(), "already used as sampled"),
        (lambda reg: reg.read("a", Exposure).sampled(), "blobs have no usage"),
        (lambda reg: reg.modify("a").color(clear=(0, 0, 0, 0)), "only the creator"),
        (lambda reg: reg.read("a").sampled(stage="pixel"), 'unknown shader stage "pixel"'),
        (lambda reg: reg.read("a").sampled(stage=("vertex", "pixel")), 'unknown shader stage "pixel"'),
        (lambda reg: reg.read("a").sampled(stage=3), 'unknown shader stage "3"'),
        (lambda reg: reg.read("a").sampled(stage=()), '"a" is used in no shader stage'),
        (lambda reg: reg.history("a").first("black"), 'unknown first-frame policy "black"'),
        (lambda reg: reg.queue("async"), "unknown queue async"),
        (lambda reg: (reg.read("a"), reg.read("a")), 'has two read requests for "a"'),
        (lambda reg: reg.create("", Buffer(4)), "without a name"),
        (lambda reg: (reg.chain("c"), reg.chain("c")), 'already in the chain "c"'),
        (lambda reg: reg.chain("c", format="rgba8_unorm"), "only one of format and size"),
        (lambda reg: (reg.create("a", Buffer(4)), build(reg)), "is requested without a usage"),
        (lambda reg: reg.multiview(""), "names no dimension for multiview"),
        (lambda reg: reg.every(0), "cannot run every 0 frames"),
        (lambda reg: reg.every(3, phase=3), "with a phase of 3"),
        (lambda reg: reg.when(""), "a blob without a name"),
        (lambda reg: (reg.every(2), reg.when("a")), "already runs every 2 frames"),
    ],
)
def test_mistakes_fail_where_they_are_made(mistake, message: str) -> None:
    with pytest.raises(GraphError) as caught:
        mistake(Registry("n", ""))
    assert message in str(caught.value)
    assert caught.value.where is not None
    assert caught.value.where.file == __file__


def test_a_helper_requests_for_its_caller() -> None:
    def request_map(reg) -> None:
        __tracebackhide__ = True
        reg.read("map").sampled()
        reg.every(2)

    reg = Registry("n", "")
    request_map(reg)
    line = sys._getframe().f_lineno - 1
    assert str(build(reg).requests[0].source) == f"{__file__}:{line}"
    with pytest.raises(GraphError) as caught:
        reg.every(3)
    assert str(caught.value.where) == f"{__file__}:{line + 4}"
    assert caught.value.hint == f"a node has one rate: leave out this one, or that of {__file__}:{line}"


def test_a_comprehension_in_a_helper_requests_for_its_caller() -> None:
    def request_maps(reg, names) -> None:
        __tracebackhide__ = True
        [reg.read(name).sampled() for name in names]

    reg = Registry("n", "")
    request_maps(reg, ["a", "b"])
    line = sys._getframe().f_lineno - 1
    assert [str(request.source) for request in build(reg).requests] == [f"{__file__}:{line}"] * 2


def test_shaders_know_a_resource_by_the_last_part_of_its_name() -> None:
    reg = Registry("fx/blur", "fx")
    reg.create("fx/wide/map", Buffer(4)).storage()
    reg.read("fx/depth").sampled()
    reg.rename("a", "fx/b", Exposure)
    reg.read("fx/noise").sampled().bind("grain")
    assert [request.binding for request in build(reg).requests] == ["map", "depth", "b", "grain"]


def test_rates() -> None:
    always, often, waiting = Registry("a", ""), Registry("b", ""), Registry("c", "")
    often.every(4, phase=1)
    waiting.when("sun")
    assert build(always).rate == EVERY_FRAME
    assert (str(build(often).rate), build(often).requests) == ("every 4 frames, 1 later", ())
    node = build(waiting)
    assert node.rate == Rate(when="sun")
    assert [(r.verb, r.name, r.desc, r.source.file) for r in node.requests] == [(Verb.READ, "sun", None, __file__)]


@pytest.mark.parametrize("first", [True, False])
def test_a_node_reads_what_it_waits_for_once(first: bool) -> None:
    reg = Registry("n", "")
    if first:
        reg.when("sun")
    reg.read("sun", Exposure)
    if not first:
        reg.when("sun")
    (request,) = build(reg).requests
    assert request.desc is not None


def test_no_mode_and_an_empty_mode_are_two_things() -> None:
    silent, once = Registry("a", ""), Registry("b", "")
    once.multiplex()
    assert (build(silent).multiplex, build(once).multiplex) == (None, frozenset())


def test_a_handle_is_useless_outside_execute() -> None:
    handle = Registry("n", "").read("depth").sampled()
    with pytest.raises(GraphError, match="outside its node's execute function"):
        _ = handle.extent


def test_a_uniform_takes_values_or_a_function() -> None:
    reg = Registry("fx/blur", "fx")
    values = {"radius": 2}
    reg.uniform("settings", values)
    reg.uniform("now", lambda: values)
    assert [(source.name, source.constant, source.supplier()) for source in requested(reg).uniforms] == [
        ("settings", True, values),
        ("now", False, values),
    ]


@pytest.mark.parametrize("values", [None, 2, 0.5, "radius", [2], (2,)])
def test_a_uniform_without_members_is_a_mistake(values: object) -> None:
    reg = Registry("fx/blur", "fx")
    with pytest.raises(GraphError, match=r'"fx/blur" fills the block "settings" with(.|\n)*value for each') as caught:
        reg.uniform("settings", values)
    assert caught.value.where is not None
    assert caught.value.where.file == __file__


def test_a_full_screen_pipeline_has_no_state() -> None:
    with pytest.raises(GraphError, match=r'"fx/blur" sets blend of a full-screen pipeline(.|\n)*reg.graphics'):
        Registry("fx/blur", "fx").fullscreen("blur.frag", blend="alpha")


def test_a_pipeline_without_an_execute_function_is_a_mistake() -> None:
    reg = Registry("fx/blur", "fx")
    reg.graphics("blur.frag")
    with pytest.raises(GraphError, match="return the execute function"):
        requested(reg).declaration(caller_location(), 0, False)


def test_a_second_request_names_the_first_and_what_to_do() -> None:
    reg = Registry("n", "")
    first = reg.read("a")
    with pytest.raises(GraphError, match=re.escape(f"the first at {__file__}:{first._source.line}")) as caught:
        reg.read("a")
    assert "use the first one's handle" in caught.value.hint


def test_a_second_request_names_the_file_of_the_first_one() -> None:
    reg = Registry("n", "")
    exec(compile('\nreg.read("a")', "/helpers/lights.py", "exec"), {"reg": reg})
    with pytest.raises(GraphError, match=r"the first at /helpers/lights\.py:2") as caught:
        reg.read("a")
    assert caught.value.where is not None
    assert caught.value.where.file == __file__
    assert "leave out one of the two" in caught.value.hint


WRONG_NUMBERS = {
    "a buffer's size": lambda reg: reg.create("big", Buffer(1.5)),
    "a buffer's bool": lambda reg: reg.create("big", Buffer(True)),
    "an external buffer's text": lambda reg: reg.external("big", Buffer("64"), lambda context: None),
    "a width": lambda reg: reg.create("big", Texture("r8_unorm", (8.0, 8))),
    "mips": lambda reg: reg.create("big", Texture("r8_unorm", (8, 8), mips=2.0)),
    "layers": lambda reg: reg.create("big", Texture("r8_unorm", (8, 8), layers=True)),
    "samples": lambda reg: reg.create("big", Texture("r8_unorm", (8, 8), samples=4.0)),
    "a mip": lambda reg: reg.read("big").mip(0.5),
    "a number of layers": lambda reg: reg.read("big").layers(0, 2.0),
    "a stride": lambda reg: reg.graphics("big.frag", vertex_layout=VertexLayout(((0, "rgb32_sfloat", 0),), 12.0)),
    "an offset": lambda reg: reg.graphics("big.frag", vertex_layout=VertexLayout(((0, "rgb32_sfloat", 0.5),), 12)),
}


@pytest.mark.parametrize("mistake", WRONG_NUMBERS)
def test_sizes_and_counts_are_whole_numbers(mistake: str) -> None:
    with pytest.raises(GraphError, match="no whole number") as raised:
        WRONG_NUMBERS[mistake](Registry("fx/node", "fx"))
    assert "big" in raised.value.message or "fx/node" in raised.value.message
    where = raised.value.where
    assert where is not None
    assert "lambda reg" in Path(__file__).read_text(encoding="utf-8").splitlines()[where.line - 1]


def test_whole_numbers_of_numpy_are_fine() -> None:
    desc = Texture("r8_unorm", (np.int64(8), np.int32(8)), mips=np.uint8(2))
    assert Registry("fx/node", "fx").create("big", desc).color().build().desc == desc


@pytest.mark.parametrize(
    "mistake",
    [
        lambda reg: reg.read("a").sampled(stage=dict.fromkeys(range(500))),
        lambda reg: reg.state(cull=list(range(500))),
        lambda reg: reg.graphics("a.frag", blend=[0.0] * 500),
    ],
)
def test_a_long_value_is_cut_in_the_message(mistake: Callable[[Registry], object]) -> None:
    with pytest.raises(GraphError) as caught:
        mistake(Registry("n", ""))
    assert "..." in caught.value.message
    assert len(caught.value.message) < 150
