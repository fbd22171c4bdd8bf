"""``renderwright bench compile`` measures what it says; how long things take is not asserted."""

from benchmarks.compile import measure, tables


def test_every_operation_and_stage_has_a_row() -> None:
    result = measure(30, 1, lambda: None)
    assert 30 <= result.nodes < result.instances
    operations = set(result.operations) - {"peer: sort and cull (rustworkx)"}
    assert operations == {
        "declare",
        "full compile",
        "toggle a plugin, new",
        "toggle it back",
        "resize, new",
        "dynamic-resolution step, new",
        "nothing changed",
    }
    assert {"resolve", "multiplex", "cull", "order", "place", "merge_passes", "sync", "program"} <= set(result.stages)
    assert all(seconds > 0.0 for seconds in (*result.operations.values(), *result.stages.values()))
    times, shares = tables([result])
    assert (times.row_count, shares.row_count) == (1 + len(result.operations), len(result.stages))
