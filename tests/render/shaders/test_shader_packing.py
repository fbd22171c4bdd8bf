from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import Enum, IntEnum
from types import SimpleNamespace

import numpy as np
import pytest
from pydantic import BaseModel
from pyglm import glm

from renderwright.render.errors import ShaderError
from renderwright.render.shaders import BlockMember, BlockPacker, PushPacker


class Mode(IntEnum):
    FAST = 7


class Label(Enum):
    ONE = 1


def packed(member: BlockMember, value: object, size: int = 256) -> bytes:
    return bytes(BlockPacker([member], size, 'block "b" of x.frag').pack({member.name: value}))


def floats(data: bytes, offset: int, count: int) -> list[float]:
    return list(struct.unpack_from(f"<{count}f", data, offset))


@pytest.mark.parametrize(
    ("kind", "value", "code", "expected"),
    [
        ("float", 1.5, "f", 1.5),
        ("float", 2, "f", 2.0),
        ("float", np.float64(0.25), "f", 0.25),
        ("int", -3, "i", -3),
        ("int", np.int16(-3), "i", -3),
        ("uint", True, "I", 1),
        ("uint", np.bool_(True), "I", 1),
        ("uint", Mode.FAST, "I", 7),
        ("int", Label.ONE, "i", 1),
        ("double", 0.1, "d", 0.1),
        ("float16_t", 0.5, "e", 0.5),
    ],
)
def test_scalars(kind, value, code, expected):
    assert struct.unpack_from(f"<{code}", packed(BlockMember("m", 8, kind), value), 8) == (expected,)


@pytest.mark.parametrize(
    "value", [glm.vec3(1, 2, 3), glm.dvec3(1, 2, 3), (1, 2, 3), [1.0, 2.0, 3.0], np.array([1, 2, 3])]
)
def test_vectors(value):
    assert floats(packed(BlockMember("m", 16, "vec3"), value), 12, 5) == [0, 1, 2, 3, 0]


def test_integer_vectors_and_quaternions():
    assert struct.unpack_from("<2i", packed(BlockMember("m", 0, "ivec2"), glm.ivec2(-1, 2))) == (-1, 2)
    assert struct.unpack_from("<2I", packed(BlockMember("m", 0, "uvec2"), (1, 2**32 - 1))) == (1, 2**32 - 1)
    turn = glm.quat(w=0.5, x=1, y=2, z=3)
    assert floats(packed(BlockMember("m", 0, "vec4"), turn), 0, 4) == [1, 2, 3, 0.5]


MATRIX = glm.mat4(*range(16))


@pytest.mark.parametrize(
    "value",
    [
        MATRIX,
        glm.dmat4(MATRIX),
        np.array(range(16)).reshape(4, 4).T,
        [tuple(MATRIX[column]) for column in range(4)],
        list(range(16)),
        np.array(range(16)),
    ],
    ids=["glm", "double", "numpy", "columns", "flat", "flat-numpy"],
)
def test_matrices_are_column_major(value):
    assert floats(packed(BlockMember("m", 16, "mat4", matrix_stride=16), value), 16, 16) == list(range(16))


def test_matrix_strides_and_row_major():
    mat3 = glm.mat3(*range(1, 10))
    std140 = packed(BlockMember("m", 0, "mat3", matrix_stride=16), mat3)
    assert floats(std140, 0, 12) == [1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0]
    mat2x3 = glm.mat2x3(1, 2, 3, 4, 5, 6)
    rows = packed(BlockMember("m", 0, "mat2x3", matrix_stride=16, row_major=True), mat2x3)
    assert floats(rows, 0, 12) == [1, 4, 0, 0, 2, 5, 0, 0, 3, 6, 0, 0]
    tight = packed(BlockMember("m", 4, "mat2", matrix_stride=8), glm.mat2(1, 2, 3, 4))
    assert floats(tight, 0, 6) == [0, 1, 2, 3, 4, 0]
    array = packed(BlockMember("m", 0, "mat2", 3, 32, matrix_stride=16), [glm.mat2(1, 2, 3, 4), glm.mat2(5)])
    assert floats(array, 0, 24) == [1, 2, 0, 0, 3, 4, 0, 0, 5, 0, 0, 0, 0, 5, *[0] * 10]


