"""Packing problems in files: both formats are read, and every mistake is told with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderwright.render.errors import AssetError
from renderwright.render.memory.arcs import PackItem
from renderwright.render.memory.instances import MAX_FILE_BYTES, parse_instance, read_instance

CYCLIC = b"# T=30\nid,start,end,size,alignment\n0,6,15,458752,65536\n1,21,0,7,1\n2,4,4,9,8\n"
LINEAR = b"id,lower,upper,size\nb1,0,3,4\nb2,3,9,5\n"


def test_a_cyclic_problem() -> None:
    instance = parse_instance(CYCLIC, "frame.csv")
    assert (instance.name, instance.cyclic, instance.period, instance.ids) == ("frame", True, 30, ("0", "1", "2"))
    assert instance.items == (PackItem(6, 15, 458752, 65536), PackItem(21, 0, 7), PackItem(4, 4, 9, 8))


def test_a_linear_problem_is_a_circle_that_ends_with_the_last_life() -> None:
    instance = parse_instance(LINEAR)
    assert (instance.cyclic, instance.period, instance.ids) == (False, 9, ("b1", "b2"))
    assert instance.items == (PackItem(0, 3, 4), PackItem(3, 9, 5))


def test_columns_in_any_order_with_a_capacity_pins_and_no_alignment() -> None:
    instance = parse_instance(b"Size,capacity, id ,upper,lower\n4,100,a,3,0\n5,100,b,9,3\n")
    assert instance.items == (PackItem(0, 3, 4), PackItem(3, 9, 5))
    pinned = parse_instance(b"# T = 10\npin,id,start,end,size\n0,a,9,3,8\n,b,9,10,8\n")
    assert pinned.items == (PackItem(9, 3, 8, pin=0), PackItem(9, 10, 8))


def test_what_spreadsheets_write_is_read() -> None:
    windows = b"\xef\xbb\xbf" + CYCLIC.replace(b"\n", b"\r\n").replace(b"458752", b' "458752" ') + b"\r\n,,,,\r\n"
    quoted = windows.replace(b' "458752" ', b'"458752"')
    assert parse_instance(quoted).items == parse_instance(CYCLIC).items
    padded = CYCLIC.replace(b"# T=30", b"# T=30,,,,")
    assert parse_instance(padded).period == 30


def test_no_items_are_a_problem_too() -> None:
    assert parse_instance(b"# T=30\nid,start,end,size\n").items == ()
    assert parse_instance(b"id,lower,upper,size\n").period == 1


MISTAKES = [
    (b"", 1, "empty", "start with id,lower,upper,size"),
    (b" \n\n", 1, "empty", "an item a line"),
    (b"# T=30\n", 2, "no header", "id,start,end,size"),
    (b"# T=thirty\nid,start,end,size\n", 1, "period of the circle", "# T=30"),
    (b"# a comment\nid,start,end,size\n", 1, "period of the circle", "# T=30"),
    (b"# T=0\nid,start,end,size\n", 1, "T=0 is out of range", "at least 1"),
    (b"id,start,end,size\n0,1,2,3\n", 1, "no circle", "# T=30"),
    (b"# T=30\nid,lower,upper,size\n", 2, "do not wrap", "leave the line with T out"),
    (b"id,lower,size\n", 1, '"upper" is missing', "id,lower,upper,size"),
    (b"id,lower,upper,sise\n", 1, 'unknown column "sise"', 'did you mean "size"?'),
    (b"id,lower,upper,size,id\n", 1, 'duplicate column "id"', "keep one"),
    (LINEAR + b"b3,1,2\n", 4, "3 values for 4 columns", "id, lower, upper, size"),
    (LINEAR + b"b3,1,2,3,4\n", 4, "5 values for 4 columns", "id, lower"),
    (LINEAR + b"\nb1,1,2,3\n", 5, '"b1" is also in line 2', "its own id"),
    (LINEAR + b",1,2,3\n", 4, "no id", "its own id"),
    (LINEAR + b"b3,one,2,3\n", 4, 'the lower "one" is not a whole number', "digits"),
    (LINEAR + b"b3,1,2,1e3\n", 4, 'the size "1e3" is not a whole number', "digits"),
    (LINEAR + b"b3,1,2,\n", 4, 'the size "" is not a whole number', "digits"),
    (LINEAR + b"b3,1,2," + b"9" * 5000 + b"\n", 4, "is not a whole number", "digits"),
    ("id,lower,upper,size\nb,1,2,\u0663\n".encode(), 2, "is not a whole number", "digits"),
    (LINEAR + b"b3,1,2,-3\n", 4, "the size -3 is out of range", "at least 1"),
    (LINEAR + b"b3,1,2,0\n", 4, "the size 0 is out of range", "at least 1"),
    (LINEAR + b"b3,2,2,3\n", 4, "the upper 2 is out of range", "starts at 2 ends later"),
    (LINEAR + b"b3,-1,2,3\n", 4, "the lower -1 is out of range", "time starts at 0"),
    (CYCLIC + b"3,30,2,1,1\n", 6, "the start 30 is out of range", "from 0 to 29"),
    (CYCLIC + b"3,0,31,1,1\n", 6, "the end 31 is out of range", "an arc that wraps"),
    (CYCLIC + b"3,0,-1,1,1\n", 6, "the end -1 is out of range", "an arc that wraps"),
    (CYCLIC + b"3,0,1,1,0\n", 6, "the alignment 0 is out of range", "at least 1"),
    (b"# T=3\nid,start,end,size,alignment,pin\na,0,1,1,4,6\n", 3, "the pin 6 is not a multiple", "another offset"),
    (LINEAR + b"b3,1,2,1152921504606846976\n", 4, "over 2^60", "in bytes"),
    (LINEAR + b'b3,"1,2,3\n', 4, "cannot be read", "by commas"),
    (LINEAR + b"b\xff,1,2,3\n", 4, "not UTF-8", "in UTF-8"),
    (b"x" * (MAX_FILE_BYTES + 1), 1, "over 64 MiB", "smaller"),
]


@pytest.mark.parametrize(("content", "line", "message", "hint"), MISTAKES, ids=[m[2] for m in MISTAKES])
def test_mistakes_are_told_with_their_line(content: bytes, line: int, message: str, hint: str) -> None:
    with pytest.raises(AssetError) as caught:
        parse_instance(content, "bad.csv")
    assert str(caught.value).startswith(f"bad.csv:{line}: ")
    assert message in caught.value.message
    assert len(caught.value.message) < 160
    assert hint in caught.value.hint


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.csv", "a\0b"):
        with pytest.raises(AssetError, match="cannot be read") as caught:
            read_instance(path)
        assert caught.value.where is not None
    file = tmp_path / "frame.csv"
    file.write_bytes(LINEAR)
    assert read_instance(file) == parse_instance(LINEAR, str(file))
