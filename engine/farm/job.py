"""What is to be rendered, as a frozen value that goes to every worker."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from renderwright.engine.options import BackendName, PlayOptions, PluginChoice
from renderwright.render.errors import UsageError
from renderwright.render.types.resources import Extent


@dataclass(frozen=True)
class RenderJob:
    """Frames of a game, or one frame in tiles.

    ``game`` is a name that ``renderwright play`` takes. ``frames`` are numbers from 0 on, as a range of step 1; frame 0
    is the first that ``play`` shows. ``size`` is (width, height) in pixels. ``replay`` is an input script. ``players``
    have a view each (None: those of ``replay``, else the game's least); ``seed`` seeds all random numbers (None: that
    of ``replay``, else 0). ``resource`` names a texture that is rendered instead of the picture, as it is before the
    tone mapper, for example.

    With ``tiles`` (columns, rows) ``size`` is that of the picture, ``frames`` is one frame, and ``tile_border`` are
    extra texels around each tile.

    Frames are those of one process that plays from frame 0 on. Where a frame takes over textures from the one before
    it, one worker renders them all. With ``warm_up`` each worker renders that many frames before its first, and the
    frames are only near those.
    """

    game: str
    frames: range
    size: Extent
    replay: Path | None = None
    plugins: PluginChoice = field(default_factory=PluginChoice)
    players: int | None = None
    seed: int | None = None
    backend: BackendName | None = None
    device: str = ""
    strict: bool = False
    resource: str = ""
    tiles: Extent | None = None
    tile_border: int = 128
    warm_up: int | None = None

    def __post_init__(self) -> None:
        if self.frames.step != 1 or not self.frames or self.frames.start < 0:
            raise UsageError(f"{self.frames} are no frames of a job", hint="give range(first, last + 1), from 0 on")
        if self.tiles is not None and len(self.frames) != 1:
            raise UsageError("tiles are of one frame", hint="give range(frame, frame + 1)")
        if self.tiles is not None and self.resource:
            raise UsageError("tiles are of the picture, not of a resource", hint="leave out the tiles, or the resource")

    def play_options(self) -> PlayOptions:
        """The options of ``play`` that show the same frames."""
        return PlayOptions(
            self.game,
            backend=self.backend,
            device=self.device,
            size=self.size,
            headless=True,
            replay=self.replay,
            plugins=self.plugins,
            strict=self.strict,
            seed=self.seed,
            players=self.players,
            tiles=self.tiles,
            tile_border=self.tile_border,
        )
