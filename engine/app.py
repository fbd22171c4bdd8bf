"""Plays a game from the command line's options."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from engine.clock import HEADLESS_FRAME, FixedStepClock
from engine.game import Game
from engine.games import find_game
from engine.input.mapping import InputMap
from engine.input.pyglet_source import PygletSource
from engine.input.replay import ReplaySource, load_replay
from engine.input.source import InputSource
from engine.options import BackendName, PlayOptions
from engine.picture import check_picture_path, save_png
from engine.session import Session
from engine.window import GameWindow, has_display
from render.backend.null.backend import NullBackend
from render.backend.protocol import Backend, Target
from render.errors import UsageError
from render.graph.resources import Extent

DEFAULT_EXTENT = (1280, 720)
HEADLESS_FRAMES = 60
MINIMISED_PAUSE = 0.05


def play(options: PlayOptions) -> int:
    """Run a game as the options say; the process's exit code."""
    game = find_game(options.game)
    replay = _replay(game, options)
    asked_headless = options.headless or options.backend is BackendName.NULL
    headless = asked_headless or not has_display()
    if headless and options.screenshot is None:
        options = replace(options, screenshot=Path("out") / f"{_file_name(options.game)}.png")
    if options.screenshot is not None:
        check_picture_path(options.screenshot)
    backend = make_backend(options)
    # Log files and pipes have no width to wrap lines for.
    console = Console(stderr=True, soft_wrap=True, markup=False, emoji=False, highlight=False)
    if headless and not asked_headless:
        console.print("There is no display (DISPLAY is not set): playing headless.")
    try:
        if headless:
            _play_headless(game, options, replay, backend, console)
        else:
            _play_in_window(game, options, replay, backend, console)
    finally:
        backend.close()
    return _validation_verdict(options, backend, console)


def make_backend(options: PlayOptions) -> Backend:
    """The backend that the options ask for."""
    if options.backend is BackendName.NULL:
        return NullBackend()
    from render.backend.vulkan.backend import VulkanBackend

    device = options.device or os.environ.get("FRAMEWRIGHT_DEVICE", "")
    return VulkanBackend(device, validate=options.validate)


def _play_headless(
    game: type[Game], options: PlayOptions, replay: InputSource | None, backend: Backend, console: Console
) -> None:
    extent = options.size or DEFAULT_EXTENT
    frames = options.frames or HEADLESS_FRAMES
    session = Session(
        game,
        backend,
        extent,
        choice=options.plugins,
        strict=options.strict,
        seed=options.seed,
        clock=FixedStepClock(game.step, frame=HEADLESS_FRAME),
        source=replay,
    )
    target = None
    try:
        target = backend.create_target(extent)
        console.print(_headline(game, backend))
        with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
            task = progress.add_task(f"rendering {frames} frames", total=frames)
            for _ in range(frames):
                session.step()
                session.render(target)
                progress.advance(task)
                if session.context.quit_requested:
                    break
        picture = session.picture()
        console.print(_summary(session))
        if options.screenshot is not None:
            save_png(options.screenshot, picture)
            console.print(f"The last of {session.runtime.frame} frames is in {options.screenshot}")
    finally:
        session.close()
        if target is not None:
            target.close()


def _play_in_window(
    game: type[Game], options: PlayOptions, replay: InputSource | None, backend: Backend, console: Console
) -> None:
    window = GameWindow(game.title, options.size or DEFAULT_EXTENT)
    try:
        target = backend.create_target(window.extent, window.window)
        try:
            session = Session(
                game,
                backend,
                target.extent,
                choice=options.plugins,
                strict=options.strict,
                seed=options.seed,
                clock=FixedStepClock(game.step, frame=HEADLESS_FRAME if replay else None),
                source=replay,
            )
            try:
                console.print(_headline(game, backend))
                console.print(f"Plugins are switched on and off with {_switches(session)}.")
                _window_loop(session, window, target, options, console)
                if options.screenshot is not None:
                    _screenshot(session, target.extent, options.screenshot, console)
            finally:
                session.close()
        finally:
            target.close()
    finally:
        window.close()


def _window_loop(session: Session, window: GameWindow, target: Target, options: PlayOptions, console: Console) -> None:
    source = None
    if session.runner.source is None:
        # A replay is alone at the controls; otherwise a person is.
        source = session.runner.source = PygletSource(window.window, session.context.input)
    last = time.perf_counter()
    shown = 0
    try:
        while not (window.closed or session.context.quit_requested):
            window.dispatch()
            if window.extent != target.extent:
                target.resize(window.extent)
            now = time.perf_counter()
            session.step(now - last)
            last = now
            switch_plugins(session, window.take_function_keys(), console)
            if session.render(target) is None:
                time.sleep(MINIMISED_PAUSE)
            else:
                shown += 1
            if options.frames is not None and shown >= options.frames:
                break
    finally:
        if source is not None:
            source.close()


def switch_plugins(session: Session, function_keys: Sequence[int], console: Console) -> None:
    """F1, F2, ... switch the plugins on and off, in the order of their names."""
    plugins = session.plugins.plugins()
    for number in function_keys:
        if number <= len(plugins):
            name = plugins[number - 1].name
            try:
                console.print(f"{name} is {'on' if session.toggle(name) else 'off'}")
            except UsageError as error:
                console.print(f"{name} stays off: {error.message}")


def _switches(session: Session) -> str:
    plugins = session.plugins.plugins()[:12]
    return ", ".join(f"F{number} {plugin.name}" for number, plugin in enumerate(plugins, start=1))


def _screenshot(session: Session, extent: Extent, path: Path, console: Console) -> None:
    target = session.backend.create_target(extent)
    try:
        session.render(target)
        save_png(path, session.picture())
        console.print(f"The last frame is in {path}")
    finally:
        session.backend.wait_idle()
        target.close()


def _replay(game: type[Game], options: PlayOptions) -> InputSource | None:
    if options.replay is None:
        return None
    names = InputMap.from_dict(game.controls) if game.controls else None
    return ReplaySource(load_replay(options.replay, names), game.step)


def _headline(game: type[Game], backend: Backend) -> str:
    return f"{game.title} on {backend.capabilities.device} ({backend.capabilities.backend})"


def _summary(session: Session) -> str:
    plan = session.runtime.plan
    passes = sum(1 for one in plan.state.passes if one.attachments)
    on = [plugin.name for plugin in session.plugins.plugins() if session.plugins.is_enabled(plugin.name)]
    megabytes = session.runtime.heap_bytes / 2**20
    return (
        f"{len(plan.graph.nodes)} nodes in {passes} render passes, {megabytes:.1f} MiB of transient memory; "
        f"plugins: {', '.join(on) or 'none'}"
    )


def _file_name(game: str) -> str:
    return Path(game.partition(":")[0]).stem or "game"


def _validation_verdict(options: PlayOptions, backend: Backend, console: Console) -> int:
    if not options.validate:
        return 0
    messages = getattr(backend, "validation_messages", ())
    for message in messages:
        console.print(f"validation {message.severity}: {message.id}: {message.text}")
    console.print(f"validation: {len(messages)} message{'' if len(messages) == 1 else 's'}")
    return 1 if messages else 0
