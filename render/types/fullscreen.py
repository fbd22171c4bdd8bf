"""How full-screen nodes run: as fragment shaders with attachments, or as compute shaders with storage images."""

from __future__ import annotations

from enum import StrEnum

_OUTPUT = "fullscreen_output_"


class Fullscreen(StrEnum):
    """How full-screen nodes run where both is possible; ``auto`` takes what is faster on the device."""

    AUTO = "auto"
    FRAGMENT = "fragment"
    COMPUTE = "compute"


def output_name(location: int) -> str:
    """The name of the storage image that takes the place of a fragment shader's output."""
    return f"{_OUTPUT}{location}"


def output_location(name: str) -> int | None:
    """The location of the output that a binding of that name stands for; None if it stands for none."""
    number = name.removeprefix(_OUTPUT)
    return int(number) if number != name and number.isdecimal() else None
