"""Images and sprites on the HUD, and arguments that are refused at the game's line."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from renderwright.engine.hud import Hud
from renderwright.engine.hud.images import premultiplied, reduction
from renderwright.engine.hud.layout import PAGE_U
from renderwright.engine.hud.page import HEIGHT, WIDTH, ImagePage
from renderwright.engine.scene import Image
from renderwright.render.errors import UsageError


def sheet() -> Image:
    """Two sprites of 4 x 4: red at half opacity, opaque blue."""
    pixels = np.zeros((4, 8, 4), np.uint8)
    pixels[:, :4] = (255, 0, 0, 128)
    pixels[:, 4:] = (0, 0, 255, 255)
    return Image("sheet", pixels)


def shown(hud: Hud) -> tuple[tuple[float, ...], np.ndarray]:
    """The rectangle of a single image in pixels, and its texels on the page."""
    vertices = hud.vertices()
    assert len(vertices) == 6
    low, high = vertices[:, :4].min(axis=0), vertices[:, :4].max(axis=0)
    u0, v0, u1, v1 = int(low[2] - PAGE_U), int(low[3]), int(high[2] - PAGE_U), int(high[3])
    return (*map(float, (*low[:2], *high[:2])),), hud.page.pixels[v0:v1, u0:u1]


def test_a_texel_is_a_unit_and_colours_are_premultiplied() -> None:
    hud = Hud(1280, 720)
    hud.image(10, 20, sheet())
    rectangle, texels = shown(hud)
    assert rectangle == (10, 20, 18, 24)
    assert texels.shape == (4, 8, 4)
    assert tuple(texels[0, 0]) == (128, 0, 0, 128)
    assert tuple(texels[3, 7]) == (0, 0, 255, 255)


@pytest.mark.parametrize(
    ("size", "expected"), [({"w": 16}, (16, 8)), ({"h": 16}, (32, 16)), ({"w": 10, "h": 30}, (10, 30))]
)
def test_one_length_keeps_the_proportions(size: dict[str, float], expected: tuple[float, float]) -> None:
    hud = Hud(1280, 720)
    hud.image(0, 0, sheet(), **size)
    assert shown(hud)[0][2:] == expected


def test_a_sprite_is_a_part_with_its_own_border() -> None:
    hud = Hud(1280, 720)
    hud.image(0, 0, sheet(), 40, 40, part=(4, 0, 4, 4))
    assert (shown(hud)[1] == (0, 0, 255, 255)).all()
    vertices = hud.vertices()
    x, y = int(vertices[0, 2] - PAGE_U), int(vertices[0, 3])
    assert (hud.page.pixels[y - 1 : y + 5, x - 1 : x + 5] == (0, 0, 255, 255)).all(), "the edge repeats outside"


def test_a_reduced_image_is_averaged() -> None:
    stripes = np.full((8, 8, 4), 255, np.uint8)
    stripes[:, ::2, :3] = 0
    assert reduction((0, 0, 8, 8), 2.0, 2.0) == 4
    assert reduction((0, 0, 8, 8), 8.0, 2.0) == 1
    texels = premultiplied(Image("stripes", stripes), (0, 0, 8, 8), 4)
    assert texels.shape == (2, 2, 4)
    assert np.allclose(texels[..., :3], 127.5, atol=1)


def test_an_unchanged_image_is_placed_once() -> None:
    hud, image = Hud(1280, 720), sheet()
    for _ in range(3):
        hud.page.begin()
        hud.clear()
        hud.image(0, 0, image)
        hud.vertices()
    assert hud.page.revision == 1
    assert hud.revision == 1


def test_a_full_page_keeps_what_is_in_use(caplog: pytest.LogCaptureFixture) -> None:
    page = ImagePage()
    hud, last = Hud(1280, 720, page=page), sheet()
    half = Image("half", np.zeros((HEIGHT // 2, WIDTH // 2, 4), np.uint8))
    for number in range(6):
        page.begin()
        hud.clear()
        hud.image(0, 0, Image(f"old {number}", half.pixels), WIDTH, HEIGHT)
        hud.image(0, 0, last)
    page.begin()
    hud.clear()
    hud.image(0, 0, last)
    assert page.generation >= 1
    assert tuple(shown(hud)[1][3, 7]) == (0, 0, 255, 255)
    assert not caplog.records


def test_one_frame_that_exceeds_the_page_is_reported_once(caplog: pytest.LogCaptureFixture) -> None:
    page = ImagePage()
    hud = Hud(1280, 720, page=page)
    many = [Image(f"{number}", np.zeros((HEIGHT // 2, WIDTH // 2, 4), np.uint8)) for number in range(6)]
    for _ in range(4):
        page.begin()
        hud.clear()
        for image in many:
            hud.image(0, 0, image, WIDTH, HEIGHT)
    assert [record.getMessage() for record in caplog.records] == [
        f"the images and texts of one frame's HUDs exceed {WIDTH} x {HEIGHT} texels, and some are missing; "
        "show fewer or smaller ones"
    ]


REFUSED: dict[str, Callable[[Any], object]] = {
    "hud.text cannot draw 5, which is of type int": lambda hud: hud.text(0, 0, 5),
    "hud.text cannot draw None, which is of type NoneType": lambda hud: hud.text(0, 0, None),
    "hud.text has the text 'player 1' in the place of a number": lambda hud: hud.text("player 1", 20, 20),
    "hud.text has the text 'one' in the place of a number": lambda hud: hud.text(20, "one", 20),
    "hud.text: x cannot be nan": lambda hud: hud.text(math.nan, 0, "x"),
    "hud.text: size cannot be 0": lambda hud: hud.text(0, 0, "x", 0),
    "hud.text: size cannot be inf": lambda hud: hud.measure("x", math.inf),
    "hud.text: color cannot be (1, 1, 1)": lambda hud: hud.text(0, 0, "x", 18, (1, 1, 1)),
    "hud.text: color cannot be [1, 1, 1, 1]": lambda hud: hud.text(0, 0, "x", 18, [1, 1, 1, 1]),
    "hud.text cannot align 'middle'": lambda hud: hud.text(0, 0, "x", align="middle"),
    "hud.rect: w cannot be nan": lambda hud: hud.rect(0, 0, math.nan, 1, (1, 1, 1, 1)),
    "hud.image cannot draw 'sheet.png'": lambda hud: hud.image(0, 0, "sheet.png"),
    "hud.image: w cannot be nan": lambda hud: hud.image(0, 0, sheet(), math.nan),
    'hud.image: part (4, 0, 8, 4) is not a part of "sheet", which is 8 x 4': lambda hud: hud.image(
        0, 0, sheet(), part=(4, 0, 8, 4)
    ),
    f'hud.image: "wide" is {WIDTH} x 1 texels at this size, and at most {WIDTH - 2} x {HEIGHT - 2} can be drawn': (
        lambda hud: hud.image(0, 0, Image("wide", np.zeros((1, WIDTH, 4), np.uint8)))
    ),
}


@pytest.mark.parametrize("message", REFUSED)
def test_a_wrong_argument_is_refused_at_the_games_line(message: str) -> None:
    with pytest.raises(UsageError) as refused:
        REFUSED[message](Hud(1280, 720))
    assert refused.value.message == message
    assert refused.value.hint
    assert refused.value.where is not None
    assert refused.value.where.file == __file__
