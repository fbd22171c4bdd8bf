"""Edits of what a running game is made of: they are applied, and then kept or taken back."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.shaders.source_files import HeldFiles, Taken


class Edit(Protocol):
    """One change of the game, from changed files.

    ``apply`` makes the change in the graph and returns whether there is any; if it raises, nothing has changed. After
    it, ``take_back`` or ``keep`` is called once. ``keep`` returns remarks.
    """

    def apply(self, paths: Iterable[Path]) -> bool:
        """Make the change."""

    def take_back(self) -> None:
        """Undo the change."""

    def keep(self) -> tuple[str, ...]:
        """The change stays."""


class ShaderEdit:
    """Other texts of shaders: the pipelines that use them are made anew."""

    def __init__(self, graph: FrameGraph, files: HeldFiles) -> None:
        self._graph = graph
        self._files = files
        self._taken: Taken = {}

    def apply(self, paths: Iterable[Path]) -> bool:
        """Take the texts on the disk."""
        self._taken = self._files.take(paths)
        if self._taken:
            self._graph.reload_shaders()
        return bool(self._taken)

    def take_back(self) -> None:
        """Use the previous texts again."""
        if self._taken:
            self._files.put_back(self._taken)
            self._graph.reload_shaders()

    def keep(self) -> tuple[str, ...]:
        """Say nothing."""
        return ()
