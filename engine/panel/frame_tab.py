"""The frame as a whole: players and their gamepads, the recording of their input, sizes, memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from slimgui import imgui

from renderwright.engine.input.gamepads import Gamepads
from renderwright.engine.panel.tab import Edit
from renderwright.engine.panel.texts import note
from renderwright.engine.players import SPLIT_SCREEN
from renderwright.engine.plugins import PluginState
from renderwright.engine.session import Session
from renderwright.render.compiler.values.placement import PlacedResource
from renderwright.render.compiler.values.plan import Plan


@dataclass(frozen=True)
class PlayersTools:
    """The gamepads of the players, and what saves a replay of their input and says where it is."""

    gamepads: Gamepads
    save_replay: Callable[[], str]


class FrameTab:
    """Players, and what the plan of the frame has. Without ``tools`` the players are those of a replay."""

    name = "frame"

    def __init__(self, tools: PlayersTools | None) -> None:
        self._tools = tools
        self._told = ""

    def draw(self, session: Session) -> Iterator[Edit]:
        """See ``Tab``."""
        yield from self._players(session)
        if self._tools is not None:
            yield from _gamepads(self._tools.gamepads, session.runner.game.max_players)
            if imgui.button("save a replay"):
                yield partial(self._save_replay, self._tools)
            if self._told:
                note(self._told)
        runtime = session.runtime
        plan = runtime.plan
        width, height = session.extent
        imgui.text(f"output {width}x{height} on {session.backend.capabilities.device}")
        for name, extent in plan.placement.extents:
            note(f"{name} {extent[0]}x{extent[1]}")
        if session.dynamic_resolution is not None:
            imgui.text(f"dynamic resolution: {session.dynamic_resolution.controller.told_changes}")
        passes = sum(1 for each in plan.pass_plan.passes if each.attachments)
        imgui.text(f"{len(plan.graph.nodes)} nodes in {passes} render passes, frame {runtime.frame}")
        if runtime.behind:
            note("a new plan is being compiled")
        _memory(plan, runtime.heap_bytes)

    def _players(self, session: Session) -> Iterator[Edit]:
        least, most = session.runner.game.min_players, session.runner.game.max_players
        if least == most:
            return
        imgui.begin_disabled(self._tools is None)
        changed, players = imgui.slider_int("players", session.context.players, least, most)
        imgui.end_disabled()
        if changed:
            yield partial(_seat, session, players)

    def _save_replay(self, tools: PlayersTools) -> None:
        self._told = tools.save_replay()


def _seat(session: Session, players: int) -> None:
    """Let so many players play, and show them all if nobody has decided otherwise."""
    session.set_players(players)
    waiting = {status.name for status in session.plugins.plugins() if status.state is PluginState.AVAILABLE}
    if players > 1 and SPLIT_SCREEN in waiting:
        session.toggle(SPLIT_SCREEN)


def _gamepads(gamepads: Gamepads, players: int) -> Iterator[Edit]:
    """Who has which gamepad. A choice exchanges it with the one that the player has."""
    names = gamepads.names
    if not any(names):
        note("no gamepad is plugged in")
        return
    shown = [f"{name or 'none'}##{place}" for place, name in enumerate(names)]
    for player in range(min(players, len(names))):
        changed, place = imgui.combo(f"gamepad of player {player + 1}", player, shown)
        if changed:
            yield partial(gamepads.exchange, player, place)


def _memory(plan: Plan, heap_bytes: int) -> None:
    """The heaps, and the resources that take most of them."""
    imgui.separator_text(f"{heap_bytes / 2**20:.1f} MiB of transient memory")
    placed = sorted(
        (each for each in plan.placement.resources if each.copies), key=lambda each: -each.size * _copies(each)
    )
    flags = imgui.TableFlags.ROW_BG | imgui.TableFlags.SIZING_STRETCH_PROP | imgui.TableFlags.SCROLL_Y
    if imgui.begin_table("memory", 3, flags, (0.0, 220.0)):
        imgui.table_setup_scroll_freeze(0, 1)
        for heading in ("resource", "MiB", "copies"):
            imgui.table_setup_column(heading)
        imgui.table_headers_row()
        for each in placed:
            for cell in (each.id, f"{each.size / 2**20:.2f}", str(_copies(each))):
                imgui.table_next_column()
                imgui.text(cell)
        imgui.end_table()


def _copies(resource: PlacedResource) -> int:
    """How many copies take memory; those of a kept resource are one."""
    return 1 if resource.kept else len(resource.copies)
