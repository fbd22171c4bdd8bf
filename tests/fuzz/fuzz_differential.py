"""One case: a random stream, sound or with one mistake, before the oracle and before the validation layer."""

from __future__ import annotations

import random
from functools import cache

from sound_streams import sound_stream
from stream_mutants import mutant
from stream_objects import image_bytes
from stream_player import StreamPlayer
from stream_script import Script, use
from verdicts import Verdict, compare
from vulkan_judge import VulkanJudge, vulkan_judge

from renderwright.render.sync.oracle.stream import Stream

SOUND = 0.25
"""How many of the streams are left as they are."""


class NoLayerError(Exception):
    """There is no device, or no layer that looks for hazards; the message says which."""


@cache
def player() -> StreamPlayer:
    """The player of this process; ``NoLayerError`` where there is nothing to compare with."""
    judge = vulkan_judge()
    if isinstance(judge, str):
        raise NoLayerError(judge)
    made = StreamPlayer(judge)
    writes = use("b", "CLEAR", "TRANSFER_WRITE")
    unsound = Script().buffer("b").work(writes, name="clear").work(writes, name="clear").stream()
    if not any(one.rule.startswith("SYNC-HAZARD") for one in made.play(unsound)):
        raise NoLayerError(f"the validation layer {judge.layer} does not look for hazards")
    return made


def random_case(seed: int) -> tuple[str, Stream]:
    """What is wrong with the stream of a seed ('' if nothing is), and the stream."""
    judge = player().judge
    stream = sound_stream(seed, cache(lambda mips, layers, depth: _image_bytes(judge, mips, layers, depth)))
    return ("", stream) if random.Random(seed).random() < SOUND else mutant(stream, seed)


@cache
def _image_bytes(judge: VulkanJudge, mips: int, layers: int, depth: bool) -> int:
    return image_bytes(judge, mips, layers, depth=depth)


def verdict(stream: Stream) -> Verdict:
    """What both judges say of a stream."""
    return compare(stream, player().play, explain=player().judge.layer.newest)


def differential_case(seed: int) -> str:
    """``sound``, ``wrong`` (for both), or who else objects and why; the newest layer must not object alone for reasons
    that are not known, and both must be content with a sound stream. Older layers are compared, no more."""
    try:
        newest = player().judge.layer.newest
    except NoLayerError:
        return "skipped"
    mistake, stream = random_case(seed)
    found = verdict(stream)
    if not newest:
        return _words(found)
    assert mistake or found.findings == () or _only_contents(found), "; ".join(map(str, found.findings))
    unknown = [one for one in found.differences if one.side == "layer" and not one.reason]
    assert not unknown, f"{unknown[0].family} ({mistake}): {'; '.join(one.text for one in found.objections)}"
    return _words(found)


def _only_contents(found: Verdict) -> bool:
    return {one.family for one in found.differences} == {"content"} and not found.objections


def _words(found: Verdict) -> str:
    if not found.differences:
        return "both object" if found.findings else "both content"
    return "; ".join(f"{one.side} alone, {one.family}: {one.reason or 'unexplained'}" for one in found.differences)
