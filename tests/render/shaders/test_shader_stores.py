"""Which bindings the code of a shader stores to, whatever their declarations allow."""

from __future__ import annotations

import pytest

from renderwright.render.shaders.stores import stored_bindings

IMAGE = "layout(set = 0, binding = 2, r32f) uniform image2D image;"
COUNTER = "layout(set = 0, binding = 3, r32ui) uniform uimage2D counter;"
BUFFER = "layout(set = 1, binding = 4) buffer Items { uint count; vec4 items[]; };"


@pytest.mark.parametrize(
    ("body", "stored"),
    [
        ("imageStore(image, ivec2(0), vec4(1));", {(0, 2)}),
        ("imageStore(image, ivec2(0), imageLoad(image, ivec2(1)));", {(0, 2)}),
        ("items[1] = imageLoad(image, ivec2(0));", {(1, 4)}),
        ("items[1].y = 2.0; imageAtomicAdd(counter, ivec2(0), 1u);", {(0, 3), (1, 4)}),
        ("atomicAdd(count, 1u);", {(1, 4)}),
        ("uint seen = count + imageLoad(counter, ivec2(0)).x; if (seen == imageSize(image).x) return;", set()),
        ("", set()),
    ],
)
def test_stores_are_found_by_binding(compile_glsl, body, stored):
    text = f"layout(local_size_x = 1) in;\n{IMAGE}\n{COUNTER}\n{BUFFER}\nvoid main() {{ {body} }}"
    assert stored_bindings(compile_glsl(text, "compute")) == stored


def test_what_a_function_gets_it_may_store_to(compile_glsl):
    text = (
        "layout(local_size_x = 1) in;\nlayout(set = 0, binding = 2) uniform writeonly image2D image;\n"
        "void fill(writeonly image2D target) { imageStore(target, ivec2(0), vec4(1)); }\n"
        "void main() { fill(image); }"
    )
    assert stored_bindings(compile_glsl(text, "compute")) == {(0, 2)}
