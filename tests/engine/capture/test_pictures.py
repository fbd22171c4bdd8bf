"""Pictures of a capture: values that the texture has, smaller, in the units of the format."""

from __future__ import annotations

import base64
import zlib
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from renderwright.engine.capture.pictures import LEAST_PIXELS, picture_of, pictures_of
from renderwright.render.runtime.lowering.texture_copies import CopiedTexels
from renderwright.render.types.physical import TextureInfo


def copied(name: str, texels: NDArray[Any], resource: str = "t") -> CopiedTexels:
    height, width = texels.shape[:2]
    info = TextureInfo(name, (width, height), 1, 1, 1, frozenset())
    return CopiedTexels("node", resource, 0, 0, info, texels)


def values(picture: dict[str, Any]) -> NDArray[Any]:
    width, height = picture["size"]
    planes = np.frombuffer(zlib.decompress(base64.b64decode(picture["data"])), f"<{picture['type']}")
    return np.moveaxis(planes.reshape(picture["channels"], height, width), 0, 2)


def test_small_textures_stay_whole() -> None:
    texels = np.arange(4 * 6 * 4, dtype=np.float16).reshape(4, 6, 4)
    picture = picture_of(copied("rgba16_sfloat", texels), 160)
    assert np.array_equal(values(picture), texels)
    assert (picture["kind"], picture["linear"], picture["scale"]) == ("color", True, 1.0)


def test_large_textures_keep_values_that_they_have() -> None:
    texels = np.random.default_rng(1).integers(0, 256, (90, 320, 4), np.uint8)
    picture = picture_of(copied("rgba8_unorm", texels), 40)
    assert picture["size"] == [40, 11]
    assert {tuple(texel) for texel in values(picture).reshape(-1, 4)} <= {
        tuple(texel) for texel in texels.reshape(-1, 4)
    }
    assert picture["scale"] == 255
    assert picture["low"] == texels.reshape(-1, 4).min(axis=0).tolist()


def test_red_comes_first() -> None:
    texels = np.array([[[1, 2, 3, 4]]], np.uint8)
    assert values(picture_of(copied("bgra8_unorm", texels), 8)).tolist() == [[[3, 2, 1, 4]]]


def test_packed_formats_are_unpacked() -> None:
    red_one = np.array([[[15 << 6]]], np.uint32)
    assert values(picture_of(copied("b10g11r11_ufloat", red_one), 8)).tolist() == [[[1.0, 0.0, 0.0]]]


def test_numbers_that_are_none_are_counted_and_left_out_of_the_range() -> None:
    texels = np.array([[[0.5], [np.nan], [np.inf], [2.0]]], np.float32)
    picture = picture_of(copied("r32_sfloat", texels), 8)
    assert (picture["nan"], picture["infinite"], picture["low"], picture["high"]) == (1, 1, [0.5], [2.0])


@pytest.mark.parametrize(("name", "kind"), [("d32_sfloat", "depth"), ("r32_uint", "integer"), ("r8_unorm", "color")])
def test_kinds(name: str, kind: str) -> None:
    texels = np.zeros((2, 2, 1), {"d32_sfloat": np.float32, "r32_uint": np.uint32, "r8_unorm": np.uint8}[name])
    picture = picture_of(copied(name, texels), 8)
    assert (picture["kind"], picture["flat"]) == (kind, True)


def test_equal_texels_have_equal_digests() -> None:
    texels = np.arange(64 * 4, dtype=np.uint8).reshape(8, 8, 4)
    same, other = copied("rgba8_unorm", texels.copy(), "u"), copied("rgba8_unorm", texels[::-1].copy())
    digests = [picture_of(one, 4)["digest"] for one in (copied("rgba8_unorm", texels), same, other)]
    assert digests[0] == digests[1] != digests[2]


def test_many_pictures_become_smaller() -> None:
    noise = np.random.default_rng(2).integers(0, 256, (128, 128, 4), np.uint8)
    copies = [copied("rgba8_unorm", noise, f"t{number}") for number in range(9)]
    found = pictures_of(copies, ("t8",), 128, room=100_000)
    assert sum(len(one["data"]) for one in found) <= 100_000
    assert found[0]["size"][0] >= LEAST_PIXELS
    assert found[8]["size"][0] > found[0]["size"][0]
    assert pictures_of(copies, (), 0) == []
