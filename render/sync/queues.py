"""The classes of queues that a node may run on."""

from __future__ import annotations

GRAPHICS = "graphics"
COMPUTE = "compute"
COPY = "copy"

ALL_QUEUES = (GRAPHICS, COMPUTE, COPY)
