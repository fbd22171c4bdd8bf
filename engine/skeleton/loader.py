"""Loading of skeleton files: read, validate, build."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from renderwright.engine.skeleton.build import build_skeleton
from renderwright.engine.skeleton.document import read_document
from renderwright.engine.skeleton.problems import SkeletonFileError, SkeletonProblem
from renderwright.engine.skeleton.references import reference_problems
from renderwright.engine.skeleton.schema import SkeletonEntry
from renderwright.engine.skeleton.skeleton import Skeleton
from renderwright.engine.skeleton.validation import validation_problems
from renderwright.render.errors import SkeletonError, SourceLocation
from renderwright.render.files.reading import read_start

MAX_BYTES = 1 << 20


def load_skeleton(path: Path) -> Skeleton:
    """Load a skeleton from a YAML file of the description format, version 1.

    Raises ``SkeletonError`` with all problems of the file, each with its line and column.
    """
    try:
        content = read_start(path, MAX_BYTES + 1)
    except OSError as error:
        raise SkeletonError(f"cannot read {path}: {error.strerror or error}") from None
    return parse_skeleton(content, str(path))


def parse_skeleton(content: bytes, file: str) -> Skeleton:
    """Load a skeleton from the bytes of a file, like ``load_skeleton``. ``file`` is its name in messages."""
    document = read_document(_text(content, file), file)
    problems = list(document.problems)
    if document.data is None and problems:
        raise SkeletonFileError(problems)
    entry = None
    try:
        entry = SkeletonEntry.model_validate(document.data)
    except ValidationError as error:
        problems.extend(validation_problems(error, document))
    problems.extend(reference_problems(document))
    if problems or entry is None:
        raise SkeletonFileError(problems)
    return build_skeleton(entry, document)


def skeleton_json_schema() -> dict[str, Any]:
    """The JSON Schema of the format, for completion and validation in editors."""
    schema = SkeletonEntry.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "renderwright skeleton"}


def _text(content: bytes, file: str) -> str:
    start = SourceLocation(file, 1, 1)
    if len(content) > MAX_BYTES:
        raise SkeletonFileError([SkeletonProblem(start, (), f"the file is over {MAX_BYTES} bytes (1 MiB)")])
    try:
        return content.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8")
        where = SourceLocation(file, before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)
        raise SkeletonFileError([SkeletonProblem(where, (), "the file is not UTF-8 text")]) from None
