"""Lines of text that fit into a width, in HUDs whose views may be small."""

from __future__ import annotations

_LETTER = 0.5
"""Width of a letter in heights of the type: more than the mean of a line of words."""
_LEAST = 0.1


def fitting(size: float, text: str, width: float) -> float:
    """The size at which a line of text has room in ``width`` units: at most ``size``, and at least a tenth of that.

    Type gets no smaller on the screen than the font's smallest face.
    """
    return max(_LEAST * size, min(size, width / (_LETTER * max(1, len(text)))))
