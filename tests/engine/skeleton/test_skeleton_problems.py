"""Every refusal names its line, its column, the path, and what is allowed."""

from __future__ import annotations

import re
import textwrap

import pytest

from renderwright.engine.skeleton import SkeletonFileError, parse_skeleton
from renderwright.render.formats import FORMATS
from renderwright.render.types.usages import Usage


def problems(text: str) -> list[str]:
    """The problems of a file, with their places."""
    with pytest.raises(SkeletonFileError) as caught:
        parse_skeleton(textwrap.dedent(text).encode(), "f.yaml")
    return [f"{problem.where}: {problem.text}" for problem in caught.value.problems]


def node(body: str) -> str:
    """A file whose only node has ``body`` as its third line, from column 5."""
    return f"version: 1\nnodes:\n  - {{name: n, {body}}}\n"


def test_a_misspelt_key() -> None:
    (text,) = problems("version: 1\nnodes:\n  - name: a\n    raed: {}\n")
    assert text == 'f.yaml:4:5: nodes[0].raed: unknown key, did you mean "read"?'


def test_an_unknown_key_lists_what_is_known() -> None:
    (text,) = problems("version: 1\nchains:\n  c: {input: a, output: b, zzz: 1}\n")
    assert text == "f.yaml:3:28: chains.c.zzz: unknown key; known: input, output"


def test_a_misspelt_key_is_not_also_a_missing_one() -> None:
    (text,) = problems("version: 1\nnodes: [{nmae: a}]\n")
    assert text == 'f.yaml:2:10: nodes[0].nmae: unknown key, did you mean "name"?'
    (text,) = problems(node("create: {t: {textur: r8_unorm, resolution: output, usage: color}}"))
    assert text.endswith('nodes[0].create.t.textur: unknown key, did you mean "texture"?')


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("every: 0", "every: should be greater than or equal to 1"),
        ("every: 2, when: camera", 'nodes[0]: a node has one rate: either "every" or "when"'),
        ("every: 2, phase: 2", 'nodes[0]: "phase" needs "every" and must be less than it; got 2'),
        ("phase: 1", 'nodes[0]: "phase" needs "every"'),
        (
            "create: {t: {texture: r8_unorm, resolution: output, usage: colour}}",
            'create.t.usage: unknown usage "colour"',
        ),
        ("create: {t: {texture: rgba8, resolution: output, usage: color}}", 'unknown texture format "rgba8"'),
        ("create: {t: {texture: r8_unorm, resolution: output}}", 'create.t: the key "usage" is missing'),
        ("create: {t: {texture: r8_unorm, usage: color}}", 'needs either "resolution" or "size"'),
        ("create: {t: {texture: r8_unorm, size: [1, 1], resolution: output, usage: color}}", 'either "resolution" or'),
        ("create: {t: {texture: r8_unorm, size: [1], usage: color}}", "create.t.size: too few items in the list"),
        ("create: {t: {texture: r8_unorm, size: [1, 2, 3], usage: color}}", "create.t.size: too many items"),
        (
            "create: {t: {texture: r8_unorm, size: [0, 1], usage: color}}",
            "size[0]: should be greater than or equal to 1",
        ),
        (
            "create: {t: {texture: r8_unorm, size: [1, 1], samples: 3, usage: color}}",
            "create.t.samples: should be 1, 2",
        ),
        ("create: {t: {texture: r8_unorm, resolution: output, usage: depth}}", "is a color format; its usage"),
        ("create: {t: {texture: d32_sfloat, resolution: output, usage: color}}", "is a depth format; its usage"),
        ("create: {t: {texture: r8_unorm, resolution: output, usage: vertex}}", "a texture cannot be used as vertex"),
        ("create: {t: {texture: r8_unorm, resolution: output, usage: color, clear: 0}}", "[red, green, blue, alpha]"),
        ("create: {t: {texture: r8_unorm, resolution: output, usage: color, clear: [0]}}", "[red, green, blue, alpha]"),
        ("create: {t: {texture: d32_sfloat, resolution: output, usage: depth, clear: [0, 0, 0, 0]}}", "to one number"),
        ("create: {b: {buffer: 16, usage: color}}", "a buffer cannot be used as color"),
        ("create: {b: {buffer: 1e3, usage: storage}}", "expected a whole number, got 1000.0"),
        ("create: {b: {buffer: '16', usage: storage}}", 'expected a whole number, got "16"'),
        ("create: {b: {}}", "create.b: needs one of the keys texture, buffer, blob"),
        ("create: {1: {blob: A}}", 'a key must be text; quote it: "1"'),
        ("read: {a: {usage: color}}", "color is a write under read"),
        (
            "read: {a: {usage: sampled, stage: pixel}}",
            'unknown shader stage "pixel"; allowed: vertex, fragment, compute',
        ),
        ("read: {a b: {usage: sampled}}", '"a b" is not a name'),
        ("read: ", "read: expected a mapping, got null"),
        ("history: {a: {usage: sampled, first: never}}", 'unknown first-frame policy "never"'),
        ("rename: {a: {usage: color}}", 'rename.a: the key "to" is missing'),
        ("multiplex: [veiw]", 'multiplex[0]: unknown dimension "veiw", did you mean "view"? Allowed: view, eye'),
        ("multiview: eey", 'multiview: unknown dimension "eey", did you mean "eye"? Allowed: view, eye'),
        ("multiplex: view", 'multiplex: expected a list, got "view"'),
        ("multiplex: [eye, eye]", 'the dimension "eye" is already in the list'),
        ("queue: [gpu]", 'unknown queue "gpu"; allowed: graphics, compute, copy'),
        ("queue: []", "queue: too few items"),
        ("cost: .nan", "cost: expected a finite number"),
        ("cost: -1", "cost: should be greater than or equal to 0, got -1"),
        ("side_effects: no", 'side_effects: expected true or false, got "no"'),
        ("side_effects: 1", "side_effects: expected true or false, got 1"),
        ("priority: 1.5", "priority: expected a whole number, got 1.5"),
        ("priority: true", "priority: expected a whole number, got true"),
        (f"priority: {'9' * 100}", "a number of more than 40 digits"),
        ("after: [1]", "after[0]: expected text, got 1; quote it"),
        ("state: {cull: {}}", "state.cull: expected text, a number"),
        ("chain: {post: {}}", "chain.post: this file has no chains"),
    ],
)
def test_wrong_values(body: str, message: str) -> None:
    (text,) = problems(node(body))
    assert text.startswith("f.yaml:3:")
    assert message in text


