"""The inner loops give the same results compiled and interpreted."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest
from patience import PATIENCE

from renderwright.render.memory.arcs import PackItem
from renderwright.render.memory.loops import PLAIN, warm_up
from renderwright.render.memory.packing import pack_with
from renderwright.render.memory.policy import PackPolicy


def problem(seed: int) -> tuple[list[PackItem], int]:
    rng = random.Random(seed)
    period = rng.choice([12, 50, 160])
    items = []
    for _ in range(rng.choice([5, 20, 40])):
        start = rng.randrange(period)
        length = rng.choice([rng.randint(1, period), rng.randint(1, period // 4), period // 2 + 1])
        size = rng.choice([rng.randint(1, 100), rng.randint(1, 2**33)])
        items.append(PackItem(start, start + length, size, rng.choice([1, 8, 256, 4 << 20])))
    at = rng.randrange(len(items))
    items[at] = PackItem(items[at].start, items[at].end, items[at].size, 256, pin=4096)
    if seed % 2:
        items = [PackItem(item.start, item.end, item.size, item.alignment) for item in items]
        count = len(items)
        items = [PackItem(i.start, i.end, i.size, i.alignment, count + n) for n, i in enumerate(items)] + [
            PackItem(i.start + period, i.end + period, i.size, i.alignment, n) for n, i in enumerate(items)
        ]
        period *= 2
    return items, period


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("policy", [PackPolicy.FAST, PackPolicy.BALANCED])
def test_compiled_loops_change_nothing(seed: int, policy: PackPolicy) -> None:
    pytest.importorskip("numba")
    items, period = problem(seed)
    compiled = warm_up()
    assert compiled.compiled
    plain = pack_with(PLAIN, items, period, policy, seed=seed, steps=300)
    assert pack_with(compiled, items, period, policy, seed=seed, steps=300) == plain


def test_a_fast_packing_does_not_load_numba() -> None:
    code = (
        "import sys; from renderwright.render.memory.packing import PackItem, pack; "
        "assert pack([PackItem(0, 2, 1), PackItem(1, 3, 1)], 4).makespan == 2; assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=PATIENCE)
