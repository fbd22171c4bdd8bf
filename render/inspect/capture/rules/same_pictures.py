"""Nodes after which a texture is what it was, or what another one is already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from renderwright.render.inspect.capture.finding import Finding, Looked, Of, mebibytes
from renderwright.render.types.usages import ATTACHMENTS

_ATTACHED = {usage.value for usage in ATTACHMENTS}
_HINT = "leave the node out, or ask whether this frame shows what it is for"


def same_pictures(looked: Looked) -> Iterator[Finding]:
    """Writes that changed no texel, and textures that equal another one texel for texel.

    Textures of a single value are left out: an effect may have nothing to do in this frame. So are nodes that draw
    things over what is there, also over what a node before them in their pass has copied: how many things they draw is
    not known, and there may be none in sight. What instances of one node make alike is one finding.
    """
    last: dict[tuple[str, int, int], str] = {}
    made: dict[str, tuple[str, str]] = {}
    twins: dict[str, str] = {}
    for picture in looked.document["pictures"]:
        node, resource, digest = picture["node"], picture["resource"], picture["digest"]
        place = resource, picture["mip"], picture["layer"]
        flat = picture["flat"]
        before = last.get(place)
        last[place] = digest
        maker, twin = made.setdefault(digest, (node, resource))
        if flat or _draws_over(looked, node, resource):
            continue
        if before == digest:
            what = f"`{node}` writes `{resource}`, and not one texel becomes another"
            yield _finding(looked, what, (node,), (resource,))
        elif twin != resource and looked.nodes[node]["name"] == looked.nodes[maker]["name"]:
            twins.setdefault(node, maker)
        elif twin != resource:
            what = f"`{node}` makes `{resource}`, which is texel for texel what `{maker}` has made as `{twin}`"
            yield _finding(looked, what, (node,), (resource, twin))
    if twins:
        node, maker = next(iter(twins.items()))
        many = f"{len(twins)} nodes make" if len(twins) > 1 else "a node makes"
        what = f"{many} texel for texel what another instance has made, such as `{node}` and `{maker}`"
        hint = "nodes that do so in every frame can run once for all views (`multiplex`)"
        yield _finding(looked, what, tuple(twins), (), hint)


def _draws_over(looked: Looked, node: str, resource: str) -> bool:
    """Whether a node draws geometry over what a texture has, so that it need not reach a texel."""
    if looked.nodes[node].get("fullscreen"):
        return False
    return any(
        access["usage"] in _ATTACHED
        for access in looked.accesses
        if (access["node"], access["resource"]) == (node, resource) and access["reads"] and access["writes"]
    )


def _finding(looked: Looked, what: str, nodes: tuple[str, ...], resources: Sequence[str], hint: str = _HINT) -> Finding:
    size = sum(access["bytes_read"] + access["bytes_written"] for access in looked.accesses if access["node"] in nodes)
    return Finding(
        "same-picture",
        f"{what}; about {mebibytes(size)} are moved for it",
        hint,
        nodes,
        tuple(resources),
        looked.owners.get(nodes[0], "") if len(nodes) == 1 else "",
        size,
        size / max(1, looked.moved),
        Of.MOVED,
    )
