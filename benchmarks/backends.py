"""``renderwright bench backends``: the same frames on two backends, compared picture by picture."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from benchmarks.backend_cases import Case, cases
from benchmarks.printed_rows import Column, PrintedRows
from benchmarks.quality.flip import flip_of_shown
from renderwright.engine.backends import make_backend
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game
from renderwright.engine.games import find_game
from renderwright.engine.input.mapping import InputMap
from renderwright.engine.input.replay import ReplaySource, load_replay
from renderwright.engine.options import BackendName, PlayOptions, PluginChoice
from renderwright.engine.picture import save_png
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import Backend
from renderwright.render.errors import BackendError, RenderwrightError

EXTENT = (320, 180)
FRAMES = 6
Picture = NDArray[np.uint8]


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


@dataclass(frozen=True)
class Play:
    """Of which game the last of so many ``frames`` is compared, with which input script, after how many ``steps``."""

    game: type[Game]
    frames: int = FRAMES
    replay: Path | None = None
    steps: int = 0

    def source(self) -> ReplaySource | None:
        """The input of one run."""
        if self.replay is None:
            return None
        names = InputMap.from_dict(self.game.controls) if self.game.controls else None
        return ReplaySource(load_replay(self.replay, names), self.game.step)


def picture_of(backend: Backend, play: Play, case: Case) -> Picture:
    """The last frame of a game."""
    game = _with_skeleton(play.game, case.skeleton) if case.skeleton else play.game
    choice = PluginChoice(case.enable, case.disable, case.settings)
    clock, source = FixedStepClock(game.step, frame=game.step), play.source()
    session = Session(
        game, backend, EXTENT, choice=choice, clock=clock, source=source, players=case.players, strict=True
    )
    with closing(backend.create_target(EXTENT)) as target, closing(session):
        for _ in range(play.steps):
            session.step()
        if case.furnish is not None:
            case.furnish(session.context.scene)
        toggled = list(case.toggled)
        for number in range(play.frames):
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
@click.option("--replay", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Play an input script.")
@click.option("--steps", type=click.IntRange(min=0), default=0, show_default=True, help="Played before the frames.")
@click.option("--frames", type=click.IntRange(min=6), default=FRAMES, show_default=True, help="Of each picture.")
@click.option("--only", default="", help="Part of the names of the cases to compare.")
@click.option("--pictures", type=click.Path(path_type=Path, file_okay=False), help="Folder for pairs that differ.")
def command(
    game: str,
    names: Sequence[str],
    replay: Path | None,
    steps: int,
    frames: int,
    only: str,
    pictures: Path | None,
) -> None:
    """Compare the pictures of GAME on two backends.

    Without --backend these are Vulkan and OpenGL.
    """
    chosen = tuple(BackendName(name) for name in names) or (BackendName.VULKAN, BackendName.OPENGL)
    if len(chosen) != 2:
        raise click.UsageError("give --backend twice, or not at all")
    one, other = (make_backend(PlayOptions(game, backend=name)) for name in chosen)
    play = Play(find_game(game), frames, replay, steps)
    known = list(cases(play.game))
    played = [case for case in known if only in case.name]
    if not played:
        raise click.UsageError(f'no case is called "{only}"; the cases are: {"; ".join(case.name for case in known)}')
    most = play.game.max_players
    with closing(one), closing(other):
        devices = " and ".join(
            f"{backend.capabilities.backend} on {backend.capabilities.device}" for backend in (one, other)
        )
        click.echo(f"{game}, {EXTENT[0]} x {EXTENT[1]}, frame {frames} after {steps} steps: {devices}\n")
        columns = (Column("case", 28, left=True), Column("mean FLIP"), Column("beyond 1 of 255"), Column("largest"))
        rows = PrintedRows("Pictures that are equal have 0 everywhere.", columns)
        refused: list[str] = []
        for case in played:
            if case.players > most:
                rows.add(case.name, "-", "-", "-")
                continue
            try:
                pair = [picture_of(backend, play, case) for backend in (one, other)]
            except BackendError:
                raise
            except RenderwrightError as error:  # its skeleton lacks what a plugin joins, for example
                refused.append(f"-: {case.name}: {error.message}")
                rows.add(case.name, "-", "-", "-")
                continue
            found = Difference.of(*pair)
            rows.add(case.name, f"{found.flip:.4f}", f"{found.beyond_one:.3%}", str(found.largest))
            if pictures is not None and found.largest:
                pictures.mkdir(parents=True, exist_ok=True)
                for name, picture in zip(chosen, pair, strict=True):
                    save_png(pictures / f"{case.name.replace(' ', '_').replace(',', '')}_{name}.png", picture)
        if any(case.players > most for case in played):
            refused.append(f"-: the game is for {most} or fewer players")
        rows.end(*refused)
