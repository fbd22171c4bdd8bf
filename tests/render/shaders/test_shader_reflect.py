from __future__ import annotations

import pytest

from renderwright.render.errors import ShaderError
from renderwright.render.formats import Numbers
from renderwright.render.shaders import BindingKind, BlockMember, ShaderBinding, reflect
from renderwright.render.shaders.module import UNSIZED
from renderwright.render.types.usages import ShaderStage

INDEXING = "#extension GL_EXT_nonuniform_qualifier : require\n"


def fragment(declarations: str, value: str) -> str:
    return f"layout(location = 0) out vec4 result;\n{declarations}\nvoid main() {{ result = vec4({value}); }}"


def binding_of(compile_glsl, declarations: str, value: str) -> ShaderBinding:
    (binding,) = compile_glsl(fragment(declarations, value)).bindings
    return binding


def test_uniform_block_in_std140(compile_glsl):
    block = binding_of(
        compile_glsl,
        """struct Light { vec3 color; float power; };
        layout(set = 1, binding = 2) uniform Camera {
            mat4 view; mat3 normals; vec3 eye; float near; ivec2 size; uint frame; bool on;
            layout(row_major) mat2x3 tilted; float weights[3]; Light sun; Light lamps[2]; vec2 grid[2][2];
            mat4 cascades[2];
        } camera;""",
        "camera.near",
    )
    assert (block.set, block.binding, block.name, block.kind) == (1, 2, "camera", BindingKind.UNIFORM_BUFFER)
    assert (block.count, block.writes, block.size) == (1, False, 480)
    assert block.members == (
        BlockMember("view", 0, "mat4", matrix_stride=16),
        BlockMember("normals", 64, "mat3", matrix_stride=16),
        BlockMember("eye", 112, "vec3"),
        BlockMember("near", 124, "float"),
        BlockMember("size", 128, "ivec2"),
        BlockMember("frame", 136, "uint"),
        BlockMember("on", 140, "uint"),
        BlockMember("tilted", 144, "mat2x3", matrix_stride=16, row_major=True),
        BlockMember("weights", 192, "float", 3, 16),
        BlockMember("sun.color", 240, "vec3"),
        BlockMember("sun.power", 252, "float"),
        BlockMember("lamps[0].color", 256, "vec3"),
        BlockMember("lamps[0].power", 268, "float"),
        BlockMember("lamps[1].color", 272, "vec3"),
        BlockMember("lamps[1].power", 284, "float"),
        BlockMember("grid[0]", 288, "vec2", 2, 16),
        BlockMember("grid[1]", 320, "vec2", 2, 16),
        BlockMember("cascades", 352, "mat4", 2, 64, matrix_stride=16),
    )


def test_large_arrays_of_structs_stay_one_member(compile_glsl):
    block = binding_of(
        compile_glsl,
        "struct Light { vec4 a; vec4 b; };\nlayout(binding = 0) uniform Lights { Light all_lights[65]; };",
        "all_lights[1].b",
    )
    assert block.name == "Lights"
    assert block.members == (BlockMember("all_lights", 0, "Light", 65, 32),)
    assert block.size == 65 * 32


@pytest.mark.parametrize(
    ("declaration", "value", "expected"),
    [
        ("uniform sampler2D t", "texture(t, vec2(0))", ("t", BindingKind.SAMPLED, 1, False, False)),
        ("uniform sampler2D t[4]", "texture(t[2], vec2(0))", ("t", BindingKind.SAMPLED, 4, False, False)),
        ("uniform sampler2DShadow s", "texture(s, vec3(0))", ("s", BindingKind.SAMPLED, 1, True, False)),
        ("uniform sampler2DArrayShadow s[2]", "texture(s[1], vec4(0))", ("s", BindingKind.SAMPLED, 2, True, False)),
        ("uniform usampler2D t", "texture(t, vec2(0))", ("t", BindingKind.SAMPLED, 1, False, False)),
        ("uniform samplerCube t", "texture(t, vec3(0))", ("t", BindingKind.SAMPLED, 1, False, False)),
        ("buffer B { float x[]; } b", "b.x[0]", ("b", BindingKind.STORAGE_BUFFER, 1, False, True)),
        ("readonly buffer B { uint n; float x[]; }", "x[n]", ("B", BindingKind.STORAGE_BUFFER, 1, False, False)),
        ("buffer B { readonly uint n; float x; } b[2]", "b[1].x", ("b", BindingKind.STORAGE_BUFFER, 2, False, True)),
    ],
)
def test_kinds(compile_glsl, declaration, value, expected):
    found = binding_of(compile_glsl, f"layout(binding = 3) {declaration};", value)
    assert (found.name, found.kind, found.count, found.shadow, found.writes) == expected
    assert found.binding == 3


