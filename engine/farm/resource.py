"""A texture of each frame, as it is behind its last writer."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from renderwright.engine.dumps.dump import Dump
from renderwright.engine.dumps.node import CopyNode
from renderwright.engine.dumps.place import DUMP_NODES, reading_place
from renderwright.engine.dumps.texels import values_of
from renderwright.engine.farm.work import PieceFailedError
from renderwright.engine.session import Session
from renderwright.render.backend.target import Target

_NODE = f"{DUMP_NODES}0"


class CopiedResource:
    """Copies a texture in each frame of a session, by a node of its own. Raises ``UsageError`` for an unknown name."""

    def __init__(self, session: Session, target: Target, name: str) -> None:
        self._name = name
        self._node = CopyNode(Dump(name, Path("frame.exr")), lambda: session.backend)
        session.prepare(target)
        place = reading_place(self._node.dump, session.runtime.plan)
        session.graph.add_node(_NODE, partial(self._node.declare, place=place))

    def values(self, frame: int) -> NDArray[Any]:
        """The values of the frame that was rendered last, (height, width, channels); see ``values_of``."""
        texels, copied = self._node.take(), self._node.copied
        if texels is None or copied is None or copied.info is None or copied.frame != frame:
            raise PieceFailedError(f'"{self._name}" is not in the frame', final=True)
        return values_of(copied.info.format, texels)

    def close(self) -> None:
        """Destroy the buffers; the session must have ended its frames."""
        self._node.close()
