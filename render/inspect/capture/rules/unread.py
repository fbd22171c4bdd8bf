"""Requests and histories that nothing looks at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from renderwright.render.inspect.capture.finding import Finding, Looked, Of, mebibytes


def unread_requests(looked: Looked) -> Iterator[Finding]:
    """Requests to read what no shader of the node declares. Only a capture of a played frame knows the shaders.

    An optional request also tells the node whether the resource is there, which shaders do not show: it has no finding.
    """
    for one in looked.document.get("unread", ()):
        item = looked.resources.get(one["resource"])
        if item is None or one.get("optional"):
            continue
        history = one["verb"] == "history"
        others = [other for other in _readers(looked, item, history) if other != one["node"]]
        size = item["size"] if history and not others else 0
        what = f"the history of `{item['id']}`" if history else f"`{item['id']}`"
        yield Finding(
            "unread-history" if history else "unread",
            f"`{one['node']}` asks for {what} as `{one['binding']}`, and none of its shaders reads that"
            + (f"; without the request {mebibytes(size)} less would be kept for the next frame" if size else ""),
            f"leave the request out ({one['source']})",
            (one["node"],),
            (item["id"],),
            looked.owners.get(one["node"], ""),
            size,
            size / max(1, looked.heap_bytes),
            Of.MEMORY if size else Of.NOTHING,
        )


def lonely_histories(looked: Looked) -> Iterator[Finding]:
    """Histories that are read by nodes of another plugin than the one that makes them, and by one node alone.

    Requests that no shader reads do not count: they have a finding of their own.
    """
    readers = defaultdict(set)
    unread = {(one["node"], one["resource"]) for one in looked.document.get("unread", ()) if one["verb"] == "history"}
    for access in looked.accesses:
        if "frames_ago" in access and (access["node"], access["resource"]) not in unread:
            readers[access["resource"]].add(access["node"])
    for name, nodes in readers.items():
        item, (node, *others) = looked.resources[name], sorted(nodes)
        owner = looked.owners[node]
        share = item["size"] / max(1, looked.heap_bytes)
        if others or owner == item["plugin"] or not item["size"]:
            continue
        yield Finding(
            "lonely-history",
            f"`{name}` ({mebibytes(item['size'])}) lasts into the next frame for `{node}` alone, which is not of the "
            "plugin that makes it",
            f"does `{node}` need it? its plugin could keep something smaller of its own",
            (node,),
            (name,),
            owner,
            item["size"],
            share,
            Of.MEMORY,
        )


def _readers(looked: Looked, item: Mapping[str, Any], history: bool) -> list[str]:
    """The nodes that read a resource, or its history."""
    return [
        access["node"]
        for access in looked.accesses
        if access["resource"] == item["id"] and access["reads"] and ("frames_ago" in access) == history
    ]
