"""Rules and waves as data: those of the game, and mistakes in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderwright.games.drift.match import MOST_ROCKS
from renderwright.games.drift.rule_files import FOLDER, RockKind, Rules, load_rules, load_waves
from renderwright.render.errors import AssetError


def pieces(rules: Rules, kind: RockKind) -> int:
    """The most rocks that one may become."""
    return max(1, sum(count * pieces(rules, rules.rocks[name]) for name, count in kind.splits.items()))


def test_every_wave_fits_into_the_rows_of_rocks() -> None:
    rules = load_rules()
    waves = load_waves(rules)
    assert len(waves) >= 8
    for wave in waves:
        assert sum(count * pieces(rules, rules.rocks[name]) for name, count in wave.rocks.items()) <= MOST_ROCKS


@pytest.mark.parametrize(
    ("old", "new", "message", "hint"),
    [
        ("thrust: 13.0", "thrust: -1", "ship.thrust: Input should be greater than 0", "-1"),
        ("gravity: 95.0", "gravity: .nan", "sun.gravity: Input should be a finite number", "nan"),
        ("brake:", "breaks:", "ship.breaks: unknown key", 'did you mean "brake"?'),
        ("splits: {stone: 2}", "splits: {stones: 2}", 'unknown rock "stones"', 'did you mean "stone"?'),
        ("splits: {shard: 4}", "splits: {boulder: 4}", '"ice" splits into "boulder"', "a radius below 1.25"),
        ("arena:", "arena: [", "expected", "plain YAML"),
    ],
)
def test_mistakes_in_the_rules_name_their_line(tmp_path: Path, old: str, new: str, message: str, hint: str) -> None:
    text = (FOLDER / "rules.yaml").read_text()
    assert old in text
    file = tmp_path / "rules.yaml"
    file.write_text(text.replace(old, new, 1))
    with pytest.raises(AssetError) as caught:
        load_rules(file)
    assert message in str(caught.value)
    assert hint in str(caught.value)
    assert f"{file}:" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- {name: a, rocks: {bolder: 1}}", 'unknown rock "bolder"'),
        ("- {name: a, rocks: {boulder: 0}}", "0.rocks.boulder"),
        ("[]", "there is no wave"),
        ("- {rocks: {boulder: 1}}", "0.name"),
    ],
)
def test_mistakes_in_the_waves_are_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "waves.yaml"
    file.write_text(text)
    with pytest.raises(AssetError, match=message):
        load_waves(load_rules(), file)
    with pytest.raises(AssetError, match="cannot read"):
        load_waves(load_rules(), tmp_path / "absent.yaml")
