"""The oracle's findings."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """The violated rule."""

    READ_AFTER_WRITE = "read after write"
    WRITE_AFTER_READ = "write after read"
    WRITE_AFTER_WRITE = "write after write"
    NOT_AVAILABLE = "write not available"
    NOT_VISIBLE = "write not visible"
    WRONG_LAYOUT = "wrong layout"
    UNDEFINED_CONTENT = "undefined content"
    MISSING_OWNERSHIP = "missing ownership transfer"
    NEVER_SIGNALLED = "wait that nothing signals"
    DEADLOCK = "deadlock"
    SEMAPHORE_MISUSE = "misused semaphore"
    EVENT_MISUSE = "misused event"
    STILL_IN_USE = "still in use"
    DESTROYED = "used after destruction"
    UNSUPPORTED_ACCESS = "unsupported access"
    PRESENT_MISUSE = "misused presentation"
    RENDERING_MISUSE = "misused rendering"


@dataclass(frozen=True)
class Site:
    """An executed command: its number in execution order, its line in the stream, and the enclosing names.

    ``frame`` is the frame of the submission, -1 before the first frame marker; ``queue`` is '' for the host.
    """

    number: int
    line: int
    name: str
    node: str = ""
    queue: str = ""
    frame: int = -1

    def __str__(self) -> str:
        parts = [f"#{self.number} {self.name}"]
        if self.node:
            parts.append(f'of "{self.node}"')
        if self.frame >= 0:
            parts.append(f"in frame {self.frame}")
        if self.queue:
            parts.append(f"on {self.queue}")
        return f"{' '.join(parts)} (line {self.line})"


@dataclass(frozen=True)
class Finding:
    """One finding.

    ``at`` is the command at fault, ``before`` the one that it conflicts with, if any. ``part`` is the mips and layers
    or the bytes of the resource. ``remedy`` is a sufficient repair.
    """

    kind: Kind
    message: str
    at: Site
    before: Site | None = None
    resource: str = ""
    part: str = ""
    remedy: str = ""

    def __str__(self) -> str:
        what = f' of "{self.resource}"' if self.resource else ""
        part = f" ({self.part})" if self.part else ""
        lines = [f"{self.kind}{what}{part}: {self.message}", f"  at     {self.at}"]
        if self.before is not None:
            lines.append(f"  after  {self.before}")
        if self.remedy:
            lines.append(f"  enough {self.remedy}")
        return "\n".join(lines)
