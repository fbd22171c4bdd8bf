"""The mixer of a rig: plays, fades and blends the clips of all its characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from renderwright.engine.animation.clip import Clip
from renderwright.engine.animation.curve import Path
from renderwright.engine.animation.marks import Marks
from renderwright.engine.animation.plays import Plays, Rows
from renderwright.engine.animation.pose import Blend, Floats, Played, Pose
from renderwright.engine.animation.poses import RigPoses
from renderwright.engine.animation.rig import Rig
from renderwright.engine.animation.workspace import Recycled, Workspace


class Mixer:
    """All characters of a rig. Each has a row, which is given out again when it has left."""

    def __init__(self, rig: Rig, clips: Sequence[Clip]) -> None:
        self.rig = rig
        self.clips = tuple(clips)
        self.plays = Plays()
        self.marks = Marks()
        #: Clips and names of what the last step has passed, by the rows of characters.
        self.events: Mapping[int, list[tuple[int, str]]] = {}
        self._used = np.zeros(0, bool)
        self._outdated = np.zeros(0, bool)
        #: Weights that the game has set, NaN for the others.
        self._own_weights = np.zeros((0, rig.rest[Path.WEIGHT].shape[1]), np.float32)
        self._revision = 0
        self._work = Workspace()
        self._palettes = Recycled()
        at_rest = rig.palettes(rig.matrices(rig.rest, 1))
        self._at_rest = RigPoses(at_rest, rig.rest[Path.WEIGHT][:, :, 0], np.zeros(1, np.int64))
        self._poses = self._resting(0)

    # -- characters

    def enter(self) -> int:
        """The row of a new character, at rest."""
        free = np.flatnonzero(~self._used)
        if not len(free):
            size = max(4, 2 * len(self._used))
            free, more = np.arange(len(self._used), size), size - len(self._used)
            self._used = np.append(self._used, np.zeros(more, bool))
            self._outdated = np.append(self._outdated, np.zeros(more, bool))
            unset = np.full((more, self._own_weights.shape[1]), np.nan, np.float32)
            self._own_weights = np.concatenate([self._own_weights, unset])
            self._poses = self._with_rest(more)
        row = int(free[0])
        self._used[row] = self._outdated[row] = True
        self._own_weights[row] = np.nan
        return row

    def leave(self, row: int) -> None:
        """A character is gone."""
        self.plays.remove(self.plays.of(row))
        self.marks.forget(row)
        self._used[row] = False

    def touch(self, row: int) -> None:
        """What a character plays has changed otherwise than by time."""
        self._outdated[row] = True

    def set_weights(self, row: int, numbers: Sequence[int], weight: float) -> None:
        """Set morph weights of a character whatever it plays; NaN leaves them to its clips again."""
        self._own_weights[row, list(numbers)] = weight
        self._outdated[row] = True

    # -- time

    def advance(self, seconds: float) -> None:
        """Begin a step of so many seconds."""
        gone = self.plays.advance(seconds)
        self.events = self.marks.passed(self.plays, self.plays.rows())
        if len(gone):
            self._outdated[self.plays["character"][gone]] = True
            self.plays.remove(gone)

    def poses(self, alpha: float) -> RigPoses:
        """The poses between the last step (alpha = 0) and now (1); the same object as long as nothing moves."""
        playing = self.plays.rows()
        moved = self.plays.draw(playing, alpha)
        self._outdated[self.plays["character"][moved]] = True
        rows = np.flatnonzero(self._outdated & self._used)
        if len(rows):
            self._outdated[rows] = False
            self._evaluate(rows, playing)
        return self._poses

    def matrices_of(self, row: int) -> Floats:
        """The matrices of all nodes of a character now, in model space: float32 (j, 3, 4)."""
        playing = self.plays.of(row)
        times, weights = self.plays["drawn_time"][playing].copy(), self.plays["drawn_weight"][playing].copy()
        self.plays.draw(playing, 1.0)
        pose = self._blend(np.array([row]), playing)
        self.plays["drawn_time"][playing], self.plays["drawn_weight"][playing] = times, weights
        return self.rig.matrices(pose, 1)[..., 0].transpose(2, 0, 1)

    # -- inside

    def _evaluate(self, rows: Rows, playing: Rows) -> None:
        """Compute the poses of some characters, in arrays of their own: those of earlier frames are kept."""
        if len(rows) < int(self._used.sum()):
            playing = playing[np.isin(self.plays["character"][playing], rows)]
        pose = self._blend(rows, playing)
        weights = np.broadcast_to(pose[Path.WEIGHT][:, :, 0], (len(rows), self._own_weights.shape[1]))
        own = self._own_weights[rows]
        matrices = self.rig.matrices(pose, len(rows), self._work)
        others = np.ones(len(self._used), np.bool_)
        others[rows] = False
        now = self._poses
        palettes, all_weights = self._palettes.like(now.palettes), now.weights.copy()
        palettes[others] = now.palettes[others]
        all_weights[rows] = np.where(np.isnan(own), weights, own)
        if int(rows[-1]) - int(rows[0]) == len(rows) - 1:
            self.rig.write_palettes(matrices, palettes[rows[0] : rows[-1] + 1], self._work)
        else:
            palettes[rows] = self.rig.palettes(matrices)
        self._revision += 1
        revisions = now.revisions.copy()
        revisions[rows] = self._revision
        self._poses = RigPoses(palettes, all_weights, revisions)

    def _blend(self, rows: Rows, playing: Rows) -> Pose:
        """The poses of characters that play only ``playing``."""
        rest = self.rig.rest
        if not len(playing):
            return rest
        place = np.zeros(len(self._used), np.intp)
        place[rows] = np.arange(len(rows))
        characters = place[self.plays["character"][playing]]
        order = np.argsort(characters, kind="stable")
        playing, characters = playing[order], characters[order]
        clips, times = self.plays["clip"][playing], self.plays.clip_times(playing)
        blend = Blend(rest, len(rows), characters, self.plays["drawn_weight"][playing].astype(np.float32))
        played = []
        for number in np.unique(clips).tolist():
            plays = np.flatnonzero(clips == number)
            played.append(Played(plays, self.clips[number].sample(times[plays], rest)))
        return blend.of(played)

    def _resting(self, count: int) -> RigPoses:
        rest = self._at_rest
        palettes, weights = np.tile(rest.palettes, (count, 1, 1, 1)), np.tile(rest.weights, (count, 1))
        return RigPoses(palettes, weights, np.zeros(count, np.int64))

    def _with_rest(self, more: int) -> RigPoses:
        new, now = self._resting(more), self._poses
        return RigPoses(
            np.concatenate([now.palettes, new.palettes]),
            np.concatenate([now.weights, new.weights]),
            np.concatenate([now.revisions, new.revisions]),
        )
