"""The simulated headset: two displays on the output and a scripted head pose."""

from __future__ import annotations

import bisect
import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pyglm import glm

from renderwright.engine.scene.algebra import mix
from renderwright.engine.skeleton.document import read_document
from renderwright.engine.views import Frustum
from renderwright.plugins.vr.headset import Eye, Lens, Look, Pose
from renderwright.render import Extent, UsageError
from renderwright.render.files import read_text

POSES = Path(__file__).parent / "poses"
DISPLAY = (1440, 1600)
MAX_BYTES = 1 << 20
"""Limit of a pose script."""
_OUTER, _INNER, _UP, _DOWN = 1.05, 0.85, 1.05, 1.06
"""Tangents of an eye's frustum: wider to the outside than to the nose, as in consumer headsets."""


class Key(BaseModel):
    """A pose of the head at a time: metres and degrees; yaw turns left, pitch up, roll anticlockwise."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    time: float = Field(ge=0.0)
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    yaw: float = 0.0
    pitch: float = 0.0
    roll: float = 0.0

    def pose(self) -> Pose:
        """The pose relative to the seat."""
        yaw, pitch, roll = (math.radians(angle) for angle in (self.yaw, self.pitch, self.roll))
        turn = glm.angleAxis(yaw, glm.vec3(0, 1, 0)) * glm.angleAxis(pitch, glm.vec3(1, 0, 0))
        return Pose(glm.vec3(*self.position), turn * glm.angleAxis(roll, glm.vec3(0, 0, 1)))


class PoseScript(BaseModel):
    """Head movement: key poses in order of time, interpolated linearly. ``loop`` repeats them."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    loop: bool = False
    keys: tuple[Key, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _in_order(self) -> PoseScript:
        times = [key.time for key in self.keys]
        if times != sorted(set(times)):
            raise ValueError("keys must be in ascending order of time, without duplicates")
        return self

    def at(self, time: float) -> Pose:
        """The head's pose at a time in seconds."""
        last = self.keys[-1].time
        if self.loop and last > 0.0:
            time %= last
        after = bisect.bisect_right([key.time for key in self.keys], time)
        if after in (0, len(self.keys)):
            return self.keys[max(0, after - 1)].pose()
        a, b = self.keys[after - 1], self.keys[after]
        share = (time - a.time) / (b.time - a.time)
        start, end = a.pose(), b.pose()
        return Pose(mix(start.position, end.position, share), glm.slerp(start.rotation, end.rotation, share))


@lru_cache(maxsize=8)
def load_poses(name: str) -> PoseScript:
    """Load one of the plugin's scripts by name, or a YAML file by path. Raises ``UsageError``."""
    path = Path(name) if name.endswith((".yaml", ".yml")) else POSES / f"{name}.yaml"
    try:
        text = read_text(path, MAX_BYTES)
    except FileNotFoundError as error:
        known = ", ".join(sorted(path.stem for path in POSES.glob("*.yaml")))
        raise UsageError(
            f'there is no pose script "{name}"', hint=f"give the path of a .yaml file, or one of: {known}"
        ) from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError(
            f'the pose script "{name}" cannot be read: {reason}', hint="give a readable .yaml file"
        ) from error
    return parse_poses(text, str(path))


def parse_poses(text: str, file: str) -> PoseScript:
    """Parse a script. ``file`` is its name in errors. Raises ``UsageError`` with file, line and column."""
    hint = "a script has loop and keys, each with time, position, yaw, pitch and roll"
    document = read_document(text, file)
    if document.problems:
        problem = document.problems[0]
        raise UsageError(f"invalid pose script: {problem.text}", hint=hint, where=problem.where)
    try:
        return PoseScript.model_validate(document.data)
    except ValidationError as error:
        first = error.errors()[0]
        path = tuple(first["loc"])
        name = ".".join(str(part) for part in path)
        message = f"{name}: {first['msg']}" if name else first["msg"]
        raise UsageError(f"invalid pose script: {message}", hint=hint, where=document.where(path)) from error


@dataclass(frozen=True)
class SimulatedHeadset:
    """Two displays side by side on the output, eyes ``ipd`` metres apart, head moved by ``poses``."""

    ipd: float
    poses: PoseScript
    lens: Lens
    name: str = "simulated headset"
    display: Extent = DISPLAY
    wearers: None = None

    def look(self, time: float) -> Look:
        """Head and eyes at a game time in seconds."""
        half = 0.5 * self.ipd
        straight = glm.quat(1.0, 0.0, 0.0, 0.0)
        left = Eye(Pose(glm.vec3(-half, 0.0, 0.0), straight), Frustum(_OUTER, _INNER, _DOWN, _UP))
        right = Eye(Pose(glm.vec3(half, 0.0, 0.0), straight), Frustum(_INNER, _OUTER, _DOWN, _UP))
        return Look(self.poses.at(time), (left, right))
