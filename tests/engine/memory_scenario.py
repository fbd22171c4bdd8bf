"""Plays a game and prints by how many bytes the process has grown in its last frames.

``test_resident_memory.py`` runs it in a process of its own, whose memory nothing else uses.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.session import Session
from renderwright.games.marbles import Marbles
from renderwright.render.backend.vulkan.backend import VulkanBackend

FIRST, LAST = 20, 60


def resident() -> int:
    """Resident memory of this process in bytes."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1]) * 1024


def main() -> None:
    """Play with the settings that the arguments change."""
    changes = tuple(SettingChange(*re.split(r"[.=]", argument)) for argument in sys.argv[1:])
    backend = VulkanBackend()
    clock = FixedStepClock(Marbles.step, frame=1 / 60)
    enable = tuple(sorted({change.plugin for change in changes}))
    choice = PluginChoice(enable=enable, settings=(*changes, SettingChange("shadows", "size", 128)))
    session = Session(Marbles, backend, (96, 54), choice=choice, clock=clock)
    target = backend.create_target((96, 54))
    before = 0
    for frame in range(LAST):
        session.step()
        session.render(target)
        if frame == FIRST:
            before = resident()
    print(resident() - before)
    session.close()
    target.close()
    backend.close()


if __name__ == "__main__":
    main()
