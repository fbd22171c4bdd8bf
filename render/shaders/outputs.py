"""The outputs of a fragment shader, also of a full-screen one that computes in its place, whose code has none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from renderwright.render.shaders.expanded_text import without_comments
from renderwright.render.shaders.fullscreen_interface import INTERFACE
from renderwright.render.shaders.glsl_types import GLSL_TYPES, glsl_type
from renderwright.render.shaders.module import ShaderModule
from renderwright.render.types.usages import ShaderStage

_SUFFIXES = frozenset({".vert", ".frag", ".comp", ".glsl"})


@dataclass(frozen=True)
class Output:
    """An output as its declaration has it; ``components`` are 0 if its type is not numeric, or unknown.

    It ``may_be_another`` where the text has several names for it under ``#if``, and the code has none.
    """

    name: str
    type: str
    may_be_another: bool = False

    @property
    def components(self) -> int:
        """How many channels of a texel it has."""
        declared = GLSL_TYPES.get(self.type)
        return declared.rows if declared is not None else 0

    def with_components(self, number: int) -> str:
        """The type with so many components, '' if there is none."""
        declared = GLSL_TYPES.get(self.type)
        wider = glsl_type(declared.code, number) if declared is not None else None
        return wider.name if wider is not None else ""


@lru_cache(maxsize=256)  # the code of a module stays as it is
def outputs_of(module: ShaderModule) -> Mapping[int, Output]:
    """The outputs by location. Of several at one, such as components or those that the text declares under ``#if``, it
    is the first name, and a type if that is known."""
    found: dict[int, Output] = {}
    for variable in module.writes:
        for location in range(variable.location, variable.location + variable.locations):
            first = found.get(location)
            found[location] = Output(first.name, "") if first is not None else Output(variable.name, variable.type)
    if module.stage is ShaderStage.COMPUTE or not all(output.name for output in found.values()):
        for location, declared in _declared(module).items():
            found[location] = replace(declared, type=found.get(location, declared).type)
    return found


def _declared(module: ShaderModule) -> Mapping[int, Output]:
    """The outputs that the texts of a shader declare; the type of one that has several of them is ''."""
    declared: dict[int, Output] = {}
    for found in (found for text in texts_of(module) for found in INTERFACE.finditer(text)):
        if found["direction"] == "out":
            first = declared.setdefault(int(found["location"]), Output(found["name"], found["type"]))
            same_type, same_name = found["type"] == first.type, found["name"] == first.name
            several = first.may_be_another or not same_name
            declared[int(found["location"])] = Output(first.name, first.type if same_type else "", several)
    return declared


def texts_of(module: ShaderModule) -> Iterator[str]:
    """The texts of a shader's files without comments, as far as they can be read."""
    return _texts(Path(file) for file in (module.file, *module.included))


def texts_in(folder: Path) -> Iterator[str]:
    """The same of all files of shaders in a folder."""
    return _texts(file for file in sorted(folder.glob("*.*")) if file.suffix in _SUFFIXES)


def _texts(files: Iterable[Path]) -> Iterator[str]:
    for file in files:
        try:
            yield without_comments(file.read_text(encoding="utf-8", errors="replace"))
        except OSError:
            continue
