"""The line of a node's own code on the way to an exception, for tests of nodes."""

from __future__ import annotations

import traceback
from pathlib import Path

from renderwright.render.errors import GraphError, RenderwrightError, SourceLocation
from renderwright.render.files import is_of_library
from renderwright.render.suggest import meant_attribute

_RENDER = __name__.rpartition(".")[0]


def tell_line_of_node(failed: GraphError) -> None:
    """Add to the failure of a node the line that raised, and an attribute that may be meant.

    An error of the renderer has its place already.
    """
    error = failed.__cause__
    if error is None or isinstance(error, RenderwrightError):
        return
    failed.where = failed.where or _line_of_node(error)
    if isinstance(error, AttributeError):
        failed.hint = failed.hint or meant_attribute(error)


def _line_of_node(error: BaseException) -> SourceLocation | None:
    """The innermost line outside of the renderer and of libraries; the outermost one of a library if all are."""
    lines = [
        SourceLocation(frame.f_code.co_filename, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if not f"{frame.f_globals.get('__name__', '')}.".startswith(f"{_RENDER}.")
    ]
    own = [line for line in lines if not is_of_library(Path(line.file))]
    return own[-1] if own else next(iter(lines), None)
