"""The device and the session that play a job's game in this process."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace

from renderwright.engine.backends import choose_backend, make_backend
from renderwright.engine.clock import HEADLESS_FRAME, FixedStepClock
from renderwright.engine.farm.job import RenderJob
from renderwright.engine.farm.work import PieceFailedError
from renderwright.engine.game_lines import last_place, lines_of_game
from renderwright.engine.games import find_game
from renderwright.engine.options import BackendName
from renderwright.engine.plugins import PluginState, find_interops
from renderwright.engine.replays import replay_in
from renderwright.engine.session import Session
from renderwright.render.backend.target import Target
from renderwright.render.errors import DeviceLostError, RenderwrightError, UsageError
from renderwright.render.types.resources import Extent


def same_on_any_load() -> None:
    """Let the software driver render with one thread: with several, some of its versions make a texel differ in one
    picture of a hundred. Call this before a device is opened; whoever has set the variable keeps it."""
    os.environ.setdefault("LP_NUM_THREADS", "0")


def backend_with_texels(asked: BackendName | None) -> BackendName:
    """The backend that is asked for, or chosen. Raises ``UsageError`` for the null backend."""
    name = choose_backend(asked).name
    if name is BackendName.NULL:
        raise UsageError("the null backend renders no texels", hint="unset RENDERWRIGHT_BACKEND, or give --backend")
    return name


def in_words(error: Exception) -> str:
    """An exception with the line of the game that it comes from."""
    place = last_place(lines_of_game(error.__traceback__))
    words = f"{type(error).__name__}: {error}"
    return f"{place}: {words}" if place else words


class Stage:
    """A game at its beginning on a device. ``begin_again`` replaces the session; the device stays.

    ``script`` is the text of the job's replay, '' if it has none: a worker may not have the file.

    Raises ``RenderwrightError`` if the game, its plugins or the device cannot be had, ``PieceFailedError`` if the game
    raises.
    """

    session: Session

    def __init__(self, job: RenderJob, script: str, extent: Extent) -> None:
        same_on_any_load()
        self._job, self._script, self._extent = job, script, extent
        self._game = find_game(job.game)
        self._options = replace(job.play_options(), backend=backend_with_texels(job.backend))
        self._interops = find_interops(self._game.plugins, job.plugins)
        self._backend = make_backend(self._options, None, tuple(self._interops.values()))
        try:
            self.target: Target = self._backend.create_target(extent)
            self.session = self._started()
        except BaseException:
            self._backend.close()
            raise

    def begin_again(self) -> None:
        """Begin the game again, from before frame 0."""
        self.session.close()
        self.session = self._started()

    def _started(self) -> Session:
        try:
            return self._begin()
        except RenderwrightError:
            raise
        except Exception as error:
            raise PieceFailedError(f"the game cannot begin: {in_words(error)}", beyond=True) from error

    def _begin(self) -> Session:
        job, game, source = self._job, self._game, None
        if job.replay is not None:
            source = replay_in(game, self._script, str(job.replay))
        session = Session(
            game,
            self._backend,
            self._extent,
            choice=job.plugins,
            strict=job.strict,
            seed=job.seed or 0,
            clock=FixedStepClock(game.step, frame=HEADLESS_FRAME),
            source=source,
            options=self._options.compile_options(),
            players=job.players,
            interops=self._interops,
        )
        if source is not None:
            source.set_players = session.set_players
        return session

    @property
    def failed_plugins(self) -> tuple[str, ...]:
        """The plugins that have failed since the beginning."""
        failed = (PluginState.QUARANTINED, PluginState.BROKEN)
        wanted = {*self._game.plugins, *self._job.plugins.enable}
        return tuple(
            plugin.name for plugin in self.session.plugins.plugins() if plugin.state in failed and plugin.name in wanted
        )

    def close(self, after: Callable[[], None] | None = None) -> None:
        """End the game, call ``after``, unless the device is lost, and close the device."""
        try:
            self.session.close()
            if after is not None:
                after()
        except DeviceLostError:
            self.session.abandon()
        finally:
            self._backend.close()
