"""Games on a device that is too slow: they end with a message that names the node, and nothing crashes."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "render" / "backend" / "vulkan"))

import pytest
from vulkan_faults import Faults
from vulkan_slow import slow

from renderwright.engine.backends import make_backend
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PlayOptions
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box
from renderwright.engine.session import Session
from renderwright.engine.show import Opening, Show
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import DeviceHungError

pytestmark = pytest.mark.vulkan

EXTENT = (64, 48)


class Boxes(Game):
    """A box."""

    def setup(self, context: GameContext) -> None:
        context.scene.spawn(box(1.0), Material())


def open_show(backend: VulkanBackend) -> Show:
    return Show(
        Opening(
            lambda: backend,
            lambda backend: backend.create_target(EXTENT),
            lambda backend, target: Session(Boxes, backend, target.extent),
        )
    )


def step(show: Show) -> None:
    show.session.step()
    show.render()


def test_a_game_on_a_device_that_does_not_go_on_ends_with_the_name_of_the_node() -> None:
    faults = Faults()
    backend = VulkanBackend(validate=True, wrap=faults.wrap)
    show = open_show(backend)
    step(show)
    backend.wait_idle()
    first = next(node for node in show.session.runtime.plan.graph.nodes if any(use.touches_gpu for use in node.uses))
    with slow(backend):
        for attempt in (lambda: [step(show) for _ in range(3)], show.picture, lambda: step(show)):
            with pytest.raises(DeviceHungError) as raised:
                attempt()
            assert f'has made no progress for 0.01 s in node "{first.declaration.name}"' in raised.value.message
            assert "--hang-after" in raised.value.hint
    step(show)
    assert show.picture().any()
    show.close()
    assert [message.text for message in backend.validation_messages] == []
    assert faults.living() == {}


def test_the_end_of_a_game_whose_device_does_not_go_on() -> None:
    """Nothing is taken from the device; the game ends."""
    backend = VulkanBackend(validate=True)
    show = open_show(backend)
    step(show)
    with slow(backend):
        step(show)
        show.session.close()
        assert backend.validation_messages == []
    backend.close()


def test_the_limit_is_an_option() -> None:
    backend = make_backend(PlayOptions("game", hang_after=0.5))
    assert isinstance(backend, VulkanBackend)
    assert backend._device.progress.limit == 500_000_000
    backend.close()
