"""The order search is checked by what checks compiled graphs."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "compiler"))
