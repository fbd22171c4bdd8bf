"""A few seconds of what ``make fuzz`` runs for long, and that it notices what is wrong."""

from __future__ import annotations

import math
import time

import budget
import pytest
from fuzz_assets import assets_case
from fuzz_compiler import compiler_case
from fuzz_frames import frames_case
from fuzz_loader import loader_case
from fuzz_mistakes import mistakes_case
from fuzz_orders import orders_case
from fuzz_packing import exact_case, packing_case
from fuzz_recording import recording_case
from fuzz_reload import reload_case
from fuzz_shortage import shortage_case
from fuzz_sync import part_case, sync_case
from fuzz_toggles import toggles_case
from fuzz_views import views_case

VULKAN = pytest.mark.vulkan
SLICES = [
    ("loader", loader_case, 1000, 1200),
    ("assets", assets_case, 1000, 150),
    ("compiler", compiler_case, 1000, 12),
    ("packing", packing_case, 1000, 400),
    ("exact", exact_case, 1000, 40),
    # The search takes longer with the square of the nodes.
    ("orders", lambda seed: orders_case(seed, most=20), 1000, 21),
    ("sync", sync_case, 1000, 40),
    ("parts", part_case, 1000, 40),
    ("views", views_case, 1000, 25),
    # Four edits of different kinds.
    pytest.param("frames", frames_case, 1056, 4, marks=VULKAN),
    pytest.param("recording", recording_case, 1000, 3, marks=VULKAN),
    pytest.param("reload", lambda seed: reload_case(seed, edits=5), 1000, 3, marks=VULKAN),
    pytest.param("toggles", lambda seed: toggles_case(seed - 1000, pairs=1), 1000, 3, marks=VULKAN),
    pytest.param("mistakes", mistakes_case, 1003, 8, marks=VULKAN),
    pytest.param("shortage", shortage_case, 1000, 25, marks=VULKAN),
]


@pytest.mark.parametrize(("name", "case", "first", "most"), SLICES)
def test_a_slice_of_the_fuzzing(name: str, case: budget.Case, first: int, most: int) -> None:
    report = budget.run_cases(name, case, first, math.inf, most)
    assert report.failures == []
    assert report.cases == most
    assert len(report.endings) >= 3


def test_failures_are_told_with_the_way_to_run_them_again(capsys: pytest.CaptureFixture[str]) -> None:
    def case(seed: int) -> str:
        if seed == 7:
            raise KeyError("lost")
        return "fine"

    report = budget.run_cases("loader", case, 5, 60, 4)
    assert report.failures == ["loader 7: KeyError: 'lost'"]
    assert report.endings == {"fine": 3, "failures": 1}
    assert "again: .venv/bin/python tests/fuzz/run.py loader 7" in capsys.readouterr().err


def test_a_hang_ends_and_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def case(seed: int) -> str:
        try:
            time.sleep(20)
        except Exception:
            return "swallowed"
        return "slept"

    monkeypatch.setattr(budget, "CASE_SECONDS", 1)
    report = budget.run_cases("compiler", case, 0, 60, 1)
    assert report.failures == ["compiler 0: Hang: no end after 1 s"]
