"""Reviews of new plans cost their first frames little."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from renderwright.engine import plan_review
from renderwright.engine.options import PlanOptions, PluginChoice
from renderwright.engine.plan_review import FIRST_FRAMES, Reviewer, findings
from renderwright.engine.planning import plan_of
from renderwright.engine.plugins import PluginState, PluginStatus
from renderwright.engine.skeleton import loader
from renderwright.render.compiler.values.plan import Plan


def join(chain: str, reg: Any) -> Callable[[Any], None]:
    reg.chain(chain)
    return lambda cmd: None


def draw_to(name: str, reg: Any) -> Callable[[Any], None]:
    reg.modify(name).color()
    return lambda cmd: None


def _plan(install: Callable[[Any], None], declare: Callable[[Any], object]) -> Plan:
    install(declare)
    return plan_of(PlanOptions("marbles", plugins=PluginChoice(enable=("extra",))))


def test_a_paced_review_goes_on_behind_each_frame(
    install: Callable[[Any], None], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reads_at_most(reg: Any) -> Callable[[Any], None]:
        reg.read("/normla").optional().sampled()
        reg.side_effects()
        return lambda cmd: None

    monkeypatch.setattr(plan_review, "SECONDS_A_FRAME", 0.0)
    plan = _plan(install, reads_at_most)
    paced = Reviewer(strict=False, paced=True)
    told = []
    for _ in range(20):
        paced.see(plan, tuple)
        told.append(list(caplog.messages))
    (expected,) = findings(plan, ())
    assert (told[0], told[-1]) == ([], [str(expected.error())])


def test_a_paced_review_leaves_the_first_frames_of_a_plan_alone(
    install: Callable[[Any], None], caplog: pytest.LogCaptureFixture
) -> None:
    plan = _plan(install, partial(join, "post_hrd"))
    paced = Reviewer(strict=False, paced=True)
    for _ in range(FIRST_FRAMES):
        paced.see(plan, tuple)
    assert caplog.messages == []
    for _ in range(1000):
        paced.see(plan, tuple)
    assert caplog.messages == [str(finding.error()) for finding in findings(plan, ())] != []


def test_a_paced_review_ends_with_its_plan(
    install: Callable[[Any], None], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan_review, "SECONDS_A_FRAME", 0.0)
    broken, sound = (_plan(install, partial(join, chain)) for chain in ("post_hrd", "post_hdr"))
    paced = Reviewer(strict=False, paced=True)
    for _ in range(FIRST_FRAMES + 1):
        paced.see(broken, tuple)
    caplog.clear()
    for _ in range(100):
        paced.see(sound, tuple)
    assert caplog.messages == []


def test_the_first_frame_of_each_new_plan_reads_no_skeleton_again(
    install: Callable[[Any], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = _plan(install, lambda reg: draw_to("/hdrr", reg))
    extra = PluginStatus("extra", PluginState.ENABLED, nodes=("extra/node",))
    reviewer = Reviewer(strict=False)
    reviewer.see(plan, lambda: (extra,))
    read: list[Path] = []
    original = loader.read_start
    monkeypatch.setattr(loader, "read_start", lambda file, most: read.append(file) or original(file, most))
    reviewer.see(replace(plan, graph=replace(plan.graph)), lambda: (extra,))
    assert not read
