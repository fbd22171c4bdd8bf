"""Checks of what a game draws on a HUD. A wrong argument is refused at the line of the game."""

from __future__ import annotations

from renderwright.engine.caller import caller_location
from renderwright.engine.hud.images import Part
from renderwright.engine.hud.page import LARGEST
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.number_rules import NumberRule
from renderwright.render.errors import UsageError

_NUMBER = NumberRule()
_RULES = {"size": NumberRule(positive=True), "color": NumberRule(4)}
_ALIGNS = ("left", "center", "right")


def check_text(string: object, align: object, **numbers: object) -> None:
    """Refuse a text that is no ``str``, an unknown alignment, and numbers that are not finite (``UsageError``)."""
    if not isinstance(string, str):
        misplaced = [numbers[name] for name in ("x", "y") if isinstance(numbers.get(name), str)]
        if misplaced:
            raise _refusal(
                f"hud.text has the text {misplaced[0]!r} in the place of a number",
                f"x and y come before the text: hud.text(20, 20, {misplaced[0]!r})",
            )
        raise _refusal(
            f"hud.text cannot draw {string!r}, which is of type {type(string).__name__}",
            f"write str(...): {string!s:.40}",
        )
    if align not in _ALIGNS:
        raise _refusal(f"hud.text cannot align {align!r}", f"use one of {', '.join(_ALIGNS)}")
    check_numbers("text", **numbers)


def check_numbers(call: str, **numbers: object) -> None:
    """Refuse numbers that are not finite, and colours that are not a tuple of four (``UsageError``)."""
    for name, value in numbers.items():
        rule = _RULES.get(name, _NUMBER)
        if not rule.allows(value):
            raise _refusal(f"hud.{call}: {name} cannot be {value!r}", f"it is {rule}")
        if name == "color" and not isinstance(value, tuple):
            raise _refusal(f"hud.{call}: color cannot be {value!r}", "give a tuple of four numbers")


def checked_part(image: object, part: object) -> Part:
    """The part of an image that is drawn; ``UsageError`` if it does not lie inside."""
    if not isinstance(image, Image):
        raise _refusal(
            f"hud.image cannot draw {image!r}", "give an Image, such as load_image of renderwright.engine.scene returns"
        )
    width, height = image.extent
    if part is None:
        return (0, 0, width, height)
    if isinstance(part, tuple) and len(part) == 4 and all(isinstance(number, int) for number in part):
        x, y, w, h = part
        if x >= 0 and y >= 0 and w > 0 and h > 0 and x + w <= width and y + h <= height:
            return (x, y, w, h)
    raise _refusal(
        f'hud.image: part {part!r} is not a part of "{image.name}", which is {width} x {height}',
        "a part is (x, y, width, height) in texels",
    )


def check_fits(image: Image, width: int, height: int) -> None:
    """Refuse an image that is too large for the page (``UsageError``)."""
    if width > LARGEST[0] or height > LARGEST[1]:
        raise _refusal(
            f'hud.image: "{image.name}" is {width} x {height} texels at this size, and at most {LARGEST[0]} x '
            f"{LARGEST[1]} can be drawn",
            "draw it in parts, or use a smaller image",
        )


def _refusal(message: str, hint: str) -> UsageError:
    return UsageError(message, hint=hint, where=caller_location())