@pytest.mark.parametrize("value", [[1, 2], (1.0, 2.0), np.array([1, 2]), glm.vec2(1, 2)])
def test_scalar_arrays_are_strided_and_filled_with_zero(value):
    assert floats(packed(BlockMember("m", 16, "float", 3, 16), value), 16, 12) == [1, 0, 0, 0, 2, *[0] * 7]


@pytest.mark.parametrize("value", [[glm.vec3(1, 2, 3), (4, 5, 6)], np.array([[1, 2, 3], [4, 5, 6]], np.float32)])
def test_vector_arrays(value):
    assert floats(packed(BlockMember("m", 0, "vec3", 2, 16), value), 0, 8) == [1, 2, 3, 0, 4, 5, 6, 0]
    assert packed(BlockMember("m", 0, "vec3", 2, 16), []) == bytes(256)


def test_unsigned_arrays_take_python_integers():
    assert struct.unpack_from("<2I", packed(BlockMember("m", 0, "uint", 2, 4), [1, 2**32 - 1])) == (1, 2**32 - 1)


@dataclass
class Light:
    color: glm.vec3
    power: float


LIGHTS = (
    BlockMember("count", 0, "int"),
    BlockMember("sun.color", 16, "vec3"),
    BlockMember("sun.power", 28, "float"),
    *(
        BlockMember(f"lights[{index}].{name}", 32 + 16 * index + offset, kind)
        for index in range(3)
        for name, offset, kind in (("color", 0, "vec3"), ("power", 12, "float"))
    ),
)


def test_nested_structs():
    packer = BlockPacker(LIGHTS, 80, "lights")
    frame = SimpleNamespace(
        count=2, sun=Light(glm.vec3(1), 2), lights=[Light(glm.vec3(3), 4), {"color": (5, 6, 7), "power": 8}], more=1
    )
    target = memoryview(bytearray(b"\xff" * 96))
    packer.pack_into(target, frame)
    assert floats(target, 16, 16) == [1, 1, 1, 2, 3, 3, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0]
    assert target[80:].tobytes() == b"\xff" * 16


def test_bytes_for_large_struct_arrays():
    member = BlockMember("lights", 16, "Light", 100, 2)
    assert packed(member, np.array([[1, 2], [3, 4]], np.uint8))[:24] == bytes(16) + bytes([1, 2, 3, 4]) + bytes(4)
    with pytest.raises(ShaderError, match="at most 200 bytes, not 201"):
        packed(member, bytes(201))
    with pytest.raises(ShaderError, match=r"array of float64, make it of np\.float32"):
        packed(member, np.zeros(26, np.float64))


def test_padding_needs_no_value():
    members = (BlockMember("_pad0", 0, "float"), BlockMember("x", 4, "float"))
    assert floats(bytes(BlockPacker(members, 16, "b").pack({"x": 1})), 0, 2) == [0, 1]


def test_a_missing_member_names_what_there_is():
    class Camera:
        near = 0.1

        def __init__(self):
            self.veiw = 1
            self._secret = 2

        def update(self): ...

    packer = BlockPacker([BlockMember("view", 0, "float")], 16, 'block "camera" of a.frag')
    with pytest.raises(ShaderError) as caught:
        packer.pack(Camera())
    assert caught.value.message == (
        'block "camera" of a.frag: there is no value for member "view"; Camera has near, veiw'
    )
    assert caught.value.hint == 'did you mean "veiw"?'
    with pytest.raises(ShaderError, match="the given values have nothing"):
        packer.pack({})
    with pytest.raises(ShaderError, match=r"the given values have m00, m01, .*, m19, 30 more"):
        packer.pack({f"m{number:02}": 1.0 for number in range(50)})
    lights = BlockPacker(LIGHTS[3:], 80, "b")
    with pytest.raises(ShaderError, match=r'member "lights\[0\].power"; SimpleNamespace has color'):
        lights.pack({"lights": [SimpleNamespace(color=(1, 1, 1))]})


