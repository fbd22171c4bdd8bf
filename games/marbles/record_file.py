"""The file of best times: its model, and errors that name file and line."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from renderwright.engine.skeleton.document import read_document
from renderwright.games.marbles.records import Record
from renderwright.render.errors import AssetError


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    steps: int = Field(ge=1)
    map: str


class _Records(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1]
    levels: dict[str, _Record] = {}


def parse_records(text: str, file: str) -> dict[str, Record]:
    """The records of a file, by level. Raises ``AssetError`` with file, line and column."""
    document = read_document(text, file)
    if document.problems:
        problem = document.problems[0]
        raise AssetError(problem.text, hint="best times are plain YAML", where=problem.where)
    try:
        levels = _Records.model_validate(document.data).levels
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise AssetError(
            f"{place or 'the file'}: {first['msg']}",
            hint="a record is written `name: {steps: 1471, map: 3f2a9c1b}`",
            where=document.where(tuple(first["loc"])),
        ) from error
    return {name: Record(record.steps, record.map) for name, record in levels.items()}
