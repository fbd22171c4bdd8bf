"""Lets the fuzzers find what they share with the tests of compiler, packer and backend."""

import sys
from pathlib import Path

for folder in ("compiler", "compiler/queues", "memory", "backend/vulkan", "inspect", "sync/oracle"):
    sys.path.append(str(Path(__file__).resolve().parents[1] / "render" / folder))
