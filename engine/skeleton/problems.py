"""Problems of a skeleton file, each with its line and column."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from renderwright.render.errors import SkeletonError, SourceLocation

Path = tuple[str | int, ...]
"""Path from the root of a document to a value: keys and list positions."""

SHOWN_PROBLEMS = 50
_SHOWN_TEXT = 60
_PLAIN_KEY = re.compile(r"[\w/-]+")


@dataclass(frozen=True)
class SkeletonProblem:
    """One problem: its location, the path of the value, and the message."""

    where: SourceLocation
    path: Path
    message: str

    @property
    def text(self) -> str:
        """The problem without its location: ``nodes[1].wrties: unknown key``."""
        return f"{path_text(self.path)}: {self.message}" if self.path else self.message


class SkeletonFileError(SkeletonError):
    """All problems of one skeleton file, in the order of lines."""

    def __init__(self, problems: Iterable[SkeletonProblem]) -> None:
        ordered = sorted(problems, key=lambda problem: (problem.where.line, problem.where.column, problem.text))
        self.problems = tuple(ordered)
        first, *others = self.problems
        lines = [first.text, *(f"{problem.where}: {problem.text}" for problem in others[: SHOWN_PROBLEMS - 1])]
        if len(self.problems) > SHOWN_PROBLEMS:
            lines.append(f"... and {len(self.problems) - SHOWN_PROBLEMS} more problems")
        super().__init__("\n".join(lines), where=first.where)


def path_text(path: Path) -> str:
    """``("nodes", 1, "name")`` as ``nodes[1].name``. Keys with special characters are quoted."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif _PLAIN_KEY.fullmatch(part):
            text += f".{part}" if text else part
        else:
            text += f"[{shown(part)}]"
    return text


def shown(value: Any) -> str:
    """A value of the file for a message: one short line without control characters."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, tuple | list):
        return "a list"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN_TEXT else f"{text[:_SHOWN_TEXT]}..."
