"""Lets the tests find the writer of streams and the case that is fuzzed."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
for folder in (HERE.parent / "render" / "sync" / "oracle", HERE.parent / "fuzz"):
    sys.path.append(str(folder))
