"""Whether the commands of nodes are kept."""

from __future__ import annotations

from enum import StrEnum


class Recording(StrEnum):
    """``KEPT``: stable nodes are recorded once. ``ALWAYS``: all nodes and command buffers are recorded in each frame.

    ``VERIFIED``: stable nodes keep their commands, and are recorded as well in each frame and compared with them.
    """

    KEPT = "kept"
    ALWAYS = "always"
    VERIFIED = "verified"
