"""What pieces depend on besides their job: the sources of engine, game and plugins, and the job's own values."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import platform
import sys
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path

from renderwright import engine
from renderwright.engine.farm.job import RenderJob
from renderwright.engine.farm.work import UnfitError
from renderwright.engine.games import find_game, game_folder
from renderwright.engine.options import PluginChoice
from renderwright.engine.plugins import FoundPlugin, find_plugins

_OWN_FOLDERS = ("engine", "render", "skeleton_graphs")
_SOURCES = frozenset({".py", ".glsl", ".vert", ".frag", ".comp", ".yaml", ".json", ".cube"})
_DIGITS = 12
_NOT_IDENTITY = frozenset({"frames", "replay", "strict"})


def job_identity(job: RenderJob, script: str) -> Mapping[str, str]:
    """The job's values by name, except the numbers of its frames; of the replay its contents count."""
    values = {
        field.name: _in_words(getattr(job, field.name)) for field in fields(job) if field.name not in _NOT_IDENTITY
    }
    return {**values, "replay": _digest([script.encode()]) if script else "none"}


def _in_words(value: object) -> str:
    """A value of a job as the command line has it."""
    if isinstance(value, PluginChoice):
        changes = [f"{change.plugin}.{change.key}={change.value}" for change in (*value.remembered, *value.settings)]
        return (
            " ".join([f"+{name}" for name in value.enable] + [f"-{name}" for name in value.disable] + changes) or "none"
        )
    if isinstance(value, tuple):
        return "x".join(str(side) for side in value)
    return "none" if value in (None, "") else str(value)


def job_versions(job: RenderJob) -> Mapping[str, str]:
    """Versions and digests of the sources that play the job's game, as this process would import them.

    Raises ``UsageError`` if there is no such game.
    """
    game = find_game(job.game)
    found = {plugin.name: plugin for plugin in find_plugins()}
    names = [name for name in (*game.plugins, *job.plugins.enable) if name not in job.plugins.disable]
    plugins = {f'plugin "{name}"': _plugin_version(found[name]) for name in dict.fromkeys(names) if name in found}
    return {**engine_versions(), f'game "{job.game}"': _game_version(game_folder(game)), **plugins}


def engine_versions() -> Mapping[str, str]:
    """Those of the engine, of Python and of numpy."""
    own = Path(engine.__path__[0]).parent
    digest = _digest_of_files(file for folder in _OWN_FOLDERS for file in (own / folder).rglob("*"))
    return {
        "python": ".".join(platform.python_version_tuple()[:2]),
        "numpy": importlib.metadata.version("numpy"),
        "renderwright": f"{importlib.metadata.version('renderwright')} {digest}",
    }


def require_same(here: Mapping[str, str], there: Mapping[str, str]) -> None:
    """Raise ``UnfitError`` unless a worker, ``there``, has the versions that the job was made with."""
    differing = [name for name in here if there.get(name) != here[name]]
    if differing:
        name = differing[0]
        raise UnfitError(
            f"its version of {name} is {there.get(name) or 'none'}, and {here[name]} where the job comes from",
            hint="install the same versions of the engine, the game and the plugins on each machine",
        )


def _game_version(folder: Path | None) -> str:
    """A digest of the game's sources: its package, or the modules beside a lone file that its import has brought."""
    if folder is None:
        return ""
    if (folder / "__init__.py").is_file():
        return _digest_of_files(folder.rglob("*"))
    files = {Path(file) for module in list(sys.modules.values()) if (file := getattr(module, "__file__", None))}
    return _digest_of_files(file for file in files if file.resolve().is_relative_to(folder))


def _plugin_version(plugin: FoundPlugin) -> str:
    """Its version and a digest of its sources, without importing it."""
    try:
        spec = importlib.util.find_spec(plugin.module)
    except (ImportError, ValueError):
        spec = None
    files: Iterable[Path] = ()
    if spec is not None and spec.submodule_search_locations:
        files = (file for folder in spec.submodule_search_locations for file in Path(folder).rglob("*"))
    elif spec is not None and spec.origin:
        files = (Path(spec.origin),)
    return f"{plugin.version} {_digest_of_files(files)}"


def _digest_of_files(files: Iterable[Path]) -> str:
    sources = sorted((file.name, file) for file in files if file.suffix in _SOURCES)
    return _digest(part for name, file in sources for part in (name.encode(), file.read_bytes()))


def _digest(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()[:_DIGITS]
