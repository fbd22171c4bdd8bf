"""Banks: nodes that make the shadows of four local lights, in the graph while their slots are in use."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.engine.renderer.lights.shadow_places import SHADOW_CHANNELS
from renderwright.engine.renderer.lights.shadowed_lights import bank_blob
from renderwright.plugins.shadows.settings import ShadowSettings


@dataclass(frozen=True)
class Bank:
    """A bank and its slots, as far as the settings allow them."""

    number: int
    slots: range

    def node(self, name: str) -> str:
        """The name of a node or blob of this bank; that of the first one is plain."""
        return f"{name}_{self.number}" if self.number else name

    @property
    def lights(self) -> str:
        """The blob of its lights."""
        return bank_blob(self.number)

    @property
    def seen(self) -> str:
        """The texture of the visible shares of its lights, a channel for each slot. The first one makes the result."""
        return f"shadows/seen_{self.number}" if self.number else "light_visibility"


def banks(settings: ShadowSettings) -> tuple[Bank, ...]:
    """The banks that the settings allow."""
    starts = range(0, settings.lights, SHADOW_CHANNELS)
    return tuple(
        Bank(number, range(start, min(start + SHADOW_CHANNELS, settings.lights))) for number, start in enumerate(starts)
    )