@pytest.mark.parametrize(
    ("member", "value", "said"),
    [
        (BlockMember("m", 0, "float"), "x", "is float, but its value is str 'x'"),
        (BlockMember("m", 0, "int"), 1.5, "is int, but its value is float 1.5"),
        (BlockMember("m", 0, "uint"), -1, "is uint"),
        (BlockMember("m", 0, "float"), None, "NoneType"),
        (BlockMember("m", 0, "vec3"), (1, 2), "give 3 numbers that a vec3"),
        (BlockMember("m", 0, "vec3"), glm.vec4(1), "give 3 numbers"),
        (BlockMember("m", 0, "ivec2"), glm.vec2(1), "is ivec2"),
        (BlockMember("m", 0, "vec2"), 1.0, "give 2 numbers"),
        (BlockMember("m", 0, "mat4", matrix_stride=16), glm.mat3(1), "4 columns and 4 rows"),
        (BlockMember("m", 0, "mat4", matrix_stride=16), np.zeros((3, 4)), r"shape \(3, 4\)"),
        (BlockMember("m", 0, "mat2", 2, 32, matrix_stride=16), [glm.mat2()] * 3, "at most 2 matrices"),
        (BlockMember("m", 0, "float", 2, 16), [1, 2, 3], "at most 2 elements, not 3"),
        (BlockMember("m", 0, "vec3", 2, 16), [(1, 2)], r"give an array of shape \(2, 3\), not \(1, 2\)"),
        (BlockMember("m", 0, "int", 2, 16), [1.5], "give integers, not float64"),
        (BlockMember("m", 0, "uint", 2, 16), [-1], "give integers from 0 to 4294967295"),
        (BlockMember("m", 0, "vec2", 2, 16), [(1, 2), (1,)], r"is vec2\[2\]"),
        (BlockMember("m", 0, "float", 2, 16), ["a"], "give numbers"),
    ],
)
def test_values_that_do_not_fit(member, value, said):
    with pytest.raises(ShaderError, match=said) as caught:
        packed(member, value)
    assert 'block "b" of x.frag: member "m"' in caught.value.message


@pytest.mark.parametrize(
    ("member", "value", "hint"),
    [
        (
            BlockMember("m", 0, "vec3"),
            1.0,
            "give 3 numbers that a vec3 can hold, or declare the member as float in the shader",
        ),
        (BlockMember("m", 0, "vec3"), "red", "give 3 numbers that a vec3 can hold"),
        (
            BlockMember("m", 0, "vec4"),
            (1.0, 0.5, 0.5),
            "give 4 numbers that a vec4 can hold, or declare the member as vec3 in the shader",
        ),
        (
            BlockMember("m", 0, "float"),
            (1.0, 0.5),
            "give a number that a float can hold, or declare the member as vec2 in the shader",
        ),
        (BlockMember("m", 0, "float"), "loud", "give a number that a float can hold"),
        (BlockMember("m", 0, "vec2"), (1.0, "b"), "give 2 numbers that a vec2 can hold"),
        (
            BlockMember("m", 0, "int"),
            1.5,
            "give a whole number that an int can hold, or declare the member as float in the shader",
        ),
        (
            BlockMember("m", 0, "vec2"),
            np.float32(1.0),
            "give 2 numbers that a vec2 can hold, or declare the member as float in the shader",
        ),
        (BlockMember("m", 0, "uint"), -1, "give a whole number that a uint can hold"),
        (
            BlockMember("m", 0, "ivec2"),
            (1.5, 2.0),
            "give 2 whole numbers that an ivec2 can hold, or declare the member as vec2 in the shader",
        ),
        (
            BlockMember("m", 0, "mat2", matrix_stride=8),
            1.0,
            "give a matrix of 2 columns and 2 rows: a PyGLM matrix, a numpy array indexed [row, column], or a sequence "
            "of columns",
        ),
        (BlockMember("m", 0, "vec2", 2, 16), [(1, 2), (1,)], "give a sequence of vec2 values"),
    ],
)
def test_the_hint_says_what_fits_in_words_of_the_shader(member, value, hint):
    with pytest.raises(ShaderError) as caught:
        packed(member, value)
    assert caught.value.hint == hint


