"""The file of best times: its model, and errors that name file and line."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from renderwright.engine.content import ContentModel, parse_content
from renderwright.games.marbles.records import Record


class _Record(ContentModel):
    model_config = ConfigDict(strict=True)

    steps: int = Field(ge=1)
    map: str


class _Records(ContentModel):
    version: Literal[1]
    levels: dict[str, _Record] = Field(default_factory=dict)


def parse_records(text: str, file: str) -> dict[str, Record]:
    """The records of a file, by level. Raises ``AssetError`` with file, line and column."""
    levels = parse_content(text, file, _Records, "file of best times").value.levels
    return {name: Record(record.steps, record.map) for name, record in levels.items()}
