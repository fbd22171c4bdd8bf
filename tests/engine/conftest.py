"""Lets the tests of whole games find the faults that the tests of the Vulkan backend inject."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "render" / "backend" / "vulkan"))
