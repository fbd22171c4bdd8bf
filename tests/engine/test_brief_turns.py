"""Turns of threads are brief while a game is shown in a window."""

import sys

import pytest

from renderwright.engine.brief_turns import SECONDS, brief_turns


def test_turns_are_brief_inside_and_as_before_outside() -> None:
    before = sys.getswitchinterval()
    with brief_turns():
        assert sys.getswitchinterval() == pytest.approx(SECONDS)
    assert sys.getswitchinterval() == before
