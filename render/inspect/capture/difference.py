"""What differs between two captures: of a frame before and after a plugin, a setting or a commit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Document = Mapping[str, Any]


def difference_of(before: Document, after: Document) -> dict[str, Any]:
    """The differences. Rows of nodes and resources are there if they differ; ``state`` is ``added``, ``removed``,
    ``changed``, or ``moved`` for a resource that only lies elsewhere in memory or lives at another time."""
    return {
        "totals": list(_totals(before, after)),
        "nodes": list(_nodes(before, after)),
        "resources": list(_resources(before, after)),
        "barriers": list(_barriers(before, after)),
        "plugins": list(_plugins(before, after)),
        "settings": list(_settings(before, after)),
    }


def _totals(before: Document, after: Document) -> Iterator[dict[str, Any]]:
    measures: Sequence[tuple[str, str, Callable[[Document], float | None]]] = (
        ("nodes", "", lambda one: len(one["plan"]["nodes"])),
        ("nodes left out", "", lambda one: len(one["plan"]["removed"])),
        ("render passes", "", lambda one: sum(1 for item in one["plan"]["passes"] if item["render"])),
        ("resources", "", lambda one: len(one["plan"]["resources"])),
        ("heaps", "bytes", lambda one: sum(heap["size"] for heap in one["plan"]["heaps"])),
        ("moved", "bytes", lambda one: sum(moved_by(access) for access in one["accesses"])),
        ("barriers of an even frame", "", lambda one: sum(1 for row in one["plan"]["barriers"] if row["frame"] == 0)),
        ("waits between queues", "", lambda one: len(one["queues"]["waits"])),
        ("GPU, median", "ms", lambda one: one["times"] and one["times"]["gpu_ms"]),
        ("CPU, median", "ms", lambda one: one["times"] and one["times"]["cpu_ms"]),
    )
    for what, unit, measure in measures:
        yield {"what": what, "unit": unit, "before": measure(before), "after": measure(after)}


def moved_by(access: Mapping[str, Any]) -> int:
    """The bytes that an access moves."""
    return int(access["bytes_read"] + access["bytes_written"])


def _nodes(before: Document, after: Document) -> Iterator[dict[str, Any]]:
    for name, old, new in _pairs(before["plan"]["nodes"], after["plan"]["nodes"]):
        what = [*_changes(old, new, ("queue", "rate", "fullscreen", "multiview")), *_uses(before, after, name)]
        row = {
            "id": name,
            "plugin": (new or old)["plugin"],
            "state": _state(old, new, what),
            "what": what if old and new else [],
            "bytes_before": _moved(before, name),
            "bytes_after": _moved(after, name),
            "gpu_before": _time(before, name),
            "gpu_after": _time(after, name),
        }
        if row["state"] or row["bytes_before"] != row["bytes_after"]:
            yield {**row, "state": row["state"] or "changed"}


def _resources(before: Document, after: Document) -> Iterator[dict[str, Any]]:
    more = [{item["id"]: item for item in one["resources"]} for one in (before, after)]
    for name, old, new in _pairs(before["plan"]["resources"], after["plan"]["resources"]):
        what = _changes(old, new, ("kind", "format", "extent", "mips", "layers", "samples", "size", "names"))
        what += _changes(more[0].get(name), more[1].get(name), ("history", "kept", "external", "creator"))
        state = _state(old, new, what)
        if not state and old and new and old["copies"] != new["copies"]:
            state = "moved"
        if state:
            yield {
                "id": name,
                "plugin": (more[1].get(name) or more[0][name])["plugin"],
                "state": state,
                "what": what if old and new else [],
                "size_before": old["size"] if old else 0,
                "size_after": new["size"] if new else 0,
            }


def _barriers(before: Document, after: Document) -> Iterator[dict[str, Any]]:
    """The barriers of an even frame by resource and reason, where their numbers differ."""
    counts = [
        Counter((row["resource"], row["reason"]) for row in one["plan"]["barriers"] if row["frame"] == 0)
        for one in (before, after)
    ]
    for key in sorted(counts[0].keys() | counts[1].keys()):
        old, new = counts[0][key], counts[1][key]
        if old != new:
            yield {"resource": key[0], "reason": key[1], "before": old, "after": new}


def _plugins(before: Document, after: Document) -> Iterator[dict[str, Any]]:
    keys = ("nodes", "memory", "bytes_read", "bytes_written", "gpu_ms", "cpu_ms")
    rows = [{row["plugin"]: row for row in one["plugins"]} for one in (before, after)]
    for name in sorted(rows[0].keys() | rows[1].keys()):
        old, new = (found.get(name, {}) for found in rows)
        if any(old.get(key) != new.get(key) for key in keys):
            yield {
                "plugin": name,
                "before": {key: old.get(key) for key in keys},
                "after": {k: new.get(k) for k in keys},
            }


def _settings(before: Document, after: Document) -> Iterator[dict[str, Any]]:
    """Options, versions, device and settings of plugins, where they differ."""
    told = [_told(one) for one in (before, after)]
    for key in sorted(told[0].keys() | told[1].keys()):
        old, new = told[0].get(key), told[1].get(key)
        if old != new:
            yield {"key": key, "before": old, "after": new}


def _told(one: Document) -> dict[str, Any]:
    found = {
        f"{part}: {key}": value
        for part in ("device", "options", "versions")
        for key, value in (one[part] or {}).items()
    }
    for row in one["plugins"]:
        found |= {f"{row['plugin']}.{setting['key']}": setting["value"] for setting in row.get("settings", ())}
    return found


def _pairs(before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Any, Any]]:
    """The rows of one id on both sides, None where one side has none; in the order of the second side."""
    old, new = {row["id"]: row for row in before}, {row["id"]: row for row in after}
    for name in (*new, *(name for name in old if name not in new)):
        yield name, old.get(name), new.get(name)


def _state(old: object, new: object, what: Sequence[str]) -> str:
    if old is None or new is None:
        return "added" if old is None else "removed"
    return "changed" if what else ""


def _changes(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None, keys: Sequence[str]) -> list[str]:
    if old is None or new is None:
        return []
    return [
        f"{key}: {_word(old.get(key))} becomes {_word(new.get(key))}" for key in keys if old.get(key) != new.get(key)
    ]


def _word(value: Any) -> str:
    if isinstance(value, list):
        return " x ".join(str(one) for one in value)
    return "none" if value is None else str(value)


def _uses(before: Document, after: Document, node: str) -> list[str]:
    """The uses that a node has gained or lost."""
    old, new = (
        {(one["verb"], one["resource"], one["usage"]) for one in document["accesses"] if one["node"] == node}
        for document in (before, after)
    )
    return [
        f"{word}: {verb} `{resource}`{f' as {usage}' if usage else ''}"
        for word, some in (("new", new - old), ("gone", old - new))
        for verb, resource, usage in sorted(some, key=str)
    ]


def _moved(one: Document, node: str) -> int:
    return sum(moved_by(access) for access in one["accesses"] if access["node"] == node)


def _time(one: Document, node: str) -> float | None:
    rows = one["times"]["nodes"] if one["times"] else []
    found: float | None = next((row["gpu_ms"] for row in rows if row["node"] == node), None)
    return found
