"""Several views drawn at once (multiview)."""

from __future__ import annotations

LEAST_VIEWS = 6
"""So many views every device that can draw several at once can draw at least (Vulkan's maxMultiviewViewCount)."""


def view_mask(count: int) -> int:
    """A bit for each of so many views, as Vulkan's ``viewMask``; 0 for a single one, which takes no multiview."""
    return (1 << count) - 1 if count > 1 else 0
