"""What errors of bindings and of blocks name: the shader's line, the line of the request, and what to do."""

from __future__ import annotations

import pytest

from renderwright.render.types.resources import Buffer, Texture

pytestmark = pytest.mark.vulkan


@pytest.fixture
def painting(bench):
    """A frame with the texture "a"."""

    def paint(reg):
        reg.create("a", Texture("rgba32_sfloat", (8, 8))).color(clear=(1.0, 0.5, 0.0, 1.0))
        return lambda cmd: None

    bench.graph.add_node("paint", paint)
    return bench


class Lighting(dict):
    """A value that is requested by a function of its own."""

    requested_by = "request_lighting(reg)"


@pytest.mark.parametrize(
    ("declaration", "name", "way"),
    [
        ("uniform Sun { vec4 place; } sun", "sun", "request_lighting(reg)"),
        ("uniform Eye { vec4 place; } eye", "eye", 'reg.read("eye", dict)'),
        ("uniform sampler2D a", "a", 'reg.read("a").sampled()'),
        ("readonly buffer Lamps { vec4 places[]; } lamps", "lamps", 'reg.read("lamps").storage_read()'),
    ],
)
def test_the_error_of_a_binding_of_an_included_file_says_how_to_request_it(painting, declaration, name, way) -> None:
    (painting.shaders / "given.glsl").write_text(f"\n\nlayout(set = 0, binding = 0) {declaration};\n")
    read = {"sun": "sun.place", "eye": "eye.place", "a": "texture(a, vec2(0.5))", "lamps": "lamps.places[0]"}[name]
    painting.shader(
        "lit.frag", f'#include "given.glsl"\nlayout(location = 0) out vec4 o;\nvoid main() {{ o = {read}; }}'
    )

    def given(reg):
        reg.external("eye", dict, lambda context: {"place": (0.0, 0.0, 0.0, 0.0)})
        reg.external("sun", Lighting, lambda context: Lighting(place=(0.0, 0.0, 0.0, 0.0)))
        reg.create("lamps", Buffer(64)).copy_dst()
        reg.side_effects()

    def unbound(reg):
        reg.create("u", Texture("rgba32_sfloat", (8, 8))).color()
        reg.side_effects()
        pipeline = reg.graphics("lit.frag")
        return lambda cmd: cmd.draw(pipeline)

    painting.graph.add_node("given", given)
    painting.graph.add_node("unbound", unbound)
    painting.frames(2)
    (failure,) = painting.failures
    place = f"{(painting.shaders / 'given.glsl').resolve()}:3"
    assert f'{place}: "{name}" is bound to nothing' in failure.error.message
    assert failure.error.hint == f"request it by {way} in the declare function, or rename it in the shader"


@pytest.mark.parametrize("name", ["trail_before", "then"])
def test_a_history_without_a_name_of_its_own_is_told_how_to_get_one(painting, name) -> None:
    painting.shader(
        "trail.frag",
        f"layout(set = 0, binding = 0) uniform sampler2D {name};\nlayout(location = 0) out vec4 o;\n"
        f"void main() {{ o = texture({name}, vec2(0.5)); }}",
    )

    def trail(reg):
        reg.history("trail").sampled()
        reg.create("trail", Texture("rgba32_sfloat", (8, 8))).color()
        reg.side_effects()
        pipeline = reg.graphics("trail.frag")
        return lambda cmd: cmd.draw(pipeline)

    painting.graph.add_node("trail", trail)
    painting.frames(2)
    (failure,) = painting.failures
    assert failure.error.hint.endswith(f'the history of "trail" is "trail" there, .bind("{name}") renames it')


LIFTED = """layout(set = 0, binding = 0) uniform sampler2D a;
layout(location = 0) out vec2 uv;
void main() {
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
    uv = corner;
    gl_Position = vec4(corner * 2.0 - 1.0, textureLod(a, corner, 0.0).r, 1.0);
}
"""
BOTH = """layout(set = 0, binding = 0) uniform sampler2D a;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 o;
void main() { o = texture(a, uv); }
"""
SEEN = """layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 o;
void main() { o = vec4(uv, 0.0, 1.0); }
"""


