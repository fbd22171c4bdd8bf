"""Spans: nothing is kept until somebody asks, and calls that raise count as well."""

from __future__ import annotations

import threading

import pytest

from renderwright.render.runtime.spans import Spans


def fail() -> None:
    raise ValueError("on purpose")


def test_nothing_is_kept_until_somebody_asks() -> None:
    spans = Spans()
    assert spans.call("compile", max, 1, 2) == 2
    assert spans.take() == []


def test_a_span_has_its_time_and_thread_and_is_taken_once() -> None:
    spans = Spans()
    spans.kept = True
    assert spans.call("compile", sorted, [2, 1], reverse=True) == [2, 1]
    (span,) = spans.take()
    assert (span.what, span.thread) == ("compile", threading.current_thread().name)
    assert span.begin <= span.end
    assert spans.take() == []


def test_a_call_that_raises_is_noted() -> None:
    spans = Spans()
    spans.kept = True
    with pytest.raises(ValueError, match="on purpose"):
        spans.call("compile", fail)
    assert [span.what for span in spans.take()] == ["compile"]
