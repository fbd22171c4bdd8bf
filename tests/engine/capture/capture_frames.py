"""Small frames to capture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from renderwright.engine.capture.planned import planned_capture
from renderwright.engine.options import PlanOptions
from renderwright.engine.planning import plan_of
from renderwright.render.inspect.capture.finding import Finding, Of

COLOR = "{texture: rgba16_sfloat, resolution: output, usage: color}"

FRAME = f"""\
version: 1
sinks: [image]
nodes:
  - {{name: camera, create: {{camera: {{blob: Camera}}}}}}
  - name: gbuffer
    read: {{camera: {{blob: Camera}}}}
    create: {{albedo: {COLOR}, depth: {{texture: d32_float, resolution: output, usage: depth}}}}
  - {{name: light, read: {{albedo: {{usage: sampled}}, depth: {{usage: sampled}}}}, create: {{lit: {COLOR}}}}}
  - name: blur
    queue: [compute]
    read: {{lit: {{usage: sampled}}}}
    history: {{soft: {{usage: sampled}}}}
    create: {{soft: {{texture: rgba16_sfloat, resolution: output, usage: storage_write}}}}
  - name: show
    read: {{soft: {{usage: sampled}}}}
    external: {{image: {{texture: rgba8_srgb, resolution: output, usage: color}}}}
  - {{name: stray, create: {{lost: {COLOR}}}}}
"""


def captured(folder: Path, text: str = FRAME, *, size: tuple[int, int] = (64, 32)) -> dict[str, Any]:
    """The capture of a skeleton that is not played."""
    file = folder / "frame.yaml"
    file.write_text(text, encoding="utf-8")
    options = PlanOptions(str(file), size=size, queues=("graphics", "compute"))
    return planned_capture(plan_of(options), options)


def chain(nodes: int) -> str:
    """A frame in which each node reads what two earlier ones have made."""
    rows = ["version: 1", "sinks: [image]", "nodes:", f"  - {{name: n0, create: {{t0: {COLOR}}}}}"]
    for number in range(1, nodes - 1):
        before = {number - 1, number * 7 // 8}
        read = ", ".join(f"t{one}: {{usage: sampled}}" for one in sorted(before - {number}))
        rows.append(f"  - {{name: n{number}, read: {{{read}}}, create: {{t{number}: {COLOR}}}}}")
    image = "{texture: rgba8_srgb, resolution: output, usage: color}"
    rows.append(f"  - {{name: show, read: {{t{nodes - 2}: {{usage: sampled}}}}, external: {{image: {image}}}}}")
    return "\n".join(rows) + "\n"


def finding_of(node: str, of: Of = Of.MEMORY) -> dict[str, Any]:
    """A finding about a node, as in a document."""
    found = Finding("lonely-history", f"`{node}` alone", "does it need it?", (node,), bytes=10, share=0.1, of=of)
    return found.to_json()
