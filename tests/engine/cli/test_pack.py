"""``renderwright pack``, run as a person runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from renderwright.engine.cli import main

INSTANCES = Path(__file__).parents[3] / "benchmarks" / "instances"
CYCLIC = "# T=10\nid,start,end,size,alignment,pin\nlong,3,7,3000,8,\nlow,9,3,1000,8,0\nhigh,9,0,1000,8,2000\n"


@pytest.fixture
def cyclic(tmp_path: Path) -> Path:
    file = tmp_path / "frame.csv"
    file.write_text(CYCLIC)
    return file


def packed(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, object]:
    assert main(["pack", *(str(word) for word in arguments), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert isinstance(result, dict)
    return result


@pytest.mark.parametrize("policy", ["fast", "balanced", "thorough"])
def test_json_has_all_that_was_found(policy: str, cyclic: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = packed(capsys, cyclic, "--policy", policy)
    assert list(result) == ["n", "T", "load", "clique", "makespan", "optimal", "seconds", "offsets"]
    assert (result["n"], result["T"], result["makespan"]) == (3, 10, 3000)
    assert result["offsets"] == [0, 0, 2000]
    assert isinstance(result["seconds"], float)


def test_the_offsets_are_in_the_order_of_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    result = packed(capsys, INSTANCES / "linear" / "input.12.csv")
    assert (result["n"], result["T"], result["load"], result["clique"], result["makespan"]) == (5, 21, 12, 12, 12)
    assert result["optimal"] is True
    offsets = result["offsets"]
    assert isinstance(offsets, list)
    assert sorted(offsets[index] for index in (0, 2, 4)) == [0, 4, 8]  # b1, b3 and b5 are in use together


def test_equal_seeds_and_steps_give_equal_offsets(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = (INSTANCES / "cyclic" / "fg07_mixed_64k_h10_n50.csv", "--steps", 50, "--seed", 3)
    first, second = (packed(capsys, *arguments) for _ in range(2))
    assert first["offsets"] == second["offsets"]


def test_the_table_lists_every_item_and_the_whole(cyclic: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pack", str(cyclic)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["offset", "size", "from", "to", "id"]
    assert [line.split()[-1] for line in lines[1:4]] == ["long", "low", "high"]
    assert lines[3].split()[:4] == ["2000", "1000", "9", "0"]
    text = "\n".join(lines[4:])
    assert "items     3 on a circle of T=10" in text
    assert "makespan  3000 bytes, no packing is smaller" in text


def test_no_items_pack_into_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "nothing.csv"
    file.write_text("id,lower,upper,size\n")
    result = packed(capsys, file)
    assert (result["n"], result["makespan"], result["offsets"]) == (0, 0, [])
    assert main(["pack", str(file)]) == 0
    assert "makespan  0 bytes" in capsys.readouterr().out


MISTAKES = [
    ("missing.csv", None, [], "No such file", "CSV file that is readable"),
    ("empty.csv", "", [], "empty.csv:1: the file is empty", "id,lower,upper,size"),
    ("bad.csv", CYCLIC + "more,1,2,x,8,\n", [], 'bad.csv:6: the size "x"', "digits"),
    ("clash.csv", CYCLIC + "more,9,0,1000,8,8\n", [], "cannot be packed", "change the file"),
    ("fine.csv", CYCLIC, ["--policy", "slow"], "'slow' is not one of", "renderwright pack --help"),
    ("fine.csv", CYCLIC, ["--steps", "-1"], "-1 is not in the range", "renderwright pack --help"),
    ("fine.csv", CYCLIC, ["--seconds", "1"], "--seconds is for the policy thorough", "renderwright pack --help"),
]


@pytest.mark.parametrize(("name", "content", "options", "message", "hint"), MISTAKES)
def test_mistakes_end_in_one_message(
    name: str,
    content: str | None,
    options: list[str],
    message: str,
    hint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    if content is not None:
        Path(name).write_text(content)
    assert main(["pack", name, *options]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: ")
    assert message in printed.err
    assert hint in printed.err
