"""Resources and values of a finished frame, by the id of a resource instance."""

from __future__ import annotations

from typing import Any

from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT
from renderwright.render.errors import BackendError
from renderwright.render.runtime.running import RunningPlan
from renderwright.render.types.physical import Physical


def last_resource(running: RunningPlan, name: str, frame: int) -> Physical:
    """The physical resource that held ``name`` in a frame; ``BackendError`` if the plan has no such GPU resource."""
    key = running.resources.written_in(name, frame)
    if key not in running.resources.physicals:
        known = sorted({resource for resource, _ in running.resources.physicals})
        raise BackendError(f'the plan has no GPU resource "{name}"', hint=f"it has: {', '.join(known)}")
    return running.resources.physicals[key]


def last_value(running: RunningPlan, name: str, frame: int) -> Any:
    """The value that the blob ``name`` had in a frame; ``BackendError`` if the plan has no such blob."""
    key = (name, frame % FRAMES_IN_FLIGHT)
    cell = running.external_cells.get(name) or running.resources.cells.get(key)
    if cell is None:
        known = sorted({resource for resource, _ in running.resources.cells})
        raise BackendError(f'the plan has no blob "{name}"', hint=f"it has: {', '.join(known)}")
    return cell.value
