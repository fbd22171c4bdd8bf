"""What a device has too little of, with the fields of its ``Capabilities``."""

from __future__ import annotations

from collections.abc import Iterator

from renderwright.render.compiler.diagnostics.faults import Fault, error, invalid
from renderwright.render.compiler.resolve.bind import BoundGraph
from renderwright.render.compiler.values.resolved import BoundNode
from renderwright.render.types.resources import Texture
from renderwright.render.types.usages import Usage


def check_limits(bound: BoundGraph, most_samples: int, most_colors: int) -> list[Fault]:
    """No texture has more samples a texel, and no node more color attachments, than the device can have."""
    return [
        fault
        for node in bound.nodes
        for fault in (*_too_many_samples(node, most_samples), *_too_many_colors(node, most_colors))
    ]


def _too_many_samples(node: BoundNode, most: int) -> Iterator[Fault]:
    for creation in node.requests:
        desc = creation.request.desc
        if isinstance(desc, Texture) and desc.samples > most:
            message = (
                f"`{node.name}` creates `{creation.name}` with {desc.samples} samples a texel, and the device has "
                f"at most {most} (Capabilities.most_samples)"
            )
            hint = f"ask for {most} samples or fewer"
            yield invalid(node.name, error("samples", message, hint, [creation.request.source]))


def _too_many_colors(node: BoundNode, most: int) -> Iterator[Fault]:
    colors = [bound.request.source for bound in node.requests if bound.request.usage is Usage.COLOR]
    if len(colors) > most:
        message = (
            f"`{node.name}` renders to {len(colors)} color attachments, and the device has at most {most} "
            "(Capabilities.most_colors)"
        )
        yield invalid(node.name, error("colors", message, "render to the others in another node", [colors[most]]))
