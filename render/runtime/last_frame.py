"""The resources that hold what the last frame left: its copies of everything with a history."""

from __future__ import annotations

from dataclasses import dataclass, field

from renderwright.render.runtime.placed_cache import PlacedCache
from renderwright.render.runtime.resources import CopyKey, PlanResources
from renderwright.render.types.physical import Physical


@dataclass
class LastFrame:
    """Which textures and buffers hold the histories of each copy, kept for as long as they do.

    After a step of a dynamic resolution these are others than those that the plan writes from now on: in Vulkan, bytes
    written through one image mean nothing to an image of another size at the same place. So whoever reads last
    frame's copy reads the image that last frame wrote, in its own size.
    """

    placed: PlacedCache
    held: dict[CopyKey, Physical] = field(default_factory=dict)

    def note(self, resources: PlanResources, frame: int) -> None:
        """A frame has written all of its copies."""
        for name in resources.histories:
            key = resources.written_in(name, frame)
            resources.valid.add(key)
            physical = resources.physicals.get(key)
            if physical is not None and self.held.get(key) is not physical:
                self.placed.hold(physical)
                self.put(key, physical)

    def put(self, key: CopyKey, physical: Physical) -> None:
        """That resource holds the copy; it counts this object among its users already."""
        before = self.held.pop(key, None)
        if before is not None:
            self.placed.give_back(before)
        self.held[key] = physical

    def instead(self, resources: PlanResources, frame: int) -> dict[CopyKey, Physical]:
        """What a frame uses in place of what the plan has for its parity, or for the other as its history."""
        rings, last = resources.rings, 1 - frame % 2
        found = {
            key: physical
            for key, physical in self.held.items()
            if key[1] == last
            and key[0] not in rings
            and key in resources.valid
            and resources.physicals[key] is not physical
        }
        for key, copy in resources.read_in(frame).items() if rings else ():
            held = self.held.get(copy) if key[1] == last and copy in resources.valid else None
            found[key] = held or resources.physicals[copy]
        return found

    def release(self) -> None:
        """Hold nothing any more."""
        for physical in self.held.values():
            self.placed.give_back(physical)
        self.held.clear()
