"""Draw commands and what culling knows of them, in the GPU's layout."""

from __future__ import annotations

import numpy as np

COMMAND = np.dtype(
    [
        ("indices", np.uint32),
        ("instances", np.uint32),
        ("first_index", np.uint32),
        ("vertex_offset", np.int32),
        ("first_instance", np.uint32),
    ]
)
"""An indirect command, ``INDIRECT_BYTES`` long."""

BOUNDS = np.dtype(
    [
        ("sphere", np.float32, 4),  # centre, radius
        ("reach", np.float32, 3),  # half the sides of the box around the same centre
        ("least", np.float32),
        ("below", np.float32),
        ("finest", np.uint32),
        ("listed", np.uint32),
        ("padding", np.uint32),
    ]
)
"""What culling knows of a command, as in ``culling.glsl``.

The command is for sizes from ``least`` to ``below``; ``below`` does not count for a finest level. ``finest`` is the
number of the command of the finest level, which has the instances. The visible ones are listed from ``listed`` on.
"""
