"""The line where a class begins, for error messages."""

from __future__ import annotations

import inspect

from renderwright.render.errors import SourceLocation


def class_location(kind: type) -> SourceLocation | None:
    """The line where a class begins, or None if there is no file."""
    try:
        return SourceLocation(inspect.getfile(kind), inspect.getsourcelines(kind)[1])
    except (TypeError, OSError):
        return None
