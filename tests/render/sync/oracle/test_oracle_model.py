"""Random streams of buffers that share memory, on two queues: the oracle finds what the plainest model finds."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from slow_model import STEP, Model
from stream_script import Script, dependency, use, wait

from renderwright.render.sync.oracle import Kind, check
from renderwright.render.sync.oracle.stream import WHOLE, Range, Stream

STAGES = ("VERTEX_SHADER", "FRAGMENT_SHADER", "COMPUTE_SHADER", "COPY", "DRAW_INDIRECT")
MASKS = (*STAGES, "", "FRAGMENT_SHADER|COMPUTE_SHADER", "ALL_TRANSFER", "ALL_COMMANDS", "COMPUTE_SHADER|COPY")
READ, WRITE = "SHADER_STORAGE_READ", "SHADER_STORAGE_WRITE"
ACCESSES = ("", READ, WRITE, f"{READ}|{WRITE}", "SHADER_WRITE", "MEMORY_READ", "MEMORY_READ|MEMORY_WRITE")
PLACES = {"a": (0, 4 * STEP), "b": (2 * STEP, 4 * STEP), "c": (4 * STEP, 4 * STEP), "d": (0, 8 * STEP)}
HAZARDS = {
    Kind.READ_AFTER_WRITE,
    Kind.WRITE_AFTER_READ,
    Kind.WRITE_AFTER_WRITE,
    Kind.NOT_AVAILABLE,
    Kind.NOT_VISIBLE,
}


def random_stream(seed: int, *, cut: bool = True) -> Stream:
    """A stream that cuts its buffers into the smallest pieces, or only where it speaks of pieces."""
    rng = random.Random(seed)
    script = Script(one=0, two=0).semaphore("t")
    for name, place in PLACES.items():
        script.buffer(name, place[1], place, concurrent=True, content="defined")
    script.begin("never submitted")
    for name, (_, size) in PLACES.items() if cut else ():
        script.work(*(use(name, "COPY", READ, part=Range(offset=at, size=STEP)) for at in range(0, size, STEP)))
    names = rng.sample(sorted(PLACES), rng.choice([1, 2, 4]))

    def part(name: str) -> Range:
        start = rng.randrange(PLACES[name][1] // STEP)
        size = rng.randint(1, PLACES[name][1] // STEP - start)
        return rng.choice([WHOLE, WHOLE, Range(offset=start * STEP, size=size * STEP)])

    def barrier():
        if rng.random() < 0.4:
            return dependency(*("ALL_COMMANDS", "MEMORY_READ|MEMORY_WRITE") * 2)
        name = rng.choice([*names, "", ""])
        masks = rng.choice(MASKS), rng.choice(ACCESSES), rng.choice(MASKS), rng.choice(ACCESSES)
        return dependency(*masks, name, part=part(name) if name else WHOLE)

    for batch in range(rng.choice([1, 1, 2, 3])):
        script.begin()
        halves: list = []
        for _ in range(rng.randint(1, 8)):
            kind = rng.random()
            if kind < 0.45:
                name = rng.choice(names)
                access = rng.choice([READ, WRITE, WRITE, f"{READ}|{WRITE}"])
                script.work(use(name, rng.choice(STAGES), access, part=part(name)))
            elif kind < 0.8:
                script.barrier(*(barrier() for _ in range(rng.choice([1, 1, 2]))))
            elif kind < 0.9 or not halves:
                event = f"e {batch} {len(script.items)}"
                halves.append((event, barrier()))
                script.set(event, halves[-1][1])
            else:
                script.wait_event(*halves.pop(rng.randrange(len(halves))))
        waits = [wait("t", rng.randint(1, batch), rng.choice(MASKS))] if batch and rng.random() < 0.8 else []
        signals = (wait("t", batch + 1, rng.choice([*MASKS, "ALL_COMMANDS"])),)
        script.submit(rng.choice(["one", "two"]), tuple(waits), signals)
    return script.stream()


@settings(deadline=None, derandomize=True, database=None, max_examples=300)
@given(st.integers(0, 2**32))
def test_the_oracle_finds_what_the_model_finds(seed: int) -> None:
    stream = random_stream(seed)
    assert found_in(stream) == Model(stream).wrong()


@settings(deadline=None, derandomize=True, database=None, max_examples=150)
@given(st.integers(0, 2**32))
def test_coarse_places_hide_nothing(seed: int) -> None:
    """What several barriers cover together may be asked for once more, but nothing is missed."""
    stream = random_stream(seed, cut=False)
    assert found_in(stream) >= Model(stream).wrong()


def found_in(stream: Stream) -> set[int]:
    return {finding.at.line for finding in check(stream).findings if finding.kind in HAZARDS}


def test_the_random_streams_are_both_right_and_wrong() -> None:
    wrong = safe = 0
    for seed in range(200):
        stream = random_stream(seed)
        model = Model(stream)
        wrong += bool(model.wrong())
        safe += len(model.accesses) > 2 and not model.wrong()
    assert wrong > 40
    assert safe > 5
