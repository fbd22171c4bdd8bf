"""What the command line says about a farm, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from renderwright.engine.farm.job import RenderJob
from renderwright.engine.options import BackendName
from renderwright.render.types.resources import Extent


@dataclass(frozen=True)
class FarmOptions:
    """Who renders: so many ``workers`` of this machine, or those of a ``scheduler``. ``anew`` forgets earlier runs."""

    workers: int = 1
    scheduler: str = ""
    anew: bool = False


@dataclass(frozen=True)
class RenderOptions:
    """``renderwright render``: a job, its file or files, and how many frames to ``verify``."""

    job: RenderJob
    out: Path
    farm: FarmOptions = FarmOptions()
    verify: int = 0


@dataclass(frozen=True)
class ThumbnailOptions:
    """``renderwright thumbnails``: a folder of models, and the folder for pictures of this size."""

    folder: Path
    out: Path
    size: Extent = (256, 256)
    backend: BackendName | None = None
    device: str = ""
    farm: FarmOptions = FarmOptions()
