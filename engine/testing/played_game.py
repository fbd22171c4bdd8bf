"""A game that a test plays with plugins, frame by frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.caller import caller_location
from renderwright.engine.clock import HEADLESS_FRAME, FixedStepClock
from renderwright.engine.dumps.dump import Dump
from renderwright.engine.dumps.reading import TextureReading
from renderwright.engine.dumps.texels import sampled_values_of
from renderwright.engine.game import Game
from renderwright.engine.games import find_game
from renderwright.engine.input import InputState
from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.players import SPLIT_SCREEN
from renderwright.engine.replays import replay_of
from renderwright.engine.scene.entity_values import shortened
from renderwright.engine.session import Session
from renderwright.render.argument_checks import check_names, check_size, is_count
from renderwright.render.backend.protocol import Backend
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import SourceLocation, UsageError
from renderwright.render.suggest import did_you_mean
from renderwright.render.testing import device_for_tests
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.resources import Extent

_MOST_WAITED = 4
"""Frames until what is asked for has been read."""


class PlayedGame:
    """A game on an offscreen picture; a context manager. Frames last 1/60 s.

    ``game`` is a class, not an instance, or a name that ``renderwright play`` takes. ``enable`` and ``disable`` change
    its choice of installed plugins; ``settings`` are values by ``plugin.key``. ``players`` is their number, without it
    that of the replay, else the game's least. ``replay`` is an input script that is played: a path, or its text, such
    as that of ``renderwright.engine.recording.recorded``; its seed is the game's. With ``strict`` a plugin that fails
    raises ``PluginError`` in the call in which it does; without, it is quarantined as in a game, and
    ``session.plugins.status`` tells why.

    ``backend`` is a device, or ``"vulkan"`` or ``"opengl"`` for one of its own. Without it the game plays on Vulkan;
    ``RENDERWRIGHT_BACKEND`` has no say. A device of its own validates, and what the driver objects to raises
    ``BackendError`` at the end.
    """

    session: Session
    """Everything else: plugins, the scene, the runtime."""

    def __init__(
        self,
        game: type[Game] | str,
        *,
        enable: Iterable[str] = (),
        disable: Iterable[str] = (),
        settings: Mapping[str, object] | None = None,
        size: Extent = (160, 90),
        players: int | None = None,
        strict: bool = True,
        backend: Backend | str | None = None,
        replay: Path | str | None = None,
    ) -> None:
        where = caller_location()
        check_size("PlayedGame", size, where)
        for choice, names in (("enable", enable), ("disable", disable)):
            check_names("PlayedGame", choice, names, "plugins", "fog", where)
        _check_settings(settings, where)
        if players is not None and not is_count(players):
            message = f"players of PlayedGame cannot be {shortened(players)}"
            raise UsageError(message, hint="give a number of at least 1", where=where)
        played = find_game(game) if isinstance(game, str) else _checked_class(game)
        source = None if replay is None else replay_of(played, replay)
        script = None if source is None else source.replay
        with _told_at(where), ExitStack() as stack:
            changes = tuple(SettingChange(*_parts(key), value) for key, value in (settings or {}).items())
            device = stack.enter_context(device_for_tests(backend))
            self.session = Session(
                played,
                device,
                size,
                choice=PluginChoice(tuple(enable), tuple(disable), changes),
                strict=strict,
                seed=(script.seed if script is not None else None) or 0,
                clock=FixedStepClock(played.step, frame=HEADLESS_FRAME),
                source=source,
                players=players or (script.players if script is not None else None),
            )
            if source is not None:
                source.set_players = self.session.set_players
            stack.callback(self.session.close)
            self._target = device.create_target(size)
            stack.callback(self._target.close)
            stack.callback(device.wait_idle)
            self._stack = stack.pop_all()
        self._begun = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """End the game."""
        self._stack.close()

    @property
    def game(self) -> Any:
        """The game that is played, an instance of its class: what ``self`` is in its methods."""
        return self.session.runner.game

    @property
    def input(self) -> InputState:
        """The input of the game. What ``press`` and its like change here, the next step sees."""
        return self.session.context.input

    @property
    def plan(self) -> Plan:
        """The plan of the last frame."""
        return self.session.runtime.plan

    @property
    def nodes(self) -> frozenset[str]:
        """The full names of the nodes in the last frame, such as ``bloom/combine``."""
        return frozenset(node.declaration.name for node in self.plan.graph.nodes)

    def resize(self, size: Extent) -> None:
        """Give the picture another size, (width, height) in texels, from the next frame on. Histories begin anew."""
        check_size("PlayedGame", size, caller_location())
        self._target.resize(size)

    def picture(self, frames: int = 1) -> NDArray[np.uint8]:
        """Play that many frames; returns the last one's picture, (height, width, 3), sRGB-encoded."""
        if not is_count(frames):
            message = f"PlayedGame.picture cannot play {shortened(frames)} frames"
            raise UsageError(message, hint="give a whole number of at least 1", where=caller_location())
        for _ in range(frames):
            self._step()
            self.session.render(self._target)
        return self.session.picture()[..., :3]

    def texture(self, name: str, *, mip: int = 0, layer: int | None = None, **index: int) -> NDArray[Any]:
        """A texture behind its last writer, (height, width, channels): the values that shaders see, so colours of an
        sRGB format are linear.

        It is of a further frame, in which no time passes but which advances histories as any frame. Before the first
        ``picture`` it is of the first frame. ``index`` chooses an instance, such as ``view=1``. Raises ``UsageError``
        if the frame has no such texture, or the skeleton no such dimension.
        """
        self._check_chosen({**index, "mip": mip, "layer": layer or 0}, caller_location())
        if not self._begun:
            self._step()
        read: list[NDArray[Any]] = []

        def take(texels: NDArray[np.generic], info: TextureInfo) -> None:
            whole = texels if texels.ndim == 3 else texels[layer or 0]
            read.append(sampled_values_of(info.format, whole))

        reading = TextureReading()
        dump = Dump(name, Path("texture.npy"), index=tuple(index.items()), mip=mip, layer=layer)
        with _told_at(caller_location()):
            reading.ask(self.session, dump, take)
        try:
            for _ in range(_MOST_WAITED):
                self.session.render(self._target)
                reading.follow(self.session)
                if read:
                    return read[0]
        finally:
            reading.give_up(self.session)
        raise UsageError(f'"{name}" has not been read', hint=self._missing(index), where=caller_location())

    def _check_chosen(self, numbers: Mapping[str, object], where: SourceLocation | None) -> None:
        known = ("layer", "mip", *self.session.base.skeleton.dimensions)
        for key, number in numbers.items():
            if key not in known:
                message = f'PlayedGame.texture has no dimension "{key}"'
                raise UsageError(message, hint=did_you_mean(key, known), where=where)
            if number != 0 and not is_count(number):
                message = f"PlayedGame.texture cannot read {key} {shortened(number)}"
                raise UsageError(message, hint=f"{key} is a number from 0 on", where=where)

    def _missing(self, index: Mapping[str, int]) -> str:
        """Why the frame has no texture with that index."""
        if not index:
            return ""
        hint = f"the frame has no {', '.join(f'{dimension} {number}' for dimension, number in index.items())}"
        several = self.session.context.players > 1 and index.get("view", 0) > 0
        if several and not self.session.plugins.is_enabled(SPLIT_SCREEN):
            hint += f'; PlayedGame(..., enable=["{SPLIT_SCREEN}"]) has a view for each player'
        return hint

    def _step(self) -> None:
        self._begun = True
        self.session.step()


