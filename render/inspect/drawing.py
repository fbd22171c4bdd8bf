"""Text and shapes on Pillow images, for pictures of plans."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

Color = tuple[int, int, int]
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


class Box(NamedTuple):
    """The sides of a rectangle, in pixels."""

    left: float
    top: float
    right: float
    bottom: float


INK: Color = (28, 36, 48)
FAINT: Color = (96, 106, 122)
LINE: Color = (206, 211, 219)
_TOOTH = 6


class Hatch(Enum):
    """Thin diagonal lines over a box."""

    NONE = 0
    RISING = 1
    FALLING = 2


@lru_cache(maxsize=32)
def font(size: int) -> Font:
    """The font that comes with Pillow, so that a picture is the same on every machine."""
    return ImageFont.load_default(size)


def width_of(text: str, size: int) -> int:
    """The width of the text in pixels."""
    return int(font(size).getlength(text) + 0.999)


def shortened(text: str, size: int, room: float) -> str:
    """The text, truncated with dots to at most ``room`` pixels."""
    if width_of(text, size) <= room:
        return text
    while text and width_of(text + "...", size) > room:
        text = text[:-1]
    return text + "..."


def wrapped(words: Iterable[str], size: int, room: float) -> list[str]:
    """The words joined by commas, in lines of at most ``room`` pixels; a longer word has a line of its own."""
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]}, {word}" if lines else word
        if lines and width_of(longer + ",", size) <= room:
            lines[-1] = longer
        else:
            if lines:
                lines[-1] += ","
            lines.append(word)
    return lines


def upright(image: Image.Image, at: tuple[float, float], text: str, size: int, color: Color) -> None:
    """Draws text that reads upwards; ``at`` is the left bottom corner of its line."""
    height = line_height(size)
    mask = Image.new("L", (width_of(text, size) + 2, height), 0)
    ImageDraw.Draw(mask).text((1, 0), text, font=font(size), fill=255)
    turned = mask.transpose(Image.Transpose.ROTATE_90)
    image.paste(color, (round(at[0]), round(at[1]) - turned.height), turned)


def line_height(size: int) -> int:
    """The distance between lines of text in pixels."""
    return round(size * 1.25)


def inside(image: Image.Image, box: Box, lines: Sequence[Sequence[str]], color: Color = INK) -> bool:
    """Draws the first of the texts that fits into the box, each a sequence of lines; returns whether one fits.

    The text is horizontal if the box is wide enough, else it reads upwards. Its size is the largest that fits, from 16
    down to 10 pixels.
    """
    draw = ImageDraw.Draw(image)
    left, top, right, bottom = box.left + 4, box.top + 2, box.right - 4, box.bottom - 2
    for text in lines:
        for size in (16, 14, 12, 11, 10):
            wide, high = max(width_of(line, size) for line in text), line_height(size) * len(text)
            if wide <= right - left and high <= bottom - top:
                y = (top + bottom - high) / 2
                for number, line in enumerate(text):
                    x = (left + right - width_of(line, size)) / 2
                    draw.text((x, y + number * line_height(size)), line, font=font(size), fill=color)
                return True
            if high <= right - left and wide <= bottom - top:
                x = (left + right - high) / 2
                for number, line in enumerate(text):
                    y = (top + bottom + width_of(line, size)) / 2
                    upright(image, (x + number * line_height(size), y), line, size, color)
                return True
    return False


def torn_box(
    image: Image.Image, box: Box, fill: Color, outline: Color, hatch: Hatch, *, open_left: bool, open_right: bool
) -> None:
    """Draws a box with torn edges, without an outline, at its open sides.

    A box smaller than three pixels is a line in the outline's colour.
    """
    draw = ImageDraw.Draw(image)
    left, top = round(box.left), round(box.top)
    right, bottom = max(round(box.right), left + 1), max(round(box.bottom), top + 1)
    if bottom - top < 3 or right - left < 3:
        draw.rectangle((left, top, right - 1, bottom - 1), fill=outline)
        return
    right, bottom = right - 1, bottom - 1
    edge_left = _edge(left, top, bottom, 1) if open_left else [(left, top), (left, bottom)]
    edge_right = _edge(right, top, bottom, -1) if open_right else [(right, top), (right, bottom)]
    shape = [*edge_left, *reversed(edge_right)]
    draw.polygon(shape, fill=fill)
    if hatch is not Hatch.NONE:
        _hatch(image, shape, outline, hatch)
    draw.line([edge_left[0], edge_right[0]], fill=outline)
    draw.line([edge_left[-1], edge_right[-1]], fill=outline)
    for edge, is_open in ((edge_left, open_left), (edge_right, open_right)):
        if not is_open:
            draw.line(edge, fill=outline)


def _edge(x: int, top: int, bottom: int, inwards: int) -> list[tuple[int, int]]:
    points = [(x, top)]
    y = top
    while y + 2 * _TOOTH <= bottom:
        points += [(x + inwards * _TOOTH, y + _TOOTH), (x, y + 2 * _TOOTH)]
        y += 2 * _TOOTH
    if points[-1] != (x, bottom):
        points.append((x, bottom))
    return points


def _hatch(image: Image.Image, shape: Sequence[tuple[int, int]], color: Color, hatch: Hatch) -> None:
    """Draws thin diagonal lines within the shape, translucent in the colour."""
    left, top = min(x for x, _ in shape), min(y for _, y in shape)
    mask = Image.new("L", (max(x for x, _ in shape) - left + 1, max(y for _, y in shape) - top + 1), 0)
    lines = ImageDraw.Draw(mask)
    for x in range(-mask.height, mask.width, 9):
        ends = (mask.height, 0) if hatch is Hatch.RISING else (0, mask.height)
        lines.line((x, ends[0], x + mask.height, ends[1]), fill=70)
    outside = Image.new("L", mask.size, 0)
    ImageDraw.Draw(outside).polygon([(x - left, y - top) for x, y in shape], fill=255)
    mask.paste(0, (0, 0), outside.point(lambda value: 255 - value))
    image.paste(color, (left, top), mask)
