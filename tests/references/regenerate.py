#!/usr/bin/env python3
"""Makes the reference pictures anew, all or those with these names: look at what ``git diff`` then shows.

PYTHONPATH=tests .venv/bin/python tests/references/regenerate.py [NAME ...]
"""

from __future__ import annotations

import sys
from contextlib import closing

import numpy as np
import PIL.Image
from reference_driver import FOLDER, MADE_WITH, Driver
from reference_shots import MOMENTS
from reference_studio import take

from renderwright.render.backend.vulkan.backend import VulkanBackend


def main(names: list[str]) -> None:
    """Write the pictures that changed, remove those that are no more, and note the driver."""
    known = {shot.name for moment in MOMENTS for shot in moment.shots}
    if unknown := set(names) - known:
        sys.exit(f"no picture is called {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}")
    with closing(VulkanBackend()) as backend:
        driver = Driver.of(backend.capabilities)
        if names and driver != Driver.read():
            sys.exit(f"the other pictures were made with {Driver.read()}, and this is {driver}: make all of them anew")
        FOLDER.mkdir(exist_ok=True)
        for moment in MOMENTS:
            shots = [shot for shot in moment.shots if shot.name in names or not names]
            for shot, picture in take(backend, moment, shots) if shots else ():
                path = FOLDER / f"{shot.name}.png"
                if path.exists() and np.array_equal(np.asarray(PIL.Image.open(path)), picture):
                    continue
                PIL.Image.fromarray(picture).save(path, optimize=True)
                print(f"{path.name}: {path.stat().st_size / 1024:.0f} KiB")
    for path in FOLDER.glob("*.png"):
        if path.stem not in known:
            path.unlink()
            print(f"{path.name}: removed")
    driver.write()
    print(f"{MADE_WITH.name}: {driver.driver}")


if __name__ == "__main__":
    main(sys.argv[1:])
