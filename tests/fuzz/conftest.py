"""Lets the fuzzers find the models of the compiler's tests."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "render" / "compiler"))