@contextmanager
def _told_at(where: SourceLocation | None) -> Iterator[None]:
    """Give the line of the test to an error of wrong use that has none."""
    try:
        yield
    except UsageError as error:
        error.where = error.where or where
        raise


def _checked_class(game: object) -> type[Game]:
    if isinstance(game, type) and issubclass(game, Game):
        return game
    if isinstance(game, Game):
        name = type(game).__name__
        what, hint = f"an instance of {name}", f"give the class: PlayedGame({name}); its `game` is the instance"
    else:
        what = shortened(game)
        hint = 'give a subclass of renderwright.engine.Game, or a name such as "marbles" or "path/to/file.py:Class"'
    raise UsageError(f"PlayedGame cannot play {what}", hint=hint, where=caller_location())


def _check_settings(settings: object, where: SourceLocation | None) -> None:
    if settings is not None and not isinstance(settings, Mapping):
        raise UsageError(
            f"settings of PlayedGame cannot be {shortened(settings)}",
            hint='give values by "plugin.key", such as {"bloom.intensity": 0.5}',
            where=where,
        )


def _parts(key: str) -> tuple[str, str]:
    plugin, dot, name = key.partition(".")
    if not dot:
        raise UsageError(f'"{key}" names no setting', hint='give "plugin.key", such as "bloom.intensity"')
    return plugin, name
