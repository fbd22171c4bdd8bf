"""Captures: all that is known of one frame as one JSON document, and the page that shows it (docs/capture.md).

``document.py`` is what a plan tells by itself; the engine adds times, pictures and settings of a frame that was played.
"""

from renderwright.render.inspect.capture.document import CAPTURE_SCHEMA, capture_of

__all__ = ["CAPTURE_SCHEMA", "capture_of"]
