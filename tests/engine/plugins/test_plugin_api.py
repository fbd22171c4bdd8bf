"""The version of the plugin API that a plugin asks for."""

from __future__ import annotations

from typing import Any

import pytest
from plugin_samples import Plain, RecordingGraph, host_of

from renderwright.engine.plugins import PluginGraph, PluginInfo, PluginState, hookimpl
from renderwright.engine.plugins.info import SUPPORTED_APIS
from renderwright.render.errors import PluginError


class _OfApi:
    """A plugin of another API, with a hook of that API, which notes the calls of its hooks."""

    def __init__(self, api: str) -> None:
        self.api = api
        self.called: list[str] = []

    @hookimpl
    def renderwright_info(self) -> PluginInfo:
        self.called.append("info")
        return PluginInfo("later", "1.0", api=self.api)

    @hookimpl
    def renderwright_settings(self) -> None:
        self.called.append("settings")

    @hookimpl
    def renderwright_nodes(self, graph: PluginGraph) -> None:
        self.called.append("nodes")


class _WithLaterHooks(_OfApi):
    @hookimpl
    def renderwright_something_later(self, window: Any) -> None:
        self.called.append("later")


@pytest.mark.parametrize("kind", [_OfApi, _WithLaterHooks])
def test_a_plugin_of_another_api_is_refused_before_its_hooks_run(kind: type[_OfApi]) -> None:
    plugin, graph = kind("2"), RecordingGraph()
    host = host_of({"later": plugin, "plain": Plain()}, graph)
    host.start()
    status = host.status("later")
    assert status.state is PluginState.BROKEN
    assert status.reason == (
        'plugin "later" needs plugin API 2; this version of renderwright has API 1\n'
        "  install a version of renderwright with that API, or a version of the plugin for this one"
    )
    assert plugin.called == ["info"]
    assert graph.nodes == {"plain/only": "plain"}


def test_strict_makes_another_api_an_error() -> None:
    with pytest.raises(PluginError, match="needs plugin API 2"):
        host_of({"later": _OfApi("2")}, strict=True).start()


def test_a_plugin_of_a_supported_api_runs_and_is_asked_for_its_info_once() -> None:
    for api in SUPPORTED_APIS:
        plugin = _OfApi(api)
        assert host_of({"later": plugin}).enable("later").state is PluginState.ENABLED
        assert plugin.called == ["info", "settings", "nodes"]


def test_a_plugin_that_names_no_api_is_for_the_first() -> None:
    assert PluginInfo("plain", "1.0").api == "1"


def test_info_under_another_name_counts() -> None:
    class Renamed:
        @hookimpl(specname="renderwright_info")
        def describe(self) -> PluginInfo:
            return PluginInfo("later", "1.0", api="7")

    assert "needs plugin API 7" in host_of({"later": Renamed()}).load("later").reason
