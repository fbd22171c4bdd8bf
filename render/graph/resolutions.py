"""The values of the auto-resolutions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from renderwright.render.graph.snapshot import ResolutionRule
from renderwright.render.suggest import did_you_mean
from renderwright.render.types.resources import Extent

# A floating-point product such as 10 * 1.1 may exceed the exact integer slightly.
_ROUNDING = 1e-6


@dataclass(frozen=True)
class ResolutionValues:
    """The extents of valid resolutions, and the errors of the others, by name."""

    extents: Mapping[str, Extent]
    failures: Mapping[str, str]


def scaled(extent: Extent, scale: float) -> Extent:
    """``scale`` times the extent, rounded up, at least one texel each way."""
    width, height = (max(1, math.ceil(side * scale - _ROUNDING)) for side in extent)
    return width, height


def mips_within(extent: Extent, mips: int) -> int:
    """``mips``, limited to the length of the full mip chain of the extent, whose last level has one texel."""
    return min(mips, max(extent).bit_length())


def resolution_values(rules: Sequence[ResolutionRule]) -> ResolutionValues:
    """Evaluates rules that may refer to one another in any order."""
    by_name = {rule.name: rule for rule in rules}
    extents: dict[str, Extent] = {}
    failures: dict[str, str] = {}
    for name in by_name:
        _evaluate(name, by_name, extents, failures)
    return ResolutionValues(extents, failures)


def _evaluate(
    name: str, rules: Mapping[str, ResolutionRule], extents: dict[str, Extent], failures: dict[str, str]
) -> None:
    """Resolves ``name`` and every resolution that it refers to."""
    path: list[str] = []
    failure = ""
    while name not in extents and not failure:
        rule = rules.get(name)
        if name in failures:
            failure = failures[name]
        elif name in path:
            failure = f"resolutions refer to each other in a cycle: {' -> '.join([*path[path.index(name) :], name])}"
        elif rule is None:
            failure = f'resolution "{path[-1]}" refers to "{name}", which does not exist; {did_you_mean(name, rules)}'
        elif rule.size is not None:
            extents[name] = scaled(rule.size, 1.0)
        elif not rule.of:
            failure = f'resolution "{name}" has neither a size nor another resolution to follow'
        elif not 0 < rule.scale < math.inf:
            failure = f'resolution "{name}" is {rule.scale} times as large as "{rule.of}"'
        else:
            path.append(name)
            name = rule.of
    for follower in reversed(path):
        if failure:
            failures[follower] = failure
        else:
            extents[follower] = scaled(extents[rules[follower].of], rules[follower].scale)
    if failure and name in rules:
        failures[name] = failure
