"""How much work a packing may be."""

from __future__ import annotations

from enum import StrEnum


class PackPolicy(StrEnum):
    """What the packer may spend.

    ``FAST`` tries a few orders of first-fit: for a change in mid-run, where a frame must not hitch. ``BALANCED`` adds a
    search by a budget of steps, deterministic: for start-up and tools. ``THOROUGH`` searches for seconds, on request.
    """

    FAST = "fast"
    BALANCED = "balanced"
    THOROUGH = "thorough"
