"""Plays a game from the command line's options."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from renderwright.engine.backends import choose_backend, make_backend, way_to_vulkan
from renderwright.engine.brief_turns import brief_turns
from renderwright.engine.clock import HEADLESS_FRAME, FixedStepClock
from renderwright.engine.dumps.dumper import Dumper
from renderwright.engine.frame_watcher import FrameWatcher
from renderwright.engine.game import Game
from renderwright.engine.games import find_game, game_identity
from renderwright.engine.garbage import calm_collector
from renderwright.engine.live_input import LiveInput
from renderwright.engine.messages import frames_progress, progress, say
from renderwright.engine.node_times import NodeTimes
from renderwright.engine.options import BackendName, PlayOptions
from renderwright.engine.picture import check_picture_path, save_png
from renderwright.engine.play_report import headline, say_checks, say_validation, summary, where_the_picture_is
from renderwright.engine.plugin_keys import keys_in_words, switch_plugins
from renderwright.engine.plugins import find_interops
from renderwright.engine.plugins.hook_times import HookTimes, hook_table
from renderwright.engine.recent_messages import RecentMessages
from renderwright.engine.replays import as_recorded, find_replay, frames_until_the_end
from renderwright.engine.screenshot import TileGrid, save_by_tiles
from renderwright.engine.session import Session
from renderwright.engine.show import Opening, Show
from renderwright.engine.user_files import UserFiles, folder_name, user_files_folder
from renderwright.engine.window import GameWindow, has_display
from renderwright.engine.window_tools import KEYS_IN_WORDS, WindowTools
from renderwright.engine.wished_pictures import take_wished
from renderwright.render.backend.interop import Interop
from renderwright.render.backend.protocol import Backend
from renderwright.render.errors import UsageError
from renderwright.render.runtime.checks.level import CheckLevel
from renderwright.render.runtime.frame_report import FrameReport
from renderwright.render.runtime.plans.beside import ThreadWorker
from renderwright.render.types.resources import Extent

if TYPE_CHECKING:
    from renderwright.engine.input.replay import ReplaySource
    from renderwright.engine.reload import LiveFiles
    from renderwright.render.backend.vulkan.recording import StreamRecorder

DEFAULT_EXTENT = (1280, 720)
HEADLESS_FRAMES = 60
PICTURES = Path("out")
"""The folder for the last frame of a game that is played without a window, where --screenshot names no file."""
MINIMISED_PAUSE = 0.05


def play(options: PlayOptions) -> int:
    """Run a game with the options; returns the process's exit code."""
    game = find_game(options.game)
    chosen = choose_backend(options.backend)
    options = replace(options, backend=chosen.name)
    replay = find_replay(game, options)
    options = as_recorded(options, replay)
    options = replace(options, players=options.players or game.min_players)
    # Tiled pictures are larger than a window, so they are rendered without one.
    headless_by_options = options.headless or options.backend is BackendName.NULL or options.tiles is not None
    headless = headless_by_options or not has_display()
    if headless and options.screenshot is None and options.capture is None:
        options = replace(options, screenshot=_picture_file(options))
    if options.screenshot is not None:
        check_picture_path(options.screenshot)
    recording = _recording(options)
    if headless and not headless_by_options:
        say("There is no display (DISPLAY is not set): playing headless.")
    _require_texels(options)
    times = HookTimes()
    interops = find_interops(game.plugins, options.plugins, times=times)
    watchers, live = _watchers(options), _live_files(options)
    kept = _user_files(options, headless=headless)
    stage = _Stage(game, options, replay, recording, interops, [times], watchers, live, kept, chosen.reason)
    try:
        if headless:
            _play_headless(stage)
        else:
            _play_in_window(stage)
    finally:
        if stage.live is not None:
            stage.live.close()
        if recording is not None:
            recording.close()
            say(f"The commands are in {options.record}; renderwright verify {options.record} checks them.")
        if options.trace_plugins:
            say(hook_table(stage.hook_times))
    return say_validation(stage.opened) if options.validate else 0


