"""Cases of toggles: two plugins are switched on and off in mid-run, in each game and in all pairs."""

from __future__ import annotations

import random
import re
from contextlib import closing
from functools import cache
from itertools import combinations

import numpy as np
from fuzz_recording import findings
from game_walks import REPLAYS, replay_of
from playing import SHADERS, SMALL_SHADOWS

from renderwright.engine.clock import HEADLESS_FRAME, FixedStepClock
from renderwright.engine.game import Game
from renderwright.engine.games import find_game
from renderwright.engine.input.replay import ReplaySource
from renderwright.engine.options import PluginChoice
from renderwright.engine.plugins.discovery import find_plugins
from renderwright.engine.session import Session
from renderwright.render.backend.null import NullBackend
from renderwright.render.backend.opengl import OpenGLBackend
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.target import Target
from renderwright.render.backend.vulkan.backend import VulkanBackend

EXTENT = (48, 27)
PAIRS = 4
"""Of a case."""
FRAMES = 2
"""In which each of the four states of a pair is shown."""
SLOW = re.compile(r"takes [0-9.]+ s (on the GPU|in its execute function)")
"""What a busy machine has the runtime say."""
WHO = re.compile(r'(?:plugin "|`)(\w+)["/]')
"""The plugin that a warning begins with."""
MOST_APART = 12.0
"""The mean difference of pictures of one moment of which one has other histories, in steps of 255."""


@cache
def all_pairs(name: str) -> tuple[tuple[str, str], ...]:
    """The pairs of the plugins that a game's skeleton has a place for, in an order that mixes them."""
    game = find_game(name)
    like = {"__module__": game.__module__, "skeleton": game.skeleton, "plugins": game.plugins}
    bare = type("Bare", (Game,), like)
    plugins = sorted(found.name for found in find_plugins())
    with (
        findings("renderwright") as said,
        closing(NullBackend()) as backend,
        closing(Session(bare, backend, EXTENT, choice=PluginChoice(enable=tuple(plugins)), shaders=SHADERS)) as session,
        closing(backend.create_target(EXTENT)) as target,
    ):
        session.render(target)
    unfit = {found[1] for text in said if (found := WHO.search(text))}
    fitting = [name for name in plugins if name not in unfit]
    pairs = list(combinations(fitting, 2))
    random.Random(0).shuffle(pairs)
    return tuple(pairs)


def toggles_case(seed: int, pairs: int = PAIRS) -> str:
    """Toggle a few pairs in a game that its replay plays: successive seeds have successive games, then successive
    pairs. After all pairs of a game its backend is OpenGL, then Vulkan again.

    Neither the validation of the backend, nor the checker of synchronisation, nor a log says a word, and in the end
    the plan and the picture of the moment are those of before. Ends with the name of the game.
    """
    name, rng = list(REPLAYS)[seed % len(REPLAYS)], random.Random(seed)
    every = all_pairs(name)
    rounds, number = divmod(seed // len(REPLAYS), -(-len(every) // pairs))
    with (
        findings("renderwright") as said,
        closing(OpenGLBackend(validate=True) if rounds % 2 else VulkanBackend(validate=True)) as backend,
        closing(_session(name, backend, rng)) as session,
        closing(backend.create_target(EXTENT)) as target,
    ):
        _frames(session, target, still=False)
        for pair in every[number * pairs : (number + 1) * pairs]:
            _toggle(session, target, pair, still=rng.random() < 0.5)
        backend.wait_idle()
    wrong = [text for text in said if not SLOW.search(text)]
    assert not wrong, "\n".join(wrong)
    assert [message.text for message in backend.validation_messages] == []
    return name


def _session(name: str, backend: Backend, rng: random.Random) -> Session:
    """A game in the middle of its replay."""
    game = find_game(name)
    script = replay_of(game, name)
    session = Session(
        game,
        backend,
        EXTENT,
        choice=PluginChoice(settings=SMALL_SHADOWS if "shadows" in game.plugins else ()),
        strict=True,
        seed=script.seed or 0,
        clock=FixedStepClock(game.step, frame=HEADLESS_FRAME),
        source=ReplaySource(script, game.step),
        verify=True,
        shaders=SHADERS,
        players=rng.randint(1, game.max_players),
    )
    for _ in range(rng.randrange(100, 400)):
        session.step()
    return session


def _toggle(session: Session, target: Target, pair: tuple[str, str], *, still: bool) -> None:
    """All four states of a pair of plugins, and back to the first one."""
    before, nodes = _frames(session, target, still=still), _nodes(session)
    for name in (*pair, *pair):
        on = session.toggle(name)
        assert session.plugins.is_enabled(name) == on
        after = _frames(session, target, still=still)
    assert _nodes(session) == nodes, f"the plan is another one after {pair}"
    if still:
        remembers = any(one.has_history for one in session.runtime.plan.placement.resources)
        apart = np.abs(after - before).mean()
        assert apart < MOST_APART if remembers else apart == 0.0, f"the picture is another one after {pair}: {apart}"


def _frames(session: Session, target: Target, *, still: bool) -> np.ndarray:
    """A few frames; returns the last one's picture."""
    for _ in range(FRAMES):
        if not still:
            session.step()
        assert session.render(target) is not None
    return session.picture().astype(float)


def _nodes(session: Session) -> list[str]:
    return [node.declaration.name for node in session.runtime.plan.graph.nodes]
