"""The window: created by pyglet, presented to by the backend."""

from __future__ import annotations

import os
import sys
from typing import Any

from renderwright.engine.plugin_keys import SHIFT
from renderwright.render.errors import BackendError
from renderwright.render.types.resources import Extent

_HINT = "check that DISPLAY names a running X server, or play with --headless"


def has_display() -> bool:
    """Whether a display is available to open a window on."""
    return bool(os.environ.get("DISPLAY")) or not _uses_x()


class GameWindow:
    """A resizable window. ``extent`` is the drawable size in pixels, (0, 0) while minimised.

    An ``opengl`` window has a context of OpenGL 4.5.
    """

    def __init__(self, title: str, extent: Extent, *, opengl: bool = False) -> None:
        import pyglet

        # pyglet's hidden window with a GL context is useless for Vulkan.
        pyglet.options["shadow_window"] = False
        try:
            config = _opengl_config() if opengl else None
            self.window: Any = _bare_window()(*extent, caption=title, resizable=True, vsync=False, config=config)
        except Exception as error:
            raise BackendError(f"no window can be opened: {_reason(error)}", hint=_HINT) from error
        self.closed = False
        self._minimised = False
        self._context_used = False
        self._plugin_keys: list[str] = []
        self._handlers = {
            "on_key_press": self._on_key_press,
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
        """Handle the window's events since the last call."""
        if not self.closed:
            self.window.dispatch_events()

    def enter_context(self) -> None:
        """Make the window's OpenGL context current, for a backend. Each further backend gets a new context, because the
        last one's is lost."""
        if self._context_used:
            lost = self.window.context
            # pyglet makes a context together with its window only.
            self.window._context = lost.config.create_context(None)
            lost.destroy()
            self.window.context.attach(self.window.canvas)
        self._context_used = True
        self.window.switch_to()

    def take_plugin_keys(self) -> tuple[str, ...]:
        """The keys of ``renderwright.engine.plugin_keys`` pressed since the last call, in order."""
        taken = tuple(self._plugin_keys)
        self._plugin_keys.clear()
        return taken

    def close(self) -> None:
        """Close the window."""
        self.window.close()

    def _on_close(self) -> bool:
        self.closed = True
        return True

    def _on_key_press(self, symbol: int, modifiers: int) -> None:
        from pyglet.window import key

        if key.F1 <= symbol <= key.F12:
            shift = SHIFT if modifiers & key.MOD_SHIFT else ""
            self._plugin_keys.append(f"{shift}f{symbol - key.F1 + 1}")

    def _on_hide(self) -> None:
        self._minimised = True

    def _on_show(self) -> None:
        self._minimised = False


def _bare_window() -> Any:
    """The class of pyglet's window without what is for pyglet's own drawing: objects of its OpenGL context, which a
    resize uses even where the context is lost."""
    import pyglet

    class BareWindow(pyglet.window.Window):  # type: ignore[misc]
        def _create_projection(self) -> None:
            """Create no program and no buffer."""

        def _on_internal_resize(self, width: int, height: int) -> None:
            self.dispatch_event("on_resize", *self.get_size())

        def _on_internal_scale(self, scale: float, dpi: int) -> None:
            self.dispatch_event("on_scale", scale, dpi)

        def dispatch_events(self) -> None:
            super().dispatch_events()
            if _uses_x():
                self._dispatch_clipboard_events()

        def _dispatch_clipboard_events(self) -> None:
            """Answer who asks for what was copied here. pyglet does so in its own event loop alone, which does not run;
            a program that asks would wait in vain."""
            from pyglet.libs.x11 import xlib

            event = xlib.XEvent()
            for kind in (xlib.SelectionClear, xlib.SelectionRequest):
                while self._window and xlib.XCheckTypedWindowEvent(self._x_display, self._window, kind, event):
                    self.dispatch_platform_event(event)

    return BareWindow


def _uses_x() -> bool:
    return sys.platform not in ("win32", "darwin")


def _opengl_config() -> Any:
    import pyglet

    return pyglet.gl.Config(double_buffer=True, depth_size=0, major_version=4, minor_version=5)


def _reason(error: Exception) -> str:
    # pyglet's own message does not name the display.
    if type(error).__name__ == "NoSuchDisplayException":
        return f'no X server answers on display "{os.environ.get("DISPLAY", "")}"'
    # Without GLX, say, it has none at all.
    return f"{error}" or f"{type(error).__name__} without a message"
