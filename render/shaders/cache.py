"""A cache of compiled shaders on disk, by the hash of all compiler inputs."""

from __future__ import annotations

from pathlib import Path

from renderwright.render.disk_cache import cache_folder, prune_at_times, read_checked, write_checked

MOST_BYTES = 256 * 2**20
"""The most bytes of the folder; beyond them the least recently used shaders are deleted, every ten minutes at most."""

_MAGIC = b"FWSPIRV1"
_COMPILER_FILE = "compiler"


def default_cache_folder() -> Path:
    """``$RENDERWRIGHT_CACHE_DIR/shaders``, else ``renderwright/shaders`` in the user's cache folder (XDG)."""
    return cache_folder("shaders")


class ShaderCache:
    """A folder of SPIR-V files, each checked by its digest when it is read.

    Several processes may share the folder. A folder that is not writable causes recompilation, never an error.
    """

    def __init__(self, folder: Path | None = None, most_bytes: int = MOST_BYTES) -> None:
        self.folder = folder or default_cache_folder()
        self._most_bytes = most_bytes
        self._pruned = False

    def path(self, key: str) -> Path:
        """The file of the entry."""
        return self.folder / f"{key}.spv"

    def get(self, key: str) -> bytes | None:
        """The SPIR-V of that key; None if it is missing or damaged."""
        return read_checked(self.path(key), _MAGIC)

    def last_compiler(self) -> str | None:
        """The version of the compiler that last filled the cache; None if unknown."""
        version = read_checked(self.folder / _COMPILER_FILE, _MAGIC)
        return None if version is None else version.decode(errors="replace")

    def remember_compiler(self, version: str) -> None:
        """Store the compiler's version, so that the cache can be read when the compiler is no longer installed."""
        write_checked(self.folder / _COMPILER_FILE, _MAGIC, version.encode())

    def put(self, key: str, spirv: bytes) -> None:
        """Store the SPIR-V under that key."""
        if not self._pruned:
            # At most once a process: a program compiles few shaders.
            self._pruned = True
            prune_at_times(self.folder, self._most_bytes)
        write_checked(self.path(key), _MAGIC, spirv)
