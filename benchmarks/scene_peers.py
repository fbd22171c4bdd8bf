"""The peers of ``bench scene``: scripts in ``peers/`` that run in processes of their own."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LONGEST = 60.0
"""Seconds after which a peer is stopped."""


@dataclass(frozen=True)
class ScenePeer:
    """A script with its last arguments, the module that it needs, and the most entities that it is run with.

    With more it does not show a few frames within a minute.
    """

    title: str
    script: str
    needs: str
    most: int
    arguments: tuple[str, ...] = ()

    def installed(self, python: str) -> bool:
        """Whether an interpreter can import the module."""
        ran = subprocess.run([python, "-c", f"import {self.needs}"], capture_output=True, check=False)
        return ran.returncode == 0

    def cost(self, python: str, entities: int, materials: int, moving: str) -> float | str:
        """CPU seconds of the main thread for a frame, or the reason why there is no figure."""
        if entities > self.most:
            return "-"
        script = str(ROOT / "benchmarks" / "peers" / f"{self.script}.py")
        try:
            ran = subprocess.run(
                [python, script, str(entities), str(materials), moving, *self.arguments],
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                capture_output=True,
                text=True,
                timeout=LONGEST,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"over {LONGEST:.0f} s"
        if ran.returncode:
            return "failed"
        return float(json.loads(ran.stdout.splitlines()[-1]))


SCENE_PEERS = (
    ScenePeer("panda3d", "scene_panda3d", "panda3d", 100_000),
    ScenePeer("pygfx meshes", "scene_pygfx", "pygfx", 1_000, ("meshes",)),
    ScenePeer("pygfx instanced", "scene_pygfx", "pygfx", 100_000, ("instanced",)),
)