@pytest.mark.parametrize(
    ("stage", "fragment", "user", "hint"),
    [
        ("vertex", SEEN, "", ""),
        (None, SEEN, "vertex", 'give the usage of the request stage="vertex"'),
        (None, BOTH, "vertex", 'give the usage of the request stage=("vertex", "fragment")'),
        ("vertex", BOTH, "fragment", 'give the usage of the request stage=("vertex", "fragment")'),
        (("vertex", "fragment"), BOTH, "", ""),
        (["fragment", "vertex"], SEEN, "", ""),
        (("fragment", "compute"), SEEN, "vertex", 'give the usage of the request stage="vertex"'),
    ],
)
def test_a_shader_of_another_stage_than_requested_is_an_error(painting, stage, fragment, user, hint) -> None:
    """The barriers are for the stage of the request, and none for another one."""
    painting.shader("lifted.vert", LIFTED)
    painting.shader("seen.frag", fragment)

    def lifted(reg):
        reg.read("a").sampled(stage=stage)
        reg.create("u", Texture("rgba32_sfloat", (8, 8))).color()
        reg.side_effects()
        pipeline = reg.graphics("seen.frag", "lifted.vert")
        return lambda cmd: cmd.draw(pipeline)

    painting.graph.add_node("lifted", lifted)
    painting.frames(2)
    if not user:
        assert painting.failures == []
        return
    (failure,) = painting.failures
    assert failure.error.message.startswith(f"{painting.shaders / 'lifted.vert'}:2")
    assert f'the {user} shader of node "lifted" uses "a", which is requested for the ' in failure.error.message
    assert failure.error.hint.startswith(hint)


COUNTED = """layout(local_size_x = 1) in;
layout(set = 0, binding = 0) %s b;
layout(set = 0, binding = 1, rgba32f) uniform writeonly image2D u;
void main() { imageStore(u, ivec2(0), vec4(b.%s)); }
"""


@pytest.mark.parametrize(
    ("block", "member", "size", "words"),
    [
        ("buffer Counts { uint first; uint last; }", "last", 8, ""),
        ("buffer Counts { uint first; uint last; }", "last", 4, "needs 8 bytes"),
        ("readonly buffer Lamps { uint count; vec4 places[]; }", "places[0].x", 16, ""),
        ("readonly buffer Lamps { vec4 first; uint count; vec4 places[]; }", "places[0].x", 16, "needs 20 bytes"),
        ("uniform Counts { vec4 first; vec4 last; }", "last.x", 32, ""),
        ("uniform Counts { vec4 first; vec4 last; }", "last.x", 16, "needs 32 bytes"),
    ],
)
def test_a_buffer_that_is_smaller_than_its_block_is_an_error(painting, block, member, size, words) -> None:
    """A shader would read and write what lies behind it."""
    painting.shader("counted.comp", COUNTED % (block, member))
    uniform = block.startswith("uniform")

    def counted(reg):
        made = reg.read("counts").bind("b")
        made.uniform() if uniform else made.storage_read()
        reg.create("u", Texture("rgba32_sfloat", (8, 8))).storage_write()
        reg.side_effects()
        pipeline = reg.compute("counted.comp")
        return lambda cmd: cmd.dispatch(pipeline, (1, 1))

    painting.graph.add_node("given", lambda reg: (reg.create("counts", Buffer(size)).copy_dst(), None)[1])
    painting.graph.add_node("counted", counted)
    painting.frames(2)
    if not words:
        assert painting.failures == []
        return
    (failure,) = painting.failures
    line = counted.__code__.co_firstlineno + 1
    shader = f"{painting.shaders / 'counted.comp'}:3"
    assert str(failure.error).startswith(
        f'{__file__}:{line}: {shader}: block "b" of node "counted" {words}, but "counts" is a buffer of {size} bytes'
    )
    assert failure.error.hint == f"make the buffer at least {words.split()[1]} bytes large, or the block smaller"


USED = """layout(local_size_x = 1) in;
layout(set = 0, binding = 0%s;
layout(set = 0, binding = 1, rgba32f) uniform writeonly image2D u;
void main() { %s; }
"""
KINDS = {
    "uniform": (") uniform Rows { vec4 first; } b", "imageStore(u, ivec2(0), b.first)"),
    "read": (") readonly buffer Rows { vec4 first; } b", "imageStore(u, ivec2(0), b.first)"),
    "write": (") writeonly buffer Rows { vec4 first; } b", "b.first = vec4(1.0)"),
    "both": (") buffer Rows { vec4 first; } b", "b.first += 1.0"),
    "sampled": (") uniform sampler2D b", "imageStore(u, ivec2(0), texelFetch(b, ivec2(0), 0))"),
    "image": (", rgba32f) readonly uniform image2D b", "imageStore(u, ivec2(0), imageLoad(b, ivec2(0)))"),
}
"""What a shader declares, from its layout on, and how it uses it."""
BLOCK_TO_READ = "a storage block in the shader"


