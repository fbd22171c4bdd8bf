"""Cases of commands that are kept: stable nodes of whole games record the same commands whatever happens."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator
from contextlib import closing, contextmanager

import numpy as np
from game_walks import REPLAYS, Walk, pictures, random_walk, walk_show

from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.runtime.recording import Recording


class Findings(logging.Handler):
    """What the checks have found."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Note a finding."""
        self.texts.append(record.getMessage())


@contextmanager
def findings(log_name: str = "renderwright.check") -> Iterator[list[str]]:
    """What the checks find meanwhile, or another log says that warns."""
    log, handler = logging.getLogger(log_name), Findings()
    handler.setLevel(logging.WARNING)
    log.addHandler(handler)
    try:
        yield handler.texts
    finally:
        log.removeHandler(handler)


def verified(walk: Walk) -> None:
    """Play the walk under validation with every recording verified, and twice more: with commands that are kept, and
    with everything recorded in each frame.

    The check is silent, and the pictures are the same, bit by bit.
    """
    opened: list[VulkanBackend] = []

    def backend() -> Backend:
        opened.append(VulkanBackend(validate=True))
        return opened[-1]

    with findings() as found, closing(walk_show(walk, backend, recording=Recording.VERIFIED)) as show:
        shown = pictures(walk, show)
    assert found == []
    assert [message.text for one in opened for message in one.validation_messages] == []
    for mode in (Recording.ALWAYS, Recording.KEPT):
        with closing(walk_show(walk, VulkanBackend, recording=mode)) as show:
            others = pictures(walk, show)
        for frame, (one, other) in enumerate(zip(shown, others, strict=True)):
            assert np.array_equal(one.picture, other.picture), f"frame {frame} of {walk} is another one if {mode}"


def recording_case(seed: int) -> str:
    """A random walk; successive seeds have successive games. Ends with the name of the game."""
    walk = random_walk(random.Random(seed), frames=5, game=list(REPLAYS)[seed % len(REPLAYS)])
    verified(walk)
    return walk.game