def test_the_block_of_an_error_is_looked_up_for_the_message_only():
    asked: list[str] = []

    class Block:
        def __str__(self) -> str:
            asked.append("place")
            return 'x.frag:3: block "b"'

    packer = BlockPacker([BlockMember("m", 0, "float")], 16, Block())
    packer.pack({"m": 1.0})
    assert asked == []
    with pytest.raises(ShaderError, match=r'x\.frag:3: block "b": member "m" is float'):
        packer.pack({"m": "x"})


def test_too_many_or_no_structs():
    packer = BlockPacker(LIGHTS[3:], 80, "b")
    with pytest.raises(ShaderError, match='"lights" has 3 elements, but its value has 4'):
        packer.pack({"lights": [Light(glm.vec3(), 0)] * 4})
    with pytest.raises(ShaderError, match='"lights" is an array, but its value is int 3'):
        packer.pack({"lights": 3})


def test_an_error_or_a_small_target_leaves_the_target_alone():
    packer = BlockPacker([BlockMember("a", 0, "float"), BlockMember("b", 4, "float")], 16, "block")
    target = memoryview(bytearray(16))
    with pytest.raises(ShaderError):
        packer.pack_into(target, {"a": 1})
    assert target.tobytes() == bytes(16)
    with pytest.raises(ShaderError, match="needs 16 bytes, the target has 8"):
        packer.pack_into(target[:8], {"a": 1, "b": 2})


def test_a_block_from_a_shader(compile_glsl):
    module = compile_glsl(
        "layout(binding = 0) uniform Fog { vec3 color; float density; } fog;\n"
        "layout(location = 0) out vec4 o;\nvoid main() { o = vec4(fog.color, fog.density); }",
        file="fog.frag",
    )
    packer = BlockPacker.of(module, module.bindings[0])
    assert floats(packer.pack({"color": (1, 2, 3), "density": 4}), 0, 4) == [1, 2, 3, 4]
    with pytest.raises(ShaderError, match=r'block "fog" of fog\.frag: there is no value for member "density"'):
        packer.pack({"color": (1, 2, 3)})


def test_push_constants():
    push = PushPacker((BlockMember("direction", 0, "vec2"), BlockMember("radius", 8, "float")))
    values = {"radius": 3, "direction": (1, 2)}
    packed = push.pack(values)
    assert isinstance(packed, bytes)
    assert (struct.unpack("<3f", packed), push.unused(values)) == ((1, 2, 3), [])
    with pytest.raises(ShaderError, match='no value for member "radius"'):
        push.pack({"direction": (1, 2)})
    with pytest.raises(ShaderError, match=r'push constants: there is no member "raduis"\n.*did you mean "radius"'):
        push.pack({"direction": (1, 2), "raduis": 1})
    more = {**values, "angle": 4, "alpha": 5}
    assert (push.pack(more), push.unused(more)) == (packed, ["alpha", "angle"])


def test_a_pipeline_without_push_constants():
    push = PushPacker(())
    assert push.pack({}) == b""
    assert (push.pack({"radius": 1}), push.unused({"radius": 1})) == (b"", ["radius"])


def test_a_missing_member_names_the_settings_there_are():
    class Settings(BaseModel):
        strength: float = 1.0

    packer = BlockPacker((BlockMember("strenth", 0, "float"),), 16, "the block")
    with pytest.raises(ShaderError, match=r'"strenth"; Settings has strength\n'):
        packer.pack(Settings())


def test_a_setting_whose_name_begins_like_those_of_pydantic_is_known():
    class Settings(BaseModel, protected_namespaces=()):
        model_strength: float = 1.0

    packer = BlockPacker((BlockMember("strenth", 0, "float"),), 16, "the block")
    with pytest.raises(ShaderError, match=r'"strenth"; Settings has model_strength\n'):
        packer.pack(Settings())
