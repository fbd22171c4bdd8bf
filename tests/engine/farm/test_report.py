"""What went wrong, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from farm_works import Counted

from renderwright.engine.farm.crew import OneProcess, Outcome
from renderwright.engine.farm.dispatch import Dispatch
from renderwright.engine.farm.report import Event, Report, titles
from renderwright.engine.farm.work import Batch


def title(number: int) -> str:
    return f"frame {number}"


def test_neighbours_are_told_as_a_range() -> None:
    assert titles((7, 3, 4, 5, 9), title) == "frame 3 to frame 5, frame 7, frame 9"


def test_a_job_without_mishaps_has_no_table() -> None:
    assert Report().table(title) == ""
    assert list(Report().losses(title)) == []


def test_the_table_has_a_row_for_each_mishap() -> None:
    report = Report(events=[Event("tcp://a:1", (3, 4), "it died"), Event("tcp://b:22", (5,), "ValueError: no")])
    assert report.table(title).splitlines() == [
        "worker      pieces              what happened",
        "tcp://a:1   frame 3 to frame 4  it died",
        "tcp://b:22  frame 5             ValueError: no",
    ]


def test_missing_pieces_are_told_by_their_reason() -> None:
    report = Report(given_up={3: "it died", 4: "it died", 9: "no memory"}, without={"fog": [1, 2]})
    assert list(report.losses(title)) == [
        "frame 3 to frame 4 is missing: it died",
        "frame 9 is missing: no memory",
        'frame 1 to frame 2 is without plugin "fog"',
    ]


class Lacking(OneProcess):
    """A plugin fails in piece 2."""

    def wait(self, seconds: float) -> Sequence[Outcome]:
        (outcome,) = super().wait(seconds)
        assert outcome.batch is not None
        (piece,) = outcome.batch.done
        made = replace(piece.made, without=("fog",) if piece.number >= 2 else ())
        return (Outcome(outcome.worker, Batch((replace(piece, made=made),), None, ("fog is quarantined",))),)


def test_pieces_without_a_plugin_that_has_failed_are_noted() -> None:
    dispatch = Dispatch(Counted(4), Lacking(), range(4))
    assert [piece.number for piece in dispatch.run()] == [0, 1, 2, 3]
    assert dispatch.report.without == {"fog": [2, 3]}
    assert list(dispatch.report.notices) == ["fog is quarantined"]