@dataclass
class _Stage:
    """The inputs of a run. ``interops`` are the plugins' interops with the device, by plugin; ``opened`` are all
    backends so far, since a lost device is replaced by another. ``no_vulkan`` is why the backend is another one than
    Vulkan, '' if that was asked for. ``hook_times`` has the times of the plugins' hooks before and in the session.
    ``watchers`` look at the frames, ``live`` are the files that are taken in when they change (None: they are not),
    ``user_files`` those that the game keeps between runs.
    """

    game: type[Game]
    options: PlayOptions
    replay: ReplaySource | None
    recording: StreamRecorder | None
    interops: Mapping[str, Interop]
    hook_times: list[HookTimes]
    watchers: Sequence[FrameWatcher]
    live: LiveFiles | None
    user_files: UserFiles
    no_vulkan: str = ""
    opened: list[Backend] = field(default_factory=list)

    def backend(self, window: GameWindow | None = None) -> Backend:
        """Open a backend, for a window or headless."""
        backend = make_backend(self.options, self.recording, tuple(self.interops.values()), window)
        self.opened.append(backend)
        return backend

    def session(self, backend: Backend, extent: Extent, *, frame: float | None, repack: bool) -> Session:
        """The session, with frames of ``frame`` seconds (None: real time).

        ``repack`` prepares plans, packings and assets in the background; the frame that first has them then depends on
        the machine. Recordings are single-threaded, so their frames wait for plans.
        """
        session = Session(
            self.game,
            backend,
            extent,
            choice=self.options.plugins,
            strict=self.options.strict,
            seed=self.options.seed or 0,
            clock=FixedStepClock(self.game.step, frame=frame),
            source=self.replay,
            options=self.options.compile_options(),
            repack=repack,
            worker=ThreadWorker("renderwright compile") if repack and self.recording is None else None,
            stream=repack,
            verify=self.options.verify,
            check=self.options.check,
            recording=self.options.recording,
            poison=self.options.poison,
            frame_time=self.options.frame_time,
            players=self.options.players,
            interops=self.interops,
            shaders=self.live.library if self.live is not None else None,
            user_files=self.user_files,
        )
        if self.replay is not None:
            self.replay.set_players = session.set_players
        self.hook_times.append(session.plugins.hook_times)
        return session

    def begin_frame(self, session: Session) -> None:
        """Take in files that have changed, and mark the begin of a frame in the recording, as far as asked for."""
        if self.live is not None:
            self.live.update(session)
        if self.recording is not None:
            self.recording.frame()

    def begin_watching(self, show: Show) -> None:
        """Tell the watchers that the first frame follows."""
        for watcher in self.watchers:
            show.on_a_device(partial(watcher.begin, target=show.target))

    def watch(self, show: Show, report: FrameReport | None) -> None:
        """Show a frame to the watchers, unless it was dropped."""
        if report is not None:
            for watcher in self.watchers:
                show.on_a_device(partial(watcher.see, report=report))

    def finish_watching(self, show: Show) -> None:
        """Let the watchers report."""
        for watcher in self.watchers:
            show.on_a_device(watcher.finish)


def _require_texels(options: PlayOptions) -> None:
    looking = "--check nan" if options.check is CheckLevel.NAN else "--dump" if options.dumps else ""
    looking = "capture" if options.capture is not None else looking
    if looking and options.backend is BackendName.NULL:
        raise UsageError(f"{looking} looks at texels, and the null backend has none", hint="leave out --backend null")
    if options.dumps and options.tiles is not None:
        raise UsageError("--dump does not go with --tiles", hint="leave out --tiles")


def _watchers(options: PlayOptions) -> Sequence[FrameWatcher]:
    watchers: list[FrameWatcher] = [Dumper(options.dumps)] if options.dumps else []
    if options.renderdoc is not None:
        from renderwright.engine.renderdoc import RenderDocCapture

        watchers.append(RenderDocCapture(options.renderdoc))
    if options.trace is not None:
        from renderwright.engine.trace.tracer import Tracer

        watchers.append(Tracer(options.trace))
    if options.capture is not None:
        from renderwright.engine.capture.tile_capturer import capturer_of

        watchers.append(capturer_of(options.capture, options, _grid(options)))
    return [*watchers, NodeTimes()] if options.times else watchers


def _grid(options: PlayOptions) -> TileGrid | None:
    size = options.size or DEFAULT_EXTENT
    return TileGrid(size, *options.tiles, options.tile_border) if options.tiles is not None else None


def _live_files(options: PlayOptions) -> LiveFiles | None:
    if not options.reload:
        return None
    from renderwright.engine.preferences import preferences_file
    from renderwright.engine.reload import LiveFiles, PreferencesPlace

    if options.own_choice is None:
        return LiveFiles()
    return LiveFiles(PreferencesPlace(preferences_file(), game_identity(options.game), options.own_choice))


def _user_files(options: PlayOptions, *, headless: bool) -> UserFiles:
    """What the game keeps for its user. A run without a person keeps nothing, unless it is asked to."""
    folder = options.user_files
    if folder is None and not headless and options.replay is None:
        folder = user_files_folder()
    if folder is not None:
        folder = folder / folder_name(game_identity(options.game))
    return UserFiles(folder, strict=options.strict)


def _recording(options: PlayOptions) -> StreamRecorder | None:
    if options.record is None:
        return None
    backend = options.backend or BackendName.VULKAN
    if backend is not BackendName.VULKAN:
        raise UsageError("--record writes Vulkan commands", hint=way_to_vulkan(backend))
    from renderwright.render.backend.vulkan.recording import StreamRecorder

    return StreamRecorder(options.record)


