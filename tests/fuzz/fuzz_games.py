"""Cases of whole games: memory that is poisoned, and devices that are lost, change nothing that is shown."""

from __future__ import annotations

import random
from contextlib import closing

import numpy as np
from game_walks import Shown, Walk, pictures, random_walk, walk_show
from vulkan_losses import LostDevices

from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.runtime.checks.poison import Poison


def _undisturbed(walk: Walk) -> list[Shown]:
    with closing(walk_show(walk, VulkanBackend)) as show:
        return pictures(walk, show)


def poison_case(seed: int) -> str:
    """Whatever the poison, the pictures are the same, bit by bit. Ends with the poison's name."""
    rng = random.Random(seed)
    walk, poison = random_walk(rng), rng.choice(list(Poison))
    opened: list[VulkanBackend] = []

    def backend() -> Backend:
        opened.append(VulkanBackend(validate=True))
        return opened[-1]

    with closing(walk_show(walk, backend, poison)) as show:
        shown = pictures(walk, show)
    for frame, (one, other) in enumerate(zip(shown, _undisturbed(walk), strict=True)):
        assert np.array_equal(one.picture, other.picture), f"frame {frame} of {walk} shows {poison}"
    assert [message.text for one in opened for message in one.validation_messages] == []
    return poison.value


def loss_case(seed: int) -> str:
    """The device is lost; the game goes on, shows what is right and leaves nothing behind.

    Ends with ``same`` when all pictures had to be the same, and with ``alike`` when some could not be for want of their
    history; with ``kept`` when the game was over before the loss.
    """
    rng = random.Random(seed)
    walk, devices = random_walk(rng), LostDevices()
    devices.lose_at(rng.randrange(40))
    with closing(walk_show(walk, lambda: VulkanBackend(wrap=devices.wrap))) as show:
        shown = pictures(walk, show)
    assert devices.faults.living() == {}, devices.faults.living()
    remembers = False
    for frame, (one, other) in enumerate(zip(shown, _undisturbed(walk), strict=True)):
        assert one.picture.shape == other.picture.shape
        remembers = remembers or one.remembers
        same = np.array_equal(one.picture, other.picture)
        assert same or remembers, f"frame {frame} of {walk} is another after the loss of a device"
        apart = abs(float(one.picture.mean()) - float(other.picture.mean()))
        assert apart < 60, f"frame {frame} of {walk} is no picture of the game"
    if not devices.lost:
        return "kept"
    return "alike" if remembers else "same"
