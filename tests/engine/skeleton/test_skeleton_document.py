"""The document of the format says what the program does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from renderwright.engine.skeleton import parse_skeleton, skeleton_json_schema, to_snapshot
from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.errors import SkeletonError
from renderwright.render.graph.snapshot import ResolutionRule, SizeInputs
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.types.usages import Usage

TEXT = (Path(__file__).parents[3] / "docs" / "skeleton-format.md").read_text()


def rows(heading: str) -> dict[str, list[str]]:
    """The rows of the tables under a heading, by their first cell."""
    section = TEXT.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    found = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    return {cells[0]: cells for cells in found if not cells[0].startswith("---")}


def words(cells: object) -> set[str]:
    return set(re.findall(r"`([^`]+)`", str(cells)))


def test_every_key_is_described() -> None:
    schema = skeleton_json_schema()
    described = words(rows("A file").keys()) | words(rows("Nodes").keys())
    keys = set(schema["properties"])
    for definition in schema["$defs"].values():
        keys |= set(definition.get("properties", ()))
    assert keys - {"of", "input", "output"} <= described
    assert {"of: NAME", "input: RESOURCE", "output: RESOURCE"} <= {
        part for word in words(rows("A file")) for part in re.findall(r"\b(?:of|input|output): [A-Z]+", word)
    }


def test_every_usage_is_described() -> None:
    assert words(rows("Usages").keys()) == set(Usage)


def test_the_example_compiles_without_an_error() -> None:
    (example,) = re.findall(r"## A file\n\n```yaml\n(.*?)```", TEXT, re.DOTALL)
    skeleton = parse_skeleton(example.encode(), "example.yaml")
    sizes = SizeInputs((*skeleton.resolutions, ResolutionRule("output", size=(640, 360))))
    plan = compile_snapshot(to_snapshot(skeleton, {"view": 2}), sizes, CompileOptions(), RowMajorModel())
    assert plan.removed == ()
    assert plan.problems == ()
    names = [node.id for node in plan.graph.nodes]
    assert sorted(names) == ["fog@view=0", "fog@view=1", "gbuffer@view=0", "gbuffer@view=1", "show"]


@pytest.mark.parametrize(
    ("body", "row"),
    [
        ("read: {a: {usage: colour}}", "`usage: colour`"),
        ("create: {a: {texture: rgba8, size: [1, 1], usage: color}}", "`texture: rgba8`"),
        ("multiplex: [veiw]", "`multiplex: [veiw]`"),
        ("read: {a: {usage: color}}", "`read: {a: {usage: color}}`"),
        (
            "create: {d: {texture: d32_sfloat, resolution: r, usage: color}}",
            "`create: {d: {texture: d32_sfloat, resolution: r, usage: color}}`",
        ),
        ("read: {}\n    read: {}", "a key twice in one mapping"),
    ],
)
def test_the_mistakes_are_reported_as_described(body: str, row: str) -> None:
    with pytest.raises(SkeletonError) as caught:
        parse_skeleton(f"version: 1\nnodes:\n  - name: a\n    {body}\n".encode(), "f.yaml")
    reported = rows("Errors")[row][1]
    (message,) = re.findall(r"`([^`]+)`", reported)
    assert message in str(caught.value)
