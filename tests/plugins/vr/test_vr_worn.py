"""A headset with images of its own, which one player wears: what is drawn to them, and what the output mirrors.

It stands for OpenXR's, without the package and a runtime; those are in ``test_openxr_frames.py``.
"""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest
from playing import frames_of
from view_scenes import Company, cut

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.scene import Camera
from renderwright.engine.session import Session
from renderwright.engine.views import Rectangle, View, ViewSet
from renderwright.plugins.vr import renderwright_views
from renderwright.plugins.vr.headset import Lens, Look
from renderwright.plugins.vr.openxr import OpenXrHeadset
from renderwright.plugins.vr.settings import Device, VrSettings
from renderwright.plugins.vr.simulated import SimulatedHeadset, load_poses
from renderwright.render.backend.interop import SharingBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.graph.external import ExternalContext
from renderwright.render.sync.flags import Layout
from renderwright.render.types.physical import PhysicalTexture, TextureInfo
from renderwright.render.types.usages import Usage
from tests.undemanding import Undemanding

EYE = (45, 50)
OPENXR = VrSettings(device=Device.OPENXR)


class Worn(Undemanding, OpenXrHeadset):
    """Moves like the simulated headset; ``asleep`` it shows nothing."""

    asleep = False

    def __init__(self) -> None:
        super().__init__()
        self.display = EYE
        self.images: list[PhysicalTexture] = []
        self.ended: list[bool] = []
        self.opens = 0

    def opened(self, backend: SharingBackend) -> None:
        info = TextureInfo(self.format, EYE, 1, 1, 1, frozenset({Usage.COLOR}))
        self.images = [backend.create_texture(info, f"eye {number}") for number in range(2)]

    def open(self) -> None:
        self.opens += 1

    def close(self) -> None:
        self.opens = 0

    def look(self, time: float) -> Look | None:
        return None if self.asleep else SimulatedHeadset(0.15, load_poses("look_around"), Lens()).look(time)

    def image(self, context: ExternalContext) -> PhysicalTexture:
        return self.images[context.index.get("eye", 0)]

    def end_frame(self, *, rendered: bool) -> None:
        self.ended.append(rendered)


def test_one_player_wears_it_and_the_output_mirrors_it() -> None:
    cameras = (Camera(), Camera())
    halves = (View.of(cameras[0], Rectangle(0, 0, 100, 100)), View.of(cameras[1], Rectangle(100, 0, 100, 100), 1))
    plain = ViewSet.of(cameras, (200, 100)).showing(halves)
    headset = Worn()
    views = renderwright_views(plain, OPENXR, headset)
    assert views.counts == {"view": 1, "eye": 2}
    assert views.viewport == EYE
    assert views.paced
    assert [view.rectangle for _, view in views.instances()] == [Rectangle(5, 0, 90, 100), Rectangle(105, 0, 90, 100)]
    headset.asleep = True
    assert renderwright_views(plain, OPENXR, headset) is plain


@pytest.mark.vulkan
def test_each_eye_s_image_gets_its_picture() -> None:
    headset = Worn()
    choice = PluginChoice(enable=("vr",), settings=(SettingChange("vr", "device", "openxr"),))
    clock = FixedStepClock(Company.step, frame=1 / 60)
    with closing(VulkanBackend(validate=True, interops=[headset])) as backend:
        session = Session(
            Company, backend, (90, 50), choice=choice, clock=clock, strict=True, verify=True, interops={"vr": headset}
        )
        assert headset.opens == 1
        mirror = frames_of(session, 3)[-1]
        pictures = [backend.read_texture(image, Layout.COLOR_ATTACHMENT) for image in headset.images]
        assert not np.array_equal(*pictures)
        for (_, view), picture in zip(session._input.views.instances(), pictures, strict=True):
            assert np.array_equal(picture, cut(mirror, view.rectangle))
        headset.asleep = True
        alone = frames_of(session, 1)[0]
        assert headset.ended == [True] * 4
        session.plugins.disable("vr")
        assert headset.opens == 0
        assert np.array_equal(alone, frames_of(session, 1, still=True)[0])
        session.close()
    assert [message.text for message in backend.validation_messages] == []