def test_a_wrong_word_lists_what_is_allowed() -> None:
    (text,) = problems(node("create: {t: {texture: x, resolution: output, usage: color}}"))
    assert all(name in text for name in FORMATS)
    (text,) = problems(node("modify: {t: {usage: x}}"))
    assert all(usage in text for usage in Usage)


def test_names_are_unique() -> None:
    (text,) = problems("version: 1\nnodes:\n  - name: a\n  - name: a\n")
    assert text == 'f.yaml:4:11: nodes[1].name: "a" is already the name of nodes[0] on line 3'


def test_a_resolution_is_a_size_or_follows_another() -> None:
    neither, mixed = problems("version: 1\nresolutions:\n  a: {}\n  b: {size: [1, 1], scale: 2}\n")
    assert neither == "f.yaml:3:6: resolutions.a: needs one of the keys size, of"
    assert mixed == "f.yaml:4:21: resolutions.b.scale: unknown key; known: size"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "f.yaml:1:1: the file is empty; expected a mapping"),
        ("# only a comment\n", "f.yaml:2:1: the file is empty; expected a mapping"),
        ("- 1\n", "f.yaml:1:1: expected a mapping, got a list"),
        ("name: a\n", 'f.yaml:1:1: the key "version" is missing'),
        ("version: 2\n", "f.yaml:1:10: version: unknown version 2; this program reads version 1"),
        ("version: true\n", "f.yaml:1:10: version: expected a whole number, got true"),
        ("version: 1\nname: a\nname: b\n", "f.yaml:3:1: name: duplicate key; it is already on line 2"),
        ("version: 1\nname: &x a\n", "f.yaml:2:7: name: anchors are not allowed: &x; write values out"),
        ("version: 1\nname: *x\n", "f.yaml:2:7: name: aliases are not allowed: *x; write the value out"),
        ("version: 1\nname: !!str a\n", 'f.yaml:2:7: name: tags are not allowed: "tag:yaml.org,2002:str"'),
        ("version: 1\nname: !!python/name:os.system a\n", "f.yaml:2:7: name: tags are not allowed"),
        ("version: 1\n---\nversion: 1\n", "f.yaml:2:1: a second document; a file holds one"),
        ("version: 1\n? [a]\n: 1\n", 'f.yaml:2:3: [""]: a key must be text'),
        ("version: 1\nname: [a\n", "f.yaml:3:1: not valid YAML"),
        ("version: 1\nname: a\x07\n", "f.yaml:2:8: not valid YAML"),
        ("version: 1\nnodes:\n\t- {name: a}\n", "f.yaml:3:1: not valid YAML: there is a tab; indent by spaces"),
        ("version: 1\nname: a\n\tb: c\n", "f.yaml:3:1: not valid YAML: there is a tab; indent by spaces"),
        ("version: 1\nname: @a\n", "f.yaml:2:7: not valid YAML: while scanning"),
        ("version: 1\nname: " + "[" * 40 + "]" * 40, "f.yaml:2:38: name"),
        ("version: 1\n<<: {name: a}\n", 'f.yaml:2:1: ["<<"]: unknown key'),
    ],
)
def test_wrong_files(text: str, expected: str) -> None:
    (found,) = problems(text)
    assert found.startswith(expected)


