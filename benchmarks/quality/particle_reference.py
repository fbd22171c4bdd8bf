"""Particles one by one on the CPU, from the rules that the page on particles tells."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from renderwright.plugins.particles import Collision, Particles

Vector = NDArray[np.float64]


@dataclass
class Source:
    """An emitter that was at ``places[0]`` before the first step, and at the next ones at the ends of the steps.

    The particles collide with a ground at height 0, if they collide.
    """

    particles: Particles
    rate: float
    seed: int
    places: Sequence[Vector]


@dataclass
class Moving:
    """A particle. ``flown`` are seconds without a collision before, if there was one."""

    position: Vector
    velocity: Vector
    age: float
    lifetime: float
    flown: float = math.inf


def simulated(source: Source, seconds: float) -> list[Moving]:
    """The particles that live after all steps, in the order of their births."""
    living: list[Moving] = []
    number, due = 0, 0.0
    for before, after in pairwise(source.places):
        for one in living:
            one.velocity = one.velocity * math.exp(-source.particles.drag * seconds)
            one.velocity = one.velocity + np.array(source.particles.gravity) * seconds
            _fly(one, seconds, source.particles.collision)
            one.age += seconds
        living = [one for one in living if one.age < one.lifetime]
        due += source.rate * seconds
        count = int(due)
        due -= count
        for nth in range(count):
            share = (nth + 0.5) / count
            living.append(_newborn(source, number, before + (after - before) * share, (1.0 - share) * seconds))
            number += 1
    return living


def _fly(one: Moving, seconds: float, collision: Collision | None) -> None:
    """Move a particle, perhaps down to the ground, and with what is left of its speed on from there."""
    to = one.position + one.velocity * seconds
    distance = collision.distance if collision is not None else -math.inf
    before, after = one.position[1] - distance, to[1] - distance
    one.flown = seconds
    if collision is None or after >= 0.0:
        one.position = to
        return
    if collision.dies:
        one.lifetime = 0.0
    share = before / (before - after) if before > 0.0 else 0.0
    one.flown = (1.0 - share) * seconds
    contact = one.position + one.velocity * seconds * share
    contact[1] = distance
    up = one.velocity[1]
    one.velocity = one.velocity * (1.0 - collision.friction)
    one.velocity[1] = max(up, -up * collision.restitution)
    one.position = contact + one.velocity * one.flown


def _newborn(source: Source, number: int, place: Vector, age: float) -> Moving:
    particles = source.particles
    random = _Random(_hashed(number + _hashed(source.seed)))
    low, high = particles.lifetime
    lifetime = low + (high - low) * random.next()
    low, high = particles.speed
    speed = low + (high - low) * random.next()
    axis = np.array(particles.direction) / np.linalg.norm(particles.direction)
    velocity = _in_cone(axis, math.cos(particles.spread), random) * speed
    within = _in_cone(np.array([0.0, 1.0, 0.0]), -1.0, random) * random.next() ** (1.0 / 3.0)
    return Moving(place + within * particles.radius + velocity * age, velocity, age, lifetime)


def _in_cone(axis: Vector, cosine: float, random: _Random) -> Vector:
    height = 1.0 + (cosine - 1.0) * random.next()
    turn = 2.0 * math.pi * random.next()
    away = math.sqrt(max(0.0, 1.0 - height * height))
    other = np.array([0.0, 1.0, 0.0]) if abs(axis[1]) < 0.9 else np.array([1.0, 0.0, 0.0])
    side = np.cross(axis, other)
    side = side / np.linalg.norm(side)
    turned: Vector = axis * height + (side * math.cos(turn) + np.cross(axis, side) * math.sin(turn)) * away
    return turned


class _Random:
    def __init__(self, state: int) -> None:
        self._state = state

    def next(self) -> float:
        """A number from 0 to 1."""
        self._state = _hashed(self._state)
        return (self._state >> 8) / 16777216.0


def _hashed(value: int) -> int:
    """PCG of 32 bits."""
    state = (value * 747796405 + 2891336453) & 0xFFFFFFFF
    word = (((state >> ((state >> 28) + 4)) ^ state) * 277803737) & 0xFFFFFFFF
    return (word >> 22) ^ word
