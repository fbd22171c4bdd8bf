"""Actions that wait until a plan with the edits so far is shown."""

from __future__ import annotations

from collections.abc import Callable

Action = Callable[[], None]


class WaitingActions:
    """Actions, each with the revision of the graph that it waits for."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, Action]] = []

    def add(self, revision: int, action: Action) -> None:
        """Call ``action`` when a plan of that revision, or of a later one, is shown."""
        self._waiting.append((revision, action))

    def shown(self, revision: int) -> None:
        """A plan of that revision is shown."""
        due = [action for awaited, action in self._waiting if awaited <= revision]
        self._waiting = [(awaited, action) for awaited, action in self._waiting if awaited > revision]
        for action in due:
            action()

    def call_all(self) -> None:
        """No further plan is shown: call them now."""
        waiting, self._waiting = self._waiting, []
        for _, action in waiting:
            action()
