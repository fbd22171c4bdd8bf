"""Renders reference pictures: one session for each moment, in which plugins come and go from picture to picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager

import numpy as np
from numpy.typing import NDArray
from playing import SHADERS
from reference_shots import REPLAY, Moment, Shot

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.input.replay import ReplaySource, load_replay
from renderwright.engine.options import PluginChoice
from renderwright.engine.screenshot import TiledScreenshot, TileGrid
from renderwright.engine.session import Session
from renderwright.games.marbles import Marbles
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.target import Target
from renderwright.render.compiler.values.options import CompileOptions

BORDER = 16
"""Texels around each tile."""
PLACING = ("cookies", "decals", "mirrors", "particles")
"""Plugins of what games place, which are on for the pictures that name them."""


def take(
    backend: Backend, moment: Moment, shots: Iterable[Shot], options: CompileOptions | None = None
) -> Iterator[tuple[Shot, NDArray[np.uint8]]]:
    """Some pictures of a moment, uint8 (height, width, 3), sRGB-encoded."""
    source = ReplaySource(load_replay(REPLAY), moment.game.step) if issubclass(moment.game, Marbles) else None
    clock = FixedStepClock(moment.game.step, frame=1 / 60)
    session = Session(
        moment.game,
        backend,
        moment.extent,
        choice=PluginChoice(disable=PLACING),
        clock=clock,
        source=source,
        players=moment.players,
        strict=True,
        options=options,
        shaders=SHADERS,
    )
    with closing(session), closing(backend.create_target(moment.extent)) as target:
        for _ in range(moment.frames):
            session.step()
        for shot in shots:
            with _switched(session, moment, shot):
                yield shot, _picture(session, target, moment, shot)
        backend.wait_idle()


def _picture(session: Session, target: Target, moment: Moment, shot: Shot) -> NDArray[np.uint8]:
    if shot.tiles is not None:
        grid = TileGrid(moment.extent, *shot.tiles, BORDER)
        return np.concatenate(list(TiledScreenshot(session, grid).rows()))
    for _ in range(shot.frames):
        if moment.moves:
            session.step()
        session.render(target)
    return session.picture()[..., :3]


@contextmanager
def _switched(session: Session, moment: Moment, shot: Shot) -> Iterator[None]:
    """Plugins, settings and resolution as a picture wants them, and then as they were."""
    plugins = session.plugins
    with ExitStack() as restore:
        for setting, value in shot.settings.items():
            plugin, key = setting.split(".")
            before = getattr(plugins.load(plugin).settings, key)
            restore.callback(plugins.set, plugin, key, before)
            plugins.set(plugin, key, value)
        for names, switch, back in (
            (shot.on, plugins.enable, plugins.disable),
            (shot.off, plugins.disable, plugins.enable),
        ):
            for name in names:
                restore.callback(back, name)
                switch(name)
        if shot.share != 1.0:
            restore.callback(session.graph.set_dynamic_resolution, "main_view", None)
            width, height = (round(side * shot.share) for side in moment.extent)
            session.graph.set_dynamic_resolution("main_view", (width, height))
        yield
