"""Edits on trial: failures take them back, and frames with failures are not shown."""

from __future__ import annotations

from typing import Any

import pytest

from renderwright.render.errors import GraphError
from renderwright.render.runtime.failures import FailurePhase, NodeFailure, NodesFailedError
from renderwright.render.runtime.plans.trial import Trial

FAILURE = NodeFailure("fog/blur", "fog", FailurePhase.EXECUTE, ValueError("no"))


class Noted:
    def __init__(self) -> None:
        self.trial = Trial()
        self.calls: list[str] = []

    def begin(self) -> Trial:
        self.trial.begin(lambda failures: self.calls.append(failures[0].node), lambda: self.calls.append("kept"))
        return self.trial


def test_edits_are_kept_after_a_frame_of_each_slot() -> None:
    noted = Noted()
    trial = noted.begin()
    trial.shown()
    assert trial.active
    trial.shown()
    assert not trial.active
    trial.shown()
    assert noted.calls == ["kept"]
    assert not trial.refuse([FAILURE])


def test_a_failure_takes_them_back_once() -> None:
    noted = Noted()
    trial = noted.begin()
    trial.judge([])
    with pytest.raises(NodesFailedError):
        trial.judge([FAILURE])
    assert trial.refuse([FAILURE])
    assert not trial.refuse([FAILURE])
    trial.shown()
    trial.shown()
    assert noted.calls == ["fog/blur"]


def test_frames_without_edits_are_not_judged() -> None:
    Trial().judge([FAILURE])


def test_an_objection_to_the_plan_is_a_failure() -> None:
    trial = Trial()
    plan: Any = object()
    trial.judge_plan(plan)
    asked: list[object] = []
    trial.begin(lambda failures: None, lambda: None, lambda plan: asked.append(plan))
    trial.judge_plan(plan)
    assert asked == [plan]
    trial.refuse([FAILURE])
    trial.begin(lambda failures: None, lambda: None, lambda plan: GraphError("it lacks a node"))
    with pytest.raises(NodesFailedError, match="lacks a node"):
        trial.judge_plan(plan)
