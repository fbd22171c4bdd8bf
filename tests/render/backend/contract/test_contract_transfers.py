from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from renderwright.render.backend.protocol import Backend, BufferBinding, PipelineDesc, Recorder, TextureBinding
from renderwright.render.errors import BackendError
from renderwright.render.shaders.dimensions import Dimension
from renderwright.render.shaders.module import BindingKind
from renderwright.render.sync.flags import Layout
from renderwright.render.types.parts import Part
from renderwright.render.types.physical import PhysicalTexture
from renderwright.render.types.sampling import Sampling
from renderwright.render.types.usages import Usage
from tests.on_devices import FRESH, binding, buffer_info, change, compute, run_frame, texture_info, use

READ_MIPS = """#version 450
layout(set = 0, binding = 0) uniform KIND picture;
layout(set = 0, binding = 1) buffer Levels { vec4 levels[]; };
void main() {
    for (int level = 0; level < textureQueryLevels(picture); ++level)
        levels[level] = textureLod(picture, PLACE, float(level));
}
"""


def levels_of(device: Backend, picture: PhysicalTexture, mips: int, layers: int = 1) -> NDArray[np.float32]:
    """What a shader reads from each mip of the last layer, a quarter of the way right and down: (mips, 4)."""
    array = layers > 1
    text = READ_MIPS.replace("KIND", "sampler2DArray" if array else "sampler2D")
    text = text.replace("PLACE", f"vec3(0.25, 0.25, {layers - 1})" if array else "vec2(0.25)")
    levels = device.create_buffer(buffer_info(16 * mips, Usage.STORAGE), "levels")
    module = compute(
        text,
        binding(0, "picture", BindingKind.SAMPLED, dimension=Dimension.D2_ARRAY if array else Dimension.D2),
        binding(1, "Levels", BindingKind.STORAGE_BUFFER, writes=True),
    )
    program = device.create_pipeline(PipelineDesc("read mips", (module,)))
    sampled = TextureBinding(picture, Layout.SHADER_READ_ONLY, Sampling("nearest"))
    bound = device.create_bindings(program, 0, {"picture": sampled, "Levels": BufferBinding(levels)}, "mips")

    def record(recorder: Recorder) -> None:
        recorder.bind_pipeline(program)
        recorder.bind_set(program, 0, bound)
        recorder.dispatch(1)

    run_frame(device, record)
    return np.frombuffer(device.read_buffer(levels), np.float32).reshape(mips, 4)


