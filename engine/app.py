"""Plays a game from the command line's options."""

from __future__ import annotations

import logging
import os
import time
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from engine.clock import HEADLESS_FRAME, FixedStepClock
from engine.frame import build_frame
from engine.game import Game
from engine.games import find_game
from engine.input.mapping import InputMap
from engine.input.pyglet_source import PygletSource
from engine.input.replay import ReplaySource, load_replay
from engine.input.source import InputSource
from engine.input.state import InputState
from engine.options import BackendName, PlanOptions, PlayOptions
from engine.renderer.frame_input import FrameInput
from engine.renderer.gpu_scene import GpuScene
from engine.scene.scene import Scene
from engine.session import Session, save_png
from engine.window import GameWindow, has_display
from render.backend.null.backend import NullBackend
from render.backend.protocol import Backend, Target
from render.compiler.pipeline import compile_snapshot
from render.compiler.plan import Plan
from render.compiler.snapshot import CompileOptions
from render.errors import PluginError
from render.graph.resources import Extent
from render.memory.needs import RowMajorModel

log = logging.getLogger("framewright.app")

DEFAULT_EXTENT = (1280, 720)
HEADLESS_FRAMES = 60
MINIMISED_PAUSE = 0.05


def play(options: PlayOptions) -> int:
    """Run a game as the options say; the process's exit code."""
    game = find_game(options.game)
    console = Console(stderr=True)
    headless = options.headless or options.backend is BackendName.NULL
    if not headless and not has_display():
        console.print("There is no display (DISPLAY is not set): playing headless.")
        headless = True
    backend = make_backend(options)
    console.print(f"{game.title} on {backend.capabilities.device} ({backend.capabilities.backend})", highlight=False)
    try:
        if headless:
            _play_headless(game, options, backend, console)
        else:
            _play_in_window(game, options, backend, console)
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


def plan_of(options: PlanOptions) -> Plan:
    """The plan of a game's frame, compiled without a GPU."""
    game = find_game(options.source)
    backend = NullBackend()
    scene = Scene()
    frame = FrameInput.of(scene, GpuScene(backend))
    built = build_frame(game, options.plugins, options.size, frame, backend="vulkan")
    for dimension, count in options.counts:
        built.graph.set_count(dimension, count)
    for name, extent in options.resolutions:
        built.graph.set_resolution(name, extent)
    failures = built.graph.declare()
    if failures:
        failure = failures[0]
        raise PluginError(f'node "{failure.source.name}" cannot be declared: {failure.error}') from failure.error
    return compile_snapshot(
        built.graph.snapshot(), built.graph.sizes(), CompileOptions(order=options.order), RowMajorModel()
    )


def _play_headless(game: type[Game], options: PlayOptions, backend: Backend, console: Console) -> None:
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
        source=_replay(game, options),
    )
    target = backend.create_target(extent)
    try:
        with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
            task = progress.add_task(f"rendering {frames} frames", total=frames)
            for _ in range(frames):
                session.step()
                session.render(target)
                progress.advance(task)
                if session.context.quit_requested:
                    break
        path = options.screenshot or Path("out") / f"{_file_name(options.game)}.png"
        save_png(path, session.picture(target))
        console.print(_summary(session), highlight=False)
        console.print(f"The last of {session.runtime.frame} frames is in {path}", highlight=False)
    finally:
        session.close()
        target.close()


def _play_in_window(game: type[Game], options: PlayOptions, backend: Backend, console: Console) -> None:
    window = GameWindow(game.title, options.size or DEFAULT_EXTENT)
    try:
        target = backend.create_target(window.extent, window.window)
        try:
            replay = _replay(game, options)
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
                _window_loop(session, window, target, options)
                if options.screenshot is not None:
                    _screenshot(session, target.extent, options.screenshot, console)
            finally:
                session.close()
        finally:
            target.close()
    finally:
        window.close()


def _window_loop(session: Session, window: GameWindow, target: Target, options: PlayOptions) -> None:
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
            _switch_plugins(session, session.context.input)
            if session.render(target) is None:
                time.sleep(MINIMISED_PAUSE)
            else:
                shown += 1
            if options.frames is not None and shown >= options.frames:
                break
    finally:
        if source is not None:
            source.close()


def _switch_plugins(session: Session, state: InputState) -> None:
    """F1, F2, ... switch the game's plugins on and off, in the order of their names."""
    for number, plugin in enumerate(session.plugins.plugins(), start=1):
        if number <= 12 and state.pressed(f"f{number}"):
            on = session.toggle(plugin.name)
            log.warning("%s is %s", plugin.name, "on" if on else "off")


def _screenshot(session: Session, extent: Extent, path: Path, console: Console) -> None:
    target = session.backend.create_target(extent)
    try:
        session.render(target)
        save_png(path, session.picture(target))
        console.print(f"The last frame is in {path}", highlight=False)
    finally:
        session.backend.wait_idle()
        target.close()


def _replay(game: type[Game], options: PlayOptions) -> InputSource | None:
    if options.replay is None:
        return None
    names = InputMap.from_dict(game.controls) if game.controls else None
    return ReplaySource(load_replay(options.replay, names), game.step)


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
        console.print(f"validation {message.severity}: {message.id}: {message.text}", markup=False, highlight=False)
    console.print(f"validation: {len(messages)} message{'' if len(messages) == 1 else 's'}", highlight=False)
    return 1 if messages else 0
