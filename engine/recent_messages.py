"""The last messages of a game that plays, for who looks at them later."""

from __future__ import annotations

import logging
from collections import deque
from types import TracebackType

_KEPT = 200
_LOGGER = "renderwright"


class RecentMessages(logging.Handler):
    """Keeps the last 200 warnings and notices that are logged while it is entered, in ``records``."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.records: deque[logging.LogRecord] = deque(maxlen=_KEPT)

    def __enter__(self) -> RecentMessages:
        logging.getLogger(_LOGGER).addHandler(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        logging.getLogger(_LOGGER).removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """See ``logging.Handler``."""
        self.records.append(record)
