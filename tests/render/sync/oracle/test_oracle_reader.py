"""The text of streams: what is written is read again, and what is malformed is said with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from stream_script import COLOR, DST, GENERAL, READ_ONLY, UNDEFINED, Script, color, dependency, depth, use, wait

from renderwright.render.sync.oracle import StreamError, read_stream, read_stream_text, write_stream
from renderwright.render.sync.oracle.stream import Frame, HostResetEvent, HostWait, Label, Range, Stream

HEADER = '{"renderwright-stream": 1, "queues": [{"name": "graphics", "family": 0}]}'
IMAGE = '{"op": "image", "id": "i", "mips": 2}'
BEGIN = '{"op": "begin", "in": "c"}'


def everything() -> Stream:
    """A stream with every item and every field."""
    script = Script(graphics=0, copies=2).image("i", (0, 64), mips=3, layers=2).image("w", display=True)
    script.image("old", content="defined", layout=GENERAL).buffer("b", 64, (64, 64), concurrent=True)
    script.semaphore("t").semaphore("s", timeline=False).image("m").image("d")
    script.add(Frame(script.line, 3)).begin("c").add(Label(script.line, "c", "node")).work(
        use("b", "COPY", "TRANSFER_READ", part=Range(offset=4, size=8)), use("i", "COPY", "TRANSFER_WRITE", DST)
    )
    script.add(Label(script.line, "c", ""))
    change = dependency("COPY", "TRANSFER_WRITE", "", "", "i", UNDEFINED, READ_ONLY, Range((1, 2), (0, 1)), (0, 2))
    script.barrier(change, dependency("HOST", "HOST_WRITE", "COPY", "TRANSFER_READ"))
    script.set("e", change).wait_event("e", change).reset("e", "COPY|CLEAR")
    script.draw(color("m", resolve="i", resolve_layout=COLOR, resolve_range=Range((0, 1))), depth("d"), blends=True)
    script.draw(color("m", "load", "dont_care"), depth="read")
    script.submit("copies", (wait("t", 3, "COPY"), wait("s")), (wait("t", 4),))
    script.host_wait("t", 4).host_wait().host_reset("s").host_signal("t", 9).host("b", write=True).host(
        "b", write=False
    )
    script.add(HostWait(script.line, "t", 4, polled=True))
    script.add(HostResetEvent(script.line, "e"))
    return script.acquire("w", "s").present("w", "s").destroy("i").destroy("c").stream()


def test_what_is_written_is_read_again() -> None:
    text = write_stream(everything())
    assert read_stream_text(text.splitlines()) == everything()


def test_lines_count_from_the_header(tmp_path: Path) -> None:
    path = tmp_path / "stream.jsonl"
    path.write_text(write_stream(everything()), encoding="utf-8")
    stream = read_stream(path)
    assert stream.file == str(path)
    assert [item.line for item in stream.items] == list(range(2, len(stream.items) + 2))


@pytest.mark.parametrize(
    ("lines", "line", "said"),
    [
        ([], 0, "empty"),
        (["{"], 1, "no JSON"),
        (["[1]"], 1, "no object"),
        (['{"op": "begin", "in": "c"}'], 1, '"renderwright-stream" is missing'),
        (['{"renderwright-stream": 2, "queues": []}'], 1, "version 2"),
        (['{"renderwright-stream": 1, "queues": []}'], 1, "queues"),
        ([HEADER, '{"op": "bagin"}'], 2, 'unknown op "bagin"'),
        ([HEADER, "", '{"op": "begin"}'], 3, '"in" is missing'),
        ([HEADER, '{"op": "begin", "in": 3}'], 2, "must be a string"),
        ([HEADER, '{"op": "begin", "in": "c", "x": 1}'], 2, 'unknown key "x"'),
        ([HEADER, '{"op": "image", "id": "i", "mips": 0}'], 2, "from 1 to"),
        ([HEADER, '{"op": "image", "id": "i", "mips": true}'], 2, "whole number"),
        ([HEADER, IMAGE, IMAGE], 3, '"i" is taken'),
        ([HEADER, '{"op": "buffer", "id": "b", "size": 8, "memory": {"heap": "h"}}'], 2, '"size" is missing'),
        ([HEADER, '{"op": "barrier", "in": "c"}'], 2, 'no command buffer "c"'),
        ([HEADER, '{"op": "submit", "queue": "compute"}'], 2, 'no queue "compute"'),
        ([HEADER, '{"op": "destroy", "id": "x"}'], 2, 'no object "x"'),
        ([HEADER, '{"op": "host_wait", "semaphore": "t", "value": 1}'], 2, 'no semaphore "t"'),
        ([HEADER, '{"op": "semaphore", "id": "t", "type": "binery"}'], 2, '"type" is "binery"'),
        ([HEADER, '{"op": "frame", "number": ' + "9" * 10_000 + "}"], 2, "too many digits"),
        ([HEADER, '{"op": "frame", "number": 18446744073709551616}'], 2, "from 0 to 18446744073709551615"),
        ([HEADER, '{"op": "frame", "number": Infinity}'], 2, "whole number"),
        ([HEADER, '{"op": "begin", "in": "\\ud800"}'], 2, "printable"),
        ([HEADER, '{"op": "begin", "in": "' + "c" * 2000 + '"}'], 2, "2000 characters"),
        ([HEADER, BEGIN, '{"op": "destroy", "id": "c"}', IMAGE.replace('"i"', '"c"')], 4, '"c" is taken'),
    ],
)
def test_malformed_lines(lines: list[str], line: int, said: str) -> None:
    with pytest.raises(StreamError, match=said) as error:
        read_stream_text(lines, "file.jsonl")
    assert error.value.where is not None
    assert (error.value.where.file, error.value.where.line) == ("file.jsonl", line)


@pytest.mark.parametrize("value", [list(range(100_000)), "x" * 100_000, {"x": "y" * 100_000}])
def test_messages_are_bounded(value: object) -> None:
    for line in ({"op": "frame", "number": value}, {"op": "begin", "in": value}, {"op": value}):
        with pytest.raises(StreamError) as error:
            read_stream_text([HEADER, json.dumps(line)])
        assert len(str(error.value)) < 1000


@pytest.mark.parametrize(
    ("access", "said"),
    [
        ({"resource": "j"}, 'no resource "j"'),
        ({"stages": "COPPY"}, 'has "COPPY"'),
        ({"access": "READ"}, 'has "READ"'),
        ({"layout": None}, '"layout" is null'),
        ({"layout": "GENERIC"}, '"layout" is "GENERIC"'),
        ({"mips": [1, 2]}, r"has 2 mips; \[1, 2\]"),
        ({"mips": [1]}, "list of two"),
        ({"offset": 4}, "is an image"),
    ],
)
def test_malformed_accesses(access: dict[str, object], said: str) -> None:
    whole = {"resource": "i", "stages": "COPY", "access": "TRANSFER_READ", "layout": "GENERAL"} | access
    work = json.dumps({"op": "work", "in": "c", "name": "copy", "accesses": [whole]})
    with pytest.raises(StreamError, match=said):
        read_stream_text([HEADER, IMAGE, BEGIN, work])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"resource": "i"}, "an old and a new layout"),
        ({"resource": "b", "old": "GENERAL", "new": "GENERAL"}, "others none"),
        ({"old": "GENERAL", "new": "GENERAL"}, "all memory"),
        ({"resource": "b", "offset": 60, "size": 8}, "goes beyond"),
        ({"resource": "b", "mips": [0, 1]}, "no mips"),
    ],
)
def test_malformed_dependencies(change: dict[str, object], said: str) -> None:
    line = json.dumps({"op": "barrier", "in": "c", "dependencies": [change]})
    with pytest.raises(StreamError, match=said):
        read_stream_text([HEADER, IMAGE, '{"op": "buffer", "id": "b", "size": 64}', BEGIN, line])


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "stream.jsonl"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(StreamError, match="no text"):
        read_stream(path)
    with pytest.raises(StreamError, match="cannot be read"):
        read_stream(tmp_path / "nowhere")
