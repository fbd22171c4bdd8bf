"""Radiance pictures are read as they were meant, and broken ones are told apart."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from renderwright.engine.scene import Environment, Panorama, Sky
from renderwright.engine.scene.radiance import decode_radiance, load_radiance
from renderwright.render.errors import UsageError

HEAD = b"#?RADIANCE\nSOFTWARE=by hand\nFORMAT=32-bit_rle_rgbe\n\n"


def encoded(pixels: np.ndarray) -> np.ndarray:
    """RGBE of linear colours: the largest channel's exponent for all three."""
    mantissa, exponent = np.frexp(pixels.max(axis=-1))
    scale = np.where(pixels.max(axis=-1) > 1e-32, mantissa * 256.0 / np.maximum(pixels.max(axis=-1), 1e-32), 0.0)
    colors = (pixels * scale[..., None]).astype(np.uint8)
    return np.concatenate([colors, np.where(scale > 0, exponent + 128, 0).astype(np.uint8)[..., None]], axis=-1)


def flat(rgbe: np.ndarray) -> bytes:
    """A file without run lengths."""
    height, width = rgbe.shape[:2]
    return HEAD + b"-Y %d +X %d\n" % (height, width) + rgbe.tobytes()


def packed(rgbe: np.ndarray) -> bytes:
    """A file with run lengths: runs of two and more are repeats, all else is dumped."""
    height, width = rgbe.shape[:2]
    data = bytearray(HEAD + b"-Y %d +X %d\n" % (height, width))
    for row in rgbe:
        data += bytes((2, 2, width >> 8, width & 255))
        for channel in row.T:
            x = 0
            while x < width:
                run = 1
                while x + run < width and run < 127 and channel[x + run] == channel[x]:
                    run += 1
                data += bytes((128 + run, channel[x])) if run > 1 else bytes((1, channel[x]))
                x += run
    return bytes(data)


def picture(width: int = 40, height: int = 6) -> np.ndarray:
    chance = np.random.default_rng(5)
    pixels = chance.gamma(0.5, 3.0, (height, width, 3)).astype(np.float32)
    pixels[1, 3:20] = 1000.0
    pixels[2, :] = 0.0
    return pixels


@pytest.mark.parametrize("write", [flat, packed])
def test_a_picture_is_read_to_eight_bits_of_its_brightest_channel(write) -> None:
    pixels = picture()
    read = decode_radiance(write(encoded(pixels)))
    assert read.dtype == np.float32
    assert read.shape == pixels.shape
    brightest = pixels.max(axis=-1, keepdims=True)
    assert np.all(np.abs(read - pixels) <= brightest / 127.0)
    assert np.all(read[2] == 0.0)
    assert read[1, 5, 0] == pytest.approx(1000.0, rel=0.01)


def test_packed_and_flat_files_are_the_same_picture() -> None:
    rgbe = encoded(picture(300))
    assert np.array_equal(decode_radiance(flat(rgbe)), decode_radiance(packed(rgbe)))


def test_known_texels() -> None:
    """128 + 1 is an exponent of 2, mantissas are 256ths: (128, 64, 0, 129) is (1, 0.5, 0)."""
    texels = np.array([[[128, 64, 0, 129], [255, 255, 255, 128]]], np.uint8)
    assert np.allclose(decode_radiance(flat(texels)), [[[1.0, 0.5, 0.0], [255 / 256] * 3]])


def test_old_runs_repeat_the_texel_before() -> None:
    data = HEAD + b"-Y 1 +X 7\n" + bytes((10, 20, 30, 128)) + bytes((1, 1, 1, 4)) + bytes((1, 2, 3, 128, 9, 9, 9, 128))
    read = decode_radiance(data)
    assert np.all(read[0, :5] == read[0, 0])
    assert read[0, 5, 2] == 3 / 256


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"PNG", "does not begin"),
        (HEAD[:-1], "no end"),
        (HEAD.replace(b"rgbe", b"xyze") + b"-Y 1 +X 1\n0000", "xyze"),
        (HEAD + b"+Y 1 +X 1\n0000", "top left"),
        (HEAD + b"-Y 0 +X 1\n", "1 x 0"),
        (HEAD + b"-Y 1 +X 4\n1234", "ends within a row"),
        (HEAD + b"-Y 1 +X 8\n" + bytes((2, 2, 0, 9)) + bytes(99), "another width"),
        (HEAD + b"-Y 1 +X 8\n" + bytes((2, 2, 0, 8, 137, 1)) + bytes(99), "does not fit"),
        (HEAD + b"-Y 1 +X 8\n" + bytes((2, 2, 0, 8, 0, 1)) + bytes(99), "does not fit"),
        (HEAD + b"-Y 1 +X 8\n" + bytes((2, 2, 0, 8, 5, 1)), "ends within a row"),
        (HEAD + b"-Y 1 +X 2\n" + bytes((1, 1, 1, 2)), "does not fit"),
    ],
)
def test_a_broken_file_is_told(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "broken.hdr"
    path.write_bytes(data)
    with pytest.raises(UsageError, match=reason) as error:
        load_radiance(path)
    assert "broken.hdr" in str(error.value)


def test_random_bytes_are_read_or_told() -> None:
    chance = np.random.default_rng(1)
    good = packed(encoded(picture(24, 3)))
    for _ in range(300):
        data = bytearray(good)
        for at in chance.integers(len(HEAD), len(data), 3):
            data[at] = chance.integers(256)
        try:
            found = decode_radiance(bytes(data[: chance.integers(len(data)) + 1]))
        except ValueError:
            continue
        assert found.ndim == 3
        assert np.isfinite(found).all()


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        Panorama.load(tmp_path / "none.hdr")


def test_a_panorama_is_a_picture() -> None:
    for wrong in (
        np.zeros((4, 8), np.float32),
        np.full((4, 8, 3), np.nan, np.float32),
        np.zeros((4, 8, 4), np.float32),
    ):
        with pytest.raises(UsageError, match="needs finite values"):
            Panorama(wrong)


def test_the_panorama_of_a_sky_is_its_gradient() -> None:
    sky = Sky((0.1, 0.2, 0.9), (0.5, 0.5, 0.5), (0.3, 0.2, 0.1), intensity=2.0)
    pixels = Panorama.of_sky(sky, 256).pixels
    assert pixels.shape == (256, 512, 3)
    assert np.allclose(pixels[0, 0], [0.2, 0.4, 1.8], atol=0.01)
    assert np.allclose(pixels[-1, 0], [0.6, 0.4, 0.2], atol=0.01)
    assert np.allclose(pixels[120], pixels[120, 0])
    assert Environment(Panorama(pixels)).intensity == 1.0
