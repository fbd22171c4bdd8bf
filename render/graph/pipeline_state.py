"""Checks the fixed-function state that declare functions give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from renderwright.render.errors import GraphError
from renderwright.render.graph.source import caller_location
from renderwright.render.suggest import did_you_mean
from renderwright.render.types.pipeline_state import STATE_KEYS


def check_state(node: str, state: Mapping[str, Any]) -> None:
    """Raise ``GraphError`` at the caller's line for an unknown key and for a value that can change."""
    for key, value in state.items():
        if key not in STATE_KEYS:
            raise GraphError(
                f'"{node}" sets the unknown state "{key}"', hint=did_you_mean(key, STATE_KEYS), where=caller_location()
            )
        try:
            hash(value)
        except TypeError:
            raise GraphError(
                f'"{node}" sets the state "{key}" to {value!r}, which can change',
                hint="give a tuple instead of a list",
                where=caller_location(),
            ) from None
