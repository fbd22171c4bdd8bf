"""Room for what comes and goes in a scene, such as the instances that culling lists."""

from __future__ import annotations

from dataclasses import dataclass

LEAST = 256


@dataclass
class Room:
    """Room for a number of things that changes: a power of two.

    It grows while a quarter is still free, and shrinks where a quarter of it would do: a plan of another size can be
    made beside the frames. ``size`` is the latest, ``certain`` what frames have at least.
    """

    size: int = 0
    certain: int = 0

    def fit(self, count: int) -> bool:
        """Have room for so many; returns whether frames may go on with the room that they have until there is more."""
        wanted = max(LEAST, 1 << (count * 4 // 3 - 1).bit_length())
        if count > self.certain:
            self.size = self.certain = max(self.size, wanted)
            return False
        if wanted > self.size:
            self.size = wanted
        elif 4 * wanted <= self.size:
            self.size = 2 * wanted
            self.certain = min(self.certain, self.size)
        return True
