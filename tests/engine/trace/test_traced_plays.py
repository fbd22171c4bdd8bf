"""``play --trace``: the timeline of a game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from test_trace_events import check

from renderwright.engine.cli import main

PLAY = ["play", "marbles", "--headless", "--size", "48x32", "--no-preferences"]


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("trace")
    file = folder / "trace.json"
    more = ["--frames", "4", "--trace", str(file), "--screenshot", str(folder / "picture.png")]
    assert main([*PLAY, *more]) == 0
    found: dict[str, Any] = json.loads(file.read_text())
    return found


@pytest.mark.vulkan
def test_a_timeline_keeps_to_the_format(document: dict[str, Any]) -> None:
    check(document)


@pytest.mark.vulkan
def test_frames_nodes_queues_compiles_uploads_and_hooks_are_in_it(document: dict[str, Any]) -> None:
    slices = [event for event in document["traceEvents"] if event["ph"] == "X"]
    threads = {
        event["tid"]: event["args"]["name"] for event in document["traceEvents"] if event["name"] == "thread_name"
    }
    assert [event["name"] for event in slices if event["cat"] == "frame"] == [f"frame {number}" for number in range(4)]
    names = {event["name"] for event in slices}
    assert {"compile", "pipelines", "uploads", "shadows: renderwright_nodes", "opaque"} <= names
    on_gpu = [event for event in slices if threads[event["tid"]] == "graphics queue"]
    assert {event["args"]["frame"] for event in on_gpu} == {0, 1}
    assert any(event["cat"] == "bloom" for event in on_gpu)
    sources = {event["args"]["source"] for event in on_gpu}
    assert not [source for source in sources if source.startswith("/")]


@pytest.mark.vulkan
def test_no_frame_begins_on_the_gpu_before_it_was_submitted(document: dict[str, Any]) -> None:
    slices = [event for event in document["traceEvents"] if event["ph"] == "X"]
    ends = {event["args"]["frame"]: event["ts"] + event["dur"] for event in slices if event["cat"] == "frame"}
    for event in slices:
        if "source" in event["args"] and "frame" in event["args"]:
            assert event["ts"] >= ends[event["args"]["frame"]] - 1.0


@pytest.mark.parametrize("name", ["trace.txt", "file/trace.json"])
def test_a_file_that_cannot_be_written_is_told_before_the_game_starts(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main([*PLAY, "--trace", str(tmp_path / name)]) == 2
    assert "a timeline cannot be saved as" in capsys.readouterr().err
