"""``renderwright new``: packages to start from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from renderwright.engine.scaffold import Package

KINDS = ("fullscreen", "compute", "geometry", "view")
SKELETONS = ("deferred", "forward", "flat")


@click.group()
def new() -> None:
    """Write a new plugin, game or skeleton as a package.

    The package is complete, with a test and a README, in the folder ./NAME.
    """


@new.command()
@click.argument("name")
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    default="fullscreen",
    show_default=True,
    help="fullscreen: an effect on the picture; compute: an effect with a compute pass before it; geometry: a mesh of "
    "its own in the scene; view: an arrangement of the views.",
)
def plugin(name: str, kind: str) -> None:
    """Write a plugin: settings, nodes, GLSL, a test, a README."""
    from renderwright.engine.scaffold import PluginKind, new_plugin

    _write(new_plugin(name, PluginKind(kind)))


@new.command()
@click.argument("name")
def game(name: str) -> None:
    """Write a game: a class, a test that plays it, a README."""
    from renderwright.engine.scaffold import new_game

    _write(new_game(name))


@new.command()
@click.argument("name")
@click.option(
    "--like",
    type=click.Choice(SKELETONS),
    default="deferred",
    show_default=True,
    help="Derive it from this one.",
)
def skeleton(name: str, like: str) -> None:
    """Write a skeleton: YAML, a game that uses it, a test, a README."""
    from renderwright.engine.scaffold import new_skeleton

    _write(new_skeleton(name, like))


def _write(package: Package) -> None:
    """Write the package into the current folder, and print its files and the next commands."""
    from renderwright.engine.scaffold import write_package

    write_package(package, Path())
    print(f"./{package.name} has {len(package.files)} files:")
    for path in package.files:
        print(f"  {package.name}/{path}")
    print("next:")
    for command in package.commands:
        print(f"  {command}")