@pytest.mark.parametrize(
    ("declaration", "value", "numbers", "plain"),
    [
        ("uniform sampler2D t", "texture(t, vec2(0))", Numbers.FLOATS, "sampler2D"),
        ("uniform usampler2DArray t", "texture(t, vec3(0))", Numbers.UNSIGNED, "sampler2DArray"),
        ("uniform isamplerCubeArray t", "texture(t, vec4(0))", Numbers.INTEGERS, "samplerCubeArray"),
        ("uniform usampler2DMS t", "texelFetch(t, ivec2(0), 0)", Numbers.UNSIGNED, "sampler2DMS"),
        ("uniform isampler2DMSArray t", "texelFetch(t, ivec3(0), 0)", Numbers.INTEGERS, "sampler2DMSArray"),
        ("uniform sampler2DArrayShadow t", "texture(t, vec4(0))", Numbers.FLOATS, "sampler2DArrayShadow"),
        ("layout(r32ui) uniform uimage2D t", "imageLoad(t, ivec2(0))", Numbers.UNSIGNED, "image2D"),
        ("layout(r32i) uniform iimage2DArray t", "imageLoad(t, ivec3(0))", Numbers.INTEGERS, "image2DArray"),
        ("layout(r32f) uniform image2D t", "imageLoad(t, ivec2(0))", Numbers.FLOATS, "image2D"),
    ],
)
def test_numbers_of_textures_and_their_types(compile_glsl, declaration, value, numbers, plain):
    found = binding_of(compile_glsl, f"layout(binding = 3) {declaration};", value)
    assert found.numbers is numbers
    assert found.texture_type(Numbers.FLOATS) == plain
    assert found.texture_type(numbers) in declaration.split()


@pytest.mark.parametrize(
    ("members", "value", "size"),
    [
        ("uint a; uint b;", "b.a", 8),
        ("vec3 place;", "b.place.x", 12),
        ("vec4 place; uint count;", "b.count", 20),
        ("uint count; vec4 places[];", "b.count", 4),
        ("vec3 places[2];", "b.places[1].x", 28),
        ("uint count; Lamp lamps[];", "b.count", 4),
        ("Lamp lamps[100]; uint count;", "b.count", 100 * 32 + 4),
        ("Lamp lamps[100];", "b.lamps[1].power", 99 * 32 + 20),
        ("float grid[2][3];", "b.grid[1][1]", 24),
        ("mat3 turned;", "b.turned[0].x", 48),
        ("layout(row_major) mat2x3 turned; float last;", "b.last", 28),
        ("mat2 each[];", "b.each[0][0].x", 0),
    ],
)
def test_a_storage_block_has_the_size_of_its_members(compile_glsl, members, value, size):
    """The padding behind the last member is never accessed, and an array without length may be empty."""
    lamp = "struct Lamp { vec3 color; float power; uint kind; };"
    declarations = f"{lamp}\nlayout(binding = 0) buffer B {{ {members} }} b;"
    found = binding_of(compile_glsl, declarations, value)
    assert found.size == size


def test_storage_textures(compile_glsl):
    module = compile_glsl(
        """layout(local_size_x = 8, local_size_y = 4, local_size_z = 2) in;
        layout(binding = 1, r32f) uniform writeonly image2D target;
        layout(binding = 0, rgba16f) uniform readonly image2D origin;
        void main() { imageStore(target, ivec2(0), imageLoad(origin, ivec2(1))); }""",
        "compute",
    )
    assert module.local_size == (8, 4, 2)
    assert [(b.binding, b.name, b.kind, b.writes) for b in module.bindings] == [
        (0, "origin", BindingKind.STORAGE_TEXTURE, False),
        (1, "target", BindingKind.STORAGE_TEXTURE, True),
    ]


def test_workgroup_size_by_specialization_constant(compile_glsl):
    body = "layout(local_size_x_id = 0, local_size_y = 16) in;\nlayout(local_size_x = 32) in;\nvoid main() {}"
    assert compile_glsl(body, "compute").local_size == (32, 16, 1)