@pytest.mark.parametrize(
    ("kind", "verb", "usage", "words", "hint"),
    [
        ("uniform", "read", "uniform", "", ""),
        ("read", "read", "storage_read", "", ""),
        ("read", "modify", "storage", "", ""),
        ("both", "modify", "storage", "", ""),
        ("write", "modify", "storage", "", ""),
        ("sampled", "read", "sampled", "", ""),
        ("image", "read", "storage_read", "", ""),
        ("read", "read", "uniform", BLOCK_TO_READ, "request it by .storage_read()"),
        ("both", "read", "uniform", BLOCK_TO_READ, "request it by .storage_read()"),
        ("both", "modify", "uniform", BLOCK_TO_READ, "request it by .storage()"),
        ("write", "modify", "uniform", BLOCK_TO_READ, "request it by .storage_write()"),
        ("read", "history", "uniform", BLOCK_TO_READ, "request it by .storage_read()"),
        ("uniform", "read", "storage_read", "a uniform block in the shader", "request it by .uniform()"),
        ("image", "read", "sampled", "an image in the shader", "request it by .storage_read()"),
        ("sampled", "read", "storage_read", "a texture to sample in the shader", "request it by .sampled()"),
    ],
)
def test_a_request_of_another_kind_than_declared_is_an_error(painting, kind, verb, usage, words, hint) -> None:
    """The barriers, the layout and the memory are for the usage of the request."""
    painting.shader("used.comp", USED % KINDS[kind])
    of_textures = kind in ("sampled", "image")

    def given(reg):
        reg.create("rows", Texture("rgba32_sfloat", (8, 8)) if of_textures else Buffer(16)).copy_dst()

    def used(reg):
        getattr(getattr(reg, verb)("rows").bind("b"), usage)()
        reg.create("u", Texture("rgba32_sfloat", (8, 8))).storage_write()
        reg.side_effects()
        pipeline = reg.compute("used.comp")
        return lambda cmd: cmd.dispatch(pipeline, (1, 1))

    painting.graph.add_node("given", given)
    painting.graph.add_node("used", used)
    painting.frames(2)
    if not words:
        assert painting.failures == []
        return
    (failure,) = painting.failures
    line = used.__code__.co_firstlineno + 1
    of = "the history of " if verb == "history" else ""
    assert str(failure.error).startswith(
        f'{__file__}:{line}: {painting.shaders / "used.comp"}:3: "b" of node "used" (set 0 binding 0) is {words}, '
        f'but {of}"rows" is requested by .{usage}()'
    )
    assert failure.error.hint.startswith(hint)


def test_the_hint_has_the_stage_of_the_request(painting) -> None:
    painting.shader(
        "rows.vert",
        "layout(set = 0, binding = 0) readonly buffer Rows { vec4 first; } rows;\n"
        "layout(location = 0) out vec2 uv;\nvoid main() { uv = vec2(0.0); gl_Position = rows.first; }",
    )
    painting.shader("seen.frag", SEEN)

    def placed(reg):
        reg.read("rows").uniform("vertex")
        reg.create("u", Texture("rgba32_sfloat", (8, 8))).color()
        reg.side_effects()
        pipeline = reg.graphics("seen.frag", "rows.vert")
        return lambda cmd: cmd.draw(pipeline)

    painting.graph.add_node("given", lambda reg: (reg.create("rows", Buffer(16)).copy_dst(), None)[1])
    painting.graph.add_node("placed", placed)
    painting.frames(2)
    (failure,) = painting.failures
    assert 'request it by .storage_read("vertex")' in failure.error.hint


BLOCK = """// the block has lines of its own
layout(set = 0, binding = 0) uniform Settings {
    vec3 tint;
} settings;
layout(location = 0) out vec4 o;
void main() { o = vec4(settings.tint, 1.0); }
"""


