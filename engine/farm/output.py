"""Where a job's pieces go while it is rendered, and what is made of them in the end."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from numpy.typing import NDArray

from renderwright.engine.dumps.files import require_openexr
from renderwright.engine.farm.film import FORMATS, check_film, write_film
from renderwright.engine.farm.job import RenderJob
from renderwright.engine.farm.poster import PosterWork, write_poster
from renderwright.engine.farm.store import Store
from renderwright.engine.farm.texels import png_texels
from renderwright.engine.farm.work import Work
from renderwright.engine.messages import progress
from renderwright.engine.picture import cannot_save, check_picture_path
from renderwright.render.errors import UsageError
from renderwright.render.files.writing import replacing

PARTS = ".parts"
"""Suffix of the folder beside a film or a poster that has its pieces until it is complete."""


class Output(Protocol):
    """Where pieces go. ``folder`` has them until the job is done, and in the case of frames for good."""

    @property
    def path(self) -> Path:
        """What the job makes, as in ``--out``."""

    @property
    def folder(self) -> Path:
        """The folder of the pieces."""

    def finish(self, work: Work, store: Store, numbers: Sequence[int]) -> None:
        """Make the result of pieces that are all whole."""


@dataclass(frozen=True)
class FramesOutput:
    """A file for each frame: ``frames/%05d.png``."""

    path: Path

    @property
    def folder(self) -> Path:
        """The folder of the frames."""
        return self.path.parent

    def finish(self, work: Work, store: Store, numbers: Sequence[int]) -> None:
        """Nothing: the frames are the result."""


@dataclass(frozen=True)
class _WithParts:
    path: Path

    @property
    def folder(self) -> Path:
        """The folder of the pieces, beside the result."""
        return self.path.with_name(self.path.name + PARTS)


@dataclass(frozen=True)
class PictureOutput(_WithParts):
    """One frame in a file."""

    def finish(self, work: Work, store: Store, numbers: Sequence[int]) -> None:
        """Give the frame its name."""
        try:
            with replacing(self.path) as file:
                file.write(store.data(numbers[0]))
        except OSError as error:
            raise cannot_save(self.path, error) from error
        store.remove()


@dataclass(frozen=True)
class FilmOutput(_WithParts):
    """A film of all frames."""

    size: tuple[int, int]

    def finish(self, work: Work, store: Store, numbers: Sequence[int]) -> None:
        """Encode the frames."""
        with progress(f"encoding {len(numbers)} frames", len(numbers)) as advance:

            def frames() -> Iterator[NDArray[Any]]:
                for number in numbers:
                    yield png_texels(store.data(number))
                    advance(1)

            write_film(self.path, frames(), self.size)
        store.remove()


@dataclass(frozen=True)
class PosterOutput(_WithParts):
    """A picture of all tiles."""

    def finish(self, work: Work, store: Store, numbers: Iterable[int]) -> None:
        """Put the tiles together."""
        assert isinstance(work, PosterWork)
        with progress("writing the poster", work.job.size[1]) as advance:
            write_poster(self.path, work, store, advance)
        store.remove()


def output_for(path: Path, job: RenderJob) -> Output:
    """The output at a path, by its suffix. Raises ``UsageError`` if the job cannot be written there."""
    suffix = path.suffix.lower()
    if job.resource and suffix != ".exr":
        raise UsageError(f'"{job.resource}" cannot be saved as "{path}"', hint="give --out frames/%05d.exr")
    if suffix == ".exr":
        if not job.resource:
            raise UsageError(
                "files .exr have a resource of the frame", hint="give --resource NAME, such as hdr_final, or --out .png"
            )
        require_openexr()
    elif suffix not in (".png", *FORMATS):
        raise UsageError(
            f'nothing can be rendered to "{path}"',
            hint="give film.mp4, film.mkv, frames/%05d.png, frames/%05d.exr, or for one frame poster.png",
        )
    _require_folder(path)
    if suffix in FORMATS:
        if job.tiles is not None:
            raise UsageError(f'tiles cannot be saved as "{path}"', hint="give --out poster.png")
        check_film(path, job.size)
        return FilmOutput(path, job.size)
    if job.tiles is not None:
        check_picture_path(path)
        return PosterOutput(path)
    if "%" in path.name:
        _check_pattern(path)
        return FramesOutput(path)
    if len(job.frames) > 1:
        raise UsageError(
            f'{len(job.frames)} frames cannot be saved as "{path}"',
            hint=f"give a name with the number, such as {path.with_name(f'%05d{suffix}')}",
        )
    return PictureOutput(path)


def _check_pattern(path: Path) -> None:
    """Raise ``UsageError`` unless a name has one number."""
    if path.name.count("%") != 1 or not re.search(r"%0?\d*d", path.name):
        raise UsageError(f'"{path.name}" is no name for frames', hint="give one number, such as %05d.png")


def _require_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_save(path, error) from error
    if not os.access(path.parent, os.W_OK):
        raise UsageError(f'"{path.parent}" cannot be written', hint="give another --out")
