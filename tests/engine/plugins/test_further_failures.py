"""A plugin of which several nodes fail for one cause is reported once."""

from __future__ import annotations

import logging

import pytest
from plugin_samples import Glow, RecordingGraph, host_of

from renderwright.engine.plugins import PluginState
from renderwright.render.errors import MissingToolError


def test_further_failures_of_a_plugin_that_has_left_are_no_warnings(caplog: pytest.LogCaptureFixture) -> None:
    graph = RecordingGraph()
    host = host_of({"glow": Glow()}, graph)
    host.enable("glow")
    with caplog.at_level(logging.INFO, "renderwright.plugins"):
        for node in ("glow/extract", "glow/blur0"):
            host.quarantine("glow", MissingToolError(f'shader of "{node}" does not come compiled'), node, "pipeline")
    assert host.status("glow").state is PluginState.QUARANTINED
    first, further = caplog.records
    assert (first.levelno, further.levelno) == (logging.WARNING, logging.INFO)
    assert 'shader of "glow/extract" does not come compiled' in first.getMessage()
    assert 'shader of "glow/blur0" does not come compiled' in further.getMessage()


def test_a_plugin_that_is_tried_again_is_reported_again(caplog: pytest.LogCaptureFixture) -> None:
    host = host_of({"glow": Glow()})
    host.enable("glow")
    host.quarantine("glow", ValueError("first"), "glow/extract", "execute")
    host.retry("glow")
    caplog.clear()
    with caplog.at_level(logging.WARNING, "renderwright.plugins"):
        host.quarantine("glow", ValueError("again"), "glow/extract", "execute")
    (record,) = caplog.records
    assert "ValueError: again" in record.getMessage()
    assert "again" in host.status("glow").reason


def test_with_debug_no_message_says_how_to_debug(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = host_of({"glow": Glow()})
    host.enable("glow")
    monkeypatch.setenv("RENDERWRIGHT_DEBUG", "1")
    with caplog.at_level(logging.WARNING, "renderwright.plugins"):
        host.quarantine("glow", ValueError("no"), "glow/extract", "execute")
    assert "RENDERWRIGHT_DEBUG" not in caplog.text
    monkeypatch.setenv("RENDERWRIGHT_DEBUG", "0")
    host.retry("glow")
    with caplog.at_level(logging.WARNING, "renderwright.plugins"):
        host.quarantine("glow", ValueError("no"), "glow/extract", "execute")
    assert "RENDERWRIGHT_DEBUG=1 shows the whole traceback" in caplog.text
