"""A description of a plugin that is refused names the line that makes it."""

from __future__ import annotations

from typing import Any

import pytest
from plugin_samples import host_of

from renderwright.engine.plugins import PluginInfo, PluginState, hookimpl


class WrongApi:
    @hookimpl
    def renderwright_info(self) -> PluginInfo:
        return PluginInfo("bad", "1.0", api=1)  # type: ignore[arg-type]


class WrongBackend:
    @hookimpl
    def renderwright_info(self) -> PluginInfo:
        return PluginInfo("bad", "1.0", backends=("metal",))


@pytest.mark.parametrize(
    ("plugin", "words"),
    [
        (WrongApi, "api of PluginInfo is 1, which is not a str\n  give a str"),
        (WrongBackend, 'backends of PluginInfo has "metal", which is no backend\n  known: vulkan, opengl, null'),
    ],
)
def test_the_line_of_the_plugin_is_named(plugin: type[Any], words: str) -> None:
    status = host_of({"bad": plugin()}).enable("bad")
    assert status.state is PluginState.BROKEN
    assert status.reason == f"{__file__}:{plugin.renderwright_info.__code__.co_firstlineno + 2}: {words}"
