"""Shaders that write what their node requests for reading."""

from __future__ import annotations

import pytest

from renderwright.render.types.resources import Buffer, Texture

pytestmark = pytest.mark.vulkan

STORED = {
    "block": ("buffer Rows { vec4 first; } rows", "rows.first = vec4(1.0);"),
    "readonly block": ("readonly buffer Rows { vec4 first; } rows", "vec4 seen = rows.first;"),
    "block that is read": ("buffer Rows { vec4 first; } rows", "vec4 seen = rows.first;"),
    "image": ("uniform image2D rows", "imageStore(rows, ivec2(0), vec4(1.0));"),
    "image that is read": ("uniform image2D rows", "vec4 seen = imageLoad(rows, ivec2(0));"),
}


@pytest.mark.parametrize(
    ("what", "verb", "hint"),
    [
        ("block", "read", 'request it by reg.modify("rows").storage()'),
        ("block", "modify", "request it by .storage()"),
        ("image", "read", 'request it by reg.modify("rows").storage()'),
        ("readonly block", "read", ""),
        ("block that is read", "read", ""),
        ("image that is read", "read", ""),
    ],
)
def test_a_shader_that_stores_to_what_is_requested_for_reading_is_an_error(bench, what, verb, hint) -> None:
    """No barrier would wait for what it writes."""
    declaration, code = STORED[what]
    image = declaration.startswith("uniform")
    layout = "set = 0, binding = 0" + (", rgba32f" if image else "")
    bench.shader(
        "stores.comp",
        f"layout(local_size_x = 1) in;\nlayout({layout}) {declaration};\n"
        "layout(set = 0, binding = 1, rgba32f) writeonly uniform image2D u;\n"
        f"void main() {{ {code} imageStore(u, ivec2(0), vec4(1.0)); }}",
    )

    def stores(reg):
        getattr(reg, verb)("rows").storage_read()
        reg.create("u", Texture("rgba32_sfloat", (8, 8))).storage_write()
        reg.side_effects()
        pipeline = reg.compute("stores.comp")
        return lambda cmd: cmd.dispatch(pipeline, (1, 1))

    rows = Texture("rgba32_sfloat", (8, 8)) if image else Buffer(16)
    bench.graph.add_node("given", lambda reg: (reg.create("rows", rows).copy_dst(), None)[1])
    bench.graph.add_node("stores", stores)
    bench.frames(2)
    if not hint:
        assert bench.failures == []
        return
    (failure,) = bench.failures
    assert f'{bench.shaders / "stores.comp"}:3: "rows" of node "stores" is written' in failure.error.message
    assert 'but "rows" is requested for reading' in failure.error.message
    assert failure.error.hint.startswith(hint)
    assert failure.error.where.line == stores.__code__.co_firstlineno + 1
