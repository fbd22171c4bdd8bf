"""An edit of the skeleton's file: the graph begins with another skeleton."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from renderwright.engine.frame_base import FrameBase
from renderwright.engine.skeleton import parse_skeleton
from renderwright.render.shaders.source_files import HeldFiles, Taken


class SkeletonEdit:
    """An edit of the skeleton of ``base``. ``files`` holds the text in use."""

    def __init__(self, base: FrameBase, files: HeldFiles) -> None:
        self._base = base
        self._files = files
        self._taken: Taken = {}

    def apply(self, paths: Iterable[Path]) -> bool:
        """Use the skeleton on the disk. Raises ``SkeletonError`` for one that is invalid."""
        self._taken = self._files.take(paths)
        try:
            for path in self._taken:
                self._base.replace(parse_skeleton(self._files.read(path).encode(), str(path)))
        except BaseException:
            self._files.put_back(self._taken)
            raise
        return bool(self._taken)

    def take_back(self) -> None:
        """Use the skeleton of before."""
        self._base.take_back()
        self._files.put_back(self._taken)

    def keep(self) -> tuple[str, ...]:
        """Say nothing."""
        return ()
