"""Frames of a replay as pieces of work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import NDArray

from renderwright.engine.farm.carried import LEAD
from renderwright.engine.farm.job import RenderJob
from renderwright.engine.farm.player import Player
from renderwright.engine.farm.resource import CopiedResource
from renderwright.engine.farm.stage import Stage
from renderwright.engine.farm.texels import digest_of, exr_of, exr_texels, png_of, png_texels
from renderwright.engine.farm.versions import job_identity, job_versions
from renderwright.engine.farm.work import Made, Piece


@dataclass(frozen=True)
class Frame:
    """A frame of a job: its number, the bytes of its file, and the SHA-256 of its texels."""

    number: int
    data: bytes
    digest: str
    is_exr: bool = False

    @classmethod
    def of(cls, piece: Piece, job: RenderJob) -> Frame:
        """A piece of ``FrameWork``."""
        return cls(piece.number, piece.made.data, piece.made.digest, bool(job.resource))

    def texels(self) -> NDArray[Any]:
        """The picture, uint8 (height, width, 3), sRGB-encoded; of a resource the values, (height, width, channels)."""
        return exr_texels(self.data) if self.is_exr else png_texels(self.data)


@dataclass(frozen=True)
class FrameWork:
    """The frames of a job; a piece has the number of its frame. ``script`` is the text of the replay, '' without one.
    ``pattern`` makes a file's name of a number.

    With ``from_start`` each frame takes over something from the one before, so that all are rendered from 0 on.
    """

    job: RenderJob
    script: str = ""
    pattern: str = "%05d.png"
    from_start: bool = False

    @property
    def in_one_run(self) -> bool:
        """Whether one worker renders all frames."""
        return self.from_start

    @property
    def lead(self) -> int | None:
        """The frames that are rendered before a worker's first, None: all."""
        if self.from_start:
            return None
        return LEAD if self.job.warm_up is None else max(LEAD, self.job.warm_up)

    def before(self, number: int) -> int:
        """All frames before it are played, and perhaps rendered."""
        return number

    def open(self) -> FrameMaker:
        """Open a device and begin the game."""
        return FrameMaker(self)

    def run_from_start(self) -> FrameWork:
        """The same frames, rendered from 0 on."""
        return replace(self, from_start=True)

    def file_of(self, number: int) -> str:
        """``00012.png`` by default."""
        return self.pattern % number if "%" in self.pattern else self.pattern

    def source_of(self, number: int) -> str:
        """Nothing of its own."""
        return ""

    def title_of(self, number: int) -> str:
        """``frame 12``."""
        return f"frame {number}"

    def identity(self) -> Mapping[str, str]:
        """The job without the numbers of its frames, so that a film can grow."""
        return job_identity(self.job, self.script)

    def versions(self) -> Mapping[str, str]:
        """The engine, the game and the plugins."""
        return job_versions(self.job)


class FrameMaker:
    """Renders frames in this process."""

    def __init__(self, work: FrameWork) -> None:
        job = work.job
        self._resource = job.resource
        self._copied: CopiedResource | None = None
        self._stage = Stage(job, work.script, job.size)
        begin = self._copy_resource if job.resource else None
        self._player = Player(self._stage, lead=work.lead, exact=job.warm_up is None, begin=begin)

    def make(self, number: int) -> Made:
        """Render a frame."""
        self._player.show(number)
        without = self._stage.failed_plugins
        if self._copied is not None:
            values = self._copied.values(number)
            return Made(exr_of(values), digest_of(values), without)
        texels: NDArray[Any] = self._stage.session.picture()[..., :3]
        return Made(png_of(texels), digest_of(texels), without)

    def _copy_resource(self) -> None:
        if self._copied is not None:
            self._copied.close()
        self._copied = CopiedResource(self._stage.session, self._stage.target, self._resource)

    def close(self) -> None:
        """End the game and close the device."""
        self._stage.close(self._copied.close if self._copied is not None else None)
