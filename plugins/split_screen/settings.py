"""What can be chosen."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, Field

from renderwright.render import Extent


class Layout(StrEnum):
    """Where the views lie."""

    AUTO = "auto"
    """Two beside each other on a wide output, one above the other on a tall one; more in a grid."""
    SIDE_BY_SIDE = "side_by_side"
    STACKED = "stacked"
    GRID = "grid"
    """Two a row; of three, the last is in the middle."""


class SplitScreenSettings(BaseModel):
    """The settings of split screen."""

    layout: Layout = Field(Layout.AUTO, description="where the views lie")
    separator: float = Field(
        4.0, ge=0.0, le=64.0, description="width between the views, in pixels of a picture 720 high"
    )
    color: tuple[float, float, float] = Field((0.004, 0.004, 0.005), description="of what no view covers, linear")

    def gap(self, output: Extent) -> int:
        """Texels between the views of an output; at least one, unless there is to be none."""
        return max(1, round(self.separator * output[1] / 720)) if self.separator else 0
