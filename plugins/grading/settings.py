"""Settings of the colour grading."""

from __future__ import annotations

from pydantic import BaseModel, Field, field_validator

from renderwright.plugins.grading.looks import look_of
from renderwright.render import UsageError


class GradingSettings(BaseModel):
    """User settings. A look that cannot be read is refused here, so that a running game keeps its own."""

    look: str = Field("warm", description="name of a shipped look (warm, cold), or path of a .cube file")
    strength: float = Field(1.0, ge=0.0, le=1.0, description="share of the graded colour; 0: the picture as it is")

    @field_validator("look")
    @classmethod
    def _readable(cls, look: str) -> str:
        try:
            look_of(look)
        except UsageError as error:
            raise ValueError(f"{error.message}; {error.hint}") from None
        return look
