"""What the engine and the plugins have logged."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterable

from slimgui import imgui

from renderwright.engine.panel.tab import Edit
from renderwright.engine.panel.texts import alarm, note
from renderwright.engine.session import Session

_KEPT = 200
_LOGGER = "renderwright"


class _Listener(logging.Handler):
    """Keeps the last records."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.records: deque[logging.LogRecord] = deque(maxlen=_KEPT)

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


class MessagesTab:
    """The last warnings and notices, the newest first."""

    name = "messages"

    def __init__(self) -> None:
        self._listener = _Listener()
        logging.getLogger(_LOGGER).addHandler(self._listener)

    def close(self) -> None:
        """Listen no longer."""
        logging.getLogger(_LOGGER).removeHandler(self._listener)

    def draw(self, session: Session) -> Iterable[Edit]:
        """See ``Tab``."""
        if not self._listener.records:
            note("nothing was reported")
        for record in reversed(self._listener.records):
            if record.levelno >= logging.WARNING:
                alarm(record.getMessage())
            else:
                imgui.text_wrapped(record.getMessage())
        return ()
