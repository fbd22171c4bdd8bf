"""What the engine and the plugins have logged."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from slimgui import imgui

from renderwright.engine.panel.tab import Edit
from renderwright.engine.panel.texts import alarm, note
from renderwright.engine.recent_messages import RecentMessages
from renderwright.engine.session import Session


class MessagesTab:
    """The last warnings and notices since the game began, the newest first."""

    name = "messages"

    def __init__(self, messages: RecentMessages) -> None:
        self._messages = messages

    def draw(self, session: Session) -> Iterable[Edit]:
        """See ``Tab``."""
        if not self._messages.records:
            note("nothing was reported")
        for record in reversed(self._messages.records):
            if record.levelno >= logging.WARNING:
                alarm(record.getMessage())
            else:
                imgui.text_wrapped(record.getMessage())
        return ()
