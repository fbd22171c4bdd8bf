"""A character's clips: play, fade, seek, by name."""

from __future__ import annotations

import math

from renderwright.engine.animation.marks import AnimationEvent
from renderwright.engine.animation.mixer import Mixer
from renderwright.render.errors import UsageError
from renderwright.render.suggest import did_you_mean


class Player:
    """Plays the animations of one character.

    Times are in seconds. Time passes in the fixed steps of the game; pictures show what is between two steps.
    """

    def __init__(self, mixer: Mixer, name: str) -> None:
        self._mixer = mixer
        self._row = mixer.enter()
        self._name = name
        self._numbers = {clip.name: number for number, clip in enumerate(mixer.clips)}
        self._current: int | None = None

    @property
    def animations(self) -> tuple[str, ...]:
        """The names of all animations."""
        return tuple(self._numbers)

    def duration(self, animation: str) -> float:
        """The duration of an animation in seconds. Raises UsageError for an unknown name."""
        return self._mixer.clips[self._number(animation)].duration

    @property
    def current(self) -> str | None:
        """The animation that was played last, None after ``stop``."""
        return None if self._current is None else self._mixer.clips[self._current].name

    @property
    def time(self) -> float:
        """The time in the current animation, from 0 to its duration; 0 without one."""
        row = self._playing(self._current)
        if row is None:
            return 0.0
        plays = self._mixer.plays
        time, duration = float(plays["time"][row]), float(plays["duration"][row])
        return math.fmod(math.fmod(time, duration) + duration, duration) if plays["loop"][row] and duration else time

    @property
    def done(self) -> bool:
        """Whether the current animation has come to its end. One that loops never does."""
        row = self._playing(self._current)
        if row is None:
            return True
        plays = self._mixer.plays
        forward = plays["speed"][row] >= 0.0
        return bool(not plays["loop"][row] and plays["time"][row] == (plays["duration"][row] if forward else 0.0))

    @property
    def events(self) -> tuple[AnimationEvent, ...]:
        """The marks that the last step has passed, and "end" for an animation that has come to its end."""
        clips = self._mixer.clips
        return tuple(AnimationEvent(clips[clip].name, name) for clip, name in self._mixer.events.get(self._row, ()))

    def play(self, animation: str, *, fade: float = 0.0, speed: float = 1.0, loop: bool = True) -> None:
        """Play an animation, and fade the others out in ``fade`` seconds while it fades in.

        One that is playing goes on with the new speed; one that has come to its end begins anew. ``speed`` below 0
        plays backwards. Without ``loop`` the character stays in the last pose. Raises UsageError for an unknown name.
        """
        number = self._number(animation)
        fade, speed = self._finite("fade", fade), self._finite("speed", speed)
        plays, row = self._mixer.plays, self._playing(number)
        if row is not None and number == self._current and not self.done:
            plays["speed"][row], plays["loop"][row] = speed, loop
            return
        begins = row is None or number == self._current
        if row is None:
            row = plays.add(self._row, number, self._mixer.clips[number].duration)
        self._current = number
        plays["speed"][row], plays["loop"][row] = speed, loop
        if begins:
            plays["time"][row] = plays["time_before"][row] = 0.0 if speed >= 0.0 else plays["duration"][row]
        self._fade_out(fade, keep=row)
        if fade > 0.0:
            plays["fade"][row] = (1.0 - plays["weight"][row]) / fade
        else:
            plays["weight"][row] = plays["weight_before"][row] = 1.0
            plays["fade"][row] = 0.0
        self._mixer.touch(self._row)

    def stop(self, *, fade: float = 0.0) -> None:
        """Return to the rest pose in ``fade`` seconds."""
        self._fade_out(self._finite("fade", fade), keep=None)
        self._current = None
        self._mixer.touch(self._row)

    def seek(self, time: float) -> None:
        """Go to a time of the current animation, without passing what is between. Raises UsageError without one."""
        row = self._playing(self._current)
        if row is None:
            raise UsageError(f'"{self._name}" plays no animation', hint="call play before seek")
        plays = self._mixer.plays
        time = self._finite("time", time)
        if not plays["loop"][row]:
            time = min(max(time, 0.0), float(plays["duration"][row]))
        plays["time"][row] = plays["time_before"][row] = time

    def set_speed(self, speed: float) -> None:
        """Change the speed of all that plays; 0 pauses."""
        rows = self._mixer.plays.of(self._row)
        self._mixer.plays["speed"][rows] = self._finite("speed", speed)

    def mark(self, animation: str, time: float, name: str) -> None:
        """Name a time of an animation: ``events`` has it in the step that passes it. Raises UsageError."""
        number = self._number(animation)
        duration = self._mixer.clips[number].duration
        if not 0.0 <= self._finite("time", time) <= duration:
            raise UsageError(
                f'"{self._name}": a mark at {time:g} s in "{animation}", which ends at {duration:g} s',
                hint="mark a time in the animation",
            )
        self._mixer.marks.add(self._row, number, time, name)

    def leave(self) -> None:
        """The character is gone."""
        self._mixer.leave(self._row)

    # -- inside

    def _number(self, animation: str) -> int:
        number = self._numbers.get(animation)
        if number is None:
            raise UsageError(
                f'"{self._name}" has no animation "{animation}"', hint=did_you_mean(animation, self._numbers)
            )
        return number

    def _playing(self, clip: int | None) -> int | None:
        plays = self._mixer.plays
        for row in plays.of(self._row).tolist() if clip is not None else ():
            if plays["clip"][row] == clip:
                return int(row)
        return None

    def _fade_out(self, fade: float, keep: int | None) -> None:
        plays = self._mixer.plays
        rows = plays.of(self._row)
        others = rows[rows != keep] if keep is not None else rows
        if fade > 0.0:
            plays["fade"][others] = -plays["weight"][others] / fade
            others = others[plays["weight"][others] <= 0.0]
        plays.remove(others)

    def _finite(self, what: str, value: float) -> float:
        number = float(value)
        if not math.isfinite(number) or (what == "fade" and number < 0.0):
            raise UsageError(f'"{self._name}": {what} is {value}', hint="give a finite number of seconds, 0 or more")
        return number
