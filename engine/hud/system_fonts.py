"""Fonts of the operating system, by the character that they have to cover."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

_PATIENCE = 10.0
"""Time limit of fontconfig in seconds: its first call after an installation of fonts builds a cache."""

_WIDELY_INSTALLED = (
    *("segoeui.ttf", "seguisym.ttf", "msyh.ttc", "YuGothM.ttc", "malgun.ttf", "Nirmala.ttc", "LeelawUI.ttf"),
    *("Arial Unicode.ttf", "Hiragino Sans GB.ttc", "PingFang.ttc", "AppleSDGothicNeo.ttc", "Apple Symbols.ttf"),
    *("NotoSans-Regular.ttf", "NotoSansCJK-Regular.ttc", "DejaVuSans.ttf"),
)
"""Fonts of Windows, macOS and Linux with many scripts, for systems without fontconfig. Pillow knows their folders."""


def system_font(character: str) -> Path | None:
    """A font file that probably has ``character``, or None. The caller checks that it does."""
    if shutil.which("fc-match"):
        return _matched(character)
    from PIL import ImageFont

    for name in _WIDELY_INSTALLED:
        try:
            font = ImageFont.truetype(name)
        except OSError:
            continue
        if font.getmask(character).getbbox() != font.getmask("\U0010ffff").getbbox():
            return Path(str(font.path))
    return None


def _matched(character: str) -> Path | None:
    """The best match of fontconfig, which names a font even if none has the character."""
    try:
        ran = subprocess.run(
            ["fc-match", "--format=%{file}", f":charset={ord(character):x}:scalable=true:color=false"],
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    path = Path(ran.stdout.strip())
    return path if ran.stdout.strip() and path.is_file() else None
