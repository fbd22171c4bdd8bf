"""``renderwright bench backends``: the same frames on two backends, compared picture by picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from benchmarks.printed_rows import Column, PrintedRows
from benchmarks.quality.flip import flip_of_shown
from renderwright.engine.backends import make_backend
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game
from renderwright.engine.games import find_game
from renderwright.engine.options import BackendName, PlayOptions, PluginChoice, SettingChange
from renderwright.engine.picture import save_png
from renderwright.engine.scene import Image
from renderwright.engine.scene.placements import Placed
from renderwright.engine.session import Session
from renderwright.plugins.decals import Decal
from renderwright.render.backend.protocol import Backend

EXTENT = (320, 180)
FRAMES = 6
EFFECTS = (
    *("bloom", "contact_shadows", "depth_of_field", "fog", "fxaa", "grading", "motion_blur", "outline"),
    *("shadows", "ssao", "ssr", "taa", "tonemap", "volumetric_fog"),
)
DEFERRED = ("ssr",)
"""Effects that the forward skeleton leaves out."""
SKELETONS = ("deferred", "forward")

Picture = NDArray[np.uint8]


@dataclass(frozen=True)
class Case:
    """A way to play a game. The plugins in ``toggled`` are switched in mid-run, one after each frame from the third
    on; ``resized`` halves the picture and restores it; ``dynamic`` changes the dynamic resolution. ``placed`` are
    things that plugins draw, by the origin."""

    name: str
    skeleton: str = SKELETONS[0]
    enable: tuple[str, ...] = ()
    disable: tuple[str, ...] = ()
    settings: tuple[SettingChange, ...] = ()
    players: int = 1
    toggled: tuple[str, ...] = ()
    resized: bool = False
    dynamic: bool = False
    placed: tuple[Placed, ...] = ()


@dataclass(frozen=True)
class Difference:
    """How far two pictures are apart: the mean FLIP, the share of channels that differ by more than one step of 255,
    and the largest difference in steps."""

    flip: float
    beyond_one: float
    largest: int

    @classmethod
    def of(cls, one: Picture, other: Picture) -> Difference:
        """The difference of two pictures of one size."""
        steps = np.abs(one.astype(int) - other.astype(int))[..., :3]
        shown = [(picture[..., :3] / 255.0).astype(np.float32) for picture in (one, other)]
        return cls(flip_of_shown(*shown), float((steps > 1).mean()), int(steps.max()))


def cases() -> Iterator[Case]:
    """Every skeleton, effect and kind of view."""
    for skeleton in SKELETONS:
        yield Case(f"{skeleton}, the game's plugins", skeleton)
        yield Case(f"{skeleton}, no plugin", skeleton, disable=EFFECTS)
    for effect in EFFECTS:
        yield Case(effect, enable=(effect,), disable=tuple(name for name in EFFECTS if name != effect))
    yield Case("decals", enable=("decals",), disable=EFFECTS, placed=tuple(_decals()))
    yield Case("all effects", enable=EFFECTS)
    forward = tuple(name for name in EFFECTS if name not in DEFERRED)
    yield Case("all effects, forward", SKELETONS[1], enable=forward)
    yield Case("split screen, 2 players", enable=EFFECTS, players=2)
    yield Case("split screen, 4 players", players=4)
    yield Case("stereo", enable=("vr",))
    yield Case("stereo, 2 players", enable=("vr",), players=2)
    yield Case("upscaling", enable=("upscaling",), disable=EFFECTS)
    yield Case("upscaling, all effects", enable=(*EFFECTS, "upscaling"))
    yield Case("upscaling, stereo", enable=("vr", "upscaling"))
    yield Case("4 samples", enable=("ssaa",), settings=(SettingChange("ssaa", "samples", "4"),))
    yield Case("shadows at a rate", settings=(SettingChange("shadows", "rate", "4"),))
    yield Case("toggles in mid-run", toggled=("taa", "ssao", "bloom", "taa"))
    yield Case("a resize in mid-run", enable=EFFECTS, resized=True)
    yield Case("dynamic resolution", enable=EFFECTS, dynamic=True)


def _decals() -> Iterator[Decal]:
    """Noise in colour, and a patch with all else that decals change, each in a box that holds much of the scene."""
    colors = np.random.default_rng(1).integers(0, 256, (64, 64, 4)).astype(np.uint8)
    bent = np.random.default_rng(2).integers(90, 166, (64, 64, 4)).astype(np.uint8)
    bent[..., 2:] = 255
    yield Decal(Image("noise", colors), glm.vec3(-2.0, 0.0, 0.0), size=(6.0, 6.0, 6.0), rotation=0.4)
    normals = Image("bent", bent, srgb=False)
    place, size = glm.vec3(2.0, 0.0, 0.0), (6.0, 6.0, 6.0)
    yield Decal(None, place, size=size, tint=None, normal_image=normals, roughness=0.2, metallic=0.7)


def play(backend: Backend, name: str, case: Case, frames: int) -> Picture:
    """The last of some frames of a game."""
    game = _with_skeleton(find_game(name), case.skeleton)
    choice = PluginChoice(case.enable, case.disable, case.settings)
    clock = FixedStepClock(game.step, frame=game.step)
    session = Session(game, backend, EXTENT, choice=choice, clock=clock, players=case.players, strict=True)
    for thing in case.placed:
        session.context.scene.placed.add(thing)
    with closing(backend.create_target(EXTENT)) as target, closing(session):
        toggled = list(case.toggled)
        for number in range(frames):
            if case.resized and number in (2, 4):
                target.resize((EXTENT[0] // 2, EXTENT[1] // 2) if number == 2 else EXTENT)
            if case.dynamic and number:
                share = (1.0, 0.75, 0.5)[number % 3]
                width, height = session.graph.resolution("main_view")
                session.graph.set_dynamic_resolution("main_view", (int(width * share), int(height * share)))
            session.step()
            session.render(target)
            if number >= 2 and toggled:
                session.toggle(toggled.pop(0))
        return session.picture()


def _with_skeleton(game: type[Game], skeleton: str) -> type[Game]:
    return type(game.__name__, (game,), {"skeleton": skeleton, "__module__": game.__module__})


@click.command()
@click.argument("game", default="marbles")
@click.option(
    "--backend",
    "names",
    multiple=True,
    type=click.Choice([name.value for name in BackendName if name is not BackendName.NULL]),
)
@click.option("--frames", type=click.IntRange(min=6), default=FRAMES, show_default=True, help="Of each picture.")
@click.option("--only", default="", help="Part of the names of the cases to compare.")
@click.option("--pictures", type=click.Path(path_type=Path, file_okay=False), help="Folder for pairs that differ.")
def command(game: str, names: Sequence[str], frames: int, only: str, pictures: Path | None) -> None:
    """Compare the pictures of GAME on two backends.

    Without --backend these are Vulkan and OpenGL.
    """
    chosen = tuple(BackendName(name) for name in names) or (BackendName.VULKAN, BackendName.OPENGL)
    if len(chosen) != 2:
        raise click.UsageError("give --backend twice, or not at all")
    one, other = (make_backend(PlayOptions(game, backend=name)) for name in chosen)
    played = [case for case in cases() if only in case.name]
    if not played:
        raise click.UsageError(f'no case is called "{only}"; the cases are: {"; ".join(case.name for case in cases())}')
    most = find_game(game).max_players
    with closing(one), closing(other):
        devices = " and ".join(
            f"{backend.capabilities.backend} on {backend.capabilities.device}" for backend in (one, other)
        )
        click.echo(f"{game}, {EXTENT[0]} x {EXTENT[1]}, frame {frames}: {devices}\n")
        columns = (Column("case", 28, left=True), Column("mean FLIP"), Column("beyond 1 of 255"), Column("largest"))
        rows = PrintedRows("Pictures that are equal have 0 everywhere.", columns)
        for case in played:
            if case.players > most:
                rows.add(case.name, "-", "-", "-")
                continue
            pair = [play(backend, game, case, frames) for backend in (one, other)]
            found = Difference.of(*pair)
            rows.add(case.name, f"{found.flip:.4f}", f"{found.beyond_one:.3%}", str(found.largest))
            if pictures is not None and found.largest:
                pictures.mkdir(parents=True, exist_ok=True)
                for name, picture in zip(chosen, pair, strict=True):
                    save_png(pictures / f"{case.name.replace(' ', '_').replace(',', '')}_{name}.png", picture)
        rows.end(
            *([f"-: the game is for {most} or fewer players"] if any(case.players > most for case in played) else [])
        )
