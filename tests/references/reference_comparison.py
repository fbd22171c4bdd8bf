"""Holds a picture against its reference, and says and shows how they differ."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import PIL.Image
from numpy.typing import NDArray
from playing import Picture, flip_map
from reference_driver import FOLDER, Driver

FAILURES = Path(__file__).parents[2] / "out" / "reference-failures"
FLIP_BOUND = 0.045
"""Mean FLIP that a picture may have on another driver than the one that the references were made with: an NVIDIA H100
is off by 0.042 where grading enlarges what dither and roundings do differently, and elsewhere by 0.026 at most."""
ENLARGED = 3
"""Texels of a diff picture for each of the picture's, each way."""


@dataclass(frozen=True)
class Comparison:
    """Compares with the references in ``folder``, made with ``made_with``; what fails goes to ``failures``."""

    running: Driver
    made_with: Driver
    folder: Path = FOLDER
    failures: Path = FAILURES

    def complaint(self, name: str, shown: Picture) -> str:
        """What is wrong with a picture, uint8 (height, width, 3), and where to see it; empty if nothing is.

        On the driver and processor of the references each byte has to be the same, on others FLIP is bounded.
        """
        seen, diff = self.failures / f"{name}.png", self.failures / f"{name}-diff.png"
        for old in (seen, diff):
            old.unlink(missing_ok=True)
        path = self.folder / f"{name}.png"
        if not path.exists():
            return self._keep(seen, shown, f"{name}: there is no {path}; if {seen} is right, run `make references`")
        with PIL.Image.open(path) as image:
            right = np.asarray(image.convert("RGB"))
        if right.shape != shown.shape:
            sizes = " but ".join(f"{one.shape[1]}x{one.shape[0]}" for one in (shown, right))
            return self._keep(seen, shown, f"{name}: it is {sizes} in {path}; see {seen}")
        apart = np.abs(right.astype(int) - shown).max(axis=2)
        if not apart.any():
            return ""
        mean, heat = flip_map(right, shown)
        if self.running != self.made_with and mean <= FLIP_BOUND:
            return ""
        self.failures.mkdir(parents=True, exist_ok=True)
        _panels(right, shown, heat, apart > 0).save(diff)
        bar = "no byte may differ on this driver and processor"
        if self.running != self.made_with:
            made = f"{self.made_with.driver} on {self.made_with.processor}"
            bar = f"up to {FLIP_BOUND} is allowed, since {path.name} was made with {made}"
        message = (
            f"{name}: {np.count_nonzero(apart)} of {apart.size} texels differ from {path}, by up to {apart.max()} of "
            f"255; FLIP {mean:.4f}, and {bar}. Rendered: {seen}. Reference, rendered, FLIP, where they differ: {diff}"
        )
        return self._keep(seen, shown, message)

    def _keep(self, path: Path, shown: Picture, message: str) -> str:
        path.parent.mkdir(parents=True, exist_ok=True)
        PIL.Image.fromarray(shown).save(path)
        return message


def _panels(right: Picture, shown: Picture, heat: Picture, differs: NDArray[np.bool_]) -> PIL.Image.Image:
    """Reference and picture above, FLIP's map and a mask of all that is not the same below."""
    mask = np.repeat(np.where(differs, np.uint8(255), np.uint8(0))[..., np.newaxis], 3, axis=2)
    sheet = np.concatenate([np.concatenate([right, shown], axis=1), np.concatenate([heat, mask], axis=1)])
    image = PIL.Image.fromarray(sheet)
    return image.resize((image.width * ENLARGED, image.height * ENLARGED), PIL.Image.Resampling.NEAREST)
