"""Compiled shaders on disk, found by the hash of everything that made them."""

from __future__ import annotations

from pathlib import Path

from renderwright.render.disk_cache import cache_folder, prune, read_checked, write_checked

MOST_BYTES = 256 * 2**20
"""What the folder may hold; beyond that the shaders go that were not used for longest."""

_MAGIC = b"FWSPIRV1"


def default_cache_folder() -> Path:
    """``$RENDERWRIGHT_CACHE_DIR/shaders``, else ``renderwright/shaders`` in the user's cache folder (XDG)."""
    return cache_folder("shaders")


class ShaderCache:
    """A folder of SPIR-V files, each checked by its digest when it is read.

    Several processes may share the folder. A folder that cannot be written costs recompilation, never an error.
    """

    def __init__(self, folder: Path | None = None, most_bytes: int = MOST_BYTES) -> None:
        self.folder = folder or default_cache_folder()
        self._most_bytes = most_bytes
        self._pruned = False

    def path(self, key: str) -> Path:
        """Where the entry of that key is kept."""
        return self.folder / f"{key}.spv"

    def get(self, key: str) -> bytes | None:
        """The SPIR-V of that key; None when there is none or it is damaged."""
        return read_checked(self.path(key), _MAGIC)

    def put(self, key: str, spirv: bytes) -> None:
        """Keep the SPIR-V under that key."""
        if not self._pruned:
            # Once is enough: no program makes many shaders.
            self._pruned = True
            prune(self.folder, self._most_bytes)
        write_checked(self.path(key), _MAGIC, spirv)
