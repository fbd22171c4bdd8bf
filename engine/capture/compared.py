"""Two captures in one document, with what differs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from renderwright.engine.capture.flip import measure, picture_pairs
from renderwright.engine.capture.reading import read_capture
from renderwright.render.inspect.capture import CAPTURE_SCHEMA
from renderwright.render.inspect.capture.difference import difference_of


def compared_captures(before: Path, after: Path) -> dict[str, Any]:
    """The document of a comparison. Raises ``UsageError`` for files that are no captures."""
    old, new = read_capture(before), read_capture(after)
    return {
        "schema": CAPTURE_SCHEMA,
        "kind": "diff",
        "title": f"{before.stem} and {after.stem}",
        "names": [before.name, after.name],
        "difference": {
            **difference_of(old, new),
            "measure": measure(),
            "pictures": picture_pairs(old["pictures"], new["pictures"]),
        },
        "before": old,
        "after": new,
    }
