"""Long random tests: ``run.py --seconds 600`` for all of them, ``run.py KIND SEED`` for one case again."""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
for folder in (HERE, HERE.parent / "render" / "compiler", HERE.parents[1]):
    sys.path.insert(0, str(folder))

from budget import Case, run_cases  # noqa: E402  (the paths come first)
from fuzz_compiler import compiler_case  # noqa: E402
from fuzz_loader import loader_case  # noqa: E402

KINDS: dict[str, Case] = {"loader": loader_case, "compiler": compiler_case}


def main() -> int:
    """Run what the arguments say; 1 if a case failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", nargs="?", choices=KINDS)
    parser.add_argument("seed", nargs="?", type=int)
    parser.add_argument("--seconds", type=float, default=600.0, help="for all kinds together")
    parser.add_argument("--start", type=int, help="the first seed; any if not given")
    asked = parser.parse_args()
    if asked.seed is not None:
        print(KINDS[asked.kind](asked.seed))
        return 0
    kinds = [asked.kind] if asked.kind else list(KINDS)
    first = asked.start if asked.start is not None else random.SystemRandom().randrange(1 << 32)
    failures = []
    for name in kinds:
        print(f"{name}: seeds from {first} on", flush=True)
        report = run_cases(name, KINDS[name], first, asked.seconds / len(kinds))
        print(report, flush=True)
        failures += report.failures
    for failure in failures:
        print(f"FAILED {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