def test_depth_is_bounded_exactly() -> None:
    deep = "version: 1\nnodes:\n  - {name: n, state: {a: " + "[" * 28 + "1" + "]" * 28 + "}}\n"
    assert "nested" not in problems(deep)[0]
    deeper = deep.replace("1]", "[1]]")
    assert problems(deeper)[0].endswith("nested more than 32 levels deep")


def test_huge_nesting_ends_at_once() -> None:
    # The first levels are the reader's to refuse; newer parsers look ahead and refuse a thousand themselves.
    assert re.search("nested more than 32|exceeded maximum nesting depth", problems("[" * 500_000)[0])


def test_bytes_that_are_not_a_file_of_ours() -> None:
    with pytest.raises(SkeletonFileError, match=r"f\.yaml:2:8: the file is not UTF-8 text"):
        parse_skeleton(b"version: 1\nname: \xc3\xa4\xff\n", "f.yaml")
    with pytest.raises(SkeletonFileError, match=r"f\.yaml:1:1: the file is over 1048576 bytes"):
        parse_skeleton(b"#" * (1 << 20) + b"\n", "f.yaml")


def test_all_problems_are_told_together_in_line_order() -> None:
    found = problems("""\
        version: 1
        name: 5
        name: x
        nodes:
          - name: a
            multiplex: [nope]
            raed: {}
            read: {b: {usage: nope}, c: *d}
          - {}
        """)
    assert [text.split(":")[1] for text in found] == ["2", "3", "6", "7", "8", "8", "9"]


def test_the_message_is_lines_of_a_compiler() -> None:
    with pytest.raises(SkeletonFileError) as caught:
        parse_skeleton(b"version: 1\nnmae: a\nnodes: 5\n", "f.yaml")
    assert str(caught.value) == (
        'f.yaml:2:1: nmae: unknown key, did you mean "name"?\nf.yaml:3:8: nodes: expected a list, got 5'
    )


def test_a_flood_of_problems_is_cut() -> None:
    with pytest.raises(SkeletonFileError) as caught:
        parse_skeleton(b"version: 1\nsinks:\n" + b"  - 1\n" * 300, "f.yaml")
    assert len(caught.value.problems) == 300
    assert str(caught.value).endswith("... and 250 more problems")
