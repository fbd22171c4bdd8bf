"""The effort of a packing."""

from __future__ import annotations

from enum import StrEnum


class PackPolicy(StrEnum):
    """The effort of the packer.

    ``FAST`` tries a few orders of first-fit, for changes while a game runs, which must not cause a hitch. ``BALANCED``
    adds a deterministic search with a budget of steps, for start-up and tools. ``THOROUGH`` searches for seconds, on
    request.
    """

    FAST = "fast"
    BALANCED = "balanced"
    THOROUGH = "thorough"
