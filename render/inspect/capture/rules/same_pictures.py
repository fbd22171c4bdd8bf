"""Nodes after which a texture is what it was, or what another one is already."""

from __future__ import annotations

from collections.abc import Iterator

from renderwright.render.inspect.capture.finding import Finding, Looked, mebibytes


def same_pictures(looked: Looked) -> Iterator[Finding]:
    """Writes that changed no texel, and textures that equal another one texel for texel.

    Textures of a single value are left out: an effect may have nothing to do in this frame.
    """
    last: dict[tuple[str, int, int], str] = {}
    made: dict[str, tuple[str, str]] = {}
    for picture in looked.document["pictures"]:
        node, resource, digest = picture["node"], picture["resource"], picture["digest"]
        place = resource, picture["mip"], picture["layer"]
        flat = picture["flat"]
        before = last.get(place)
        last[place] = digest
        if before == digest and not flat:
            yield _finding(looked, node, resource, f"`{node}` writes `{resource}`, and not one texel becomes another")
        elif digest in made and made[digest][1] != resource and not flat:
            maker, twin = made[digest]
            yield _finding(
                looked,
                node,
                resource,
                f"`{node}` makes `{resource}`, which is texel for texel what `{maker}` has made as `{twin}`",
                twin,
            )
        made.setdefault(digest, (node, resource))


def _finding(looked: Looked, node: str, resource: str, what: str, *others: str) -> Finding:
    size = sum(access["bytes_read"] + access["bytes_written"] for access in looked.accesses if access["node"] == node)
    return Finding(
        "same-picture",
        f"{what}; it moves about {mebibytes(size)}",
        "leave the node out, or ask whether this frame shows what it is for",
        (node,),
        (resource, *others),
        looked.owners.get(node, ""),
        size,
        size / max(1, looked.moved),
    )
