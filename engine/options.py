"""What a person asks for on the command line, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from renderwright.render.memory.policy import PackPolicy
from renderwright.render.runtime.poison import Poison
from renderwright.render.sync.queues import ALL_QUEUES, GRAPHICS
from renderwright.render.types.resources import Extent


class BackendName(StrEnum):
    """The backends that can be chosen."""

    VULKAN = "vulkan"
    NULL = "null"


@dataclass(frozen=True)
class SettingChange:
    """``plugin.key=value``, with the value still as text."""

    plugin: str
    key: str
    value: str


@dataclass(frozen=True)
class PluginChoice:
    """Changes to the game's own choice of plugins and settings."""

    enable: tuple[str, ...] = ()
    disable: tuple[str, ...] = ()
    settings: tuple[SettingChange, ...] = ()


@dataclass(frozen=True)
class PlayOptions:
    """How to play a game.

    ``game`` is a name that ``renderwright.engine.games.find_game`` knows. ``device`` is part of a GPU's name ('' for
    the best one). ``size`` is (width, height) in pixels (None: the game's own). ``frames`` is where to stop (None: when
    the person does). ``screenshot`` receives the last frame, ``replay`` is an input script. ``strict`` makes a failing
    plugin an error; ``seed`` feeds everything random. ``alias`` False gives every resource memory of its own.
    ``record`` receives the stream of Vulkan commands, and ``verify`` has every plan judged before it runs. ``queues``
    are those of the GPU's queues that may be used. ``poison`` fills memory whenever a life in it ends; that takes one
    queue. ``players`` is how many play, each with a view. ``frame_time`` is what the GPU may take, in seconds, before
    the picture is drawn smaller (None: it never is). With ``tiles`` (columns, rows) the screenshot, and nothing else,
    has the ``size``; it is rendered in parts, with ``tile_border`` more texels around each. Without ``multiview`` no
    node draws several views at once. ``unified_layouts`` keeps textures in the general layout (None: where that costs
    nothing).
    """

    game: str
    backend: BackendName = BackendName.VULKAN
    device: str = ""
    size: Extent | None = None
    headless: bool = False
    frames: int | None = None
    screenshot: Path | None = None
    replay: Path | None = None
    plugins: PluginChoice = PluginChoice()
    validate: bool = False
    strict: bool = False
    seed: int = 0
    alias: bool = True
    record: Path | None = None
    verify: bool = False
    queues: tuple[str, ...] = ALL_QUEUES
    poison: Poison | None = None
    frame_time: float | None = None
    tiles: Extent | None = None
    tile_border: int = 128
    players: int = 1
    multiview: bool = True
    unified_layouts: bool | None = None


@dataclass(frozen=True)
class PlanOptions:
    """Which plan to compile for inspection.

    ``source`` is a game's name or a skeleton file. ``size`` is the output's extent, ``resolutions`` fix further
    auto-resolutions, ``counts`` the multiplexing dimensions, and ``order`` and ``packing`` are policies of
    ``CompileOptions``. ``queues`` are the classes of queues that the device is taken to have; without ``multiview`` it
    is taken to draw one view at a time, and with ``unified_layouts`` to take textures in the general layout as well as
    in any other.
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
