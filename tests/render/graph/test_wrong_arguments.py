"""Arguments of a wrong type fail at the author's line, with what was given and what is expected."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from renderwright.render.errors import GraphError
from renderwright.render.graph.node_requests import requested
from renderwright.render.graph.pipeline_requests import VertexLayout
from renderwright.render.graph.registry import Registry
from renderwright.render.graph.revision import Revision
from renderwright.render.graph.source import caller_location
from renderwright.render.types.resources import Buffer, Resolution, Texture

R8 = Texture("r8_unorm", (8, 8))

WRONG_TYPES = {
    "a resolution's name": (lambda reg: reg.resolution(3), "3, which is no name"),
    "a resolution's scale": (lambda reg: reg.resolution("main_view", "half"), "'half', which is no number above 0"),
    "a scale of nothing": (lambda reg: reg.resolution("main_view", 0), "0, which is no number above 0"),
    "a scale without end": (lambda reg: reg.resolution("main_view", math.inf), "inf, which is no number above 0"),
    "a resource's name": (lambda reg: reg.read(3), "3, which is no name"),
    "an array for a name": (lambda reg: reg.read(np.zeros(2)), "array([0., 0.]), which is no name"),
    "a name of slashes": (lambda reg: reg.create("/", R8), "'/', which is no name"),
    "no description": (lambda reg: reg.create("a", None), 'the description of "a" is None, which is no Texture'),
    "a list as description": (lambda reg: reg.create("a", [1]), "[1], which is no Texture, Buffer or type"),
    "a format": (lambda reg: reg.create("a", Texture(3, (8, 8))), 'format of texture "a" is 3, which is no name'),
    "a size": (lambda reg: reg.create("a", Texture("r8_unorm", 8)), 'size of texture "a" is 8, which is no size'),
    "a size of three": (lambda reg: reg.create("a", Texture("r8_unorm", (8, 8, 8))), "(8, 8, 8), which is no size"),
    "a scaled resolution": (
        lambda reg: reg.create("a", Texture("r8_unorm", Resolution("main_view", math.nan))),
        "nan, which is no number above 0",
    ),
    "a buffer for each": (lambda reg: reg.create("a", Buffer(4, 3)), 'each of buffer "a" is 3, which is no resolution'),
    "a cube": (lambda reg: reg.create("a", Texture("r8_unorm", (8, 8), layers=6, cube="yes")), "'yes', which is no"),
    "a provider": (lambda reg: reg.external("a", int, 3), 'the provider of "a" is 3, which is no function'),
    "a provider without arguments": (
        lambda reg: reg.external("a", int, lambda: 3),
        'the provider of "a" is <lambda>(), but is called with one positional argument, context',
    ),
    "a provider of two arguments": (
        lambda reg: reg.external("a", int, lambda context, rows: 3),
        'the provider of "a" is <lambda>(context, rows), but is called with one positional argument, context',
    ),
    "a function of a block": (
        lambda reg: reg.uniform("look", lambda x: {}),
        'the function of the block "look" of "fx/node" is <lambda>(x), but is called without arguments',
    ),
    "a blob's type": (lambda reg: reg.read("a", 3), 'the type of "a" is 3, which is no type'),
    "a history's frames": (lambda reg: reg.history("a", frames="1"), "'1', which is no whole number"),
    "a new name": (lambda reg: reg.rename("a", 3), "3, which is no name"),
    "a new name of slashes": (lambda reg: reg.rename("a", "/"), "'/', which is no name"),
    "a chain's name": (lambda reg: reg.chain(3), "3, which is no name"),
    "a chain's format": (lambda reg: reg.chain("c", format=3, size=(8, 8)), "3, which is no name"),
    "a chain's size": (lambda reg: reg.chain("c", format="r8_unorm", size="half"), "'half', which is no size"),
    "a chain's priority": (lambda reg: reg.chain("c", priority="high"), "'high', which is no whole number"),
    "a chain's before": (lambda reg: reg.chain("c", before=3), "3, which is no name"),
    "a chain's after": (lambda reg: reg.chain("c", after=("a", 3)), "3, which is no name"),
    "a chain's gather": (lambda reg: reg.chain("c", gather="view"), "'view', which is no bool"),
    "a chain's member": (lambda reg: reg.chain_source("c", 3), "3, which is no name"),
    "a block's name": (lambda reg: reg.uniform(3, {}), "3, which is no name"),
    "before": (lambda reg: reg.before(abs), "<built-in function abs>, which is no name"),
    "after": (lambda reg: reg.after(3), 'a node that "fx/node" runs after is 3, which is no name'),
    "after nothing": (lambda reg: reg.after(""), "'', which is no name"),
    "replaces": (lambda reg: reg.replaces(["a"]), "['a'], which is no name"),
    "multiplex": (lambda reg: reg.multiplex(3), 'a dimension of "fx/node" is 3, which is no name'),
    "multiview": (lambda reg: reg.multiview(2), "2, which is no name"),
    "priority": (lambda reg: reg.priority("x"), "the priority of \"fx/node\" is 'x', which is no whole number"),
    "queue": (lambda reg: reg.queue(["compute"]), "['compute'], which is no name"),
    "cost": (lambda reg: reg.cost("x"), "the cost of \"fx/node\" is 'x', which is no number from 0 on"),
    "no cost": (lambda reg: reg.cost(None), "None, which is no number from 0 on"),
    "a cost of nan": (lambda reg: reg.cost(math.nan), "nan, which is no number from 0 on"),
    "costs": (lambda reg: reg.cost(np.ones(2)), "which is no number from 0 on"),
    "stable": (lambda reg: reg.stable("x"), "'x', which is no Revision"),
    "every": (lambda reg: reg.every(0.5), "0.5, which is no whole number"),
    "a phase": (lambda reg: reg.every(2, phase=None), "None, which is no whole number"),
    "when": (lambda reg: reg.when(3), "3, which is no name"),
    "a fragment shader": (lambda reg: reg.graphics(3), "3, which is no name of a file"),
    "a vertex shader": (lambda reg: reg.graphics("a.frag", None), "None, which is no name of a file"),
    "a compute shader": (lambda reg: reg.compute(Path("a.comp")), "which is no name of a file"),
    "a full-screen shader": (lambda reg: reg.fullscreen(3), "3, which is no name of a file"),
    "a vertex layout": (lambda reg: reg.graphics("a.frag", vertex_layout=3), "3, which is no VertexLayout"),
    "vertex attributes": (
        lambda reg: reg.graphics("a.frag", vertex_layout=VertexLayout((3,), 4)),
        "(3,), which is no tuple of (location, format, offset)",
    ),
    "defines": (lambda reg: reg.compute("a.comp", defines="A"), "'A', which is no dict"),
    "a define's name": (lambda reg: reg.compute("a.comp", defines={3: 1}), "3, which is no name"),
    "a binding": (lambda reg: reg.read("a").bind(3), 'the binding of "a" is 3, which is no name'),
    "a clear color": (lambda reg: reg.create("a", R8).color(clear=3), "3, which is no (red, green, blue, alpha)"),
    "three channels": (lambda reg: reg.create("a", R8).color(clear=(0, 0, 0)), "which is no (red, green, blue, alpha)"),
    "a text as color": (lambda reg: reg.create("a", R8).color(clear="blue"), "'blue', which is no (red"),
    "a channel without end": (lambda reg: reg.create("a", R8).color(clear=(10**400, 0, 0, 0)), "which is no (red"),
    "half a character": (lambda reg: reg.read("a\ud800"), "'a\\ud800', which is no name"),
    "a line break": (lambda reg: reg.before("a\n"), "'a\\n', which is no name"),
    "a clear depth": (lambda reg: reg.create("a", R8).depth(clear="far"), "'far', which is no number"),
    "an absent value": (lambda reg: reg.read("a").sampled().optional("white"), "'white', which is no number"),
    "a mip": (lambda reg: reg.read("a").mip("0"), "'0', which is no whole number"),
}


def refused(mistake) -> GraphError:
    """What a mistake raises; it names the line that made it."""
    with pytest.raises(GraphError) as raised:
        mistake(Registry("fx/node", "fx"))
    where = raised.value.where
    assert where is not None
    assert "reg" in Path(__file__).read_text(encoding="utf-8").splitlines()[where.line - 1]
    assert raised.value.hint
    return raised.value


@pytest.mark.parametrize("mistake", WRONG_TYPES)
def test_an_argument_of_a_wrong_type_is_named(mistake: str) -> None:
    call, words = WRONG_TYPES[mistake]
    assert words in refused(call).message


SWAPPED = {
    "a texture's format": (
        lambda reg: reg.create("a", Texture(reg.resolution("main_view"), "rgba16_sfloat")),
        "which is no name",
        'write Texture("rgba16_sfloat", ...): the format comes first',
    ),
    "a block's name": (
        lambda reg: reg.uniform({"radius": 2}, "settings"),
        "{'radius': 2}, which is no name",
        'write reg.uniform("settings", ...): the name comes first',
    ),
    "a created resource's name": (
        lambda reg: reg.create(R8, "haze"),
        "which is no name",
        'write reg.create("haze", ...): the name comes first',
    ),
    "an external resource's name": (
        lambda reg: reg.external(R8, "haze"),
        "which is no name",
        'write reg.external("haze", ...): the name comes first',
    ),
    "a format alone": (
        lambda reg: reg.create("a", Texture(3, (8, 8))),
        "3, which is no name",
        'give the name of a format, such as "rgba16_sfloat"',
    ),
}


@pytest.mark.parametrize("mistake", SWAPPED)
def test_arguments_that_have_changed_places_are_told(mistake: str) -> None:
    call, words, hint = SWAPPED[mistake]
    error = refused(call)
    assert words in error.message
    assert error.hint == hint


WRONG_WORDS = {
    "filter": (lambda reg: reg.read("a").sampled(filter="neares"), '"neares"', "nearest", "linear, nearest"),
    "address": (lambda reg: reg.read("a").sampled(address="mirrored"), '"mirrored"', "mirror", "clamp, repeat, mirror"),
    "blend": (lambda reg: reg.graphics("a.frag", blend="additive"), '"additive"', "add", "none, alpha, add, "),
    "blend of the node": (lambda reg: reg.state(blend="alhpa"), '"alhpa"', "alpha", "none, alpha, add, "),
    "cull": (lambda reg: reg.state(cull="backs"), '"backs"', "back", "none, back, front"),
    "depth_test": (lambda reg: reg.state(depth_test="greater_than"), '"greater_than"', "greater", "none, greater, "),
    "topology": (lambda reg: reg.state(topology="line"), '"line"', "lines", "triangles, lines, points"),
    "stage": (lambda reg: reg.read("a").sampled(stage="fragmant"), '"fragmant"', "fragment", "vertex, fragment, "),
    "first": (lambda reg: reg.history("a").first("cleared"), '"cleared"', "clear", "clear, discard, invalid"),
    "queue": (lambda reg: reg.queue("graphic"), "graphic", "graphics", "graphics, compute, copy"),
}


@pytest.mark.parametrize("mistake", WRONG_WORDS)
def test_an_unknown_word_gets_the_nearest_and_all_that_are_allowed(mistake: str) -> None:
    call, given, near, known = WRONG_WORDS[mistake]
    error = refused(call)
    assert given in error.message
    assert f'did you mean "{near}"?' in error.hint
    assert known in error.hint


WRONG_STATES = {
    "a text for blend": (lambda reg: reg.state(blend=3), "3"),
    "depth_write": (lambda reg: reg.state(depth_write="yes"), "'yes', which is no bool"),
    "depth_bias": (lambda reg: reg.state(depth_bias=1.0), "1.0, which is no (constant, slope)"),
    "color_write": (lambda reg: reg.state(color_write="rgbx"), "'rgbx', which is no"),
    "vertex": (lambda reg: reg.state(vertex=3), "3, which is no tuple of (location, format, offset)"),
    "vertex_stride": (lambda reg: reg.state(vertex_stride="12"), "'12', which is no whole number"),
}


@pytest.mark.parametrize("mistake", WRONG_STATES)
def test_a_state_of_a_wrong_type_is_named(mistake: str) -> None:
    call, words = WRONG_STATES[mistake]
    assert words in refused(call).message


def test_one_name_is_as_good_as_several_for_a_chain() -> None:
    reg = Registry("fx/node", "fx")
    reg.chain("one", before="taa/resolve", after=["fog/apply", "bloom/add"])
    (member,) = requested(reg).declaration(caller_location(), 0, True).chains
    assert (member.before, member.after) == (("taa/resolve",), ("fog/apply", "bloom/add"))


def test_a_handle_is_no_name() -> None:
    def own_result(reg: Registry) -> None:
        reg.history(reg.chain("post_hdr").output)

    def own_texture(reg: Registry) -> None:
        reg.history(reg.create("thing", R8).color())

    assert 'give the name "post_hdr/fx/node"' in refused(own_result).hint
    assert 'give the name "thing"' in refused(own_texture).hint


def test_functions_with_defaults_are_fine() -> None:
    reg = Registry("fx/node", "fx")
    reg.external("a", int, lambda context, rows=3: rows)
    reg.external("b", int, lambda *given: 3)
    reg.uniform("look", lambda color=(1, 0, 0): {"color": color})
    reg.uniform("more", dict)
    reg.uniform("most", lambda **given: given)
    requested(reg).declaration(caller_location(), 0, True)


def test_a_declared_order_knows_its_line() -> None:
    reg = Registry("fx/node", "fx")
    reg.after("gbuffer", "sky")
    reg.before("hud")
    declaration = requested(reg).declaration(caller_location(), 0, True)
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    told = {other: lines[declaration.ordered_at(other).line - 1].strip() for other in ("gbuffer", "sky", "hud")}
    after = 'reg.after("gbuffer", "sky")'
    assert told == {"gbuffer": after, "sky": after, "hud": 'reg.before("hud")'}
    assert declaration.ordered_at("bloom") == declaration.source


def test_numbers_of_numpy_and_generic_types_are_fine() -> None:
    reg = Registry("fx/node", "fx")
    reg.priority(np.int64(3))
    reg.cost(np.float32(0.5))
    reg.resolution("main_view", np.float64(0.5))
    reg.create("a", R8).color(clear=np.zeros(4))
    reg.create("values", dict[str, int])
    reg.stable(Revision())
    reg.compute("a.comp", defines={"TAPS": 3, "NAME": "x"})
    requested(reg).declaration(caller_location(), 0, True)
