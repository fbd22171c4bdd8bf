"""Finds ``HAS_...`` macros in a plugin's shaders that no request of it defines and that are like one which is defined.

An undefined macro counts as 0, in silence.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from renderwright.engine.renderer.nodes import GLSL
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import SourceLocation
from renderwright.render.runtime.shader_checks.unwritten_targets import Pipelines
from renderwright.render.shaders.expanded_text import without_comments
from renderwright.render.shaders.library import BUILTIN_FOLDER
from renderwright.render.shaders.module import ShaderModule
from renderwright.render.suggest import near_words

_ALIKE = 0.75
"""The least ratio of difflib of two macros that are near, without the prefix."""
_NO_PLUGINS = (GLSL, BUILTIN_FOLDER)
"""The folders of shaders that many nodes share, with macros that only some of these define."""
_PREFIX = "HAS_"
_CONDITION = re.compile(r"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif)\b(?:\\\n|[^\n])*", re.MULTILINE)
"""A word elsewhere may be a name of GLSL."""
_MACRO = re.compile(rf"\b{_PREFIX}(\w+)")
_DEFINED = re.compile(rf"^[ \t]*#[ \t]*define[ \t]+{_PREFIX}(\w+)", re.MULTILINE)


@dataclass(frozen=True)
class MistypedMacro:
    """A macro in a shader of a plugin's ``node``, the one that is meant, and its first line."""

    plugin: str
    node: str
    macro: str
    meant: str
    where: SourceLocation


def mistyped_macros(plan: Plan, pipelines: Pipelines) -> Iterator[MistypedMacro | None]:
    """Each macro of a plugin's shader that none of its nodes defines, and that is like one that the node defines.
    None behind each shader, whose file may have to be read."""
    nodes = {node.id: node.declaration for node in plan.graph.nodes}
    defined = _defined(plan)
    told: set[tuple[str, str]] = set()
    for (instance, _), pipeline in pipelines.items():
        node = nodes.get(instance)
        own = [request.presence_macro for request in node.requests if request.presence_macro] if node else []
        if node is None or not node.plugin or not own:
            continue
        names = [macro.removeprefix(_PREFIX) for macro in own]
        for module in pipeline.desc.modules:
            for name, where in _macros_of(module).items():
                if f"{_PREFIX}{name}" in defined[node.plugin] or (where.file, name) in told:
                    continue
                near = near_words(name, names, cutoff=_ALIKE)
                if near:
                    told.add((where.file, name))
                    yield MistypedMacro(node.plugin, node.name, f"{_PREFIX}{name}", f"{_PREFIX}{near[0]}", where)
            yield None


def _defined(plan: Plan) -> Mapping[str, set[str]]:
    """The macros that the nodes of each plugin define, also those that this frame lacks: they may share a shader."""
    defined: dict[str, set[str]] = defaultdict(set)
    for node in (*plan.resolved.left_out, *(node.declaration for node in plan.resolved.nodes)):
        defined[node.plugin].update(request.presence_macro for request in node.requests)
        defined[node.plugin].update(name for pipeline in node.pipelines for name, _ in pipeline.defines)
    return defined


@lru_cache(maxsize=256)  # the code of a module stays as it is
def _macros_of(module: ShaderModule) -> Mapping[str, SourceLocation]:
    """The macros in the conditions of a shader's file and of those beside it that it includes, without the prefix, each
    with its first line. Those that any file defines itself are left out."""
    folder = Path(module.file).parent
    if folder in _NO_PLUGINS:
        return {}
    texts = {file: _text(file) for file in (module.file, *module.included)}
    defined = {found[1] for text in texts.values() for found in _DEFINED.finditer(text)}
    macros: dict[str, SourceLocation] = {}
    for file in texts:
        for name, line in _conditions(texts[file]) if Path(file).parent == folder else ():
            if name not in defined:
                macros.setdefault(name, SourceLocation(file, line))
    return macros


def _conditions(text: str) -> Iterator[tuple[str, int]]:
    """The macros in the conditions of a text, without the prefix, each with its line."""
    for condition in _CONDITION.finditer(text):
        for found in _MACRO.finditer(text, condition.start(), condition.end()):
            yield found[1], text.count("\n", 0, found.start()) + 1


def _text(file: str) -> str:
    """The text of a file without comments; '' if it cannot be read."""
    try:
        return without_comments(Path(file).read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return ""
