"""What the terminal says of a game that is played: at its beginning, and at its end."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from renderwright.engine.backends import way_to_vulkan
from renderwright.engine.game import Game
from renderwright.engine.messages import say
from renderwright.engine.options import BackendName, PlayOptions
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import Backend
from renderwright.render.runtime.recording import Recording


def headline(game: type[Game], backend: Backend, no_vulkan: str = "") -> str:
    """The game and its device; ``no_vulkan`` is why that is another one than Vulkan's, '' if it was asked for."""
    why = f": {no_vulkan}" if no_vulkan else ""
    return f"{game.title} on {backend.capabilities.device} ({backend.capabilities.backend}{why})"


def summary(session: Session) -> str:
    """The last frame: its nodes, memory and plugins."""
    plan = session.runtime.plan
    passes = sum(1 for one in plan.pass_plan.passes if one.attachments)
    present = {node.declaration.name for node in plan.graph.nodes}
    enabled = [plugin for plugin in session.plugins.plugins() if session.plugins.is_enabled(plugin.name)]
    idle = [plugin.name for plugin in enabled if plugin.nodes and present.isdisjoint(plugin.nodes)]
    on = [plugin.name for plugin in enabled if plugin.name not in idle]
    megabytes = session.runtime.heap_bytes / 2**20
    summary = (
        f"{len(plan.graph.nodes)} nodes in {passes} render passes, {megabytes:.1f} MiB of transient memory; "
        f"plugins: {', '.join(on) or 'none'}"
    )
    if idle:
        summary += f"; enabled without any node in the frame: {', '.join(idle)}"
    if session.dynamic_resolution is not None:
        width, height = session.dynamic_resolution.extent
        changes = session.dynamic_resolution.controller.told_changes
        summary += f"\ndynamic resolution: {width}x{height} in the end, after {changes}"
    return summary


def where_the_picture_is(file: Path, frames: int, backend: Backend) -> str:
    """The file of the last of some frames, and that there is nothing to see in it if the backend draws nothing."""
    said = f"The last of {frames} frames is in {file}"
    if backend.capabilities.backend != BackendName.NULL:
        return said
    return f"{said}\n  it is black, since the null backend draws nothing: {way_to_vulkan(BackendName.NULL)}"


def say_checks(options: PlayOptions, session: Session) -> None:
    """Say what the checks of the options have found in all frames; each finding was logged when it came."""
    frames, found = _number(session.runtime.frame, "frame"), session.check_reports
    if options.verify:
        say(f"verify: {_number(found.unsound_plans, 'plan')} with hazards in {frames}")
    if options.check is not None or options.recording is Recording.VERIFIED:
        say(f"check: {_number(found.findings, 'finding')} in {frames}")
    if (comparisons := session.runtime.recordings.comparisons) is not None:
        say(f"recording: {_number(comparisons.number, 'stable node')} compared with what they keep")
        for why, nodes in comparisons.lacking.items():
            say(f"  not compared, since {why}: {', '.join(nodes)}")


def say_validation(opened: Iterable[Backend]) -> int:
    """Say how many messages of the driver's validation there were, each of which was logged when it came; the exit
    code."""
    number = sum(len(getattr(backend, "validation_messages", ())) for backend in opened)
    say(f"validation: {_number(number, 'message')}")
    return 1 if number else 0


def _number(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"