def _play_headless(stage: _Stage) -> None:
    options = stage.options
    grid = _grid(options)
    extent = (options.size or DEFAULT_EXTENT) if grid is None else grid.preview(DEFAULT_EXTENT)
    frames = options.frames or _frames_by_default(stage)
    opening = Opening(
        stage.backend,
        lambda backend: backend.create_target(extent),
        lambda backend, target: stage.session(backend, extent, frame=HEADLESS_FRAME, repack=False),
    )
    with closing(Show(opening)) as show:
        say(headline(stage.game, show.backend, stage.no_vulkan))
        hint = "" if options.size or grid else "--size 480x270 is faster"
        with frames_progress(frames, hint) as advance, calm_collector() as settle:
            for number in range(frames):
                show.session.step()
                if not number:
                    stage.begin_watching(show)
                stage.begin_frame(show.session)
                stage.watch(show, show.render())
                take_wished(show, _picture_file(options))
                if not number:
                    settle()
                advance()
                if show.session.context.quit_requested:
                    break
        picture, played = show.picture(), show.session.runtime.frame
        say(summary(show.session))
        if options.screenshot is not None:
            if grid is None:
                save_png(options.screenshot, picture)
            else:
                _save_by_tiles(show, grid, options.screenshot)
        stage.finish_watching(show)
        say_checks(options, show.session)
        if options.screenshot is not None:
            say(where_the_picture_is(options.screenshot, played, show.backend))


def _frames_by_default(stage: _Stage) -> int:
    if stage.replay is None:
        return HEADLESS_FRAMES
    return frames_until_the_end(stage.replay, stage.game.step)


def _save_by_tiles(show: Show, grid: TileGrid, path: Path) -> None:
    with progress(f"rendering {grid.columns}x{grid.rows} tiles", grid.picture[1]) as advance:
        shot = show.on_a_device(lambda session: save_by_tiles(path, session, grid, advance))
    say(
        f"{grid.picture[0]}x{grid.picture[1]} in {grid.columns}x{grid.rows} tiles with a border of {grid.border}: "
        f"{shot.frames} frames, {shot.heap_bytes / 2**20:.1f} MiB of transient memory"
    )


def _play_in_window(stage: _Stage) -> None:
    options = stage.options
    frame = HEADLESS_FRAME if stage.replay else None
    opengl = options.backend is BackendName.OPENGL
    window = GameWindow(stage.game.title, options.size or DEFAULT_EXTENT, opengl=opengl)
    opening = Opening(
        lambda: stage.backend(window),
        lambda backend: backend.create_target(window.extent, window.window),
        lambda backend, target: stage.session(backend, target.extent, frame=frame, repack=True),
    )
    try:
        with RecentMessages() as messages, closing(Show(opening)) as show:
            say(headline(stage.game, show.backend, stage.no_vulkan))
            say(keys_in_words(show.session.context.plugin_keys, show.session.plugins.plugins()))
            say(KEYS_IN_WORDS)
            with calm_collector() as settle, brief_turns():
                _window_loop(stage, show, window, settle, messages)
            stage.finish_watching(show)
            say_checks(options, show.session)
            if options.screenshot is not None:
                save_png(options.screenshot, show.picture())
                say(f"The last frame is in {options.screenshot}")
    finally:
        window.close()


def _window_loop(
    stage: _Stage, show: Show, window: GameWindow, settle: Callable[[], None], messages: RecentMessages
) -> None:
    session, options = show.session, stage.options
    # Keyboard, mouse and gamepads are ignored during a replay.
    live = LiveInput(window, session) if stage.replay is None else None
    tools = WindowTools(window, show, game_identity(options.game), _picture_file(options), live, messages)
    last = time.perf_counter()
    shown, begun = 0, False
    try:
        while not (window.closed or session.context.quit_requested):
            window.dispatch()
            unseen = min(window.extent) == 0 and session.shown_elsewhere
            if not unseen:
                show.follow(window.extent)
            now = time.perf_counter()
            session.step(tools.seconds(now - last))
            tools.update(now - last)
            last = now
            switch_plugins(session, window.take_plugin_keys())
            if not begun:
                begun = True
                stage.begin_watching(show)
            stage.begin_frame(session)
            report = show.render_unseen() if unseen else show.render()
            stage.watch(show, report)
            take_wished(show, _picture_file(options))
            if report is None:
                time.sleep(MINIMISED_PAUSE)
            else:
                tools.see(report)
                shown += 1
                if shown == 1:
                    settle()
            if options.frames is not None and shown >= options.frames:
                break
    finally:
        tools.close()
        if live is not None:
            live.close()


def _picture_file(options: PlayOptions) -> Path:
    """The file of a picture that the options do not name."""
    return PICTURES / f"{Path(options.game.partition(':')[0]).stem or 'game'}.png"
