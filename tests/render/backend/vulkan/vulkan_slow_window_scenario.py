"""A window on a slow device, in a process of its own run by ``test_vulkan_swapchain.py``.

No frame is shown while the device is slow: the software driver shows an image in the call itself, after its rendering.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from vulkan_slow import slow
from vulkan_window_scenarios import Scene

from renderwright.render.errors import DeviceHungError

RED = (1.0, 0.0, 0.0)


def resize(scene: Scene) -> None:
    """A new swapchain, when the frames of the old one are shown."""
    scene.target.resize((64, 48))


def unpaced(scene: Scene) -> None:
    """Another swapchain, too."""
    scene.target.paced = False
    scene.render(RED)


def main() -> None:
    scene = Scene()
    waits: list[Callable[[Scene], None]] = [resize, unpaced]
    for wait in waits:
        scene.render(RED)
        with slow(scene.backend):
            for _ in range(2):
                with pytest.raises(DeviceHungError):
                    wait(scene)
        wait(scene)
    scene.render(RED)
    with slow(scene.backend), pytest.raises(DeviceHungError):
        scene.target.close()
    assert scene.render(RED) is not None
    scene.finish()


if __name__ == "__main__":
    main()
