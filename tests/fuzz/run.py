"""Long random tests: ``run.py --seconds 600`` for all of them, ``run.py KIND SEED`` for one case again.

``run.py packing --cases 50000 --seconds 3600`` runs so many cases of one kind, if they end in time.
"""

from __future__ import annotations

import argparse
import os
import random
import sys

import paths  # noqa: F401  (finds the others)
from budget import Case, run_cases
from fuzz_assets import assets_case
from fuzz_compiler import compiler_case
from fuzz_differential import NoLayerError, differential_case, player
from fuzz_frames import frames_case
from fuzz_games import loss_case, poison_case
from fuzz_loader import loader_case
from fuzz_mistakes import mistakes_case
from fuzz_opengl import opengl_case
from fuzz_orders import orders_case
from fuzz_packing import exact_case, packing_case
from fuzz_recording import recording_case
from fuzz_reload import reload_case
from fuzz_shortage import shortage_case
from fuzz_soak import soak_case
from fuzz_sync import late_case, oracle_case, part_case, queue_case, sync_case
from fuzz_toggles import toggles_case
from fuzz_views import views_case

# The rasteriser's threads of lavapipe 22.3 may still write to memory that a barrier has handed over: frames came out
# otherwise once in a hundred runs on a loaded machine, also with a full barrier around each command.
os.environ.setdefault("LP_NUM_THREADS", "0")

KINDS: dict[str, Case] = {
    "loader": loader_case,
    "assets": assets_case,
    "compiler": compiler_case,
    "packing": packing_case,
    "exact": exact_case,
    "orders": orders_case,
    "frames": frames_case,
    "shortage": shortage_case,
    "sync": sync_case,
    "queues": queue_case,
    "late": late_case,
    "parts": part_case,
    "views": views_case,
    "oracle": oracle_case,
    "poison": poison_case,
    "losses": loss_case,
    "recording": recording_case,
    "reload": reload_case,
    "toggles": toggles_case,
    "mistakes": mistakes_case,
    "soak": soak_case,
    "opengl": opengl_case,
    "differential": differential_case,
}


def main() -> int:
    """Run what the arguments say; 1 if a case failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", nargs="?", choices=KINDS)
    parser.add_argument("seed", nargs="?", type=int)
    parser.add_argument("--seconds", type=float, default=600.0, help="for all kinds together")
    parser.add_argument("--cases", type=int, default=1 << 62, help="at most so many of each kind")
    parser.add_argument("--start", type=int, help="the first seed; any if not given")
    asked = parser.parse_args()
    if asked.seed is not None:
        print(KINDS[asked.kind](asked.seed))
        return 0
    kinds = [asked.kind] if asked.kind else list(KINDS)
    first = asked.start if asked.start is not None else random.SystemRandom().randrange(1 << 32)
    failures = []
    for name in kinds:
        if name == "differential" and (reason := no_layer()):
            print(f"{name}: skipped, {reason}", flush=True)
            continue
        print(f"{name}: seeds from {first} on", flush=True)
        report = run_cases(name, KINDS[name], first, asked.seconds / len(kinds), asked.cases)
        print(report, flush=True)
        failures += report.failures
    for failure in failures:
        print(f"FAILED {failure}")
    return 1 if failures else 0


def no_layer() -> str:
    """Why streams cannot be compared with the validation layer; '' if they can."""
    try:
        player()
    except NoLayerError as reason:
        return str(reason)
    return ""


if __name__ == "__main__":
    sys.exit(main())
