"""Gamepads that are plugged in and out, found by pyglet."""

from __future__ import annotations

import logging
import os
import sys
import time
from typing import Any

from renderwright.engine.input.gamepads import Controller, Gamepads

_log = logging.getLogger("renderwright.input")

_LINUX_FILES = ("/proc/bus/input/devices", "/dev/input")
"""What pyglet looks for gamepads in. A container may have none of them."""
_BETWEEN_LOOKS = 0.5
"""Seconds after which new gamepads are looked for while there is none."""
_MOST_ROUNDS = 16
"""Of pyglet's events at once."""


def find_gamepads(gamepads: Gamepads) -> PygletGamepads | None:
    """Put the gamepads of this machine into places, and follow them; None where there can be none."""
    if sys.platform.startswith("linux") and not all(os.access(file, os.R_OK) for file in _LINUX_FILES):
        return None
    try:
        import pyglet.input

        manager = pyglet.input.ControllerManager()
    except Exception as error:  # drivers fail in many ways; the keyboard still works
        _log.warning("gamepads cannot be used: %s", error)
        return None
    return PygletGamepads(manager, gamepads)


class PygletGamepads:
    """Opens the gamepads of a ``pyglet.input.ControllerManager``, and gives them places."""

    def __init__(self, manager: Any, gamepads: Gamepads) -> None:
        self._manager = manager
        self._gamepads = gamepads
        self._open: list[Any] = []
        self._looked = 0.0
        self._handlers = {"on_connect": self._connected, "on_disconnect": self._disconnected}
        manager.push_handlers(**self._handlers)
        for pad in manager.get_controllers():
            self._connected(pad)

    def poll(self) -> None:
        """Read the gamepads, and see which have come and gone."""
        now = time.monotonic()
        if not self._open and now - self._looked < _BETWEEN_LOOKS:
            return
        self._looked = now
        import pyglet

        # pyglet polls gamepads in its own event loop, which does not run here.
        for _ in range(_MOST_ROUNDS):
            if not pyglet.app.platform_event_loop.step(0.0):
                return

    def close(self) -> None:
        """Read no gamepad any more."""
        self._manager.remove_handlers(**self._handlers)
        for pad in self._open:
            _close(pad)
        self._open.clear()

    def _connected(self, pad: Controller) -> None:
        if pad in self._open:
            return
        try:
            pad.open()
        except Exception as error:  # see above
            _log.warning('the gamepad "%s" cannot be used: %s', pad.name, error)
            return
        self._open.append(pad)
        self._gamepads.connect(pad)

    def _disconnected(self, pad: Controller) -> None:
        if pad not in self._open:
            return
        self._open.remove(pad)
        self._gamepads.disconnect(pad)
        _close(pad)


def _close(pad: Any) -> None:
    try:
        pad.close()
    except Exception as error:  # it is gone already
        _log.debug('the gamepad "%s" cannot be closed: %s', pad.name, error)
