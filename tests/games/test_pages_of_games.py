"""The pages on how the games are made: nodes, resources and files that they name are there, and no file is left out."""

from __future__ import annotations

import contextlib
import io
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from renderwright.engine.cli import main

REPOSITORY = Path(__file__).parents[2]
PAGES = {"marbles": "marbles.md", "drift": "drift.md", "duel": "duel.md", "gallery": "gallery-game.md"}
CHAINED = {"hdr_final", "ldr"}
"""The ends of the skeletons' chains, which no resource has for a name."""


def page(game: str) -> str:
    return (REPOSITORY / "docs" / PAGES[game]).read_text(encoding="utf-8")


@cache
def plan(game: str) -> dict[str, Any]:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert main(["graph", game, "--format", "json"]) == 0
    report: dict[str, Any] = json.loads(printed.getvalue())
    return report


def nodes(game: str) -> set[str]:
    return {node["name"] for node in plan(game)["nodes"]}


def resources(game: str) -> set[str]:
    return {name for resource in plan(game)["resources"] for name in resource["names"]}


def anywhere() -> set[str]:
    """The nodes of all games, also those that their first frame does without, as marbles does without probes."""
    left_out = {removed["node"] for game in PAGES for removed in plan(game)["removed"]}
    return left_out.union(*(nodes(game) for game in PAGES))


def mermaid(game: str) -> str:
    (graph,) = re.findall(r"```mermaid\n(.*?)```", page(game), re.DOTALL)
    return str(graph)


@pytest.mark.parametrize("game", PAGES)
def test_nodes_of_plugins_that_a_page_names_are_in_the_first_frame(game: str) -> None:
    plugins = {node["plugin"] for one in PAGES for node in plan(one)["nodes"]} - {""}
    named = {name for name in re.findall(r"[a-z_]+/[a-z_0-9]+", page(game)) if name.split("/")[0] in plugins}
    assert named
    assert named - resources(game) <= nodes(game)


@pytest.mark.parametrize("game", ["marbles", "drift"])
def test_the_table_of_nodes_names_nodes(game: str) -> None:
    table = page(game).partition("| node | of | does |")[2].partition("\n\n")[0]
    rows = [row.split("|")[1] for row in table.splitlines()[2:]]
    assert len(rows) > 4
    for name in (name for row in rows for name in re.findall(r"`([a-z_/0-9]+)`", row)):
        # The last ones of a row of nodes are short: `shadows/cascade_0` to `3`.
        assert any(node == name or (len(name) < 6 and node.endswith(name)) for node in anywhere()), name


@pytest.mark.parametrize("game", ["marbles", "drift"])
def test_the_edges_of_a_graph_are_resources_that_its_nodes_use(game: str) -> None:
    known = {name for one in PAGES for name in resources(one)} | CHAINED
    lines = [line.strip() for line in mermaid(game).splitlines()[1:]]
    assert len(lines) > 4
    for line in lines:
        for label in re.findall(r" -- (.*?) --> ", line):
            assert set(label.split(", ")) <= known, line
        assert set(re.split(r" --> ", re.sub(r" -- .*? --> ", " --> ", line))) <= anywhere(), line


@pytest.mark.parametrize("game", PAGES)
def test_a_page_or_the_readme_names_every_file(game: str) -> None:
    folder = REPOSITORY / "games" / game
    files = page(game).partition("\n## Files\n")[2].partition("\n## ")[0]
    table = files or (folder / "README.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("|")]
    named = {name for row in rows for name in re.findall(r"`([\w/*.]+\.(?:py|yaml|frag|\*))`", row)}
    for name in named:
        assert list(folder.glob(name)), name
    found = {path for name in named for path in folder.glob(name)}
    content = {path for ending in ("py", "yaml") for path in folder.glob(f"*.{ending}")}
    assert content - found == {folder / "__init__.py"}
