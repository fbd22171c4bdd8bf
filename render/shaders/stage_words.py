"""Words of GLSL that only fragment shaders or only compute shaders understand: a full-screen shader has none of them.

The compiler decides whether a text has such words in code that is compiled, since it knows the preprocessor. Its own
words for them name a stage that the author has not chosen, or no line; the errors of this module replace these.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from renderwright.render.errors import ShaderError
from renderwright.render.shaders.diagnostics import Diagnostic, excerpt, owner
from renderwright.render.shaders.expanded_text import author_place, without_comments
from renderwright.render.shaders.glslc import preprocessed
from renderwright.render.types.usages import ShaderStage


@dataclass(frozen=True)
class _Words:
    """Words that one stage alone understands, and what to do without them."""

    stage: ShaderStage
    words: re.Pattern[str]
    hint: str


_WORDS = (
    _Words(
        ShaderStage.FRAGMENT,
        re.compile(r"\b(?:discard|demote|terminateInvocation)\b(?=\s*;)"),
        "write the value that the texel is to have, or use `reg.graphics`",
    ),
    _Words(
        ShaderStage.FRAGMENT,
        re.compile(r"\b(?:dFd[xy]|fwidth)(?:Fine|Coarse)?(?=\s*\()"),
        "compute the difference to the next texel (texelFetch, textureOffset), or use `reg.graphics`",
    ),
    _Words(
        ShaderStage.FRAGMENT,
        re.compile(
            r"\b(?:interpolateAt\w+|textureQueryLod|helperInvocationEXT)(?=\s*\()"
            r"|\bgl_(?:Front|Point|Sample|Helper|FragDepth|FragSize|Layer|Primitive|Clip|Cull|Bary|Viewport)\w*"
        ),
        "a full-screen shader has `gl_FragCoord` and its input alone; for more use `reg.graphics`",
    ),
    _Words(
        ShaderStage.COMPUTE,
        re.compile(
            r"\bgl_(?:GlobalInvocation|LocalInvocation|WorkGroup|NumWorkGroups|NumSubgroups|SubgroupID)\w*|\bshared\b"
            r"|\b(?:barrier|controlBarrier|memoryBarrierShared|groupMemoryBarrier)(?=\s*\()"
        ),
        "the texel is `gl_FragCoord.xy`; for workgroups use `reg.compute`",
    ),
)
_STAGES = (ShaderStage.FRAGMENT, ShaderStage.COMPUTE)
_SAMPLING = re.compile(r"\b(?P<name>texture(?:Proj)?(?P<offset>Offset)?)\s*\(")
_ARGUMENTS_WITHOUT_BIAS = 2
_BIAS_HINT = "name the mip with textureLod(), or use `reg.graphics`"


@dataclass(frozen=True)
class _Found:
    """A word of one stage, at a position in the text."""

    position: int
    word: str
    hint: str


def has_words_of(stage: ShaderStage, text: str) -> bool:
    """Whether an expanded text has words that the stage alone understands; they may be in code that is not compiled."""
    if next(_words(text, (stage,)), None) is None:
        return False
    return next(_words(without_comments(text), (stage,)), None) is not None


def stage_error(file: str, text: str, node: str) -> ShaderError | None:
    """The error for the words of one stage in an expanded text, each at its first place; None if it has none."""
    code = preprocessed(text) or without_comments(text)
    first_places: dict[str, _Found] = {}
    for found in sorted(_words(code), key=lambda found: found.position):
        first_places.setdefault(found.word, found)
    if not first_places:
        return None
    own_lines = text.splitlines()
    lines: list[str] = []
    for found in first_places.values():
        place = author_place(code, found.position)
        start = f"{place}: " if lines else f"{owner(file, node)}: "
        lines.append(f"{start}a `reg.fullscreen` shader cannot use {found.word}")
        lines += excerpt(Diagnostic(place.file, place.line, 0, "error", ""), file, own_lines)
    first = next(iter(first_places.values()))
    return ShaderError("\n".join(lines), hint=first.hint, where=author_place(code, first.position))


def _words(code: str, stages: Collection[ShaderStage] = _STAGES) -> Iterator[_Found]:
    """The words that these stages alone understand, rule by rule."""
    for rule in _WORDS:
        if rule.stage in stages:
            for found in rule.words.finditer(code):
                yield _Found(found.start(), f"`{found[0]}`", rule.hint)
    if ShaderStage.FRAGMENT in stages:
        yield from _biases(code)


def _biases(code: str) -> Iterator[_Found]:
    for found in _SAMPLING.finditer(code):
        arguments = _arguments(code, found.end())
        most = _ARGUMENTS_WITHOUT_BIAS + bool(found["offset"])
        if len(arguments) > most and not _compares(code, arguments[0]):
            yield _Found(found.start(), f"a bias in `{found['name']}`", _BIAS_HINT)


def _arguments(code: str, start: int) -> list[str]:
    """The arguments of a call whose opening parenthesis ends at ``start``; none if nothing closes it."""
    arguments, depth, begin = list[str](), 0, start
    for mark in re.compile(r"[(),]").finditer(code, start):
        if mark[0] == "," and depth == 0:
            arguments.append(code[begin : mark.start()])
            begin = mark.end()
        elif mark[0] == ")" and depth == 0:
            return [*arguments, code[begin : mark.start()]]
        depth += {"(": 1, ")": -1, ",": 0}[mark[0]]
    return []


def _compares(code: str, sampler: str) -> bool:
    """Whether the third argument of ``texture`` is the value to compare with, as of the one type with five numbers."""
    return re.search(rf"\bsamplerCubeArrayShadow\s+{re.escape(sampler.strip())}\b", code) is not None