def test_inputs_and_outputs_of_vertex_and_fragment_shaders(compile_glsl):
    vertex = compile_glsl(
        """layout(location = 1) in vec3 position; layout(location = 4) in mat4 model; layout(location = 0) out vec2 uv;
        void main() { uv = position.xy; gl_Position = model * vec4(position, gl_VertexIndex); }""",
        "vertex",
    )
    assert (vertex.inputs, vertex.outputs) == ((1, 4, 5, 6, 7), (0,))
    pixel = compile_glsl(
        """layout(location = 0) in vec2 uv; layout(location = 0) out vec4 a[2]; layout(location = 3) out float b;
        void main() { a[0] = uv.xyxy; a[1] = vec4(0); b = 1; gl_FragDepth = 0.5; }"""
    )
    assert (pixel.inputs, pixel.outputs) == ((0,), (0, 1, 3))


def test_push_constants_in_std430(compile_glsl):
    module = compile_glsl(
        fragment("layout(push_constant) uniform P { vec2 a; float r; mat2 m; float w[3]; } p;", "p.a, p.r, p.w[1]")
    )
    assert module.bindings == ()
    assert module.push_size == 44
    assert module.push_members == (
        BlockMember("a", 0, "vec2"),
        BlockMember("r", 8, "float"),
        BlockMember("m", 16, "mat2", matrix_stride=8),
        BlockMember("w", 32, "float", 3, 4),
    )


@pytest.mark.parametrize(
    ("word", "reads", "writes"), [("", True, True), ("readonly", True, False), ("writeonly", False, True)]
)
def test_what_storage_is_read_and_written(compile_glsl, word, reads, writes):
    declarations = f"""layout(binding = 0) {word} buffer Numbers {{ float numbers[]; }};
        layout(binding = 1, r32f) uniform {word} image2D picture;"""
    if word == "writeonly":
        value = "1.0); numbers[0] = 1.0; imageStore(picture, ivec2(0), vec4(1.0)"
    else:
        value = "numbers[0] + imageLoad(picture, ivec2(0)).x"
    bindings = compile_glsl(fragment(declarations, value)).bindings
    assert [(one.reads, one.writes) for one in bindings] == [(reads, writes)] * 2


def test_unused_bindings_are_left_out(compile_glsl):
    assert compile_glsl(fragment("layout(binding = 0) uniform sampler2D unused;", "1.0")).bindings == ()


@pytest.mark.parametrize(
    ("declarations", "value", "message"),
    [
        (
            "layout(binding = 0) uniform texture2D t; layout(binding = 1) uniform sampler s;",
            "texture(sampler2D(t, s), vec2(0))",
            '"t" is a texture without a sampler',
        ),
        ("layout(binding = 0) uniform samplerBuffer t;", "texelFetch(t, 0)", '"t" is a texel buffer'),
        (
            "layout(input_attachment_index = 0, binding = 0) uniform subpassInput t;",
            "subpassLoad(t)",
            '"t" is a subpass input',
        ),
        (
            f"{INDEXING}layout(binding = 0) uniform sampler2D t[];",
            "texture(t[int(gl_FragCoord.x)], vec2(0))",
            'array "t" of bindings has no length',
        ),
        (
            f"{INDEXING}layout(set = 1, binding = 0) uniform Block {{ float x; }} t[];",
            "t[int(gl_FragCoord.x)].x",
            'array "t" of bindings has no length',
        ),
    ],
)
def test_unsupported_bindings(compile_glsl, declarations, value, message):
    with pytest.raises(ShaderError, match=message) as caught:
        compile_glsl(fragment(declarations, value), file="x.frag")
    assert str(caught.value.where) == "x.frag"
    assert caught.value.hint


def test_a_set_of_ones_own_may_have_an_array_without_length(compile_glsl):
    declaration = f"{INDEXING}layout(set = 1, binding = 0) uniform sampler2D many[];"
    found = binding_of(compile_glsl, declaration, "texture(many[nonuniformEXT(int(gl_FragCoord.x))], vec2(0))")
    assert found == ShaderBinding(1, 0, "many", BindingKind.SAMPLED, UNSIZED)


@pytest.mark.parametrize(
    "code", [b"", b"abc", bytes(20), bytes(400), b"\x03\x02#\x07" * 20, b"\x03\x02#\x07" + bytes(16)]
)
def test_malformed_code(code):
    with pytest.raises(ShaderError, match="malformed SPIR-V"):
        reflect(code, ShaderStage.VERTEX, "x.vert", "k")


def test_code_of_another_stage(compile_glsl):
    module = compile_glsl(fragment("", "1.0"))
    with pytest.raises(ShaderError, match="no entry point of the compute stage"):
        reflect(module.spirv, ShaderStage.COMPUTE, "x.comp", "k")
