"""Times of plugins' hooks."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest
from plugin_samples import Glow, Plain, host_of, nodes_plugin

from renderwright.engine.app import play
from renderwright.engine.options import BackendName, PlayOptions, PluginChoice
from renderwright.engine.plugins import PluginGraph
from renderwright.engine.plugins.hook_times import HookTime, HookTimes, hook_table


def _clock(*seconds: float) -> HookTimes:
    """Times whose calls take these seconds, one after another."""
    looks = iter([look for second in seconds for look in (10.0, 10.0 + second)])
    return HookTimes(lambda: next(looks))


def test_calls_are_counted_and_the_longest_is_kept() -> None:
    times = _clock(0.5, 2.0, 1.0, 4.0)
    call = times.timed("fog", "nodes", lambda number: number + 1)
    assert [call(number) for number in range(3)] == [1, 2, 3]
    times.timed("bloom", "info", lambda: None)()
    assert times.rows() == (HookTime("info", "bloom", 1, 4.0, 4.0), HookTime("nodes", "fog", 3, 3.5, 2.0))


def test_a_call_that_raises_is_measured() -> None:
    times = _clock(0.25)
    with pytest.raises(ZeroDivisionError):
        times.timed("fog", "nodes", lambda: 1 // 0)()
    assert times.rows() == (HookTime("nodes", "fog", 1, 0.25, 0.25),)


def test_the_table_adds_what_several_have_collected() -> None:
    first, second = _clock(0.001), _clock(0.0025)
    for times in (first, second):
        times.timed("fog", "renderwright_nodes", lambda: None)()
    assert hook_table([first, second]).splitlines() == [
        "hook                plugin  calls  total ms  longest ms",
        "renderwright_nodes  fog         2     3.500       2.500",
    ]
    assert hook_table([HookTimes()]) == "No plugin has been called."


def test_an_import_that_two_have_asked_for_counts_once() -> None:
    interops, host = _clock(0.5), _clock(0.001, 0.25)
    interops.timed("fog", "import", lambda: None)()
    for _ in range(2):  # at the start, and again as the code was edited
        host.timed("fog", "import", lambda: None)()
    cells = hook_table([interops, host]).splitlines()[1].split()
    assert cells == ["import", "fog", "2", "751.000", "500.000"]


def test_a_host_measures_imports_and_every_hook_of_what_it_loads() -> None:
    host = host_of({"glow": Glow(), "plain": Plain(), "off": AssertionError("imported")})
    host.start(["glow", "plain"])
    host.set("glow", "blurs", "2")
    calls = {(row.plugin, row.hook): row.calls for row in host.hook_times.rows()}
    assert calls == {
        ("glow", "import"): 1,
        ("glow", "renderwright_info"): 1,
        ("glow", "renderwright_settings"): 1,
        ("glow", "renderwright_nodes"): 2,
        ("plain", "import"): 1,
        ("plain", "renderwright_nodes"): 1,
    }


def test_a_hook_that_fails_is_measured_and_still_quarantined() -> None:
    def fail(_graph: PluginGraph) -> None:
        raise ValueError(next(count()))

    host = host_of({"bad": nodes_plugin(fail)})
    host.enable("bad")
    assert f"{Path(__file__).name}:" in host.status("bad").reason
    assert ("renderwright_nodes", "bad", 1) in {(row.hook, row.plugin, row.calls) for row in host.hook_times.rows()}


def test_play_prints_the_table_at_the_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = PlayOptions(
        "marbles",
        backend=BackendName.NULL,
        frames=2,
        screenshot=tmp_path / "a.png",
        plugins=PluginChoice(enable=("split_screen",)),
        trace_plugins=True,
    )
    assert play(options) == 0
    lines = capsys.readouterr().err.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("hook "))
    rows = {tuple(line.split()[:2]): int(line.split()[2]) for line in lines[start + 1 :]}
    assert rows["renderwright_views", "split_screen"] >= 2, "in each frame"
    assert rows["import", "bloom"] >= 1
    assert {plugin for _, plugin in rows} == {"bloom", "shadows", "split_screen", "tonemap"}
