"""Several views drawn at once (multiview)."""

from __future__ import annotations

LEAST_VIEWS = 6
"""The number of views that every device with multiview supports (minimum of Vulkan's maxMultiviewViewCount)."""


def view_mask(count: int) -> int:
    """Vulkan's ``viewMask``: a bit for each of ``count`` views; 0 for a single view, which needs no multiview."""
    return (1 << count) - 1 if count > 1 else 0
