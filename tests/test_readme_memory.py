"""The README's table on memory is what the command that it names prints."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from renderwright.engine.cli import main

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")

ROWS = {
    "renderwright": "",
    "a ring of two": "two_copies_each",
    "no aliasing": "no_aliasing",
    "reuse of whole images": "whole_image_reuse",
    "first-fit as": "linear_online_first_fit",
    "best-fit by": "decreasing_size_best_fit",
    "scanline over": "cyclic_scanline",
    "greedy scanline": "greedy_scanline",
}


def test_the_memory_table_is_true(capsys: pytest.CaptureFixture[str]) -> None:
    (command,) = re.findall(r"`renderwright (memory marbles [^`]*)`", README)
    assert main([*command.split(), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    sizes = {name: entry["size"] for name, entry in report["baselines"].items()} | {"": report["total"]["size"]}
    section = README.split("## Memory")[1].split("\n## ")[0]
    rows = re.findall(r"^\| ([^|]*) \| ([\d.]+) \| ([\d.]+) \|$", section, re.MULTILINE)
    assert len(rows) == len(ROWS) == len(sizes)
    for text, mib, ratio in rows:
        (name,) = (ROWS[start] for start in ROWS if text.startswith(start))
        size = sizes[name]
        assert (mib, ratio) == (f"{size / 2**20:.1f}", f"{size / sizes['']:.3f}"), f"{text}: run renderwright {command}"
    assert ("proved" in section) == all(heap["optimal"] for heap in report["heaps"])


@pytest.mark.parametrize("game", ["marbles", "duel", "gallery", "drift"])
def test_the_shares_of_the_games_are_true(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    section = README.split("## Memory")[1].split("\n## ")[0]
    (effects,) = re.findall(r"`--enable ([\w,]*)`\), histories included", section)
    (row,) = re.findall(rf"^\| `{game}` \| (.*) \|$", section, re.MULTILINE)
    measured = []
    for choice in ((), ("--enable", effects)):
        assert main(["memory", game, "--size", "3840x2160", "--no-device", "--json", *choice]) == 0
        report = json.loads(capsys.readouterr().out)
        total = report["total"]
        measured += [f"{total['size'] / 2**20:.1f}", f"{total['size'] / total['alone']:.3f}"]
        assert all(heap["optimal"] for heap in report["heaps"])
    assert row.split(" | ") == measured
    met = f"met by `{game}` with 14 effects" in section
    assert met == (float(measured[3]) <= 0.40)
