"""Files at the edge of what is allowed: each is refused by line, or compiles into what it says."""

from __future__ import annotations

import textwrap

import pytest

from renderwright.engine.skeleton import SkeletonFileError, parse_skeleton, to_snapshot
from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import CompileError
from renderwright.render.graph.snapshot import SizeInputs
from renderwright.render.memory.needs import RowMajorModel


def plan_of(text: str) -> Plan:
    skeleton = parse_skeleton(textwrap.dedent(text).encode(), "f.yaml")
    sizes = SizeInputs(skeleton.resolutions)
    return compile_snapshot(to_snapshot(skeleton), sizes, CompileOptions(), RowMajorModel())


def test_names_in_many_alphabets() -> None:
    plan = plan_of("""\
        version: 1
        name: кадр
        sinks: [画像]
        nodes:
          - name: тень
            create: {карта/глубина: {texture: d32_sfloat, size: [8, 8], usage: depth}}
          - name: 描画
            read: {карта/глубина: {usage: sampled}}
            create: {画像: {texture: rgba8_unorm, size: [8, 8], usage: color}}
        """)
    assert [node.id for node in plan.graph.nodes] == ["тень", "描画"]
    assert plan.problems == ()


def test_one_texel_and_a_small_scale() -> None:
    plan = plan_of("""\
        version: 1
        resolutions: {dot: {size: [1, 1]}}
        sinks: [x]
        nodes:
          - name: a
            create: {x: {texture: rgba8_unorm, resolution: dot, scale: 0.001, mips: 8, usage: color}}
        """)
    (placed,) = plan.placement.resources
    assert (placed.info.extent, placed.info.mips) == ((1, 1), 1)


HEAD = "version: 1\nnodes:\n"
REFUSED = {
    "a name with the sign of instances": (HEAD + "  - name: a@view=1\n", "f.yaml:3:11: ", "has no spaces, quotes or"),
    "a resource with it": (
        HEAD + "  - name: a\n    create: {x@view=1: {buffer: 16, usage: storage}}\n",
        "f.yaml:4:14: ",
        '"x@view=1" is not a name',
    ),
    "an empty name": (HEAD + '  - name: ""\n', "f.yaml:3:11: ", "is not empty"),
    "a scale of nothing": (
        "version: 1\nresolutions:\n  a: {of: output, scale: 0}\n",
        "f.yaml:3:26: resolutions.a.scale: ",
        "greater than 0",
    ),
    "a scale that is no number": (
        "version: 1\nresolutions:\n  a: {of: output, scale: .nan}\n",
        "f.yaml:3:26: resolutions.a.scale: ",
        "finite number",
    ),
    "no mips": (
        HEAD + "  - name: a\n    create: {x: {texture: r8_unorm, size: [4, 4], mips: 0, usage: color}}\n",
        "f.yaml:4:",
        "create.x.mips: should be greater than or equal to 1",
    ),
    "a rename to nothing": (HEAD + '  - name: a\n    rename: {x: {to: ""}}\n', "f.yaml:4:", "rename.x.to: "),
    "a dimension twice": ("version: 1\ndimensions: [view, view]\n", "f.yaml:2:20: ", "already in the list"),
}


@pytest.mark.parametrize(("text", "place", "words"), REFUSED.values(), ids=REFUSED)
def test_refused_by_line(text: str, place: str, words: str) -> None:
    with pytest.raises(SkeletonFileError) as caught:
        parse_skeleton(text.encode(), "f.yaml")
    (problem,) = caught.value.problems
    assert f"{problem.where}: {problem.text}".startswith(place)
    assert words in problem.text


COLOR = "texture: rgba8_unorm, size: [8, 8], usage: color"
COMPILED = {
    "a slot for itself": (f"slots: {{x: x}}\nnodes:\n  - name: a\n    create: {{x: {{{COLOR}}}}}\n", "name-loop", ()),
    "a chain from a name to itself": (
        f"chains: {{post: {{input: x, output: x}}}}\nnodes:\n  - name: a\n    create: {{x: {{{COLOR}}}}}\n",
        "name-loop",
        (),
    ),
    "two creators": (
        f"nodes:\n  - name: a\n    create: {{x: {{{COLOR}}}}}\n  - name: b\n    create: {{x: {{{COLOR}}}}}\n",
        "two-creators",
        ("f.yaml:4:14", "f.yaml:6:14"),
    ),
    "a ring of wishes": (
        "nodes:\n  - {name: a, after: [b], side_effects: true}\n  - {name: b, after: [a], side_effects: true}\n",
        "cycle",
        ("f.yaml:4:5", "f.yaml:3:5"),  # first the order that is ignored
    ),
    "a node that waits for its own blob": (
        "nodes:\n  - name: a\n    create: {t: {blob: T}}\n    when: t\n    side_effects: true\n",
        "rate",
        ("f.yaml:4:14",),
    ),
}


@pytest.mark.parametrize(("text", "code", "places"), COMPILED.values(), ids=COMPILED)
def test_wrong_graphs_are_told_by_line(text: str, code: str, places: tuple[str, ...]) -> None:
    plan = plan_of("version: 1\n" + text)
    (problem,) = [problem for problem in plan.problems if problem.code == code]
    assert tuple(str(place) for place in problem.where) == places
    assert problem.hint


def test_resolutions_in_a_circle_are_a_note_until_something_has_that_size() -> None:
    head = "version: 1\nresolutions:\n  p: {of: q}\n  q: {of: p, scale: 0.5}\n"
    assert {problem.code for problem in plan_of(head).problems} == {"resolution"}
    used = (
        head
        + "sinks: [x]\nnodes:\n  - name: a\n    create:\n      x: {texture: r8_unorm, resolution: p, usage: color}\n"
    )
    with pytest.raises(CompileError) as caught:
        plan_of(used)
    assert str(caught.value).startswith(
        'f.yaml:9:7: texture "x" of node "a" has no size: resolutions refer to each other'
    )
    assert caught.value.hint == 'give "p", or what it follows, a size'
