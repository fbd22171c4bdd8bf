"""``renderwright schema``: the JSON Schema of skeleton files."""

from __future__ import annotations

import json

import click


@click.command()
def schema() -> None:
    """Print the JSON Schema of skeleton files.

    Editors complete and validate files with it.
    """
    from renderwright.engine.skeleton import skeleton_json_schema

    print(json.dumps(skeleton_json_schema(), indent=2))
