"""Random walks: a game plays its replay with random plugins, which are switched while the output changes its size."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from playing import SHADERS, SMALL_SHADOWS

from renderwright import games
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game
from renderwright.engine.games import find_game
from renderwright.engine.input import InputMap
from renderwright.engine.input.replay import Replay, ReplaySource, load_replay
from renderwright.engine.losses import Losses
from renderwright.engine.options import PluginChoice
from renderwright.engine.plugins.discovery import find_plugins
from renderwright.engine.session import Session
from renderwright.engine.show import Opening, Show
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.target import Target
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.runtime.checks.poison import Poison
from renderwright.render.runtime.recording import Recording
from renderwright.render.sync.queues import ALL_QUEUES
from renderwright.render.types.fullscreen import Fullscreen
from renderwright.render.types.resources import Extent

REPLAYS = {"marbles": "demo", "drift": "demo", "duel": "demo", "gallery": "tour"}
"""Of each game the one that walks and toggles play."""

EXTENTS = ((48, 27), (33, 40), (64, 36))


@dataclass(frozen=True)
class Step:
    """What happens before a frame: plugins are switched, the nodes of one that is on declared ``anew``, the output
    resized, the number of players set, and the game advances by some steps."""

    switched: tuple[str, ...] = ()
    anew: str = ""
    extent: Extent | None = None
    players: int = 0
    steps: int = 1


@dataclass(frozen=True)
class Walk:
    """The plugins that are on at first, the steps before the frames, how full-screen nodes run, whether the few
    entities are culled, by frusta and by what hides them, and the game."""

    plugins: tuple[str, ...]
    steps: tuple[Step, ...]
    fullscreen: Fullscreen = Fullscreen.FRAGMENT
    culled: bool = False
    game: str = "marbles"


def replay_of(game: type[Game], name: str) -> Replay:
    """The script that a shipped game plays in walks."""
    file = Path(games.__path__[0]) / name / "replays" / f"{REPLAYS[name]}.yaml"
    return load_replay(file, InputMap.from_dict(game.controls))


def random_walk(rng: random.Random, frames: int = 6, game: str = "marbles") -> Walk:
    """One that always begins with the first extent."""
    names = sorted(plugin.name for plugin in find_plugins())
    on = tuple(name for name in names if rng.random() < 0.4)
    steps = []
    for _ in range(frames):
        switched = (rng.choice(names),) if rng.random() < 0.3 else ()
        extent = rng.choice(EXTENTS) if rng.random() < 0.2 else None
        players = rng.randint(1, find_game(game).max_players) if rng.random() < 0.2 else 0
        advanced = rng.choice((0, 1, 1, 1, 3))
        steps.append(Step(switched, rng.choice(("", "", rng.choice(names))), extent, players, advanced))
    return Walk(on, tuple(steps), rng.choice((Fullscreen.FRAGMENT, Fullscreen.COMPUTE)), rng.random() < 0.5, game)


def walk_show(
    walk: Walk,
    backend: Callable[[], Backend],
    poison: Poison | None = None,
    recording: Recording = Recording.KEPT,
) -> Show:
    """The game before its first frame; its device may be lost as often as it likes."""
    game = _culled(find_game(walk.game)) if walk.culled else find_game(walk.game)
    off = tuple(plugin.name for plugin in find_plugins() if plugin.name not in walk.plugins)
    script = replay_of(game, walk.game)

    def session(backend: Backend, target: Target) -> Session:
        return Session(
            game,
            backend,
            target.extent,
            choice=PluginChoice(enable=walk.plugins, disable=off, remembered=SMALL_SHADOWS),
            seed=script.seed or 0,
            clock=FixedStepClock(game.step, frame=1 / 60),
            source=ReplaySource(script, game.step),
            poison=poison,
            recording=recording,
            shaders=SHADERS,
            options=CompileOptions(packing=PackPolicy.BALANCED, queues=ALL_QUEUES, fullscreen=walk.fullscreen),
        )

    minutes = iter(range(0, 10**9, 60))
    opening = Opening(backend, lambda backend: backend.create_target(EXTENTS[0]), session)
    return Show(opening, Losses(lambda: float(next(minutes))))


def _culled(game: type[Game]) -> type[Game]:
    return type(game.__name__, (game,), {"__module__": game.__module__, "culling": 1, "occlusion": 1})


@dataclass(frozen=True)
class Shown:
    """A picture; ``remembers`` says that some node reads what was in the frame before."""

    picture: NDArray[np.uint8]
    remembers: bool


def pictures(walk: Walk, show: Show) -> list[Shown]:
    """One a frame."""
    shown = []
    extent = EXTENTS[0]
    for step in walk.steps:
        for name in step.switched:
            show.session.toggle(name)
        if step.anew and show.session.plugins.is_enabled(step.anew):
            show.session.plugins.make_nodes(step.anew)
        if step.players:
            show.session.set_players(step.players)
        extent = step.extent or extent
        for _ in range(step.steps):
            show.session.step()
        show.follow(extent)
        assert show.render() is not None
        placed = show.session.runtime.plan.placement.resources
        remembers = any(one.has_history for one in placed)
        shown.append(Shown(show.picture(), remembers))
    return shown
