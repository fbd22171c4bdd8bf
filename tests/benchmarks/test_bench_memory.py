"""``renderwright bench memory`` measures what it says; how long things take is not asserted."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from benchmarks.memory import tables
from benchmarks.packing_cases import CYCLIC, FOLDER, LETTERED, TRACES, Case, enlisted_cases, read_cases
from benchmarks.packing_runs import baseline_methods, outcome_of, policy_method, summary, wrong_places
from renderwright.engine.cli import main
from renderwright.render.errors import UsageError
from renderwright.render.memory.arcs import PackItem
from renderwright.render.memory.packing import PackPolicy


def test_the_shipped_problems_have_an_index() -> None:
    cases = read_cases(FOLDER, 10**6)
    families = [case.family for case in cases]
    assert (families.count(CYCLIC), families.count(LETTERED), families.count(TRACES)) == (31, 7, 5)
    assert all(case.best_known for case in cases if case.family != TRACES)
    assert max(len(case.items) for case in cases) == 2000
    assert max(len(case.items) for case in read_cases(FOLDER, 100)) == 100


def test_draws_are_seeded_and_follow_the_distribution() -> None:
    draws = list(enlisted_cases(20, 100, seed=1))
    assert draws == list(enlisted_cases(20, 100, seed=1))
    assert draws != list(enlisted_cases(20, 100, seed=2))
    items = [item for case in draws for item in case.items]
    assert {case.period for case in draws} <= {130, 140, 144, 146}
    assert {item.alignment for item in items} == {8}
    # 108 of 534 lives are the whole circle, 76 of 530 sizes the largest.
    assert sum(item.start == item.end for item in items) / len(items) == pytest.approx(108 / 534, abs=0.04)
    assert sum(item.size == 8847360 for item in items) / len(items) == pytest.approx(76 / 530, abs=0.04)


def test_every_method_has_a_row_in_every_table() -> None:
    methods = {"fast": policy_method(PackPolicy.FAST), **baseline_methods()}
    cases = [case for case in read_cases(FOLDER, 20) if case.family == CYCLIC] + list(enlisted_cases(2, 20))
    outcomes = [outcome_of(case, methods) for case in cases]
    found = tables(outcomes)
    assert [table.row_count for table in found] == [len(methods)] * 3
    written = io.StringIO()
    for table in found:
        Console(width=200, file=written).print(table)
    text = written.getvalue()
    assert all(text.count(f" {name} ") == 3 for name in methods)
    for name in methods:
        row = summary(outcomes, name)
        assert row is not None
        assert 1.0 <= row.mean <= row.most
    assert summary(outcomes, "no such method") is None


def test_makespans_are_measured_against_the_least_known() -> None:
    case = Case("two", CYCLIC, 4, (PackItem(0, 2, 4), PackItem(1, 3, 4)), best_known=12)
    exact = {"fast": policy_method(PackPolicy.FAST)}
    loose = {"loose": lambda case: ([0, 16], 20, 0)}
    assert outcome_of(case, exact).reference == 8  # found in this run and less than was known
    outcome = outcome_of(case, exact | loose)
    assert (outcome.ratio("loose"), outcome.proved("loose"), outcome.proved("fast")) == (2.5, False, True)


@pytest.mark.parametrize(
    ("offsets", "makespan"),
    [([0, 3], 7), ([-8, 0], 4), ([0, 4], 7), ([0, 6], 10)],
    ids=["overlap", "below", "above", "odd"],
)
def test_wrong_answers_are_noticed(offsets: list[int], makespan: int) -> None:
    case = Case("two", CYCLIC, 4, (PackItem(3, 1, 4, 4), PackItem(0, 2, 4, 4)))
    assert wrong_places(case, offsets, makespan)
    assert not wrong_places(case, [0, 4], 8)
    with pytest.raises(AssertionError, match="bad packs two wrongly"):
        outcome_of(case, {"bad": lambda case: (offsets, makespan, 0)})


def test_folders_without_problems_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "memory", "--instances", str(tmp_path)]) == 2
    assert "there are no packing problems" in capsys.readouterr().err
    (tmp_path / "one.csv").write_text("id,lower,upper,size\na,0,1,1\n")
    (tmp_path / "index.csv").write_text("file,best\none.csv,1\n")
    with pytest.raises(UsageError, match="no index"):
        read_cases(tmp_path, 10)
    assert main(["bench", "memroy"]) == 2
    assert 'did you mean "memory"?' in capsys.readouterr().err
    assert main(["bench", "--help"]) == 0
    assert "compile" in capsys.readouterr().out
