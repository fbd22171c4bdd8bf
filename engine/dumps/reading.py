"""Texels of a texture of the frame, read once when asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.dumps.dump import Dump
from renderwright.engine.dumps.node import CopyNode
from renderwright.engine.dumps.place import DUMP_NODES, reading_place
from renderwright.engine.session import Session
from renderwright.render.types.physical import TextureInfo

Take = Callable[[NDArray[np.generic], TextureInfo], None]
"""Takes texels (height, width, channels) as the format has them, and the texture's description."""
_NODE = f"{DUMP_NODES}reading"


@dataclass(frozen=True)
class _Asked:
    node: CopyNode
    take: Take


class TextureReading:
    """One reading at a time: a node copies the texture in the frames until the device has finished one of them."""

    def __init__(self) -> None:
        self._asked: _Asked | None = None

    def ask(self, session: Session, dump: Dump, take: Take) -> None:
        """Read what the dump describes; ``take`` gets it some frames later. Its file is not written.

        Raises ``UsageError`` if the plan has no such texture.
        """
        self.give_up(session)
        place = reading_place(dump, session.runtime.plan)
        node = CopyNode(dump, lambda: session.backend)
        session.graph.add_node(_NODE, partial(node.declare, place=place))
        self._asked = _Asked(node, take)

    def follow(self, session: Session) -> None:
        """Hand over what has been read. Waits for the device in the frame in which there is something."""
        if self._asked is None or self._asked.node.copied is None:
            return
        asked, copied = self._asked, self._asked.node.copied
        texels = asked.node.take()
        self.give_up(session)
        if texels is not None and copied.info is not None:
            asked.take(texels, copied.info)

    def give_up(self, session: Session) -> None:
        """Read nothing any more."""
        if self._asked is None:
            return
        session.graph.remove_node(_NODE)
        session.backend.wait_idle()  # a frame in flight may still copy
        self._asked.node.close()
        self._asked = None
