"""The picture of a plan's memory: what is where, read back from its pixels."""

from __future__ import annotations

from itertools import pairwise

import pytest
from memory_frames import PAGE, frame_plan
from PIL import Image

from renderwright.render.inspect.drawing import Box, Hatch, inside, shortened, torn_box, width_of, wrapped
from renderwright.render.inspect.memory_picture import WIDTH, in_words, memory_picture, ticks
from renderwright.render.inspect.memory_report import memory_report

RED, BLUE, WHITE = (200, 60, 60), (30, 30, 120), (255, 255, 255)


def test_a_picture_is_the_same_each_time_and_as_wide_as_promised() -> None:
    report = memory_report(frame_plan(), compare=True)
    one, two = (memory_picture(report, "frame", "as planned") for _ in range(2))
    assert one.size == two.size
    assert one.width == WIDTH
    assert one.tobytes() == two.tobytes()


def test_a_comparison_adds_bars_below() -> None:
    plan = frame_plan()
    plain = memory_picture(memory_report(plan), "frame", "")
    compared = memory_picture(memory_report(plan, compare=True), "frame", "")
    assert compared.height > plain.height
    body = (0, 0, WIDTH, plain.height - 20)
    assert compared.crop(body).tobytes() == plain.crop(body).tobytes()


def test_boxes_of_both_frames_cover_what_is_in_use() -> None:
    # Without margins and text, the share of coloured pixels is the occupancy of the heap.
    report = memory_report(frame_plan(history=False, kept=False))
    picture = memory_picture(report, "frame", "")
    area = _heap_area(picture)
    colored = sum(_is_colored(area.getpixel((x, y))) for x in range(2, area.width, 9) for y in range(2, area.height, 7))
    count = len(range(2, area.width, 9)) * len(range(2, area.height, 7))
    assert colored / count == pytest.approx(report.heaps[0].occupancy, abs=0.04)


def _heap_area(picture: Image.Image) -> Image.Image:
    """The part of the picture within the frame of the heap, 600 pixels high."""
    top = next(y for y in range(picture.height) if picture.getpixel((WIDTH - 44, y)) != WHITE)
    return picture.crop((105, top + 1, WIDTH - 44, top + 600))


def _is_colored(pixel: object) -> bool:
    assert isinstance(pixel, tuple)
    return max(pixel) - min(pixel) > 20


def test_a_frame_without_memory_has_a_picture() -> None:
    report = memory_report(frame_plan())
    empty = type(report)(report.nodes, (), (), {})
    assert memory_picture(empty, "nothing", "").width == WIDTH


def test_a_torn_box_has_no_outline_at_its_open_side() -> None:
    image = Image.new("RGB", (60, 60), WHITE)
    torn_box(image, Box(10, 10, 50, 50), RED, BLUE, Hatch.NONE, open_left=False, open_right=True)
    column = {image.getpixel((49, y)) for y in range(12, 48)}
    assert BLUE not in column
    assert WHITE in column
    assert {image.getpixel((10, y)) for y in range(12, 48)} == {BLUE}
    assert image.getpixel((30, 30)) == RED
    assert image.getpixel((30, 10)) == image.getpixel((30, 49)) == BLUE


def test_hatches_lean_their_own_ways_and_stay_inside() -> None:
    pictures = []
    for hatch in (Hatch.NONE, Hatch.RISING, Hatch.FALLING):
        image = Image.new("RGB", (60, 60), WHITE)
        torn_box(image, Box(10, 10, 50, 50), RED, BLUE, hatch, open_left=False, open_right=False)
        assert image.getpixel((5, 30)) == image.getpixel((55, 30)) == WHITE
        pictures.append(image.tobytes())
    assert len(set(pictures)) == 3


def test_a_box_too_thin_for_an_outline_is_a_line() -> None:
    image = Image.new("RGB", (60, 20), WHITE)
    torn_box(image, Box(10, 10.2, 50, 10.3), RED, BLUE, Hatch.RISING, open_left=False, open_right=False)
    assert image.getpixel((30, 10)) == BLUE
    assert image.getpixel((30, 9)) == image.getpixel((30, 11)) == WHITE


def test_text_goes_inside_a_box_or_nowhere() -> None:
    for box, fits in ((Box(20, 20, 180, 60), True), (Box(20, 20, 45, 160), True), (Box(20, 20, 40, 30), False)):
        image = Image.new("RGB", (200, 200), WHITE)
        assert inside(image, box, [["resource", "64 KiB"], ["resource"]]) is fits
        written = Image.eval(image.convert("L"), lambda value: 255 - value).getbbox()
        assert (written is not None) is fits
        if written:
            assert box.left < written[0] < written[2] < box.right
            assert box.top < written[1] < written[3] < box.bottom


def test_lines_and_names_stay_in_their_room() -> None:
    words = [f"resource_{number} {number} MiB" for number in range(40)]
    lines = wrapped(words, 13, 400)
    assert ", ".join(words) == " ".join(lines)
    assert all(width_of(line, 13) <= 400 for line in lines)
    assert wrapped([], 13, 400) == []
    assert shortened("short", 13, 400) == "short"
    assert width_of(shortened("a_very_long_name_of_a_node" * 9, 13, 120), 13) <= 120


@pytest.mark.parametrize(("size", "text"), [(100, "100 B"), (PAGE, "64 KiB"), (66387968, "63.3 MiB"), (2**33, "8 GiB")])
def test_sizes_in_words(size: int, text: str) -> None:
    assert in_words(size) == text


@pytest.mark.parametrize("size", [1, 7, 4096, 300 * 2**20, 3 * 2**30, 5 * 2**40])
def test_ticks_are_few_and_even(size: int) -> None:
    found = ticks(size, 10)
    assert found[0] == 0
    assert 2 <= len(found) <= 10
    assert found[-1] <= size < found[-1] + found[1]
    assert {after - before for before, after in pairwise(found)} == {found[1]}
