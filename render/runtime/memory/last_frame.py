"""The resources that hold the previous frame's copies of histories."""

from __future__ import annotations

from dataclasses import dataclass, field

from renderwright.render.runtime.memory.placed_cache import PlacedCache
from renderwright.render.runtime.memory.resources import CopyKey, PlanResources
from renderwright.render.types.physical import Physical


@dataclass
class LastFrame:
    """The textures and buffers that hold the history of each copy, each with a reference.

    After a step of the dynamic resolution they differ from the images that the plan writes: in Vulkan, bytes written
    through one image are undefined when read through an image of another size. So the reader of a history gets the
    image that the previous frame wrote, with its extent.
    """

    placed: PlacedCache
    held: dict[CopyKey, Physical] = field(default_factory=dict)

    def note(self, resources: PlanResources, frame: int) -> None:
        """Hold the copies that a frame has written."""
        for name in resources.histories:
            key = resources.written_in(name, frame)
            resources.valid.add(key)
            physical = resources.physicals.get(key)
            if physical is not None and self.held.get(key) is not physical:
                self.placed.hold(physical)
                self.put(key, physical)

    def put(self, key: CopyKey, physical: Physical) -> None:
        """Hold ``physical`` for the copy. Takes over a reference of the caller."""
        before = self.held.pop(key, None)
        if before is not None:
            self.placed.give_back(before)
        self.held[key] = physical

    def instead(self, resources: PlanResources, frame: int) -> dict[CopyKey, Physical]:
        """The resources that replace the plan's own in a frame, by copy of the plan.

        These are held histories of another size, and both copies of rings.
        """
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
        """Release all held resources."""
        for physical in self.held.values():
            self.placed.give_back(physical)
        self.held.clear()
