"""What a device has too little of, by the fields of its ``Capabilities``."""

from __future__ import annotations

from renderwright.render.compiler.diagnostics.faults import Fault, error, invalid
from renderwright.render.compiler.resolve.bind import BoundGraph
from renderwright.render.types.resources import Texture


def check_samples(bound: BoundGraph, most_samples: int) -> list[Fault]:
    """No texture has more samples a texel than the device's attachments can have."""
    faults = []
    for node in bound.nodes:
        for creation in node.requests:
            desc = creation.request.desc
            if isinstance(desc, Texture) and desc.samples > most_samples:
                message = (
                    f"`{node.name}` creates `{creation.name}` with {desc.samples} samples a texel, and the device has "
                    f"at most {most_samples} (Capabilities.most_samples)"
                )
                hint = f"ask for {most_samples} samples or fewer"
                faults.append(invalid(node.name, error("samples", message, hint, [creation.request.source])))
    return faults
