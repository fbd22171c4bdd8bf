"""Devices are lost and memory runs out while a job is rendered: the frames come out the same."""

from __future__ import annotations

import pytest
from vulkan_losses import LostDevices

from renderwright.engine.farm import Farm, RenderJob, stage
from renderwright.engine.options import PluginChoice
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import BackendError

pytestmark = pytest.mark.vulkan


def job(game: str, plugins: PluginChoice | None = None) -> RenderJob:
    return RenderJob(game, range(5), (64, 36), plugins=plugins or PluginChoice())


@pytest.fixture
def devices(monkeypatch: pytest.MonkeyPatch) -> LostDevices:
    """Devices of jobs, which can be lost."""
    devices = LostDevices()
    monkeypatch.setattr(stage, "make_backend", lambda *arguments: VulkanBackend(wrap=devices.wrap))
    return devices


@pytest.mark.parametrize("plugins", [(), ("taa",)])
def test_a_lost_device_costs_nothing_but_time(game: str, devices: LostDevices, plugins: tuple[str, ...]) -> None:
    wanted = job(game, PluginChoice(enable=plugins))
    with Farm() as farm:
        right = {frame.number: frame.digest for frame in farm.render(wanted)}
    found = {}
    with Farm() as farm:
        for frame in farm.render(wanted):
            found[frame.number] = frame.digest
            if frame.number == 2:
                devices.lose_at(0)
        (event,) = farm.report.events
    assert devices.lost == 1
    assert found == right
    assert event.numbers == (3,)
    assert "lost" in event.reason
    assert devices.faults.living() == {}


def test_devices_that_are_always_lost_cost_their_frames(game: str, devices: LostDevices) -> None:
    with Farm() as farm:
        frames = farm.render(job(game))
        assert next(frames).number == 0
        devices.lose_at(0, every=True)
        assert list(frames) == []
        assert sorted(farm.report.given_up) == [1, 2, 3, 4]
        assert all("lost" in reason for reason in farm.report.given_up.values())


def test_a_machine_without_a_driver_is_one_message(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*arguments: object) -> VulkanBackend:
        raise BackendError("there is no Vulkan driver on this machine", hint="install one")

    monkeypatch.setattr(stage, "make_backend", missing)
    with Farm() as farm, pytest.raises(BackendError, match="no Vulkan driver"):
        list(farm.render(job(game)))
