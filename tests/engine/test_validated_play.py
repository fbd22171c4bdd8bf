"""A run under validation: its messages are told once, and the exit code says whether there were any."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from vulkan import ffi, lib

from renderwright.engine import app
from renderwright.engine.backends import make_backend
from renderwright.engine.options import PlayOptions
from tests.undemanding import Undemanding

pytestmark = pytest.mark.vulkan

STILL = """\
from renderwright.engine import Game

class Still(Game):
    plugins = ()
"""
UNKNOWN_FLAG = 0x100
RULE = "VUID-VkFenceCreateInfo-flags-parameter"


class FenceOfUnknownFlags(Undemanding):
    """Another API on the device that breaks a rule of Vulkan."""

    name = "fences"

    def opened(self, backend: Any) -> None:
        self.device = ffi.cast("VkDevice", backend.native.device)
        info = ffi.new("VkFenceCreateInfo *", [lib.VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, ffi.NULL, UNKNOWN_FLAG])
        self.fence = ffi.new("VkFence *")
        lib.vkCreateFence(self.device, info, ffi.NULL, self.fence)

    def closing(self) -> None:
        lib.vkDestroyFence(self.device, self.fence[0], ffi.NULL)

    def refused(self, error: Exception) -> None:
        raise error


def played(folder: Path, **options: Any) -> int:
    game = folder / "still.py"
    game.write_text(STILL)
    return app.play(PlayOptions(f"{game}:Still", headless=True, size=(32, 32), frames=2, validate=True, **options))


def test_a_message_is_logged_when_it_comes_and_counted_at_the_end(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    def shared(options: Any, recording: Any, interops: Any, window: Any) -> Any:
        return make_backend(options, recording, (*interops, FenceOfUnknownFlags()), window)

    monkeypatch.setattr(app, "make_backend", shared)
    assert played(tmp_path) == 1
    assert [record.levelname.lower() for record in caplog.records if RULE in record.message] == ["error"]
    said = capfd.readouterr().err
    assert RULE not in said
    assert said.splitlines()[-1] == "validation: 1 message"


def test_a_silent_run_ends_well(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert played(tmp_path) == 0
    assert capfd.readouterr().err.splitlines()[-1] == "validation: 0 messages"
