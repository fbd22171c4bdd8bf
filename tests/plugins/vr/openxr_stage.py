"""Plays games in the headset of the test runtime, and looks at what that was given, for the tests beside it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
import pytest
from playing import Picture, frames_of
from view_scenes import Company

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game
from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.plugins import find_interops
from renderwright.engine.session import Session
from renderwright.plugins.vr.openxr import OpenXrHeadset
from renderwright.plugins.vr.simulated import _DOWN, _INNER, _OUTER, _UP
from renderwright.render.backend.vulkan.backend import VulkanBackend

EXTENT = (72, 80)
"""Of an eye, in the shape of the simulated headset's."""
OUTPUT = (144, 80)
"""Holds both eyes as they are."""
FORWARD = (0.02, 0.01, -0.05, 0.0, math.sin(0.1), 0.0, math.cos(0.1))
"""A pose of the head: position, and rotation by 0.2 to the left."""


def eye(number: int, ipd: float = 0.15) -> str:
    """The line of a script that says where an eye is and what it sees: as the simulated headset's."""
    sides = (_OUTER, _INNER) if number == 0 else (_INNER, _OUTER)
    angles = (-math.atan(sides[0]), math.atan(sides[1]), math.atan(_UP), -math.atan(_DOWN))
    return f"eye {number} {(number - 0.5) * ipd} 0 0 " + " ".join(f"{angle:.9g}" for angle in angles)


def pose(frame: int, values: Sequence[float]) -> str:
    """The line of a script that says where the head is from that frame on."""
    return f"pose {frame} " + " ".join(f"{value:.9g}" for value in values)


class Runtime:
    """The test runtime: its script, its log, and the pictures that it was given."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, manifest: Path) -> None:
        self.folder = folder
        self._script = folder / "script.txt"
        self.environment = {"XR_RUNTIME_JSON": str(manifest), "TEST_XR_SCRIPT": str(self._script)}
        for name, value in self.environment.items():
            monkeypatch.setenv(name, value)
        self.script()

    def script(self, *lines: str, formats: str = "43", extent: tuple[int, int] = EXTENT) -> None:
        """Say what the headset is like and what it does."""
        size = f"extent {extent[0]} {extent[1]}"
        all_lines = (f"out {self.folder}", size, eye(0), eye(1), f"formats {formats}", *lines)
        self._script.write_text("".join(f"{line}\n" for line in all_lines))

    @property
    def log(self) -> list[str]:
        """What happened, without what was wrong."""
        return [line for line in self._lines if not line.startswith("violation")]

    @property
    def violations(self) -> list[str]:
        """What the application did that OpenXR forbids."""
        return [line for line in self._lines if line.startswith("violation")]

    @property
    def _lines(self) -> list[str]:
        file = self.folder / "log.txt"
        return file.read_text().splitlines() if file.exists() else []

    @property
    def shown(self) -> list[int]:
        """The numbers of the frames that showed something."""
        return [int(line.split()[1]) for line in self.log if line.startswith("frame ") and line.endswith("1 layers")]

    def eyes(self, frame: int, texel: type[np.generic] = np.uint8) -> list[Picture]:
        """What the left and the right eye saw in a frame."""
        files = [self.folder / f"frame_{frame:04d}_eye_{number}.raw" for number in (0, 1)]
        pictures = [np.fromfile(file, texel) for file in files]
        return [picture.reshape(EXTENT[1], EXTENT[0], 4) for picture in pictures]


@pytest.fixture
def runtime(openxr_manifest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runtime]:
    """The test runtime; nothing of what the test does may be forbidden."""
    runtime = Runtime(tmp_path, monkeypatch, openxr_manifest)
    yield runtime
    assert runtime.violations == []


@contextmanager
def worn(
    *,
    game: type[Game] = Company,
    enable: Iterable[str] = (),
    players: int = 1,
    strict: bool = True,
    verify: bool = False,
    output: tuple[int, int] = OUTPUT,
    **settings: str,
) -> Iterator[Session]:
    """A session in the headset that a person asks for, under validation, which must be silent."""
    changes = {"vr.device": "openxr", **settings}
    choice = PluginChoice(
        enable=("vr", *enable),
        settings=tuple(SettingChange(*name.split(".", 1), value) for name, value in changes.items()),
    )
    interops = find_interops(game.plugins, choice)
    clock = FixedStepClock(game.step, frame=1 / 60)
    with ExitStack() as ending:
        backend = VulkanBackend(validate=True, interops=tuple(interops.values()))
        ending.callback(lambda: _require_silence(backend))
        ending.callback(backend.close)
        session = Session(
            game,
            backend,
            output,
            choice=choice,
            clock=clock,
            players=players,
            strict=strict,
            verify=verify,
            interops=interops,
        )
        ending.callback(session.close)
        yield session


def _require_silence(backend: VulkanBackend) -> None:
    assert [message.text for message in backend.validation_messages] == []


def headset_of(session: Session) -> OpenXrHeadset:
    """The headset that a session was opened with."""
    (headset,) = session.plugins._interops.values()
    assert isinstance(headset, OpenXrHeadset)
    return headset


def flat(extent: tuple[int, int] = OUTPUT, frames: int = 1) -> Picture:
    """What the game looks like without a headset."""
    backend = VulkanBackend()
    session = Session(Company, backend, extent, clock=FixedStepClock(Company.step, frame=1 / 60))
    picture = frames_of(session, frames)[-1]
    session.close()
    backend.close()
    return picture