@pytest.mark.parametrize(
    ("values", "words"),
    [({"tint": 1.0}, 'member "tint" is vec3, but its value is float 1.0'), ({}, 'no value for member "tint"')],
)
def test_a_value_that_does_not_fit_its_block_names_the_lines_of_both(painting, values, words) -> None:
    painting.shader("block.frag", BLOCK)

    def tinted(reg):
        reg.create("u", Texture("rgba32_sfloat", (8, 8))).color()
        reg.uniform("settings", values)
        reg.side_effects()
        pipeline = reg.graphics("block.frag")
        return lambda cmd: cmd.draw(pipeline)

    painting.graph.add_node("tinted", tinted)
    painting.frames(2)
    (failure,) = painting.failures
    line = tinted.__code__.co_firstlineno + 2
    assert str(failure.error).startswith(f"{__file__}:{line}: {painting.shaders / 'block.frag'}:3: ")
    assert 'block "settings" of node "tinted": ' in failure.error.message
    assert words in failure.error.message


def test_a_value_of_a_blob_that_does_not_fit_names_the_line_of_its_request(painting) -> None:
    painting.shader("block.frag", BLOCK)

    def tinted(reg):
        reg.create("u", Texture("rgba32_sfloat", (8, 8))).color()
        reg.read("values", dict).bind("settings")
        reg.side_effects()
        pipeline = reg.graphics("block.frag")
        return lambda cmd: cmd.draw(pipeline)

    painting.graph.set_external("values", lambda context: {"tint": 1.0})
    painting.graph.add_node("values", lambda reg: (reg.external("values", dict), None)[1])
    painting.graph.add_node("tinted", tinted)
    painting.frames(2)
    (failure,) = painting.failures
    assert failure.error.where.line == tinted.__code__.co_firstlineno + 2
    assert "block.frag:3: " in failure.error.message


@pytest.mark.parametrize("executes", [True, False])
def test_a_blob_that_nobody_sets_names_the_node_that_creates_it(painting, executes) -> None:
    painting.shader("block.frag", BLOCK)

    def make(reg):
        reg.create("x/state", dict)
        return (lambda cmd: None) if executes else None

    def tinted(reg):
        reg.create("u", Texture("rgba32_sfloat", (8, 8))).color()
        reg.read("x/state", dict).bind("settings")
        reg.side_effects()
        pipeline = reg.graphics("block.frag")
        return lambda cmd: cmd.draw(pipeline)

    painting.graph.add_node("make", make)
    painting.graph.add_node("tinted", tinted)
    painting.frames(2)
    (failure,) = painting.failures
    assert failure.error.message.endswith('the blob "x/state" has no value: node "make" creates it and did not set it')
    assert failure.error.hint == (
        'set .value of the handle of reg.create("x/state", ...) in the execute function of node "make"'
    )


def test_a_function_of_a_block_that_returns_nothing_is_told(painting) -> None:
    painting.shader("block.frag", BLOCK)

    def tinted(reg):
        reg.create("u", Texture("rgba32_sfloat", (8, 8))).color()
        reg.uniform("settings", lambda: None)
        reg.side_effects()
        pipeline = reg.graphics("block.frag")
        return lambda cmd: cmd.draw(pipeline)

    painting.graph.add_node("tinted", tinted)
    painting.frames(2)
    (failure,) = painting.failures
    assert failure.error.message.endswith('the function of reg.uniform("settings", ...) returns None')
    assert failure.error.hint == "return an object or a dict with a value for each member"


def test_a_texture_that_cannot_be_bound_names_node_and_line(painting) -> None:
    painting.shader(
        "volume.frag",
        "\nlayout(set = 0, binding = 0) uniform sampler3D source;\nlayout(location = 0) out vec4 o;\n"
        "void main() { o = texture(source, vec3(0.5)); }",
    )

    def deep(reg):
        reg.create("u", Texture("rgba32_sfloat", (8, 8))).color()
        reg.read("a").sampled().bind("source")
        reg.side_effects()
        pipeline = reg.graphics("volume.frag")
        return lambda cmd: cmd.draw(pipeline)

    painting.graph.add_node("deep", deep)
    painting.frames(2)
    (failure,) = painting.failures
    assert str(failure.error.where) == f"{painting.shaders / 'volume.frag'}:3"
    assert failure.error.message == (
        'shader volume.frag of node "deep": "source" is a 3D texture, which is not supported'
    )
