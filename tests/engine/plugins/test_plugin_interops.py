"""Plugins that bring another API to the device: asked before it is opened, told of ends of frames and of being off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from plugin_samples import GlowSettings, Plain, host_of
from pydantic import BaseModel

from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.plugins import FoundPlugin, PluginGraph, PluginState, find_interops, hookimpl
from renderwright.engine.scene import Camera
from renderwright.engine.views import ViewSet
from renderwright.render.backend.interop import Interop
from renderwright.render.errors import PluginError
from tests.undemanding import Undemanding

VIEWS = ViewSet.of((Camera(),), (64, 36))


@dataclass(frozen=True)
class NoDevice(Undemanding):
    """An interop that wants nothing of the device."""

    blurs: int
    name = "no device"

    def opened(self, backend: Any) -> None:
        """Nothing to do."""

    def closing(self) -> None:
        """Nothing to do."""

    def refused(self, error: Exception) -> None:
        """Nothing to do."""


class Bridge:
    """A plugin with an interop; ``fails`` names hooks that raise."""

    def __init__(self, *fails: str) -> None:
        self.fails = fails
        self.told: list[tuple[str, Any]] = []

    def _called(self, hook: str, told: Any) -> None:
        self.told.append((hook, told))
        if hook in self.fails:
            raise ValueError(f"{hook} is out of order")

    @hookimpl
    def renderwright_settings(self) -> type[BaseModel]:
        return GlowSettings

    @hookimpl
    def renderwright_interop(self, settings: GlowSettings) -> Any:
        self._called("interop", settings.blurs)
        return NoDevice(settings.blurs) if settings.blurs else None

    @hookimpl
    def renderwright_nodes(self, graph: PluginGraph, interop: Interop | None) -> None:
        self._called("nodes", interop)

    @hookimpl
    def renderwright_views(self, views: ViewSet, interop: Interop | None) -> ViewSet:
        self._called("views", interop)
        return views

    @hookimpl
    def renderwright_end_frame(self, rendered: bool, interop: Interop | None) -> None:
        self._called("end_frame", (rendered, interop))

    @hookimpl
    def renderwright_disabled(self, interop: Interop | None) -> None:
        self._called("disabled", interop)


def found(**plugins: Any) -> list[FoundPlugin]:
    def load(name: str) -> Any:
        if isinstance(plugins[name], Exception):
            raise plugins[name]
        return plugins[name]

    return [FoundPlugin(name, lambda name=name: load(name)) for name in plugins]  # type: ignore[misc]


def test_plugins_that_are_to_be_on_are_asked_with_their_settings() -> None:
    plugins = found(a=Bridge(), b=Bridge(), c=Bridge(), d=Bridge(), plain=Plain())
    settings = (SettingChange("a", "blurs", "3"), SettingChange("b", "blurs", "0"))
    choice = PluginChoice(enable=("b", "d"), disable=("c",), settings=settings)
    environment = {"RENDERWRIGHT_BLOCK_PLUGINS": "d"}
    interops = find_interops(("a", "c", "plain", "unknown"), choice, plugins, environment)
    assert interops == {"a": NoDevice(3)}


def test_plugins_are_asked_with_their_remembered_settings_and_those_of_the_command_line_on_top() -> None:
    plugins = found(a=Bridge(), b=Bridge())
    remembered = (SettingChange("a", "blurs", 4), SettingChange("b", "blurs", 2), SettingChange("b", "gone", 1))
    choice = PluginChoice(settings=(SettingChange("a", "blurs", "3"),), remembered=remembered)
    assert find_interops(("a", "b"), choice, plugins, {}) == {"a": NoDevice(3), "b": NoDevice(2)}


def test_a_plugin_that_cannot_be_asked_is_left_to_the_host() -> None:
    plugins = found(broken=ImportError("gone"), wrong=Bridge(), fine=Bridge())
    choice = PluginChoice(settings=(SettingChange("wrong", "blurs", "many"),))
    assert find_interops([plugin.name for plugin in plugins], choice, plugins, {}) == {"fine": NoDevice(1)}


class NoInterop:
    @hookimpl
    def renderwright_interop(self) -> Any:
        return 42

    @hookimpl
    def renderwright_nodes(self, graph: PluginGraph) -> None:
        """No nodes."""


@pytest.mark.parametrize(
    ("plugin", "words"),
    [
        (Bridge("interop"), "ValueError: interop is out of order"),
        (NoInterop(), "renderwright_interop returns 42, which is no Interop"),
    ],
)
def test_a_plugin_whose_interop_fails_is_quarantined(plugin: object, words: str) -> None:
    plugins = found(failing=plugin)
    interops = find_interops(["failing"], PluginChoice(), plugins, {})
    with pytest.raises(PluginError):
        interops["failing"].instance_extensions(frozenset())
    host = host_of({"failing": plugin}, interops=interops)
    host.start()
    assert host.status("failing").state is PluginState.QUARANTINED
    assert words in host.status("failing").reason


def test_hooks_get_the_plugin_s_own_interop() -> None:
    with_one, without = Bridge(), Bridge()
    interop: Any = object()
    host = host_of({"with_one": with_one, "without": without}, interops={"with_one": interop})
    host.start()
    host.arrange(VIEWS, ("view",))
    host.end_frame(rendered=True)
    host.end_frame(rendered=False)
    host.disable("with_one")
    host.disable("with_one")
    host.end_frame(rendered=True)
    ends = [("end_frame", (True, interop)), ("end_frame", (False, interop))]
    assert with_one.told == [("nodes", interop), ("views", interop), *ends, ("disabled", interop)]
    assert without.told[-1] == ("end_frame", (True, None))


@pytest.mark.parametrize("hook", ["nodes", "views", "end_frame"])
def test_a_plugin_that_fails_is_quarantined_and_told(hook: str) -> None:
    bridge = Bridge(hook)
    host = host_of({"bridge": bridge})
    host.start()
    host.arrange(VIEWS, ("view",))
    host.end_frame(rendered=True)
    status = host.status("bridge")
    assert status.state is PluginState.QUARANTINED
    assert f"{hook} is out of order" in status.reason
    assert [name for name, _ in bridge.told][-2:] == [hook, "disabled"]


def test_a_failure_at_the_end_of_a_frame_is_fatal_where_failures_are() -> None:
    host = host_of({"bridge": Bridge("end_frame")}, strict=True)
    host.start()
    with pytest.raises(PluginError, match="end_frame is out of order"):
        host.end_frame(rendered=True)


def test_a_failure_while_switched_off_is_told_and_changes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    host = host_of({"bridge": Bridge("disabled")})
    host.start()
    assert host.disable("bridge").state is PluginState.DISABLED
    assert 'plugin "bridge" failed in renderwright_disabled' in caplog.text


def test_hooks_follow_the_frames_rather_than_the_switch() -> None:
    bridge = Bridge()
    host = host_of({"bridge": bridge})
    waiting: list[Callable[[], None]] = []

    def switch() -> list[str]:
        """The plan takes over that knows all edits; what the plugin has been told since the last one."""
        for action in waiting:
            action()
        waiting.clear()
        told, bridge.told = bridge.told, []
        return [f"{hook} {what[0]}" if hook == "end_frame" else hook for hook, what in told]

    host.follow(waiting.append)
    host.enable("bridge")
    host.arrange_shown(VIEWS)
    host.end_frame(rendered=True)
    assert switch() == ["nodes", "end_frame False"]
    host.disable("bridge")
    host.arrange(VIEWS, ("view",))
    host.arrange_shown(VIEWS)
    host.end_frame(rendered=True)
    assert [hook for hook, _ in bridge.told] == ["views", "end_frame"]
    assert switch() == ["views", "end_frame True", "disabled"]
    host.end_frame(rendered=True)
    assert switch() == []


def test_a_plugin_that_is_back_before_the_frames_are_without_it_has_never_left() -> None:
    bridge = Bridge()
    host = host_of({"bridge": bridge})
    host.enable("bridge")
    waiting: list[Callable[[], None]] = []
    host.follow(waiting.append)
    host.disable("bridge")
    host.enable("bridge")
    for action in waiting:
        action()
    host.end_frame(rendered=True)
    assert [hook for hook, _ in bridge.told] == ["nodes", "nodes", "end_frame"]


def test_a_plugin_that_fails_on_its_way_out_is_left_alone() -> None:
    bridge = Bridge("views", "end_frame")
    host = host_of({"bridge": bridge})
    host.enable("bridge")
    host.follow([].append)
    host.disable("bridge")
    assert host.arrange_shown(VIEWS) is VIEWS
    assert host.arrange_shown(VIEWS) is VIEWS
    host.end_frame(rendered=True)
    assert [hook for hook, _ in bridge.told] == ["nodes", "views"]
    assert host.status("bridge").state is PluginState.DISABLED
