"""The tests of a stage are in a folder of its name; their helpers are here, and beside the tests of reports."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "inspect"))
