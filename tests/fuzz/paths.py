"""Lets programs in this folder import the project and the helpers of its tests: to be imported before these."""

import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
HELPERS = (
    "engine/scene",
    "render/compiler",
    "render/order_search",
    "render/compiler/queues",
    "render/memory",
    "render/backend/vulkan",
    "render/inspect",
    "render/sync/oracle",
    "differential",
)

sys.path[:0] = [str(TESTS.parent), str(TESTS), *(str(TESTS / folder) for folder in HELPERS)]
