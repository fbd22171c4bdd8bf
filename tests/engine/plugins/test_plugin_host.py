"""Switching plugins on and off, and changing their settings."""

from __future__ import annotations

import pytest
from plugin_samples import Glow, GlowSettings, Plain, RecordingGraph, host_of, nodes_plugin

from renderwright.engine.plugins import PluginGraph, PluginInfo, PluginState, hookimpl
from renderwright.render.errors import PluginError, UsageError
from renderwright.render.graph.frame_graph import FrameGraph


def test_enabling_adds_the_nodes_under_the_plugins_name() -> None:
    graph = RecordingGraph()
    host = host_of({"glow": Glow(), "plain": Plain()}, graph)
    assert [status.state for status in host.plugins()] == [PluginState.AVAILABLE] * 2
    status = host.enable("glow")
    assert status.state is PluginState.ENABLED
    assert status.nodes == ("glow/extract", "glow/blur0")
    assert graph.nodes == {"glow/extract": "glow", "glow/blur0": "glow"}
    assert status.info == PluginInfo("glow", "2.0", "Lets things glow.")


def test_disabling_takes_only_its_own_nodes_out_and_keeps_the_settings() -> None:
    graph = RecordingGraph()
    host = host_of({"glow": Glow(), "plain": Plain()}, graph)
    host.start()
    host.set("glow", "amount", "0.25")
    status = host.disable("glow")
    assert (status.state, status.reason) == (PluginState.DISABLED, "switched off")
    assert graph.nodes == {"plain/only": "plain"}
    settings = host.enable("glow").settings
    assert isinstance(settings, GlowSettings)
    assert settings.amount == 0.25


def test_enabling_twice_changes_nothing() -> None:
    graph = FrameGraph()
    host = host_of({"plain": Plain()}, graph)  # type: ignore[arg-type]
    host.enable("plain")
    revision = graph.revision
    host.enable("plain")
    assert (graph.revision, graph.node_names) == (revision, ("plain/only",))


def test_the_hosts_nodes_declare_in_a_real_frame_graph() -> None:
    def declare(reg):  # type: ignore[no-untyped-def]
        reg.side_effects()

    graph = FrameGraph()
    host = host_of({"mist": nodes_plugin(lambda nodes: nodes.add_node("draw", declare))}, graph)  # type: ignore[arg-type]
    host.enable("mist")
    assert graph.declare() == ()
    (node,) = graph.snapshot().nodes
    assert (node.name, node.plugin, node.side_effects) == ("mist/draw", "mist", True)


def test_a_plugin_without_info_takes_name_and_version_from_its_distribution() -> None:
    assert host_of({"plain": Plain()}).load("plain").info == PluginInfo("plain", "1.0")


def test_a_setting_makes_the_nodes_anew() -> None:
    graph = RecordingGraph()
    host = host_of({"glow": Glow()}, graph)
    host.enable("glow")
    host.set("glow", "blurs", "3")
    assert list(graph.nodes) == ["glow/extract", "glow/blur0", "glow/blur1", "glow/blur2"]
    host.set("glow", "blurs", 0)
    assert list(graph.nodes) == ["glow/extract"]
    assert host.status("glow").nodes == ("glow/extract",)


def test_a_refused_setting_leaves_everything_as_it_was() -> None:
    graph = RecordingGraph()
    host = host_of({"glow": Glow()}, graph)
    before = host.enable("glow")
    with pytest.raises(UsageError, match=r"glow\.blurs cannot be '9'"):
        host.set("glow", "blurs", "9")
    assert host.status("glow") == before


def test_a_setting_of_a_plugin_that_is_not_loaded_says_so() -> None:
    host = host_of({"glow": Glow()})
    host.start(disable=["glow"])
    with pytest.raises(UsageError, match="is disabled") as caught:
        host.set("glow", "amount", "1")
    assert "enable the plugin" in caught.value.hint


@pytest.mark.parametrize("act", ["enable", "disable", "status", "load"])
def test_an_unknown_name_suggests_the_nearest(act: str) -> None:
    host = host_of({"glow": Glow(), "plain": Plain()})
    with pytest.raises(UsageError, match='unknown plugin "glwo"') as caught:
        getattr(host, act)("glwo")
    assert caught.value.hint == 'did you mean "glow"?'


