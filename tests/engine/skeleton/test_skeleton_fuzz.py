"""Whatever a file holds, only a named error comes out."""

from __future__ import annotations

import random

import pytest

from renderwright.engine.skeleton import Skeleton, find_skeleton, parse_skeleton
from renderwright.render.errors import SkeletonError

BASES = [find_skeleton(name).read_bytes() for name in ("deferred", "forward")]
BASES.append(b"""version: 1
nodes:
  - name: a
    state: {bias: [1.0, 2], cull: back}
    create: {b: {buffer: 64, usage: storage}, c: {blob: Camera}}
    history: {b: {usage: storage_read, first: clear}}
    rename: {c: {to: d, blob: Camera}}
    gather: {e: {usage: sampled, stage: compute, optional: true}}
""")
WORDS = (
    b"[] {} - : ? * & ! !!python/object:os.system | > ' \" # %YAML --- ... << ~ no 1e3 .inf 0x1 \t \\ \n "
    b"nodes create texture usage blob size [1,2] {a: b} &x *x \xff \xc3\xa4 \x00 \xe2\x80\xa8 99999999999999999999999"
).split(b" ")


def mutated(rng: random.Random) -> bytes:
    """A skeleton file with a few random edits."""
    text = bytearray(rng.choice(BASES))
    for _ in range(rng.randint(1, 6)):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice((0, 1, 3, 12, 60)))
        edit = rng.randrange(5)
        if edit == 0:
            text[start:end] = b""
        elif edit == 1:
            text[start:start] = rng.choice(WORDS)
        elif edit == 2:
            text[start:end] = rng.choice(WORDS)
        elif edit == 3:
            text[start:start] = text[start:end] * rng.randint(1, 3)
        else:
            text[start:end] = rng.randbytes(rng.randint(1, 3))
    return bytes(text)


@pytest.mark.parametrize("seed", range(4))
def test_mutated_files_give_skeletons_or_skeleton_errors(seed: int) -> None:
    rng = random.Random(seed)
    errors = []
    for _ in range(150):
        try:
            assert isinstance(parse_skeleton(mutated(rng), "fuzz.yaml"), Skeleton)
        except SkeletonError as error:
            errors.append(error)
    assert 30 < len(errors) < 150
    for error in errors:
        assert error.where is not None
        assert error.where.line >= 1
        assert str(error).startswith("fuzz.yaml:")
