"""The window: pyglet makes it, the backend draws into it."""

from __future__ import annotations

import os
import sys
from typing import Any

from render.errors import BackendError
from render.graph.resources import Extent


def has_display() -> bool:
    """Whether a window could be opened here."""
    return bool(os.environ.get("DISPLAY")) or sys.platform in ("win32", "darwin")


class GameWindow:
    """A resizable window. ``extent`` is the drawable size in pixels, (0, 0) while minimised."""

    def __init__(self, title: str, extent: Extent) -> None:
        import pyglet

        # The hidden window with a GL context that pyglet makes for itself is of no use to Vulkan.
        pyglet.options["shadow_window"] = False
        try:
            self.window: Any = pyglet.window.Window(*extent, caption=title, resizable=True, vsync=False)
        except Exception as error:
            raise BackendError(
                f"no window can be opened: {error}", hint="check DISPLAY, or run with --headless"
            ) from error
        self.closed = False
        self._minimised = False
        self._handlers = {
            "on_close": self._on_close,
            "on_hide": self._on_hide,
            "on_show": self._on_show,
            # The engine draws; pyglet must not clear or flip.
            "on_draw": lambda: True,
            "on_resize": lambda width, height: True,
        }
        self.window.push_handlers(**self._handlers)

    @property
    def extent(self) -> Extent:
        """Drawable size in pixels, (0, 0) while minimised."""
        if self._minimised:
            return (0, 0)
        width, height = self.window.get_framebuffer_size()
        return (int(width), int(height))

    def dispatch(self) -> None:
        """Handle what has happened to the window since the last call."""
        if not self.closed:
            self.window.dispatch_events()

    def close(self) -> None:
        """Close the window."""
        self.window.close()

    def _on_close(self) -> bool:
        self.closed = True
        return True

    def _on_hide(self) -> None:
        self._minimised = True

    def _on_show(self) -> None:
        self._minimised = False
