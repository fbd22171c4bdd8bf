"""Changed streams: each is judged or refused with its line; none crashes the reader or the checker."""

from __future__ import annotations

import json
import random
from collections import Counter

from test_oracle_reader import everything

from renderwright.render.sync.oracle import StreamError, check, read_stream_text, write_stream

IDS = ("i", "b", "c", "t", "s", "w", "old")
VALUES = (0, -1, 2**64 - 1, 2**70, "", "x", None, [], {}, True, 1.5, [0, 7], "GENERAL", "COPY", "\ud800")
CASES = 400


def changed(lines: list[str], rng: random.Random) -> list[str]:
    lines = list(lines)
    for _ in range(rng.randint(1, 4)):
        at, other = rng.randrange(1, len(lines)), rng.randrange(1, len(lines))
        match rng.choice(("drop", "swap", "repeat", "destroy", "value")):
            case "drop":
                del lines[at]
            case "swap":
                lines[at], lines[other] = lines[other], lines[at]
            case "repeat":
                lines.insert(other, lines[at])
            case "destroy":
                lines.insert(at, json.dumps({"op": "destroy", "id": rng.choice(IDS)}))
            case "value":
                item = json.loads(lines[at])
                item[rng.choice(list(item))] = rng.choice(VALUES)
                lines[at] = json.dumps(item)
    return lines


def test_changed_streams_are_judged_or_refused() -> None:
    lines = write_stream(everything()).splitlines()
    endings: Counter[str] = Counter()
    for seed in range(CASES):
        try:
            stream = read_stream_text(changed(lines, random.Random(seed)), "stream")
        except StreamError as error:
            endings["refused" if str(error).startswith("stream:") else "refused without a place"] += 1
        else:
            endings["findings" if check(stream).findings else "clean"] += 1
    assert not endings["refused without a place"]
    assert endings["refused"] > CASES // 5
    assert endings["findings"] > CASES // 5
