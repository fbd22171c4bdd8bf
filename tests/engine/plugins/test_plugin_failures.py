"""Plugins that are wrong, or go wrong, and the others that do not notice."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from plugin_samples import Glow, GlowSettings, Plain, RecordingGraph, host_of, nodes_plugin
from pydantic import BaseModel

from renderwright.engine.plugins import PluginGraph, PluginInfo, PluginState, hookimpl
from renderwright.engine.plugins.reasons import reason_of
from renderwright.render import Registry
from renderwright.render.errors import PluginError, RenderwrightError
from renderwright.render.formats import format_named


class Misspelt:
    @hookimpl
    def renderwright_node(self, graph: PluginGraph) -> None:
        """One letter short."""


class Unmarked:
    def renderwright_nodes(self, graph: PluginGraph) -> None:
        """Without @hookimpl."""


class WrongArguments:
    @hookimpl
    def renderwright_nodes(self, graph: PluginGraph, setings: Any) -> None:
        """There is no such argument."""


class WrongName:
    @hookimpl
    def renderwright_info(self) -> PluginInfo:
        return PluginInfo("other", "1.0")


class WithoutLength:
    add = remove = clear = end_step = rows = __contains__ = lambda *given: None


class Ribbon:
    @classmethod
    def table(cls) -> Any:
        return WithoutLength()

    @classmethod
    def examples(cls) -> tuple[Any, ...]:
        return (cls(),)


class DrawsRibbons:
    @hookimpl
    def renderwright_info(self) -> PluginInfo:
        return PluginInfo("bad", "1.0", placed=(Ribbon,))


class NeedsValue:
    @hookimpl
    def renderwright_settings(self) -> type[BaseModel]:
        class Required(BaseModel):
            amount: float

        return Required


class WrongDefault:
    @hookimpl
    def renderwright_settings(self) -> type[BaseModel]:
        class Wrong(BaseModel):
            amount: float = "much"  # type: ignore[assignment]

        return Wrong


def line_of_class(name: str) -> int:
    """The line of this file where a class begins."""
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    return next(number for number, text in enumerate(lines, 1) if text.strip().startswith(f"class {name}("))


def line(function: Callable[..., Any]) -> str:
    """Where a hook is, as messages have it."""
    return f"test_plugin_failures.py:{function.__code__.co_firstlineno}"


class NotAModel:
    @hookimpl
    def renderwright_settings(self) -> Any:
        return {"amount": 1}


class MadeModel:
    @hookimpl
    def renderwright_settings(self) -> Any:
        return GlowSettings()


class NotAnInfo:
    @hookimpl
    def renderwright_info(self) -> Any:
        return {}


class RaisesInInfo:
    @hookimpl
    def renderwright_info(self) -> PluginInfo:
        raise RuntimeError("no")


@pytest.mark.parametrize(
    ("plugin", "words"),
    [
        (ImportError("no module named fogmath"), "ImportError: no module named fogmath"),
        (SystemExit("gone"), "it calls sys.exit('gone')"),
        (
            Misspelt(),
            f"{line(Misspelt.renderwright_node)}: "
            'plugin "bad" implements an unknown hook, renderwright_node\n  did you mean "renderwright_nodes"?',
        ),
        (
            Unmarked(),
            f'{line(Unmarked.renderwright_nodes)}: renderwright_nodes of plugin "bad" is not marked as a hook',
        ),
        (
            WrongArguments(),
            f'{line(WrongArguments.renderwright_nodes)}: renderwright_nodes of plugin "bad" has an unknown argument, '
            'setings\n  did you mean "settings"?',
        ),
        (WrongDefault(), "the default of Wrong.amount is invalid: 'much': Input should be a valid number"),
        (
            WrongName(),
            f'{line(WrongName.renderwright_info)}: the plugin is named "other" in renderwright_info, but "bad" in its '
            "entry point",
        ),
        (
            NeedsValue(),
            f"test_plugin_failures.py:{line_of_class('Required')}: Required.amount has no default",
        ),
        (
            DrawsRibbons(),
            f"test_plugin_failures.py:{inspect.getsourcelines(Ribbon)[1]}: "
            'plugin "bad" draws things of a kind that cannot be placed: WithoutLength, which Ribbon.table() returns, '
            "lacks __len__",
        ),
        (
            NotAModel(),
            f"{line(NotAModel.renderwright_settings)}: renderwright_settings returns {{'amount': 1}}, which is no "
            "pydantic model class\n  return a pydantic model class",
        ),
        (
            MadeModel(),
            f"{line(MadeModel.renderwright_settings)}: renderwright_settings returns GlowSettings",
        ),
        (MadeModel(), "return the class itself: GlowSettings"),
        (
            NotAnInfo(),
            f"{line(NotAnInfo.renderwright_info)}: renderwright_info returns {{}}, which is no PluginInfo\n"
            '  return PluginInfo("bad", ',
        ),
        (
            RaisesInInfo(),
            f"test_plugin_failures.py:{RaisesInInfo.renderwright_info.__code__.co_firstlineno + 2}: "
            "renderwright_info fails: RuntimeError: no",
        ),
    ],
)
def test_a_wrong_plugin_is_broken_and_the_others_go_on(
    plugin: Any, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    graph = RecordingGraph()
    host = host_of({"bad": plugin, "plain": Plain()}, graph)
    with caplog.at_level(logging.WARNING, "renderwright.plugins"):
        host.start()
    status = host.status("bad")
    assert status.state is PluginState.BROKEN
    assert words in status.reason
    assert "Traceback" in status.traceback
    assert [record for record in caplog.records if '"bad" is broken' in record.getMessage()]
    assert graph.nodes == {"plain/only": "plain"}
    with pytest.raises(PluginError, match='plugin "bad" cannot be loaded, which ends the game because of --strict'):
        host_of({"bad": plugin}, strict=True).enable("bad")


def test_an_optional_hook_of_a_later_version_is_fine() -> None:
    import pluggy

    class Newer(Plain):
        @pluggy.HookimplMarker("renderwright")(optionalhook=True)
        def renderwright_teleport(self) -> None:
            """Not known here."""

    assert host_of({"newer": Newer()}, strict=True).enable("newer").state is PluginState.ENABLED


def test_a_hook_wrapper_is_refused() -> None:
    import pluggy

    class Wrapping:
        @pluggy.HookimplMarker("renderwright")(wrapper=True)
        def renderwright_nodes(self) -> Any:
            return (yield)

    status = host_of({"wrap": Wrapping()}).enable("wrap")
    assert status.state is PluginState.BROKEN
    assert "hook wrapper" in status.reason


def test_a_hook_that_raises_halfway_leaves_none_of_its_nodes() -> None:
    def half(graph: PluginGraph) -> None:
        graph.add_node("first", lambda reg: None)
        raise ValueError("no more")

    graph = RecordingGraph()
    host = host_of({"half": nodes_plugin(half), "plain": Plain()}, graph)
    host.start()
    status = host.status("half")
    assert (status.state, status.nodes) == (PluginState.QUARANTINED, ())
    assert "test_plugin_failures.py" in status.reason
    assert "ValueError: no more" in status.reason
    assert graph.nodes == {"plain/only": "plain"}


def test_nodes_that_the_graph_refuses_halfway_are_taken_out_again() -> None:
    graph = RecordingGraph()
    graph.refuses.add("glow/blur0")
    assert host_of({"glow": Glow()}, graph).enable("glow").state is PluginState.QUARANTINED
    assert graph.nodes == {}


def test_a_hook_that_fails_on_a_new_setting_takes_the_old_nodes_with_it() -> None:
    class Fragile(Glow):
        @hookimpl
        def renderwright_nodes(self, graph: PluginGraph, settings: GlowSettings) -> None:
            graph.add_node("extract", lambda reg: None)
            if settings.blurs == 2:
                raise RuntimeError("two is unlucky")

    graph = RecordingGraph()
    host = host_of({"glow": Fragile()}, graph)
    host.enable("glow")
    assert host.set("glow", "blurs", 2).state is PluginState.QUARANTINED
    assert graph.nodes == {}
    host.set("glow", "blurs", 3)
    assert host.enable("glow").state is PluginState.ENABLED
    assert list(graph.nodes) == ["glow/extract"]


def test_a_quarantined_plugin_leaves_the_graph_with_its_traceback_kept() -> None:
    graph = RecordingGraph()
    host = host_of({"glow": Glow(), "plain": Plain()}, graph)
    host.start()
    try:
        raise ZeroDivisionError("in execute")
    except ZeroDivisionError as error:
        status = host.quarantine("glow", error)
    assert status.state is PluginState.QUARANTINED
    assert "ZeroDivisionError: in execute" in status.reason
    assert "raise ZeroDivisionError" in status.traceback
    assert graph.nodes == {"plain/only": "plain"}
    status = host.enable("glow")
    assert (status.state, status.reason, status.traceback) == (PluginState.ENABLED, "", "")


def test_strict_makes_a_quarantine_an_error_that_keeps_its_cause() -> None:
    graph = RecordingGraph()
    host = host_of({"glow": Glow()}, graph, strict=True)
    host.enable("glow")
    cause = ValueError("wrong")
    with pytest.raises(
        PluginError, match='plugin "glow" has failed, which ends the game because of --strict'
    ) as caught:
        host.quarantine("glow", cause)
    assert caught.value.__cause__ is cause
    assert graph.nodes == {}


@pytest.mark.parametrize(("name", "words"), [("", "cannot be a node name"), ("a/b", "cannot be a node name")])
def test_a_wrong_node_name_is_refused(name: str, words: str) -> None:
    host = host_of({"bad": nodes_plugin(lambda graph: graph.add_node(name, lambda reg: None))})
    assert words in host.enable("bad").reason


def test_a_node_added_twice_or_too_late_is_refused() -> None:
    kept: list[PluginGraph] = []

    def twice(graph: PluginGraph) -> None:
        kept.append(graph)
        graph.add_node("same", lambda reg: None)
        graph.add_node("same", lambda reg: None)

    assert 'adds node "same" twice' in host_of({"bad": nodes_plugin(twice)}).enable("bad").reason
    with pytest.raises(Exception, match="outside renderwright_nodes"):
        kept[0].add_node("late", lambda reg: None)


def _raised(function: Any) -> Exception:
    with pytest.raises(Exception) as caught:  # noqa: PT011
        function()
    return caught.value


def test_a_reason_points_at_the_plugins_own_line() -> None:
    host = host_of({"glow": Glow()})
    host.start()
    deep = _raised(lambda: format_named("rgba17"))  # raised in the renderer, called from here
    assert host.quarantine("glow", deep).reason.startswith(f"{__file__}:")
    assert ': node "glow/extract" fails in execute: ' in host.quarantine("glow", deep, "glow/extract", "execute").reason
    where_only_we_are = RenderwrightError("the shader does not exist")
    assert host.quarantine("glow", where_only_we_are).reason == "the shader does not exist"
    names_the_node = RenderwrightError('the shader of node "glow/extract" does not exist')
    reason = host.quarantine("glow", names_the_node, "glow/extract", "pipeline").reason
    assert reason == 'the shader of node "glow/extract" does not exist'


@pytest.mark.parametrize("kind", [AssertionError, KeyError, RuntimeError])
def test_an_error_without_a_message_is_told_with_the_line_that_raises_it(kind: type[Exception]) -> None:
    try:
        raise kind  # nothing else is known of it
    except kind as error:
        reason = reason_of(error, "fx/node", "execute")
    assert reason.startswith(f"{__file__}:")
    assert f'node "fx/node" fails in execute: {kind.__name__} without a message in `raise kind' in reason


def test_an_unknown_method_of_a_request_gets_a_hint() -> None:
    with pytest.raises(AttributeError) as caught:
        Registry("fx/wall", "fx").modify("hdr").colour()  # type: ignore[attr-defined]
    assert reason_of(caught.value).endswith("has no attribute 'colour'\n  did you mean \"color\"?")


def two_arguments(reg: Any, settings: Any) -> None:
    """The second one has to be passed on."""


def keyword_too(reg: Any, *, settings: Any) -> None:
    """The same by name."""


def no_arguments() -> None:
    """Without reg."""


@pytest.mark.parametrize(
    ("declare", "signature", "hint"),
    [
        (two_arguments, "two_arguments(reg, settings)", ": lambda reg: two_arguments(reg, settings)"),
        (keyword_too, "keyword_too(reg, settings)", ": lambda reg: keyword_too(reg, settings=settings)"),
        (no_arguments, "no_arguments()", ", reg"),
    ],
)
def test_a_declare_function_of_other_arguments_is_refused_where_it_is_added(
    declare: Any, signature: str, hint: str
) -> None:
    def add(graph: PluginGraph) -> None:
        graph.add_node("tint", declare)

    reason = host_of({"bad": nodes_plugin(add)}).enable("bad").reason
    assert reason == (
        f'{__file__}:{add.__code__.co_firstlineno + 1}: plugin "bad": the declare function of node "tint" is '
        f"{signature}, but is called with one positional argument, reg\n  give a function of one argument{hint}"
    )


def test_a_hook_that_raises_is_named_with_what_shows_more(caplog: pytest.LogCaptureFixture) -> None:
    class Stumbles:
        @hookimpl
        def renderwright_nodes(self, graph: PluginGraph) -> None:
            raise ValueError("no more")

    raised_at = f"{__file__}:{Stumbles.renderwright_nodes.__code__.co_firstlineno + 2}"
    with caplog.at_level(logging.WARNING, "renderwright.plugins"):
        status = host_of({"bad": Stumbles()}).enable("bad")
    assert status.reason == f"{raised_at}: renderwright_nodes fails: ValueError: no more"
    (message,) = [record.getMessage() for record in caplog.records]
    assert message.endswith(f"{status.reason}\n  RENDERWRIGHT_DEBUG=1 shows the whole traceback")
    with pytest.raises(PluginError, match="RENDERWRIGHT_DEBUG=1 shows the whole traceback"):
        host_of({"bad": Stumbles()}, strict=True).enable("bad")


def test_a_message_of_its_own_needs_no_traceback(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "renderwright.plugins"):
        host_of({"bad": WrongName()}).enable("bad")
    (message,) = [record.getMessage() for record in caplog.records]
    assert "use one name for both" in message
    assert "RENDERWRIGHT_DEBUG" not in message
