"""Which plugins are in the frames, as opposed to those that are asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pydantic import BaseModel

from renderwright.engine.plugins.loading import LoadedPlugin

WhenShown = Callable[[Callable[[], None]], None]
"""Calls a function when frames show all edits of the graph so far (``Runtime.when_shown``)."""


@dataclass(frozen=True)
class ShownPlugin:
    """A plugin whose nodes are in the frames, and the settings that they were made with."""

    plugin: LoadedPlugin
    settings: BaseModel | None
