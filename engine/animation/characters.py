"""All animated characters of a scene, by their rigs."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.engine.animation.clip import Clip
from renderwright.engine.animation.mixer import Mixer
from renderwright.engine.animation.poses import NO_POSES, Poses
from renderwright.engine.animation.rig import Rig


class Characters:
    """The mixers of a scene's rigs."""

    def __init__(self) -> None:
        self._mixers: dict[Rig, Mixer] = {}
        self._poses = NO_POSES

    def mixer(self, rig: Rig, clips: Sequence[Clip]) -> Mixer:
        """The mixer of a rig with its clips."""
        if rig not in self._mixers:
            self._mixers[rig] = Mixer(rig, clips)
        return self._mixers[rig]

    def advance(self, seconds: float) -> None:
        """Begin a step of so many seconds."""
        for mixer in self._mixers.values():
            mixer.advance(seconds)

    def snap(self) -> None:
        """Interpolate nothing from the last step."""
        for mixer in self._mixers.values():
            mixer.plays.snap()

    def poses(self, alpha: float) -> Poses:
        """The poses between the last step (alpha = 0) and now (1); the same object as long as nothing moves."""
        now = {rig: mixer.poses(alpha) for rig, mixer in self._mixers.items()}
        if now != self._poses.by_rig:  # RigPoses compare by identity
            self._poses = Poses(now)
        return self._poses
