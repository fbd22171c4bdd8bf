"""Compiled shaders on disk, found by the hash of everything that made them."""

from __future__ import annotations

import hashlib
import logging
import os
import tempfile
from pathlib import Path

_MAGIC = b"FWSPIRV1"
_DIGEST_BYTES = 32
_log = logging.getLogger("framewright.shaders")


def default_cache_folder() -> Path:
    """``$FRAMEWRIGHT_CACHE_DIR/shaders``, else ``framewright/shaders`` in the user's cache folder (XDG)."""
    chosen = os.environ.get("FRAMEWRIGHT_CACHE_DIR")
    if chosen:
        return Path(chosen) / "shaders"
    xdg = os.environ.get("XDG_CACHE_HOME")
    return (Path(xdg) if xdg else Path.home() / ".cache") / "framewright" / "shaders"


class ShaderCache:
    """A folder of SPIR-V files, each checked by its digest when it is read.

    Files are replaced atomically, so several processes may share the folder. A folder that cannot be written costs
    recompilation, never an error.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or default_cache_folder()

    def path(self, key: str) -> Path:
        """Where the entry of that key is kept."""
        return self.folder / f"{key}.spv"

    def get(self, key: str) -> bytes | None:
        """The SPIR-V of that key; None when there is none or it is damaged."""
        try:
            data = self.path(key).read_bytes()
        except OSError:
            return None
        start = len(_MAGIC) + _DIGEST_BYTES
        spirv = data[start:]
        if data[:start] != _MAGIC + hashlib.sha256(spirv).digest():
            _log.warning("the cached shader %s is damaged and is compiled again", self.path(key))
            return None
        return spirv

    def put(self, key: str, spirv: bytes) -> None:
        """Keep the SPIR-V under that key."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.folder, suffix=".tmp")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(_MAGIC + hashlib.sha256(spirv).digest() + spirv)
                os.replace(name, self.path(key))
            except BaseException:
                os.unlink(name)
                raise
        except OSError as error:
            _log.warning("cannot keep a compiled shader in %s: %s", self.folder, error)
