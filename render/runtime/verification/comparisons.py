"""Which stable nodes ``play --verify-recording`` has compared with what they keep, and why others never were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from renderwright.render.runtime.lowering.node_run import NodeRun

_ONCE = "it recorded its commands only once in each slot"


class Comparisons:
    """Notes the executions of stable nodes, by name: all instances of one count as one node."""

    def __init__(self) -> None:
        self._compared: set[str] = set()
        self._reasons: dict[str, str] = {}

    def note(self, item: NodeRun) -> None:
        """A node is about to be executed; it is compared with what it keeps if that is unchanged."""
        name = item.instance.declaration.name
        if item.unchanged:
            self._compared.add(name)
        elif item.stable and name not in self._compared:
            self._reasons[name] = _changes(item) or self._reasons.get(name, _ONCE)

    @property
    def number(self) -> int:
        """How many nodes have been compared at least once."""
        return len(self._compared)

    @property
    def lacking(self) -> Mapping[str, Sequence[str]]:
        """The stable nodes that have never been compared, by the reason in words."""
        found: dict[str, list[str]] = {}
        for name, why in sorted(self._reasons.items()):
            if name not in self._compared:
                found.setdefault(why, []).append(name)
        return found


def _changes(item: NodeRun) -> str:
    """What has changed since a node recorded the commands that it keeps, in words; '' if it keeps none."""
    changed = {cell for cell, revision in item.seen if cell.revision != revision}
    if item.recorded is None or not changed:
        return ""
    blobs = [use.request.name for use in item.instance.uses if changed & set(item.handles[use.number][1].cells)]
    names = " and ".join(f'"{name}"' for name in dict.fromkeys(blobs))
    return f"{names or 'its revision'} had another value in each frame"
