"""The hooks of a frame: its beginning, entities that come and go, the HUD, settings that change."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from plugin_samples import RecordingGraph, host_of
from pydantic import BaseModel, Field

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext, Hud
from renderwright.engine.options import PluginChoice
from renderwright.engine.plugins import FoundPlugin, PluginGraph, PluginState, SceneChange, discovery, hookimpl, host
from renderwright.engine.plugins.scene_change import SceneWatch
from renderwright.engine.scene import Material, Scene
from renderwright.engine.scene.primitives import box
from renderwright.engine.session import Session
from renderwright.render.backend.null import NullBackend
from renderwright.render.errors import PluginError, UsageError

BOX, GREY = box(1.0), Material()


class Settings(BaseModel):
    size: float = Field(18.0, gt=0.0)
    text: str = "plugin"


class Listener:
    """Notes the calls of its hooks; ``fails`` names a hook that raises."""

    def __init__(self, fails: str = "") -> None:
        self.fails = fails
        self.called: list[tuple[Any, ...]] = []

    def _note(self, *call: Any) -> None:
        self.called.append(call)
        if call[0] == self.fails:
            raise ValueError("on purpose")

    @hookimpl
    def renderwright_settings(self) -> type[BaseModel]:
        return Settings

    @hookimpl
    def renderwright_begin_frame(self, time: float) -> None:
        self._note("begin", round(time, 3))

    @hookimpl
    def renderwright_scene_changed(self, change: SceneChange) -> None:
        names = [entity.name for entity in change.spawned]
        assert len(change.spawned_numbers) == len(names)
        self._note("scene", names, change.spawned_numbers.tolist(), change.removed_numbers.tolist())

    @hookimpl
    def renderwright_hud(self, hud: Hud, player: int, settings: Settings) -> None:
        hud.text(1, 1, settings.text, settings.size)
        self._note("hud", player)

    @hookimpl
    def renderwright_setting_changed(self, key: str, settings: Settings) -> None:
        self._note("setting", key, getattr(settings, key))

    @hookimpl
    def renderwright_end_frame(self, rendered: bool) -> None:
        self._note("end", rendered)


class Silent:
    """Implements none of them."""

    @hookimpl
    def renderwright_nodes(self, graph: PluginGraph) -> None:
        pass


class Stage(Game):
    """A box from the beginning on."""

    plugins = ("listener",)
    skeleton = "forward"

    def setup(self, context: GameContext) -> None:
        context.scene.spawn(BOX, GREY, name="first")

    def draw(self, alpha: float) -> None:
        self.context.hud.text(1, 1, "game")


def _session(monkeypatch: pytest.MonkeyPatch, plugin: object, **options: Any) -> Session:
    found = (*discovery.find_plugins(), FoundPlugin("listener", lambda: plugin))
    monkeypatch.setattr(host, "find_plugins", lambda: found)
    clock = FixedStepClock(Stage.step, frame=1 / 60)
    return Session(Stage, NullBackend(), (64, 36), choice=PluginChoice(), clock=clock, **options)


def _frame(session: Session) -> None:
    session.step()
    session.render(session.backend.create_target((64, 36)))


def test_a_frame_from_its_beginning_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    plugin = Listener()
    with closing(_session(monkeypatch, plugin)) as session:
        _frame(session)
        scene = session.context.scene
        first, second = scene.entities[0], scene.spawn(BOX, GREY, name="second")
        _frame(session)
        scene.remove(first)
        third = scene.spawn(BOX, GREY, name="third")
        _frame(session)
        third.material = Material()
        _frame(session)
        assert second in scene.entities
    huds = [call for call in plugin.called if call[0] == "hud"]
    assert huds == [("hud", 0)] * 4
    assert [call for call in plugin.called if call[0] != "hud"] == [
        ("begin", 0.017),
        ("scene", ["first"], [0], []),
        ("end", True),
        ("begin", 0.033),
        ("scene", ["second"], [1], []),
        ("end", True),
        ("begin", 0.05),
        ("scene", ["third"], [2], [0]),
        ("end", True),
        ("begin", 0.067),
        ("end", True),
    ]


def test_another_scene_is_told_as_a_whole() -> None:
    watch, first, second = SceneWatch(), Scene(), Scene()
    first.spawn(BOX, GREY, name="one")
    second.spawn_many(BOX, GREY, [(0, 0, 0), (1, 0, 0)])
    assert watch.change(first) is not None
    assert watch.change(first) is None
    change = watch.change(second)
    assert change is not None
    assert (len(change.spawned), change.spawned_numbers.tolist(), change.removed_numbers.tolist()) == (2, [0, 1], [0])
    second.remove(change.spawned[0])
    later = watch.change(second)
    assert later is not None
    assert (len(later.spawned), later.removed_numbers.tolist()) == (0, [0])


def test_a_plugin_draws_over_the_games_hud(monkeypatch: pytest.MonkeyPatch) -> None:
    def drawn(plugin: object) -> int:
        with closing(_session(monkeypatch, plugin)) as session:
            _frame(session)
            return sum(len(vertices) for vertices in session._huds.vertices())

    with_plugin, without = drawn(Listener()), drawn(Silent())
    assert with_plugin > without > 0


@pytest.mark.parametrize("hook", ["begin", "scene", "hud"])
def test_a_plugin_that_raises_in_a_frame_is_quarantined_and_the_game_goes_on(
    monkeypatch: pytest.MonkeyPatch, hook: str
) -> None:
    plugin = Listener(hook)
    with closing(_session(monkeypatch, plugin)) as session:
        _frame(session)
        status = session.plugins.status("listener")
        assert status.state is PluginState.QUARANTINED
        assert "on purpose" in status.reason
        assert "renderwright_" in status.traceback
        calls = len(plugin.called)
        _frame(session)
        assert len(plugin.called) == calls, "it is called no more"
        plugin.fails = ""
        session.plugins.retry("listener")
        _frame(session)
        assert ("scene", ["first"], [0], []) in plugin.called[calls:], "and is told of the scene once more"


@pytest.mark.parametrize("hook", ["begin", "scene", "hud"])
def test_strict_makes_it_an_error(monkeypatch: pytest.MonkeyPatch, hook: str) -> None:
    with (
        closing(_session(monkeypatch, Listener(hook), strict=True)) as session,
        pytest.raises(PluginError, match=r'"listener" has failed.*on purpose'),
    ):
        _frame(session)


def test_a_setting_that_changes_is_told_to_its_plugin_alone() -> None:
    plugins = {"listener": Listener(), "other": Listener()}
    plugin_host = host_of(plugins, RecordingGraph())
    plugin_host.start()
    plugin_host.set("listener", "size", 20.0)
    with pytest.raises(UsageError):
        plugin_host.set("listener", "size", -1.0)
    plugin_host.disable("listener")
    plugin_host.set("listener", "text", "off")
    assert plugins["listener"].called == [("setting", "size", 20.0)]
    assert plugins["other"].called == []
    plugins["listener"].fails = "setting"
    plugin_host.enable("listener")
    assert plugin_host.set("listener", "text", "on").state is PluginState.QUARANTINED


def test_their_calls_are_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(_session(monkeypatch, Listener())) as session:
        _frame(session)
        session.plugins.set("listener", "text", "more")
        timed = {row.hook for row in session.plugins.hook_times.rows() if row.plugin == "listener"}
    names = ("begin_frame", "scene_changed", "hud", "setting_changed", "end_frame")
    assert {f"renderwright_{name}" for name in names} <= timed


def test_a_frame_of_plugins_without_them_looks_at_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_numbers(scene: Scene) -> Any:
        raise AssertionError("nobody wants to know")

    monkeypatch.setattr(Scene, "numbers", no_numbers)
    asked: list[str] = []
    with closing(_session(monkeypatch, Silent())) as session:
        _frame(session)
        hooks = session.plugins.frame_hooks
        enabled: Callable[[], Any] = hooks._enabled
        monkeypatch.setattr(hooks, "_enabled", lambda: asked.append("asked") or enabled())
        session.context.scene.spawn(BOX, GREY)
        for _ in range(3):
            _frame(session)
    assert asked == []
