"""Images from strangers: their size is checked before they are decoded, and only some formats are."""

from __future__ import annotations

import io
import os
import struct
import tracemalloc
import warnings
import zlib
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from renderwright.engine.scene import decode_image, load_image
from renderwright.engine.scene.image import MAX_BYTES, image_extent
from renderwright.engine.scene.radiance import decode_radiance, load_radiance
from renderwright.render.errors import AssetError, UsageError


def png(width: int, height: int, data: bytes = b"") -> bytes:
    """A PNG file that states a size and has some data, or none."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")


def encoded(form: str) -> bytes:
    file = io.BytesIO()
    PIL.Image.fromarray(np.uint8([[[1, 2, 3], [4, 5, 6]]])).save(file, form)
    return file.getvalue()


@pytest.mark.parametrize(
    ("width", "height", "message"),
    [
        (16385, 1, "has 16385 x 1 texels"),
        (8193, 8192, "has 8193 x 8192 texels"),
        (12000, 12000, "has 12000 x 12000 texels"),
        (60000, 60000, "has too many texels"),
        (2**31 - 1, 2**31 - 1, "has too many texels"),
    ],
)
def test_the_size_is_checked_before_texels_are_decoded(width: int, height: int, message: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(AssetError, match=f'image "big" {message}') as refused:
            decode_image("big", png(width, height))
    assert "use " in refused.value.hint


def test_a_header_states_the_extent() -> None:
    assert image_extent("a", png(300, 20)) == (300, 20)
    with pytest.raises(AssetError, match='image "a" cannot be decoded'):
        decode_image("a", png(300, 20, b"\0\0"))


@pytest.mark.parametrize("form", ["PNG", "BMP", "TGA"])
def test_formats_of_games_are_decoded(form: str) -> None:
    assert decode_image("a", encoded(form)).pixels.tolist() == [[[1, 2, 3, 255], [4, 5, 6, 255]]]


@pytest.mark.parametrize("form", ["EPS", "TIFF", "ICO", "PDF"])
def test_no_other_format_is_decoded(form: str) -> None:
    with pytest.raises(AssetError, match="cannot be decoded"):
        decode_image("a", encoded(form))


def test_image_files_are_plain_and_have_a_limit(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo.png")
    with (tmp_path / "sparse.png").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    for load, error in ((load_image, AssetError), (load_radiance, UsageError)):
        with pytest.raises(error, match="not a plain file"):
            load(tmp_path / "fifo.png")
    with pytest.raises(AssetError, match="larger than 256 MiB"):
        load_image(tmp_path / "sparse.png")


@pytest.mark.parametrize("size", ["-Y 32768 +X 32768", "-Y 99999999 +X 1", "-Y " + "9" * 5000 + " +X 8"])
def test_a_panorama_is_checked_before_its_texels_take_memory(size: str) -> None:
    with pytest.raises(ValueError, match=r"it has \d+ x \d+ texels|its rows do not run"):
        decode_radiance(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n" + size.encode() + b"\n" + bytes(100))


def test_a_panorama_that_ends_with_its_header_is_told_apart(tmp_path: Path) -> None:
    (tmp_path / "a.hdr").write_bytes(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n")
    with pytest.raises(UsageError, match=r"a\.hdr cannot be decoded: it ends within a row"):
        load_radiance(tmp_path / "a.hdr")


def test_a_short_panorama_that_claims_to_be_large_takes_no_memory() -> None:
    head = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 8000 +X 16000\n"
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="ends within a row"):
            decode_radiance(head + bytes(100))
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
