"""Notices of mistakes that do not end a game: each is logged once, or fatal if strict."""

from __future__ import annotations

import logging
from collections.abc import Hashable
from dataclasses import dataclass

from renderwright.render.errors import SourceLocation, UsageError


@dataclass(frozen=True)
class Notice:
    """A notice. ``about`` identifies its object."""

    about: Hashable
    message: str
    hint: str
    where: SourceLocation | None = None


class Notices:
    """The notices that have been given to a logger. With ``strict``, the first one raises ``UsageError`` instead."""

    def __init__(self, log: logging.Logger, *, strict: bool) -> None:
        self._log = log
        self._strict = strict
        self._given: set[Hashable] = set()

    def knows(self, about: Hashable) -> bool:
        """Whether there has been a notice about it: one whose line takes long to find need not be made again."""
        return about in self._given

    def give(self, notice: Notice) -> None:
        """Give a notice, unless there has been one about the same."""
        if notice.about in self._given:
            return
        self._given.add(notice.about)
        error = UsageError(notice.message, hint=notice.hint, where=notice.where)
        if self._strict:
            raise error
        self._log.warning("%s", error)
