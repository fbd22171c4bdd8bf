"""Settings of split screen."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, Field

from renderwright.render import Extent


class Layout(StrEnum):
    """Arrangement of the views."""

    AUTO = "auto"
    """Two views side by side on a wide output, stacked on a tall one; more views in a grid."""
    SIDE_BY_SIDE = "side_by_side"
    STACKED = "stacked"
    GRID = "grid"
    """Two views per row. A single view in the last row is centred."""


class SplitScreenSettings(BaseModel):
    """User settings."""

    layout: Layout = Field(Layout.AUTO, description="arrangement of the views")
    separator: float = Field(
        4.0, ge=0.0, le=64.0, description="width of the separators, in pixels of an output 720 pixels high"
    )
    color: tuple[float, float, float] = Field((0.004, 0.004, 0.005), description="colour of the separators, linear")

    def gap(self, output: Extent) -> int:
        """Width of the separators on an output, in texels: 0 if ``separator`` is 0, else at least 1."""
        return max(1, round(self.separator * output[1] / 720)) if self.separator else 0
