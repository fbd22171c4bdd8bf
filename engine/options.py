"""Command-line options as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from renderwright.engine.dumps.dump import Dump
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.errors import SourceLocation
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.runtime.checks.level import CheckLevel
from renderwright.render.runtime.checks.poison import Poison
from renderwright.render.runtime.recording import Recording
from renderwright.render.sync.queues import ALL_QUEUES, GRAPHICS
from renderwright.render.types.fullscreen import Fullscreen
from renderwright.render.types.resources import Extent
from renderwright.render.types.views import LEAST_VIEWS


class BackendName(StrEnum):
    """The available backends."""

    VULKAN = "vulkan"
    OPENGL = "opengl"
    NULL = "null"


@dataclass(frozen=True)
class SettingChange:
    """``plugin.key=value``. The value is text from the command line, or a plain value of a file or of a game.

    ``set_at`` is the line of the game that has set it, None if none has.
    """

    plugin: str
    key: str
    value: object
    set_at: SourceLocation | None = None


@dataclass(frozen=True)
class PluginChoice:
    """Changes to the game's own choice of plugins and settings.

    ``remembered`` settings come before ``settings``. They may belong to plugins that are off, which have them when they
    are switched on, and an invalid one is a warning.
    """

    enable: tuple[str, ...] = ()
    disable: tuple[str, ...] = ()
    settings: tuple[SettingChange, ...] = ()
    remembered: tuple[SettingChange, ...] = ()


@dataclass(frozen=True)
class CaptureOptions:
    """The ``frame`` to capture, counted from 0, as a ``page``, as ``json`` or both; pictures of textures have
    ``pixels`` on their longer side (0: there are none). Of a picture in tiles it is the ``tile``, counted from 0 line
    by line (None: the one in the middle)."""

    frame: int
    page: Path | None = None
    json: Path | None = None
    pixels: int = 160
    tile: int | None = None


@dataclass(frozen=True)
class PlayOptions:
    """How to play a game.

    ``game`` is a name that ``renderwright.engine.games.find_game`` resolves. ``backend`` None is the one of
    ``RENDERWRIGHT_BACKEND``, else Vulkan, else OpenGL. ``device`` is part of a GPU's name ('' for the best one).
    ``size`` is (width, height) in pixels (None: 1280 x 720). ``frames`` is the number of frames (None: headless 60, or
    those of ``replay``; unlimited in a window). The last frame is saved to ``screenshot``; ``replay`` is an input
    script. ``strict`` makes a failing plugin an error; ``seed`` seeds all random numbers (None: that of ``replay``,
    else 0). Without ``alias`` every resource has memory of its own. ``order`` is an ordering policy. ``record`` is the
    file for the stream of Vulkan commands; ``verify`` checks every plan with the oracle before it runs, ``check`` finds
    nodes that leave undefined what they write. ``recording`` says whether the commands of nodes are kept. ``queues``
    are the classes of queues that may be used. ``poison`` fills the bytes of a copy when its live range ends, on a
    single queue. ``players`` is the number of players, each with a view (None: that of ``replay``, else the game's
    least). ``frame_time`` is the GPU time per frame, in seconds, above which the dynamic resolution drops (None: no
    dynamic resolution). With ``tiles`` (columns, rows) only the screenshot has ``size``; it is rendered in tiles with
    ``tile_border`` extra texels around each. Without ``multiview`` each node draws one view at a time.
    ``unified_layouts`` keeps textures in the general layout (None: if the device does so at no cost). ``fullscreen`` is
    how full-screen nodes run. ``hang_after`` is how long the device may make no progress, in seconds, before the game
    ends (None: 10, or 60 on software drivers). ``trace_plugins`` prints the times of the plugins' hooks at the end.
    ``dumps`` are textures and buffers to write to files. ``times`` prints what nodes and plugins take. ``reload`` takes
    files that change into the running game; the file of preferences, too, if ``own_choice`` is what the command line
    chooses without them. ``user_files`` is the folder of what games keep between runs (None: in a window without a
    ``replay`` the user's data folder, else nothing is kept). ``capture`` is a frame to capture; then no picture is
    saved. ``trace`` is the file for a timeline of the frames, ``renderdoc`` a frame that RenderDoc captures.
    """

    game: str
    backend: BackendName | None = None
    device: str = ""
    size: Extent | None = None
    headless: bool = False
    frames: int | None = None
    screenshot: Path | None = None
    replay: Path | None = None
    plugins: PluginChoice = PluginChoice()
    validate: bool = False
    strict: bool = False
    seed: int | None = None
    alias: bool = True
    order: str = "balanced"
    record: Path | None = None
    verify: bool = False
    check: CheckLevel | None = None
    recording: Recording = Recording.KEPT
    queues: tuple[str, ...] = ALL_QUEUES
    poison: Poison | None = None
    frame_time: float | None = None
    tiles: Extent | None = None
    tile_border: int = 128
    players: int | None = None
    multiview: bool = True
    unified_layouts: bool | None = None
    fullscreen: Fullscreen = Fullscreen.AUTO
    hang_after: float | None = None
    trace_plugins: bool = False
    dumps: tuple[Dump, ...] = ()
    times: bool = False
    reload: bool = False
    own_choice: PluginChoice | None = None
    capture: CaptureOptions | None = None
    trace: Path | None = None
    renderdoc: int | None = None
    user_files: Path | None = None

    def compile_options(self) -> CompileOptions:
        """What the options say about plans."""
        return CompileOptions(
            alias=self.alias,
            order=self.order,
            packing=PackPolicy.BALANCED,
            queues=self.queues,
            views=LEAST_VIEWS if self.multiview else 1,
            unified_layouts=self.unified_layouts,
            fullscreen=self.fullscreen,
        )


@dataclass(frozen=True)
class PlanOptions:
    """The plan to compile for inspection, for devices of a ``backend``.

    ``source`` is a game's name or a skeleton file. ``size`` is the output's extent, ``resolutions`` fix further
    auto-resolutions, ``counts`` the multiplexing dimensions, and ``order`` and ``packing`` are policies of
    ``CompileOptions``. The assumed device has the classes of ``queues``, draws one view at a time without
    ``multiview``, and with ``unified_layouts`` is as fast with textures in the general layout as in any other.
    ``fullscreen`` is how full-screen nodes run; ``auto`` is as fragment shaders. With
    ``search_order`` the plan is in the order that needs the least memory, as far as the search finds it. ``players`` is
    the number of players, each with a view (None: the game's least).
    """

    source: str
    size: Extent = (1280, 720)
    resolutions: tuple[tuple[str, Extent], ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    order: str = "balanced"
    packing: PackPolicy = PackPolicy.FAST
    plugins: PluginChoice = PluginChoice()
    queues: tuple[str, ...] = (GRAPHICS,)
    multiview: bool = True
    unified_layouts: bool | None = None
    fullscreen: Fullscreen = Fullscreen.AUTO
    search_order: bool = False
    backend: BackendName = BackendName.VULKAN
    players: int | None = None
