"""Heaps and placed resources that outlive plans: what is found again, what is given back, and when."""

from __future__ import annotations

from dataclasses import replace

import pytest

from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.compiler.values.placement import HeapPlan
from renderwright.render.errors import OutOfMemoryError
from renderwright.render.runtime.memory import placed_cache
from renderwright.render.runtime.memory.heap_pool import HeapPool
from renderwright.render.runtime.memory.placed_cache import PlacedCache
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.usages import Usage

INFO = TextureInfo("rgba8_unorm", (64, 64), 1, 1, 1, frozenset({Usage.COLOR}))
KIB64 = 65536


def heap_plan(size: int, memory_class: str = "textures") -> HeapPlan:
    return HeapPlan(memory_class, size, size, size, optimal=True)


@pytest.fixture
def backend() -> NullBackend:
    return NullBackend()


class TestHeaps:
    def test_a_plan_gets_the_smallest_near_heap_of_its_class_that_is_large_enough(self, backend) -> None:
        pool = HeapPool(backend)
        near = pool.lease([heap_plan(1000), heap_plan(300), heap_plan(200), heap_plan(250, "buffers")])
        assert pool.lease([heap_plan(220)], near) == (near[1],)
        assert pool.lease([heap_plan(220), heap_plan(100), heap_plan(100, "buffers")], near) == (
            near[1],
            near[2],
            near[3],
        )

    def test_one_that_fits_nowhere_gets_a_new_heap(self, backend) -> None:
        pool = HeapPool(backend)
        near = pool.lease([heap_plan(200)])
        (larger,) = pool.lease([heap_plan(201)], near)
        assert larger not in near
        assert larger.size == 201

    def test_tight_takes_no_heap_that_is_larger(self, backend) -> None:
        pool = HeapPool(backend)
        near = pool.lease([heap_plan(100)])
        assert pool.lease([heap_plan(100)], near, tight=True) == near
        assert pool.lease([heap_plan(99)], near, tight=True) != near
        assert pool.lease([heap_plan(1)], near) == near

    def test_the_last_one_to_release_a_heap_is_told_so(self, backend) -> None:
        pool = HeapPool(backend)
        heaps = pool.lease([heap_plan(100)])
        pool.share(heaps)
        assert pool.release(heaps) == []
        assert pool.release(heaps) == list(heaps)

    def test_nothing_is_leased_when_one_heap_cannot_be_had(self, backend, monkeypatch) -> None:
        pool = HeapPool(backend)
        near = pool.lease([heap_plan(100)])
        before = backend.alive
        create = backend.create_heap

        def create_small_ones(memory_class: str, size: int, name: str):
            if size > 400:
                raise OutOfMemoryError("full")
            return create(memory_class, size, name)

        monkeypatch.setattr(backend, "create_heap", create_small_ones)
        with pytest.raises(OutOfMemoryError):
            pool.lease([heap_plan(100), heap_plan(300), heap_plan(500)], near)
        assert backend.alive == before
        assert pool.release(near) == list(near)


class TestPlaced:
    def test_the_same_place_and_description_is_the_same_texture(self, backend) -> None:
        heap = backend.create_heap("textures", 4 * KIB64, "h")
        placed = PlacedCache(backend)
        one = placed.take(heap, 0, KIB64, INFO, "a")
        assert placed.take(heap, 0, KIB64, INFO, "a") is one
        others = (
            placed.take(heap, KIB64, KIB64, INFO, "a"),
            placed.take(heap, 0, KIB64, replace(INFO, extent=(32, 32)), "a"),
            placed.take(heap, 0, KIB64, INFO, "b"),
        )
        assert one not in others
        assert len(set(others)) == 3

    def test_what_nobody_uses_is_found_again(self, backend) -> None:
        heap = backend.create_heap("textures", 4 * KIB64, "h")
        placed = PlacedCache(backend)
        one = placed.take(heap, 0, KIB64, INFO, "a")
        placed.hold(one)
        placed.give_back(one)
        placed.give_back(one)
        log = list(backend.log)
        assert placed.take(heap, 0, KIB64, INFO, "a") is one
        assert backend.log == log

    @pytest.mark.parametrize("bound", ["MAX_IDLE", "MAX_IDLE_BYTES"])
    def test_the_longest_unused_go_beyond_the_bound(self, backend, monkeypatch, bound) -> None:
        monkeypatch.setattr(placed_cache, bound, {"MAX_IDLE": 2, "MAX_IDLE_BYTES": 2 * KIB64}[bound])
        heap = backend.create_heap("textures", 4 * KIB64, "h")
        placed = PlacedCache(backend)
        textures = [placed.take(heap, offset * KIB64, KIB64, INFO, f"t{offset}") for offset in range(4)]
        for texture in textures[:3]:
            placed.give_back(texture)
        assert not [text for text in backend.alive if '"t0"' in text]
        assert placed.take(heap, KIB64, KIB64, INFO, "t1") is textures[1]
        placed.give_back(textures[3])
        assert placed.take(heap, 2 * KIB64, KIB64, INFO, "t2") is textures[2]
        assert placed.take(heap, 3 * KIB64, KIB64, INFO, "t3") is textures[3]

    def test_a_heap_is_emptied_before_it_goes(self, backend) -> None:
        heaps = [backend.create_heap("textures", KIB64, name) for name in "gh"]
        placed = PlacedCache(backend)
        for heap in heaps:
            placed.give_back(placed.take(heap, 0, KIB64, INFO, "a"))
        placed.empty(heaps[0])
        backend.destroy(heaps[0])
        assert len(backend.alive) == 2
        placed.empty(heaps[1])
        backend.destroy(heaps[1])
        assert backend.alive == ()
