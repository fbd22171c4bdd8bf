"""How much ``play --check`` looks at."""

from __future__ import annotations

from enum import StrEnum


class CheckLevel(StrEnum):
    """``COMMANDS``: the commands that nodes record. ``NAN``: also the texels that they write, which takes time on the
    device and makes the CPU wait for each frame."""

    COMMANDS = "commands"
    NAN = "nan"
