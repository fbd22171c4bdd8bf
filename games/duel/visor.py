"""The plugin ``visor``: a player's picture shows the damage of the own tank.

The skeleton of ``duel`` has a chain ``visor`` between the tone mapper and the output, which this plugin joins. A game
places a ``Visor`` for each player whose picture shows damage.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from pydantic import BaseModel, Field

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.engine.scene.number_rules import Checked, NumberRule
from renderwright.engine.scene.placements import PlacedRows
from renderwright.render import Commands, Execute, Registry

NAME = "visors"
"""The buffer of the rows: hurt, shock, static and time of each player."""
MOST_PLAYERS = 4
_SHARE = NumberRule(least=0.0, most=1.0)


class VisorSettings(BaseModel):
    """User settings."""

    strength: float = Field(1.0, ge=0.0, le=2.0, description="how much damage disturbs the picture")


@dataclass(eq=False)
class Visor(Checked):
    """What a player looks through: ``hurt`` reddens and cracks its edge, ``shock`` splits colours, ``static`` is snow.

    All are from 0 to 1. ``player`` is counted from 0.
    """

    number_rules: ClassVar[Mapping[str, NumberRule]] = {
        "player": NumberRule(least=0, most=MOST_PLAYERS - 1, whole=True),
        "hurt": _SHARE,
        "shock": _SHARE,
        "static": _SHARE,
    }

    player: int = 0
    hurt: float = 0.0
    shock: float = 0.0
    static: float = 0.0

    @classmethod
    def table(cls) -> VisorTable:
        """An empty table of visors."""
        return VisorTable()

    @classmethod
    def examples(cls) -> tuple[Visor, ...]:
        """One needs everything."""
        return (cls(hurt=1.0),)


class VisorTable:
    """The visors of a scene as rows for the shader, one for each player."""

    def __init__(self) -> None:
        self._visors: list[Visor] = []
        self._values = np.zeros((MOST_PLAYERS, 4), np.float32)
        self._time = 0.0
        self._rows = PlacedRows(NAME, self._values.copy(), MOST_PLAYERS)

    def __len__(self) -> int:
        return len(self._visors)

    def __contains__(self, thing: object) -> bool:
        return any(visor is thing for visor in self._visors)

    def add(self, thing: Visor) -> None:
        """Add a visor."""
        self._visors.append(thing)

    def remove(self, thing: Visor) -> None:
        """Remove a visor."""
        self._visors.remove(thing)

    def clear(self) -> None:
        """Remove all visors."""
        self._visors.clear()

    def end_step(self, seconds: float) -> None:
        """Take over the visors' values. While all picture are clear, the time stands still and so do the rows."""
        values = np.zeros((MOST_PLAYERS, 4), np.float32)
        for visor in self._visors:
            values[visor.player, :3] = visor.hurt, visor.shock, visor.static
        if values.any():
            self._time = (self._time + seconds) % 64.0
        values[:, 3] = self._time
        if not np.array_equal(values, self._values):
            self._values = values
            self._rows = PlacedRows(NAME, values, MOST_PLAYERS)

    def rows(self, alpha: float) -> PlacedRows:
        """The rows of the last step."""
        return self._rows


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo("visor", "0.1.0", "Damage on a player's picture (chain visor of the game duel).", placed=(Visor,))


@hookimpl
def renderwright_settings() -> type[VisorSettings]:
    """The settings' model."""
    return VisorSettings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: VisorSettings) -> None:
    """Add the node that disturbs the picture."""
    graph.add_node("disturb", lambda reg: disturb(reg, settings))


def disturb(reg: Registry, settings: VisorSettings) -> Execute:
    """Draw the picture of a view as its player's visor shows it."""
    reg.read(NAME).storage_read()
    reg.chain("visor")
    reg.uniform("settings", settings)
    reg.stable()
    pipeline = reg.fullscreen("visor.frag")

    def execute(cmd: Commands) -> None:
        cmd.draw(pipeline, player=min(cmd.index.get("view", 0), MOST_PLAYERS - 1))

    return execute
