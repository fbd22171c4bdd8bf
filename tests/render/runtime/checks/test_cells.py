"""The cells of a part of a texture, and texels in words."""

import pytest

from renderwright.render.runtime.checks.cells import cells_of, texel_in_words
from renderwright.render.types.parts import WHOLE, Part
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.usages import Usage

PLAIN = TextureInfo("r32_sfloat", (5, 3), 1, 1, 1, frozenset({Usage.SAMPLED}))
STACK = TextureInfo("rgba16_sfloat", (4, 2), 3, 2, 1, frozenset({Usage.SAMPLED}))


def test_cells_follow_one_another() -> None:
    cells = list(cells_of(WHOLE, STACK))
    assert [(cell.mip, cell.layer) for cell in cells] == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]
    assert [cell.first for cell in cells] == [0, 8, 16, 18, 20, 21]
    assert [cell.bytes for cell in cells] == [64, 64, 16, 16, 8, 8]


def test_cells_of_a_part() -> None:
    (cell,) = cells_of(Part((1, 1), (1, 1)), STACK)
    assert (cell.mip, cell.layer, cell.extent, cell.first) == (1, 1, (2, 1), 0)


def test_mips_that_the_texture_does_not_have_are_left_out() -> None:
    assert [cell.mip for cell in cells_of(Part((2, 5), (0, 1)), STACK)] == [2]


@pytest.mark.parametrize(
    ("info", "part", "number", "words"),
    [
        (PLAIN, WHOLE, 0, "texel (0, 0)"),
        (PLAIN, WHOLE, 13, "texel (3, 2)"),
        (STACK, WHOLE, 13, "texel (1, 1) of mip 0 of layer 1"),
        (STACK, WHOLE, 17, "texel (1, 0) of mip 1 of layer 0"),
        (STACK, WHOLE, 21, "texel (0, 0) of mip 2 of layer 1"),
        (STACK, Part((1, 1), (1, 1)), 1, "texel (1, 0) of mip 1 of layer 1"),
    ],
)
def test_a_texel_in_words(info: TextureInfo, part: Part, number: int, words: str) -> None:
    assert texel_in_words(part, info, number) == words