@pytest.mark.parametrize("extent", [(8, 8), (7, 5)])
def test_mips_are_made_by_halving(device: Backend, extent: tuple[int, int]) -> None:
    width, height = extent
    mips = max(extent).bit_length()
    pixels = np.zeros((height, width, 4), np.float32)
    pixels[: height // 2 + 1, : width // 2 + 1] = (1.0, 2.0, 3.0, 4.0)  # the sampled quarter is uniform down to 2 x 2
    picture = device.create_texture(texture_info("rgba32_sfloat", extent, Usage.SAMPLED, mips=mips), "picture", pixels)
    got = levels_of(device, picture, mips)
    assert np.array_equal(got[0], [1.0, 2.0, 3.0, 4.0])
    assert np.allclose(got[-1] / got[-1][0], [1.0, 2.0, 3.0, 4.0])
    if extent == (8, 8):
        assert np.allclose(got[2], [1.0, 2.0, 3.0, 4.0])
        assert np.allclose(got[3], pixels.mean(axis=(0, 1)))
    assert np.array_equal(device.read_texture(picture, Layout.SHADER_READ_ONLY), pixels)


@pytest.mark.parametrize("layers", [1, 2])
def test_mips_are_means_of_light(device: Backend, layers: int) -> None:
    """A dot of sRGB on black: a mean of the encoded values would be darker."""
    pixels = np.zeros((layers, 4, 4, 4), np.uint8)
    pixels[..., 3] = 255
    pixels[-1, 1, 1] = 255
    info = texture_info("rgba8_srgb", (4, 4), Usage.SAMPLED, mips=3, layers=layers)
    picture = device.create_texture(info, "dot", pixels if layers > 1 else pixels[0])
    got = levels_of(device, picture, 3, layers)
    assert np.allclose(got, [[1, 1, 1, 1], [1 / 4, 1 / 4, 1 / 4, 1], [1 / 16, 1 / 16, 1 / 16, 1]], atol=0.01)


@pytest.mark.parametrize(
    ("format_name", "dtype", "channels"),
    [
        ("r8_unorm", np.uint8, 1),
        ("rg8_unorm", np.uint8, 2),
        ("rgba8_srgb", np.uint8, 4),
        ("bgra8_unorm", np.uint8, 4),
        ("r16_uint", np.uint16, 1),
        ("rg16_sfloat", np.float16, 2),
        ("rg16_snorm", np.int16, 2),
        ("rgba16_sfloat", np.float16, 4),
        ("r32_uint", np.uint32, 1),
        ("r32_sint", np.int32, 1),
        ("rgba32_uint", np.uint32, 4),
        ("b10g11r11_ufloat", np.uint32, 1),
        ("a2b10g10r10_unorm", np.uint32, 1),
    ],
)
def test_pixels_come_back_as_they_went_in(device: Backend, format_name: str, dtype: Any, channels: int) -> None:
    random = np.random.default_rng(7)
    pixels = random.integers(0, 100, (3, 5, channels)).astype(dtype)
    texture = device.create_texture(texture_info(format_name, (5, 3), Usage.SAMPLED), "texture", pixels)
    got = device.read_texture(texture, Layout.SHADER_READ_ONLY)
    assert got.dtype == dtype
    assert np.array_equal(got, pixels)


def test_layers_stand_in_front(device: Backend) -> None:
    pixels = np.arange(2 * 3 * 4, dtype=np.float32).reshape(2, 3, 4, 1)
    info = texture_info("r32_sfloat", (4, 3), Usage.SAMPLED, layers=2)
    texture = device.create_texture(info, "layers", pixels)
    assert np.array_equal(device.read_texture(texture, Layout.SHADER_READ_ONLY), pixels)


def test_pixels_must_fit_the_texture(device: Backend) -> None:
    info = texture_info("rgba8_unorm", (4, 3), Usage.SAMPLED)
    with pytest.raises(BackendError, match=r"takes uint8 of shape \(3, 4, 4\)"):
        device.create_texture(info, "x", np.zeros((4, 3, 4), np.uint8))
    with pytest.raises(BackendError, match="float32 of shape"):
        device.create_texture(info, "x", np.zeros((3, 4, 4), np.float32))


def test_formats_that_cannot_be_filtered_get_no_mips(device: Backend) -> None:
    info = texture_info("r32_uint", (4, 4), Usage.SAMPLED, mips=3)
    with pytest.raises(BackendError, match="cannot make mips of 'numbers'"):
        device.create_texture(info, "numbers", np.zeros((4, 4, 1), np.uint32))


@pytest.mark.parametrize(
    ("format_name", "value", "expected"),
    [
        ("rgba8_unorm", (1.0, 0.0, 1.0, 1.0), [255, 0, 255, 255]),
        ("rgba16_sfloat", (0.5, 2.0, -1.0, 0.0), [0.5, 2.0, -1.0, 0.0]),
        ("r32_uint", (12.0, 0.0, 0.0, 0.0), [12]),
        ("r32_sint", (-3.0, 0.0, 0.0, 0.0), [-3]),
        ("d32_sfloat", (0.25, 0.0, 0.0, 0.0), [0.25]),
        ("d16_unorm", (1.0, 0.0, 0.0, 0.0), [65535]),
        ("d32_sfloat_s8_uint", (0.75, 0.0, 0.0, 0.0), [0.75]),
    ],
)
def test_clear_and_copy(
    device: Backend, format_name: str, value: tuple[float, float, float, float], expected: list[float]
) -> None:
    info = texture_info(format_name, (4, 4), Usage.SAMPLED, mips=2)
    source, target = device.create_texture(info, "source"), device.create_texture(info, "target")
    written, read = use(Usage.COPY_DST), use(Usage.COPY_SRC)

    def record(recorder: Recorder) -> None:
        recorder.barriers([change(source, FRESH, written), change(target, FRESH, written)])
        recorder.clear_texture(source, Layout.TRANSFER_DST, value)
        recorder.barriers([change(source, written, read)])
        recorder.copy_texture(source, target)

    run_frame(device, record)
    assert np.all(device.read_texture(target, Layout.TRANSFER_DST) == expected)
    assert np.all(device.read_texture(source, Layout.TRANSFER_SRC) == expected)


def test_copies_of_parts(device: Backend) -> None:
    info = texture_info("r32_sfloat", (4, 4), Usage.SAMPLED, mips=2, layers=2)
    source, target = device.create_texture(info, "source"), device.create_texture(info, "target")
    written, read = use(Usage.COPY_DST), use(Usage.COPY_SRC)

    def record(recorder: Recorder) -> None:
        recorder.barriers([change(source, FRESH, written), change(target, FRESH, written)])
        recorder.clear_texture(source, Layout.TRANSFER_DST, (1.0, 0.0, 0.0, 0.0))
        recorder.clear_texture(target, Layout.TRANSFER_DST, (2.0, 0.0, 0.0, 0.0))
        recorder.barriers([change(source, written, read), change(target, written, written)])
        # The last one is a mip that so small a texture does not have.
        recorder.copy_texture(source, target, [Part((0, 1), (1, 1)), Part((2, 1))])
        recorder.copy_texture(source, target, [])

    run_frame(device, record)
    texels = device.read_texture(target, Layout.TRANSFER_DST)
    assert np.all(texels[0] == 2.0)
    assert np.all(texels[1] == 1.0)


def test_unwritten_textures_cannot_be_read(device: Backend) -> None:
    texture = device.create_texture(texture_info("rgba8_unorm", (4, 4), Usage.SAMPLED), "empty")
    with pytest.raises(BackendError, match="nothing has been written"):
        device.read_texture(texture, Layout.UNDEFINED)


def test_buffers(device: Backend) -> None:
    local = device.create_buffer(buffer_info(8, Usage.STORAGE), "local", b"12345678")
    host = device.create_buffer(buffer_info(8, Usage.UNIFORM), "host", b"abcdefgh", host=True)
    assert local.data is None
    assert host.data is not None
    host.data[2:4] = b"XY"
    assert device.read_buffer(local) == b"12345678"
    assert device.read_buffer(host) == b"abXYefgh"
    with pytest.raises(BackendError, match="do not fit"):
        device.create_buffer(buffer_info(4, Usage.STORAGE), "small", b"12345678")
