"""A ship: momentum flight, its cannon, its lives."""

from __future__ import annotations

import cmath
from dataclasses import dataclass

from renderwright.games.drift.bodies import pull
from renderwright.games.drift.rule_files import Rules, ShipRules


@dataclass(frozen=True)
class Helm:
    """What a player does in a step: turn from -1 (left) to 1 (right), thrust from -1 (brake) to 1, and fire."""

    turn: float = 0.0
    thrust: float = 0.0
    fire: bool = False


@dataclass
class Ship:
    """A player's ship. ``away`` are the seconds until it appears again, ``reload`` those until its next shot."""

    lives: int
    score: int = 0
    at: complex = 0j
    velocity: complex = 0j
    heading: float = 0.0
    shield: float = 0.0
    away: float = 0.0
    reload: float = 0.0
    thrust: float = 0.0

    @property
    def flying(self) -> bool:
        """Whether it is there."""
        return self.lives > 0 and self.away <= 0.0

    @property
    def forward(self) -> complex:
        """The direction that it points to, of length 1."""
        return cmath.rect(1.0, self.heading)

    def appear(self, at: complex, velocity: complex, rules: ShipRules) -> None:
        """Start at a place, with a shield, looking where it flies."""
        self.at, self.velocity, self.heading = at, velocity, cmath.phase(velocity)
        self.shield, self.away, self.reload, self.thrust = rules.shield, 0.0, 0.0, 0.0

    def fly(self, helm: Helm, rules: Rules, dt: float) -> bool:
        """Fly on for a step; returns whether it has hit the rim."""
        ship = rules.ship
        self.heading -= helm.turn * ship.turn * dt
        self.thrust = helm.thrust
        force = helm.thrust * (ship.thrust if helm.thrust > 0.0 else ship.brake)
        self.velocity += (force * self.forward + complex(pull(self.at, rules.sun))) * dt
        self.velocity *= 1.0 - ship.drag * dt
        self.at += self.velocity * dt
        self.shield = max(0.0, self.shield - dt)
        self.reload = max(0.0, self.reload - dt)
        return self._bounce(rules)

    def _bounce(self, rules: Rules) -> bool:
        edge = rules.arena.radius - rules.ship.radius
        if abs(self.at) <= edge:
            return False
        outward = self.at / abs(self.at)
        speed = (self.velocity * outward.conjugate()).real
        self.velocity -= (1.0 + rules.ship.bounce) * max(speed, 0.0) * outward
        self.at = outward * edge
        return speed > 0.0
