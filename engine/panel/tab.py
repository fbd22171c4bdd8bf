"""What is on one tab of the panel."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from renderwright.engine.session import Session

Edit = Callable[[], object]
"""What a user has asked for. It is done when all widgets are drawn; a ``UsageError`` is shown on the tab."""


class Tab(Protocol):
    """Draws its widgets."""

    name: str

    def draw(self, session: Session) -> Iterable[Edit]:
        """Add the widgets of a frame; returns what the user has asked for with them."""