def test_start_enables_the_default_and_the_wanted_without_the_unwanted() -> None:
    host = host_of({"a": Plain(), "b": Plain(), "c": Plain(), "d": Plain()})
    host.start(["a", "b"], enable=["c"], disable=["b"])
    assert [status.name for status in host.plugins() if status.state is PluginState.ENABLED] == ["a", "c"]
    assert host.status("d").state is PluginState.AVAILABLE


def test_start_checks_all_names_before_it_enables_any() -> None:
    graph = RecordingGraph()
    host = host_of({"a": Plain()}, graph)
    with pytest.raises(UsageError, match='unknown plugin "x"'):
        host.start(["a"], disable=["x"])
    with pytest.raises(UsageError, match="both enabled and disabled"):
        host.start(enable=["a"], disable=["a"])
    assert graph.nodes == {}


def test_what_stays_off_is_never_imported() -> None:
    host = host_of({"a": AssertionError("imported"), "b": AssertionError("imported"), "c": Plain()}, strict=True,
                   environment={"RENDERWRIGHT_BLOCK_PLUGINS": "b"})  # fmt: skip
    host.start(disable=["a"])
    assert host.status("a").reason == "switched off"
    assert host.status("b").reason == "blocked by RENDERWRIGHT_BLOCK_PLUGINS"
    assert host.is_enabled("c")
    assert host.load("b").state is PluginState.DISABLED


def test_the_allow_list_keeps_all_others_off() -> None:
    host = host_of({"a": Plain(), "b": Plain()}, environment={"RENDERWRIGHT_PLUGINS": " a ,"})
    host.start()
    assert (host.is_enabled("a"), host.is_enabled("b")) == (True, False)
    with pytest.raises(UsageError, match='plugin "b" is not listed in RENDERWRIGHT_PLUGINS'):
        host.enable("b")


def test_an_allow_list_of_plugins_that_are_not_there_is_an_error() -> None:
    """Otherwise a misspelt name would switch all plugins off without a word."""
    with pytest.raises(
        UsageError, match='RENDERWRIGHT_PLUGINS names plugins that are not installed: "blom", "foo"'
    ) as caught:
        host_of({"bloom": Plain()}, environment={"RENDERWRIGHT_PLUGINS": "bloom,foo,blom"})
    assert 'did you mean "bloom"?' in caught.value.hint
    host_of({"bloom": Plain()}, environment={"RENDERWRIGHT_BLOCK_PLUGINS": "not-installed"})


def test_the_block_list_wins_over_the_allow_list() -> None:
    both = {"RENDERWRIGHT_PLUGINS": "a", "RENDERWRIGHT_BLOCK_PLUGINS": "a"}
    host = host_of({"a": Plain()}, environment=both)
    assert host.status("a").reason == "blocked by RENDERWRIGHT_BLOCK_PLUGINS"


def test_a_plugin_stays_off_on_a_backend_that_it_cannot_run_on() -> None:
    class OnlyVulkan:
        @hookimpl
        def renderwright_info(self) -> PluginInfo:
            return PluginInfo("rays", "1.0", backends=("vulkan",))

        @hookimpl
        def renderwright_nodes(self, graph: PluginGraph) -> None:
            graph.add_node("trace", lambda reg: None)

    assert host_of({"rays": OnlyVulkan()}, backend="vulkan").enable("rays").state is PluginState.ENABLED
    status = host_of({"rays": OnlyVulkan()}, backend="null").enable("rays")
    assert (status.state, status.reason) == (PluginState.DISABLED, "needs backend vulkan; this is null")


@pytest.mark.parametrize(
    ("given", "hint"), [("gl", ""), ("opengl2", 'did you mean "opengl"? '), ("vulcan", 'did you mean "vulkan"? ')]
)
def test_an_unknown_backend_of_a_plugin_is_an_error(given: str, hint: str) -> None:
    with pytest.raises(PluginError, match=f'backends of PluginInfo has "{given}", which is no backend') as caught:
        PluginInfo("rays", "1.0", backends=("vulkan", given))
    assert caught.value.hint == f"{hint}known: vulkan, opengl, null"
