"""Comparisons of two captures: what was added, removed, changed and moved, pictures, and files that are none."""

from __future__ import annotations

import copy
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from capture_frames import FRAME, captured

from renderwright.engine.capture.compared import compared_captures
from renderwright.engine.capture.files import write_json, write_page
from renderwright.engine.capture.flip import FLIP, PLAIN, measure, picture_pairs
from renderwright.engine.capture.pictures import picture_of
from renderwright.engine.cli import main
from renderwright.render.inspect.capture.difference import difference_of
from renderwright.render.runtime.lowering.texture_copies import CopiedTexels
from renderwright.render.types.physical import TextureInfo
from tests.browser import Page

GLOW = "  - {name: glow, modify: {lit: {usage: color}}}\n"


@pytest.fixture
def both(tmp_path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """A frame, and the same with another node and a larger resource."""
    larger = FRAME.replace("- name: show", f"- {GLOW.strip()[2:]}\n  - name: show").replace("r8_unorm", "r16_unorm")
    return captured(tmp_path), captured(tmp_path, larger.replace("d32_float", "d16_unorm"))


def picture(texels: Any, node: str = "light", resource: str = "lit", name: str = "rgba8_unorm") -> dict[str, Any]:
    array = np.asarray(texels, np.uint8 if name.startswith("rgba8") else np.float16)
    info = TextureInfo(name, (array.shape[1], array.shape[0]), 1, 1, 1, frozenset())
    return picture_of(CopiedTexels(node, resource, 0, 0, info, array), 64)


def test_equal_captures_have_no_difference(tmp_path: Path) -> None:
    one = captured(tmp_path)
    found = difference_of(one, copy.deepcopy(one))
    assert [found[what] for what in ("nodes", "resources", "barriers", "plugins", "settings")] == [[]] * 5


def test_what_was_added_changed_and_moved(both: tuple[dict[str, Any], dict[str, Any]]) -> None:
    found = difference_of(*both)
    nodes = {row["id"]: row for row in found["nodes"]}
    assert (nodes["glow"]["state"], nodes["glow"]["bytes_before"]) == ("added", 0)
    resources = {row["id"]: row for row in found["resources"]}
    assert resources["depth"]["state"] == "changed"
    assert "format: d32_float becomes d16_unorm" in resources["depth"]["what"]
    totals = {row["what"]: (row["before"], row["after"]) for row in found["totals"]}
    assert totals["nodes"] == (5, 6)
    back = {row["id"]: row["state"] for row in difference_of(both[1], both[0])["nodes"]}
    assert back["glow"] == "removed"


def test_settings_and_options_that_differ(tmp_path: Path) -> None:
    one, other = captured(tmp_path), captured(tmp_path, size=(96, 32))
    assert difference_of(one, other)["settings"] == [{"key": "options: size", "before": [64, 32], "after": [96, 32]}]


def test_pictures_that_differ_come_with_where() -> None:
    plain = np.full((8, 8, 4), 100)
    other = plain.copy()
    other[:4] = 200
    (pair,) = picture_pairs(
        [picture(plain), picture(plain, "gbuffer", "albedo")], [picture(other), picture(plain, "gbuffer", "albedo")]
    )
    assert 0.0 < pair["difference"] < 1.0
    assert pair["map"]["size"] == [8, 8]


def test_pictures_without_a_partner_have_no_number() -> None:
    pairs = picture_pairs(
        [picture(np.full((8, 8, 4), 1))], [picture(np.full((4, 8, 4), 1)), picture([[[1] * 4]], "n", "x")]
    )
    assert [pair["difference"] for pair in pairs] == [None, None]


def test_pictures_of_resources_with_other_writers_are_compared_at_their_end() -> None:
    (pair,) = picture_pairs([picture(np.full((8, 8, 4), 1))], [picture(np.full((8, 8, 4), 90), "glow")])
    assert pair["difference"] is not None


def test_without_flip_the_difference_is_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("flip_evaluator")
    assert measure() == FLIP
    monkeypatch.setitem(sys.modules, "flip_evaluator", None)
    assert measure() == PLAIN
    (pair,) = picture_pairs([picture(np.full((8, 8, 4), 0))], [picture(np.full((8, 8, 4), 255))])
    assert pair["difference"] == 1.0


def test_infinite_values_can_be_compared() -> None:
    texels = np.full((8, 8, 4), 0.5, np.float16)
    other = texels.copy()
    other[0, 0] = (np.inf, np.nan, -np.inf, 1.0)
    pairs = picture_pairs([picture(texels, name="rgba16_sfloat")], [picture(other, name="rgba16_sfloat")])
    assert pairs[0]["difference"] > 0.0


def test_files_of_both_kinds_become_a_page(
    both: tuple[dict[str, Any], dict[str, Any]], browser: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, page = tmp_path / "first.json", tmp_path / "second.html", tmp_path / "diff.html"
    write_json(first, both[0])
    write_page(second, both[1])
    assert main(["capture", "--diff", str(first), str(second), "--html", str(page)]) == 0
    assert f"What differs is in {page}" in capsys.readouterr().err
    opened = Page(browser, page)
    said = opened.text("#main")
    for text in ("first.json", "second.html", "glow", "d32_float becomes d16_unorm"):
        assert text in said
    tables = opened.page.eval_on_selector_all(
        "#main table",
        "all => all.map(one => [[...one.rows[0].cells].map(cell => cell.textContent), one.rows[1].cells.length])",
    )
    for titles, columns in tables:
        assert len(titles) == columns
        assert all(titles[1:]), titles
    opened.show("view=nodes")
    assert opened.count("#main .line") == 6
    opened.page.click("#views button:text-is('before')")
    opened.show("view=nodes")
    assert opened.count("#main .line") == 5
    opened.show("view=pairs")
    opened.close()


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.json", "{", "it is damaged"),
        ("a.json", "[1]", "it is no capture of a frame"),
        ("a.json", '{"kind": "capture", "schema": 99}', "its schema is 99, and this renderwright reads 1"),
        ("a.html", "<!doctype html>", "it is no page of a capture"),
        ("a.html", '<script type="application/octet-stream" id="data">AAAA</script>', "it is damaged"),
    ],
)
def test_files_that_are_no_captures_are_told(
    name: str, content: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / name
    file.write_text(content)
    assert main(["capture", "--diff", str(file), str(file), "--html", str(tmp_path / "diff.html")]) == 2
    said = capsys.readouterr().err
    assert f'"{file}" cannot be compared: {reason}' in said


def test_a_game_or_two_captures_but_not_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.json"
    write_json(file, captured(tmp_path))
    both = ["--diff", str(file), str(file), "--html", str(tmp_path / "diff.html")]
    assert main(["capture", "marbles", *both]) == 2
    assert main(["capture", "--html", str(tmp_path / "diff.html")]) == 2
    assert "GAME, or --diff A B" in capsys.readouterr().err
    assert main(["capture", *both]) == 0
    assert json.loads(json.dumps(compared_captures(file, file)))["kind"] == "diff"
