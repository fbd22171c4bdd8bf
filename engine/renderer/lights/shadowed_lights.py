"""The blob of the local lights that cast shadows, in the graph while there are any."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.engine.renderer.lights.light_set import ShadowedLight


@dataclass(frozen=True)
class ShadowedLights:
    """The blob ``shadowed_lights``: the lights by channel of ``light_visibility``, None for free channels.

    ``moves`` grows, by channel, when a caster within a light's reach has moved: without that and with the same light a
    shadow map stays as it is.
    """

    lights: tuple[ShadowedLight | None, ...] = ()
    moves: tuple[int, ...] = ()
